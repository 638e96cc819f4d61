"""compute force/compatible: the forces of stiff bodies, against closed solutions."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from test_contact_dynamics import (
    FLOOR,
    G,
    GRAVITY,
    HEAP,
    TRAY,
    at,
    polyhedra,
    spheres,
)

# a spike whose point is the origin
SPIKE = """v -0.1 -0.1 -0.3
v 0.1 -0.1 -0.3
v 0.1 0.1 -0.3
v -0.1 0.1 -0.3
v 0 0 0
f 4 3 2 1
f 1 2 5
f 2 3 5
f 3 4 5
f 4 1 5
"""
FILES = {"spike.obj": SPIKE}
COLUMNS = "tag1 tag2 x y z nx ny nz given force gap".split()


def on_spikes(
    points, body="2 2 2", weight=10.0, types=None, cd="", compute="", thermo="", extra="", **parts
):
    """A box of the given weight at rest on spikes, its centre over the origin. The spikes come
    first: spike k has tag k + 1. types: atom types of the spikes, from 2 on."""
    a, b, c = (float(x) for x in body.split())
    types = types or [2] * len(points)
    spikes = "\n".join(
        f"create_polyhedra {t} place shift {x:.17g} {y:.17g} 0" for t, (x, y) in zip(types, points)
    )
    shapes = f"1 box {body} density {weight / G / (a * b * c):.17g}"
    for t in sorted(set(types)):
        shapes += f" {t} obj spike.obj density 1"
    extra = f"group base type > 1\n{extra}\ncompute c all force/compatible cd {compute}\n"
    extra += "dump l all local 1 local " + " ".join(f"c_c[{k}]" for k in range(1, 12))
    extra += "\ndump_modify l format float %.17g"
    script = polyhedra(
        shapes,
        spikes + f"\ncreate_polyhedra 1 at 0 0 {c / 2:.17g}",
        types=max(types),
        walls="",
        cd=f"fixed base tol 1e-13 maxiter 100000 {cd}",
        extra=extra,
        thermo=f"c_c[*] {thermo}",
        run="run 0",
        **parts,
    )
    # the compute names the fix: it must come after it
    lines = script.split("\n")
    head = [x for x in lines if not x.startswith(("compute c ", "dump l ", "dump_modify l "))]
    tail = [x for x in lines if x.startswith(("compute c ", "dump l ", "dump_modify l "))]
    where = next(i for i, x in enumerate(head) if x.startswith("timestep"))
    return "\n".join(head[:where] + tail + head[where:])


def rows(result, name="local", frame=-1):
    """Table of a local dump, one frame, sorted by the tags and the place."""
    table = result.frames(name)[frame].table()
    table = table[np.lexsort(np.round(table[:, [4, 3, 2, 1, 0]], 9).T)]
    return dict(zip(COLUMNS, table.T))


BEAM = [(0.0, 0.0), (-1.0, 0.0), (1.0, 0.0)]  # middle support first
EXACT = "tol 1e-13"


@pytest.mark.parametrize("solver", ["newton", "lagrangian"])
@pytest.mark.parametrize("law", ["hooke", "hertz"])
def test_beam(lammps, law, solver):
    """A beam of weight 10 on three equal supports: 10/3 each, whatever the law."""
    script = on_spikes(BEAM, "2.4 0.2 0.2", compute=f"law {law} solver {solver} {EXACT} rank 10")
    result = lammps(script, files=FILES)
    f = rows(result)["force"]
    c = result.thermo()
    show(error=np.abs(f - 10 / 3).max(), kkt=c["c_c[2]"][0])
    assert f == pytest.approx(np.full(3, 10 / 3), abs=1e-10)
    assert c["c_c[2]"][0] < 1e-12
    assert c["c_c[3]"][0] < 1e-11 and c["c_c[4]"][0] < 1e-11
    assert (c["c_c[5]"][0], c["c_c[7]"][0], c["c_c[8]"][0]) == (1, 3, 3)


def test_supports_feel_the_forces(lammps):
    """The per-atom resultants of immobile bodies: each spike gets a third of the weight at its point."""
    script = on_spikes(BEAM, "2.4 0.2 0.2", compute=EXACT, columns="c_c[3] c_c[5]")
    frame = lammps(script, files=FILES).frames()[0].columns
    assert frame["c_c[3]"] == pytest.approx([-10 / 3] * 3 + [10], abs=1e-10)
    assert frame["c_c[5]"] == pytest.approx([0] * 4, abs=1e-10)


def test_beam_of_two_stiffnesses(lammps):
    """The middle support three times stiffer: 2, 6, 2."""
    script = on_spikes(
        BEAM, "2.4 0.2 0.2", types=[3, 2, 2], compute=f"stiffness 1 3 3.0 {EXACT}"
    )
    f = rows(lammps(script, files=FILES))["force"]
    show(error=np.abs(f - [6, 2, 2]).max())
    assert f == pytest.approx([6, 2, 2], abs=1e-10)


@pytest.mark.parametrize(
    "order, expected", [("tag", (10, 0, 0)), ("reverse", None), ("x", None), ("random 7", None)]
)
def test_beam_depends_on_the_order_of_pgs(lammps, order, expected):
    """Figure 1 of the paper: visited first the middle support carries all, and other orders give
    other forces of the same resultant. The compatible forces do not depend on it."""
    script = on_spikes(
        BEAM, "2.4 0.2 0.2", cd=f"solver pgs order {order}", compute=EXACT
    )
    r = rows(lammps(script, files=FILES))
    show(given=r["given"])
    assert r["given"].sum() == pytest.approx(10, abs=1e-10)
    assert r["given"][1] == pytest.approx(r["given"][2], abs=1e-9)
    if expected:
        assert r["given"] == pytest.approx(expected, abs=1e-9)
    else:
        assert abs(r["given"][0] - 10) > 0.5
    assert r["force"] == pytest.approx(np.full(3, 10 / 3), abs=1e-9)


POINTS = {
    4: [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)],
    5: [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8), (0.1, 0.2)],
    6: [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8), (0.1, 0.2), (0.0, -0.5)],
    8: [(0.8 * np.cos(t), 0.8 * np.sin(t)) for t in 0.2 + np.arange(8) * np.pi / 4 + 0.05 * np.arange(8)],
}


def affine(points, load):
    """Forces a + b x + c y with the given resultant."""
    p = np.array([[1, x, y] for x, y in points])
    return p @ np.linalg.solve(p.T @ p, load)


@pytest.mark.parametrize("shift", [(0, 0), (0.15, -0.1)])
@pytest.mark.parametrize("n", POINTS)
def test_cube_on_points(lammps, n, shift):
    """A cube on n points, load at the centre and beside it: n - 3 fold indeterminate; the forces are
    affine in the place of the points."""
    points = [(float(x - shift[0]), float(y - shift[1])) for x, y in POINTS[n]]
    result = lammps(on_spikes(points, compute=f"{EXACT} rank 20"), files=FILES)
    f = rows(result)["force"]
    want = affine(points, [10, 0, 0])
    show(error=np.abs(f - want).max(), given=np.abs(rows(result)["given"] - want).max())
    assert want.min() > 0
    assert f == pytest.approx(want, abs=1e-10)
    assert result.thermo()["c_c[5]"][0] == n - 3


@pytest.mark.parametrize("case", ["heap", "pyramid"])
@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks(lammps, ranks, case):
    """Forces, resultants and figures do not depend on the number of processes."""
    last = []
    for n in (1, ranks):
        make = heap if case == "heap" else pyramid
        result = lammps(make("law hertz tol 1e-12", processors="* * 1"), ranks=n)
        last.append((rows(result), result.thermo(), result.frames()[-1].columns))
    (a, ta, fa), (b, tb, fb) = last
    assert len(a["force"]) == len(b["force"]) > 40
    difference = np.abs(a["force"] - b["force"]).max() / G
    resultant = max(np.abs(fa[f"c_c[{k}]"] - fb[f"c_c[{k}]"]).max() for k in (1, 2, 3)) / G
    show(difference=difference, resultant=resultant, contacts=len(a["force"]))
    # the bodies of the heap have moved before, and their paths part by the solver's tolerance
    allowed = 1e-9 if case == "pyramid" else 1e-7
    assert difference < allowed and resultant < allowed
    for k in (5, 7, 8):
        assert ta[f"c_c[{k}]"][-1] == tb[f"c_c[{k}]"][-1]
    assert ta["c_c[1]"][-1] == pytest.approx(tb["c_c[1]"][-1], rel=1e-7)


def heap(compute, **parts):
    """A heap of spheres that come to rest in a tray."""
    script = spheres(
        HEAP,
        walls=TRAY,
        gravity=GRAVITY,
        cd="tol 1e-12 maxiter 100000",
        dt=2e-3,
        run="run 0",
        every=50,
        thermo="c_c[*]",
        columns="vx vy vz c_c[1] c_c[2] c_c[3] c_c[4] c_c[5] c_c[6]",
        **parts,
    )
    lines = f"compute c all force/compatible cd rank 200 empty ignore {compute}\n"
    lines += "dump l all local 50 local " + " ".join(f"c_c[{k}]" for k in range(1, 12))
    lines += "\ndump_modify l format float %.17g\ntimestep"
    return script.replace("timestep", lines).replace("run 0", "run 300")


def pyramid(compute, base=5, run="run 0", **parts):
    """Spheres in contact: a square base between four walls, layers in its hollows."""
    half = base / 2
    places = [
        (i - (base - l - 1) / 2, j - (base - l - 1) / 2, 0.5 + l * np.sqrt(0.5))
        for l in range(base)
        for i in range(base - l)
        for j in range(base - l)
    ]
    walls = "\n".join(
        [FLOOR]
        + [
            f"fix w{k} all wall/polyhedron plane {p} {n}"
            for k, (p, n) in enumerate(
                [
                    (f"{-half} 0 0", "1 0 0"),
                    (f"{half} 0 0", "-1 0 0"),
                    (f"0 {-half} 0", "0 1 0"),
                    (f"0 {half} 0", "0 -1 0"),
                ]
            )
        ]
    )
    script = spheres(
        at(*places),
        walls=walls,
        gravity=GRAVITY,
        cd="tol 1e-13 maxiter 100000",
        run=run,
        thermo="c_c[*] f_floor[3]",
        columns="vx vy vz c_c[1] c_c[2] c_c[3] c_c[4] c_c[5] c_c[6]",
        **parts,
    )
    lines = f"compute c all force/compatible cd rank 1000 {compute}\n"
    lines += "dump l all local 1 local " + " ".join(f"c_c[{k}]" for k in range(1, 12))
    lines += "\ndump_modify l format float %.17g\ntimestep"
    return script.replace("timestep", lines)


def brick_wall(courses, cd="", compute="", steps=40):
    """A wall of bricks of two materials, each course a brick shorter, up to 4 mm out of place."""
    draw = np.random.default_rng(1)
    bodies = ""
    n = 0
    for course in range(courses):
        for i in range(courses - course):
            n += 1
            x, y = 0.21 * (i + 0.5 * course) + draw.uniform(-4e-3, 4e-3), draw.uniform(-4e-3, 4e-3)
            z = 0.05 + 0.1 * course
            bodies += f"create_polyhedra {1 + n % 2} at {x:.17g} {y:.17g} {z:.17g}\n"
    stiff = "stiffness 1 1 0.2 stiffness 1 2 0.333 stiffness 2 2 1 wall floor 1 0.4 wall floor 2 2"
    computes = "".join(
        f"compute {name} all force/compatible cd {stiff} law {law} solver {solver} {compute}\n"
        for name, law, solver in (
            ("hooke", "hooke", "newton"),
            ("hertz", "hertz", "newton"),
            ("other", "hooke", "lagrangian"),
        )
    )
    script = polyhedra(
        "1*2 box 0.2 0.1 0.1 density 1000",
        bodies,
        types=2,
        cutoff=0.5,
        box="-1 13 -1 1 -1 7",
        cd=f"gap 1e-3 maxiter 200000 {cd}",
        run=f"run {steps}\n{computes}thermo_style custom step c_hooke[*] c_hertz[*] c_other[*]\n"
        "thermo_modify format float %.17g\ndump l all local 1 local " + " ".join(f"c_hooke[{k}]" for k in range(1, 12)) + "\n"
        "dump_modify l format float %.17g\n"
        "dump m all local 1 other " + " ".join(f"c_other[{k}]" for k in range(1, 12)) + "\n"
        "dump_modify m format float %.17g\nrun 0",
        every=1000,
    )
    once = script.index("thermo_style"), script.index("thermo 1000")
    return script[: once[0]] + script[once[1] :]


@pytest.mark.parametrize("friction", [0, 0.5])
@pytest.mark.parametrize("cd_tol, tol", [(1e-8, 1e-10), (1e-12, 1e-11)])
def test_brick_wall(lammps, friction, cd_tol, tol):
    """55 forces more than equations: both laws in a few steps, and the Lagrangian's forces. What
    the rigid problem leaves bricks leaning by limits the residual: 1e-11 at a tol of 1e-8."""
    script = brick_wall(5, f"friction {friction} tol {cd_tol}", f"tol {tol} maxiter 30 rank 400")
    result = lammps(script)
    last = {name: values[-1] for name, values in result.tables()[-1].items()}
    show(**{name.replace("[", "_").rstrip("]"): value for name, value in last.items()})
    assert last["c_hooke[5]"] == 55
    for name in ("hooke", "hertz"):
        assert last[f"c_{name}[2]"] <= tol
        assert last[f"c_{name}[6]"] <= 30
    a, b = rows(result), rows(result, "other")
    assert a["force"] == pytest.approx(b["force"], abs=1e-8 * a["force"].max())
    assert np.abs(a["force"] - a["given"]).max() > 0.05 * a["force"].max()


def test_resultants_are_kept(lammps):
    """The compatible forces have the resultants of the given ones, on every body: per atom, and by
    the rows of the local array; none is negative and open contacts carry nothing."""
    result = lammps(pyramid("law hooke tol 1e-12"))
    r, frame, t = rows(result), result.frames()[-1].columns, result.thermo()
    assert r["force"].min() >= 0
    n = len(frame["id"])
    given, force = np.zeros((n, 3)), np.zeros((n, 3))
    for k in range(len(r["tag1"])):
        normal = np.array([r["nx"][k], r["ny"][k], r["nz"][k]])
        for tag, sign in ((r["tag1"][k], 1), (r["tag2"][k], -1)):
            if tag > 0:
                given[int(tag) - 1] += sign * r["given"][k] * normal
                force[int(tag) - 1] += sign * r["force"][k] * normal
    atom = np.stack([frame[f"c_c[{k}]"] for k in (1, 2, 3)], axis=1)
    scale = r["given"].max()
    show(
        given_minus_force=np.abs(given - force).max() / scale,
        moved=np.abs(r["given"] - r["force"]).max() / scale,
        indeterminacy=t["c_c[5]"][-1],
    )
    assert force == pytest.approx(given, abs=1e-9 * scale)
    assert atom == pytest.approx(force, abs=1e-11 * scale)
    assert np.abs(r["given"] - r["force"]).max() > 1e-3 * scale
    assert t["c_c[5]"][-1] > 10
    assert force[:, 2] == pytest.approx(np.full(n, G), rel=1e-9)
    assert set(r["tag2"][r["tag2"] < 0]) <= {-1, -2, -3, -4, -5}


@pytest.mark.parametrize("law", ["hooke", "hertz", "power 3"])
def test_solvers_agree(lammps, law):
    f = []
    for solver in ("newton", "lagrangian"):
        result = lammps(pyramid(f"law {law} solver {solver} tol 1e-11 maxiter 2000"))
        f.append(rows(result)["force"])
    difference = np.abs(f[0] - f[1]).max() / f[0].max()
    show(difference=difference)
    assert difference < 1e-9


def test_stiffness_of_walls(lammps):
    """A sphere in a gutter between two planes shares its load among floor and slope by their
    stiffnesses: f_k = k_k n_k.u with sum f_k n_k = load."""
    n1, n2, n3 = np.array([0, 0, 1.0]), np.array([0.6, 0, 0.8]), np.array([-0.6, 0, 0.8])
    walls = "\n".join(
        f"fix w{k} all wall/polyhedron plane {' '.join(map(str, -0.5 * n))} "
        f"{' '.join(map(str, n))}"
        for k, n in enumerate((n1, n2, n3), 1)
    )
    script = spheres(at((0, 0, 0)), walls=walls, gravity=GRAVITY, thermo="c_c[*]", run="run 0")
    lines = "compute c all force/compatible cd tol 1e-13 wall * 1 2.0 wall w1 1 5.0\n"
    lines += "dump l all local 1 local " + " ".join(f"c_c[{k}]" for k in range(1, 12))
    lines += "\ndump_modify l format float %.17g\ntimestep"
    r = rows(lammps(script.replace("timestep", lines)))
    k = np.array([5.0, 2.0, 2.0])
    u = G / sum(kk * n[2] ** 2 for kk, n in zip(k, (n1, n2, n3)))
    want = {-1: 5 * u, -2: 2 * 0.8 * u, -3: 2 * 0.8 * u}
    for tag, f in zip(r["tag2"], r["force"]):
        assert f == pytest.approx(want[tag], rel=1e-11)


def test_rattlers_carry_nothing(lammps):
    """A sphere that floats beside the network has no rows and no resultant, and disturbs nothing."""
    atoms = at((0, 0, 0.5), (0, 0, 1.5), (3, 3, 3))
    script = spheres(atoms, walls=FLOOR, gravity=GRAVITY, thermo="c_c[*]", run="run 0",
                     columns="c_c[3]")
    script = script.replace("timestep", "compute c all force/compatible cd tol 1e-12\ntimestep")
    result = lammps(script)
    assert result.thermo()["c_c[8]"][0] == 2
    assert result.frames()[0].columns["c_c[3]"] == pytest.approx([G, G, 0], abs=1e-9)


ERRORS = {
    "source": ("nofix", "there is no fix nofix"),
    "other-fix": ("g", "fix g is not of style contact/dynamics: it has no contact network"),
    "pair": ("pair", "source pair requires pair style polyhedron"),
    "keyword": ("cd wrong 1", "unknown keyword wrong"),
    "value": ("cd stiffness 1 1", "keyword stiffness needs 3 value"),
    "law": ("cd law linear", "law linear: the laws are hooke, hertz and power p"),
    "power": ("cd law power 1", "law power 1.*the exponent must be > 1"),
    "no-power": ("cd law power", "keyword law needs 2 value"),
    "stiffness": ("cd stiffness 1 1 0", "stiffness 1 1 0: stiffness must be > 0 and finite, not 0"),
    "negative": ("cd wall floor 1 -2", "wall floor 1 -2: stiffness must be > 0 and finite, not -2"),
    "wall": ("cd wall roof 1 2", "there is no fix wall/polyhedron with ID roof"),
    "solver": ("cd solver lcp", "solver lcp: the solvers are newton and lagrangian"),
    "tol": ("cd tol 2", "tol 2: must lie between 0 and 1"),
    "maxiter": ("cd maxiter 0", "maxiter 0: must be at least 1"),
    "slack": ("cd slack -1", "slack -1: must be >= 0"),
    "rank": ("cd rank -1", "rank -1: must be >= 0"),
    "fixed": ("cd fixed all", "keyword fixed is for the source pair; fix cd has its own"),
    "no-group": ("pair fixed nobody", "fixed nobody: there is no such group"),
    "unconverged": ("cd unconverged no", "must be error, warning or ignore"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error(lammps, name):
    arguments, message = ERRORS[name]
    script = spheres(at((0, 0, 0.5)), walls=FLOOR, gravity=GRAVITY, thermo="c_c[2]")
    script = script.replace("timestep", f"compute c all force/compatible {arguments}\ntimestep")
    lammps(script, fail=f"Compute force/compatible.*{message}")


def test_empty_network(lammps):
    """No contact: an error, a warning or nothing, as asked for; no forces then."""
    def script(how):
        text = spheres(at((0, 0, 2)), walls=FLOOR, gravity=GRAVITY, thermo="c_c[*]", run="run 0")
        return text.replace(
            "timestep", f"compute c all force/compatible cd empty {how}\ntimestep"
        )

    message = "the contact network is empty at step 0: 0 contacts, none of them closed"
    lammps(script("error"), fail=message)
    lammps(script("warning"), warn=message)
    t = lammps(script("ignore")).thermo()
    assert t["c_c[1]"][0] == 0 and t["c_c[8]"][0] == 0 and t["c_c[5]"][0] == -1


def test_no_network_yet(lammps):
    """Asked before the fix has solved its first step."""
    early = "compute c all force/compatible cd\nfix early all ave/time 1 1 1 c_c[1]"
    script = spheres(at((0, 0, 0.5)), walls=FLOOR, gravity=GRAVITY, extra=early)
    lammps(script, fail="fix cd has no contact network of the present step")


def test_not_converged(lammps):
    """An iteration limit, and given forces that the closed contacts cannot bear."""
    message = r"not converged at step \d+: KKT residual .* after 1 iterations"
    lammps(heap("maxiter 1 unconverged error"), fail=message)
    lammps(heap("maxiter 1 unconverged warning"), warn=message)
    lammps(heap("maxiter 1 unconverged ignore"))
    # far from the solution of the rigid problem contacts push that have opened
    script = heap("slack 1e-12 unconverged error").replace(
        "tol 1e-12 maxiter 100000", "solver pgs maxiter 1 unconverged ignore"
    )
    lammps(script, fail=r"infeasible at step \d+: \d+ open contacts carry given forces")
