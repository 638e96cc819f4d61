"""compute force/compatible pair: contacts of the pair style, and which bodies they can move."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene
from test_compatible import rows
from test_contact_dynamics import G


def test_forces_of_the_pair_style(lammps):
    """Source pair: a box at rest on a floor under implicit dynamics; the compatible forces bear the
    same load, a quarter at each vertex."""
    gap = 5e-4
    script = scene(
        shapes="1 box 0.1 0.1 0.1 density 1000",
        law=f"normal {G / 4 / (0.4 * gap):.17g} 1 gap {gap} damping 0.5",
        bodies=f"create_polyhedra 1 at 0 0 {0.05 + 0.6 * gap:.17g}",
        extra="compute c all force/compatible pair rank 20 tol 1e-12\n"
        "fix v all ave/time 1 1 1 c_c[5] c_c[2] file vector.txt\n"
        "dump l all local 1 local " + " ".join(f"c_c[{k}]" for k in range(1, 12))
        + "\ndump_modify l format float %.17g",
        run="run 0",
    )
    result = lammps(script)
    r = rows(result)
    rank, kkt = map(float, (result.dir / "vector.txt").read_text().split()[-2:])
    assert len(r["force"]) == 4 and (r["tag2"] == -1).all()
    assert r["force"] == pytest.approx(np.full(4, G / 4), rel=1e-9)
    assert rank == 1 and kkt < 1e-12


@pytest.mark.parametrize("ranks", [1, 2])
def test_two_boxes_of_the_pair_style(lammps, ranks):
    """A small box beside the middle of a large one, off the load's centre: what bears it between the
    two is affine in the place of its four vertices, and so is what bears both on the floor."""
    gap, shift, weight = 5e-4, 0.015, G
    z = 0.05 + 0.6 * gap
    script = scene(
        types=2,
        shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.03 0.03 0.03 density 1000",
        law=f"normal {weight / 4 / (0.4 * gap):.17g} 1 gap {gap} damping 0.5",
        bodies=f"create_polyhedra 1 at 0 0 {z:.17g}\n"
        f"create_polyhedra 2 at {shift} 0 {z + 0.05 + 0.6 * gap + 0.015:.17g}",
        processors="2 1 1" if ranks == 2 else "",
        extra="compute c all force/compatible pair tol 1e-12\n"
        "dump l all local 1 local " + " ".join(f"c_c[{k}]" for k in range(1, 12))
        + "\ndump_modify l format float %.17g",
        run="run 0",
    )
    r = rows(lammps(script, ranks=ranks))
    floor, between = r["tag2"] < 0, r["tag2"] == 2
    assert floor.sum() == 4 and between.sum() == 4 and len(floor) == 8
    given = r["given"] * -r["nz"]
    load = given[between].sum()
    assert r["force"][between] == pytest.approx(np.full(4, load / 4), rel=1e-9)
    all_ = r["given"][floor].sum()
    moment = (r["given"][floor] * r["x"][floor]).sum()
    want = all_ / 4 + moment / 4 * r["x"][floor] / 0.05**2
    assert r["force"][floor] == pytest.approx(want, rel=1e-9)


WEIGHT = 0.6 * 0.1 * 0.1 * 1000 * 9.81  # of the bar
LAW = "stiffness 2 3 0.33333333333333333 tol 1e-12"
DUMP = "dump l all local 100 local " + " ".join(f"c_a[{k}]" for k in range(1, 12)) + "\ndump_modify l format float %.17g"


def supported(extra: str, walls: str = "", hold: str = "fix hold base freeze", motion="scheme euler", run="run 100") -> str:
    """A bar on three cubes that are held, the middle one of another type, at rest; computes of its forces."""
    return scene(
        types=3, shapes="1*2 box 0.1 0.1 0.1 density 1000 3 box 0.6 0.1 0.1 density 1000",
        bodies="create_polyhedra 1 at -0.2 0 0.3\ncreate_polyhedra 2 at 0 0 0.3\ncreate_polyhedra 1 at 0.2 0 0.3\n"
               "create_polyhedra 3 at 0 0 0.4008\ngroup base type 1 2\ngroup bar type 3\ngroup middle type 2",
        law="normal 1e8 1.5 gap 0.001 damping 0.5", walls=walls, motion=motion,
        extra=f"{hold}\n{extra}\ndump c all custom 100 forces id c_a[3] c_b[3]\ndump_modify c sort id", run=run)


def test_rounded_boxes(lammps):
    """A quarter of the load at each rounded corner."""
    script = scene(
        shapes="1 box 0.1 0.1 0.1 round 0.01 density 1000", bodies="create_polyhedra 1 at 0 0 0.0608\ncreate_polyhedra 1 at 0 0 0.1816",
        extra=f"compute a all force/compatible pair tol 1e-12\n{DUMP}", run="run 0")
    r = rows(lammps(script, may_warn="closer than contact begins"))
    for load in (r["tag2"] < 0, r["tag2"] > 0):
        assert load.sum() == 4 and r["force"][load] == pytest.approx(np.full(4, r["given"][load].mean()), rel=1e-9)


def test_a_ball_in_a_gutter(lammps):
    """A floor and two slopes share its weight by their stiffness: f = k n.u."""
    normals = np.array([[0, 0, 1.0], [0.6, 0, 0.8], [-0.6, 0, 0.8]])
    walls = "\n".join(f"fix w{i} all wall/polyhedron plane {' '.join(map(str, -0.0508 * n))} {' '.join(map(str, n))}"
                      for i, n in enumerate(normals, 1))
    script = scene(
        shapes="1 sphere 0.05 density 1000", bodies="create_polyhedra 1 at 0 0 0", walls=walls,
        extra=f"compute a all force/compatible pair tol 1e-12 wall * 1 2.0 wall w1 1 5.0\n{DUMP}", run="run 0")
    r = rows(lammps(script, may_warn="closer than contact begins"))
    k, up = np.where(r["tag2"] == -1, 5, 2), r["nz"]
    assert len(k) == 3 and r["force"] == pytest.approx(k * up * (r["given"] * up).sum() / (k * up**2).sum(), rel=1e-9)


@pytest.mark.parametrize("gap", [1e-3, 1e-2])
def test_moments_of_friction(lammps, gap):
    """A cube at rest on a slope of 25 degrees: moments vanish as those of the run's own forces, friction acting where it grips."""
    script = scene(
        bodies=f"create_polyhedra 1 at 0 0 {0.05 + gap:.17g}", motion="scheme euler", dt=5e-3, gravity=0, run="run 400",
        law=f"normal 3e5 1.5 gap {gap} barrier 0.1 -1 damping 0.5 friction 0.6 0.6 1e6 100",
        extra="fix g all gravity 9.81 chute 25\ncompute own all polyhedron/contact/atom\n"
        "compute a all force/compatible pair tol 1e-12 friction 0.6 0.8 empty ignore\n"
        "dump c all custom 400 forces id c_a[1] c_a[4] c_a[5] c_a[6] c_own[7] c_own[8] c_own[9]\ndump_modify c format float %.17g")
    f = lammps(script).frames("forces")[-1].columns
    moment, own = (np.array([f[f"c_{name}"][0] for name in names]) for names in (("a[4]", "a[5]", "a[6]"), ("own[7]", "own[8]", "own[9]")))
    show(moment=moment, own=own, friction=f["c_a[1]"][0])
    assert abs(f["c_a[1]"][0]) == pytest.approx(9.81 * np.sin(np.radians(25)), rel=1e-6)
    assert moment == pytest.approx(own, abs=1e-12) and np.abs(moment).max() < 1e-8


def test_atoms_without_a_shape(lammps):
    """Atoms of another style of a hybrid pair style are no bodies."""
    script = scene(
        types=2, bodies="create_polyhedra 1 at 0 0 0.0508\ncreate_atoms 2 single 0.5 0.5 0.5\nset type 2 mass 1\ngroup blocks type 1",
        pair="pair_style hybrid polyhedron lj/cut 0.1",
        law="pair_coeff 1 1 polyhedron normal 1e8 1.5 gap 0.001\npair_coeff * 2 lj/cut 0 0.1",
        motion="comm_modify vel yes\nfix motion blocks implicit/polyhedron scheme euler",
        extra=f"compute a blocks force/compatible pair tol 1e-12\n{DUMP}", run="run 0")
    r = rows(lammps(script, may_warn="closer than contact begins"))
    assert r["force"] == pytest.approx(np.full(4, r["given"].mean()), rel=1e-9)


HOLDS = {
    "freeze": "fix hold base freeze",
    "lock": "fix hold base lock/polyhedron translation xyz rotation xyz",
    "setforce": "fix hold base setforce 0 0 0",
    "hinge": "group ends type 1\nfix hold ends freeze\nfix hinge middle lock/polyhedron hinge 0 0 0.3 0 1 0",
}


@pytest.mark.parametrize("hold", HOLDS)
def test_bodies_that_are_held(lammps, hold):
    """Bodies that other fixes hold bear as those of keyword fixed do, and stand: a middle one of a third of the stiffness bears
    a seventh."""
    computes = f"compute a all force/compatible pair fixed base {LAW}\ncompute b all force/compatible pair {LAW}"
    result = lammps(supported(computes, hold=HOLDS[hold]), may_warn="closer than contact begins")
    f = result.frames("forces")[-1].columns
    show(fixed=f["c_a[3]"] / WEIGHT, held=f["c_b[3]"] / WEIGHT)
    assert f["c_b[3]"] == pytest.approx(f["c_a[3]"], abs=1e-6 * WEIGHT)
    assert f["c_b[3]"][:3] == pytest.approx(-np.array([3, 1, 3]) / 7 * WEIGHT, rel=1e-3)


EXPLICIT = {  # integrators, and what holds the cubes
    "freeze": ("all nve/asphere", "fix hold base freeze"),
    "setforce": ("all nve/asphere", "fix hold base setforce 0 0 0"),
    "no-integrator": ("bar nve/asphere", ""),
    "move": ("bar nve/asphere", "fix hold base move linear 0 0 0"),
    "noforce": ("bar nve/asphere", "fix hold base nve/asphere/noforce"),
    "none": ("", "fix hold base freeze"),
}


@pytest.mark.parametrize("name", EXPLICIT)
def test_bodies_that_explicit_integrators_leave(lammps, name):
    """Beside explicit integrators the same; where there are none, all bodies count as free but those that are frozen."""
    motion, hold = EXPLICIT[name]
    computes = f"compute a all force/compatible pair fixed base {LAW}\ncompute b all force/compatible pair {LAW}"
    script = supported(computes, hold=hold, motion="comm_modify vel yes" + (f"\nfix motion {motion}" if motion else ""), run="run 0")
    f = lammps(script, may_warn="closer than contact begins").frames("forces")[-1].columns
    show(fixed=f["c_a[3]"] / f["c_a[3]"][3], held=f["c_b[3]"] / f["c_a[3]"][3])
    assert f["c_b[3]"] == pytest.approx(f["c_a[3]"], rel=1e-5)
    assert f["c_b[3]"][:3] == pytest.approx(-np.array([3, 1, 3]) / 7 * f["c_b[3]"][3], rel=1e-5)


def explicit(lammps, integrator: str, compute: str = "", **checks):
    """The bar on frozen cubes, the left one three times as stiff, where another fix moves it."""
    computes = "set atom 1 type 2\nset atom 2 type 1\n" + "".join(
        f"compute {c} all force/compatible pair stiffness 2 3 3.0 tol 1e-12 {compute}\n" for c in "ab")
    script = supported("", hold=f"fix hold base freeze\n{computes}", motion=f"comm_modify vel yes\n{integrator}", run="run 0")
    return lammps(script, **checks)


def test_bodies_that_do_not_turn(lammps):
    """Fix nve moves points: contacts do not turn the bar."""
    f = explicit(lammps, "fix motion bar nve", may_warn="closer than contact begins|does not turn").frames("forces")[-1].columns
    assert f["c_a[3]"][:3] == pytest.approx(-np.array([3, 1, 1]) / 5 * f["c_a[3]"][3], rel=1e-5)


NOT_KNOWN = {
    "rigid": ("fix motion all rigid single", "rigid", "it moves several bodies as one: give it to keyword fixed"),
    "planeforce": ("fix motion bar nve/asphere\nfix x bar planeforce 0 1 0", "planeforce",
                   "what becomes of its forces is not known: take it out, or give it to keyword fixed"),
    "setforce": ("fix motion bar nve/asphere\nfix x bar setforce 0 0 1", "setforce", "a force other than 0 in place of all"),
}


@pytest.mark.parametrize("name", NOT_KNOWN)
def test_bodies_of_which_too_little_is_known(lammps, name):
    """They are refused, unless keyword fixed says that they are immobile."""
    fixes, style, why = NOT_KNOWN[name]
    message = rf"Fix \w+ of style {style} and compute a of style force/compatible: body 4 is in the group of the fix, and {why}"
    explicit(lammps, fixes, fail=message, may_warn="closer than contact begins")
    explicit(lammps, fixes, "fixed bar empty ignore", may_warn="closer than contact begins")


def guided(lammps, lock: str) -> dict[str, np.ndarray]:
    """Contacts of the bar that a fix lock/polyhedron guides on the frozen cubes, the left one three times as stiff. It is put
    where all of them bear about the same."""
    computes = "set atom 1 type 2\nset atom 2 type 1\n" + "".join(
        f"compute {c} all force/compatible pair stiffness 2 3 3.0 tol 1e-12\n" for c in "ab")
    hold = f"fix hold base freeze\nfix guide bar lock/polyhedron {lock}\n{computes}{DUMP}"
    script = supported("", hold=hold).replace("0.4008", "0.4009866")
    return rows(lammps(script, may_warn="closer than contact begins"))


def test_a_bar_that_is_guided(lammps):
    """What the guide bears does not count: all contacts are pressed as far, and share the weight by their stiffness."""
    r = guided(lammps, "translation xy rotation xyz")
    left, n = r["x"] < -0.1, len(r["x"])
    show(left=r["force"][left].sum() / WEIGHT, given=r["given"][left].sum() / WEIGHT)
    assert left.sum() == n / 3
    assert r["force"] == pytest.approx(np.where(left, 3, 1) / 5 * WEIGHT / (n / 3), rel=1e-3)


def test_a_bar_on_a_hinge(lammps):
    """Overlaps grow with the distance from the hinge at the bar's left end, about which the moment of its weight is kept."""
    r = guided(lammps, "hinge -0.3 0 0.4 0 1 0")
    k, way = np.where(r["x"] < -0.1, 3, 1), r["x"] + 0.3
    want = k * way * WEIGHT * 0.3 / (k * way**2).sum()
    show(force=r["force"] / want, given=r["given"] / want)
    assert r["force"] == pytest.approx(want, rel=1e-3)


def test_a_guide_that_leans(lammps):
    """A cube that is guided along its own leaning axis between a floor and a wall of a third of the stiffness."""
    lean, gap = np.radians(30), 0.99e-3
    reach = 0.05 * (np.cos(lean) + np.sin(lean)) + gap
    cube = f"create_polyhedra 1 at 0 0 {reach:.17g} rotate 30 0 1 0"
    script = scene(
        bodies=cube, law="normal 1e8 1.5 gap 0.001 damping 0.5", motion="scheme euler",
        walls=f"fix floor all wall/polyhedron plane 0 0 0 0 0 1\nfix side all wall/polyhedron plane {-reach:.17g} 0 0 1 0 0",
        extra="fix guide all lock/polyhedron translation xy rotation xyz frame body\n"
        f"compute a all force/compatible pair tol 1e-12 wall floor * 3.0\n{DUMP}", run="run 100")
    r = rows(lammps(script, may_warn="closer than contact begins"))
    floor, weight = r["tag2"] == -1, 9.81
    f = np.array([r["force"][floor].sum(), r["force"][~floor].sum()])
    k = 3 * np.cos(lean), np.sin(lean)
    want = np.array(k) * weight * np.cos(lean) / (k[0] * np.cos(lean) + k[1] * np.sin(lean))
    show(floor=f[0] / weight, side=f[1] / weight, want=want / weight, given=r["given"] / weight)
    assert f == pytest.approx(want, rel=1e-3)


def test_walls_that_move_by_forces_are_refused(lammps):
    lammps(supported("compute a all force/compatible pair\ncompute b all force/compatible pair",
                     walls="fix lid all wall/polyhedron plane 0 0 0.6 0 0 -1 slide 0 0 -1 20 force 100"),
           fail="source pair takes walls to stand, and that of fix lid moves by the forces on it")
