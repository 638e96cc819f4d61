"""Mean forces and moments on walls that move, against what they do to a body, and against the work of the walls."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

DT = 2e-3
LAW = "normal 5e6 1.5 gap 0.002"
ROUGH = f"{LAW} friction 0.5 0.4 1e5 20"
# angular momentum of the body about the origin
MOMENTUM = """compute a all property/atom angmomx angmomy angmomz
variable lx atom mass*(y*vz-z*vy)+c_a[1]
variable ly atom mass*(z*vx-x*vz)+c_a[2]
variable lz atom mass*(x*vy-y*vx)+c_a[3]
compute l all reduce sum v_lx v_ly v_lz"""


def run(lammps, wall, law, **parts):
    """A cube of 1 kg and a wall; figures of every step."""
    values = dict(
        box="block -5 5 -5 5 -1 5",
        bodies="create_polyhedra 1 at 0 0 0.055\nvelocity all set 0.3 0.1 -0.5",
        law=law,
        walls=f"fix floor all wall/polyhedron {wall}\n{MOMENTUM}",
        gravity=0,
        dt=DT,
        motion="scheme em tol 1e-11",
        thermo="c_l[1] c_l[2] c_l[3] " + " ".join(f"f_floor[{k}]" for k in range(7, 14)),
        extra="thermo 1",
        run="run 60",
    )
    return lammps(scene(**(values | parts)), may_warn="in the barrier of their law").thermo()


def vector(t, name, first=1):
    return np.column_stack([t[f"{name}[{first + k}]"] for k in range(3)])


LAWS = ("damping 0.3", "restitution 0", "restitution 0.5")
FLOORS = [(scheme, law) for scheme in ("em", "em substeps 10") for law in LAWS] + [("euler", LAWS[0]), ("newmark", LAWS[0])]


@pytest.mark.parametrize(("scheme", "law"), FLOORS)
def test_floor_slides_away_under_a_body(lammps, scheme, law):
    """Without friction: the body stays over the origin, where its weight has no moment, however far the floor has gone."""
    t = run(lammps, "plane 0 0 0 0 0 1 move velocity 2 0 0", f"{LAW} {law}", motion=f"scheme {scheme}", gravity=9.81,
            bodies="create_polyhedra 1 at 0 0 0.0522", run="run 100")
    moment, force = np.abs(vector(t, "f_floor", 11)).max(), np.abs(t["f_floor[10]"]).max()
    show(moment=moment, lever=moment / force, force=force)
    assert force > 9.0
    assert moment < 1e-12 * force


WALLS = {
    "stands": "plane 0 0 0 0 0 1",
    "velocity": "plane 0 0 0 0 0 1 move velocity 2 0.5 0",
    "wiggle": "plane 0.3 0.2 0 0 0 1 move wiggle 0.02 0.01 0.01 0.2",
    "slide": "plane 0.3 0.2 0 0 0 1 slide 0 0 1 3 force 20",
    "slide aslant": "plane 0.3 0.2 0 0 0 1 slide 1 0 0.5 3 force 20 speed 0.5",
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("wall", WALLS)
def test_angular_momentum_of_a_body(lammps, wall, law):
    """A cube is thrown on a rough wall: its angular momentum about the origin changes by the mean moment."""
    t = run(lammps, WALLS[wall], f"{ROUGH} {law}")
    moment = vector(t, "f_floor", 11)[1:]
    lack = np.abs(np.diff(vector(t, "c_l"), axis=0) / DT + moment).max()
    show(lack=lack, moment=np.abs(moment).max())
    assert np.abs(moment).max() > 0.01
    assert lack < 1e-9 * np.abs(moment).max()


TURNING = {"plane 0.3 0.2 0 0 0 1": "0 0 0.055", "cylinder y 0.5 0.1 0.5 -0.4 0.4 facets 12": "0.5 0 -0.3"}


@pytest.mark.parametrize("wall", TURNING)
def test_work_of_a_wall_that_turns(lammps, wall):
    """About an axis outside of the wall: its work is the mean moment about the axis times the angle, and the body's angular
    momentum changes by the moment but for a part that goes with the step."""
    point, axis, period = np.array([0.5, 0.0, 0.1]), np.array([0.0, 1.0, 0.2]), 5.0
    move = f"move rotate {' '.join(map(str, (*point, *axis, period)))}"
    t = run(lammps, f"{wall} {move}", f"{ROUGH} damping 0.3", run="run 100",
            bodies=f"create_polyhedra 1 at {TURNING[wall]}\nvelocity all set 0.3 0.1 -0.5")
    force, moment = vector(t, "f_floor", 8)[1:], vector(t, "f_floor", 11)[1:]
    about = (moment - np.cross(point, force)) @ axis / np.linalg.norm(axis)
    work, angle = np.diff(t["f_floor[7]"]), 2 * np.pi * DT / period
    lack = np.abs(np.diff(vector(t, "c_l"), axis=0) / DT + moment).max() / np.abs(moment).max()
    error = np.abs(work + about * angle).max() / np.abs(work).max()
    show(work=t["f_floor[7]"][-1], error=error, lack=lack)
    assert np.abs(work).max() > 1e-4
    assert error < 1e-5
    assert lack < 0.02
