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


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("spin", [300, 1000])
def test_ball_that_spins_through_on_the_floor(lammps, scheme, spin):
    """A ball that turns by 1.5 and 5 rad in a step drives itself forward with mu g, and its spin and energy fall."""
    moment = 0.4 * 4 / 3 * np.pi * 0.1**3 * 1000 * 0.01
    result = lammps(scene(
        shapes="1 sphere 0.1 density 1000", box="block -2 2 -1 1 -0.1 1", bodies=f"create_atoms 1 single 0 0 0.1009\nset group all angmom 0 {spin * moment} 0",
        law="normal 1e8 1 gap 0.001 barrier 0.1 -1 damping 0.7 friction 0.3 0.3 1e7 1e3", motion=f"scheme {scheme}", dt=5e-3, every=100,
        thermo="f_motion[8] f_motion[21]", run="run 100"), may_warn="in the barrier")
    end = result.frames()[-1].columns
    speed, left = end["vx"][0], end["angmomy"][0] / moment
    show(speed=speed, spin=left, rubbed=result.thermo()["f_motion[21]"][-1])
    assert speed == pytest.approx(0.3 * 9.81 * 0.5, rel=0.06)
    assert left == pytest.approx(spin - 2.5 * 0.3 * 9.81 * 0.5 / 0.1, rel=0.01)
    assert result.thermo()["f_motion[21]"][-1] > 0.0


def test_fixed_substeps_that_are_too_long_for_a_spin(lammps):
    """What would have friction in a wrong direction is an error."""
    text = scene(shapes="1 sphere 0.1 density 1000", bodies="create_atoms 1 single 0 0 0.1009\nset group all angmom 0 16.755 0", motion="scheme euler substeps 1", dt=5e-3,
                 law="normal 1e8 1 gap 0.001 barrier 0.1 -1 damping 0.7 friction 0.3 0.3 1e7 1e3")
    lammps(text, fail="a body that rubs on others turns too far in a substep of length 0.005.*use more substeps")
