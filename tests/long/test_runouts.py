"""Runouts and angles of heaps do not depend on the step: defaults against short substeps from the same starts.

Rows, one for each run, are in results/runouts.csv (in the repository: those of the last run that was looked at).
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BENCH = HERE.parent / "bench" / "runouts"
SEEDS = 20


@pytest.mark.parametrize("scene", ["cubes", "tetrapods"])
def test_runouts(scene: str, tmp_path: Path) -> None:
    done = subprocess.run([BENCH, scene, "--seeds", str(SEEDS), "--rows", tmp_path / "rows.csv"], check=True,
                          capture_output=True, text=True)
    print(done.stdout)
    v = {line.split()[0]: float(line.split()[2]) for line in done.stdout.splitlines() if " = " in line}
    for value in ("runout", "angle"):
        prefix = f"{scene}_default_{value}_ratio"
        assert v[f"{prefix}_error"] < 0.02
        assert abs(v[prefix] - 1.0) < 0.04 + 2 * v[f"{prefix}_error"]
