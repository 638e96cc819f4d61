"""A run that is killed at twenty instants goes on to the same digits."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lammps"))
from conftest import host, lammps  # noqa: E402, F401
from kills import kill_and_go_on  # noqa: E402


def test_killed_runs_go_on(lammps):  # noqa: F811
    assert kill_and_go_on(lammps, seed=2, kills=20) == 0
