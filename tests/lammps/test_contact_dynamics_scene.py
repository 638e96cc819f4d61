"""fix contact/dynamics among what the rest of a scene says: bonds, laws of walls, motions by variables."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from test_contact_dynamics import FLOOR, G, at, column, polyhedra, spheres

BONDED = """bond_style harmonic
bond_coeff 1 10 1.01
{special}"""


def bonded(special: str, **parts) -> str:
    """A cube on the floor and one that falls on it, bonded."""
    text = polyhedra(bodies="create_polyhedra 1 at 0 0 0.5\ncreate_polyhedra 1 at 0.1 0.1 1.5", cd="friction 0.5",
                     extra=f"{BONDED.format(special=special)}\ncreate_bonds single/bond 1 1 2", every=50, **parts)
    return text.replace("atom_style ellipsoid", "atom_style hybrid ellipsoid bond").replace(
        "create_box 1 box", "create_box 1 box bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 4"
    )


def test_bonds(lammps):
    """Weights that take the contact off bonded bodies are refused; with others the upper cube stays on the lower one."""
    for special in ("", "special_bonds lj 0 1 1"):
        lammps(bonded(special, run="run 10"), fail="Fix contact/dynamics: special_bonds lj .* takes the contact off bonded bodies: "
               "use special_bonds lj 1 1 1")
    z = lammps(bonded("special_bonds lj 1 1 1", run="run 200"), may_warn="per-type and per-atom masses").frames()[-1].columns["z"]
    show(z=z)
    assert z == pytest.approx([0.5, 1.5], abs=1e-3)


# ---- what moves by variables, or by fix move ----

SINE = "variable d equal 0.1*sin(2*PI*time/0.4)\nvariable v equal 0.1*2*PI/0.4*cos(2*PI*time/0.4)\n"
FASTER = "variable v equal 10*time\nvariable d equal 5*time^2\n"
MOTIONS = {
    "velocity": (FASTER, "NULL NULL NULL NULL NULL v_v"),
    "displacement": (FASTER, "NULL NULL v_d NULL NULL NULL"),
    "both": (FASTER, "NULL NULL v_d NULL NULL v_v"),
    "sine": (SINE, "NULL NULL v_d NULL NULL v_v"),
}
CUBE = dict(shapes="1 box 0.5 0.5 0.5 density 1000", bodies="create_polyhedra 1 at 0 0 0.25", cd="friction 0.5 tol 1e-10",
            dt=5e-3, run="run 100", cutoff=1.5)


@pytest.mark.parametrize("name", MOTIONS)
def test_wall_that_accelerates(lammps, name):
    """What contacts are told of a wall in a step is how far it goes: a cube on a floor that lifts it stays on it, and
    weighs what it should."""
    variables, move = MOTIONS[name]
    result = lammps(polyhedra(**CUBE, walls=f"{variables}{FLOOR} move variable {move}", thermo="f_floor[3] v_d"))
    t = result.thermo()
    gap = column(result, "z") - 0.25 - t["v_d"]
    show(overlap=t["f_cd[5]"].max(), least=gap.min(), force=t["f_floor[3]"][-1] / (-125 * (10 + G)))
    assert t["f_cd[5]"].max() < 1e-9
    if name == "sine":  # a cube leaves it and comes back
        assert gap.max() > 0.01
    else:
        assert np.abs(gap).max() < 1e-9
        assert t["f_floor[3]"][1:] == pytest.approx(-125 * (10 + G), rel=1e-6)


CARRIED = {
    "wiggle": "wiggle 0 0 0.1 0.4",
    "displacement": "variable NULL NULL v_d NULL NULL NULL",
    "both": "variable NULL NULL v_d NULL NULL v_v",
    "velocity": "variable NULL NULL NULL NULL NULL v_v",
}


@pytest.mark.parametrize("name", CARRIED)
@pytest.mark.parametrize("ranks", [1, 2])
def test_body_that_fix_move_accelerates(lammps, name, ranks):
    """The same of a plate that carries a cube: its way in a step is that of fix move."""
    script = polyhedra(**CUBE | dict(
        shapes="1 box 0.5 0.5 0.5 density 1000 2 box 1 1 0.2 density 1000", types=2, walls="",
        bodies="create_polyhedra 2 at 0 0 -0.1\ncreate_polyhedra 1 at 0 0 0.25",
        extra=f"{FASTER}group base type 2\ngroup top type 1\nfix m base move {CARRIED[name]}", cutoff=2, thermo="ke"))
    result = lammps(script.replace("fix cd all", "fix cd top"), ranks=ranks)
    t = result.thermo()
    show(overlap=t["f_cd[5]"].max())
    assert t["f_cd[5]"].max() < 1e-9
    assert t["f_cd[7]"][1:] == pytest.approx(t["KinEng"][1:], rel=1e-9)  # which has the plate's own velocity


def test_fixed_bodies_stand_whatever_moves_them(lammps):
    """A fix move of a body of the group fixed carries nothing."""
    script = polyhedra(**CUBE | dict(
        shapes="1 box 0.5 0.5 0.5 density 1000 2 box 1 1 0.2 density 1000", types=2, walls="", run="run 1", cutoff=2,
        bodies="create_polyhedra 2 at 0 0 -0.1\ncreate_polyhedra 1 at 0 0 0.25", cd="friction 0.5 fixed base",
        extra="group base type 2\ngroup top type 1\nfix m base move linear 1 0 1"))
    assert np.abs(lammps(script.replace("fix cd all", "fix cd top")).frames()[-1].vectors("vx", "vy", "vz")[1]).max() < 1e-8


@pytest.mark.parametrize("dt", [0.01, 0.001])
def test_box_stays_on_a_plate_that_turns(lammps, dt):
    """As on a turntable of a wall, whatever the step: a box on a plate of fix move rotate keeps its distance from the axis."""
    bodies = ("create_polyhedra 2 at 0 0 -0.05\ncreate_polyhedra 1 at 0.3 0 0.05\ngroup base type 2\ngroup top type 1\n"
              "velocity top set 0 0.6 0\nset group top angmom 0 0 0.0033333333333333335")
    n = round(3.14 / dt)
    script = polyhedra(bodies=bodies, walls="", cd="friction 0.5 tol 1e-10", dt=dt, every=n, run=f"run {n}", types=2, cutoff=2,
                       shapes="1 box 0.1 0.1 0.1 density 1000 2 box 1 1 0.1 density 1000", box="-1 1 -1 1 -1 1",
                       extra="fix m base move rotate 0 0 0 0 0 1 3.141592653589793")
    end = lammps(script.replace("fix cd all", "fix cd top")).frames()[-1].columns
    radius = np.hypot(end["x"][1], end["y"][1])
    show(radius=radius)
    assert radius == pytest.approx(0.3, abs=0.15 * dt + 5e-5)


# ---- laws of walls ----

NORMAL = "normal 1e6 1.5 gap 0.001"
SLIDING = dict(CUBE, dt=1e-3, run="run 100", extra="velocity all set 2 0 0")
FRICTION = {  # of the fix, and the wall's law: the coefficient that slows the cube down
    "own": ("", f"{NORMAL} friction 0.5 0.4 1e6 10", 0.5),
    "auto": ("friction 0.2", "auto velocity 1 friction 0.5 0.4", 0.5),
    "none": ("friction 0.2", NORMAL, 0.0),
    "bodies": ("friction 0.2", "", 0.2),
}


@pytest.mark.parametrize("name", FRICTION)
def test_friction_of_walls(lammps, name):
    """A cube slides on a floor whose law has a friction of its own."""
    cd, law, mu = FRICTION[name]
    v = column(lammps(polyhedra(**SLIDING | dict(cd=f"{cd} tol 1e-10"), walls=f"{FLOOR} {law}")), "vx")
    found = (2 - v[-1]) / (0.1 * G)
    show(mu=found)
    assert found == pytest.approx(mu, abs=1e-4)


def test_walls_of_different_friction(lammps):
    """A cube in a chute of two walls, one with friction of its own: each has half of the weight's part across it."""
    slope = "0 0 0 0 {y} 0.7071067811865476"
    walls = (f"fix a all wall/polyhedron plane {slope.format(y=0.7071067811865476)} {NORMAL} friction 0.6 0.6 1e6 10\n"
             f"fix b all wall/polyhedron plane {slope.format(y=-0.7071067811865476)}")
    cube = "create_polyhedra 1 at 0 0 0.3535533905932738 rotate 45 1 0 0"
    result = lammps(polyhedra(**SLIDING | dict(bodies=cube, cd="friction 0.1 tol 1e-10"), walls=walls,
                              thermo="f_a[1] f_a[2] f_a[3] f_b[1] f_b[2] f_b[3]"))
    t = result.thermo()
    mu = [t[f"f_{w}[1]"] / np.hypot(t[f"f_{w}[2]"], t[f"f_{w}[3]"]) for w in "ab"]
    show(mu=[m[-1] for m in mu])
    assert mu[0] == pytest.approx(0.6, rel=1e-5) and mu[1] == pytest.approx(0.1, rel=1e-5)


def test_compatible_forces_with_the_friction_of_a_wall(lammps):
    """The fix has friction where a wall has some: a cube that stands on it bears what the rigid one does."""
    script = polyhedra(**CUBE | dict(cd="tol 1e-12"), walls=f"{FLOOR} {NORMAL} friction 0.5 0.4 1e6 10", thermo="c_c[8]")
    t = lammps(script.replace("timestep", "compute c all force/compatible cd friction 0.5 0.857\ntimestep", 1)).thermo()
    assert t["c_c[8]"][-1] == 4 and t["f_cd[6]"][-1] == pytest.approx(125 * G, rel=1e-9)


RESTITUTION = {  # of the fix, and the wall's law: that of the floor
    "own": ("", f"{NORMAL} restitution 0.5", 0.5),
    "dead": ("restitution 0.8", f"{NORMAL} restitution 0", 0.0),
    "bodies": ("restitution 0.8", NORMAL, 0.8),
}


@pytest.mark.parametrize("name", RESTITUTION)
def test_restitution_of_walls(lammps, name):
    """One ball falls on the floor, one on another that stands: the floor's law is not that of the two."""
    cd, law, e = RESTITUTION[name]
    balls = at((0, 0, 0.6), (3, 0, 0.5), (3, 0, 1.6)) + "\nvelocity all set 0 0 0\ngroup fall id 1 3\nvelocity fall set 0 0 -1"
    result = lammps(spheres(balls, f"{FLOOR} {law}", cd=cd, run="run 200", extra="group rest id 2\nfix hold rest freeze"))
    floor, other = (column(result, "vz", body)[-1] for body in (0, 2))
    show(floor=floor, other=other)
    assert floor == pytest.approx(e, abs=1e-9)
    assert other == pytest.approx(float(cd.split()[-1]) if cd else 0.0, abs=1e-9)


def test_laws_that_walls_cannot_have(lammps):
    """Friction with solver pgs, and the law of a type where there are none."""
    lammps(polyhedra(**CUBE | dict(cd="solver pgs"), walls=f"{FLOOR} {NORMAL} friction 0.5 0.5 1e6 10"),
           fail="Fix contact/dynamics: friction of fix floor wall/polyhedron needs solver apgd")
    lammps(polyhedra(**CUBE, walls=f"{FLOOR} type 1"), fail="Fix wall/polyhedron floor: keyword type asks for a law of pair style "
           "polyhedron, and with fix contact/dynamics there is none: leave it out")


# ---- what is refused ----


@pytest.mark.parametrize("wall, way", [("", 1), (" move velocity 0 0 50", 1.5)])
def test_way_into_a_wall(lammps, wall, way):
    """Of a cube that a step too long brings into the floor the message tells how far it goes against that."""
    parts = CUBE | dict(dt=1e-2, cd="restitution 0.5", extra="velocity all set 0 0 -100", bodies="create_polyhedra 1 at 0 0 0.7")
    r = lammps(polyhedra(**parts, walls=FLOOR + wall, gravity=""), fail=r"body 1 goes into fix wall/polyhedron floor by [\d.]+ in "
               rf"step 1, in which it goes or turns by {way}: contacts that reach 0.0433 cannot part them: shorten the time step")
    show(error=r.error)


def test_gap_of_polyhedra(lammps):
    """0 is for spheres: polyhedra at rest would be stopped by rounding."""
    lammps(polyhedra(**CUBE | dict(cd="gap 0")), fail="Fix contact/dynamics: gap 0 is for spheres: .* leave the keyword out")
    t = lammps(spheres(at((0, 0, 0.6), (0, 0, 1.7)), FLOOR, "fix g all gravity 9.81 vector 0 0 -1", "gap 0 friction 0.5",
                       run="run 600", thermo="f_floor[3]")).thermo()
    assert t["f_cd[5]"][-1] == 0.0 and t["f_floor[3]"][-1] == pytest.approx(-2 * G, rel=1e-6)


# ---- overlaps at the start ----

SQUARE = "v -4 -4 0\nv 4 -4 0\nv 4 4 0\nv -4 4 0\nf 1 2 3\nf 1 3 4\n"
MESH = "fix floor all wall/polyhedron obj square.obj"
UNSEEN = "contacts that reach 0.0866025 cannot part them: place them apart, or raise gap"


def stack(*heights, **parts):
    """Cubes of edge 1, each beside the one before by a little."""
    cubes = "\n".join(f"create_polyhedra 1 at {0.1 * i} {0.05 * i} {z}" for i, z in enumerate(heights))
    return polyhedra(**dict(bodies=cubes, cd="friction 0.4", every=500, run="run 1000") | parts)


@pytest.mark.parametrize("ranks", [1, 2])
def test_bodies_that_start_too_deep(lammps, ranks):
    """What overlaps by more than contacts see is refused, in another body or in a mesh."""
    deep = "Fix contact/dynamics: body 1 and {} overlap at step 0, depth {}: " + UNSEEN
    lammps(stack(0.5, 1.4, processors="1 1 *"), ranks=ranks, fail=deep.format("body 2", 0.1))
    lammps(stack(0.4, walls=MESH), ranks=ranks, files={"square.obj": SQUARE}, fail=deep.format("wall floor", 0.1))


PRESSED_OUT = {  # heights, walls, gap
    "cubes": ((0.5, 1.47), FLOOR, ""),
    "greater-gap": ((0.5, 1.4), FLOOR, "gap 0.15"),
    "mesh": ((0.47,), MESH, ""),
    "plane": ((0.2, 1.2), FLOOR, ""),
}


@pytest.mark.parametrize("name", PRESSED_OUT)
def test_overlaps_that_are_seen(lammps, name):
    """They are pressed out; behind a plane all are."""
    heights, walls, gap = PRESSED_OUT[name]
    result = lammps(stack(*heights, walls=walls, cd=f"tol 1e-6 friction 0.4 pushout 1 {gap}"), files={"square.obj": SQUARE})
    z = [column(result, "z", i)[-1] for i in range(len(heights))]
    show(z=z, overlap=result.thermo()["f_cd[5]"])
    assert z == pytest.approx([0.5, 1.5][: len(heights)], abs=1e-4)


COMES = {
    "displaced": "run 10\ngroup up id 2\ndisplace_atoms up move 0 0 -0.2\nrun 10",
    "created": "run 10\ncreate_polyhedra 1 at 0 0 0.7\nrun 10",
    "inserted": "region spot block -0.1 0.1 -0.1 0.1 1.1 1.2\nfix in all deposit 1 1 5 4711 region spot\nrun 20",
}


@pytest.mark.parametrize("name", COMES)
def test_bodies_that_come_into_others(lammps, name):
    """Between runs and in a run."""
    lammps(stack(0.5, 1.5, run=COMES[name]), fail=r"Fix contact/dynamics: body \d and body \d overlap at step \d+, depth 0.\d+: "
           + UNSEEN, may_warn="per-type and per-atom masses")


# ---- bodies that others integrate ----


def struck(fixes, **parts):
    """A heavy sphere that flies to one outside of the fix's group."""
    extra = "group one id 1\ngroup two id 2\nset group one mass 10\nvelocity one set 1 0 0\nvelocity two set 0 0 0\n"
    script = spheres(at((0, 0, 0.5), (1.5, 0, 0.5)), extra=extra, every=600, run="run 600", thermo="ke", group="one", **parts)
    return script.replace("timestep", f"{fixes}\ntimestep")


@pytest.mark.parametrize("ranks", [1, 2])
def test_bodies_that_others_integrate(lammps, ranks):
    """They would get a part of the reaction that depends on the order of the fixes, and nothing from walls."""
    text = ("Fix contact/dynamics: body 2 and {} meet at step {}: fix n of style nve/sphere moves body 2 by the forces on it, which "
            "are not known when this step is solved: take it into the group of fix cd instead, or let fix move carry it")
    after = struck("fix n two nve/sphere")
    before = after.replace("fix n two nve/sphere", "").replace("fix cd one", "fix n two nve/sphere\nfix cd one")
    for script in (after, before):
        lammps(script, ranks=ranks, fail=text.format("body 1", 450))
    lammps(struck("fix n two nve/sphere", walls=FLOOR), ranks=ranks, fail=text.format("wall floor", 0))
    lammps(struck("fix n two nve/sphere").replace("run 600", "run 400"), ranks=ranks)


@pytest.mark.parametrize("fixes", ["", "fix n two nve/noforce", "fix n two move linear 0 0 0"])
def test_bodies_that_go_as_they_are_told(lammps, fixes):
    """A body at rest, and one of an integrator that no force moves, is what others bounce from."""
    t = lammps(struck(fixes).replace("contact/dynamics", "contact/dynamics restitution 1")).thermo()
    assert t["KinEng"][-1] == pytest.approx(5.0, rel=1e-9)


def test_all_in_one_group(lammps):
    """The impact of the two is plastic."""
    t = lammps(struck("").replace("fix cd one", "fix cd all")).thermo()
    assert t["KinEng"][-1] == pytest.approx(0.5 * 100 / 11, rel=1e-6)


# ---- what reads a wall's force within a step ----

READERS = {
    "load": "fix p all load/polyhedron force v_q 0 0",
    "addforce": "fix p all addforce v_q 0 0",
    "servo": "variable v equal 0.1-1e-4*f_floor[3]\nfix_modify floor move variable NULL NULL NULL NULL NULL v_v",
}


@pytest.mark.parametrize("name", READERS)
def test_force_of_a_wall_is_read_on_processes_without_its_contacts(lammps, name):
    """Both cubes are those of one process; the others touch no wall and sum up its force as well."""
    script = polyhedra(bodies="create_polyhedra 1 at 1 1 0.5\ncreate_polyhedra 1 at 2.5 1 0.5", cd="friction 0.5", dt=2e-3,
                       run="run 200", every=50, processors="2 1 1", thermo="f_floor[1] f_floor[3] f_floor[7]",
                       extra=f"variable q equal -0.4*f_floor[3]\n{READERS[name]}")
    one, two = lammps(script.replace("2 1 1", "1 1 1")), lammps(script, ranks=2)
    show(x=column(two, "x"), z=column(two, "z"), work=two.thermo()["f_floor[7]"])
    for axis in "xz":
        assert column(two, axis) == pytest.approx(column(one, axis), abs=1e-9)
    for load in ("f_floor[1]", "f_floor[3]", "f_floor[7]"):
        assert two.thermo()[load] == pytest.approx(one.thermo()[load], rel=1e-6, abs=1e-9)


def test_network_of_atoms_that_have_gone_to_another_process(lammps):
    """The third process has the atoms that it had; it stops with the others."""
    script = polyhedra(bodies="\n".join(f"create_polyhedra 1 at {x} 0 0.5" for x in (-2, 2, 4.5)), cd="tol 1e-8", cutoff=1.9,
                       processors="3 1 1", thermo="c_c[1]",
                       run="run 2\ngroup one id 1\ndisplace_atoms one move 2 0 0\nrun 0 pre no")
    lammps(script.replace("timestep", "compute c all force/compatible cd\ntimestep"), ranks=3,
           fail="Compute force/compatible: fix cd has no contact network of the present step")


@pytest.mark.parametrize("dt", [2e-3, 1e-4, 2e-5])
@pytest.mark.parametrize("turn", [0, 40])
def test_behind_a_plane_and_moving(lammps, turn, dt):
    """A rock that starts behind a plane, and moves and turns, is pressed out like one at rest there, at any step; the run stopped."""
    bodies = f"create_polyhedra 1 at 0 0 0.0018 rotate {113 + turn} -0.2 0.96 -0.1"
    extra = "velocity all set 0.55 -0.03 -0.19\nset atom 1 angmom 0.0027 -0.0055 -0.0065"
    result = lammps(polyhedra("1 rock 0.2 0.15 0.12 12 7 density 2000", bodies, extra=extra, cd="friction 0.4 pushout 0.2", dt=dt, run=f"run {round(1.5 / dt)}", thermo="f_cd[5] f_cd[8]", every=round(0.5 / dt)))
    table = result.thermo()
    assert table["f_cd[5]"][0] > 0.05
    assert table["f_cd[5]"][-1] < 1e-4
    assert table["f_cd[8]"][-1] == 0


def test_minimize_is_refused(lammps):
    """In it bodies went through each other."""
    script = polyhedra(bodies="create_polyhedra 1 at 0 0 1", run="minimize 0 0 10 10")
    lammps(script, fail="does not work with the command minimize, in which bodies would go through each other: run with fix viscous instead")
