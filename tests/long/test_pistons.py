"""A piston under constant pressure on 200 bodies: rocks and cubes fall into a box, the piston comes down on them and
presses in two stages; steps of 5 ms and a tenth of that.

Figures go to results/pistons.csv.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).resolve().parent / "results"
sys.path[:0] = [str(ROOT / "tests" / "lammps")]
from conftest import Lammps  # noqa: E402
from scenes import grid, scene  # noqa: E402

PRESSURE, SIDE = 2e4, 1.0


@pytest.mark.parametrize("scheme", ["em", "euler"])
@pytest.mark.parametrize("dt", [5e-3, 5e-4])
def test_piston_on_two_hundred_bodies(tmp_path: Path, scheme: str, dt: float) -> None:
    lammps = Lammps(tmp_path, os.environ["LMP"], os.environ["PLUGIN"], Path(os.environ["BUILD"]))
    half = 0.5 * SIDE
    steps = [round(t / dt) for t in (0.6, 1.6, 0.6, 1.2)]  # they fall; the lid comes down; two stages of pressure
    sides = " ".join(
        f"plane {-s * half * x} {-s * half * y} 0 {s * x} {s * y} 0" for x, y in ((1, 0), (0, 1)) for s in (1, -1)
    )
    script = scene(
        box="block -1 1 -1 1 -0.1 2.9",
        types=2,
        shapes="1 box 0.1 0.1 0.1 density 1000 2 rock 0.14 0.12 0.1 20 7 density 1000",
        law="normal 1e9 1.5 gap 1e-3 damping 0.5 friction 0.3 0.3 1e6 100",
        walls=f"fix floor all wall/polyhedron plane 0 0 0 0 0 1\nfix sides all wall/polyhedron {sides}\n"
        f"fix lid all wall/polyhedron plane 0 0 1.6 0 0 -1 slide 0 0 -1 100",
        bodies=grid(5, 5, 8, 0.19, (-0.38, -0.38, 0.12), types=2),
        dt=dt,
        every=sum(steps) // 80,
        motion=f"scheme {scheme}",
        thermo="f_lid[3] f_lid[14] f_lid[15] f_floor[3] f_motion[8] f_motion[2] cpu",
        run=f"run {steps[0]}\nfix_modify lid force 100\nrun {steps[1]}\n"
        f"fix_modify lid pressure {0.1 * PRESSURE} {SIDE * SIDE}\nrun {steps[2]}\n"
        f"fix_modify lid pressure {PRESSURE} {SIDE * SIDE}\nrun {steps[3]}",
    )
    result = lammps(script, may_warn="in the barrier of their law")
    t = {name: values for name, values in result.tables()[-1].items()}
    force = PRESSURE * SIDE * SIDE
    off = np.abs(t["f_lid[3]"][-6:] / force - 1).max()
    swing = np.abs(t["f_lid[15]"][-6:]).max()
    line = [scheme, dt, f"{off:.2g}", f"{swing:.2g}", f"{t['f_lid[14]'][-1]:.5f}", f"{t['f_floor[3]'][-1] / force:.5f}"]
    line += [f"{t['f_motion[8]'][-1]:.2g}", int(t["f_motion[2]"][-1]), round(t["cpu"][-1] if "cpu" in t else t["CPU"][-1])]
    print(line)
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "pistons.csv").open("a", newline="") as out:
        csv.writer(out, lineterminator="\n").writerow(line)
    assert lammps.intersections(result) == 0
    assert off < 1e-6
    assert swing < 1e-6
