"""Bodies that turn fast: alone they keep what they have, and what they hit gains nothing that they have not lost."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

SCHEMES = ("em", "euler", "newmark")
INERTIA = 1 / 600  # of a cube of 0.1 and 1 kg


def spinning(scheme, dt, speed, bodies, steps):
    return scene(
        bodies=bodies + f"\nset atom 1 angmom 0 0 {speed * INERTIA:.17g}",
        walls="",
        gravity=0,
        law="auto velocity 224 damping 0.1",
        dt=dt,
        motion=f"scheme {scheme}",
        thermo="f_motion[8] f_motion[9] f_motion[20] f_motion[19]",
        every=1,
        run=f"run {steps}",
    )


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("dt", [1e-4, 1e-3, 1e-2])
def test_hit_by_a_fast_corner(lammps, scheme, dt):
    """A cube at 3,200 rad/s hits its neighbour with its corners, 0.3 to 32 rad in a step: no energy comes out of that."""
    bodies = "create_polyhedra 1 at 0 0 0.5\ncreate_polyhedra 1 at 0.112 0 0.5"
    result = lammps(spinning(scheme, dt, 3200, bodies, max(1, round(1e-3 / dt))), may_warn="in the barrier of their law")
    table = result.thermo()
    energy = table["f_motion[8]"] + table["f_motion[9]"] + table["f_motion[20]"]
    pushed = result.frames()[-1].columns["vx"][1]
    show(start=energy[0], largest=energy.max(), end=energy[-1], pushed=pushed, by_guard=table["f_motion[19]"][-1])
    assert pushed > 10
    assert energy.max() < energy[0] * (1 + 1e-4)
    assert lammps.intersections(result) == 0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("dt", [1e-4, 1e-3, 1e-2])
def test_spins_freely(lammps, scheme, dt):
    """Alone it keeps its angular momentum and its energy, and no substep is asked for."""
    result = lammps(spinning(scheme, dt, 3200, "create_polyhedra 1 at 0 0 0.5", 20))
    spin = np.array([f.vectors("angmomx", "angmomy", "angmomz")[0] for f in result.frames()])
    energy = result.thermo()["f_motion[8]"]
    error = np.abs(spin - [0, 0, 3200 * INERTIA]).max() / (3200 * INERTIA)
    show(spin=error, energy=np.ptp(energy) / energy[0])
    assert error < 1e-12 and np.ptp(energy) < 1e-12 * energy[0]
