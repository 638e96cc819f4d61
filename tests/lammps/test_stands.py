"""What stands and what falls: ladder, leaning stack, house of cards, against analytic limits."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from house_of_cards import house_of_cards
from scenes import scene

SCHEMES = ("em", "newmark", "euler")


def moved(result):
    """How far the centres have come, by bodies, and the kinetic energy at the end."""
    frames = result.frames()
    way = frames[-1].vectors("x", "y", "z") - frames[0].vectors("x", "y", "z")
    return np.linalg.norm(way, axis=1), result.thermo()["f_motion[8]"][-1]


# ---- a ladder that leans on a wall ----

LENGTH, THICK, MU = 1.0, 0.02, 0.3


def slip_angle():
    """Of a ladder of this thickness, with friction at its foot and at the wall, both at their limit.

    The foot bears N and mu N, the wall M and mu M: M = mu N, N + mu M = W; the moment of the weight, whose lever is
    that of the middle less half a thickness, about the foot is that of the wall.
    """
    return np.arctan((1 - MU**2) / 2 / (MU + (1 + MU**2) * THICK / (2 * LENGTH)))


def ladder(scheme, angle):
    gbar = 1e-4
    along, up = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    foot, head = -LENGTH / 2 * along - THICK / 2 * up, LENGTH / 2 * along - THICK / 2 * up
    at = np.array([-head[0], -foot[1]]) + 1.02 * gbar * np.array([-1, 1])
    return scene(
        shapes=f"1 box {LENGTH} 0.3 {THICK} density 500",
        bodies=f"create_polyhedra 1 at {at[0]:.17g} 0 {at[1]:.17g} rotate {-np.degrees(angle):.17g} 0 1 0",
        box="block -2 0.5 -1 1 -0.1 2",
        walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1\nfix side all wall/polyhedron plane 0 0 0 -1 0 0",
        law=f"auto velocity 0.1 gap {gbar} friction {MU} {MU}",
        dt=2e-3,
        motion=f"scheme {scheme}",
        thermo="f_motion[8]",
        every=100,
        run="run 500",
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_ladder(lammps, scheme):
    for part, stands in ((1.005, True), (0.995, False)):
        way, kinetic = moved(lammps(ladder(scheme, part * slip_angle())))
        show(angle=np.degrees(part * slip_angle()), way=way[0], kinetic=kinetic)
        assert (way[0] < 1e-3) == stands


# ---- a stack of blocks that lean out as far as they can ----

BLOCKS = 20


def stack(scheme, part, steps):
    """Blocks of 0.1 x 0.1 x 0.02; the k-th from the top reaches out by 1/(2k) of its length, times part."""
    length, high, gbar = 0.1, 0.02, 1e-5
    pitch = high + 1.02 * gbar
    out = np.cumsum([0] + [part * length / (2 * k) for k in range(BLOCKS - 1, 0, -1)])
    bodies = "\n".join(
        f"create_polyhedra 1 at {x:.17g} 0 {k * pitch + high / 2 + 1.02 * gbar:.17g}" for k, x in enumerate(out)
    )
    return scene(
        shapes=f"1 box {length} 0.1 {high} density 1000",
        bodies=bodies,
        box="block -1 1 -1 1 -0.1 1",
        law=f"auto velocity 0.02 load {BLOCKS} gap {gbar} friction 0.5 0.5",
        dt=1e-2,
        motion=f"scheme {scheme}",
        thermo="f_motion[8]",
        every=10,
        run=f"run {steps}",
    )


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_leaning_stack(lammps, scheme):
    """Just inside it stands, outside it falls. It bends by what its contacts give, so that 0.99 is too far out."""
    for part, steps, stands in ((0.98, 60, True), (1.01, 20, False)):
        way, kinetic = moved(lammps(stack(scheme, part, steps)))
        show(part=part, way=way.max(), kinetic=kinetic)
        assert (way.max() < 1e-3) == stands
        if stands:
            assert kinetic < 1e-9


# ---- a house of cards ----

def house(motion, mu):
    """Five levels of pairs of cards that lean on each other; on the peaks lie cards that bear the next level."""
    gap = 1e-4
    cards = house_of_cards(5, gap)
    return scene(
        types=2,
        shapes=cards.shapes,
        bodies="\n".join(cards.bodies),
        box="block -1 1 -1 1 -0.1 1",
        law=f"auto velocity 0.1 gap {gap} friction {mu} {mu}",
        dt=2e-3,
        motion=motion,
        thermo="f_motion[8] f_motion[2] f_motion[4]",
        every=100,
        run="run 500",
    )


def test_house_of_cards(lammps):
    """Five levels, forty cards, with the fix's defaults: it settles by the gaps that it was placed with, and stands."""
    result = lammps(house("fix motion all implicit/polyhedron", 0.5))
    way, kinetic = moved(result)
    show(cards=len(way), way=way.max(), kinetic=kinetic, iterations=result.thermo()["f_motion[2]"][-1])
    assert len(way) == 40
    assert way.max() < 1e-3 and kinetic < 1e-12
    assert lammps.intersections(result, "dump", "0 0 0 0 0 1") == 0


@pytest.mark.parametrize("law", ["restitution 0 friction 0.5 0.4", "restitution 0.5 friction 0.5 0.4"])
@pytest.mark.parametrize("dt", [5e-3, 1e-3])
def test_aligned_blocks_on_a_plane_that_tilts(lammps, law, dt):
    """Faces that lie flush shift by micrometres past each other's edges: no substep is repeated for it."""
    n = round(0.5 / dt)
    blocks = "\n".join(f"create_polyhedra 1 at 0 0 {0.0272 + 0.0522 * i}" for i in range(3))
    weight = ("variable gx equal 0.97*0.5*(step*dt/0.3*(step*dt<0.3)+(step*dt>=0.3))\nvariable gz equal -1\n"
              "fix g all gravity 9.81 vector v_gx 0 v_gz")
    t = lammps(scene(shapes="1 box 0.1 0.1 0.05 density 1000", bodies=blocks, law=f"auto velocity 1 gravity 9.81 {law}", gravity=0, dt=dt,
                     walls=f"fix floor all wall/polyhedron plane 0 0 0 0 0 1\n{weight}", motion="scheme em",
                     thermo="f_motion[1] f_motion[2] f_motion[3]", run=f"run {n}")).thermo()
    print(f"{law}, {dt}: {t['f_motion[1]'][-1]:.0f} substeps, {t['f_motion[2]'][-1]:.0f} iterations, {t['f_motion[3]'][-1]:.0f} repeated")
    assert t["f_motion[1]"][-1] < 1.1 * n and t["f_motion[3]"][-1] < 3
