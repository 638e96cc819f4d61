"""Mechanics against known answers, and explicit against implicit integration."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, LAW, scene

G = 9.81
STATE = ("x", "y", "z", "vx", "vy", "vz", "angmomx", "angmomy", "angmomz")
ENERGIES = " ".join(f"f_motion[{k}]" for k in range(1, 20))
WEIGHT = 1000 * 0.1**3 * G
BARRIER = "in the barrier of their law"
SOFT = "normal 2e7 1.5 gap 0.002 barrier 0.1 -1"


def quaternions(frame):
    return frame.vectors("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")


def rotate(q, v):
    """v turned by the quaternion q (w first)."""
    w, u = q[0], q[1:]
    return v + 2 * np.cross(u, np.cross(u, v) + w * v)


@pytest.mark.parametrize("motion", ["scheme newmark", EXPLICIT])
def test_free_fall_is_exact(lammps, motion):
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 1 rotate 20 1 2 3\nvelocity all set 0.3 0 1",
            motion=motion,
            every=100,
            run="run 400",
        )
    )
    frames = result.frames()
    t = np.array([1e-3 * f.step for f in frames])
    z = np.array([f.columns["z"][0] for f in frames])
    x = np.array([f.columns["x"][0] for f in frames])
    error = max(np.abs(z - (1 + t - 0.5 * G * t**2)).max(), np.abs(x - 0.3 * t).max())
    show(position_error=error)
    assert error < 1e-12


def euler_equations(q, l, inertia, t, n=1000):
    """Torque-free rotation by RK4 in n steps: quaternion after time t."""

    def slope(q):
        body = rotate(q * [1, -1, -1, -1], l) / inertia
        w = rotate(q, body)
        return 0.5 * np.concatenate([[-w @ q[1:]], q[0] * w + np.cross(w, q[1:])])

    h = t / n
    for _ in range(n):
        a = slope(q)
        b = slope(q + 0.5 * h * a)
        c = slope(q + 0.5 * h * b)
        d = slope(q + h * c)
        q = q + h / 6 * (a + 2 * b + 2 * c + d)
        q /= np.linalg.norm(q)
    return q


def test_torque_free_tumbling(lammps):
    """Second order in the step; energy and angular momentum."""
    size = np.array([0.1, 0.06, 0.03])
    mass = 1000 * size.prod()
    inertia = mass / 12 * ((size**2).sum() - size**2)
    errors, q = [], None
    for n in (100, 200, 400):
        extra = "set group all angmom 2e-4 1e-3 1e-4\ncompute r all erotate/asphere"
        result = lammps(
            scene(
                shapes="1 box 0.1 0.06 0.03 density 1000",
                gravity=0,
                walls="",
                dt=0.4 / n,
                bodies="create_polyhedra 1 at 0 0 1 rotate 20 1 2 3\n" + extra,
                every=n,
                motion="scheme newmark substeps 1",
                thermo="c_r",
                skin=0.1,
                run=f"run {n}",
            )
        )
        first, last = result.frames()
        q0, q1 = quaternions(first)[0], quaternions(last)[0]
        l0, l1 = (f.vectors("angmomx", "angmomy", "angmomz")[0] for f in (first, last))
        energy = result.thermo()["c_r"]
        # principal axes of the built-in box are the file's
        q = euler_equations(q0, l0, inertia, 0.4) if q is None else q
        turn = 2 * np.arcsin(min(1.0, np.linalg.norm(q - q1 * np.sign(q @ q1))))
        errors.append(
            (turn, abs(energy[-1] / energy[0] - 1), np.linalg.norm(l1 - l0) / np.linalg.norm(l0))
        )
    errors = np.array(errors)
    order = np.log2(errors[:-1] / errors[1:])
    show(
        turn_errors=errors[:, 0],
        energy_errors=errors[:, 1],
        momentum_errors=errors[:, 2],
        orders=order,
    )
    assert errors[-1, 0] < 1e-2
    assert (order[:, 0] > 1.8).all()
    assert errors[-1, 1] < 1e-3 and errors[-1, 2] < 1e-3


CUBE_ON_PLANE = dict(
    bodies="create_polyhedra 1 at 0 0 0.092 rotate 40 1 2 3\nvelocity all set 0.2 0 -1",
    run_time=0.03,
)
GLANCING = dict(
    shapes="1 box 0.1 0.08 0.06 density 1000",
    walls="",
    gravity=0.0,
    run_time=0.08,
    bodies="create_polyhedra 1 at -0.08 0 1 rotate 40 1 2 3\n"
    "create_polyhedra 1 at 0.08 0.03 1.02 rotate 70 3 1 -2\n"
    "group a id 1\ngroup b id 2\nvelocity a set 1 0 0\nvelocity b set -0.5 0.1 0",
)


@pytest.mark.parametrize("case", [CUBE_ON_PLANE, GLANCING], ids=["cube-plane", "two-bodies"])
def test_explicit_and_implicit_impact_agree(lammps, case):
    """Steps 50 times apart; velocities after the impact to 1e-3 of the impact velocity."""
    parts = dict(case)
    time = parts.pop("run_time")
    frames = {}
    for dt, motion in ((1e-5, EXPLICIT), (5e-4, "scheme newmark")):
        n = round(time / dt)
        result = lammps(scene(law=SOFT, dt=dt, motion=motion, every=n, run=f"run {n}", **parts))
        frames[motion] = result.frames()
    first, last = frames[EXPLICIT]
    other = frames["scheme newmark"][-1]
    v = last.vectors("vx", "vy", "vz")
    change = np.abs(v - first.vectors("vx", "vy", "vz")).max()
    error = np.abs(v - other.vectors("vx", "vy", "vz")).max()
    spin = last.vectors("angmomx", "angmomy", "angmomz")
    spin_error = (
        np.abs(spin - other.vectors("angmomx", "angmomy", "angmomz")).max() / np.abs(spin).max()
    )
    show(velocity_change=change, velocity_error=error, angular_momentum_error=spin_error)
    assert change > 0.2  # they did collide
    assert error < 1e-3
    assert spin_error < 5e-3


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("damping", ["", " damping 0.3"])
@pytest.mark.parametrize("motion", ["scheme newmark", "scheme euler", EXPLICIT])
def test_momentum_is_conserved(lammps, motion, damping, ranks):
    """Two free bodies collide; total linear and angular momentum before and after."""
    parts = dict(GLANCING)
    time = parts.pop("run_time")
    dt = 1e-5 if motion == EXPLICIT else 5e-4
    n = round(time / dt)
    result = lammps(
        scene(
            law=SOFT + damping,
            dt=dt,
            motion=motion,
            every=n,
            processors="* 1 1",
            run=f"run {n}",
            **parts,
        ),
        ranks=ranks,
    )
    momenta = []
    for frame in result.frames():
        x, v, l = (frame.vectors(*STATE[k : k + 3]) for k in (0, 3, 6))
        m = 1000 * 0.1 * 0.08 * 0.06
        momenta.append((m * v.sum(0), (l + m * np.cross(x, v)).sum(0), np.abs(m * v).max()))
    linear = np.abs(momenta[1][0] - momenta[0][0]).max() / momenta[0][2]
    angular = np.abs(momenta[1][1] - momenta[0][1]).max() / (momenta[0][2] * 0.1)
    show(linear_error=linear, angular_error=angular)
    assert linear < 1e-8
    assert angular < (2e-2 if motion == "scheme euler" else 1e-3)


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("damping", [0.0, 0.2])
@pytest.mark.parametrize("scheme", ["newmark", "euler"])
def test_energy_accounts_balance(lammps, scheme, damping, ranks):
    """Kinetic + contact energy - work + damping - drift is constant: f_motion[8..12]."""
    bodies = (
        "create_polyhedra 1 at -0.2 0 0.2 rotate 30 1 2 3\n"
        "create_polyhedra 1 at 0.2 0 0.2 rotate 50 3 -2 1"
    )
    result = lammps(
        scene(
            bodies=bodies,
            law=LAW + f" damping {damping}",
            motion=f"scheme {scheme}",
            dt=2e-3,
            every=5,
            processors="* 1 1",
            thermo=ENERGIES,
            run="run 150",
        ),
        ranks=ranks,
        warn=BARRIER if scheme == "newmark" and damping == 0.0 else "",
    )
    t = result.thermo()
    kinetic, contact, work, damped, drift = (t[f"f_motion[{k}]"] for k in (8, 9, 10, 11, 12))
    total = kinetic + contact - work + damped - drift
    z = np.array([f.columns["z"].sum() for f in result.frames()])
    weight_work = WEIGHT * (z[0] - z)
    v = np.array([np.sum(f.vectors("vx", "vy", "vz") ** 2) for f in result.frames()])
    show(
        balance=np.abs(total - total[0]).max(),
        work_error=np.abs(work - weight_work).max(),
        damped=damped[-1],
        drift=drift[-1],
        contact=contact.max(),
        substeps=t["f_motion[1]"][-1],
        rejected=t["f_motion[3]"][-1],
    )
    assert np.abs(total - total[0]).max() < 1e-12 * work.max()
    assert np.abs(work - weight_work).max() < 1e-12 * work.max()
    assert damped[-1] > 0.1 if damping else damped[-1] == 0.0
    assert (kinetic >= 0.5 * v - 1e-12).all()
    if scheme == "euler":
        assert drift[-1] < 0.0
    elif not damping:
        assert abs(drift[-1]) < 1e-3 * work.max()
    else:
        assert abs(drift[-1]) < damped[-1]


# a cube comes to rest on the floor, a smaller box upon it
REST_SHAPES = "1 box 0.1 0.1 0.1 density 1000 2 box 0.06 0.05 0.04 density 2000"
UPPER = 2000 * 0.06 * 0.05 * 0.04 * G
REST = dict(
    types=2,
    shapes=REST_SHAPES,
    processors="1 1 *",
    bodies="create_polyhedra 1 at 0 0 0.051\n"
           "create_polyhedra 2 at 0.013 0.01 0.1225 rotate 20 0 0 1",
    box="block -1 1 -1 1 -0.1 0.3",
    law=LAW + " damping 0.7",
    motion="scheme euler",
    dt=2e-3,
)
LOCAL = """
compute c all polyhedron/contact/local
dump rows all local 1 rows.{name} {columns}
dump_modify rows format float %.17g
"""
COLUMNS = " ".join(f"c_c[{k}]" for k in range(1, 12))


def rows(result, name):
    """Table of the last frame of a local dump."""
    return result.frames(f"rows.{name}")[-1].table()


@pytest.mark.parametrize("ranks", [1, 2])
def test_rest(lammps, ranks):
    """Reaction = weight; the rows of the contact compute sum to it and are the same for explicit
    integration; potential energy is the contact energy in both."""
    rest = scene(
        every=100,
        thermo="pe f_motion[9] f_floor f_floor[3] f_motion[8] f_motion[7]",
        run="run 1000\nfix_modify motion tol 1e-12\nrun 5\nwrite_restart state",
        **REST,
    )
    result = lammps(rest, ranks=ranks, where="rest")
    t = result.tables()[-1]
    reaction = abs(t["f_floor[3]"][-1] / (WEIGHT + UPPER) + 1)
    show(reaction_error=reaction, kinetic=t["f_motion[8]"][-1], contacts=t["f_motion[7]"][-1])
    assert reaction < 1e-8
    assert t["PotEng"][-1] == pytest.approx(t["f_motion[9]"][-1], rel=1e-9)
    assert t["f_floor"][-1] > 0.0

    again = (
        """read_restart state
fix shapes all polyhedron/shape {shapes}
fix_modify POLYHEDRON_RESTART changed motion
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix g all gravity 9.81 vector 0 0 -1
neighbor 0.05 bin
{motion}
thermo_style custom step pe f_floor f_floor[3]
thermo_modify format float %.17g norm no
"""
        + LOCAL
        + "run 0"
    )
    table = {}
    for name, motion in (
        ("implicit", "fix motion all implicit/polyhedron scheme euler"),
        ("explicit", EXPLICIT),
    ):
        r = lammps(
            again.format(shapes=REST_SHAPES, motion=motion, name=name, columns=COLUMNS),
            ranks=ranks,
            where="rest",
        )
        table[name] = rows(r, name)
        s = r.tables()[-1]
        assert s["PotEng"][-1] == pytest.approx(t["PotEng"][-1], rel=1e-10)
        assert s["f_floor[3]"][-1] == pytest.approx(t["f_floor[3]"][-1], rel=1e-7)
        on_floor = table[name][table[name][:, 1] < 0]
        between = table[name][table[name][:, 1] == 2]
        floor = (on_floor[:, 8] * on_floor[:, 10]).sum()
        upper = (between[:, 8] * between[:, 10]).sum()
        show(
            **{
                f"{name}_rows": len(table[name]),
                f"{name}_floor": floor / (WEIGHT + UPPER),
                f"{name}_upper": upper / UPPER,
            }
        )
        assert abs(abs(floor) / (WEIGHT + UPPER) - 1) < 1e-7
        assert abs(abs(upper) / UPPER - 1) < 1e-7
        assert (table[name][:, 10] * 0 == 0).all() and (on_floor[:, 5] < 0.001).all()
    order = {k: v[np.lexsort(v.T[::-1].round(9))] for k, v in table.items()}
    assert np.allclose(order["implicit"], order["explicit"], rtol=1e-10, atol=1e-12)


def test_explicit_energy_is_conserved(lammps):
    """Kinetic, contact and gravitational energy over a bounce: pe holds pair and wall."""
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.12 rotate 40 1 2 3\n"
                   "create_polyhedra 1 at 0.01 0 0.3\n"
            "compute r all erotate/asphere",
            law=SOFT,
            motion=EXPLICIT,
            dt=1e-5,
            every=500,
            thermo="pe c_r f_g f_floor",
            run="run 15000",
        )
    )
    t = result.thermo()
    v2 = np.array([np.sum(f.vectors("vx", "vy", "vz") ** 2) for f in result.frames()])
    z = np.array([f.columns["z"].sum() for f in result.frames()])
    total = 0.5 * v2 + t["c_r"] + t["PotEng"] + WEIGHT * z
    show(contact_energy=t["PotEng"].max(), energy_error=np.abs(total - total[0]).max() / v2.max())
    assert t["PotEng"].max() > 0.01
    assert np.abs(total - total[0]).max() < 1e-4 * v2.max()


@pytest.mark.parametrize("height", [0.06, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("law", ["damping 0.3", "damping 0.7 friction 0.5 0.4"])
def test_newmark_bounces_with_damping(lammps, law, height):
    """A damped contact opens without force: the body counts as one in contact for the energy guard all the same."""
    t = lammps(scene(bodies=f"create_polyhedra 1 at 0 0 {height}", law=f"auto {law}", dt=1e-2, motion="scheme newmark",
                     thermo="f_motion[1] f_motion[12]", run="run 50")).thermo()
    show(substeps=t["f_motion[1]"][-1], error=t["f_motion[12]"][-1] / (G * height))
    assert abs(t["f_motion[12]"][-1]) < 1e-3 * G * height
