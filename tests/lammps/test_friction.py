"""Friction against Coulomb's answers: a block on a slope, under a rising force, and left to slide."""

from __future__ import annotations

import re
from math import atan, cos, sin

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, FLOOR, PRESSED, reduce_local, scene

EDGE, MASS, G = 0.1, 1.0, 9.81
GAP, PRESS = 1e-3, 0.4  # gbar, and how much of it the weight closes
EPS = MASS * G / (4 * PRESS * GAP)


def block(mu_s, mu_d, *, slope=0.0, transition="", **parts):
    """A cube at rest on the floor, its gap in equilibrium; within half a second gravity is tilted by
    `slope`."""
    law = (
        f"normal {EPS:.17g} 1 gap {GAP} barrier 0.1 -1 damping 0.5 friction {mu_s} {mu_d} 1e5 150 {transition}"
    )
    weight = (
        f"variable a equal {slope:.17g}*((time<0.5)*2*time+(time>=0.5))\n"
        f"variable gx equal sin(v_a)\nvariable gz equal -cos(v_a)\n"
        f"fix g all gravity {G} vector v_gx 0 v_gz"
    )
    parts = {
        "bodies": f"create_polyhedra 1 at 0 0 {0.5 * EDGE + GAP * (1 - PRESS):.17g}",
        "box": "block -1 6 -1 1 -0.1 0.5",
        "thermo": "v_x v_v f_motion[20] f_motion[21] c_slips",
        "dt": 1e-3,
    } | parts
    walls = f"{FLOOR}\n{weight}\nvariable x equal x[1]\nvariable v equal vx[1]"
    walls += "\ncompute c all polyhedron/contact/local\n"
    walls += reduce_local("slips", "sum", "c_c[15]")
    return scene(law=law, gravity=0, walls=walls, **parts)


SCHEMES = pytest.mark.parametrize("scheme", ["newmark", "euler"])


@SCHEMES
def test_slope_holds_below_its_limit(lammps, scheme):
    """99 % of the limit for 10 s: what moves after the first second is creep."""
    slope = atan(0.99 * 0.5)
    result = lammps(
        block(0.5, 0.5, slope=slope, motion=f"scheme {scheme}", every=100, run="run 11000")
    )
    x = result.thermo()["v_x"]
    creep = np.abs(x[10:] - x[10]).max() / EDGE
    show(scheme=scheme, creep=creep, elastic=x[-1] / EDGE)
    assert creep < 1e-6
    assert x[-1] > 0


@SCHEMES
def test_slope_lets_go_above_its_limit(lammps, scheme):
    slope = atan(1.01 * 0.5)
    result = lammps(
        block(0.5, 0.3, slope=slope, motion=f"scheme {scheme}", every=100, run="run 1500")
    )
    t = result.thermo()
    late = t["Time"] > 1.0
    a = np.polyfit(t["Time"][late], t["v_v"][late], 1)[0]
    expected = G * (sin(slope) - 0.3 * cos(slope))
    show(scheme=scheme, acceleration=a, expected=expected, error=a / expected - 1)
    assert a == pytest.approx(expected, rel=5e-3)


@SCHEMES
@pytest.mark.parametrize(("mu_s", "mu_d"), [(0.5, 0.5), (0.5, 0.3)])
def test_rising_force(lammps, scheme, mu_s, mu_d):
    """The force, at the height of the ground, at which the block lets go, and what friction then is."""
    rate = 2.0
    extra = (
        f"variable f equal {rate}*time\n"
        f"fix push all load/polyhedron force v_f 0 0 point 0 0 {-0.5 * EDGE}\n"
    )
    result = lammps(
        block(mu_s, mu_d, extra=extra, motion=f"scheme {scheme}", every=1, run="run 3000")
    )
    t = result.thermo()
    time, v = t["Time"], t["v_v"]
    begin = np.argmax(t["c_slips"] == 4)
    load, expected = rate * time[begin], mu_s * MASS * G
    late = time > time[begin] + 0.2
    t0, t1, v0, v1 = time[late][0], time[late][-1], v[late][0], v[late][-1]
    friction = (0.5 * rate * (t1**2 - t0**2) - MASS * (v1 - v0)) / (t1 - t0)
    error = friction / (mu_d * MASS * G) - 1
    show(scheme=scheme, load=load, expected=expected, error=load / expected - 1, friction_error=error)
    assert load == pytest.approx(expected, rel=1e-3)
    assert abs(error) < 5e-3


@SCHEMES
def test_stopping_distance(lammps, scheme):
    v, mu = 2.0, 0.4
    result = lammps(
        block(
            mu, mu, extra=f"velocity all set {v} 0 0", motion=f"scheme {scheme}", every=10, run="run 800",
        )
    )
    t = result.thermo()
    expected = v * v / (2 * mu * G)
    x = t["v_x"][-1]
    show(scheme=scheme, distance=x, expected=expected, error=x / expected - 1, speed=t["v_v"][-1],
         dissipated=t["f_motion[21]"][-1])
    assert x == pytest.approx(expected, rel=5e-3)
    assert abs(t["v_v"][-1]) < 1e-6
    if scheme == "newmark":
        assert t["f_motion[21]"][-1] == pytest.approx(0.5 * MASS * v * v, rel=2e-2)


def test_transition_is_smooth(lammps):
    """mu falls from 0.5 to 0.3 over 0.2 m/s: v' = g (mu0 - mu(v)) under a constant push."""
    mu_s, mu_d, vs, push = 0.5, 0.3, 0.2, 0.55
    result = lammps(
        block(
            mu_s,
            mu_d,
            transition=f"transition {vs}",
            extra=f"fix push all load/polyhedron force {push * MASS * G} 0 0 point 0 0 {-0.5 * EDGE}",
            motion="scheme newmark",
            every=10,
            run="run 1000",
        )
    )
    t = result.thermo()
    v, stretch, dt = 0.0, 0.0, 1e-5  # the springs, four of 1e5 N/m, stretch first
    for _ in range(100000):
        limit = G * (mu_d + (mu_s - mu_d) * np.exp(-v / vs))
        stretch += dt * v
        v += dt * (push * G - min(limit, 4e5 * stretch + 600 * v))
    show(speed=t["v_v"][-1], expected=v, error=t["v_v"][-1] / v - 1)
    assert t["v_v"][-1] == pytest.approx(v, rel=5e-3)


def test_friction_is_switched_on_in_mid_run(lammps):
    """pair_coeff again: the block slides freely, then stops; then it goes again."""
    law = f"normal {EPS:.17g} 1 gap {GAP} barrier 0.1 -1 damping 0.5"
    extra = "velocity all set 1 0 0"
    result = lammps(
        block(0.0, 0.0, extra=extra, motion="scheme newmark", every=50, run="run 500")
        + f"\npair_coeff * * {law} friction 0.4 0.4 1e5 150\nrun 500"
        + f"\npair_coeff * * {law}\nvelocity all set 0.5 0 0\nrun 200"
    )
    free, rough, again = result.tables()
    show(free=free["v_v"][-1], rough=rough["v_v"][-1], again=again["v_v"][-1])
    assert free["v_v"][-1] == pytest.approx(1.0, abs=1e-9)
    assert abs(rough["v_v"][-1]) < 1e-6
    assert rough["v_x"][-1] - rough["v_x"][0] == pytest.approx(1 / (2 * 0.4 * G), rel=5e-3)
    assert again["v_v"][-1] == pytest.approx(0.5, abs=1e-9)


def test_fix_adapt(lammps):
    """mu falls evenly in a run: the block lets go when it no longer holds."""
    slope = atan(0.4)
    extra = (
        "variable mu equal 0.5-0.1*time\n"
        "fix soften all adapt 1 pair polyhedron mu_s * * v_mu pair polyhedron mu_d * * v_mu\n"
    )
    result = lammps(
        block(0.5, 0.5, slope=slope, extra=extra, motion="scheme newmark", every=10, run="run 1500")
    )
    t = result.thermo()
    late = t["Time"] > 1.05
    begin = t["Time"][np.argmax(t["c_slips"] == 4)]
    # v' = g (sin - mu(t) cos) from t = 1 s on
    expected = 0.5 * G * cos(slope) * 0.1 * (t["Time"][late] - 1.0) ** 2
    error = np.abs(t["v_v"][late] - expected)[-1] / expected[-1]
    show(begin=begin, speed=t["v_v"][-1], expected=expected[-1], error=error)
    assert begin == pytest.approx(1.0, abs=0.02)
    assert error < 5e-3


ROUGH = f"normal {EPS:.17g} 1 gap {GAP} barrier 0.1 -1 damping 0.5 friction 0.5 0.5 1e5 150"
TILT = f"unfix g\nfix g all gravity {G} vector 0.3 0 -0.954"
LEVEL = f"unfix g\nfix g all gravity {G} vector 0 0 -1\nvelocity all set 0 0 0"


@pytest.mark.parametrize("how", ["law", "wall"])
def test_springs_end_with_a_run_without_friction(lammps, how):
    """A block held on a slope slides without friction, or without its floor, and is set down: no spring is left."""
    smooth, rough = f"pair_coeff * * {ROUGH.split(' friction')[0]}", f"pair_coeff * * {ROUGH}"
    if how == "wall":
        smooth, rough = "unfix floor", f"set group all z {0.5 * EDGE + GAP * (1 - PRESS)}\n{FLOOR}"
    text = block(0.5, 0.5, slope=0.3, motion="scheme euler", every=100, run="run 600")
    result = lammps(
        text + f"\n{smooth}\nrun 100\n{LEVEL}\n{rough}\nrun 0")
    held, end = result.tables()[0], result.tables()[-1]
    show(spring_held=held["f_motion[20]"][-1], spring_left=end["f_motion[20]"][-1])
    assert held["f_motion[20]"][-1] > 1e-5
    assert end["f_motion[20]"][-1] == 0.0


@pytest.mark.parametrize("motion", ["scheme newmark", "scheme euler", "scheme em", EXPLICIT])
def test_restitution_of_other_schemes_is_told_of(lammps, motion):
    """A law whose impacts lose energy by restitution alone loses none with other schemes: that is said once."""
    law = f"normal {EPS:.17g} 1 gap {GAP} restitution 0"
    told = r"restitution acts with scheme em .* alone; with .* give keyword damping"
    for more in ("", " damping 0.5"):
        result = lammps(scene(law=law + more, motion=motion, dt=1e-5, run="run 1\nrun 1"))
        assert sum(bool(re.search(told, w)) for w in result.warnings) == (not more and motion != "scheme em")


def test_restitution_does_not_mix_with_damping(lammps):
    """Of two laws that take all energy, one by restitution and one by damping, no elastic one is mixed."""
    parts = dict(types=2, shapes="1 sphere 0.05 density 2000 2 box 1 1 0.1 density 2000", run="run 0")
    laws = [f"pair_coeff {t} {t} normal 1e8 1.5 gap 0.002 {loss}" for t, loss in ((1, "restitution 0"), (2, "damping 0.7"))]
    lammps(scene(**parts, law="\n".join(laws)), fail="types 1 and 2 .* restitution is given for one of them alone, so their pair coefficients must be given")
    lammps(scene(**parts, law="\n".join([*laws, "pair_coeff 1 2 normal 1e8 1.5 gap 0.002 restitution 0"])))


THROWN = {
    # a flat box that drops by 75 mm, bounces and slides to the end
    "box": dict(shapes="1 box 0.2 0.2 0.05 density 1000", z=0.1, v="3 0 0", mu="0.8 0.4", law="auto velocity 1", time=0.5),
    # a ball whose impact gives it no time to roll
    "ball": dict(shapes="1 sphere 0.05 density 1000", z=0.06, v="10 0 -1", mu="0.4 0.1", law="auto velocity 3", time=0.1),
    # over the seams of blocks, of which every one is a new contact
    "seams": dict(shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.05 0.5 0.05 density 1000", z=0.051, v="5 0 0", mu="0.8 0.4", law="auto velocity 1",
                  time=0.2, floor="\n".join(f"create_polyhedra 2 at {-0.2 + 0.05 * k:.2f} 0 -0.025" for k in range(33))),
}


@pytest.mark.parametrize("motion, loss", [("em", "restitution 0"), ("em", "damping 0.5"), ("euler", "damping 0.7"), ("newmark", "damping 0.5")])
@pytest.mark.parametrize("what", THROWN)
def test_slides_begin_with_the_dynamic_coefficient(lammps, what, motion, loss):
    """Bodies that land while they slide: Coulomb's answer with mu_d at any step, not a mean with mu_s of each new contact."""
    case = THROWN[what]
    along, _, down = (float(v) for v in case["v"].split())
    error = []
    for dt in (1e-2, 5e-3, 1e-3):
        floor = case.get("floor", "")
        text = scene(
            types=2 if floor else 1, shapes=case["shapes"], box="block -1 6 -1 1 -0.2 1", law=f"{case['law']} {loss} friction {case['mu']}",
            bodies=f"{floor}\ncreate_polyhedra 1 at 0 0 {case['z']}\ngroup fly type 1\nvelocity fly set {case['v']}",
            walls=("" if floor else FLOOR) + "\nvariable vx equal vcm(fly,x)\nvariable vz equal vcm(fly,z)", skin=0.15, thermo="v_vx v_vz",
            motion=f"fix motion fly implicit/polyhedron scheme {motion}", dt=dt, extra="thermo 1000", run=f"run {round(case['time'] / dt)}")
        t = lammps(text).thermo()
        pressed = t["v_vz"][-1] - down + G * case["time"]  # impulse of the normal forces over the mass
        error.append((t["v_vx"][-1] - along) / pressed + float(case["mu"].split()[1]))
    show(errors=error)
    assert np.abs(error).max() < (0.03 if what == "seams" else 2e-3)


def sliding_down(run, state=""):
    """A cube that slides down a slope between those of mu_d and mu_s, without a tangential dashpot; from a restart file, if there is one."""
    script = scene(
        shapes="1 box 0.1 0.1 0.1 density 2000", bodies="create_polyhedra 1 at 0 0 0.0517\nvelocity all set 0.05 0 0",
        law="normal 1e6 1.5 gap 0.002 damping 0.3 friction 0.8 0.4 1e5 0", gravity=0, dt=2e-5, motion=EXPLICIT, thermo="v_v", run=run,
        walls=f"{FLOOR}\nfix g all gravity 9.81 vector 0.5144958 0 -0.8574929\nvariable v equal vcm(all,x)")
    made_before = ("create_polyhedra", "velocity", "pair_coeff", "pair_style", "region", "create_box", "boundary", "units", "atom_")
    lines = [line for line in script.splitlines() if not (state and line.startswith(made_before))]
    return "\n".join([f"read_restart {state}" if state else "", *lines])


def test_runs_of_explicit_integrators_do_not_grip(lammps):
    """A run that begins while a body slides leaves it the dynamic coefficient: one run, many, and from a restart file."""
    whole = lammps(sliding_down("run 2000\nwrite_restart state"), may_warn=PRESSED, where="here").thermo()["v_v"]
    parts = lammps(sliding_down('run 2000 every 20 "print go"'), may_warn=PRESSED).thermo()["v_v"]
    more = lammps(sliding_down("run 2000", "state"), where="here").thermo()["v_v"]
    both = lammps(sliding_down("run 4000"), may_warn=PRESSED).thermo()["v_v"]
    show(whole=whole[-1], parts=parts[-1], goes_on=more[-1], both=both[-1])
    assert whole[-1] > 0.08
    assert parts[-1] == pytest.approx(whole[-1], abs=1e-6)
    assert more[-1] == pytest.approx(both[-1], abs=1e-6)


@pytest.mark.parametrize("motion", ["scheme em", "scheme euler", "scheme newmark"])
@pytest.mark.parametrize("dt", [0.01, 0.001])
def test_body_at_rest_gets_a_velocity(lammps, motion, dt):
    """It slides at once, with mu_d: with mu_s in the first substep it lost (mu_s - mu_d) g h besides, 3 % of its speed at 5 ms."""
    rest, slide = round(0.2 / dt), round(0.1 / dt)
    script = scene(shapes="1 box 0.2 0.2 0.1 density 1000", bodies="create_polyhedra 1 at 0 0 0.0505\nvariable v equal vx[1]", law="auto damping 0.5 friction 0.8 0.2", dt=dt,
                   motion=motion, every=slide // 10, thermo="v_v", run=f"run {rest}\nvelocity all set 1 0 0\nrun {slide}")
    t = lammps(script).thermo()
    after = t["Time"] - 0.2 > 0.015
    exact = 1.0 - 0.2 * 9.81 * (t["Time"][after] - 0.2)
    worst = abs(t["v_v"][after] - exact).max()
    show(dt=dt, worst=worst)
    assert worst < 2e-3  # em, euler: 0.059 and 0.006


@pytest.mark.parametrize("damping", [0, 30])
def test_a_transition_has_one_solution(lammps, damping):
    """A cube that hits a plane, moved by 1e-12 to 1e-6 m: a coefficient that falls with the speed at the end of an impact's step had it leave with 0.41 or 0.23 m/s."""
    speeds = []
    for lift in (0, 1e-12, 1e-10, 1e-9, -1e-8, 1e-6, -1e-6):
        body = (f"create_polyhedra 1 at 0 0 {0.087628497291176319 + lift:.17g} rotate 45.976074606619399 0.82904361232491086 -0.53943693421880801 -0.1472904710559248\n"
                "set atom 1 angmom -0.0069739861345524358 -0.014743904107207184 -0.015165582181462037\nvelocity all set -0.463443643380125 0.038322953232496675 -1.1542775631122613\nvariable v equal vz[1]")
        law = f"normal 400000 1 gap 0.002 barrier 0.1 -1 ramp 0 damping 0.4 friction 0.6 0.3 2e5 {damping} transition 0.05"
        speeds.append(lammps(scene(shapes="1 box 0.1 0.1 0.1 density 2400", bodies=body, law=law, dt=0.002, motion="scheme em", every=12, thermo="v_v", run="run 12"), may_warn="in the barrier").thermo()["v_v"][-1])
    show(speed=speeds[0], spread=max(speeds) - min(speeds))
    assert max(speeds) - min(speeds) < 1e-3
    assert 0.18 < speeds[0] < 0.25  # in steps of 20 us 0.184, with mu_d alone 0.2305
