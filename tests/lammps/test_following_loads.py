"""Variables of loads and walls that look at the bodies, directly or by computes of the host."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, scene

MASS, STIFFNESS, AMPLITUDE = 120.0, 2e4, 0.1
ENERGY = 0.5 * STIFFNESS * AMPLITUDE**2
BLOCK = "1 box 0.4 0.4 0.3 density 2500"
RIGID = "fix motion all contact/dynamics"
LOAD = "fix push all load/polyhedron force v_force 0 0"
HOST = "fix push all addforce v_force 0 0"
COMPUTES = "compute x all reduce sum x\ncompute vx all reduce sum vx"


def flight(force: str, push: str, motion: str, dt: float, every: int, time: float, speed: float = 0.0) -> str:
    """A block of 120 kg at x = 0.1 m, free but for that force."""
    script = scene(shapes=BLOCK, bodies=f"create_polyhedra 1 at {AMPLITUDE} 0 1\nvelocity all set {speed} 0 0\nvariable place equal x[1]\nvariable speed equal vx[1]", law="normal 1e8 1.5 gap 0.001",
                   walls="", gravity=0, skin=0.3, dt=dt, motion=motion, every=every, thermo="v_place v_speed",
                   extra=f"{COMPUTES}\nvariable force equal {force}\n{push}",
                   run=f"run {round(time / dt)}")
    return re.sub(r"pair_style.*\npair_coeff.*", "pair_style zero 1.7\npair_coeff * *", script) if motion == RIGID else script


@pytest.mark.parametrize("where", ["x[1]", "c_x"])
@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_spring_keeps_its_energy(lammps, scheme, where):
    """A load by a variable of the place, read a step too late, gave exp(w^2 h t): five times the energy in 2 s at 5 ms. Now it is of the order of addforce."""
    for dt in (0.001, 0.01):
        end = {}
        for push in (LOAD, HOST):
            t = lammps(flight(f"-{STIFFNESS}*{where}", push, f"scheme {scheme}", dt, 50, 2.0)).thermo()
            end[push] = 0.5 * MASS * t["v_speed"][-1] ** 2 + 0.5 * STIFFNESS * t["v_place"][-1] ** 2
        show(dt=dt, load=end[LOAD] / ENERGY, addforce=end[HOST] / ENERGY)
        assert end[LOAD] / ENERGY == pytest.approx(1.0, abs=50 * dt**2)
        assert end[LOAD] == pytest.approx(end[HOST], rel=1e-6)


@pytest.mark.parametrize("where", ["vx[1]", "c_vx"])
@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_dashpot_slows_as_it_should(lammps, scheme, where):
    for dt in (0.001, 0.01):
        t = lammps(flight(f"-{10 * MASS}*{where}", LOAD, f"scheme {scheme}", dt, 50, 0.5, speed=1.0)).thermo()
        ratio = t["v_speed"][-1] / np.exp(-5.0)
        show(dt=dt, ratio=ratio)
        assert ratio == pytest.approx(1.0, abs=200 * dt**2)  # 0.55 at 10 ms before


@pytest.mark.parametrize("motion", ["scheme em", "scheme newmark", "scheme euler", EXPLICIT, RIGID])
def test_output_does_not_change_the_load(lammps, motion):
    """The host keeps what a compute has given until it is asked anew, as thermo output does."""
    ends = [lammps(flight(f"-{STIFFNESS}*c_x", LOAD, motion, 0.001, every, 0.4)).thermo()["v_place"][-1] for every in (1, 400)]
    show(end=ends[0], difference=ends[1] - ends[0])
    assert ends[0] == ends[1]
    assert ends[0] == pytest.approx(AMPLITUDE * np.cos(0.4 * np.sqrt(STIFFNESS / MASS)), abs=1e-3)


@pytest.mark.parametrize("scheme", ["em", "newmark", "euler"])
def test_walls_ask_computes_anew(lammps, scheme):
    """The floor goes with the velocity of the place of a body in flight: 0.08 m in 0.4 s, with the block that sticks on it."""
    script = scene(shapes=BLOCK, bodies="create_polyhedra 1 at 0 0 0.151\ncreate_polyhedra 1 at 0 2 2\ngroup block id 1\ngroup bird id 2\nvelocity bird set 1 0 0\nvariable place equal x[1]",
                   law="auto velocity 0.2 gravity 9.81 gap 0.001 damping 0.7 friction 0.9 0.9", box="block -3 3 -1 3 -1 3", gravity=0, skin=0.3, dt=0.001, motion=f"scheme {scheme}",
                   walls="compute x bird reduce sum x\nvariable v equal c_x\nfix floor block wall/polyhedron plane 0 0 0 0 0 1 move variable NULL NULL NULL v_v NULL NULL",
                   extra="fix g block gravity 9.81 vector 0 0 -1", every=400, thermo="v_place", run="run 400")
    place = lammps(script, may_warn="").thermo()["v_place"][-1]
    show(place=place)
    assert place == pytest.approx(0.0796, abs=2e-4)


@pytest.mark.parametrize("motion", ["scheme em", "scheme euler", EXPLICIT, RIGID])
def test_energies_and_pressures(lammps, motion):
    """They are not known before the forces of a step: those of the step before are taken. Tied to a spring of the host, whose energy is in pe."""
    ends = []
    for push in (LOAD, HOST):
        tie = f"compute e all pe\ncompute p all pressure NULL virial\nfix tie all spring/self {STIFFNESS}\nfix_modify tie energy yes\n{push}"
        script = flight("10*c_e+0*c_p[1]", tie, motion, 0.001, 100, 0.4, speed=1.0)
        ends.append(lammps(script).thermo()["v_place"][-1])
    show(load=ends[0], addforce=ends[1])
    assert ends[0] == pytest.approx(ends[1], abs=2e-4)
    assert abs(ends[0] - AMPLITUDE) > 1e-3
