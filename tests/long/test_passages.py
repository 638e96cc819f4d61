"""Ten thousand random sweeps of needles, plates and cubes, by each scheme: nothing passes through anything.

Figures go to results/passages.csv.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"
SCENES = 10000


def test_passages() -> None:
    done = subprocess.run([Path(os.environ["BUILD"]) / "test_passage", str(SCENES)], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr
    lines = [(name, dict(re.findall(r"(\w+) = (\d+)", figures)))
             for name, figures in re.findall(r"^(\w+): (scenes = .*)", done.stdout, re.M)]
    assert [name for name, _ in lines] == ["newmark", "euler", "em"]
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "passages.csv").open("w", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["scheme", *lines[0][1]])
        rows.writerows([name, *figures.values()] for name, figures in lines)
    for _, figures in lines:
        assert int(figures["scenes"]) == SCENES
        assert int(figures["passages"]) == int(figures["given_up"]) == 0
