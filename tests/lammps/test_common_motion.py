"""What all bodies have in common, and motion that no impact disturbs: neither is to be paid for by losses of contacts."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, PRESSED, scene

BALLS = "create_polyhedra 1 at -0.15 0 0\ncreate_polyhedra 1 at 0 0 0\ncreate_polyhedra 1 at 0.103 0 0\ngroup first id 1"


def flying(speed: float, dt: float, motion: str) -> str:
    """Three smooth balls in a row, the first one hits the second, which all but touches the third; all fly across the row."""
    return scene(shapes="1 sphere 0.05 density 1900", bodies=BALLS, box="block -2 2 -2 14 -2 2", law="normal 1e7 1.5 gap 0.002 damping 0.3", walls="", gravity=0, dt=dt,
                 motion=motion, every=1, skin=1.0, extra=f"velocity first set 1 0 0\nvelocity all set 0 {speed} 0 sum yes", run=f"run {round(0.12 / dt)}")


@pytest.mark.parametrize("speed", [0.0, 1.0, 20.0, 100.0])
@pytest.mark.parametrize("dt", [5e-3, 5e-4])
def test_smooth_balls_that_fly_together_do_not_spin(lammps, speed, dt):
    """They had up to 2.5 rad/s: their centre of mass is taken along by the scheme, and spins made up for its way."""
    last = lammps(flying(speed, dt, "scheme em"), may_warn="").frames()[-1]
    spin = np.linalg.norm(last.vectors("angmomx", "angmomy", "angmomz"), axis=1) / (0.4 * 1900 * 4 / 3 * np.pi * 0.05**5)
    v = last.vectors("vx", "vy", "vz")
    show(spin=spin.max(), across=np.abs(v[:, 1] - speed).max(), along=v[:, 0].sum())
    assert spin.max() < 1e-9 and np.abs(v[:, 1] - speed).max() < 1e-9 and v[:, 0].sum() == pytest.approx(1.0, rel=1e-9)


def passing(dt: float, law: str, through: bool) -> str:
    """Two smooth balls hit at 3 m/s across and pass at 3 m/s along: inside a box, or through the boundary of a cell that is sheared at 5/s."""
    first = "create_polyhedra 1 at 0 0.24 0\ngroup first id 1\nvelocity first set 0 3 0"
    if through:
        box, boundary, second = "prism -.3 .3 -.3 .3 -.3 .3 0 0 0", "p p p", "create_polyhedra 1 at -0.06 -0.2 0\nfix cell all deform 1 xy erate 5 remap v flip yes"
    else:
        box, boundary, second = "block -3 3 -3 3 -3 3", "f f f", "create_polyhedra 1 at -0.06 0.4 0\ngroup second id 2\nvelocity second set 3 0 0"
    return scene(shapes="1 sphere 0.05 density 1900", bodies=f"{first}\n{second}", box=box, boundary=boundary, law=f"normal 5e7 1.5 gap 0.002 {law}", walls="", gravity=0, dt=dt,
                 motion="scheme em", every=round(0.05 / dt), run=f"run {round(0.05 / dt)}")


@pytest.mark.parametrize("law", ["damping 0.3", "restitution 0", "restitution 0.5 friction 0.5 0.5 1e5 30"])
@pytest.mark.parametrize("dt", [5e-3, 1e-3])
def test_what_a_cell_carries_is_part_of_the_motion(lammps, dt, law):
    """An impact through the boundary is the one inside. Spins of smooth balls differed by half."""
    inside, through = (lammps(passing(dt, law, where), may_warn="").frames()[-1] for where in (False, True))
    spins = [f.vectors("angmomx", "angmomy", "angmomz") for f in (inside, through)]
    across = [f.vectors("vx", "vy", "vz")[:, 1:] for f in (inside, through)]
    size = np.abs(spins[0]).max()
    show(spin=size, spins=np.abs(spins[1] - spins[0]).max() / size, velocities=np.abs(across[1] - across[0]).max())
    assert size > 1e-6 and np.abs(spins[1] - spins[0]).max() < 1e-5 * size and np.abs(across[1] - across[0]).max() < 1e-7


def top(dt: float, restitution: float, run: str) -> str:
    """A capsule that spins about its axis at 150 rad/s, let go at 30 degrees on a smooth floor, which it never leaves."""
    return scene(shapes="1 capsule 0.02 0.03 density 1000", bodies="create_polyhedra 1 at 0 0 0.033073419292411997 rotate 30 0 1 0\nset group all angmom 0.00096761053730565628 0 0.0016759506125524175",
                 box="block -1 1 -1 1 -0.1 1", law=f"normal 1e7 1.5 gap 0.0001 barrier 0.1 -2 restitution {restitution}", walls=FLOOR, dt=dt, motion="scheme em", every=round(0.5 / dt),
                 thermo="f_motion[8] f_motion[23]", run=run)


@pytest.mark.parametrize("restitution", [0, 1])
@pytest.mark.parametrize("dt", [5e-3, 1e-3])
def test_top_keeps_its_energy(lammps, dt, restitution):
    """Its contact, which stays, is in no impact. With restitution 0 half a second took 0.9 and 0.5 mJ of the 10.5 mJ that its weight makes of its height."""
    result = lammps(top(dt, restitution, f"run {round(0.5 / dt)}"), may_warn=PRESSED)
    lost, spin = result.thermo()["f_motion[23]"][-1], [f.vectors("angmomx", "angmomy", "angmomz")[0, 2] for f in result.frames()]
    show(lost=lost, spin=spin[-1] / spin[0])
    assert abs(lost) < 5e-5
    assert spin[-1] == pytest.approx(spin[0], rel=1e-9)
