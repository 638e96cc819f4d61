"""Rest is exact, and nothing that moves is taken for it: swings that turn round, creep under loads, slow belts."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

SCHEMES = ("em", "euler", "newmark")
STIFF = 1e5  # of friction's spring, N/m and corner
RUB = f"normal 1e6 1.5 gap 0.002 damping 0.5 friction 0.5 0.4 {STIFF:g} 10"
CUBE = "create_polyhedra 1 at 0 0 0.0512"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_rest_is_exact(lammps, scheme):
    """Cubes on a floor, one held by a spring: at rest the kinetic energy is zero, not small."""
    script = scene(
        bodies="create_polyhedra 1 at 0 0 0.052\ncreate_polyhedra 1 at 0.02 0 0.155",
        law=RUB,
        dt=5e-3,
        motion=f"scheme {scheme}",
        thermo="f_motion[8]",
        every=100,
        extra="group top id 2\nfix s top spring tether 20 0.1 0 0.1 0",
        run="run 1000",
    )
    kinetic = lammps(script).thermo()["f_motion[8]"]
    show(kinetic=kinetic)
    assert kinetic[1] >= 0 and np.all(kinetic[-2:] == 0.0)


@pytest.mark.parametrize("damping", ["damping 0.5", "restitution 0", "restitution 0.5"])
@pytest.mark.parametrize(("scheme", "dt", "least"),
                         [("newmark", 5e-4, 0.999), ("newmark", 5e-3, 0.999), ("em", 5e-4, 0.999), ("em", 5e-3, 0.99)])
def test_turning_points_are_not_rest(lammps, scheme, dt, least, damping):
    """A cube on a spring slides to and fro by 10 um on a smooth floor: it turns round 32 times, and keeps its energy."""
    stiff, way = 100.0, 1e-5
    script = scene(
        bodies=CUBE,
        law=f"normal 1e6 1.5 gap 0.002 {damping}",
        dt=dt,
        motion=f"scheme {scheme}\nvariable x equal x[1]\nvariable v equal vx[1]",
        thermo="v_x v_v",
        every=max(1, round(5e-3 / dt)),
        # the floor has brought it to rest when the spring begins
        run=f"run {round(1 / dt)}\nfix s all spring tether {stiff} {way} 0 NULL 0\nundump d\nreset_timestep 0\nrun {round(10 / dt)}",
    )
    table = lammps(script).tables()[-1]
    swing = 0.5 * (stiff * (table["v_x"] - way) ** 2 + table["v_v"] ** 2) / (0.5 * stiff * way**2)
    turns = np.count_nonzero(np.diff(np.sign(table["v_v"])))
    show(turns=turns, energy=swing[-1])
    assert turns in (31, 32, 33)
    assert least < swing[-1] < 1.001


@pytest.mark.parametrize("damping", ["damping 0.5", "restitution 0", "restitution 0.5"])
@pytest.mark.parametrize("dt", [5e-4, 5e-3, 2e-2])
def test_sliding_bodies_stop_bouncing(lammps, dt, damping):
    """A cube falls on a smooth floor while it slides at 1 m/s: it goes on sliding, and comes to rest along the normal."""
    script = scene(
        bodies="create_polyhedra 1 at 0 0 0.062",
        box="block -9 9 -1 1 -1 1",
        law=f"normal 1e6 1.5 gap 0.002 {damping}",
        dt=dt,
        motion="scheme em\nvariable v equal vx[1]\nvariable w equal vz[1]",
        thermo="v_v v_w",
        run=f"velocity all set 1 0 0\nrun {round(2 / dt)}",
    )
    table = lammps(script).tables()[-1]
    along, up = table["v_v"][-1], table["v_w"][-1]
    show(along=along, up=up)
    assert along == pytest.approx(1.0, abs=1e-9) and abs(up) < 1e-9


def place(table, k=0):
    return table["v_x"] - table["v_x"][k]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("dt", [5e-4, 5e-3])
def test_creep_under_a_load(lammps, scheme, dt):
    """A force of 1e-6 N/s moves a cube that sticks by 2.5 pm/s: slower than a single step could tell from rest."""
    slope, tol = 1e-6, 1e-8
    script = scene(
        bodies=CUBE,
        law=RUB,
        dt=dt,
        motion=f"scheme {scheme}\nvariable x equal x[1]",
        thermo="v_x",
        every=round(0.5 / dt),
        run=f"run {round(1 / dt)}\nundump d\nreset_timestep 0\nvariable f equal {slope}*step*{dt:.17g}\nfix f all addforce v_f 0 0\n"
        f"run {round(5 / dt)}",
    )
    table = lammps(script).tables()[-1]
    normal = 1.5e6 ** (2 / 3) * (1.5 * 9.81 / 4) ** (1 / 3)  # stiffness of a corner under a quarter of the weight
    give = 1 / (4 * STIFF) + 1 / (4 * normal)  # it slides and tilts, with a lever of half its height and width
    force = slope * (table["Time"] - table["Time"][0])
    error = np.abs(place(table) / give - force) / 9.81
    show(force_missed_of_weight=error.max(), force=force[-1] / 9.81)
    assert error.max() < 3 * tol


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("speed", [1e-11, 1e-9, 1e-7])
def test_slow_belt(lammps, scheme, speed):
    """A cube on a belt goes with it, however slow the belt is."""
    script = scene(
        bodies=CUBE,
        law=RUB,
        walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1",
        dt=5e-3,
        motion=f"scheme {scheme}\nvariable x equal x[1]",
        thermo="v_x",
        every=100,
        run=f"run 200\nunfix floor\nfix floor all wall/polyhedron plane 0 0 0 0 0 1 move velocity {speed:.17g} 0 0\nrun 1000",
    )
    table = lammps(script).tables()[-1]
    lag = (place(table) - speed * (table["Time"] - table["Time"][0])) * 4 * STIFF / 9.81
    show(lag_as_force_of_weight=np.abs(lag).max(), way=place(table)[-1])
    assert np.abs(lag).max() < 3e-8 + 2e-6 * (speed > 1e-8)


@pytest.mark.parametrize("side", [1e-3, 2e-3])
def test_light_body_beside_large_forces(lammps, side):
    """A small cube on one that bears 1e5 N, pushed with its own weight: what moves it is 1e-10 and 1e-9 of what acts below."""
    weight = 2400 * 9.81 * side**3
    script = scene(
        types=2,
        shapes=f"1 box 0.1 0.1 0.1 density 2400 2 box {side} {side} {side} density 2400",
        bodies=f"create_polyhedra 1 at 0 0 0.0509\ncreate_polyhedra 2 at 0 0 {0.1018 + 0.5 * side:.17g}\ngroup big type 1\ngroup small type 2",
        law="pair_coeff 1 1 normal 1e10 1.5 gap 0.001 damping 0.5 friction 20 20 1e8 1e5\npair_coeff * 2 normal 1e6 1.5 gap 0.0001 damping 0.5 friction 0.3 0.3 1e4 10",
        dt=1e-3,
        motion="fix motion all implicit/polyhedron scheme em\nfix press big load/polyhedron force 0 0 -1e5\ncompute v small reduce max vx",
        thermo="c_v",
        every=100,
        run=f"run 1200\nvelocity small set 0 0 0\nset group small angmom 0 0 0\nrun 200\nfix push small load/polyhedron force {weight:.17g} 0 0\nrun 100",
    )
    speed = lammps(script, may_warn="").tables()[-1]["c_v"][-1]
    show(speed=speed)
    assert speed == pytest.approx(0.7 * 9.81 * 0.1, rel=2e-3)
