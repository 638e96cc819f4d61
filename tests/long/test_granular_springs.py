"""A pyramid of 506 spheres in a tilted field: compatible forces with friction against explicit runs of the host's granular
styles, whose weight grows ever more slowly and whose springs grow stiffer. results/granular-springs.csv has the figures of the
last run that was looked at.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lammps"))
from conftest import host, lammps, show  # noqa: E402, F401
from test_compatible_friction import apart, pyramid, sizes, slow_springs, twofold  # noqa: E402

BASE = 11
# the shorter of two times, in units of a contact's: the slowest motions of the pyramid take some thousands
TIME = {"hooke": 16000, "hertz": 64000}
OVERLAPS = 1e-5, 5e-6  # far smaller ones grow by too little in a step: rounding decides (doc/compatible_forces.md)


@pytest.mark.parametrize("law", list(TIME))
def test_pyramid(lammps, law: str) -> None:  # noqa: F811
    """Extrapolated in the rate and in the stiffness, the springs' forces are the compatible ones."""
    lammps.limit = 3600.0
    result = lammps(pyramid(law=law, base=BASE, rigid=1e-9))
    c, exact = result.thermo(), sizes(result, own=True)
    soft, stiff = (slow_springs(lammps, law, TIME[law], BASE, overlap) for overlap in OVERLAPS)
    off = [[apart(exact, forces) for forces in runs] for runs in (soft, stiff)]
    left = apart(exact, twofold(soft[2], stiff[2]))
    show(law=law, time=TIME[law], slipping=c["c_c[9]"][0], soft=off[0], stiff=off[1], left=left)
    assert c["c_c[2]"][0] <= 1e-12
    assert all(slow < fast for fast, slow, _ in off)
    assert off[1][2] < 0.6 * off[0][2]
    assert left < 1e-5
