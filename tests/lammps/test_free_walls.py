"""Walls with a degree of freedom: pistons under a force or a pressure, drums under a torque."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, grid, scene

SCHEMES = ("em", "euler", "newmark")
ENERGIES = " ".join(f"f_motion[{k}]" for k in (8, 9, 10, 11, 12, 20, 21, 22, 23))
EDGE, FORCE = 0.1, 500.0
SIDES = (
    "fix sides all wall/polyhedron plane -0.18 0 0 1 0 0 plane 0.18 0 0 -1 0 0 "
    "plane 0 -0.18 0 0 1 0 plane 0 0.18 0 0 -1 0"
)


def account(t):
    """Energy account over time, over its largest part."""
    e = {k: t[f"f_motion[{k}]"] for k in (8, 9, 10, 11, 12, 20, 21, 22, 23)}
    total = e[8] + e[9] + e[20] - e[10] - e[22] + e[11] + e[21] + e[23] - e[12]
    return np.abs(total - total[0]).max() / max(np.abs(x).max() for x in e.values())


def lid(z, mass=50.0, load=f"force {FORCE}", more=""):
    return f"{FLOOR}\nfix lid all wall/polyhedron plane 0 0 {z:.17g} 0 0 -1 slide 0 0 -3 {mass} {load} {more}"


def pack(layers=5, **parts):
    """Cubes, four in a layer, thrown into a box under a piston; 5 ms steps."""
    values = dict(
        shapes="1 box 0.1 0.1 0.1 density 1000",
        law="normal 1e9 1.5 gap 1e-3 damping 0.5 friction 0.3 0.3 1e6 100",
        walls=SIDES + "\n" + lid(0.18 * layers + 0.03, load="pressure 1e4 0.05"),
        bodies=grid(2, 2, layers, 0.18, (-0.09, -0.09, 0.1)),
        dt=5e-3,
        every=5,
        thermo=f"f_lid[3] f_lid[14] f_lid[15] f_floor[3] {ENERGIES}",
        run="run 300",
    )
    return scene(**(values | parts))


@pytest.mark.parametrize("scheme", SCHEMES)
def test_free_piston_falls_as_its_force_says(lammps, scheme):
    """No body in the way: a parabola; Euler's is that of its sums."""
    n, dt, a = 20, 5e-3, FORCE / 50.0
    t = lammps(
        scene(walls=lid(1.5, more="speed 0.4"), motion=f"scheme {scheme}", gravity=0, dt=dt, every=n,
              bodies="create_polyhedra 1 at 0.5 0.5 0.2", thermo="f_lid[14] f_lid[15]",
              run=f"run {n}", box="block -1 1 -1 1 -0.1 1.9")
    ).thermo()
    steps = n * (n + 1) if scheme == "euler" else n * n
    way = 0.4 * n * dt + 0.5 * a * steps * dt**2
    show(error=t["f_lid[14]"][-1] / way - 1)
    assert t["f_lid[14]"][-1] == pytest.approx(way, rel=1e-12)
    assert t["f_lid[15]"][-1] == pytest.approx(0.4 + a * n * dt, rel=1e-12)


@pytest.mark.parametrize("shape", ["sphere 0.1", "capsule 0.05 0.2"])
def test_free_piston_beside_rounded_bodies(lammps, shape):
    """A plane has no size of its own: that of the smallest body, which may be a ball."""
    n, dt, a = 20, 5e-3, FORCE / 50.0
    t = lammps(scene(shapes=f"1 {shape} density 1000", walls=lid(1.5), motion="scheme em", gravity=0, dt=dt, every=n,
                     bodies="create_polyhedra 1 at 0.5 0.5 0.2", thermo="f_lid[14]", run=f"run {n}", box="block -1 1 -1 1 -0.1 1.9")).thermo()
    assert t["f_lid[14]"][-1] == pytest.approx(0.5 * a * (n * dt)**2, rel=1e-12)


def test_piston_rubs_polyhedra_beside_a_rounded_type(lammps):
    """Its stand-in has the smallest shape there is, whose radius is not that of the plane."""
    def states(shape):
        result = lammps(scene(types=2, shapes=f"1 box 0.1 0.08 0.12 density 1000 2 {shape} density 1000", dt=2e-3, every=10, run="run 40",
                              bodies="create_polyhedra 1 at 0 0 0.1 rotate 33 1 2 3\nvelocity all set 0.5 0 -0.3",
                              law="normal 2e6 1.5 gap 0.004 barrier 0.1 -2 restitution 0 friction 0.5 0.4 1e5 20",
                              walls="fix lid all wall/polyhedron plane 0 0 0 0 0 1 slide 0 0 1 3 force 30", motion="scheme em"))
        return np.array([f.vectors("x", "y", "z", "vx", "angmomx") for f in result.frames()])
    box, sphere = states("box 0.09 0.09 0.09"), states("sphere 0.05")
    assert (box == sphere).all()


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_piston_swings_on_a_contact(lammps, scheme):
    """On a block that is held: a mass on a spring, the four vertices of the linear law."""
    mass, eps, gbar = 2.0, 2.5e5, 1e-3
    k = 4 * eps
    period = 2 * np.pi * np.sqrt(mass / k)
    sag = FORCE / k  # 0.5 gbar; swings by a tenth of that
    dt = period / 200
    result = lammps(
        scene(
            law=f"normal {eps} 1 gap {gbar} barrier 0.01 -1",
            walls=lid(0.25 + gbar - 0.9 * sag, mass, more="type 1"),
            bodies="create_polyhedra 1 at 0 0 0.2",
            extra="fix hold all lock/polyhedron translation xyz rotation xyz",
            gravity=0,
            dt=dt,
            motion=f"scheme {scheme}",
            every=1,
            thermo=f"f_lid[14] f_lid[15] f_lid[3] {ENERGIES}",
            run="run 2000",
        ),
        may_warn="closer than contact begins",
    )
    t = result.thermo()
    x = t["f_lid[14]"] - 0.1 * sag
    crossings = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    at = crossings - x[crossings] / (x[crossings + 1] - x[crossings])
    found = np.diff(at).mean() * dt
    show(period=found / period - 1, swing=np.ptp(x) / (0.2 * sag), account=account(t))
    assert len(crossings) == 10
    assert found == pytest.approx(period, rel=3e-4)
    assert np.ptp(x) == pytest.approx(0.2 * sag, rel=1e-3)
    assert account(t) < 1e-8


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_piston_comes_to_rest_at_long_steps(lammps, scheme):
    """A mass of 50 ms on a damped contact, with ten and with a hundred steps for a swing: the long
    ones do not overshoot more, and it ends where the force says."""
    eps, gbar, force = 2500.0, 1e-3, 5.0
    sag = force / (4 * eps)
    mass = 4 * eps * (0.05 / (2 * np.pi)) ** 2
    most = []
    for dt in (5e-3, 5e-4):
        t = lammps(
            scene(
                law=f"normal {eps} 1 gap {gbar} barrier 0.01 -1 damping 0.3",
                walls=lid(0.25 + gbar, mass, f"force {force}", "type 1"),
                bodies="create_polyhedra 1 at 0 0 0.2",
                extra="fix hold all lock/polyhedron translation xyz rotation xyz",
                gravity=0,
                dt=dt,
                motion=f"scheme {scheme}",
                every=1,
                thermo="f_lid[3] f_lid[14]",
                run=f"run {round(2.0 / dt)}",
            )
        ).thermo()
        most.append(t["f_lid[14]"].max() / sag)
        assert t["f_lid[14]"][-1] == pytest.approx(sag, rel=1e-6)
        assert t["f_lid[3]"][-10:] == pytest.approx(force, rel=1e-6)
    show(long=most[0], short=most[1])
    assert most[0] < 1.001 * most[1]


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_piston_at_rest_has_its_pressure(lammps, scheme):
    """Twenty cubes fallen and pressed together at steps of 5 ms: the force on them is the piston's,
    and nothing swings."""
    result = lammps(
        pack(motion=f"scheme {scheme}", run="run 300"), may_warn="in the barrier of their law"
    )
    t = result.thermo()
    late = slice(-6, None)
    off = np.abs(t["f_lid[3]"][late] / FORCE - 1).max()
    show(pressure=off, speed=np.abs(t["f_lid[15]"][late]).max(), way=t["f_lid[14]"][-1], account=account(t))
    assert off < 1e-6
    assert np.abs(t["f_lid[15]"][late]).max() < 1e-6
    assert account(t) < 1e-9
    assert lammps.intersections(result) == 0


def test_piston_goes_on_from_a_restart_file(lammps):
    """In the middle of the pressing, to the last digit."""
    parts = dict(layers=2, run="run 230\nwrite_restart middle\nrun 40", every=1)
    whole = lammps(pack(**parts), where="here")
    again = [
        line
        for line in pack(layers=2, run="run 40", every=1).splitlines()
        if not line.startswith(
            ("units", "atom_", "set ", "boundary", "region", "create_", "pair_", "read_", "compute", "dump", "  vx")
        )
    ]
    second = lammps("\n".join(["read_restart middle", *again]), where="here")
    a, b = whole.thermo(), second.thermo()
    show(way=b["f_lid[14]"][-1], speed=b["f_lid[15]"][-1])
    for name in ("f_lid[3]", "f_lid[14]", "f_lid[15]", "f_motion[8]"):
        assert (b[name][-40:] == a[name][-40:]).all()
    assert np.abs(b["f_lid[3]"]).max() > 0.0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_drum_takes_its_power_from_the_torque(lammps, scheme):
    """A drum with cubes in it: the torque and the mean moment of the bodies make its acceleration,
    the torque's work is its own quadrature of power, and the account closes."""
    inertia, torque, dt = 1.0, 3.0, 2e-3
    t = lammps(
        drum(
            dt=dt,
            every=1,
            motion=f"scheme {scheme} substeps 1" if scheme == "euler" else f"scheme {scheme}",
            thermo=f"f_drum[5] f_drum[12] f_drum[14] f_drum[15] f_motion[3] {ENERGIES}",
            run="run 200",
        )
    ).thermo()
    spin = t["f_drum[15]"]
    lack = inertia * np.diff(spin) / dt - torque - t["f_drum[12]"][1:]
    show(lack=np.abs(lack).max(), moment=np.abs(t["f_drum[12]"]).max(), angle=t["f_drum[14]"][-1], account=account(t))
    assert np.abs(t["f_drum[12]"]).max() > 1.0
    assert np.abs(lack).max() < 1e-6 * np.abs(t["f_drum[12]"]).max()
    assert account(t) < (1e-8 if scheme == "em" else 1.0)


def drum(**parts):
    values = dict(
        box="block -1 1 -1 1 -1 1",
        law="normal 1e8 1.5 gap 1e-3 damping 0.3 friction 0.5 0.5 1e5 100",
        walls="fix ends all wall/polyhedron plane 0 -0.2 0 0 1 0 plane 0 0.2 0 0 -1 0 normal 1e7 1.5 gap 1e-3\n"
        "fix drum all wall/polyhedron cylinder y 0 0 0.4 -0.3 0.3 facets 24 hinge 0 0 0 0 2 0 1.0 torque 3",
        bodies="create_polyhedra 1 at -0.12 0 -0.1\ncreate_polyhedra 1 at 0.15 0 -0.1\ncreate_polyhedra 1 at 0 0 0.1",
    )
    return scene(**(values | parts))


LIGHT = {
    "slide": "plane 0 0 -0.1 0 0 1 slide 0 0 1 0.5",
    "hinge": "cylinder y 0 0 0.2 -0.3 0.3 facets 24 hinge 0 0 0 0 1 0 0.05",
}
ROWS = "compute s all polyhedron/contact/atom\ncompute r all reduce sum c_s[4] c_s[5] c_s[6] fx fy fz"


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark substeps 20"])
@pytest.mark.parametrize("wall", LIGHT)
def test_contacts_feel_the_mass_of_the_wall(lammps, wall, scheme):
    """Of a damped impact on a wall that is lighter than the body: the rows are the force on the body and that on the wall."""
    law = "normal 1e7 1.5 gap 0.004"
    t = lammps(scene(shapes="1 box 0.1 0.1 0.1 density 2000", bodies="create_polyhedra 1 at 0 0 0\nvelocity all set 0.3 0 -1",
                     box="block -1 1 -1 1 -1 1", walls=f"fix lid all wall/polyhedron {LIGHT[wall]} {law} damping 0.3\n{ROWS}",
                     law=law, gravity=0, motion=f"scheme {scheme}", extra="thermo 1", run="run 250",
                     thermo=" ".join([f"c_r[{k}]" for k in range(1, 7)] + [f"f_lid[{k}]" for k in (1, 2, 3)]))).thermo()
    rows, body, lid = (np.column_stack([t[f"{name}[{first + k}]"] for k in range(3)]) for name, first in (("c_r", 1), ("c_r", 4), ("f_lid", 1)))
    show(force=np.abs(body).max(), on_body=np.abs(rows - body).max(), on_wall=np.abs(rows + lid).max())
    assert np.abs(body).max() > 100.0
    assert max(np.abs(rows - body).max(), np.abs(rows + lid).max()) < 1e-12 * np.abs(body).max()


FLAP = "v 0 -0.1 0\nv 0.4 -0.1 0\nv 0.4 0.1 0\nv 0 0.1 0\nf 1 2 3\nf 1 3 4\n"


@pytest.mark.parametrize("scheme, dt", [("em", 1e-3), ("euler substeps 4", 2e-4), ("newmark", 2e-4)])
@pytest.mark.parametrize("wall", ["cylinder y 0 0 0.5 -0.6 0.6 facets 24 hinge 0 {} 0 0 1 0 2", "obj flap.obj hinge 0 {} 0 0 1 0 0.02"])
def test_mass_of_a_hinged_wall(lammps, wall, scheme, dt):
    """What damping feels of it does not depend on which point of the axis is given, nor on whether it goes on along the axis."""
    x, z = (0.0, -0.3) if "cylinder" in wall else (0.3, 0.2)
    ends = [
        lammps(scene(box="block -1 1 -0.6 0.6 -1 1", boundary=f"f {y} f", law="normal 1e7 1.5 gap 0.002 barrier 0.1 -2 damping 0.3",
                     shapes="1 box 0.1 0.1 0.1 density 2000", bodies=f"create_polyhedra 1 at {x} 0 {z}\nvelocity all set 0 0 -1",
                     walls=f"fix hung all wall/polyhedron {wall.format(at)}", gravity=0, motion=f"scheme {scheme}", dt=dt,
                     thermo="f_hung[15]", every=round(0.3 / dt), run=f"run {round(0.3 / dt)}"), files={"flap.obj": FLAP}).frames()[-1].columns["vz"][0]
        for y, at in (("f", 0.0), ("f", -0.6), ("f", 5.0), ("p", 0.0), ("p", 0.6))
    ]
    show(wall=wall, scheme=scheme, speed=ends)
    assert abs(ends[0] + 1.0) > 0.1
    assert ends == pytest.approx([ends[0]] * 5, rel=1e-9)


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_processes_agree(lammps, scheme):
    """Cubes of two processes between a piston and a drum that both of them press on: the same as
    on one, as long as rounding does not grow; no contact across the processes is needed for it."""
    walls = (
        "fix drum all wall/polyhedron cylinder y 0 0 0.4 -0.3 0.3 facets 24 hinge 0 0 0 0 2 0 1.0 torque 3\n"
        "fix lid all wall/polyhedron plane 0 0 -0.19 0 0 -1 slide 0 0 -1 20 force 200 speed 0.5"
    )
    ends = []
    for ranks in (1, 2, 4):
        t = lammps(
            drum(
                walls=walls,
                law="normal 1e8 1.5 gap 1e-3 friction 0.5 0.5 1e5 0",
                bodies="create_polyhedra 1 at -0.17 0 -0.26\ncreate_polyhedra 1 at 0.17 0 -0.26\n"
                "create_polyhedra 1 at 0.02 -0.15 -0.3\ncreate_polyhedra 1 at 0.02 0.1 -0.3",
                dt=1e-3,
                every=10,
                motion=f"scheme {scheme} tol 1e-12",
                thermo=f"f_drum[5] f_drum[12] f_drum[14] f_drum[15] f_lid[3] f_lid[14] f_lid[15] {ENERGIES}",
                processors="2 * 1" if ranks > 1 else "",
                run="run 60",
            ),
            ranks=ranks,
        ).thermo()
        ends.append(t)
        assert account(t) < 1e-9
    show(moment=ends[0]["f_drum[12]"][-1], load=np.abs(ends[0]["f_lid[3]"]).max())
    assert np.abs(ends[0]["f_lid[3]"]).max() > 100.0 and np.abs(ends[0]["f_drum[12]"]).max() > 0.1
    for t in ends[1:]:
        for name in ("f_drum[14]", "f_drum[15]", "f_lid[14]", "f_lid[15]", "f_motion[8]"):
            error = np.abs(t[name] - ends[0][name]).max() / np.abs(ends[0][name]).max()
            print(name, error)
            assert error < 1e-8


def on_rising_piston(x, **parts):
    """A ball thrown on a piston that comes up to meet it."""
    values = dict(
        box="block -1 1 -1 1 -1 1",
        shapes="1 sphere 0.05 density 1000",
        bodies=f"create_polyhedra 1 at {x} 0.2 0.07\nvelocity all set 0 0 -1",
        law="normal 1e7 1.5 gap 0.002 damping 0.3 friction 0.5 0.4 1e6 20",
        walls="fix w all wall/polyhedron plane 0 0 0 0 0 1 slide 0 0 1 1.0 force 10 speed 2",
        thermo="f_w[14] f_w[15] f_motion[1] f_motion[2] f_motion[3] f_motion[17]",
        run="run 60",
    )
    return scene(**(values | parts))


@pytest.mark.parametrize("motion", ["em", "em substeps 2", "newmark", "euler substeps 2"])
def test_first_guess_is_that_of_one_process(lammps, motion):
    """The body that is in the wall's way belongs to the first process, to the second, to the only one."""
    runs = [(0.2, 1), (-0.2, 2), (0.2, 2)]
    last = []
    for x, ranks in runs:
        t = lammps(on_rising_piston(x, motion=f"scheme {motion}", processors=f"{ranks} 1 1"), ranks=ranks,
                   may_warn="in the barrier of their law").thermo()
        last.append([t[name][-1] for name in ("f_w[14]", "f_w[15]", "f_motion[1]", "f_motion[2]", "f_motion[3]", "f_motion[17]")])
    show(cuts=[int(t[-1]) for t in last])
    assert last[0][-1] > 0 and last[1][2:] == last[0][2:] and last[2][2:] == last[0][2:]
    assert last[1] == pytest.approx(last[0], rel=1e-12) and last[2] == pytest.approx(last[0], rel=1e-12)


@pytest.mark.parametrize("processors", ["1 1 1", "2 1 1", "1 2 2"])
def test_guard_allows_the_same_on_any_number_of_processes(lammps, processors):
    """What is at risk has the wall in it, whoever owns the bodies that touch it."""
    ranks = int(np.prod([int(n) for n in processors.split()]))
    bodies = "create_polyhedra 1 at 0.1 0.2 0.07\nvelocity all set 0.3 0 -1"
    lammps(on_rising_piston(0.1, bodies=bodies, motion="scheme newmark guard 1e-9 substeps 1", processors=processors),
           ranks=ranks, fail="more than the 1.442e-09 that guard 1e-09 allows")


@pytest.mark.parametrize("motion", ["em substeps 4", "newmark", "euler substeps 2"])
def test_heap_under_a_lid_on_two_processes(lammps, motion):
    """A dozen cubes between a floor and a fast piston: the same cuts and the same ways, until rounding has grown."""
    one, two = (
        lammps(
            pack(layers=3, walls=SIDES + "\n" + lid(0.57, load="pressure 1e4 0.05", more="speed 3"), motion=f"scheme {motion}",
                 dt=2e-3, thermo="f_lid[14] f_lid[15] f_motion[17]", processors=f"{ranks} 1 1", run="run 50" if motion == "newmark" else "run 35"),
            ranks=ranks, may_warn="in the barrier of their law")
        for ranks in (1, 2)
    )
    a, b = one.thermo(), two.thermo()
    apart = np.abs(one.frames()[-1].vectors("x", "y", "z") - two.frames()[-1].vectors("x", "y", "z")).max()
    show(cuts=a["f_motion[17]"][-1], way=np.abs(a["f_lid[14]"] - b["f_lid[14]"]).max(), speed=np.abs(a["f_lid[15]"] - b["f_lid[15]"]).max(), apart=apart)
    assert a["f_motion[17]"][-1] > 100 and (a["f_motion[17]"] == b["f_motion[17]"]).all()
    assert np.abs(a["f_lid[14]"] - b["f_lid[14]"]).max() < 1e-11 and np.abs(a["f_lid[15]"] - b["f_lid[15]"]).max() < 1e-8
    assert apart < 1e-9


@pytest.mark.parametrize("law", ["restitution 0", "damping 0.3"])
def test_lid_at_rest_on_one_process_alone(lammps, law):
    """It rests on two blocks; a ball hits that of the other process, which the lid holds by friction."""
    ends = []
    for ranks in (1, 2):
        t = lammps(
            scene(box="block -1 1 -1 1 -1 1", types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 sphere 0.03 density 1000",
                  bodies="create_polyhedra 1 at -0.3 0 0.051\ncreate_polyhedra 1 at 0.3 0 0.051\ncreate_polyhedra 2 at 0.5 0 0.05\n"
                  "group ball id 3\nvelocity ball set -3 0 0",
                  law=f"normal 1e7 1.5 gap 0.002 {law} friction 0.5 0.4 1e6 20",
                  walls=FLOOR + "\nfix lid all wall/polyhedron plane 0 0 0.1025 0 0 -1 slide 0 0 -1 5.0 force 100",
                  motion="scheme em", processors=f"{ranks} 1 1", every=70, thermo="f_lid[14] f_motion[1] f_motion[8]", run="run 70"),
            ranks=ranks, may_warn="closer than contact begins").thermo()
        ends.append([t[name][-1] for name in ("f_lid[14]", "f_motion[1]", "f_motion[8]")])
    show(way=ends[0][0], difference=np.abs(np.subtract(*ends)).max())
    assert ends[1] == pytest.approx(ends[0], rel=1e-8)


@pytest.mark.parametrize("ranks", (1, 2))
@pytest.mark.parametrize("name", ("lid", "piston"))
def test_failure_names_the_wall(lammps, name, ranks):
    """Two cubes hit it at once, so that it is further out of balance than either of them."""
    wall = lid(0.5, load="force 1").replace("fix lid", f"fix {name}")
    lammps(
        scene(walls=wall, motion="scheme newmark substeps 1 maxiter 1", gravity=0, run="run 100",
              bodies="create_polyhedra 1 at -0.2 0 0.3\ncreate_polyhedra 1 at 0.2 0 0.3\nvelocity all set 0 0 5"),
        ranks=ranks, fail=f"Newton iteration did not converge at substep length 0.001; worst wall {name} with residual")


WALL = "fix w all wall/polyhedron "
FAULTS = {
    "plane 0 0 1 0 0 -1 plane 0 0 2 0 0 -1 slide 0 0 1 2": "slide and hinge need one wall, there are 2",
    "plane 0 0 1 0 0 -1 hinge 0 0 0 0 0 1 2": "a plane does not turn",
    "plane 0 0 1 0 0 -1 slide 0 0 0 2": "the axis must not be zero",
    "plane 0 0 1 0 0 -1 slide 0 0 1 0": "mass must be > 0",
    "plane 0 0 1 0 0 -1 slide 0 0 1 2 slide 0 0 1 2": "a wall has one degree of freedom",
    "plane 0 0 1 0 0 -1 slide 0 0 1 2 torque 1": "a wall that slides takes a force",
    "cylinder z 0 0 1 0 1 hinge 0 0 0 0 0 1 2 force 1": "a wall on a hinge takes a torque",
    "plane 0 0 1 0 0 -1 force 1": "need keyword slide or hinge",
    "plane 0 0 1 0 0 -1 slide 0 0 1 2 move velocity 0 0 1": "a wall either moves as move says",
}


@pytest.mark.parametrize("command", FAULTS)
def test_command_is_refused(lammps, command):
    lammps(scene(extra=WALL + command), fail=FAULTS[command])


def test_runs_that_cannot_move_it_stop(lammps):
    lammps(scene(walls=lid(1.5), motion="comm_modify vel yes\nfix motion all nve/asphere"),
           fail="slide and hinge require fix implicit/polyhedron")
    lammps(scene(walls=lid(1.5), run="run 1\nfix_modify lid move velocity 0 0 1"),
           fail="a wall either moves as move says")
