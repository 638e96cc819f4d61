"""A pyramid of 506 spheres in a tilted field: compatible forces with friction against explicit runs of the host's granular
styles, whose weight grows ever more slowly. Figures go to results/granular-springs.csv.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).resolve().parent / "results"
sys.path[:0] = [str(ROOT / "tests" / "lammps")]
from conftest import Lammps  # noqa: E402
from test_compatible_friction import apart, pyramid, sizes, springs  # noqa: E402

BASE = 11
# the shorter of two times, in units of a contact's: the slowest motions of the pyramid take some thousands; and what may be
# left at none, over the largest force: with Hertz the difference falls more slowly than the rate (doc/compatible_forces.md)
TIME = {"hooke": 16000, "hertz": 64000}
LEFT = {"hooke": 1e-5, "hertz": 2e-5}


@pytest.mark.parametrize("law", list(TIME))
def test_pyramid(tmp_path: Path, law: str) -> None:
    lammps = Lammps(tmp_path, os.environ["LMP"], os.environ["PLUGIN"], Path(os.environ["BUILD"]))
    lammps.limit = 3600.0
    result = lammps(pyramid(BASE, rigid=1e-9, law=law))
    c = result.thermo()
    exact = sizes(result, own=True)
    stiffness = 1e6 if law == "hooke" else 1e9  # overlaps of 1e-6
    fast, slow = (sizes(lammps(springs(law, stiffness, k * TIME[law], BASE)), own=False) for k in (1, 2))
    limit = {p: 2 * slow[p] - fast.get(p, slow[p]) for p in slow}
    line = [law, TIME[law], int(c["c_c[9]"][0]), *(f"{apart(exact, x):.2g}" for x in (fast, slow, limit))]
    print(line)
    RESULTS.mkdir(exist_ok=True)
    file = RESULTS / "granular-springs.csv"
    new = not file.exists()
    with file.open("a", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([("law", "time", "slipping", "faster", "slower", "limit"), line][not new:])
    assert c["c_c[2]"][0] <= 1e-12
    assert apart(exact, slow) < apart(exact, fast)
    assert apart(exact, limit) < LEFT[law]
