"""Commands with mutated arguments (mutants.py): each is refused with an error that names what is wrong, or gives numbers."""

from __future__ import annotations

from mutants import run_mutants


def test_mutants(lammps):
    run_mutants(lammps, seed=1, count=200)
