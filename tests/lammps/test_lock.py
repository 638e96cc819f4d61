"""fix lock/polyhedron: held components of motion, hinges."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import show
from scenes import PRESSED, scene

SOFT = "normal 1e6 1.5 gap 0.002 damping 0.5"
GRIP = SOFT + " friction 0.5 0.4 1e5 10"
G = 9.81


def series(result, *columns):
    """Columns of the first body over the frames of the dump."""
    return np.array([f.vectors(*columns)[0] for f in result.frames()])


# a rod of 0.1 x 0.1 x 0.3 that hangs from a point on its axis, 0.12 from its centre
LENGTH, MASS = 0.12, 3.0
INERTIA = MASS * (0.1**2 + 0.3**2) / 12 + MASS * LENGTH**2


def pendulum(angle: float, fixes: str = "fix axle all lock/polyhedron hinge 0.1 0.2 1 0 1 0", **parts):
    """The rod turned by `angle` degrees out of its rest about the y axis through the point."""
    a = np.radians(angle)
    x, z = 0.1 - LENGTH * np.sin(a), 1.0 - LENGTH * np.cos(a)
    return scene(
        **(
            dict(
                shapes="1 box 0.1 0.1 0.3 density 1000",
                bodies=f"create_polyhedra 1 at {x:.17g} 0.2 {z:.17g} rotate {angle} 0 1 0",
                law=SOFT,
                walls=fixes,
            )
            | parts
        )
    )


@pytest.mark.parametrize("scheme, accuracy", [("em", 2e-5), ("newmark", 5e-5)])
@pytest.mark.parametrize("angle", [5, 90])
def test_physical_pendulum(lammps, scheme, accuracy, angle):
    """Period of the pendulum, for small and for large amplitudes; energy; place of the axis."""
    result = lammps(pendulum(angle, motion=f"scheme {scheme}", dt=1e-3, every=1, run="run 2500"))
    at = series(result, "x", "y", "z")
    dx, dz = at[:, 0] - 0.1, at[:, 2] - 1.0
    time = np.arange(len(at)) * 1e-3
    k = np.nonzero((dx[:-1] < 0) & (dx[1:] >= 0))[0]  # swings through its rest to one side
    crossing = time[k] - dx[k] / (dx[k + 1] - dx[k]) * 1e-3
    period = np.diff(crossing).mean()
    a, b = 1.0, np.cos(np.radians(angle) / 2)  # arithmetic-geometric mean
    for _ in range(30):
        a, b = (a + b) / 2, np.sqrt(a * b)
    expected = 2 * np.pi / a * np.sqrt(INERTIA / (MASS * G * LENGTH))
    distance = np.abs(np.hypot(dx, dz) - LENGTH).max()
    v = series(result, "vx", "vy", "vz")
    spin = series(result, "angmomy")[:, 0] / (INERTIA - MASS * LENGTH**2)
    energy = 0.5 * INERTIA * spin**2 + MASS * G * at[:, 2]
    show(period=period, error=period / expected - 1, distance=distance, energy=np.ptp(energy))
    assert len(k) >= 2
    assert period == pytest.approx(expected, rel=accuracy)
    assert distance < 1e-13 and np.ptp(at[:, 1]) < 1e-14
    assert np.abs(np.hypot(v[:, 0], v[:, 2]) - np.abs(spin) * LENGTH).max() < 1e-12
    if scheme == "em":
        assert np.ptp(energy) < 1e-9 * MASS * G * LENGTH


def test_hinge_reaction(lammps):
    """At the lowest point of a swing from the horizontal the axle bears the weight and the centripetal
    force; an eccentric load at rest is borne by the moment that a full lock gives."""
    result = lammps(
        pendulum(90, motion="scheme em", dt=2e-4, every=1, thermo="f_axle[1] f_axle[3] f_axle[4]", run="run 1400")
    )
    x = series(result, "x")[:, 0] - 0.1
    low = np.abs(x).argmin()
    w2 = 2 * MASS * G * LENGTH / INERTIA
    expected = MASS * (G + w2 * LENGTH)
    force = result.thermo()["f_axle[3]"][low - 1 : low + 2].mean()
    show(force=force, expected=expected)
    assert force == pytest.approx(expected, rel=1e-3)
    held = lammps(
        pendulum(
            90,
            "fix axle all lock/polyhedron translation xyz rotation xyz\n"
            "fix push all load/polyhedron force 0 0 2 point 0 0 0.1",
            motion="scheme em",
            every=5,
            thermo="f_axle[1] f_axle[2] f_axle[3] f_axle[4] f_axle[5] f_axle[6]",
        )
    )
    t = {k: v[-1] for k, v in held.thermo().items()}
    assert [t[f"f_axle[{k}]"] for k in (1, 2, 3)] == pytest.approx([0, 0, MASS * G - 2], abs=1e-9)
    assert [t[f"f_axle[{k}]"] for k in (4, 5, 6)] == pytest.approx([0, 0.2, 0], abs=1e-9)
    assert np.ptp(series(held, "x", "y", "z", "c_q[1]", "c_q[2]", "c_q[3]"), axis=0).max() == 0.0


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_plane_strain(lammps, scheme):
    """A block that cannot leave a plane y = const slides down a slope that would take it out of it."""
    slope = np.radians(30)
    n = np.array([np.sin(slope) / np.sqrt(2), np.sin(slope) / np.sqrt(2), np.cos(slope)])
    x = n * 0.0515
    axis, turn = np.cross([0, 0, 1], n), 30
    result = lammps(
        scene(
            bodies=f"create_polyhedra 1 at {x[0]} {x[1]} {x[2]} rotate {turn} {axis[0]} {axis[1]} 0",
            walls=f"fix floor all wall/polyhedron plane 0 0 0 {n[0]} {n[1]} {n[2]}\n"
            "fix plane all lock/polyhedron translation y rotation xz",
            law=SOFT,
            motion=f"scheme {scheme}",
            box="block -2 2 -1 1 -2 1.9",
            thermo="f_plane[1] f_plane[2] f_plane[3]",
            every=10,
            run="run 400",
        )
    )
    v, y = series(result, "vx", "vz"), series(result, "y")
    spin = series(result, "angmomx", "angmomz")
    along = np.array([n[2], 0.0, -n[0]]) / np.hypot(n[0], n[2])
    expected = -G * along[2]
    time = result.thermo()["Time"]
    speed = v @ along[[0, 2]]
    got = np.polyfit(time[20:], speed[20:], 1)[0]
    # the slope pushes by N n; along its part in the plane nothing moves
    push = G * n[2] / (n[0] ** 2 + n[2] ** 2)
    held = result.thermo()["f_plane[2]"][20:].mean()
    show(acceleration=got, expected=expected, held=held)
    assert got == pytest.approx(expected, rel=1e-3)
    assert np.array_equal(y, np.full_like(y, y[0])) and np.abs(spin).max() < 1e-20
    assert held == pytest.approx(-push * n[1], rel=1e-2)


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_moment_on_an_inclined_rod(lammps, scheme):
    """A rod that may turn about z alone: what holds it takes the moments across, from the first step on."""
    rod = np.array([0.4, 0.05, 0.05])
    j = 1000 * rod.prod() / 12 * ((rod**2).sum() - rod**2)
    moment, dt = 1e-3, 1e-3
    result = lammps(scene(
        shapes="1 box 0.4 0.05 0.05 density 1000", bodies="create_polyhedra 1 at 0 0 1 rotate 45 0 1 0",
        walls=f"fix guide all lock/polyhedron rotation xy\nfix push all load/polyhedron moment 0 0 {moment}", gravity=0,
        motion=f"scheme {scheme} substeps 1", dt=dt, every=1, extra="compute w all property/atom angmomz",
        thermo="f_motion[8]", run="run 1"))
    about = 0.5 * (j[0] + j[2])
    energy = result.thermo()["f_motion[8]"][-1]
    show(over_exact=energy / (0.5 * (moment * dt) ** 2 / about) - 1)
    assert energy == pytest.approx(0.5 * (moment * dt) ** 2 / about, rel=1e-6)


def test_body_axes(lammps):
    """A piston in a guide of its own: along the body's x axis alone."""
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 1 rotate 30 0 1 0",
            walls="",
            law=SOFT,
            motion="scheme em",
            extra="fix guide all lock/polyhedron translation yz rotation xyz frame body",
            every=10,
            run="run 300",
        )
    )
    at, v = series(result, "x", "z"), series(result, "vx", "vz")
    way = 0.5 * G * np.sin(np.pi / 6) * 0.3**2
    show(way=np.hypot(*(at[-1] - at[0])), expected=way)
    assert at[-1] - at[0] == pytest.approx([way * np.cos(np.pi / 6), -way * np.sin(np.pi / 6)], rel=1e-9)
    assert np.abs(v @ [np.sin(np.pi / 6), np.cos(np.pi / 6)]).max() < 1e-13


@pytest.mark.parametrize("ranks", [1, 2])
def test_flap_falls(lammps, ranks):
    """A plate on a hinge at its edge falls on a cube and a floor: the hinge holds in impacts, and the
    bodies keep apart; a continued run gives the same digits."""
    parts = dict(
        types=2,
        shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.6 0.3 0.05 density 1000",
        bodies="create_polyhedra 2 at 0.3 0 0.8 rotate -40 0 1 0\ncreate_polyhedra 1 at 0.3 0 0.0515\n"
        "group lid type 2",
        law="normal 2e7 1.5 gap 0.002 damping 0.5 friction 0.5 0.4 1e6 10",
        motion="scheme em path 0",
        dt=1e-3,
        every=25,
        box="block -4 4 -1 1 -0.1 1.9",
        processors="* 1 1",
    )
    a = np.radians(-40)
    hinge = np.array([0.3 - 0.3 * np.cos(a), 0.8 + 0.3 * np.sin(a)])
    parts["extra"] = f"fix axle lid lock/polyhedron hinge {hinge[0]:.17g} 0 {hinge[1]:.17g} 0 2 0"
    result = lammps(
        scene(run="run 400\nwrite_restart s.restart\nrun 600", thermo="f_motion[12] f_motion[24]", **parts),
        ranks=ranks,
        where="here",
        warn="in the barrier of their law",
        may_warn=PRESSED,
    )
    at = series(result, "x", "z") - hinge
    show(hinge=np.abs(np.hypot(*at.T) - np.hypot(*at[0])).max(), drop=at[-1, 1] - at[0, 1])
    assert at[-1, 1] - at[0, 1] < -0.1  # it fell
    assert np.abs(np.hypot(*at.T) - np.hypot(*at[0])).max() < 1e-12
    assert lammps.intersections(result, "dump", "0 0 0 0 0 1") == 0
    text = scene(run="run 600", **(parts | dict(bodies="group lid type 2")))
    head = "processors * 1 1\nread_restart s.restart\n"
    body = text[text.index("fix shapes") :].split("\n")
    body = [l for l in body if not l.startswith(("pair_style", "pair_coeff"))]
    again = lammps(
        head + "\n".join(body).replace("d all custom 25 dump", "d all custom 25 dump2"),
        ranks=ranks,
        where="here",
        warn="in the barrier of their law",
        may_warn=PRESSED,
    )
    columns = ("x", "y", "z", "c_q[1]", "c_q[3]", "vx", "vz", "angmomy")
    assert np.array_equal(
        result.frames()[-1].vectors(*columns), again.frames("dump2")[-1].vectors(*columns)
    )


def test_velocity_is_held(lammps):
    """A roller that turns at constant speed drags a plank; its drive does the work."""
    result = lammps(
        scene(
            types=2,
            shapes="1 box 0.4 0.4 0.1 density 1000 2 box 0.1 0.1 0.1 density 1000",
            bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 2 at 0 0 0.3015\ngroup low type 1\n"
            "set type 1 angmom 0 0 0.42666666666666666",
            walls="fix drive low lock/polyhedron translation xyz rotation xyz",
            law=GRIP,
            motion="scheme em",
            every=50,
            thermo="f_drive[3] f_drive[6] f_motion[8] f_motion[22] f_motion[12]",
            run="run 500",
        )
    )
    spin = series(result, "angmomz")[:, 0]
    other = result.frames()[-1].vectors("angmomz", "z")[1]
    t = result.thermo()
    show(spin=other[0] * 600, work=t["f_motion[22]"][-1])
    assert np.abs(spin - 0.42666666666666666).max() < 1e-12  # 16 kg, 0.16 m2 / 6: 1 rad/s
    assert other[0] * 600 == pytest.approx(1.0, abs=1e-3)  # the cube's inertia is 1/600
    assert t["f_drive[3]"][-1] == pytest.approx(17 * G, rel=1e-4)


def test_hinges_in_periodic_cells(lammps):
    """A pendulum swings in a periodic cell as in an open one; it cannot come round to the next image of its axis."""
    box = "block -0.25 0.45 0.09 0.31 -0.1 1.9"  # the image of the axis is 0.7 away
    open_one = series(lammps(pendulum(90, dt=1e-3, every=10, run="run 400")), "x", "y", "z")
    result = lammps(pendulum(90, boundary="p p f", box=box, dt=1e-3, every=10, run="run 400"))
    apart = np.abs(series(result, "x", "y", "z") - open_one).max()
    show(apart=apart)
    assert apart < 1e-6
    long = "fix axle all lock/polyhedron hinge 0.1 0.2 1.4 0 1 0"
    lammps(
        pendulum(5, long, boundary="p p f", box=box),
        fail=r"Fix axle of style lock/polyhedron: body 1 is 0.5\d* away from its hinge, but the periodic cell is 0.7 wide",
    )
    lammps(pendulum(5, long, boundary="f p f", box=box))


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "nothing is held: give translation, rotation or hinge"),
        ("translation none", "nothing is held"),
        ("translation xw", "translation xw: must be none, x, y, z, xy, xz, yz or xyz"),
        ("translation x hinge 0 0 0 0 0 1", "a hinge leaves one rotation alone"),
        ("hinge 0 0 0 0 0 1 frame body", "a hinge leaves one rotation alone"),
        ("hinge 0 0 0 0 0 0", "the axis must not be zero"),
        ("hinge 0 0 0", "keyword hinge needs 6 values"),
        ("frame world", "frame world: must be space or body"),
        ("hinge 0 1e9 0 0 0 1", r"the point of the hinge is 1e\+09 away from the middle of the box, the most is 3.46\d*e\+05"),
    ],
)
def test_syntax(lammps, text, why):
    lammps(scene(extra=f"fix l all lock/polyhedron {text}"), fail=why)


def test_errors(lammps):
    lammps(
        scene(extra="fix l all lock/polyhedron translation x", motion="comm_modify vel yes\nfix m all nve/asphere"),
        fail="Fix lock/polyhedron requires fix implicit/polyhedron",
    )
    lammps(
        scene(extra="fix a all lock/polyhedron translation x\nfix b all lock/polyhedron hinge 0 0 0 1 0 0"),
        fail="Fix b of style lock/polyhedron: another fix holds body 1, too",
    )
    lammps(scene(extra="fix a all lock/polyhedron translation x\nfix b all setforce NULL 0 NULL"))


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
@pytest.mark.parametrize("dt", [1e-4, 1e-2])
def test_hinge_turns_the_momentum_round(lammps, scheme, dt):
    """A rod that turns about its end without other forces: m w^2 r, whatever the scheme and the step, and no moment about the axle."""
    parts = dict(shapes="1 box 0.05 0.05 0.5 density 1000", box="block -1 1 -1 1 -1 1", walls="", gravity=0.0, every=1, dt=dt)
    result = lammps(scene(**parts, bodies="create_polyhedra 1 at 0 0 -0.25\nvelocity all set -2.5 0 0\nset group all angmom 0 0.26302083333333333 0",
                          motion=f"fix axle all lock/polyhedron hinge 0 0 0 0 1 0\nfix motion all implicit/polyhedron scheme {scheme}",
                          thermo="f_axle[1] f_axle[2] f_axle[3] f_axle[4] f_axle[5] f_axle[6]", run=f"run {round(0.1 / dt)}"))
    t = {k: v[1:] for k, v in result.thermo().items()}
    force = np.hypot(t["f_axle[1]"], t["f_axle[3]"])
    show(force=force[-1], moment=np.abs(t["f_axle[5]"]).max())
    assert force == pytest.approx(np.full(len(force), 31.25), rel=2e-3 if dt > 1e-3 else 1e-6)
    assert np.abs([t[f"f_axle[{k}]"] for k in (4, 5, 6)]).max() < 1e-9


@pytest.mark.parametrize("speed", [0, 3])
def test_energy_on_a_heavy_slab_that_is_held(lammps, speed):
    """The energy guard of newmark does not look at what is held: a cube keeps its own energy on a slab of 13 t."""
    result = lammps(scene(types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 9 2 0.3 density 2400", motion="scheme newmark", dt=1e-2,
                          bodies=f"create_polyhedra 1 at 0 0 0.2 rotate 33 1 2 3\ncreate_polyhedra 2 at 0 0 -0.15\n"
                                 f"group slab type 2\nvelocity all set {speed} 0 0", box="block -6 12 -2 2 -1 1",
                          walls="fix lk slab lock/polyhedron translation xyz rotation xyz", law="normal 1e7 1.5 gap 0.002 barrier 0.1 -2",
                          thermo="f_motion[12]", run="run 100"), warn="in the barrier of their law")
    show(error=result.thermo()["f_motion[12]"][-1])
    assert abs(result.thermo()["f_motion[12]"][-1]) < 5e-3


HOLDS = {"wall": "fix w all wall/polyhedron plane 0 0 0.05 0 0 1", "outside": "", "freeze": "fix f two freeze",
         "lock": "fix f two lock/polyhedron translation xyz rotation xyz"}


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_damping_against_what_is_held(lammps, scheme):
    """A body that cannot move at all is as heavy as can be, whatever holds it."""
    found = {}
    for name, hold in HOLDS.items():
        second = "" if name == "wall" else "create_polyhedra 1 at 0 0 0\n"
        motion = f"fix motion {'one' if name == 'outside' else 'all'} implicit/polyhedron scheme {scheme}"
        result = lammps(scene(shapes="1 sphere 0.05 density 1000", gravity=0, dt=2e-5, run="run 1000", every=1000, motion=motion,
                              bodies=f"create_polyhedra 1 at 0 0 0.108\n{second}group one id 1\ngroup two subtract all one\n"
                                     "velocity one set 0 0 -1", law="normal 2e6 1.5 gap 0.004 barrier 0.1 -2 damping 0.3", walls=hold))
        found[name] = result.frames()[-1].columns["vz"][0]
    show(**found)
    assert all(v == pytest.approx(found["wall"], rel=1e-3) for v in found.values())
    assert 0.4 < found["wall"] < 0.5


FLIGHT = dict(gravity=0.0, box="block -3 3 -3 3 -1 1", every=1)
SPIN = "set group all angmom 0 0 0.0016666666666666668"  # 1 rad/s, the cube's inertia is 1/600


def guided(motion: str, held: str, start: str, **parts):
    """A cube in a guide of its own axes."""
    return scene(**(FLIGHT | dict(
        bodies=f"create_polyhedra 1 at 0 0 0\n{start}", walls=f"fix guide all lock/polyhedron {held} frame body",
        motion=motion, thermo="f_guide[1] f_guide[2] f_motion[12] f_motion[22]") | parts))


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
@pytest.mark.parametrize("dt", [1e-3, 1e-2])
@pytest.mark.parametrize("held", ["translation yz rotation xy", "translation y rotation xyz"])
def test_guide_turns_with_its_body(lammps, scheme, dt, held):
    """A sled that turns goes in a circle: the guide gives the centripetal force and does no work."""
    result = lammps(guided(f"scheme {scheme}", held, f"velocity all set 1 0 0\n{SPIN}", dt=dt, run=f"run {round(1 / dt)}"))
    at, v = series(result, "x", "y"), series(result, "vx", "vy")
    angle = dt * np.arange(len(at))
    off = np.abs(at - np.c_[np.sin(angle), 1 - np.cos(angle)]).max()
    along, t = np.abs(v - np.c_[np.cos(angle), np.sin(angle)]).max(), result.thermo()
    force = np.hypot(t["f_guide[1]"], t["f_guide[2]"])[1:]
    show(off=off, along=along, force=np.abs(force - 1).max(), work=np.abs(t["f_motion[22]"]).max())
    assert off < 0.2 * dt**2 and along < 0.1 * dt**2 + 1e-9
    assert force == pytest.approx(np.ones(len(force)), rel=dt**2 + 1e-9)
    assert np.abs(np.hypot(*v.T) - 1).max() < 1e-9
    assert np.abs(t["f_motion[22]"]).max() < 1e-12 and np.abs(t["f_motion[12]"]).max() < 1e-11


@pytest.mark.parametrize("scheme, accuracy", [("em", 1e-6), ("newmark", 1e-6), ("euler", 1e-3)])
def test_force_on_a_sled(lammps, scheme, accuracy):
    """A constant force moves a sled that turns by its part along it."""
    result = lammps(guided(f"fix push all addforce 1 0 0\nfix motion all implicit/polyhedron scheme {scheme}",
                           "translation yz rotation xy", SPIN, run="run 1500"))
    at, end = series(result, "x", "y")[-1], 1.5
    expected = [np.sin(end) ** 2 / 2, end / 2 - np.sin(2 * end) / 4]  # speed sin t
    show(at=at, expected=expected, error=result.thermo()["f_motion[12]"][-1])
    assert at == pytest.approx(expected, abs=accuracy)
    if scheme == "em":
        assert abs(result.thermo()["f_motion[12]"][-1]) < 1e-11


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_driven_guide(lammps, scheme):
    """A guide that goes on at 1 m/s across itself as it turns: in its frame the body speeds up, and the drive does the work."""
    result = lammps(guided(f"scheme {scheme}", "translation y rotation xyz", f"velocity all set 0 1 0\n{SPIN}", run="run 1000"))
    c, s = np.cos(1.0), np.sin(1.0)
    at, v, t = series(result, "x", "y")[-1], series(result, "vx", "vy")[-1], result.thermo()
    assert at == pytest.approx([2 * c + s - 2, 2 * s - c], abs=3e-7)
    assert v == pytest.approx([c - s, s + c], abs=1e-6)
    assert t["f_motion[22]"][-1] == pytest.approx(0.5, abs=1e-6)
    assert abs(t["f_motion[12]"][-1]) < 1e-6


def test_wheel_rolls_straight(lammps):
    """Held along its axle alone, which stands still: the fast rotation about it has no part in the way."""
    result = lammps(guided("scheme em", "translation y", "velocity all set 1 0 0.5\nset group all angmom 0 0.1 0", dt=1e-2, run="run 100"))
    assert series(result, "x", "y", "z")[-1] == pytest.approx([1, 0, 0.5], abs=1e-13)


def tumbling(scheme: str, lock: str, dt: float, time: float, spin: str = "0.1 0.2 0"):
    """A box without forces that a lock of its rotation leaves two axes."""
    return scene(**(FLIGHT | dict(
        shapes="1 box 0.1 0.2 0.3 density 1000", bodies=f"create_polyhedra 1 at 0 0 0\nset group all angmom {spin}",
        walls=f"compute er all erotate/asphere\nfix lk all lock/polyhedron {lock}", motion=f"scheme {scheme} tol 1e-10",
        thermo="c_er f_motion[12] f_motion[1]", dt=dt, run=f"run {round(time / dt)}")))


@pytest.mark.parametrize("scheme, dt, loss, momentum", [
    ("em", 1e-2, 2e-4, 1e-11), ("em", 1e-3, 5e-8, 1e-11), ("newmark", 1e-2, 1e-3, 1e-3), ("newmark", 1e-3, 1e-5, 1e-5)])
def test_one_rotation_held(lammps, scheme, dt, loss, momentum):
    """The reaction is a moment about the held axis: angular momentum about the others is kept, and the energy."""
    result = lammps(tumbling(scheme, "rotation z", dt, 20 if dt > 1e-3 else 5))
    kinetic, spin = result.thermo()["c_er"], series(result, "angmomx", "angmomy")
    drift = np.abs(spin / [0.1, 0.2] - 1).max()
    show(kinetic=kinetic[-1] / kinetic[0] - 1, momentum=drift)
    assert np.abs(kinetic / kinetic[0] - 1).max() < loss
    assert drift < momentum
    if scheme == "em":  # what it loses is booked
        assert np.diff(kinetic).max() < 1e-12 and np.abs(result.thermo()["f_motion[12]"]).max() < 1e-11


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_one_rotation_held_of_the_body(lammps, scheme):
    """Axes of the body: no energy is lost at all."""
    kinetic = lammps(tumbling(scheme, "rotation z frame body", 1e-2, 5)).thermo()["c_er"]
    show(kinetic=np.ptp(kinetic) / kinetic[0])
    assert np.ptp(kinetic) < 1e-9 * kinetic[0]


def test_work_of_a_rotation_that_is_held(lammps):
    """The reaction at the start of a step has the moment that the rotation itself needs: else the guard of newmark cuts steps."""
    t = lammps(tumbling("newmark", "rotation z", 2e-3, 1, "0.1 0.2 0.05")).thermo()
    show(error=np.abs(t["f_motion[12]"]).max(), substeps=t["f_motion[1]"][-1])
    assert np.abs(t["f_motion[12]"]).max() < 1e-4 and t["f_motion[1]"][-1] == 500


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_sled_runs_into_a_cube(lammps, scheme):
    """A sled in a curve pushes a cube over a floor with friction; a continued run gives the same digits, as do two processes."""
    parts = dict(types=2, shapes="1 box 0.3 0.1 0.1 density 1000 2 box 0.1 0.1 0.1 density 1000", every=50, motion=f"scheme {scheme} path 0",
                 law="normal 1e7 1.5 gap 0.002 damping 0.5 friction 0.1 0.1 1e6 10", thermo="f_motion[12] f_motion[24]", processors="* 1 1")
    start = ("create_polyhedra 1 at 0 0 0.0515\ncreate_polyhedra 2 at 0.25 0.05 0.0515\nset type 1 angmom 0 0 0.05\n"
             "group sled type 1\nvelocity sled set 2 0 0")
    walls = "fix floor all wall/polyhedron plane 0 0 0 0 0 1\nfix guide sled lock/polyhedron translation y rotation xy frame body"
    def end(script, ranks):
        result = lammps(script, ranks=ranks, where="here", may_warn=PRESSED)
        return result.frames()[-1], np.abs(result.thermo()["f_motion[12]"]).max()

    whole = scene(bodies=start, walls=walls, run="run 100\nwrite_restart s.restart\nrun 100", **parts)
    text = scene(bodies="group sled type 1", walls=walls, run="run 100", **parts).split("\n")
    again = [l for l in text[text.index("group sled type 1"):] if not l.startswith(("pair_style", "pair_coeff"))]
    head = ["processors * 1 1", "read_restart s.restart", next(l for l in text if l.startswith("fix shapes"))]
    (one, error), (two, _) = end(whole, 1), end(whole, 2)
    continued, _ = end("\n".join([*head, *again]), 2)
    columns = ("x", "y", "z", "c_q[1]", "c_q[4]", "vx", "vy", "angmomz")
    v, q = one.vectors("vx", "vy")[0], one.vectors("c_q[1]", "c_q[4]")[0]
    angle = 2 * np.arctan2(q[1], q[0])
    across = abs(v @ [-np.sin(angle), np.cos(angle)])
    show(across=across, angle=angle, at=one.vectors("x", "y"), error=error)
    assert angle > 0.1 and across < 1e-12
    assert np.array_equal(two.vectors(*columns), continued.vectors(*columns))
    assert one.vectors(*columns) == pytest.approx(two.vectors(*columns), abs=1e-9)


@pytest.mark.parametrize("hold", ["lock/polyhedron translation xyz rotation xyz", "freeze"])
def test_advice_for_an_impact_on_a_held_body(lammps, hold):
    """What the warning of a law that is too soft says is that of an impact on a wall: nothing moves either."""
    def advice(walls: str, below: str = "") -> tuple:
        cube = "box 0.1 0.1 0.1 density 1000"
        script = scene(types=2, shapes=f"1 {cube} 2 {cube}", bodies=f"create_polyhedra 1 at 0 0 .5003\nvelocity all set 0 0 -2\n{below}",
                       law="normal 1e5 1 gap 0.001 barrier 0.1 -2", walls=walls, dt=1e-4, run="run 20")
        return re.search(r"speed (\S+)\. .* eps1 (\S+) in place", lammps(script, warn="in the barrier of their law").text).groups()

    wall = advice("fix floor all wall/polyhedron plane 0 0 .45 0 0 1")
    body = advice(f"fix held other {hold}", "create_polyhedra 2 at 0 0 .4\ngroup other type 2\n")
    show(speed=float(body[0]), eps1=float(body[1]))
    assert body == wall
