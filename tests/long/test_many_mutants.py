"""Commands with mutated arguments, ten thousand of them, by other seeds than in the suite."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lammps"))
from conftest import host, lammps  # noqa: E402, F401
from mutants import run_mutants  # noqa: E402


@pytest.mark.parametrize("seed", [2, 3, 4, 5])
def test_mutants(lammps, seed):  # noqa: F811
    run_mutants(lammps, seed=seed, count=2500)
