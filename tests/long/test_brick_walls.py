"""Walls of 153 and 1,485 bricks that contact dynamics holds: compatible forces by Newton's method and the Lagrangian.

Figures go to results/brick-walls.csv.
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
from test_compatible import brick_wall, rows  # noqa: E402


@pytest.mark.parametrize("friction", [0, 0.5])
@pytest.mark.parametrize("courses", [17, 54])
def test_brick_wall(tmp_path: Path, courses: int, friction: float) -> None:
    lammps = Lammps(tmp_path, os.environ["LMP"], os.environ["PLUGIN"], Path(os.environ["BUILD"]))
    script = brick_wall(courses, f"friction {friction} tol 1e-12 start warm", "tol 1e-11 maxiter 300 unconverged ignore",
                        steps=3)
    result = lammps(script)
    last = {name: values[-1] for name, values in result.tables()[-1].items()}
    a, b = rows(result), rows(result, "other")
    difference = np.abs(a["force"] - b["force"]).max() / a["force"].max()
    line = [courses * (courses + 1) // 2, friction, last["c_hooke[7]"]]
    for name in ("hooke", "hertz", "other"):
        line += [last[f"c_{name}[6]"], f"{last[f'c_{name}[2]']:.2g}"]
    line += [f"{difference:.2g}"]
    print(line)
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "brick-walls.csv").open("a", newline="") as out:
        csv.writer(out, lineterminator="\n").writerow(line)
    for name in ("hooke", "hertz"):
        assert last[f"c_{name}[2]"] <= 1e-11
        assert last[f"c_{name}[6]"] <= 30
    assert difference <= 1e-8
