"""fix contact/dynamics: rigid contact dynamics against analytic answers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import show
from scenes import SHAPES

G = 9.81
FLOOR = "fix floor all wall/polyhedron plane 0 0 0 0 0 1"
GRAVITY = f"fix g all gravity {G} vector 0 0 -1"


def spheres(
    atoms="",
    walls="",
    gravity="",
    cd="",
    extra="",
    dt=1e-3,
    run="run 1",
    thermo="",
    every=1,
    box="-5 5 -5 5 -5 5",
    boundary="f f f",
    cutoff=1.5,
    columns="vx vy vz",
    processors="* * *",
    group="all",
):
    """Script with spheres of diameter 1 and mass 1."""
    return f"""
units si
atom_style sphere
atom_modify map array
processors {processors}
boundary {boundary}
region box block {box}
create_box 2 box
comm_modify vel yes
{atoms}
set group all diameter 1 mass 1
pair_style zero {cutoff}
pair_coeff * *
neighbor 0.3 bin
neigh_modify delay 0
{walls}
{gravity}
{extra}
fix cd {group} contact/dynamics {cd}
timestep {dt}
thermo_style custom step f_cd[*] {thermo}
thermo_modify format float %.17g
thermo {every}
dump d all custom {every} dump id x y z {columns}
dump_modify d sort id format float %.17g
{run}
"""


def polyhedra(
    shapes="1 box 1 1 1 density 1",
    bodies="",
    walls=FLOOR,
    gravity=GRAVITY,
    cd="",
    extra="",
    dt=1e-3,
    run="run 1",
    thermo="",
    every=1,
    box="-5 5 -5 5 -5 25",
    types=1,
    cutoff=4,
    columns="vx vy vz",
    processors="* * *",
):
    """Script with polyhedra, cubes of edge and mass 1 by default."""
    return f"""
units si
atom_style ellipsoid
atom_modify map array
processors {processors}
boundary f f f
region box block {box}
create_box {types} box
comm_modify vel yes
fix shapes all polyhedron/shape {shapes}
{bodies}
pair_style zero {cutoff}
pair_coeff * *
neighbor 0.3 bin
neigh_modify delay 0
{walls}
{gravity}
{extra}
fix cd all contact/dynamics {cd}
timestep {dt}
thermo_style custom step f_cd[*] {thermo}
thermo_modify format float %.17g
thermo {every}
dump d all custom {every} dump id x y z {columns}
dump_modify d sort id format float %.17g
{run}
"""


def at(*places):
    return "\n".join(f"create_atoms 1 single {x} {y} {z}" for x, y, z in places)


def column(result, name, body=0):
    return np.array([f.columns[name][body] for f in result.frames()])


@pytest.mark.parametrize("pairs", range(1, 7))
def test_neighbour_request_among_others(lammps, monkeypatch, pairs):
    """The host moves its array of neighbour requests when it grows: the fix's own request comes
    after those of any number of pair styles. Freed memory is overwritten, so that a pointer to the
    array from before cannot work by chance."""
    monkeypatch.setenv("MALLOC_PERTURB_", "165")
    styles = " ".join(f"zero {2 + 0.1 * i:g}" for i in range(pairs))
    coeffs = "\n".join(f"pair_coeff * * zero {i + 1 if pairs > 1 else ''}" for i in range(pairs))
    script = polyhedra(bodies="create_polyhedra 1 at 0 0 0.5", run="run 2")
    script = script.replace("pair_style zero 4", f"pair_style hybrid/overlay {styles}")
    result = lammps(script.replace("pair_coeff * *", coeffs))
    request = r"fix contact/dynamics, perpetual[^\n]*\n\s*attributes: full"
    assert re.search(request, result.text)
    assert column(result, "vz") == pytest.approx(np.zeros(3), abs=1e-12)


# ---- spheres ----


@pytest.mark.parametrize("solver", ["pgs", "apgd"])
@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
def test_two_spheres_bounce(lammps, e, solver):
    """Head-on collision of equal spheres: relative velocity times -e, momentum kept."""
    atoms = at((-1, 0, 0), (1, 0, 0))
    velocity = "velocity all set 0 0 0\ngroup one id 1\ngroup two id 2\n"
    velocity += "velocity one set 2 0 0\nvelocity two set -1 0 0"
    script = spheres(
        atoms, cd=f"restitution {e} solver {solver} tol 1e-14", extra=velocity, run="run 800"
    )
    result = lammps(script)
    a, b = column(result, "vx", 0), column(result, "vx", 1)
    show(relative=(b - a)[-1])
    assert (b - a)[0] == -3.0
    assert (b - a)[-1] == pytest.approx(3.0 * e, abs=1e-12)
    assert a + b == pytest.approx(np.ones(len(a)), abs=1e-13)


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
def test_sphere_bounces_off_walls(lammps, e):
    """Normal velocity times -e, tangential velocity kept."""
    script = spheres(
        at((0, 0, 1)),
        walls=FLOOR,
        extra="velocity all set 0.7 0.1 -2",
        cd=f"restitution {e}",
        run="run 600",
    )
    result = lammps(script)
    vz = column(result, "vz")
    assert vz[0] == -2.0
    assert vz[-1] == pytest.approx(2.0 * e, abs=1e-12)
    assert column(result, "vx") == pytest.approx(np.full(len(vz), 0.7), abs=1e-15)
    assert column(result, "z").min() > 0.5 - 2e-3 - 1e-9


@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_energy_never_grows(lammps, e):
    """Gas of spheres between walls: the kinetic energy of no step exceeds that of the one before;
    with e = 1 and impacts that come one by one it stays."""
    walls = "\n".join(
        f"fix w{k} all wall/polyhedron plane {p} {n}"
        for k, (p, n) in enumerate(
            [
                ("-3 0 0", "1 0 0"),
                ("3 0 0", "-1 0 0"),
                ("0 -3 0", "0 1 0"),
                ("0 3 0", "0 -1 0"),
                ("0 0 -3", "0 0 1"),
                ("0 0 3", "0 0 -1"),
            ]
        )
    )
    atoms = "lattice sc 1.3\nregion in block -2.4 2.4 -2.4 2.4 -2.4 2.4 units box\ncreate_atoms 1 region in"
    script = spheres(
        atoms,
        walls=walls,
        extra="velocity all create 1.0 4711 dist gaussian\nvelocity all scale 1.0e23",
        cd=f"restitution {e} tol 1e-12",
        dt=1e-3,
        run="run 1000",
    )
    t = lammps(script).thermo()
    k = t["f_cd[7]"]
    show(rise=np.diff(k).max() / k[0], impacts=int((t["f_cd[4]"] > 0).sum()), left=k[-1] / k[0])
    assert (t["f_cd[4]"] > 0).sum() > 20
    assert np.diff(k).max() <= 1e-11 * k[0]
    assert k[-1] < 0.9 * k[0] if e < 1.0 else k[-1] > 0.5 * k[0]


RANDOM = np.random.default_rng(4711)
HEAP = at(
    *(
        np.array([x, y, z]) + RANDOM.uniform(-0.02, 0.02, 3)
        for x in (-1.05, 0, 1.05)
        for y in (-1.05, 0, 1.05)
        for z in (1.05, 2.1, 3.15)
    )
)
TRAY = "\n".join(
    [FLOOR]
    + [
        f"fix w{k} all wall/polyhedron plane {p} {n}"
        for k, (p, n) in enumerate(
            [("-1.8 0 0", "1 0 0"), ("1.8 0 0", "-1 0 0"), ("0 -1.8 0", "0 1 0"), ("0 1.8 0", "0 -1 0")]
        )
    ]
)


def heap(cd, run="run 300", **parts):
    return spheres(
        HEAP, walls=TRAY, gravity=GRAVITY, cd=cd, dt=2e-3, run=run, every=50, **parts
    )


def velocities(result, frame=-1):
    f = result.frames()[frame]
    return np.stack([f.columns[c] for c in ("vx", "vy", "vz")], axis=1)


def test_solvers_agree(lammps):
    """Velocities are unique: PGS in two orders and APGD, cold and warm, after 300 steps."""
    kinds = ["solver apgd", "solver pgs", "solver pgs order random 99", "solver apgd start warm"]
    results = [lammps(heap(f"{k} tol 1e-12 maxiter 200000")) for k in kinds]
    v = [velocities(r) for r in results]
    worst = max(np.abs(w - v[0]).max() for w in v[1:])
    t = results[0].thermo()
    show(difference=worst, contacts=t["f_cd[3]"][-1], residual=t["f_cd[2]"][-1])
    assert t["f_cd[4]"][-1] > 20
    assert worst < 1e-8


@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks(lammps, ranks):
    """A heap of spheres on several processes; bodies change their owners."""
    one = lammps(heap("tol 1e-12 maxiter 100000"))
    more = lammps(heap("tol 1e-12 maxiter 100000", processors="* * 1"), ranks=ranks)
    difference = np.abs(velocities(one) - velocities(more)).max()
    show(difference=difference)
    assert difference < 1e-8


@pytest.mark.parametrize("start", ["cold", "warm"])
def test_restart_is_exact(lammps, start):
    """A run that goes on from its restart file ends in the same bits."""
    cd = f"tol 1e-8 start {start}"
    whole = lammps(heap(cd, run="run 200\nwrite_restart half.*\nrun 100"))
    script = heap(cd, run="run 100")
    head, tail = script.split("comm_modify")
    tail = "comm_modify" + tail.replace(HEAP, "").replace("set group all diameter 1 mass 1", "")
    head = "units si\natom_style sphere\nprocessors * * *\nread_restart half.200\n"
    again = lammps(head + tail, where=whole.dir.name)
    a, b = whole.frames(), again.frames()
    assert b[-1].step == 300
    for name in ("x", "y", "z", "vx", "vy", "vz"):
        assert (a[-1].columns[name] == b[-1].columns[name]).all(), name


def test_free_flight(lammps):
    """No contacts: semi-implicit Euler's parabola."""
    n, dt = 100, 1e-3
    result = lammps(spheres(at((0, 0, 3)), walls=FLOOR, gravity=GRAVITY, run=f"run {n}", dt=dt))
    t = result.thermo()
    assert (t["f_cd[3]"] == 0).all() and (t["f_cd[1]"] == 0).all()
    z = 3.0 - G * dt * dt * n * (n + 1) / 2
    assert column(result, "z")[-1] == pytest.approx(z, abs=1e-13)


def test_fixed_and_carried_bodies(lammps):
    """A fixed sphere stands; one that another fix moves takes along what lies on it."""
    atoms = at((-2, 0, 0.5), (-2, 0, 1.6), (2, 0, 0.5), (2, 0, 1.5))
    extra = "group base id 1\ngroup lift id 3\ngroup rest id 1 2 4\n"
    extra += "fix lift lift move linear 0 0 0.5"
    script = spheres(atoms, gravity=GRAVITY, extra=extra, cd="fixed base", group="rest", run="run 500")
    result = lammps(script)
    last = result.frames()[-1].columns
    assert last["z"][0] == 0.5 and last["z"][1] == pytest.approx(1.5, abs=1e-9)
    assert last["z"][2] == pytest.approx(0.75, abs=1e-12)
    assert last["z"][3] == pytest.approx(1.75, abs=1e-9)
    assert last["vz"][3] == pytest.approx(0.5, abs=1e-9)


def test_moving_wall(lammps):
    """A floor that rises lifts the sphere at its own speed and feels its weight."""
    floor = FLOOR + " move velocity 0 0 0.3"
    script = spheres(
        at((0, 0, 0.5)), walls=floor, gravity=GRAVITY, run="run 300", thermo="f_floor[3] f_floor[7]"
    )
    result = lammps(script)
    t = result.thermo()
    assert column(result, "z")[-1] == pytest.approx(0.5 + 0.3 * 0.3, abs=1e-9)
    assert t["f_floor[3]"][-1] == pytest.approx(-G, rel=1e-8)


SQUARE = """v -2 -2 0
v 2 -2 0
v 2 2 0
v -2 2 0
v 0.1 0.2 0
f 1 2 5
f 2 3 5
f 3 4 5
f 4 1 5
"""


def test_surface_wall(lammps):
    """On a triangulated floor a sphere slides over edges and a vertex as on a plane, and falls
    beside it."""
    script = dict(gravity=GRAVITY, extra="velocity all set 1 0.4 0", run="run 600", every=10)
    plane = lammps(spheres(at((-0.4, 0, 0.5)), walls=FLOOR, **script))
    mesh = FLOOR.replace("plane 0 0 0 0 0 1", "obj floor.obj")
    mesh = lammps(spheres(at((-0.4, 0, 0.5)), walls=mesh, **script), files={"floor.obj": SQUARE})
    for name in ("x", "y", "z"):
        assert column(mesh, name) == pytest.approx(column(plane, name), abs=1e-9), name


def test_ball_rolls_down(lammps):
    """With friction a ball rolls down a slope at 5/7 g sin(angle); a steep one makes it slip."""
    for angle, expected in ((20.0, None), (70.0, 0.3)):
        a = np.radians(angle)
        pull = f"fix g all gravity {G} vector {np.sin(a):.17g} 0 {-np.cos(a):.17g}"
        script = spheres(
            at((-4, 0, 0.5)), walls=FLOOR, gravity=pull, cd="friction 0.3 tol 1e-12", run="run 500"
        )
        vx = column(lammps(script), "vx")
        rolling = 5 / 7 * G * np.sin(a)
        slipping = G * (np.sin(a) - 0.3 * np.cos(a))
        want = rolling if expected is None else slipping
        show(acceleration=vx[-1] / 0.5, error=vx[-1] / 0.5 / want - 1)
        assert vx[-1] / 0.5 == pytest.approx(want, rel=1e-6)


# ---- polyhedra ----


@pytest.mark.parametrize("excess", [-0.001, 0.001])
def test_block_on_incline_sticks_and_slips(lammps, excess):
    """The block stays up to the angle of friction, and slides beyond."""
    mu = 0.5
    a = np.arctan(mu * (1 + excess))
    pull = f"fix g all gravity {G} vector {np.sin(a):.17g} 0 {-np.cos(a):.17g}"
    script = polyhedra(
        "1 box 1 1 0.2 density 5",
        "create_polyhedra 1 at 0 0 0.1",
        gravity=pull,
        cd=f"friction {mu} tol 1e-11 maxiter 100000",
        run="run 200",
        every=20,
    )
    v = column(lammps(script), "vx")[-1]
    want = 0.0 if excess < 0 else G * (np.sin(a) - mu * np.cos(a)) * 0.2
    show(speed=v, expected=want)
    assert v == pytest.approx(want, abs=1e-3 * G * mu * 1e-3 * 0.2 + 1e-9)


@pytest.mark.parametrize("angle", [35.0, 50.0])
def test_block_slides_at_the_right_acceleration(lammps, angle):
    mu, a = 0.5, np.radians(angle)
    pull = f"fix g all gravity {G} vector {np.sin(a):.17g} 0 {-np.cos(a):.17g}"
    script = polyhedra(
        "1 box 1 1 0.2 density 5",
        "create_polyhedra 1 at -3 0 0.1",
        gravity=pull,
        cd=f"friction {mu} tol 1e-11 maxiter 100000",
        run="run 500",
        every=50,
    )
    result = lammps(script)
    v = column(result, "vx")[-1]
    want = G * (np.sin(a) - mu * np.cos(a)) * 0.5
    show(error=v / want - 1, lift=column(result, "z")[-1] - 0.1)
    assert v == pytest.approx(want, rel=1e-3)
    assert column(result, "z")[-1] == pytest.approx(0.1, abs=1e-6)


def tower(n, offset=0.0):
    return "\n".join(
        f"create_polyhedra 1 at {offset * (-1) ** i} {offset * (-1) ** (i // 2)} {0.5 + i}"
        for i in range(n)
    )


@pytest.mark.parametrize("cd", ["", "friction 0.5", "solver pgs tol 1e-7"])
def test_stack_of_twenty(lammps, cd):
    """A tower of 20 cubes stands for 2 s: four points carry each cube's weight above it."""
    script = polyhedra(bodies=tower(20), cd=cd, dt=5e-3, run="run 400", every=400, thermo="f_floor[3]")
    result = lammps(script)
    t = result.thermo()
    first, last = result.frames()[0].columns, result.frames()[-1].columns
    drift = max(np.abs(last[c] - first[c]).max() for c in "xyz")
    show(drift=drift, kinetic=t["f_cd[7]"][-1], floor=t["f_floor[3]"][-1])
    assert t["f_cd[3]"][-1] == 80
    assert t["f_floor[3]"][-1] == pytest.approx(-20 * G, rel=1e-6)
    assert drift < 1e-6


def test_warm_start_saves_iterations(lammps):
    """At rest the forces of the step before solve the next one."""
    cold, warm = (
        lammps(polyhedra(bodies=tower(10), cd=f"start {s}", run="run 20")).thermo()["f_cd[1]"][-1]
        for s in ("cold", "warm")
    )
    show(cold=cold, warm=warm)
    assert cold > 50 and warm < 0.5 * cold


def test_shifted_stack(lammps):
    """Cubes that overlap in part meet in the corners of their common square and stand by friction."""
    script = polyhedra(
        bodies=tower(8, 0.07), cd="friction 0.5", dt=5e-3, run="run 200", every=200
    )
    result = lammps(script)
    first, last = result.frames()[0].columns, result.frames()[-1].columns
    drift = max(np.abs(last[c] - first[c]).max() for c in "xyz")
    show(drift=drift)
    assert result.thermo()["f_cd[3]"][-1] == 32
    assert drift < 1e-6


def test_cube_bounces(lammps):
    """A cube that falls flat rebounds with e; its vertices hit at once."""
    script = polyhedra(
        bodies="create_polyhedra 1 at 0 0 0.6",
        gravity="",
        extra="velocity all set 0 0 -1",
        cd="restitution 0.4",
        run="run 200",
    )
    assert column(lammps(script), "vz")[-1] == pytest.approx(0.4, abs=1e-8)


def test_tumbling(lammps):
    """Free rotation: angular momentum exact, energy without drift."""
    script = polyhedra(
        "1 box 1 0.6 0.2 density 5",
        "create_polyhedra 1 at 0 0 5",
        walls="",
        gravity="",
        extra="set group all angmom 0.3 0.2 0.1",
        run="run 5000",
        dt=5e-3,
        columns="angmomx angmomy angmomz",
        every=10,
    )
    result = lammps(script)
    k = result.thermo()["f_cd[7]"]
    show(energy=np.ptp(k) / k[0])
    for name, value in zip(("angmomx", "angmomy", "angmomz"), (0.3, 0.2, 0.1)):
        assert column(result, name) == pytest.approx(np.full(len(k), value), abs=1e-12)
    assert np.ptp(k) < 1e-3 * k[0]
    assert abs(k[-50:].mean() - k[:50].mean()) < 1e-4 * k[0]


def test_cubes_fall_into_a_box(lammps):
    """Cubes thrown into a tray: the sum of kinetic and potential energy never grows by more than
    rounding and the press-out of overlaps, and they stay inside."""
    bodies = "\n".join(
        f"create_polyhedra 1 at {x} {y} {z} rotate {37 * (x + 2 * y + 3 * z)} 1 {y} {z}"
        for x in (-0.9, 0.9)
        for y in (-0.9, 0.9)
        for z in (1.5, 3.3)
    )
    walls = TRAY.replace("1.8", "2")
    script = polyhedra(
        bodies=bodies,
        walls=walls,
        cd="tol 1e-7 maxiter 40000",
        dt=2e-3,
        run="run 700",
        thermo="v_e",
        extra=f"variable h equal xcm(all,z)\nvariable e equal v_h*{8 * G}+f_cd[7]",
    )
    t = lammps(script).thermo()
    e = t["v_e"]
    show(rise=np.diff(e).max() / e[0], lost=1 - e[-1] / e[0], deepest=t["f_cd[5]"].max())
    assert np.diff(e).max() < 1e-3 * e[0]
    assert e[-1] < 0.8 * e[0]
    assert t["f_cd[5]"].max() < 0.05


def test_surface_floor(lammps):
    """Cubes on a triangulated floor, which one crosses: as on a plane."""
    mesh = FLOOR.replace("plane 0 0 0 0 0 1", "obj floor.obj")
    parts = dict(
        bodies="create_polyhedra 1 at -0.4 0 0.6 rotate 20 1 2 3\ncreate_polyhedra 1 at 1 0.9 0.5",
        extra="velocity all set 0.3 0.1 -0.5",
        run="run 150",
        every=10,
        cd="friction 0.1 tol 1e-10 maxiter 100000",
    )
    plane = lammps(polyhedra(walls=FLOOR, **parts))
    surface = lammps(polyhedra(walls=mesh, **parts), files={"floor.obj": SQUARE})
    n = plane.thermo()["f_cd[4]"]
    assert n[-1] > 2
    for name in ("x", "y", "z"):
        for body in (0, 1):
            a, b = column(plane, name, body), column(surface, name, body)
            assert b == pytest.approx(a, abs=1e-6), name


@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks_of_polyhedra(lammps, ranks):
    """A tower that is hit by cubes from both sides, on several processes."""
    bodies = tower(4) + "\n" + "\n".join(
        f"create_polyhedra 1 at {x} {y} 0.9 rotate 30 1 2 {x}" for x, y in ((-1.4, 0), (1.5, 0.2))
    )
    extra = "group left id 5\ngroup right id 6\nvelocity left set 3 0 0\nvelocity right set -3 0 0"
    cd = "tol 1e-8 maxiter 20000"
    parts = dict(bodies=bodies, cd=cd, dt=2e-3, run="run 40", every=40, extra=extra)
    one = lammps(polyhedra(**parts))
    more = lammps(polyhedra(processors="* 1 1", **parts), ranks=ranks)
    a, b = one.frames()[-1].columns, more.frames()[-1].columns
    worst = max(np.abs(a[c] - b[c]).max() for c in "xyz")
    show(difference=worst, contacts=one.thermo()["f_cd[4]"][-1], iterations=one.thermo()["f_cd[1]"].max())
    assert one.thermo()["f_cd[4]"][-1] > 16
    assert worst < 1e-8


@pytest.mark.parametrize("start", ["cold", "warm"])
def test_restart_of_polyhedra(lammps, start):
    """The same bits after a restart, friction and warm start included."""
    bodies = tower(3, 0.1) + "\ncreate_polyhedra 1 at 1.6 0 0.9 rotate 30 1 2 3"
    cd = f"friction 0.4 start {start} corrections 20 unconverged ignore"
    whole = lammps(polyhedra(bodies=bodies, cd=cd, run="run 50\nwrite_restart half.*\nrun 50"))
    script = polyhedra(bodies="", cd=cd, run="run 50")
    tail = script[script.index("comm_modify") :]
    head = "units si\natom_style ellipsoid\nread_restart half.50\n"
    again = lammps(head + tail, where=whole.dir.name)
    a, b = whole.frames(), again.frames()
    assert b[-1].step == 100
    for name in ("x", "y", "z", "vx", "vy", "vz"):
        assert (a[-1].columns[name] == b[-1].columns[name]).all(), name


# ---- errors ----

ERRORS = {
    "keyword": ("wrong 1", "unknown keyword wrong"),
    "value": ("tol", "keyword tol needs a value"),
    "solver": ("solver ode", "solver ode: the solvers are pgs and apgd"),
    "tol": ("tol 0", "tol 0: must lie between 0 and 1"),
    "maxiter": ("maxiter 0", "maxiter 0: must be at least 1"),
    "restitution": ("restitution 1.5", "restitution 1.5: must lie between 0 and 1"),
    "restspeed": ("restspeed -1", "restspeed -1: must be >= 0"),
    "friction": ("friction -0.1", "friction -0.1: must be >= 0"),
    "corrections": ("corrections -1", "corrections -1: must be >= 0"),
    "gap": ("gap -1", "gap -1: must be >= 0"),
    "pushout": ("pushout -1", "pushout -1: must be >= 0"),
    "order": ("solver pgs order zigzag", "order zigzag: must be tag, reverse, random SEED, x"),
    "seed": ("solver pgs order random", "order random needs a seed"),
    "bad-seed": ("solver pgs order random 0", "the seed must be > 0"),
    "order-apgd": ("order reverse", "keyword order needs solver pgs"),
    "friction-pgs": ("solver pgs friction 0.3", "friction needs solver apgd"),
    "start": ("start hot", "start hot: must be cold or warm"),
    "unconverged": ("unconverged maybe", "must be error, warning or ignore"),
    "fixed": ("fixed nobody", "fixed nobody: there is no such group"),
    "gap-cutoff": ("gap 1", "the pair cutoff 1.5 of types 1 1 is below 2, the sum of their largest"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error(lammps, name):
    cd, message = ERRORS[name]
    lammps(spheres(at((0, 0, 1)), cd=cd), fail=f"Fix contact/dynamics.*{message}")


def test_unconverged(lammps):
    """An iteration limit is an error, a warning or counted, as asked for."""
    message = r"not converged at step \d+: residual .* after 1 iterations"
    cd = "solver pgs maxiter 1 unconverged"
    lammps(heap(f"{cd} error"), fail=message)
    lammps(heap(f"{cd} warning"), warn=message)
    t = lammps(heap(f"{cd} ignore")).thermo()
    assert 50 < t["f_cd[8]"][-1] < 301


def test_other_styles(lammps):
    """What does not go together with the fix."""
    script = spheres(at((0, 0, 1)))
    lammps(
        script.replace("atom_style sphere", "atom_style atomic").replace("diameter 1 mass 1", "type 1"),
        fail="requires atom style sphere, or ellipsoid with fix polyhedron/shape",
    )
    twice = script.replace("timestep", "fix two all contact/dynamics\ntimestep")
    lammps(twice, fail="There can be only one fix contact/dynamics")
    body = polyhedra(bodies="create_polyhedra 1 at 0 0 0.6")
    lammps(
        body.replace("pair_style zero 4", "pair_style polyhedron").replace(
            "pair_coeff * *", "pair_coeff * * normal 1e5 1 gap 0.01"
        ),
        fail="Fix contact/dynamics and pair style polyhedron exclude each other",
    )
    lammps(script.replace("units si", "units real"), fail="units real are not consistent")
    lammps(script.replace("timestep 0.001", "timestep 0"), fail="the time step must be > 0")
    lammps(
        spheres(at((0, 0, 1), (0, 0, 1))),
        fail="Contact dynamics: spheres 1 and 2 have the same centre",
    )


# ---- far in a time step ----


def bullets(dt, speed, seed=1, cd="", steps=0, cutoff=6, n=25):
    """Cubes of 0.1, each shot at a plate of its own, 0.6 x 0.6 x 0.02, all turned at random."""
    draw = np.random.default_rng(seed)
    bodies = extra = ""
    for i in range(n):
        centre = np.array([i % 5 * 10.0 - 20.0, i // 5 * 10.0 - 20.0, 0.0])
        way = draw.normal(size=3)
        way /= np.linalg.norm(way)
        x = centre + draw.uniform(-0.15, 0.15, 3) - way * draw.uniform(0.55, 1.5)
        for k, (kind, place) in enumerate(((1, centre), (2, x))):
            angle, axis = draw.uniform(0, 360), draw.normal(size=3)
            turn = " ".join(f"{w:.17g}" for w in (angle, *axis.tolist()))
            at_place = " ".join(f"{w:.17g}" for w in place.tolist())
            bodies += f"create_polyhedra {kind} at {at_place} rotate {turn}\n"
        v = " ".join(f"{w:.17g}" for w in (speed * way).tolist())
        extra += f"group g id {2 * i + 2}\nvelocity g set {v}\ngroup g delete\n"
    return polyhedra(
        "1 box 0.6 0.6 0.02 density 1000 2 box 0.1 0.1 0.1 density 1000",
        bodies,
        types=2,
        walls="",
        gravity="",
        cd=cd,
        extra=extra,
        dt=dt,
        run=f"run {steps or round(2.2 / speed / dt)}",
        box="-25 25 -25 25 -5 5",
        cutoff=cutoff,
        every=1,
    )


def who_is_hit(result):
    """Plates that move at the end, as whole numbers."""
    last = result.frames()[-1].columns
    v = np.column_stack([last[c] for c in ("vx", "vy", "vz")])
    return np.nonzero(np.linalg.norm(v[::2], axis=1) > 1e-6)[0].tolist()


def test_bullets_do_not_pass(lammps):
    """At 20 m/s bullets go the plates' thickness in a step, at 50 m/s two and a half times it."""
    cd = "gap 0.005 maxiter 100000"
    expected = who_is_hit(lammps(bullets(2e-4, 20, cd=cd)))  # by 4 mm in a step
    show(hit=len(expected))
    for dt, speed in ((1e-3, 20), (1e-3, 50), (1e-2, 5)):
        result = lammps(bullets(dt, speed, cd=cd))
        deepest = result.tables()[-1]["f_cd[5]"]
        show(speed=speed, deepest=max(deepest), last=deepest[-1])
        hit = who_is_hit(result)
        assert set(expected) <= set(hit)
        assert len(hit) <= len(expected) + 3  # some only just miss
        assert max(deepest) <= 0.005
        assert deepest[-1] <= 1e-4


def needles(turn, dt=1e-3, seed=1):
    """Needles that spin by some angle per step, each with a post, turned at random, in its way."""
    draw = np.random.default_rng(seed)
    moment = 0.1 / 12 * (1 + 1e-4)
    bodies = extra = ""
    for i in range(9):
        centre = np.array([i % 3 * 4.0 - 4.0, i // 3 * 4.0 - 4.0, 0.0])
        at, far = draw.uniform(0.8, 2.3), draw.uniform(0.24, 0.45)
        post = centre + np.array([far * np.cos(at), far * np.sin(at), draw.uniform(-0.02, 0.02)])
        way = " ".join(f"{w:.17g}" for w in (draw.uniform(0, 360), *draw.normal(size=3).tolist()))
        bodies += "create_polyhedra 1 at {:.17g} {:.17g} {:.17g}\n".format(*centre.tolist())
        bodies += "create_polyhedra 2 at {:.17g} {:.17g} {:.17g} rotate {}\n".format(*post.tolist(), way)
        extra += f"set atom {2 * i + 1} angmom 0 0 {moment * turn / dt:.17g}\n"
    return polyhedra(
        "1 box 1 0.01 0.01 density 1000 2 box 0.05 0.05 0.3 density 1000 write shapes.txt",
        bodies,
        types=2,
        walls="",
        gravity="",
        cd="gap 0.005 maxiter 100000",
        extra=extra + "compute q all property/atom quatw quati quatj quatk",
        dt=dt,
        run=f"run {round(6.3 / turn) + 20}",
        box="-9 9 -9 9 -9 9",
        cutoff=3,
        columns="vx vy vz type c_q[1] c_q[2] c_q[3] c_q[4]",
    )


@pytest.mark.parametrize("turn", [0.03, 0.1, 0.3])
def test_spinning_needles_do_not_pass(lammps, turn):
    """They hit their posts, spin about other axes from then on, and gain no energy."""
    result = lammps(needles(turn))
    t, last = result.thermo(), result.frames()[-1].columns
    v = np.column_stack([last[c] for c in ("vx", "vy", "vz")])
    k = t["f_cd[7]"]
    show(deepest=t["f_cd[5]"].max(), rise=np.diff(k).max() / k[0], kept=k[-1] / k[0])
    assert (np.linalg.norm(v, axis=1) > 1e-9).all()
    assert np.diff(k).max() < 1e-4 * k[0] and k[-1] < 0.8 * k[0]
    assert t["f_cd[5]"].max() < 0.005
    (result.dir / "end").write_text("ITEM: TIMESTEP" + (result.dir / "dump").read_text().split("ITEM: TIMESTEP")[-1])
    assert lammps.intersections(result, "end") == 0


def test_needles_too_fast_are_refused(lammps):
    """By a radian and more in a step, against posts a thirtieth of their length thick."""
    fail = r"body \d+ goes into \d+ by .* shorten the time step"
    lammps(needles(1.0), fail=fail)
    lammps(needles(3.0, seed=2), fail=fail)


def test_a_step_too_long_is_refused(lammps):
    """100 m/s, a metre in a step: plates are thrown about by more than their size."""
    fail = r"body \d+ goes into \d+ by .* shorten the time step"
    lammps(bullets(1e-2, 100), fail=fail)
    lammps(bullets(1e-3, 50, cd="restitution 0.5"), fail=fail)


@pytest.mark.parametrize("ranks", [1, 2])
def test_out_of_the_list(lammps, ranks):
    """Bodies that would meet within the step, but are further apart than the neighbour list shows."""
    fail = r"bodies \d+ and \d+ can meet within step 1, .* raise the cutoff of pair style zero to"
    lammps(bullets(1e-2, 100, cutoff=1.0), fail=fail, ranks=ranks)


@pytest.mark.parametrize("command, why", [
    ("fix m all momentum 2 linear 1 1 1", "body 1 has got another velocity since this step was solved"),
    ("fix d all dt/reset 2 1e-4 2e-3 0.001 units box", "the time step has been changed within a run"),
])
def test_what_is_changed_after_the_solution(lammps, command, why):
    """The step begins with velocities that the last one has ended with."""
    lammps(spheres(atoms="create_atoms 1 single 0 0 3 units box", gravity=GRAVITY, extra=f"velocity all set 1 0 0\n{command}",
                   run="run 20"), fail=why)


@pytest.mark.parametrize("command, why", [
    ("timestep 2e-3", r"the time step has been changed within a run, as by fix dt/reset, or before run \.\.\. pre no, from 0\.001 .*: "
                      r"change it between runs, and leave out pre no in the run that follows"),
    ("velocity all set 0 0 1", r"body 1 has got another velocity since .*, nor does run \.\.\. pre no after a change between runs, "
                               r"as by velocity: leave out pre no"),
])
def test_what_is_changed_before_a_run_without_set_up(lammps, command, why):
    """The solution for its first step was made at the end of the run before; a set-up makes it anew."""
    parts = dict(atoms="create_atoms 1 single 0 0 3 units box", gravity=GRAVITY)
    lammps(spheres(**parts, run=f"run 5\n{command}\nrun 5 pre no"), fail=why)
    lammps(spheres(**parts, run=f"run 5\n{command}\nrun 5"))


def test_body_that_nothing_moves(lammps):
    """It stands, whatever velocity it has been given."""
    result = lammps(polyhedra(bodies="create_polyhedra 1 at 0 0 2\ncreate_polyhedra 1 at 0 0 3.05\ngroup top id 2", walls="",
                              extra="velocity all set 0 0 -1", run="run 400", every=100).replace("fix cd all", "fix cd top"),
                    warn="body 1 has a velocity, but no fix moves it: it stands still")
    z = result.frames()[-1].columns["z"]
    show(apart=z[1] - z[0])
    assert z[0] == 2.0 and abs(z[1] - 3.0) < 1e-3


def test_fast_ball_on_the_floor_of_a_mesh(lammps):
    """It stands on one triangle of the box that it is in, and goes for another: it does not go through."""
    corners = [(x, y, z) for z in (0, 4) for y in (-3, 3) for x in (-3, 3)]
    faces = [(1, 2, 4), (1, 4, 3), (1, 2, 6), (1, 6, 5), (2, 4, 8), (2, 8, 6), (3, 4, 8), (3, 8, 7), (1, 3, 7), (1, 7, 5)]
    box = "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join("f {} {} {}\n".format(*f) for f in faces)
    for speed in (40, 400):
        result = lammps(spheres(atoms="create_atoms 1 single 0 0 0.5 units box", walls="fix w all wall/polyhedron obj box.obj",
                                gravity=GRAVITY, extra=f"velocity all set {speed} 0.1 0", dt=5e-3, every=1, run="run 40"),
                        files={"box.obj": box})
        x = np.array([f.vectors("x", "y", "z")[0] for f in result.frames()])
        show(furthest=x[:, 0].max() - 2.5, last=x[-1, 0] - 2.5, height=np.abs(x[:, 2] - 0.5).max())
        assert abs(x[:, 0].max() - 2.5) < 1e-6 and abs(x[-1, 0] - 2.5) < 1e-6
        assert np.abs(x[:, 2] - 0.5).max() < 1e-6


@pytest.mark.parametrize("modify", ["every 1 delay 10 check yes", "every 20 delay 0 check no", "once yes"])
def test_list_is_made_when_bodies_have_moved(lammps, modify):
    """Whatever the host's own rule is: by default it looks every ten steps, in which these two would meet unseen."""
    near = spheres(atoms="create_atoms 1 single -1.2 0 0 units box\ncreate_atoms 1 single 1.2 0 0 units box\n"
                         "group left id 1\ngroup right id 2",
                   extra="velocity left set 9 0 0\nvelocity right set -9 0 0", walls="", gravity="", cutoff=1.15,
                   dt=5e-3, run="run 40", every=5)
    usual = lammps(near, may_warn="")
    other = lammps(near.replace("neigh_modify delay 0", f"neigh_modify {modify}"))
    x = [np.array([f.columns["x"] for f in r.frames()]) for r in (usual, other)]
    show(apart=(x[1][:, 1] - x[1][:, 0]).min(), difference=np.abs(x[1] - x[0]).max())
    assert (x[0][:, 1] - x[0][:, 0]).min() > 0.99
    assert np.abs(x[1] - x[0]).max() < 1e-12


def test_cutoff_of_bodies_that_come_later(lammps):
    """Nothing is known of the bodies at set-up: the cutoff is looked at when they are there."""
    pour = "region top block -2 2 -2 2 0 4 units box\nfix p all pour 20 1 4711 region top diam one 1 dens 1.9 1.9"
    script = spheres(atoms="", gravity=GRAVITY, extra=pour, cutoff=0.5, dt=2e-3, run="run 2000").replace(
        "set group all diameter 1 mass 1\n", "")
    lammps(script, fail="the pair cutoff 0.5 of types 1 1 is below 1")


@pytest.mark.parametrize("wall", ["plane 0 0 0 0 0 1", "ball"])
def test_fast_spheres(lammps, wall):
    """A sphere that goes ten diameters in a step stops at another, and at a wall."""
    other = "fix cd_wall all wall/polyhedron plane 0 0 0 0 0 1" if wall != "ball" else ""
    script = spheres(
        at((0, 0, 3)) + ("" if other else "\n" + at((0, 0, 0))),
        walls=other,
        extra="group one id 1\nvelocity one set 0 0 -1000",
        dt=1e-2,
        cutoff=12,
        box="-5 5 -5 5 -9 5",
        boundary="f f m",
    )
    z = lammps(script).frames()[-1].columns["z"]
    if other:
        assert z[0] == pytest.approx(0.5, abs=1e-9)
    else:
        assert z[0] - z[1] >= 1.0 - 1e-9


# ---- beside other fixes ----

PILE = "create_polyhedra 1 at 0 0 0.5\ncreate_polyhedra 1 at 0 0 1.5"


@pytest.mark.parametrize("ranks", [1, 2])
def test_frozen_body_holds(lammps, ranks):
    """A cube falls on one that another fix freezes half a metre above the floor."""
    bodies = "create_polyhedra 1 at 0 0 1\ncreate_polyhedra 1 at 0 0 2.2"
    extra = "group low id 1\nfix s low freeze"
    result = lammps(polyhedra(bodies=bodies, extra=extra, run="run 400"), ranks=ranks)
    z = result.frames()[-1].columns["z"]
    assert z[0] == 1.0
    assert z[1] == pytest.approx(2.0, abs=1e-6)


def test_forces_of_other_fixes(lammps):
    """fix addforce before or after is an external force; bodies at rest under fix viscous stay."""
    for extra in ("fix s all addforce 0 0 -5", "fix s all viscous 10\nfix p all addforce 0 0 -5"):
        t = lammps(polyhedra(bodies=PILE, extra=extra, run="run 100")).tables()[-1]
        assert t["f_cd[6]"][-1] == pytest.approx(3 * (G + 5), rel=1e-6)


GO_ON = """unfix cd
{change}
pair_style polyhedron
pair_coeff * * auto velocity 1 friction 0.5 0.5 restitution 0
fix motion all implicit/polyhedron
thermo_style custom step f_motion[8] f_floor[3]
thermo_modify format float %.17g norm no
timestep 0.005
compute q all property/atom quatw quati quatj quatk
dump e all custom 100 dump2 id type x y z c_q[1] c_q[2] c_q[3] c_q[4]
run 200"""


@pytest.mark.parametrize("shape, factor", [("box 0.1 0.1 0.1", 0.96), (f"stl {SHAPES}/tetrapod.stl", 0.96)])
def test_the_implicit_step_goes_on(lammps, shape, factor):
    """Bodies that contact dynamics has left touching, or with an overlap: the error tells by how much smaller
    shapes let them part, from walls as well."""
    box = shape.startswith("box")
    bodies = ("create_polyhedra 1 at -0.001 0 0.06 rotate 10 0 0 1\ncreate_polyhedra 1 at 0.003 0 0.165 rotate 20 0 0 1"
              if box else "create_polyhedra 1 at 0 0 0.06 rotate 10 1 2 3\ncreate_polyhedra 1 at 0.01 0.01 0.16 rotate 100 1 0 3")
    size = "" if box else "scale 0.5"
    parts = dict(shapes=f"1 {shape} density 1000 {size}", bodies=bodies, cutoff=1, every=100, columns="vx",
                 walls=FLOOR + "\nfix side all wall/polyhedron plane -0.06 0 0 1 0 0")
    text = polyhedra(**parts, run="run 300").replace("thermo_modify", "thermo_modify norm no")
    refused = lammps(text + GO_ON.format(change=""), fail=r"overlap at step 300, depth [\d.e-]+: place them apart, best by the gap "
                     r"at which contact begins, [\d.e-]+; where many touch, as fix contact/dynamics leaves them: define "
                     rf"their shapes anew with fix polyhedron/shape, smaller by a factor scale {factor}")
    show(refused=refused.text.splitlines()[-2])
    scale = f"scale {factor if box else 0.5 * factor}"
    change = f"unfix shapes\nfix shapes all polyhedron/shape 1 {shape} density {1000 / factor**3} {scale} write shapes.txt"
    result = lammps(text + GO_ON.format(change=change), may_warn="previous thermo_modify settings")
    table = result.tables()[-1]
    show(kinetic=table["f_motion[8]"][-1], floor=table["f_floor[3]"][-1])
    assert table["f_motion[8]"][-1] < 1e-12
    assert lammps.intersections(result, "dump2", "0 0 0 0 0 1", "-0.06 0 0 1 0 0") == 0
    if box:
        assert table["f_floor[3]"][-1] == pytest.approx(-2 * G, rel=1e-6)


@pytest.mark.parametrize("later", ["addforce 1 0 -5", "gravity 7 vector 0 0 -1"])
def test_fixes_that_are_defined_later(lammps, later):
    """They act in the first step of every run and in the forces at set-up, as those before do. The work of
    walls is that of the steps taken, also where a run goes on."""
    runs = "run 3\nrun 2"
    columns = "f_cd[6] f_floor[3] f_floor[7] f_floor[10]"
    floor = FLOOR + " move velocity 0.01 0 0.02"
    parts = dict(bodies=PILE, walls=floor, cd="friction 0.5", thermo=columns, columns="vx vy vz fx fy fz")
    before = lammps(polyhedra(**parts, extra=f"fix late all {later}", run=runs))
    after = lammps(polyhedra(**parts, run=f"fix late all {later}\n{runs}"))
    for a, b in zip(before.frames(), after.frames(), strict=True):
        assert all(np.array_equal(a.columns[c], b.columns[c]) for c in a.columns)
    for a, b in zip(before.tables(), after.tables(), strict=True):
        assert all(np.array_equal(a[c], b[c]) for c in columns.split())
    whole = lammps(polyhedra(**parts, extra=f"fix late all {later}", run="run 5")).thermo()
    work = before.tables()[-1]["f_floor[7]"]
    show(work=work, whole=whole["f_floor[7]"])
    assert whole["f_floor[7]"][0] == 0.0 and np.array_equal(work, whole["f_floor[7]"][3:])
    down, along = (5, 1) if later.startswith("add") else (7, 0)
    assert np.diff(work) == pytest.approx(2 * (0.02 * (G + down) - 0.01 * along) * 1e-3, rel=1e-6)


@pytest.mark.parametrize(
    "extra, fail",
    [
        ("fix s all nve/asphere", "Fix s of style nve/asphere and fix cd of style contact/dynamics"),
        ("fix s all setforce 0 0 0", "Fix cd of style contact/dynamics: body . is held"),
        ("fix s all setforce 1 0 0", "Fix s of style setforce and fix cd of style contact/dynamics"),
        ("fix s all deform 1 x scale 0.9", "Fix s of style deform changes the box"),
    ],
)
def test_fixes_that_cannot_work_together(lammps, extra, fail):
    lammps(polyhedra(bodies=PILE, extra=extra, run="run 1"), fail=fail)


SMALL = dict(shapes="1 box 0.1 0.1 0.1 density 1000", box="-1 1 -1 1 -0.1 1", cutoff=0.5)


@pytest.mark.parametrize("dt", [0.01, 0.001])
def test_box_stays_on_a_turntable(lammps, dt):
    """A box that sticks to a floor which turns once around keeps its distance from the axis, whatever the step."""
    bodies = "create_polyhedra 1 at 0.3 0 0.05\nvelocity all set 0 0.6 0\nset group all angmom 0 0 0.0033333333333333335"
    walls = f"{FLOOR} move rotate 0 0 0 0 0 1 3.141592653589793"
    script = polyhedra(bodies=bodies, walls=walls, cd="friction 0.5 tol 1e-10", dt=dt, every=round(3.14 / dt), run=f"run {round(3.14 / dt)}", **SMALL)
    end = lammps(script).frames("dump")[-1].columns
    radius = np.hypot(end["x"][0], end["y"][0])
    show(radius=radius)
    assert radius == pytest.approx(0.3, abs=0.15 * dt + 5e-5)


def test_corrections_that_are_not_enough(lammps):
    """The message has what still changes, and the remedy."""
    bodies = "create_polyhedra 1 at 0 0 0.05\nvelocity all set 2 0.3 0\nset group all angmom 0 0 0.003"
    script = polyhedra(bodies=bodies, cd="friction 0.8 tol 1e-10 corrections 2", run="run 10", **SMALL)
    lammps(script, warn="not converged at step 0: sliding contacts still change by .* after 2 corrections .* raise tol, or corrections")
