"""pair_coeff ... auto: a law is chosen by the hardest impact and the heaviest body; what it does to others."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

EXPLICIT = "comm_modify vel yes\nfix motion all nve/asphere"


@pytest.mark.parametrize("height", [1.0, 0.1, 0.01, 0.002])
@pytest.mark.parametrize("motion, dt", [("scheme newmark", 2e-4), ("scheme em", 2e-4), (EXPLICIT, 2e-5)])
def test_damping_at_any_speed(lammps, motion, dt, height):
    """A cube on the floor, by a law for a fall through the box, 1.9 m: four contacts with *damping 0.7* leave 0.07."""
    fall = np.sqrt(2 * height / 9.81)
    result = lammps(scene(law="auto damping 0.7", bodies=f"create_polyhedra 1 at 0 0 {0.052 + height}", dt=dt, motion=motion,
                          every=round(2e-4 / dt), run=f"run {int((fall + 0.02) / dt)}"))
    speed = np.array([f.columns["vz"][0] for f in result.frames()])
    left = speed.max() / np.sqrt(2 * 9.81 * height)
    show(left=left, impact=-speed.min())
    assert -speed.min() > 0.9 * 9.81 * fall and left < (0.2 if motion == "scheme em" else 0.09)
