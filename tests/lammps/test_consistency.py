"""Outputs of one state agree with one another: forces of bodies, walls and contacts, energies, mean forces."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from random_runs import SCHEMES, check, script
from scenes import scene

# of the weight, or of the forces on walls if these are larger: what rounding leaves, and Newton's tolerance
ROUNDING, TOLERANCE = 1e-9, {"em": 1e-9, "euler": 1e-7, "newmark": 1e-7}


def judge(figures, scheme):
    assert figures.state < ROUNDING and figures.rows < ROUNDING
    assert figures.mean < TOLERANCE[scheme] and figures.momentum < TOLERANCE[scheme]
    assert figures.again < 1e-12
    assert figures.energy < 1e-6


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("seed", range(4))
def test_random_runs(lammps, scheme, seed):
    figures = check(lammps(script(seed, scheme)))
    show(**vars(figures))
    judge(figures, scheme)
    if scheme == "euler":
        assert figures.pull < TOLERANCE[scheme]
