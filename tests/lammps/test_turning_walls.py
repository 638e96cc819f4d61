"""Surfaces that turn: what they do depends neither on where the box has its origin nor on how they came to turn."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

STATE = "x y z vx vy vz angmomx angmomy angmomz".split()
OUTPUT = "f_drum f_drum[1] f_drum[2] f_drum[3] f_drum[5] f_drum[7] f_motion[1] f_motion[11] f_motion[21]"


def drum(x, z, run, motion="scheme euler", move=None, state=""):
    """A cube in a drum whose axis is at x, z; from a restart file, if there is one."""
    script = scene(
        box="block -2 40 -1 1 -2 40", bodies=f"create_polyhedra 1 at {x} 0 {z - 0.84}",
        law="normal 1e6 1.5 gap 0.004 barrier 0.1 -2 damping 0.5 friction 0.5 0.4 1e5 50",
        walls=f"fix drum all wall/polyhedron cylinder y {x} {z} 0.9 -0.8 0.8 facets 24 {move or f'move rotate {x} 0 {z} 0 1 0 4.0'}",
        dt=5e-3, skin=0.1, motion=motion, thermo=OUTPUT, every=10, run=run)
    if not state:
        return script
    kept = [line for line in script[script.index("fix shapes"):].splitlines() if not line.startswith(("create_poly", "pair_"))]
    return "\n".join([f"read_restart {state}", *kept])


def end(result):
    return np.array([result.frames()[-1].columns[c][0] for c in STATE])


@pytest.mark.parametrize("scheme", ["euler", "newmark", "em"])
def test_drum_far_from_the_origin(lammps, scheme):
    """The same motion, losses, work and number of substeps, with the moment of the wall about the origin of the box."""
    near, far = (lammps(drum(x, z, "run 60", f"scheme {scheme}")) for x, z in ((0, 0), (30, 20)))
    a, b = end(near), end(far) - np.array([30, 0, 20, *6 * [0]])
    t, u = near.thermo(), far.thermo()
    moment = 20 * t["f_drum[1]"] - 30 * t["f_drum[3]"]
    show(error=np.abs(a - b).max(), substeps=t["f_motion[1]"][-1], far=u["f_motion[1]"][-1], loss=u["f_motion[11]"][-1] / t["f_motion[11]"][-1] - 1)
    assert np.abs(a - b).max() < 1e-6
    assert t["f_motion[1]"][-1] == u["f_motion[1]"][-1]
    for name in ("f_motion[11]", "f_motion[21]", "f_drum[7]"):
        assert u[name] == pytest.approx(t[name], rel=1e-6)
    assert u["f_drum[5]"] == pytest.approx(t["f_drum[5]"] + moment, abs=1e-6 * np.abs(moment).max())


@pytest.mark.parametrize("before", ["none", "velocity 0 0 0.05", "rotate 0.3 0 0.1 0 1 0.2 20"])
def test_drum_begins_to_turn(lammps, before):
    """After a rest, a shift or another rotation the axis is where it is said to be, and a run from a restart file goes on to the last digit."""
    first, then = f"move {before}", "move rotate 0.05 0 0 0 1 0 4.0"
    run = f"run 20\nfix_modify drum {then}\nrun 20\nwrite_restart state\nrun 20"
    whole = lammps(drum(0, 0, run, move=first), where="here")
    again = lammps(drum(0, 0, "run 20", move=then, state="state"), where="here")
    show(place=end(whole)[:3], work=whole.thermo()["f_drum[7]"][-1])
    assert np.array_equal(end(again), end(whole))
    assert again.thermo()["f_drum[7]"][-1] == pytest.approx(whole.thermo()["f_drum[7]"][-1], rel=1e-12)


def rolled(seconds, radius, off, gravity, drum, share, mu):
    """Angle (rad) by which a round body has gone along a drum from off (rad): it slides, then rolls. radius: of the body's surface and of its path; drum: radius and rate; share: I/(m r^2)."""
    (r, path), (big, rate) = radius, drum
    angle, speed, spin, dt = off, 0.0, 0.0, 1e-5
    for _ in range(round(seconds / dt)):
        slip, pull = path * speed - r * spin + big * rate, gravity * np.sin(angle)
        bears, rolls = gravity * np.cos(angle) + path * speed**2, pull * share / (1 + share)
        friction = rolls if abs(slip) < 2e-5 and abs(rolls) < mu * bears else -mu * bears * np.sign(slip)
        speed += dt * (friction - pull) / path
        spin -= dt * friction / (share * r)
        angle += dt * speed
    return angle


@pytest.mark.parametrize(("dt", "period", "loss", "mu"), [(1e-3, 8, "restitution 0", 0.5), (5e-4, 2, "damping 0.1", 0.5), (1e-3, 4, "restitution 0", 0.9), (5e-3, 4, "restitution 0", 0.5)])
@pytest.mark.parametrize("shape", ["sphere 0.05", "capsule 0.05 0.2"])
def test_round_bodies_in_a_drum(lammps, shape, dt, period, loss, mu):
    """Many facets, of which several are within reach at a time, and no step at which the forces of one end and those of the next begin. The way is that on a smooth drum."""
    big, r, seconds = 0.3, 0.05, 0.5
    path = big * np.cos(np.pi / 360) - r - 0.00095
    share = 0.4 if "sphere" in shape else (0.2 / 2 + 4 / 3 * r * 0.4) / (0.2 + 4 / 3 * r)
    angle = np.arcsin(0.1 / path)
    script = scene(shapes=f"1 {shape} density 1000", bodies=f"create_polyhedra 1 at 0.1 0 {-path * np.cos(angle):.15g} rotate 90 1 0 0", law=f"auto height 0.01 gap 0.001 {loss} friction {mu} {mu}",
                   box="block -1 1 -1 1 -1 1", skin=0.05, dt=dt, motion="scheme em", walls=f"fix drum all wall/polyhedron cylinder y 0 0 {big} -0.4 0.4 facets 360 move rotate 0 0 0 0 1 0 {period}\nvariable x equal x[1]\nvariable z equal z[1]",
                   thermo="v_x v_z f_motion[2]", every=1, run=f"run {round(3 / dt)}")
    t = lammps(script).thermo()
    there = t["Time"].searchsorted(seconds - 1e-9)
    measured = np.arctan2(t["v_x"][there], -t["v_z"][there])
    expected = rolled(seconds, (r, path), angle, 9.81, (big, 2 * np.pi / period), share, mu)
    show(angle=measured, expected=expected, iterations_per_step=t["f_motion[2]"][-1] / (3 / dt))
    assert measured == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(("dt", "substeps"), [(5e-3, "substeps 1"), (5e-3, ""), (2e-2, "")])
def test_ball_rolls_on_a_turning_table(lammps, dt, substeps):
    """It goes round in a circle at 2/7 of the table's rate, its speed as at the start: friction bears on other points of both bodies in every step. Their way is none where it
    acts, and the guard has nothing to reject."""
    speed, table, seconds = 0.3, 2.0, 5.0
    script = scene(shapes="1 sphere 0.05 density 1000", bodies=f"create_polyhedra 1 at 0 0 0.05095\nvelocity all set 0 {speed} 0\nset group all angmom {-0.4 * 1000 * 4 / 3 * np.pi * 0.05**4 * speed:.15g} 0 0",
                   law="auto height 0.01 gap 0.001 damping 0.5 friction 0.5 0.5", box="block -2 2 -2 4 -.2 1", skin=0.05, dt=dt, motion=f"scheme em {substeps}",
                   walls=f"fix floor all wall/polyhedron plane 0 0 0 0 0 1 move rotate 0 0 0 0 0 1 {2 * np.pi / table:.15g}\nvariable x equal x[1]\nvariable y equal y[1]\nvariable v equal sqrt(vx[1]^2+vy[1]^2)",
                   thermo="v_x v_y v_v f_motion[19]", every=1, run=f"run {round(seconds / dt)}")
    last = {name: column[-1] for name, column in lammps(script).thermo().items()}
    rate = 2 / 7 * table
    x, y = speed / rate * (np.cos(rate * seconds) - 1), speed / rate * np.sin(rate * seconds)
    show(speed=last["v_v"] / speed, off=np.hypot(last["v_x"] - x, last["v_y"] - y), rejected=last["f_motion[19]"])
    assert last["v_v"] / speed == pytest.approx(1, abs=5e-4) and last["f_motion[19]"] == 0
    assert np.hypot(last["v_x"] - x, last["v_y"] - y) < 0.005 * speed / rate
