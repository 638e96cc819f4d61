"""Outputs of one state agree with one another: forces of bodies, walls and contacts, energies, mean forces."""

from __future__ import annotations

import pytest

from conftest import show
from random_runs import SCHEMES, check, script


def judge(figures, scheme):
    """Forces of the weight, or of those on walls if these are larger; Newton's tolerance is 1e-11."""
    assert max(figures.state, figures.rows, figures.mean, figures.momentum) < 1e-9
    assert figures.again < 1e-12
    assert figures.energy < 1e-6
    if scheme != "em":  # whose mean force can pull
        assert figures.pull < 1e-9


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", range(4))
def test_random_runs(lammps, scheme, seed):
    figures = check(lammps(script(seed, scheme)))
    show(**vars(figures))
    judge(figures, scheme)
