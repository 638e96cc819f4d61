"""Moving walls and friction on them, against analytic answers."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, reduce_local, scene

G = 9.81
MU = 0.3
WEIGHT = G  # a flat box of 1 kg: its friction hardly shifts the load from one vertex to another
GBAR = 5e-4
# each of the four lower vertices carries a quarter of the weight where its gap is 0.6 gbar
EPS = WEIGHT / 4 / (0.4 * GBAR)
NORMAL = f"normal {EPS:.17g} 1 gap {GBAR} damping 0.5"
LAW = f"{NORMAL} friction {MU} {MU} 1e5 300"
HEIGHT = 0.01 + 0.6 * GBAR
FLAT = "1 box 0.1 0.1 0.02 density 5000"
PLANE = "fix floor all wall/polyhedron plane 0 0 0 0 0 1"
ENERGIES = " ".join(f"f_motion[{k}]" for k in (8, 9, 10, 11, 12, 20, 21, 22))


def tray(move="", velocity="", **parts):
    """The flat box at rest on a floor that moves."""
    values = dict(
        shapes=FLAT,
        law=LAW,
        walls=f"{PLANE} {move}",
        bodies=f"create_polyhedra 1 at 0 0 {HEIGHT:.17g}\n{velocity}",
        dt=5e-4,
        every=10,
        thermo=f"f_floor f_floor[1] f_floor[2] f_floor[3] f_floor[7] {ENERGIES}",
    )
    return scene(**(values | parts))


def columns(result, *names):
    """One body's figures by frame."""
    return [np.array([f.columns[n][0] for f in result.frames()]) for n in names]


def balance(t):
    """Largest departure of the energy accounts from their start, over the largest account."""
    e = {k: t[f"f_motion[{k}]"] for k in (8, 9, 10, 11, 12, 20, 21, 22)}
    total = e[8] + e[9] + e[20] - e[10] - e[22] + e[11] + e[21] - e[12]
    return np.abs(total - total[0]).max() / max(np.abs(x).max() for x in e.values())


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("motion", ["scheme newmark", "scheme euler", EXPLICIT])
def test_tray_takes_the_block_along(lammps, motion, ranks):
    """Friction accelerates the block at mu g until it has the tray's velocity v, at t = v/(mu g);
    it slips v^2/(2 mu g). The tray's work is m v^2, one half of it heat."""
    v, a = 0.3, MU * G
    parts = dict(dt=1e-5, thermo="f_floor[1] f_floor[7]") if motion == EXPLICIT else {}
    dt = parts.get("dt", 5e-4)
    n, every = round(0.15 / dt), round(5e-3 / dt)
    script = tray(
        f"move velocity {v} 0 0",
        motion=motion,
        run=f"run {n}",
        processors="* 1 1",
        extra="compute c all polyhedron/contact/local\n"
        + reduce_local("s", "ave", "c_c[16]")
        + f"\nfix slid all ave/time 1 1 {every} c_s file slid.txt",
        **(parts | dict(every=every)),
    )
    result = lammps(script, ranks=ranks)
    x, vx = columns(result, "x", "vx")
    t = 5e-3 * np.arange(len(x))
    before, after = t < v / a, t > v / a + 5e-3
    expected = np.where(before, 0.5 * a * t**2, v * t - 0.5 * v**2 / a)
    slid = float((result.dir / "slid.txt").read_text().split()[-1])
    table = result.thermo()
    work = table["f_floor[7]"][-1]
    show(
        velocity_error=np.abs(vx - np.minimum(a * t, v)).max() / v,
        late_velocity_error=np.abs(vx[-1] / v - 1),
        position_error=np.abs(x - expected).max() / expected[-1],
        slid_error=slid / (0.5 * v**2 / a) - 1,
        work_error=work / v**2 - 1,
        reaction_error=table["f_floor[1]"][1 : before.sum()] / (-MU * WEIGHT) - 1,
    )
    assert before.sum() > 15 and after.sum() > 5
    # the end of slipping is smoothed by c_t, over m / (4 c_t) = 0.8 ms
    error = np.abs(vx - np.minimum(a * t, v))[np.abs(t - v / a) > 0.01].max()
    show(velocity_error_apart=error / v)
    assert error < 0.003 * v
    assert np.abs(x - expected).max() < 0.005 * expected[-1]
    assert slid == pytest.approx(0.5 * v**2 / a, rel=0.01)
    assert work == pytest.approx(v**2, rel=0.01)
    assert vx[-1] == pytest.approx(v, rel=1e-4)
    if motion == EXPLICIT:
        return
    heat = table["f_motion[21]"][-1]
    show(heat=heat / (0.5 * v**2), balance=balance(table), drift=table["f_motion[12]"][-1])
    assert balance(table) < 1e-10
    assert table["f_motion[22]"][-1] == pytest.approx(work, rel=1e-12)
    assert heat == pytest.approx(0.5 * v**2, rel=0.03)


def coulomb(accelerate, velocity, time, n=200000):
    """Position and velocity of a point mass under rigid Coulomb friction: floor velocity(t)."""
    h, x, v = time / n, 0.0, velocity(0.0)
    for k in range(n):
        w = velocity((k + 1) * h)
        step = min(accelerate * h, abs(w - v))
        old, v = v, v + np.copysign(step, w - v)
        x += 0.5 * h * (old + v)
    return x, v


@pytest.mark.parametrize("motion", ["scheme newmark", EXPLICIT])
@pytest.mark.parametrize("factor", [0.8, 2.0])
def test_wiggling_floor(lammps, factor, motion):
    """Below the limit A w^2 = mu g the block goes with the floor; above it slips as a point mass on
    a rigid Coulomb floor does."""
    period, time = 0.2, 0.3
    w = 2 * np.pi / period
    amplitude = factor * MU * G / w**2
    dt = 1e-5 if motion == EXPLICIT else 5e-4
    n = round(time / dt)
    result = lammps(
        tray(
            f"move wiggle {amplitude:.17g} 0 0 {period}",
            f"velocity all set {amplitude * w:.17g} 0 0",
            dt=dt,
            motion=motion,
            every=round(5e-3 / dt),
            thermo="f_floor[1] f_floor[3]",
            run=f"run {n}",
        )
    )
    x, vx = columns(result, "x", "vx")
    t = 5e-3 * np.arange(len(x))
    friction = np.abs(result.thermo()["f_floor[1]"]).max() / WEIGHT
    show(lag=np.abs(x - amplitude * np.sin(w * t)).max() / amplitude, friction=friction)
    if factor < 1.0:
        assert np.abs(x - amplitude * np.sin(w * t)).max() < 0.01 * amplitude
        assert friction == pytest.approx(factor * MU, rel=0.01)
        return
    position, speed = coulomb(MU * G, lambda s: amplitude * w * np.cos(w * s), time)
    show(
        position_error=(x[-1] - position) / amplitude,
        speed_error=(vx[-1] - speed) / amplitude / w,
    )
    assert np.abs(x - amplitude * np.sin(w * t)).max() > 0.1 * amplitude
    # the model's friction is smoothed by its spring and viscosity
    assert abs(x[-1] - position) < 0.01 * amplitude
    assert abs(vx[-1] - speed) < 0.02 * amplitude * w
    assert friction == pytest.approx(MU, rel=0.01)


def leaving(omega, r, time, n=20000):
    """Radius of a point mass that starts with a turntable and slips on it."""
    h, x, v = time / n, np.array([r, 0.0]), np.array([0.0, omega * r])
    for _ in range(n):
        slip = v - omega * np.array([-x[1], x[0]])
        size = np.linalg.norm(slip)
        # before there is slip, friction points to where it will be avoided best: inwards
        v = v - h * MU * G * (slip / size if size > 0.0 else x / np.linalg.norm(x))
        x = x + h * v
    return np.linalg.norm(x)


@pytest.mark.parametrize("factor", [0.93, 1.1, 2.0])
def test_turntable(lammps, factor):
    """A small block at radius r stays where w^2 r < mu g, leaves where it is more."""
    r, time = 0.3, 0.4
    omega = np.sqrt(factor * MU * G / r)
    side, high = 0.02, 0.004
    density = 1.0 / (side**2 * high)
    spin = side**2 / 6 * omega
    result = lammps(
        scene(
            shapes=f"1 box {side} {side} {high} density {density:.17g}",
            law=LAW,
            walls=f"{PLANE} move rotate 0 0 0 0 0 1 {2 * np.pi / omega:.17g}",
            bodies=f"create_polyhedra 1 at {r} 0 {0.5 * high + 0.6 * GBAR:.17g}\n"
            f"velocity all set 0 {omega * r:.17g} 0\nset group all angmom 0 0 {spin:.17g}",
            dt=5e-4,
            every=20,
            run=f"run {round(time / 5e-4)}",
        )
    )
    x, y, vx, vy, l = columns(result, "x", "y", "vx", "vy", "angmomz")
    radius, angle = np.hypot(x, y), np.unwrap(np.arctan2(y, x))
    t = 0.01 * np.arange(len(x))
    show(radius_change=radius[-1] - r, angle_error=np.abs(angle - omega * t).max())
    if factor < 1.0:
        assert np.abs(radius - r).max() < 2e-4 * r
        assert np.abs(angle - omega * t).max() < 1e-3
        assert l[-1] == pytest.approx(spin, rel=1e-2)
        return
    expected = leaving(omega, r, time)
    show(expected_change=expected - r)
    assert radius[-1] - r == pytest.approx(expected - r, rel=0.1 if factor < 1.5 else 0.02)


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("scheme", ["newmark", "euler"])
def test_wall_hits_a_free_block(lammps, scheme, ranks):
    """The impulse is the block's momentum; the wall's work is v times the impulse, and the block's
    kinetic energy and what is dissipated, up to the scheme's error."""
    v = 0.2
    result = lammps(
        scene(
            shapes=FLAT,
            law="normal 2e4 1 gap 0.002 damping 0.3",
            gravity=0,
            walls=f"fix push all wall/polyhedron plane -0.06 0 0 1 0 0 move velocity {v} 0 0",
            bodies="create_polyhedra 1 at 0 0 0.5",
            dt=1e-3,
            every=1,
            processors="* 1 1",
            motion=f"scheme {scheme} maxstep 2e-4",
            thermo=f"f_push[1] f_push[7] {ENERGIES}",
            run="run 150",
        ),
        ranks=ranks,
    )
    (vx,) = columns(result, "vx")
    t = result.thermo()
    kinetic, heat, drift = (t[f"f_motion[{k}]"][-1] for k in (8, 11, 12))
    work = t["f_push[7]"][-1]
    show(
        restitution=vx[-1] / v - 1,
        work_error=work / (v * vx[-1]) - 1,
        drift=drift / work,
        balance=balance(t),
        wall_work=t["f_motion[22]"][-1] / work - 1,
    )
    assert t["f_push[1]"][-1] == 0.0  # it has left the wall
    assert v < vx[-1] < 1.9 * v
    assert work == pytest.approx(v * vx[-1], rel=1e-6 if scheme == "euler" else 1e-3)
    assert kinetic == pytest.approx(0.5 * vx[-1] ** 2, rel=1e-9)
    assert work == pytest.approx(kinetic + heat - drift, rel=1e-9)
    assert abs(drift) < (0.05 if scheme == "euler" else 1e-3) * work
    assert balance(t) < 1e-10


def test_wall_pushes_a_block_over_a_floor(lammps):
    """Steady pushing takes the force mu m g; the wall's work is kinetic energy and heat."""
    v = 0.05
    result = lammps(
        tray(
            velocity=f"fix push all wall/polyhedron plane {-0.05 - 0.7 * GBAR:.17g} 0 0 1 0 0 &\n"
            f"  {NORMAL} move velocity {v} 0 0",
            thermo=f"f_push[1] f_push[7] f_floor[1] f_floor[7] {ENERGIES}",
            run="run 800",
        )
    )
    t = result.thermo()
    (vx,) = columns(result, "vx")
    heat = t["f_motion[11]"] + t["f_motion[21]"]
    gained = t["f_motion[8]"] + t["f_motion[9]"] - t["f_motion[9]"][0] + t["f_motion[20]"]
    account = gained + heat - t["f_motion[12]"] - t["f_motion[10]"]
    show(
        force_error=t["f_push[1]"][-1] / (-MU * WEIGHT) - 1,
        floor=t["f_floor[1]"][-1] / (MU * WEIGHT) - 1,
        speed=vx[-1] / v - 1,
        account=np.abs(t["f_push[7]"] - account).max() / t["f_push[7]"][-1],
        drift=t["f_motion[12]"][-1] / t["f_push[7]"][-1],
    )
    assert t["f_push[1]"][-1] == pytest.approx(-MU * WEIGHT, rel=1e-3)
    assert t["f_floor[1]"][-1] == pytest.approx(MU * WEIGHT, rel=1e-3)
    assert vx[-1] == pytest.approx(v, rel=1e-3)
    assert (t["f_floor[7]"] == 0.0).all()
    assert np.abs(t["f_push[7]"] - account).max() < 1e-9 * t["f_push[7]"][-1]
    assert abs(t["f_motion[12]"][-1]) < 0.01 * t["f_push[7]"][-1]


VARIABLES = """variable v equal 0.3
variable d equal 0.3*time
variable z equal 0
"""
SAME = {
    "velocity variable": "move variable NULL NULL NULL v_v NULL NULL",
    "displacement variable": "move variable v_d NULL NULL NULL NULL NULL",
    "both variables": "move variable v_d NULL v_z v_v NULL v_z",
}


@pytest.mark.parametrize("motion", ["scheme newmark", EXPLICIT])
@pytest.mark.parametrize("name", SAME)
def test_variables_equal_constants(lammps, name, motion):
    parts = dict(motion=motion, thermo="f_floor[1] f_floor[7]", run="run 200", dt=2e-4)
    if motion == EXPLICIT:
        parts["dt"] = 1e-5
    found = {}
    for move in ("move velocity 0.3 0 0", SAME[name]):
        result = lammps(VARIABLES + tray(move, **parts))
        found[move] = np.array(columns(result, "x", "vx", "z", "angmomy"))
    one, other = found.values()
    error = np.abs(one - other).max(axis=1) / np.abs(one).max(axis=1)
    show(errors=error)
    # without a velocity the first step begins at rest
    assert (error[:3] < (1e-2 if name == "displacement variable" else 1e-9)).all()


@pytest.mark.parametrize("motion", ["scheme newmark", EXPLICIT])
def test_variables_equal_wiggle(lammps, motion):
    """Displacement and velocity given: exact at the ends of the steps, cubic between."""
    period, amplitude = 0.2, 0.002
    w = 2 * np.pi / period
    found = []
    dt = 1e-5 if motion == EXPLICIT else 1e-3
    n = round(0.2 / dt)
    for move in (
        f"move wiggle {amplitude} 0 0 {period}",
        "move variable v_d NULL NULL v_v NULL NULL",
    ):
        text = f"variable d equal {amplitude}*sin({w:.17g}*time)\n"
        text += f"variable v equal {amplitude * w:.17g}*cos({w:.17g}*time)\n"
        start = f"velocity all set {amplitude * w:.17g} 0 0"
        parts = dict(dt=dt, motion=motion, thermo="f_floor[7]", every=n // 10, run=f"run {n}")
        result = lammps(text + tray(move, start, **parts))
        found.append(np.array(columns(result, "x", "vx")))
    error = np.abs(found[0] - found[1]).max(axis=1) / np.abs(found[0]).max(axis=1)
    show(errors=error)
    assert (error < 1e-5).all()


@pytest.mark.parametrize("motion", ["scheme newmark", EXPLICIT])
def test_modify_stops_and_goes_on_where_it_is(lammps, motion):
    """A floor that rises, stops, and goes back by another style: the block rests at its height."""
    dt = 1e-5 if motion == EXPLICIT else 1e-3
    n = round(0.1 / dt)
    again = "variable v equal -0.01\n"
    variable = "fix_modify floor move variable NULL NULL NULL NULL NULL v_v\n"
    stop = "fix_modify floor move none\n"
    go = f"run {n}\n"
    result = lammps(
        again
        + tray(
            "move velocity 0 0 0.01",
            dt=dt,
            motion=motion,
            every=2 * n,
            thermo="f_floor[3] f_floor[7]",
            # up by 1 mm, rest, down by 1 mm in two pieces, rest
            run=f"{go}{stop}{2 * go}{go}{variable}{go}{variable}{go}{stop}{2 * go}{go}",
        )
    )
    z = np.array([f.columns["z"][0] for f in result.frames()])
    step = np.array([f.step for f in result.frames()]) / n
    up, down = z[step == 4][0], z[step == 8][0]
    show(up=up - HEIGHT, down=down - HEIGHT)
    assert up - HEIGHT == pytest.approx(1e-3, rel=1e-3)
    assert down - HEIGHT == pytest.approx(-1e-3, rel=1e-3)


@pytest.mark.parametrize("motion", ["scheme newmark", EXPLICIT])
def test_modify_counts_a_displacement_from_its_start(lammps, motion):
    """A displacement that is not 0 when the motion begins: the wall does not jump, once or twice, nor after a restart."""
    dt = 1e-5 if motion == EXPLICIT else 1e-3
    n = round(0.1 / dt)
    lift = f"variable d equal 0.02+0.01*{dt}*step\n"  # the host's time starts anew with its restart file
    variable = "fix_modify floor move variable NULL NULL v_d NULL NULL NULL\n"
    run = f"run {n}\n{variable}run {n}\n{variable}run 0\nrun {n}\nwrite_restart state\nrun {n}"
    parts = dict(dt=dt, motion=motion, every=n, thermo="f_floor[3] f_floor[7]")
    result = lammps(lift + tray(run=run, **parts), where="here")
    rise = result.frames()[-1].columns["z"][0] - HEIGHT
    again = tray(move="move variable NULL NULL v_d NULL NULL NULL", run=f"run {n}", **parts)
    begin = again.index("fix shapes")
    kept = [line for line in again[begin:].splitlines() if not line.startswith(("pair_", "create_poly"))]
    read = lammps(lift + "read_restart state\n" + "\n".join(kept), where="here")
    gone_on = read.frames()[-1].columns["z"][0] - HEIGHT
    show(rise=rise, gone_on=gone_on)
    assert rise == pytest.approx(3e-3, rel=2e-3)
    assert gone_on == pytest.approx(rise, rel=1e-12 if motion != EXPLICIT else 1e-6)


MOVES = {
    "velocity": "move velocity 0.1 0 0.02",
    "wiggle": "move wiggle 0.002 0 0.0005 0.15",
    "rotate": "move rotate -0.2 0 0 0.1 0 1 2.0",
    "variable": "move variable v_d NULL NULL NULL NULL v_v",
}
# by the step: the time of a continued run may differ by rounding
WIGGLING = "variable d equal 0.01*(2e-3*step)^2\nvariable v equal 0.02*cos(40*2e-3*step)\n"


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("motion", ["scheme newmark", "scheme euler"])
@pytest.mark.parametrize("move", MOVES)
def test_restart_is_exact(lammps, move, motion, ranks):
    """A run that reads its restart file gives the same digits as the one that wrote it."""
    thermo = "f_floor f_floor[1] f_floor[3] f_floor[5] f_floor[7] f_motion[22]"
    parts = dict(dt=2e-3, motion=motion, thermo=thermo, every=10)
    script = WIGGLING + tray(MOVES[move], run="restart 40 state.*\nrun 100", **parts)
    whole = lammps(script, ranks=ranks, where="here")
    expected = {f.step: f.columns for f in whole.frames()}
    energies = whole.thermo()
    text = WIGGLING + "\n".join(
        [
            "read_restart state.40",
            f"fix shapes all polyhedron/shape {FLAT}",
            f"{PLANE} {MOVES[move]}",
            "fix g all gravity 9.81 vector 0 0 -1",
            "neighbor 0.05 bin",
            "timestep 2e-3",
            f"fix motion all implicit/polyhedron {motion}",
            f"thermo_style custom step time {thermo}",
            "thermo_modify format float %.17g norm no",
            "thermo 10",
            "compute q all property/atom quatw quati quatj quatk",
            "dump d all custom 10 again id type x y z c_q[1] c_q[2] c_q[3] c_q[4] &",
            "  vx vy vz angmomx angmomy angmomz",
            "dump_modify d sort id format float %.17g",
            "run 60",
        ]
    )
    result = lammps(text, ranks=ranks, where="here")
    frames = [f for f in result.frames("again") if f.step > 40]
    differ = [
        f.step
        for f in frames
        if any(not np.array_equal(f.columns[c], expected[f.step][c]) for c in f.columns)
    ]
    work = result.thermo()["f_floor[7]"][-1]
    show(differing=len(differ), work=work, moved=frames[-1].columns["x"][0])
    assert len(frames) == 6 and differ == []
    assert work == pytest.approx(energies["f_floor[7]"][-1], rel=1e-12, abs=1e-15)
    assert work != 0.0


def test_surface_moves_as_a_plane(lammps):
    """A tray from a file, of two triangles, does what a plane does, also while it turns."""
    corners = [(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.5, 0.5, 0.0), (-0.5, 0.5, 0.0)]
    data = b"\0" * 80 + struct.pack("<I", 2)
    for t in ((0, 1, 2), (0, 2, 3)):
        data += struct.pack("<12fH", 0, 0, 1, *(c for k in t for c in corners[k]), 0)
    found = []
    for wall in ("plane 0 0 0 0 0 1", "stl tray.stl"):
        result = lammps(
            tray(
                walls=f"fix floor all wall/polyhedron {wall} move rotate 0.1 0 0 0 0.1 1 3",
                run="run 100",
            ),
            files={"tray.stl": data},
        )
        found.append(np.array(columns(result, "x", "y", "z", "vx", "vy", "vz")))
    error = np.abs(found[0] - found[1]).max() / np.abs(found[0]).max()
    show(error=error, moved=found[0][0][-1], lifted=found[0][2][-1] - HEIGHT)
    assert np.ptp(found[0][1]) > 1e-4
    assert error < 1e-6


def test_surface_is_scaled_turned_and_shifted(lammps):
    """A file whose coordinates are changed does what one with the changed coordinates does."""
    corners = np.array([(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.5, 0.5, 0.0), (-0.5, 0.5, 0.0)])
    tilted = corners @ np.array([(1, 0, 0), (0, np.cos(0.1), np.sin(0.1)), (0, -np.sin(0.1), np.cos(0.1))])
    before = 1000 * (corners - (0.01, 0.02, 0.03))  # in millimetres, turned by hand afterwards
    found = []
    for points, change in (
        (tilted, ""),
        (before, f"scale 0.001 shift 0.01 0.02 0.03 rotate {np.degrees(0.1):.17g} 2 0 0"),
    ):
        text = "".join(
            "v {:.17g} {:.17g} {:.17g}\n".format(*p) for p in points
        ) + "f 1 2 3\nf 1 3 4\n"
        result = lammps(
            tray(
                walls=f"fix floor all wall/polyhedron obj tray.obj {change}",
                law="normal 1e8 1.5 gap 1e-3 damping 0.5 friction 0.3 0.3 1e5 300",
                bodies=f"create_polyhedra 1 at 0 0 {HEIGHT + 0.01:.17g}",
                run="run 150",
            ),
            files={"tray.obj": text.encode()},
        )
        found.append(np.array(columns(result, "x", "y", "z", "vx", "vy", "vz")))
    error = np.abs(found[0] - found[1]).max()
    show(error=error, slid=found[0][1][-1])
    assert abs(found[0][4]).max() > 1e-2
    assert error < 1e-9


@pytest.mark.parametrize("along", ["x", "y", "z"])
def test_ball_rests_in_a_funnel(lammps, along):
    """On the axis of a cone it is as far from every facet as their inclination says; the axis is
    put upright where it is not."""
    n, r, height = 12, 0.05, 0.4
    upright = {"x": "rotate -90 0 1 0", "y": "rotate 90 1 0 0", "z": ""}[along]
    centre = {"x": "0.2 0.3", "y": "-0.3 0.2", "z": "-0.3 0.2"}[along]
    at = {"x": "-0.3 0.2", "y": "-0.3 -0.2", "z": "-0.3 0.2"}[along]
    result = lammps(
        scene(
            shapes="1 sphere 0.05 density 1000",
            law="normal 1e6 1.5 gap 1e-3 damping 0.9",
            walls=f"fix funnel all wall/polyhedron cone {along} {centre} 0 {height} 0 {height} "
            f"facets {n} {upright}",
            bodies=f"create_polyhedra 1 at {at} 0.09",
            motion="scheme euler",
            dt=5e-3,
            every=100,
            thermo="f_funnel[3]",
            run="run 400",
        )
    )
    z = result.frames()[-1].columns["z"][0]
    gap = z * np.sin(np.arctan(np.cos(np.pi / n))) - r
    weight = 9.81 * 1000 * 4 / 3 * np.pi * r**3
    show(gap=gap, load=result.thermo()["f_funnel[3]"][-1] / weight)
    assert 0.0 < gap < 1e-3
    assert result.thermo()["f_funnel[3]"][-1] == pytest.approx(-weight, rel=1e-6)


def test_fast_wall_is_followed_by_short_substeps(lammps):
    """A wall that would cross the block in one step: substeps are shortened, no body passes."""
    result = lammps(
        scene(
            shapes=FLAT,
            law="normal 1e6 1 gap 0.002 barrier 0.1 -2 damping 0.5",
            gravity=0,
            walls="fix push all wall/polyhedron plane -0.2 0 0 1 0 0 move velocity 5 0 0",
            bodies="create_polyhedra 1 at 0 0 0.5",
            dt=0.05,
            skin=0.2,
            every=1,
            motion="scheme euler",
            thermo="f_motion[1] f_motion[3] f_motion[6]",
            run="run 3",
        )
    )
    x, vx = columns(result, "x", "vx")
    t = result.thermo()
    show(substeps=t["f_motion[1]"][-1], rejected=t["f_motion[3]"][-1], vx=vx[-1])
    assert t["f_motion[3]"][-1] > 0
    assert x[-1] - 0.05 > -0.2 + 5 * 0.15
    assert vx[-1] > 4.9
