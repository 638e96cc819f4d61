"""200 polyhedra in a drum, three turns: no intersection; the wall's power is dissipation and change of energy.

The figures go to results/drum.csv (in the repository: those of the last run that was looked at).
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lammps"))
from conftest import host, lammps  # noqa: E402, F401
from drum import BARRIER, balance, drum  # noqa: E402
from scenes import PRESSED  # noqa: E402

BODIES, RADIUS, LENGTH, TURNS, PERIOD = 200, 0.55, 2.0, 3, 2.4


def test_drum(lammps) -> None:  # noqa: F811
    lammps.limit = 4 * 3600
    result = lammps(drum(BODIES, RADIUS, LENGTH, TURNS, "em", PERIOD), may_warn=f"{BARRIER}|{PRESSED}")
    figures = {"bodies": BODIES, "turns": TURNS, "period": PERIOD, **balance(lammps, result, RADIUS, LENGTH)}
    with (HERE / "results" / "drum.csv").open("w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([("name", "value"), *((k, f"{v:.6g}") for k, v in figures.items())])
    assert figures["intersections"] == 0 and figures["smallest_gap"] > 0.0
    assert figures["error"] < 1e-6
