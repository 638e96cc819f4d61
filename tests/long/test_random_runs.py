"""A thousand random runs in three schemes (tests/lammps/random_runs.py): outputs of one state agree, nothing pulls.

FIRST and RUNS: seeds, 100 and 1000. The worst figures go to results/random-runs.csv (in the repository: those of seeds
7000 to 7999, 1,000 runs).
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lammps"))
from conftest import host, lammps  # noqa: E402, F401
from random_runs import SCHEMES, check, script  # noqa: E402
from test_consistency import judge  # noqa: E402

FIRST, RUNS = int(os.environ.get("FIRST", "100")), int(os.environ.get("RUNS", "1000"))


def test_random_runs(lammps) -> None:  # noqa: F811
    worst: dict[str, dict[str, float]] = {scheme: {"runs": 0} for scheme in SCHEMES}
    faults = []
    for seed in range(FIRST, FIRST + RUNS):
        scheme = SCHEMES[seed % 3]
        try:
            figures = check(lammps(script(seed, scheme), where="run"))
            judge(figures, scheme)
        except AssertionError as fault:
            faults.append(f"{scheme} {seed}: {str(fault).splitlines()[0]}")
            print(faults[-1])
            continue
        worst[scheme]["runs"] += 1
        for name, value in vars(figures).items():
            worst[scheme][name] = max(worst[scheme].get(name, 0.0), value)
    with (HERE / "results" / "random-runs.csv").open("w", newline="") as out:
        write = csv.writer(out, lineterminator="\n")
        write.writerow(["scheme", *worst["em"]])
        write.writerows([s, *(f"{v:.3g}" for v in row.values())] for s, row in worst.items())
    assert not faults
