"""pair_coeff ... auto: a law is chosen by the hardest impact and the heaviest body; what it does to others."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, scene

EXPLICIT = "comm_modify vel yes\nfix motion all nve/asphere"


@pytest.mark.parametrize("height", [1.0, 0.1, 0.01, 0.002])
@pytest.mark.parametrize("motion, dt", [("scheme newmark", 2e-4), ("scheme em", 2e-4), (EXPLICIT, 2e-5)])
def test_damping_at_any_speed(lammps, motion, dt, height):
    """A cube on the floor, by a law for a fall through the box, 1.9 m: four contacts with *damping 0.7* leave 0.07."""
    fall = np.sqrt(2 * height / 9.81)
    result = lammps(scene(law="auto damping 0.7", bodies=f"create_polyhedra 1 at 0 0 {0.052 + height}", dt=dt, motion=motion,
                          every=round(2e-4 / dt), run=f"run {int((fall + 0.02) / dt)}"))
    speed = np.array([f.columns["vz"][0] for f in result.frames()])
    left = speed.max() / np.sqrt(2 * 9.81 * height)
    show(left=left, impact=-speed.min())
    assert -speed.min() > 0.9 * 9.81 * fall and left < (0.2 if motion == "scheme em" else 0.09)


def falls_on_block(edge: float, scheme: str, floor: str = "") -> str:
    """A cube that falls on one of 1 m, which falls on the floor."""
    loss = "restitution 0" if scheme == "em" else "damping 0.7"
    law = f"auto {loss} friction 0.5 0.4"
    return scene(types=2, shapes=f"1 box 1 1 1 density 1000 2 box {edge} {edge} {edge} density 1000", box="block -5 5 -5 5 -1 4",
                 bodies="create_polyhedra 1 at 0 0 0.6\ncreate_polyhedra 2 at 0.2 0.1 1.2 rotate 30 1 2 3", law=law,
                 walls=f"{FLOOR} {law}" if floor else FLOOR, dt=5e-3, motion=f"scheme {scheme}", thermo="f_motion[2] f_motion[8]",
                 every=120, run="run 120")


@pytest.mark.parametrize("floor", ["", "auto"])
@pytest.mark.parametrize("scheme", ["em", "euler"])
@pytest.mark.parametrize("edge", [0.02, 0.01])
def test_small_cube_on_a_large_one(lammps, scheme, edge, floor):
    """Friction between bodies whose masses are as 1 to 1e6: springs and dashpots are those of the lighter one."""
    table = lammps(falls_on_block(edge, scheme, floor)).thermo()
    show(iterations=table["f_motion[2]"][-1], energy=table["f_motion[8]"][-1])
    assert table["f_motion[2]"][-1] < 3e4


def pushed(edge: float, scheme: str) -> str:
    """A block of 1 m on nine cubes; from 0.3 s on it is pushed by 0.3 of its weight, below friction's limit."""
    loss = "restitution 0" if scheme == "em" else "damping 0.7"
    law = f"auto height 1 {loss} friction 0.5 0.4"
    gap = 0.02 * edge
    stones = [f"create_polyhedra 2 at {x} {y} {0.5 * edge + gap}" for x in (-0.33, 0, 0.33) for y in (-0.33, 0, 0.33)]
    return scene(types=2, shapes=f"1 box 1 1 1 density 1000 2 box {edge} {edge} {edge} density 1000", box="block -5 5 -5 5 -1 4",
                 bodies="\n".join([f"create_polyhedra 1 at 0 0 {0.5 + edge + 2 * gap}", *stones, "group b type 1"]), law=law,
                 walls=f"{FLOOR} {law}", dt=5e-3, motion=f"scheme {scheme}\nvariable x equal xcm(b,x)", thermo="v_x", every=20,
                 run=f"run 60\nfix push b addforce {0.3 * 9810} 0 0\nrun 200")


@pytest.mark.parametrize("scheme", ["em", "euler"])
@pytest.mark.parametrize("edge", [0.1, 0.01])
def test_block_on_small_cubes_stays(lammps, scheme, edge):
    """What sticks under the weight of the heavier body gives way by little: the springs of the lighter one alone, 3.7 gaps."""
    x = lammps(pushed(edge, scheme)).tables()[-1]["v_x"]
    way = (x - x[0]) / (0.02 * edge)
    show(way=way[-1], late=np.ptp(way[-5:]))
    assert 0 < way[-1] < 0.05 and np.ptp(way[-5:]) < 1e-3
