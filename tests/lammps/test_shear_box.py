"""A box in two halves, of which one is moved, under a lid that is free to rise, with gravity that variables turn."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import grid, scene
from test_free_walls import ENERGIES, account

DT, MASS, LOAD, SPEED, SETTLE = 4e-3, 20.0, 300.0, 0.05, 125
HALF, LOW, HIGH = 0.15, -0.08, 0.6  # of the box: half its width, its floor, the upper edge


def half(name: str, low: float, high: float, edge: float, floor: bool) -> str:
    """Command that writes an OBJ file: four sides, a floor, and a flange at height `edge` on the side that will be uncovered."""
    x = [(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)]
    lines = [f"v {a} {b} {z}" for z in (low, high) for a, b in x]
    out = -2 * HALF if floor else 2 * HALF
    lines += [f"v {out} {-HALF} {edge}", f"v {out} {HALF} {edge}"]
    lines += ["f 1 2 6 5", "f 2 3 7 6", "f 3 4 8 7", "f 4 1 5 8"]
    lines += ["f 1 2 3 4", "f 5 8 10 9"] if floor else ["f 2 9 10 3"]
    return 'print """' + "\n".join(lines) + f'""" file {name} screen no'


WALLS = "\n".join([
    "variable momentum equal mass(all)*vcm(all,x)",
    half("lower.obj", LOW, -0.001, -0.001, True),
    half("upper.obj", 0.001, HIGH, 0.001, False),
    "fix lower all wall/polyhedron obj lower.obj",
    "fix upper all wall/polyhedron obj upper.obj",
    f"fix lid all wall/polyhedron plane 0 0 {HIGH} 0 0 -1 slide 0 0 -1 {MASS} force {LOAD}",
])
MOVE = f"fix_modify lower move velocity {SPEED} 0 0"


def box(scheme: str, run: str, turned: int = 7, **parts: object) -> str:
    """Sixteen cubes fall into the box, turned at random, the lid on them."""
    values = dict(
        box="block -1 1 -1 1 -0.5 1",
        shapes="1 box 0.08 0.08 0.08 density 1000",
        law="normal 1e9 1.5 gap 1e-3 damping 0.5 friction 0.5 0.5 1e6 100",
        bodies=grid(2, 2, 4, 0.145, (-0.0725, -0.0725, -0.005)) + f"\nset group all quat/random {turned}",
        walls=WALLS,
        motion=f"scheme {scheme}",
        dt=DT,
        every=1,
        thermo="v_momentum f_lower[7] f_lower[8] f_upper[8] f_lid[8] f_lid[10] f_lid[14] f_lid[15] " + ENERGIES,
        run=run,
    )
    return scene(**(values | parts))


def check_shear(lammps, scheme: str, turned: int) -> float:
    """Forces and work of one box, whose cubes are turned at random; returns the largest force that holds the upper half."""
    result = lammps(box(scheme, f"run {SETTLE}\n{MOVE}\nrun 100", turned=turned), may_warn="barrier of their law")
    t = result.tables()[1]
    held = t["f_upper[8]"] + t["f_lid[8]"]
    push = -(t["f_lower[8]"] + held)
    sideways = np.abs(np.diff(t["v_momentum"]) / DT - push[1:]).max()
    lid = np.abs(MASS * np.diff(t["f_lid[15]"]) / DT - LOAD + t["f_lid[10]"][1:]).max()
    work = np.abs(np.diff(t["f_lower[7]"]) + SPEED * DT * t["f_lower[8]"][1:]).max()
    rise = t["f_lid[14]"][0] - t["f_lid[14]"][-1]
    show(sideways=sideways, lid=lid, work=work, account=account(t), shear=held.max(), rise=rise)
    assert sideways < 1e-6 * LOAD
    assert lid < 1e-6 * LOAD
    assert work < 1e-6 * LOAD * SPEED * DT
    assert account(t) < 1e-8
    assert lammps.intersections(result) == 0
    return held.max()


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_forces_on_halves_and_lid_are_momentum_and_work(lammps, scheme):
    """The cubes resist; how much depends on how the sixteen lie, 26 to 387 N, so that it is a mean."""
    assert np.mean([check_shear(lammps, scheme, turned) for turned in range(7, 11)]) > 0.2 * LOAD


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_shear_goes_on_from_a_restart_file_while_gravity_turns(lammps, scheme):
    """To the last digit, with half of the box on its way, the lid moving, and gravity by a variable of the step."""
    weight = f"variable tilt equal 20*dt*(step-{SETTLE})*(step>{SETTLE})\nfix g all gravity 9.81 chute v_tilt"
    parts = dict(gravity=0, law="normal 1e9 1.5 gap 1e-3 damping 0.5 friction 0.5 0.5 1e6 100")
    whole = box(scheme, f"{weight}\nrun {SETTLE}\n{MOVE}\nrun 30\nwrite_restart middle\nrun 30", **parts)
    a = lammps(whole, where="here", may_warn="barrier of their law").thermo()
    again = [
        line
        for line in box(scheme, f"{weight}\nrun 30", **parts).splitlines()
        if not line.startswith(("units", "atom_", "set ", "boundary", "region", "create_", "pair_", "read_", "compute", "dump",
                                    "  vx"))
    ]
    script = "\n".join(["read_restart middle", *again]).replace("lower.obj\n", f"lower.obj move velocity {SPEED} 0 0\n", 1)
    b = lammps(script, where="here", may_warn="barrier of their law").thermo()
    show(way=b["f_lid[14]"][-1], shear=b["f_upper[8]"][-1])
    for name in ("v_momentum", "f_lower[7]", "f_lower[8]", "f_upper[8]", "f_lid[14]", "f_lid[15]", "f_motion[8]", "f_motion[21]"):
        assert b[name][-1] == a[name][-1], name
