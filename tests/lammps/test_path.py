"""The way that bodies which touch may go past each other in a substep: bounded by default, as far as substeps may."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scenes import scene

LAW = "normal 1e8 1.5 gap 0.001 barrier 0.1 -2 restitution 0 friction 0.1 0.1 1e5 30"
STEPS = 10


def substeps(lammps, motion: str, speed: float = 3.0, height: float = 0.0509) -> int:
    """Substeps of a cube that slides or flies."""
    result = lammps(scene(law=LAW, bodies=f"create_polyhedra 1 at 0 0 {height}\nvelocity all set {speed} 0 0", dt=5e-3,
                          motion=motion, thermo="f_motion[1]", every=STEPS, run=f"run {STEPS}"))
    return round(result.thermo()["f_motion[1]"][-1])


@pytest.mark.parametrize("motion, least, most", [
    ("scheme em path 0.05", 30, 60),
    ("scheme em path 0.02", 80, 120),
    ("scheme em path 0.2", STEPS, STEPS),
    ("scheme em path 0", STEPS, 2 * STEPS),
    # fixed substeps are what the user says; no substep is cut further than is allowed
    ("scheme em substeps 1", STEPS, STEPS),
    ("scheme em path 0.05 minstep 4e-3", STEPS, 2 * STEPS),
    ("scheme em path 0.05 minstep 2e-3", STEPS, 3 * STEPS),
    ("scheme euler", STEPS, 2 * STEPS),
])
def test_slide(lammps, motion, least, most):
    count = substeps(lammps, motion)
    print(f"{motion}: {count} substeps")
    assert least <= count <= most


def test_default(lammps):
    """A twentieth of the bounding radius."""
    assert substeps(lammps, "scheme em") == substeps(lammps, "scheme em path 0.05")


@pytest.mark.parametrize("faces, error", [(12, 0.03), (36, 0.06)])
def test_rolling(lammps, faces, error):
    """A prism rolls down 10 degrees for 2 s as far as in short substeps; without a bound 36 faces go 13 % too far."""
    def way(motion):
        result = lammps(scene(shapes=f"1 prism {faces} 0.05 0.1 density 1000", box="block -1 20 -1 1 -0.5 1", gravity=0,
                              bodies="create_polyhedra 1 at 0 0 0.0512 rotate 90 1 0 0", dt=5e-3, every=400, run="run 400",
                              extra="fix slope all gravity 9.81 vector 0.17364818 0 -0.98480775", motion=f"scheme em {motion}",
                              law="normal 1e7 1.5 gap 0.001 barrier 0.1 -2 restitution 0 friction 0.5 0.5 1e6 10"))
        return result.frames()[-1].vectors("x")[0]

    default, resolved = (float(np.squeeze(way(motion))) for motion in ("", "path 0 maxstep 2.5e-4"))
    print(f"{faces} faces: {default:.4f} m, in short substeps {resolved:.4f} m")
    assert abs(default / resolved - 1) < error


def test_ranks(lammps):
    """The mean over all pairs, and so the length of the substeps, is the same on any number of processes."""
    places = [(-0.6 + 0.3 * i, 0.4 * j - 0.2) for i in range(5) for j in range(2)]
    bodies = [f"create_polyhedra 1 at {x} {y} 0.0509\nset atom {i + 1} vx {0.5 + 0.3 * i}" for i, (x, y) in enumerate(places)]
    script = scene(law=LAW, bodies="\n".join(bodies), dt=5e-3, motion="scheme em path 0.05", every=1, run=f"run {STEPS}",
                   thermo="f_motion[1] f_motion[2] f_motion[4]")
    tables = [lammps(script, ranks=ranks).thermo() for ranks in (1, 2)]
    print("substeps", tables[0]["f_motion[1]"][-1])
    assert tables[0]["f_motion[1]"][-1] > 2 * STEPS
    for column in ("f_motion[1]", "f_motion[4]"):
        assert list(tables[0][column]) == list(tables[1][column])


def test_flight_and_rest(lammps):
    assert substeps(lammps, "scheme em", height=0.5) == STEPS
    assert substeps(lammps, "scheme em", speed=0.0) <= STEPS + 1


def test_fixed_substeps_that_cannot_be_cut(lammps):
    lammps(scene(law=LAW, bodies="create_polyhedra 1 at 0 0 0.0509\nvelocity all set 3 0 0", dt=5e-3,
                 motion="scheme em substeps 1 path 0.05", run="run 5"), fail="no substep is possible at step 1: ")


@pytest.mark.parametrize("plate_first", [True, False])
def test_on_a_large_body(lammps, plate_first):
    """It is the way of the smaller body that counts: its turning moves its own surface, not that of a large one."""
    plate, prism = "create_polyhedra 2 at 0 0 0", "create_polyhedra 1 at 0 0 0.1005 rotate 90 1 0 0"
    result = lammps(scene(types=2, shapes="1 prism 36 0.05 0.1 density 1000 2 box 1.8 1.8 0.1 density 1000",
                          bodies="\n".join([plate, prism] if plate_first else [prism, plate]) +
                          "\ngroup plate type 2\ngroup prism type 1\nset group prism angmom 0 0.0295 0", walls="fix hold plate freeze",
                          law=LAW, dt=5e-3, motion="scheme em path 0.05", thermo="f_motion[1]", every=STEPS, run=f"run {STEPS}"))
    count = round(result.thermo()["f_motion[1]"][-1])
    print(f"plate first {plate_first}: {count} substeps")
    assert STEPS < count < 60


@pytest.mark.parametrize("motion", ["", "path 0.02", "path 0.01", "path 0.005", "resolve 16"])
def test_restitution(lammps, motion):
    """An impact begins with short substeps where its body is fast, or a wall comes near, and goes on with longer ones. The
    restitution is that of equal ones, whether the body moves or the wall."""
    found = []
    for wall in (0, 1, 3):
        bodies = f"variable speed equal vz[1]\ncreate_polyhedra 1 at 0 0 0.35\nvelocity all set 0 0 {wall - 3}"
        result = lammps(scene(law="normal 1e8 1.5 gap 0.002 barrier 0.1 -2 restitution 0.5", gravity=0, dt=5e-3, thermo="v_speed",
                              bodies=bodies, every=32, run="run 32", motion=f"scheme em {motion}",
                              walls=f"fix floor all wall/polyhedron plane 0 0 0 0 0 1 move velocity 0 0 {wall}"))
        found.append((result.thermo()["v_speed"][-1] - wall) / 3)
    print(motion, *(f"{e:.4f}" for e in found))
    assert all(abs(e - 0.5) < 0.01 for e in found)


@pytest.mark.parametrize("motion, dt, steps", [("resolve 16", 3e-3, 100), ("resolve 8", 3e-3, 100), ("", 1e-4, 2000)])
def test_body_comes_to_rest(lammps, motion, dt, steps):
    """Bounces that end in short substeps: what a contact gives back sets in smoothly, however little it gives off in one."""
    t = lammps(scene(law="normal 1e8 1.5 gap 0.002 barrier 0.1 -2 restitution 0.5", bodies="create_polyhedra 1 at 0 0 0.053", dt=dt,
                     motion=f"scheme em {motion}", thermo="f_motion[1] f_motion[2]", run=f"run {steps}")).thermo()
    print(f"{motion} {dt}: {t['f_motion[1]'][-1]:.0f} substeps, {t['f_motion[2]'][-1]:.0f} iterations")
    assert t["f_motion[2]"][-1] < 1000 + steps


@pytest.mark.parametrize("angle", [4, 4.2, 5, 6])
def test_plank_that_lands(lammps, angle):
    """Dead impacts with friction: where damping takes all of a contact's force, friction has its direction from the force itself."""
    z = 0.095 + 0.3 * math.sin(math.radians(angle))
    frames = lammps(scene(shapes="1 box 0.6 0.1 0.05 density 2000", bodies=f"create_polyhedra 1 at 0 0 {z} rotate {angle} 0 1 0", dt=5e-3,
                          law="auto restitution 0 friction 0.5 0.4", motion="scheme em resolve 16", every=1, run="run 80")).frames()
    speed = np.array([f.columns["vz"][0] for f in frames])
    print(f"{angle} degrees: {speed.min():.3f} down, {speed.max():.2e} up")
    assert speed.max() < 0.01 * -speed.min()
