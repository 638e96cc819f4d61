"""Explicit integrators: neighbour lists are made when bodies need them, whatever neigh_modify says."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

NVE = "comm_modify vel yes\nfix motion all nve/asphere"
LATE = {
    "default": "",
    "delay": "neigh_modify delay 40",
    "unchecked": "neigh_modify every 1000 delay 10000 check no",
    "once": "neigh_modify once yes",
}


def meeting(settings: str, x: float = 0.10133333, dt: float = 2e-5, shape: str = "sphere 0.05", **parts) -> str:
    """Two bodies that meet at 5 m/s each, and have gone two skins in ten steps."""
    values = dict(
        shapes=f"1 {shape} density 1000", box="block -0.6 0.6 -0.6 0.6 -0.6 0.6", walls=settings, gravity=0, dt=dt, skin=1e-3, motion=NVE,
        bodies=f"create_polyhedra 1 at -0.1 0 0\ncreate_polyhedra 1 at {x:.17g} 0 0\nset atom 1 vx 5.0\nset atom 2 vx -5.0",
        law="normal 1e9 1.5 gap 0.002 barrier 0.1 -2", every=round(0.03 / dt), run=f"run {round(0.03 / dt)}")
    return scene(**(values | parts))


def speeds(result) -> np.ndarray:
    return np.array(result.frames()[-1].columns["vx"])


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("shape", ["sphere 0.05", "box 0.1 0.1 0.1"])
@pytest.mark.parametrize("settings", LATE)
def test_bodies_that_meet(lammps, settings, shape, ranks):
    """An elastic impact that steps resolve; with late lists it began half-way in, or bodies went through each other."""
    for x in (0.1, 0.10133333, 0.1015):
        right = speeds(lammps(meeting("neigh_modify delay 0", x, shape=shape)))
        v = speeds(lammps(meeting(LATE[settings], x, shape=shape), ranks=ranks))
        show(v=v[0], error=v[0] / right[0] - 1)
        assert v == pytest.approx([-5.0, 5.0], rel=3e-3)
        assert v == pytest.approx(right, rel=1e-12)


@pytest.mark.parametrize("dt", [2e-6, 2e-5])
@pytest.mark.parametrize("settings", LATE)
def test_body_that_is_moved(lammps, settings, dt):
    """A heavy bat at 5 m/s gives a ball at rest twice its speed."""
    bodies = "create_polyhedra 1 at -0.1 0 0\ncreate_polyhedra 1 at 0.02 0 0\ngroup bat id 1\ngroup ball id 2"
    motion = "comm_modify vel yes\nfix motion ball nve/asphere\nfix m bat move linear 5 0 0"
    v = speeds(lammps(meeting(LATE[settings], dt=dt, bodies=bodies, motion=motion)))
    show(v=v[1])
    assert v[1] == pytest.approx(10.0, rel=3e-3)


@pytest.mark.parametrize("settings", LATE)
def test_cell_that_deforms(lammps, settings):
    """Images come nearer as the cell shrinks; with a skin so large that one list holds to the end it is the same."""
    bodies = "create_polyhedra 1 at -0.17 0 0\ncreate_polyhedra 1 at 0.17 0 0"
    parts = dict(bodies=bodies, boundary="p p p", box="block -0.25 0.25 -0.25 0.25 -0.25 0.25", run="run 1000", every=1000, dt=2e-5,
                 motion=f"{NVE}\nfix d all deform 1 x erate -10 remap none", law="normal 1e9 1.5 gap 0.002 barrier 0.1 -2 damping 0.3")
    v = [speeds(lammps(meeting(settings, **parts, skin=skin))) for settings, skin in (("", 0.12), (LATE[settings], 1e-3))]
    show(v=v[1][0])
    assert abs(v[0][0]) > 0.1
    assert v[1] == pytest.approx(v[0], rel=1e-9)


@pytest.mark.parametrize("command", ["fix r all recenter INIT INIT INIT", "region all block INF INF INF INF INF INF\ngroup some dynamic all region all"])
def test_the_host_does_not_warn_of_who_asks_for_lists(lammps, command):
    """It does where a fix stands behind fix recenter, or a dynamic group, in one of the two places that there are."""
    lammps(meeting("", motion=f"{NVE}\n{command}", run="run 20", every=20))
