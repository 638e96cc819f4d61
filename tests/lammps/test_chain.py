"""A light chain that catches a heavy body, at the defaults of fix implicit/polyhedron."""

from __future__ import annotations

import numpy as np
import pytest

from chain import chain, link
from conftest import show

THERMO = "f_motion[8] f_motion[9] f_motion[20] f_motion[10] f_motion[3] f_motion[1] f_motion[6]"


@pytest.mark.parametrize(("ratio", "steps", "most"), [(318.0, 30, 300), (1e4, 12, np.inf)])
def test_chain_catches_a_heavy_end(lammps, ratio, steps, most):
    """Whatever the ratio of masses, the run gets to its end and no energy comes out of nothing."""
    script = chain(4, ratio, from_vertical=20.0, thermo=THERMO, every=1, dt=0.01, run=f"run {steps}")
    v = lammps(script, files={"link.obj": link()}, may_warn="in the barrier of their law").thermo()
    energy = v["f_motion[8]"] + v["f_motion[9]"] + v["f_motion[20]"] - v["f_motion[10]"]
    span = np.ptp(v["f_motion[10]"])
    rise = max(0.0, float(np.diff(energy).max()))
    show(rise_over_range=rise / span, substeps=v["f_motion[1]"][-1], rejected=v["f_motion[3]"][-1])
    assert v["Step"][-1] == steps
    assert v["f_motion[6]"].min() > 0.0
    assert rise < 1e-6 * span
    assert v["f_motion[1]"][-1] < most  # friction does not lead Newton's method to and fro
