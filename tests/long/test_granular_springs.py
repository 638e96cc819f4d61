"""A pyramid of 506 spheres in a tilted field: compatible forces with friction against explicit runs of the host's granular
styles, whose weight grows ever more slowly. results/granular-springs.csv has the figures of the last run that was looked at.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "lammps"))
from conftest import host, lammps, show  # noqa: E402, F401
from test_compatible_friction import against_springs  # noqa: E402

# the shorter of two times, in units of a contact's: the slowest motions of the pyramid take some thousands; and what may be
# left at none, over the largest force: with Hertz the difference falls more slowly than the rate (doc/compatible_forces.md)
TIME = {"hooke": 16000, "hertz": 64000}
LEFT = {"hooke": 1e-5, "hertz": 2e-5}


@pytest.mark.parametrize("law", list(TIME))
def test_pyramid(lammps, law: str) -> None:  # noqa: F811
    lammps.limit = 3600.0
    c, fast, slow, limit = against_springs(lammps, law, TIME[law], base=11, rigid=1e-9)
    show(law=law, time=TIME[law], slipping=c["c_c[9]"][0], faster=fast, slower=slow, limit=limit)
    assert c["c_c[2]"][0] <= 1e-12
    assert slow < fast
    assert limit < LEFT[law]
