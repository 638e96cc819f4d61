"""Periodic cells that hold stresses by fix deform and variables, as doc/periodic_cells.md has them."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pytest
from conftest import ROOT, Lammps, show

PAGE = (ROOT / "doc" / "periodic_cells.md").read_text()
GOAL = 1e5
STRESSES = ("f_s[1]", "f_s[2]", "f_s[3]")
DIGITS = "thermo_modify format float %.17g norm no\n"
BOUNDARY = "body \\d+ and body \\d+ are in the barrier"


def page(seed: int = 4711) -> tuple[str, str]:
    """The page's input without the plugin: up to the state at rest, and the compression after it."""
    (text,) = re.findall(r"^```lammps *\n(.*?)^```", PAGE, re.M | re.S)
    assert " 4711\n" in text
    text = text.replace(" 4711\n", f" {seed}\n")
    text = re.sub(r"^plugin .*\n", "", text).replace("thermo     20\n", f"{DIGITS}thermo 5\n")
    rest, compression = text.split("unfix      cell")
    return rest.replace("density 2650\n", "density 2650 write shapes.txt\n"), "unfix cell" + compression


def stresses(t) -> np.ndarray:
    return np.array([t[k] for k in STRESSES])


@dataclass
class Held:
    """A run of the page's input; it leaves the state at rest in `half`."""

    lammps: Lammps
    result: object
    first: object
    second: object

    def again(self, goal: float = 1.0, rate: float = 1.0, steps: int = 100, **more):
        """On from that state, with another stress along z, in units of the goal."""
        rest = page()[0]
        start, variables, fix = rest.index("fix        shapes"), rest.index("compute    stress"), rest.index("fix        cell")
        setup = rest[start:variables].replace("create_polyhedra", "#")
        new = rest[variables:].replace("(abs(f_s[3])+v_p)", f"(abs(f_s[3])+{goal}*v_p)").replace("f_s[3]-v_p", f"f_s[3]-{goal}*v_p")
        new = new.replace("variable   r equal 1.0", f"variable   r equal {rate}").replace("run        160", f"run {steps}")
        assert fix > variables
        script = f"read_restart {self.result.dir}/half\n{setup}{new}".replace("thermo 5\n", "thermo 1\n")
        return self.lammps(script, **more).thermo()

    def compressed(self, parts: int) -> np.ndarray:
        """The compression on from that state, every step in so many parts: stresses at the page's times."""
        rest, compression = page()
        shapes, cell, output, run = (rest.index(word) for word in ("fix        shapes", "fix        cell", "thermo_style", "run        160"))
        setup = rest[shapes:cell].replace("create_polyhedra", "#").replace("timestep   0.004", f"timestep   {0.004 / parts}")
        new = compression.replace("unfix cell", "").replace("fix        cell", "fix        axial").replace("run        30", f"run {30 * parts}")
        script = f"read_restart {self.result.dir}/half\n{setup}{rest[output:run]}thermo {5 * parts}\n{new}"
        return stresses(self.lammps(script).thermo())


def hold(lammps, seed: int = 4711) -> Held:
    rest, compression = page(seed)
    dump = "compute q all property/atom quatw quati quatj quatk\ndump d all custom 20 dump id type x y z c_q[1] c_q[2] c_q[3] c_q[4]\n"
    rest = rest.replace("fix        cell", f"{dump}dump_modify d sort id format float %.17g\nfix        cell")
    result = lammps(f"{rest}write_restart half\n{compression}")
    return Held(lammps, result, *result.tables())


@pytest.fixture(scope="module")
def held(host, tmp_path_factory) -> Held:
    return hold(Lammps(tmp_path_factory.mktemp("held"), *host))


def test_stress_is_held(held):
    """From bodies that do not touch to rest under the stress, and through a compression of another axis."""
    at_rest = abs(stresses(held.first)[:, -4:] / GOAL - 1).max()
    lateral = stresses(held.second)[:2].mean() / GOAL
    axial = stresses(held.second)[2].mean() / GOAL
    show(deviation_at_rest=at_rest, lateral_stress=lateral, axial_stress=axial)
    assert (held.first["f_s[1]"][0], held.first["f_s[1]"][-1]) != (0.0, 0.0)
    assert at_rest < 1e-3
    assert abs(lateral - 1) < 0.1 and axial > 1.2 * lateral  # how strong 27 rocks are is their packing's, see below
    assert held.lammps.intersections(held.result) == 0


def test_compression_is_that_of_short_steps(held, lammps):
    """From one state at rest: the stresses of the page's compression, in its steps and in tenths of them. Of seven samples of 27
    rocks some give way at other times, which rounding decides: the median."""
    apart = []
    for sample in (held, *(hold(lammps, seed) for seed in range(1, 7))):
        page_steps, tenths = sample.compressed(1), sample.compressed(10)
        apart.append(abs(page_steps.mean(axis=1) / tenths.mean(axis=1) - 1).max())
        assert np.allclose(page_steps[:, 1:], stresses(sample.second)[:, 1:], rtol=1e-3)
        assert sample is not held or tenths[2].mean() > tenths[:2].mean()
    show(apart=apart, median=np.median(apart))
    assert np.median(apart) < 0.03


def test_another_stress_on_one_axis(held):
    """On from a restart file, on one and on two processes: the first step knows the stresses."""
    one, two = (held.again(goal=1.2, ranks=n, steps=80 if n == 1 else 25) for n in (1, 2))
    last = abs(stresses(one)[:, -1] / GOAL - [1.0, 1.0, 1.2]).max()
    apart = abs(stresses(one)[:, :25] - stresses(two)[:, :25]).max() / GOAL
    show(deviation=last, processes_apart=apart)
    assert np.allclose(stresses(one)[:, 0], stresses(held.first)[:, -1], rtol=1e-6)
    assert last < 1e-3 and apart < 1e-3


def test_steps_that_are_too_long_swing(held):
    """As the page says: r dt K / 2 sigma may not reach 2. K from a run that is slow enough."""
    slow = held.again(goal=1.01, rate=1.0, steps=2)
    swinging = held.again(rate=10.0, goal=1.01, steps=8, may_warn=BOUNDARY)
    first = stresses(slow)[2, :2] / GOAL - 1.01
    limit = 2.0 / (1.0 - first[1] / first[0])  # r at which the deviation changes its sign only
    swing = abs(stresses(swinging)[:, 1:] / GOAL - 1).max()
    show(swing=swing, limit=limit)
    assert 1.5 < limit < 10.0 and swing > 0.5


@pytest.mark.parametrize("hybrid", [False, True])
@pytest.mark.parametrize("last", [False, True])
def test_averages_know_the_first_state(lammps, last, hybrid):
    """Stress and energy of the contacts at the start of a run, wherever the fix that reads them is defined."""
    rest = page()[0]
    pair = "pair_style hybrid polyhedron\npair_coeff * * polyhedron" if hybrid else "pair_style polyhedron\npair_coeff * *"
    bodies = "create_polyhedra 1 at 0 0 0\ncreate_polyhedra 1 at 0.0505 0 0"
    shapes = "fix shapes all polyhedron/shape 1*4 box 0.05 0.05 0.05 density 2650\n"
    average = "compute stress all pressure NULL virial\nfix s all ave/time 1 1 1 c_stress[1] c_thermo_pe\n"
    motion = "fix motion all implicit/polyhedron scheme euler\n"
    head = rest[: rest.index("fix        shapes")]
    fixes = motion + average if last else average + motion
    script = f"{head}{shapes}{pair} normal 1.4e8 1.5 gap 0.001\n{bodies}\nneighbor 0.01 bin\ntimestep 1e-4\n{fixes}"
    output = f"thermo_style custom step pxx pe f_s[1] f_s[2] f_motion[9] c_stress[1]\n{DIGITS}run 1\nrun 0"
    t = lammps(script + output, warn="closer than contact begins").thermo()
    assert (t["f_s[1]"] > 1.0).all() and np.array_equal(t["f_s[1]"], t["c_stress[1]"])
    assert np.array_equal(t["f_s[2]"], t["PotEng"])
    assert np.allclose(t["PotEng"], t["f_motion[9]"], rtol=1e-12)
