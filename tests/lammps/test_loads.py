"""Loads at body-fixed points, and friction with explicit and implicit integration."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, FLOOR, GRAIN, SHAPES, scene

G = 9.81
SIZE = np.array([0.1, 0.06, 0.03])
MASS = 1000 * SIZE.prod()
INERTIA = MASS / 12 * ((SIZE**2).sum() - SIZE**2)
BOX = "1 box 0.1 0.06 0.03 density 1000"
ENERGIES = " ".join(f"f_motion[{k}]" for k in (8, 9, 10, 11, 12, 20, 21, 22))


def free(load="", bodies="create_polyhedra 1 at 0 0 0.5", extra="", **parts):
    """One body in free space under fix load/polyhedron."""
    values = dict(
        shapes=BOX,
        gravity=0,
        walls=f"fix push all load/polyhedron {load}" if load else "",
        bodies=bodies,
        skin=0.1,
        thermo=f"f_push f_push[1] f_push[2] f_push[3] f_push[4] f_push[5] f_push[6] {ENERGIES}",
        extra=extra,
    )
    if parts.get("motion") == EXPLICIT:
        values["thermo"] = values["thermo"].replace(ENERGIES, "")
    return scene(**(values | parts))


def states(result):
    """Position, quaternion, velocity, angular momentum of the one body, by frame."""
    frames = result.frames()

    def column(*names):
        return np.array([f.vectors(*names)[0] for f in frames])

    return (
        column("x", "y", "z"),
        column("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]"),
        column("vx", "vy", "vz"),
        column("angmomx", "angmomy", "angmomz"),
    )


def turn(q, v):
    """v turned by the quaternion q (w first)."""
    w, u = q[0], q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


@cache
def reference(time, force, moment, point, follow, q, n=200):
    """Motion under a load by RK4, to nine digits: position, velocity, angular momentum, quaternion."""
    force, moment, point, q = (np.asarray(a, float) for a in (force, moment, point, q))

    def slope(y):
        v, l, q = y[3:6], y[6:9], y[9:]
        f = turn(q, force) if follow else force
        m = (turn(q, moment) if follow else moment) + np.cross(turn(q, point), f)
        w = turn(q, turn(q * [1, -1, -1, -1], l) / INERTIA)
        dq = 0.5 * np.concatenate([[-w @ q[1:]], q[0] * w + np.cross(w, q[1:])])
        return np.concatenate([v, f / MASS, m, dq])

    y = np.concatenate([np.zeros(9), q])
    h = time / n
    for _ in range(n):
        a = slope(y)
        b = slope(y + 0.5 * h * a)
        c = slope(y + 0.5 * h * b)
        d = slope(y + h * c)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
        y[9:] /= np.linalg.norm(y[9:])
    return y[0:3], y[3:6], y[6:9], y[9:]


@pytest.mark.parametrize("motion", ["scheme newmark", EXPLICIT])
def test_force_at_the_centre(lammps, motion):
    """Acceleration F/m, no turn; the work is the kinetic energy."""
    force = np.array([0.3, -0.2, 0.1])
    dt = 1e-3
    result = lammps(free(f"force {' '.join(map(str, force))}", dt=dt, motion=motion, every=100,
                         run="run 400"))
    x, q, v, l = states(result)
    t = 0.1 * np.arange(5)[:, None]
    error = np.abs(x - [0, 0, 0.5] - 0.5 * force / MASS * t**2).max()
    table = result.thermo()
    kinetic = 0.5 * MASS * np.sum(v[-1] ** 2)
    show(position_error=error, speed_error=np.abs(v - force / MASS * t).max(),
         work_error=table["f_push"][-1] / kinetic - 1)
    assert error < 1e-12 and np.abs(l).max() < 1e-15
    assert np.abs(v - force / MASS * t).max() < 1e-12
    # explicit: force at the end of a step times its displacement
    assert table["f_push"][-1] == pytest.approx(kinetic, rel=1e-9)
    assert [table[f"f_push[{k}]"][-1] for k in (1, 2, 3)] == pytest.approx(force)


@pytest.mark.parametrize("ranks", [1, 2])
def test_force_off_the_centre(lammps, ranks):
    """First step: acceleration F/m and angular acceleration J^-1 (p x F), in the body's frame."""
    force, point = np.array([0.1, 0.3, -0.2]), np.array([0.05, 0.03, 0.015])
    result = lammps(
        free(
            f"force {' '.join(map(str, force))} point {' '.join(map(str, point))}",
            bodies="create_polyhedra 1 at 0 0 0.5 rotate 40 1 2 3",
            dt=1e-6,
            every=1,
            run="run 1",
        ),
        ranks=ranks,
    )
    x, q, v, l = states(result)
    moment = np.cross(turn(q[0], point), force)
    table = result.thermo()
    shown = [table[f"f_push[{k}]"][0] for k in (4, 5, 6)]
    show(force_error=np.abs(v[1] / 1e-6 * MASS / force - 1).max(),
         moment_error=np.abs(l[1] / 1e-6 - moment).max() / np.abs(moment).max())
    assert np.abs(v[1] / 1e-6 * MASS - force).max() < 1e-9
    assert np.abs(l[1] / 1e-6 - moment).max() < 1e-6 * np.abs(moment).max()
    assert shown == pytest.approx(moment, rel=1e-12)


LOADS = {
    "space": ("force 0.02 0.05 -0.03 point 0.05 0.03 0.015", (0.02, 0.05, -0.03), (0, 0, 0),
              (0.05, 0.03, 0.015), False),
    "body": ("force 0.02 0.05 -0.03 point 0.05 0.03 0.015 frame body", (0.02, 0.05, -0.03),
             (0, 0, 0), (0.05, 0.03, 0.015), True),
    "moment": ("moment 1e-3 -5e-4 2e-4", (0, 0, 0), (1e-3, -5e-4, 2e-4), (0, 0, 0), False),
    "moment-body": ("moment 1e-3 -5e-4 2e-4 frame body", (0, 0, 0), (1e-3, -5e-4, 2e-4),
                    (0, 0, 0), True),
    "all": ("force 0.02 0 0 moment 0 2e-3 0 point 0 0.03 0 frame body", (0.02, 0, 0),
            (0, 2e-3, 0), (0, 0.03, 0), True),
}


@pytest.mark.parametrize("scheme", ["em", "newmark"])
@pytest.mark.parametrize("name", LOADS)
def test_motion_is_that_of_the_equations(lammps, name, scheme):
    """Against RK4: second order in the step; explicit agrees at small steps; the work is the kinetic energy, with em
    exactly."""
    load, *rest = LOADS[name]
    bodies = "create_polyhedra 1 at 0 0 0.5 rotate 40 1 2 3"
    time, errors, work_errors = 0.4, [], []
    steps = f"scheme {scheme} substeps 1"
    for n, motion in ((100, steps), (200, steps), (8000, EXPLICIT)):
        result = lammps(free(load, bodies=bodies, dt=time / n, motion=motion, every=n,
                             run=f"run {n}"))
        x, q, v, l = states(result)
        xr, vr, lr, qr = reference(time, *rest, tuple(q[0]))
        pose = max(np.abs(x[-1] - x[0] - xr).max() / 0.1,
                   np.linalg.norm(q[-1] * np.sign(q[-1] @ qr) - qr))
        errors.append(pose)
        body = turn(q[-1] * [1, -1, -1, -1], l[-1])
        kinetic = 0.5 * MASS * v[-1] @ v[-1] + 0.5 * np.sum(body**2 / INERTIA)
        table = result.thermo()
        work_errors.append(abs(table["f_push"][-1] / kinetic - 1))
        if motion != EXPLICIT:
            assert table["f_push"][-1] == pytest.approx(table["f_motion[10]"][-1], rel=1e-12)
            assert table["f_motion[8]"][-1] == pytest.approx(kinetic, rel=1e-9)
    turned = 2 * np.degrees(np.arccos(abs(q[0] @ q[-1])))
    show(turned=turned, pose_errors=errors, work_errors=work_errors,
         order=np.log2(errors[0] / errors[1]))
    assert turned > 40
    assert np.log2(errors[0] / errors[1]) > 1.8
    assert errors[1] < 2e-3 and errors[2] < 2e-3
    assert work_errors[1] < (1e-3 if scheme == "newmark" else 1e-10) and work_errors[2] < 1e-3


def test_swing_keeps_its_energy(lammps):
    """Two forces pull the ends of a rod apart: it swings about their line as long as it is let, in long steps, too."""
    result = lammps(free(
        bodies="create_polyhedra 1 at 0 0 0.5 rotate 30 1 0 0", shapes="1 box 0.04 0.04 0.1 density 1000",
        extra="fix push all load/polyhedron force 0 0 2 point 0 0 0.05\n"
              "fix pull all load/polyhedron force 0 0 -2 point 0 0 -0.05",
        dt=5e-3, motion="scheme em", every=1, thermo="f_motion[8] f_motion[10] f_motion[12]", run="run 600"))
    t = result.thermo()
    kinetic = t["f_motion[8]"]
    first, last = kinetic[:100].max(), kinetic[-100:].max()
    show(first=first, last=last / first - 1, account=np.abs(t["f_motion[12]"]).max() / first)
    assert abs(last / first - 1) < 0.01
    assert np.abs(kinetic - t["f_motion[10]"]).max() < 1e-9 * first


def test_frame_body_is_that_of_the_file(lammps):
    """A shape whose principal axes are not those of its file: force and moment of frame body are
    given in the same coordinates as the point."""
    result = lammps(
        free(
            "force 1 0 0 moment 0 0 0.1 frame body",
            shapes=f"1 stl {SHAPES}/lprism.stl density 1000",
            bodies="create_polyhedra 1 at 0 0 0.5",  # as in the file
            dt=1e-6,
            every=1,
            run="run 1",
        )
    )
    t = result.thermo()
    found = [t[f"f_push[{k}]"][0] for k in range(1, 7)]
    show(wrench=np.array(found))
    assert found == pytest.approx([1, 0, 0, 0, 0, 0.1], abs=1e-12)


def test_point_is_that_of_the_file(lammps):
    """The moment of a force about the centre of mass of an L-prism."""
    result = lammps(
        free(
            "force 1 2 3 point 0.01 0.02 0.03",
            shapes=f"1 stl {SHAPES}/lprism.stl density 1000",
            bodies="create_polyhedra 1 place",
            dt=1e-6,
            every=1,
            run="run 1",
        )
    )
    x, *_ = states(result)
    t = result.thermo()
    found = [t[f"f_push[{k}]"][0] for k in (4, 5, 6)]
    expected = np.cross(np.array([0.01, 0.02, 0.03]) - x[0], [1, 2, 3])
    show(moment=np.array(found), expected=expected)
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("motion", ["scheme em", "scheme newmark", EXPLICIT])
def test_variable_load(lammps, motion):
    """A force that grows with time: x = k t^3 / 6 m; it changes evenly within a step."""
    dt, k = 1e-3, 2.0
    result = lammps(
        "variable f equal 2.0*time\n"
        + free("force v_f 0 0", dt=dt, motion=motion, every=50, run="run 200")
    )
    x, q, v, l = states(result)
    table = result.thermo()
    kinetic = 0.5 * MASS * v[-1] @ v[-1]
    show(position_error=x[-1][0] / (k * 0.2**3 / 6 / MASS) - 1,
         speed_error=v[-1][0] / (0.5 * k * 0.2**2 / MASS) - 1,
         work_error=table["f_push"][-1] / kinetic - 1)
    assert v[-1][0] == pytest.approx(0.5 * k * 0.2**2 / MASS, rel=1e-9)
    assert x[-1][0] == pytest.approx(k * 0.2**3 / 6 / MASS, rel=1e-4)
    assert table["f_push"][-1] == pytest.approx(
        kinetic, rel=2e-5 if motion != EXPLICIT else 1e-2)


def test_load_by_a_thermo_value(lammps):
    """A variable may use a compute, as in the host's own fixes."""
    result = lammps(
        "variable f equal 0.1+0*c_speed\n"
        + free("force v_f 0 0", every=10,
               bodies="create_polyhedra 1 at 0 0 0.5\ncompute speed all reduce max vx")
    )
    assert result.thermo()["f_push[1]"][-1] == pytest.approx(0.1)


@pytest.mark.parametrize("ranks", [1, 2])
def test_restart_goes_on(lammps, ranks):
    """Same digits and the same work after a restart."""
    variables = "variable f equal 1e-4*step\n"
    load = "force v_f 0.01 0 moment 0 1e-4 0 point 0.05 0.03 0 frame body"
    parts = dict(dt=1e-3, every=20)
    whole = lammps(variables + free(load, run="restart 40 state.*\nrun 100", **parts),
                   ranks=ranks, where="here")
    expected = whole.frames()[-1].columns
    text = variables + "\n".join(
        [
            "read_restart state.40",
            f"fix shapes all polyhedron/shape {BOX}",
            "neighbor 0.1 bin",
            "timestep 1e-3",
            "fix motion all implicit/polyhedron scheme newmark",
            f"fix push all load/polyhedron {load}",
            "thermo_style custom step time f_push f_motion[10] f_motion[12]",
            "thermo_modify format float %.17g norm no",
            "compute q all property/atom quatw quati quatj quatk",
            "dump d all custom 20 again id type x y z c_q[1] c_q[2] c_q[3] c_q[4] &",
            "  vx vy vz angmomx angmomy angmomz",
            "dump_modify d sort id format float %.17g",
            "run 60",
        ]
    )
    result = lammps(text, ranks=ranks, where="here")
    last = result.frames("again")[-1]
    work = result.thermo()["f_push"][-1]
    show(work=work, difference=work / whole.thermo()["f_push"][-1] - 1)
    assert last.step == 100
    assert all(np.array_equal(last.columns[c], expected[c]) for c in expected)
    for c in ("f_push", "f_motion[10]", "f_motion[12]"):
        assert result.thermo()[c][-1] == whole.thermo()[c][-1], c


@pytest.mark.parametrize("frame", ["space", "body"])
def test_tangent_of_loads(lammps, frame):
    """A body that swings about its centre under a force at a point, in steps that turn it far: the
    residual of Newton's method falls quadratically: r[k+1] against r[k] over all steps."""
    result = lammps(
        free(
            f"force 0 30 -50 moment 0.2 0.1 0 point 0.05 0.03 0.015 frame {frame}",
            bodies="create_polyhedra 1 at 0 0 0.5 rotate 40 1 2 3",
            boundary="p p p",
            skin=0.5,
            dt=1e-3,
            motion="scheme newmark substeps 1 tol 1e-13",
            every=1,
            thermo="f_motion[2] f_motion[13] f_motion[14]",
            run="run 100",
        )
    )
    t = result.thermo()
    r = np.column_stack([t[f"f_motion[{k}]"] for k in (13, 14)])
    r = r[(r[:, 0] < 0.1) & (r[:, 1] > 1e-12)]  # far enough from tol: Newton's steps, not the simplified method's
    order = np.polyfit(*np.log(r.T), 1)[0]
    x, q, v, l = states(result)
    turns = 2 * np.arccos(np.minimum(1, np.abs(np.sum(q[1:] * q[:-1], axis=1))))
    for row in r[:: max(1, len(r) // 8)]:
        print("residuals = " + " ".join(f"{a:.2e}" for a in row))
    show(steps=len(r), order=order, iterations=t["f_motion[2]"][-1],
         turn_per_step=np.degrees(turns).max(), first=r[:, 0].min(), last=r[:, 0].max())
    assert len(r) >= 30 and r[:, 0].max() > 50 * r[:, 0].min()
    assert 1.8 < order < 2.3


GBAR = 5e-4
EPS = G / 4 / (0.4 * GBAR)
FLAT = "1 box 0.1 0.1 0.02 density 5000"
RUBS = f"normal {EPS:.17g} 1 gap {GBAR} damping 0.5 friction 0.3 0.3 1e5 100"
ON_FLOOR = f"create_polyhedra 1 at 0 0 {0.01 + 0.6 * GBAR:.17g}\n"


def test_explicit_and_implicit_sliding_agree(lammps):
    """A block slides to rest: v^2/(2 mu g), and the two kinds of integration agree all the way."""
    found = {}
    for dt, motion in ((1e-5, EXPLICIT), (2e-4, "scheme newmark")):
        result = lammps(
            scene(
                shapes=FLAT,
                law=RUBS,
                bodies=ON_FLOOR + "velocity all set 0.3 0.1 0\nset group all angmom 0 0 0.002",
                dt=dt,
                motion=motion,
                every=round(0.01 / dt),
                run=f"run {round(0.15 / dt)}",
            )
        )
        found[motion] = states(result)
    one, other = found.values()
    way = np.linalg.norm(one[0][-1][:2])
    position = np.abs(one[0] - other[0]).max() / way
    angle = np.abs(one[1] - other[1]).max()
    speed = np.abs(one[2] - other[2]).max() / 0.3
    turned = 2 * np.degrees(np.arccos(abs(one[1][0] @ one[1][-1])))
    show(way=way, position_difference=position, quaternion_difference=angle,
         speed_difference=speed, turned=turned, last_speed=np.abs(one[2][-1]).max())
    assert np.abs(one[2][-1]).max() < 1e-5 and np.abs(other[2][-1]).max() < 1e-5
    assert position < 2e-3 and angle < 2e-3 and speed < 5e-3


def test_sliding_distance(lammps):
    """Without spin the way is v^2/(2 mu g), and the energy goes into friction."""
    v = 0.3
    result = lammps(
        scene(
            shapes=FLAT,
            law=RUBS,
            bodies=ON_FLOOR + f"velocity all set {v} 0 0",
            dt=5e-4,
            every=10,
            thermo=ENERGIES,
            run="run 400",
        )
    )
    x, q, speed, l = states(result)
    t = result.thermo()
    show(way_error=x[-1][0] / (0.5 * v**2 / (0.3 * G)) - 1,
         friction=t["f_motion[21]"][-1] / (0.5 * v**2), drift=t["f_motion[12]"][-1] / (0.5 * v**2))
    assert x[-1][0] == pytest.approx(0.5 * v**2 / (0.3 * G), rel=0.01)
    assert t["f_motion[21]"][-1] == pytest.approx(0.5 * v**2, rel=0.03)


@pytest.mark.parametrize("factor", [0.95, 1.05])
def test_pushed_block_sticks_and_slips(lammps, factor):
    """A horizontal load below and above mu m g, at the height of the floor."""
    force = factor * 0.3 * G
    result = lammps(
        scene(
            shapes=FLAT,
            law=RUBS,
            bodies=ON_FLOOR,
            dt=1e-3,
            every=10,
            thermo=f"f_floor[1] f_push {ENERGIES}",
            walls=f"variable f equal {force:.17g}*((time<0.1)*time/0.1+(time>=0.1))\n"
            f"fix push all load/polyhedron force v_f 0 0 point 0 0 -0.01\n{FLOOR}",
            run="run 300",
        )
    )
    x, q, v, l = states(result)
    t = result.thermo()
    show(displacement=x[-1][0], speed=v[-1][0], friction=t["f_floor[1]"][-1] / (0.3 * G))
    if factor < 1:
        assert x[-1][0] < 1e-5 and abs(v[-1][0]) < 1e-6
        assert t["f_floor[1]"][-1] == pytest.approx(force, rel=1e-3)
    else:
        assert t["f_floor[1]"][-1] == pytest.approx(0.3 * G, rel=1e-3)
        assert v[-1][0] == pytest.approx((force - 0.3 * G) * 0.2, rel=0.05)


def test_lists_made_within_steps_know_the_loads(lammps):
    """Bodies under loads that leave their neighbour lists in the middle of steps go as with a list that holds all of them."""
    def run(skin):
        grid = "".join(f"create_polyhedra 1 at {0.15 * i - 0.3} 0 {0.055 + 0.003 * i} rotate {5 * i} 0 1 1\n" for i in range(5))
        result = lammps(scene(types=2, shapes=f"1 box 0.1 0.1 0.1 density 1000 2 {GRAIN}", bodies=grid + "velocity all set 0.5 0.2 0", walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1\n"
                              "fix push all load/polyhedron force 0 3 4", motion="scheme em", dt=2e-3, skin=skin, every=60, run="run 60",
                              law="normal 2e6 1.5 gap 0.004 barrier 0.1 -2 damping 0.3 friction 0.4 0.4 1e5 20"))
        return result.frames()[-1].vectors("x", "y", "z", "vx", "vy", "vz")
    many, few = run(0.01), run(0.4)
    show(difference=np.abs(many - few).max())
    assert np.abs(many - few).max() < 1e-9


# ---- atoms that have no shape ----

BALL = "create_atoms 2 single 0.4 0 0.5\nset type 2 diameter 0.1 density 1000\n"
DROP = "region up block -0.5 -0.3 -0.1 0.1 0.5 0.6\nfix drop all deposit 1 2 5 4711 region up\n"
PAIRS = dict(pair="pair_style hybrid polyhedron zero 0.5", law="pair_coeff 1 1 polyhedron normal 1e6 1.5 gap 0.002\npair_coeff * 2 zero")
LOADED = {"explicit": "nve/asphere", "implicit": "implicit/polyhedron"}


def beside_a_ball(name, group, balls=BALL):
    return scene(atoms="hybrid ellipsoid sphere", types=2, shapes=BOX, gravity=0, thermo="f_push f_push[1]", every=10, run="run 20",
                 bodies=f"{balls}create_polyhedra 1 at 0 0 0.5\ngroup body type 1\ncomm_modify vel yes",
                 walls=f"fix push {group} load/polyhedron force 1 0 0 point 0 0 0.01", **PAIRS,
                 motion=f"fix motion body {LOADED[name]}")


@pytest.mark.parametrize("balls", [BALL, DROP], ids=["set-up", "later"])
@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("name", LOADED)
def test_atoms_without_a_shape(lammps, name, ranks, balls):
    """They are told of at set-up, or as they come in, whatever moves the bodies."""
    lammps(beside_a_ball(name, "all", balls), ranks=ranks, may_warn="rmass", fail=r"Fix push of style load/polyhedron: atom \d is of "
           "type 2, which has no shape: give the fix a group of polyhedra alone")


@pytest.mark.parametrize("name", LOADED)
def test_group_of_polyhedra_among_others(lammps, name):
    t = lammps(beside_a_ball(name, "body"), may_warn="rmass").thermo()
    assert np.all(t["f_push[1]"] == 1.0) and t["f_push"][-1] > 0.0
