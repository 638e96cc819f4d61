"""Examples 5 and 6 of the 2021 paper at full size: packing, walls away, collapse.

Their summaries, and the curves of figures 26 and 29 to 31, go to results/ (in the repository: the last run of `tests/run
--long` that was looked at). PACKED=FILE spares the packing of the tetrapods, which takes most of the time: half an hour.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).resolve().parent / "results"

# of the example, in order: smallest mean substep (s)
LEAST_SUBSTEP = {"block-box": 1e-3, "tetrapod-collapse": 2e-3}


@pytest.mark.parametrize("name", list(LEAST_SUBSTEP))
def test_collapse(name: str) -> None:
    done = subprocess.run([ROOT / "examples" / "run", name, "-var", "size", "full"], env={**os.environ, "NP": "2"}, check=True,
                          capture_output=True, text=True)
    print(done.stdout)
    values = re.findall(r"^(?!figure|wall_seconds)(\w+) = (\S+)", done.stdout, re.MULTILINE)
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"{name}.csv").open("w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([("name", "value"), *values])
    shutil.copy(ROOT / "examples" / name / "post" / "curves.csv", RESULTS / f"{name}-curves.csv")
    v = dict(values)
    assert int(v["intersections"]) == 0
    assert float(v["min_gap"]) > 0.0
    assert float(v["collapse_mean_substep"]) >= LEAST_SUBSTEP[name]
    assert float(v["energy_rise_over_range"]) < 1e-9
    assert float(v["kinetic_energy_end"]) < 1e-2 * float(v["kinetic_energy_peak"])
    if name == "tetrapod-collapse":
        assert float(v["packed_height"]) > 7.0
        assert float(v["pile_mean_height"]) < 0.5 * float(v["packed_mean_height"])  # it spreads
        assert 0.5 < float(v["kinetic_energy_peak_time"]) < 2.5
