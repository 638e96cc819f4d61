"""Other fixes of LAMMPS beside fix implicit/polyhedron: fixes that hold bodies, that move other bodies,
and those with which it cannot work."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, FLOOR, LAW, PRESSED, SHAPES, scene

ROUGH = LAW + " damping 0.5 friction 0.5 0.4 1e6 10"
SMOOTH = "normal 1e6 1.5 gap 0.002 damping 0.5"
GRIP = SMOOTH + " friction 0.5 0.4 1e5 10"

# a plate that other fixes hold or move, 0.1 thick, its upper face at 0.25; a cube above it
PLATE_AND_CUBE = dict(
    types=2,
    shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.4 0.4 0.1 density 1000",
    motion="",
    dt=1e-3,
)


def plate_and_cube(height: float, fixes: str, **parts) -> str:
    """height: of the cube over the plate; fixes: lines after the integration of the cube."""
    bodies = (
        f"create_polyhedra 2 at 0 0 0.2\ncreate_polyhedra 1 at 0 0 {0.3 + height}\n"
        "group low type 2\ngroup up type 1"
    )
    return scene(bodies=bodies, **(PLATE_AND_CUBE | dict(walls=fixes) | parts))


def state(result, *columns, frame=-1):
    return result.frames()[frame].vectors(*columns)


# ---- fixes that hold bodies of the group ----


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_frozen_bodies_stand_still(lammps, scheme, ranks):
    """A cube falls on a plate that gravity does not move; fix freeze gets what presses on it (it
    stands before the fix of gravity)."""
    result = lammps(
        plate_and_cube(
            0.01,
            f"velocity low set 0 0 0.1\nfix motion all implicit/polyhedron scheme {scheme}\n"
            "fix stop low freeze",
            law=GRIP,
            every=100,
            thermo="f_stop[3]",
            processors="1 1 *",
            run="run 1000",
        ),
        ranks=ranks,
    )
    still = np.array([f.vectors("x", "y", "z", "vx", "vy", "vz")[0] for f in result.frames()])
    assert np.array_equal(still, np.repeat([[0, 0, 0.2, 0, 0, 0]], len(still), axis=0))
    force = result.thermo()["f_stop[3]"][-1]
    show(force=force)
    assert force == pytest.approx(-9.81, rel=1e-6)
    assert lammps.intersections(result) == 0


@pytest.mark.parametrize("hold", ["fix stop low freeze", "group up id 2\nunfix motion\nfix motion up implicit/polyhedron"])
def test_turned_bodies_stand_still(lammps, hold):
    """What is held, or outside of the group, does not turn by the rounding of its orientation: it does no work, and a cube on it is
    at rest as on a wall."""
    result = lammps(scene(
        bodies="create_polyhedra 1 at 0 0 0.06 rotate 30 1 2 3\ncreate_polyhedra 1 at 0.01 0 0.25\ngroup low id 1",
        law=GRIP, dt=5e-3, motion=f"fix motion all implicit/polyhedron\n{hold}", thermo="f_motion[22] f_motion[8]", run="run 400"))
    work, kinetic = result.thermo()["f_motion[22]"], result.thermo()["f_motion[8]"]
    show(work=work[-1], kinetic=kinetic[-1])
    assert np.all(work == 0.0) and kinetic[-1] == 0.0


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_setforce_holds_the_velocity(lammps, scheme):
    """Components that fix setforce sets to 0 keep their velocity, whatever lies on the body: the
    plate lifts the cube at constant speed, and the work of that is the weight of both (gravity comes
    after the fix) times the height."""
    result = lammps(
        plate_and_cube(
            0.0015,
            "velocity low set 0 0 0.1\nvelocity up set 0 0 0.1\n"
            f"fix motion all implicit/polyhedron scheme {scheme}\nfix hold low setforce 0 0.0 0",
            law=GRIP,
            every=100,
            thermo="f_motion[12] f_motion[22] f_motion[10]",
            run="run 1000",
        )
    )
    z = np.array([f.columns["z"] for f in result.frames()])
    v = np.array([f.columns["vz"] for f in result.frames()])
    table = result.thermo()
    show(plate=np.abs(z[:, 0] - 0.2 - 0.1 * table["Time"]).max(), speed=np.ptp(v[:, 0]))
    assert np.abs(z[:, 0] - 0.2 - 0.1 * table["Time"]).max() < 1e-12
    assert np.abs(v[:, 0] - 0.1).max() < 1e-12
    assert v[-1, 1] == pytest.approx(0.1, abs=1e-6)
    lifted = 9.81 * (16 * 0.1 + z[-1, 1] - z[0, 1])
    work = table["f_motion[22]"][-1]
    show(work=work, lifted=lifted, error=table["f_motion[12]"][-1])
    assert work == pytest.approx(lifted, rel=1e-3)
    assert abs(table["f_motion[12]"][-1]) < 1e-3 * lifted


def test_setforce_holds_one_component(lammps):
    """NULL leaves a component free: a frictionless cube slides off a tilted one that cannot fall, and
    pushes it away; the momentum of both along x stays 0."""
    result = lammps(
        scene(
            types=2,
            shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.3 0.3 0.1 density 1000",
            bodies="create_polyhedra 2 at 0 0 0.5 rotate 30 0 1 0\n"
            "create_polyhedra 1 at 0.0505 0 0.5874686 rotate 30 0 1 0\ngroup low type 2",
            walls="",
            law=SMOOTH,
            motion="scheme em",
            extra="fix hold low setforce NULL NULL 0",
            every=20,
            run="run 100",
        ),
        may_warn=PRESSED,
    )
    v = state(result, "vx", "vz", "z")
    m = [9.0, 1.0]
    show(momentum=m[0] * v[0, 0] + m[1] * v[1, 0], **{"speed": v[1, 0]})
    assert v[0, 1] == 0.0 and v[0, 2] == pytest.approx(0.5, abs=1e-14)
    assert v[1, 0] > 0.05 and abs(m[0] * v[0, 0] + m[1] * v[1, 0]) < 1e-10


@pytest.mark.parametrize(
    "fix,why",
    [
        ("setforce 0 0 -1", "a force other than 0 in place of all contact forces"),
        ("setforce v_f NULL NULL", "a force other than 0 in place of all contact forces"),
        ("setforce 0 0 0 region box", "a force other than 0 in place of all contact forces"),
        ("aveforce 0 0 0", "contact forces are not known where that fix acts"),
        ("lineforce 0 0 1", "contact forces are not known where that fix acts"),
        ("planeforce 0 0 1", "contact forces are not known where that fix acts"),
        ("nve/asphere", "both integrate it"),
        ("move linear 0 0 1", "both integrate it"),
        ("nve/limit 0.1", "both integrate it"),
        ("recenter INIT INIT NULL", "that fix would put it elsewhere whatever is in the way"),
        ("wall/reflect zlo EDGE", "that fix would put it elsewhere whatever is in the way"),
    ],
)
def test_fixes_that_cannot_work(lammps, fix, why):
    lammps(
        plate_and_cube(
            0.01,
            f"variable f equal 1.0\nfix motion all implicit/polyhedron\nfix other low {fix}",
            law=SMOOTH,
        ),
        fail=f"Fix other of style {fix.split()[0]} and fix motion of style implicit/polyhedron: "
        f"body 1 is in both groups, but .*{why}",
    )


def test_rigid_clusters(lammps):
    """Bodies that fix rigid ties together must not be in the group of the implicit step, too."""
    lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0.2 0 0.2",
            extra="fix other all rigid single",
        ),
        fail="Fix other of style rigid and fix motion of style implicit/polyhedron: body 1 is in both "
        "groups, but both integrate it",
    )


def test_boxes_that_barostats_deform(lammps):
    lammps(
        scene(
            boundary="p p p",
            box="block -0.3 0.3 -0.3 0.3 -0.3 0.3",
            bodies="create_polyhedra 1 at 0 0 0",
            walls="",
            gravity=0,
            extra="fix d all press/berendsen iso 0 0 1",
        ),
        fail="Fix d of style press/berendsen changes the box in the middle of a run, which fix motion of style "
        "implicit/polyhedron cannot follow: use fix deform, moving walls, or change_box between runs",
    )


def test_change_box_between_runs(lammps):
    """A box that is sheared, or squeezed with all that is in it: contacts across the boundary are
    those of the new box, overlaps are found."""
    parts = dict(
        boundary="p p p",
        box="prism -0.2 0.2 -0.1015 0.1015 -0.2 0.2 0 0 0",
        bodies="create_polyhedra 1 at 0 -0.05075 0\ncreate_polyhedra 1 at 0.01 0.05075 0",
        walls="",
        gravity=0,
        law=SMOOTH,
        motion="scheme em",
        every=10,
        thermo="f_motion[7] pyy",
    )
    moved = lammps(scene(run="run 0\nchange_box all xy delta 0.02\nrun 100", **parts), may_warn=PRESSED)
    same = lammps(
        scene(**(parts | dict(box="prism -0.2 0.2 -0.1015 0.1015 -0.2 0.2 0.02 0 0", run="run 100"))),
        may_warn=PRESSED,
    )
    a, b = (state(r, "x", "y", "z", "vx", "vy", "vz") for r in (moved, same))
    assert np.abs(a - b).max() < 1e-12
    lammps(
        scene(run="run 0\nchange_box all y scale 0.9 remap\nrun 100", **parts),
        fail="body 1 and body 2 overlap",
    )


def test_minimize_and_rerun(lammps):
    lammps(
        plate_and_cube(0.01, "fix motion all implicit/polyhedron", law=SMOOTH, run="minimize 0 0 9 9"),
        fail="Fix implicit/polyhedron does not work with the command minimize",
    )
    for motion in ("fix motion all implicit/polyhedron", "fix motion all nve/asphere\ncomm_modify vel yes"):
        lammps(
            plate_and_cube(
                0.01, motion, law=SMOOTH, every=5, run="run 10\nshell cp dump old\nrerun old dump x y z vx vy vz"
            ),
            fail="Pair style polyhedron does not work with the command rerun, which reads no orientations",
        )


BONDS = dict(
    atoms="hybrid ellipsoid bond",
    bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0 0 0.35\nbond_style harmonic\n"
    "bond_coeff 1 100 0.1\ncreate_bonds single/bond 1 1 2",
    law=SMOOTH,
    walls="",
    gravity=0,
    motion="scheme em",
)


def bonded(special: str, **parts) -> str:
    text = scene(**(BONDS | parts))
    return text.replace("create_box 1 box", "create_box 1 box bond/types 1 extra/bond/per/atom 4").replace(
        "bond_style", f"{special}\nbond_style"
    )


def test_lists_of_a_group(lammps):
    """neigh_modify include leaves out the contacts of its group with all others."""
    both = "create_polyhedra 1 at 0 0 0.1\ncreate_polyhedra 1 at 0 0 0.3\ngroup one id 1\natom_modify first one"
    for motion in ({}, dict(motion=EXPLICIT)):
        lammps(scene(bodies=both, extra="neigh_modify include one", **motion),
               fail="Pair style polyhedron: neigh_modify include one takes the contacts with 1 other atoms off its bodies: leave it out, "
                    "and use neigh_modify exclude")
    lammps(scene(bodies=both, run="run 1"))


def test_ghosts_of_a_group(lammps):
    """comm_modify group makes ghosts of its group alone: bodies met through a periodic boundary unseen."""
    both = "create_polyhedra 1 at 0 0 0.1\ncreate_polyhedra 1 at 0 0 0.3\ngroup one id 1\natom_modify first one"
    why = "comm_modify group one makes no ghosts of 1 other atoms, .*: use comm_modify group all"
    for motion in ({}, dict(motion=EXPLICIT)):
        lammps(scene(bodies=both, extra="comm_modify group one", **motion), fail=f"Pair style polyhedron: {why}")
    rigid = scene(bodies=both, extra="comm_modify group one", motion="fix motion all contact/dynamics")
    lammps(re.sub(r"pair_style.*\npair_coeff.*", "pair_style zero 0.4\npair_coeff * *", rigid), fail=f"Fix contact/dynamics: {why}")
    lammps(scene(bodies=both, extra="comm_modify group one"), fail=f"Pair style polyhedron: {why}", ranks=2)
    lammps(scene(bodies=both, extra="run 1\ncomm_modify group one", run="run 1"), fail=why)
    lammps(scene(bodies=both, extra="group two id 2\ngroup one union one two\ncomm_modify group one", run="run 1"))
    lammps(scene(bodies=both, extra="comm_modify group all", run="run 1"))


def test_bonds(lammps):
    """Two cubes that a bond pulls together to less than their size: they keep apart, where the weights
    leave them their contact."""
    for special in ("", "special_bonds lj 0 1 1", "special_bonds lj 1 1 0"):
        lammps(bonded(special), fail="special_bonds lj .* takes the contact off bonded bodies")
    result = lammps(
        bonded("special_bonds lj 1 1 1", every=50, run="run 500"), warn="per-type and per-atom masses"
    )
    z = np.array([f.columns["z"] for f in result.frames()])
    assert (z[:, 1] - z[:, 0]).min() > 0.1 and z[-1, 1] - z[-1, 0] < 0.103
    assert lammps.intersections(result) == 0


@pytest.mark.parametrize("style", ["shake", "rattle"])
def test_held_bonds_are_refused(lammps, style):
    """Their forces are those that the bonds need beside forces that are not there yet."""
    lammps(bonded("special_bonds lj 1 1 1", extra=f"fix x all {style} 1e-4 100 0 b 1"),
           fail=f"Fix x of style {style} and fix motion of style implicit/polyhedron: body 1 is in both groups, but contact "
                "forces are not known where that fix acts on the forces")


LET_GO = {  # a fix, and what it does to the velocity in a step, over that of the weight
    "freeze": ("fix hold all freeze", 0),
    "lock": ("fix hold all lock/polyhedron translation xyz rotation xyz", 0),
    "load": ("fix hold all load/polyhedron force 0 0 29.43", -2),
    "gravity": ("fix hold all gravity 9.81 vector 0 0 1", 0),
}


@pytest.mark.parametrize("scheme, hold", [*((s, h) for s in ("em", "euler") for h in LET_GO), ("newmark", "freeze"),
                                          ("newmark", "gravity")])
def test_forces_change_between_runs(lammps, scheme, hold):
    """A body that is let go has the forces of the new run from its first step on."""
    fix, before = LET_GO[hold]
    result = lammps(scene(bodies="create_polyhedra 1 at 0 0 1", motion=f"scheme {scheme} substeps 1", dt=5e-3, every=1,
                          extra=fix, run="run 5\nunfix hold\nrun 3"))
    v = np.array([f.columns["vz"][0] for f in result.frames()])
    expected = -9.81 * 5e-3 * (5 * before + np.arange(1, 4))
    show(error=np.abs(v[-3:] - expected).max())
    assert np.abs(v[-3:] - expected).max() < 1e-12


# ---- bodies that others move ----


@pytest.mark.parametrize("speed", [0.05, 0.5, 5.0])
@pytest.mark.parametrize("ranks", [1, 2])
def test_moved_body_pushes(lammps, speed, ranks):
    """A plate that fix move drives against a resting cube, 2 mm away, at up to 5 mm per step."""
    order = (
        "fix motion up implicit/polyhedron",
        f"fix drive low move linear 0 0 {speed}",
    )
    result = lammps(
        plate_and_cube(
            0.002,
            "\n".join(order if ranks == 1 else order[::-1]),
            law=GRIP,
            gravity=0,
            every=1,
            processors="1 1 *",
            thermo="f_motion[7] f_motion[12] f_motion[22]",
            box="block -1 1 -1 1 -0.1 1.9",
            run="run 60",
        ),
        ranks=ranks,
        warn="in the barrier of their law" if speed > 1 else "",
    )
    table = result.thermo()
    z = np.array([f.columns["z"] for f in result.frames()])
    v = state(result, "vz")[:, 0]
    show(gap=(z[:, 1] - z[:, 0] - 0.1).min(), speed=v[1])
    assert np.abs(z[:, 0] - 0.2 - speed * table["Time"]).max() < 1e-14
    assert lammps.intersections(result) == 0
    if speed > 0.1:  # they have met
        assert v[1] > 0.9 * speed
        assert table["f_motion[22]"][-1] > 0.5 * v[1] ** 2 * 0.9


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_belt_drags(lammps, scheme):
    """A belt takes a cube along: to its own speed, with mu g on the way, and gets the reaction."""
    result = lammps(
        plate_and_cube(
            0.0015,
            f"fix motion up implicit/polyhedron scheme {scheme}\nfix belt low move linear 0.5 0 0\n"
            "compute f low reduce sum fx fz",
            law="normal 1e6 1.5 gap 0.002 damping 0.5 friction 0.2 0.2 1e5 10",
            every=20,
            thermo="c_f[1] c_f[2]",
            run="run 1000",
        )
    )
    table = result.thermo()
    v = np.array([f.columns["vx"][1] for f in result.frames()])
    sliding = (v > 0.1) & (v < 0.4)
    slope = np.polyfit(table["Time"][sliding], v[sliding], 1)[0]
    show(speed=v[-1] - 0.5, acceleration=slope, force=table["c_f[2]"][-1])
    assert slope == pytest.approx(0.2 * 9.81, rel=0.02)
    assert abs(v[-1] - 0.5) < 1e-6
    assert table["c_f[1]"][sliding].mean() == pytest.approx(-0.2 * 9.81, rel=0.02)
    assert table["c_f[2]"][-1] == pytest.approx(-17 * 9.81, rel=1e-6)

STORED = {"velocity": "velocity low set 0.5 0 0", "spin": "set type 2 angmom 0 0 1", "frozen, in no group": "velocity low set 0.5 0 0\nfix z low freeze"}
STANDS = "Fix motion of style {}: body 1 has a velocity, but no fix moves it: it stands still. For a belt or a drum use fix move"
MOTIONS = {"implicit/polyhedron": {}, "contact/dynamics": dict(pair="pair_style zero 0.9", law="pair_coeff * *")}


@pytest.mark.parametrize("style", MOTIONS)
@pytest.mark.parametrize("ranks, stored", [(1, "velocity"), (2, "velocity"), (1, "spin"), (1, "frozen, in no group")])
def test_a_belt_that_nothing_moves_is_told_of(lammps, style, ranks, stored):
    """Explicit runs take the velocity that it has for that of a belt, these do not: it is told of, and once."""
    result = lammps(plate_and_cube(0.0015, f"{STORED[stored]}\nfix motion up {style}", **MOTIONS[style], every=5, processors="1 1 *",
                                   run="run 5\nrun 5"), ranks=ranks, warn=STANDS.format(style))
    assert abs(state(result, "vx")[1]) < 1e-12
    assert (result.dir / "log.lammps").read_text().count("it stands still") == 1


@pytest.mark.parametrize("style", MOTIONS)
@pytest.mark.parametrize("fix", ["low move linear 0.5 0 0", "low freeze"])
def test_belts_that_go_and_bodies_brought_to_rest_are_not_told_of(lammps, style, fix):
    group = "all" if fix == "low freeze" else "up"
    lammps(plate_and_cube(0.0015, f"velocity low set 0.5 0 0\ncomm_modify vel yes\nfix motion {group} {style}\nfix belt {fix}", **MOTIONS[style],
                          run="run 5"))



@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_two_integrators_collide(lammps, scheme, ranks):
    """One body implicit, the other by fix nve/asphere: the momentum of both is kept."""
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at -0.08 0.02 0.5 rotate 40 1 2 3\n"
            "create_polyhedra 1 at 0.08 0 0.52 rotate 70 3 1 -2\n"
            "group a id 1\ngroup b id 2\nvelocity a set 1 0.2 0\nvelocity b set -0.5 0.1 0",
            walls="",
            gravity=0,
            law="normal 1e7 1.5 gap 0.002 damping 0.2",
            dt=1e-4,
            every=400,
            processors="* 1 1",
            motion=f"fix motion a implicit/polyhedron scheme {scheme} tol 1e-12\n"
            "fix other b nve/asphere",
            run="run 800",
        ),
        ranks=ranks,
    )
    v = np.array([f.vectors("vx", "vy", "vz") for f in result.frames()])
    error = np.abs(v.sum(axis=1) - [0.5, 0.3, 0.0]).max()
    show(momentum=error, after=v[-1, 0, 0])
    assert abs(v[-1, 1, 0] + 0.5) > 0.2  # they have met
    assert error < 1e-12
    assert lammps.intersections(result) == 0


def test_moved_body_that_cannot_go(lammps):
    """Between a plate that comes up and a frozen body a cube is crushed: an error with both tags."""
    lammps(
        plate_and_cube(
            0.002,
            "create_polyhedra 2 at 0.2 0 0.5\ngroup mobile id 2 3\ngroup stand id 3\n"
            "fix motion mobile implicit/polyhedron\nfix drive low move linear 0 0 0.5\n"
            "fix stop stand freeze",
            law=GRIP,
            gravity=0,
            run="run 300",
        ),
        fail="no substep is possible at step .*: body 1, which another fix moves, would go through body 2",
    )


def test_two_explicit_bodies_meet(lammps):
    """Between bodies that another fix integrates the step knows no contact: that is not silent."""
    lammps(
        plate_and_cube(
            0.0015,
            "create_polyhedra 1 at 0 0 0.42\ngroup up type 1\ngroup third id 3\n"
            "velocity third set 0 0 -1\nfix motion low implicit/polyhedron\nfix other up nve/asphere",
            law=GRIP,
            gravity=0,
            run="run 200",
        ),
        fail="body 2 and body 3 meet at step .*: it moves neither",
    )


def test_explicit_body_meets_a_wall(lammps):
    """The walls act on the bodies that the step moves: one of another integrator does not fall through in silence."""
    fall = dict(
        bodies="create_polyhedra 1 at -0.5 0 0.2\ncreate_polyhedra 1 at 0.5 0 0.2\ngroup a id 1\ngroup b id 2",
        motion="fix motion a implicit/polyhedron\nfix other b nve/asphere",
        every=20,
        run="run 220",
    )
    lammps(scene(**fall), fail="body 2 and wall floor meet at step .*: it moves not the body.* out of that of the wall")
    result = lammps(scene(**fall, walls=FLOOR.replace("floor all", "floor a")))
    assert state(result, "z")[1, 0] < -0.01


def test_frozen_body_under_a_piston(lammps):
    """Nor does a wall that moves freely go through a body that is held."""
    lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.052\ncreate_polyhedra 1 at 0.5 0 0.3\ngroup b id 2",
            law=GRIP,
            walls=f"{FLOOR}\nfix lid all wall/polyhedron plane 0 0 0.5 0 0 -1 slide 0 0 -1 5 force 50",
            motion="fix motion all implicit/polyhedron scheme euler\nfix hold b freeze",
            run="run 600",
        ),
        fail="body 2 and wall lid meet at step .*: it moves not the body.* out of that of the wall",
    )


def test_turntable_of_a_body(lammps):
    """A plate that fix move rotates takes a cube along as a wall of the same shape does."""
    turn = 2.0
    parts = dict(law=GRIP, every=100, dt=2e-3, skin=0.05)
    cube = "create_polyhedra 1 at 0.1 0.05 0.3015"
    body = lammps(
        scene(
            **(
                PLATE_AND_CUBE
                | parts
                | dict(
                    bodies=f"create_polyhedra 2 at 0 0 0.2\n{cube}\ngroup low type 2\ngroup up type 1",
                    motion="fix motion up implicit/polyhedron scheme newmark\n"
                    f"fix table low move rotate 0 0 0 0 0 1 {turn}",
                    run="run 1000",
                )
            )
        )
    )
    wall = lammps(
        scene(
            bodies=cube,
            walls="fix floor all wall/polyhedron plane 0 0 0.25 0 0 1 move rotate 0 0 0 0 0 1 "
            f"{turn}",
            motion="scheme newmark",
            run="run 1000",
            **(parts | dict(box="block -1 1 -1 1 -0.1 1.9")),
        )
    )
    a = state(body, "x", "y", "z")[1]
    b = state(wall, "x", "y", "z")[0]
    show(body=np.hypot(*a[:2]), wall=np.hypot(*b[:2]), apart=np.abs(a - b).max())
    assert np.abs(a - b).max() < 1e-4
    assert abs(a[2] - 0.3) < 0.002


MOVES = {
    "wiggle": ("", "move wiggle 0.01 0 0 0.5"),
    "variable": (
        "variable d equal 0.01*sin(4*PI*time)\nvariable v equal 0.04*PI*cos(4*PI*time)\nvariable o equal 0\n",
        "move variable v_d v_o v_o v_v v_o v_o",
    ),
}


def shaken(scheme: str, motion: str, by: str) -> str:
    """A cube at rest on a table that begins to go to and fro, at 10 ms."""
    variables, move = MOVES[motion]
    wall = f"{variables}fix floor all wall/polyhedron plane 0 0 0.25 0 0 1 {move}"
    body = f"{variables}group table type 2\ngroup cube type 1\nfix table table {move}"
    return scene(
        types=2,
        shapes=f"1 box 0.1 0.1 0.05 density 1000 2 box 2 2 0.1 density 10",
        bodies="create_polyhedra 1 at 0 0 0.2755" + ("\ncreate_polyhedra 2 at 0 0 0.2" if by == "body" else ""),
        walls=body if by == "body" else wall,
        motion=f"fix motion {'cube' if by == 'body' else 'all'} implicit/polyhedron scheme {scheme}",
        law="normal 1.2e7 1.5 gap 0.0005 friction 0.9 0.9 3e4 300 restitution 0",
        box="block -2 2 -2 2 -0.1 1.9",
        thermo="f_motion[21] f_motion[22]",
        dt=0.01,
        every=1,
        run="run 60",
    )


@pytest.mark.parametrize("motion", ["wiggle", "variable"])
@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_shaken_body_goes_as_a_wall(lammps, scheme, motion):
    """Within a step, too, a body that fix move moves has the places and velocities of the motion: it takes
    a cube along as a wall does, but for the first step, before which fix move gives it no velocity. Where
    it turns back between two steps, it is at the same place in both."""
    body, wall = (lammps(shaken(scheme, motion, by)) for by in ("body", "wall"))
    a = np.array([f.vectors("x", "z", "vx")[0] for f in body.frames()])
    b = np.array([f.vectors("x", "z", "vx")[0] for f in wall.frames()])
    heat = [r.thermo()["f_motion[21]"][-1] for r in (body, wall)]
    work = [np.ptp(r.thermo()["f_motion[22]"][2:]) for r in (body, wall)]
    exact = 0.01 * np.sin(4 * np.pi * body.thermo()["Time"])
    table = np.array([f.columns["x"][1] for f in body.frames()])
    show(apart=np.abs(a - b).max(axis=0), heat=heat, work=work)
    assert np.abs(table - exact).max() < 1e-15
    # in the first step, which em and euler take at once, Newmark's substeps see what differs
    assert np.abs(a - b)[:, :2].max() < (1e-6 if scheme == "newmark" else 1e-12)
    assert heat[0] == pytest.approx(heat[1], rel=0.003 if scheme == "newmark" else 1e-9)
    assert work[0] == pytest.approx(work[1], rel=1e-4 if scheme == "newmark" else 1e-9)


@pytest.mark.parametrize("scheme", ["em", "newmark"])
@pytest.mark.parametrize("drive", ["linear 0.3 0 0.05", "wiggle 0.02 0 0.003 0.1"])
def test_moved_body_restart(lammps, scheme, drive):
    """A run with moved bodies of both kinds that goes on from a restart file."""
    bodies = (
        "create_polyhedra 2 at 0 0 0.2\ncreate_polyhedra 1 at 0 0 0.303\n"
        "create_polyhedra 1 at 0.02 0.01 0.42 rotate 20 1 2 3\ngroup low type 2\ngroup up id 2\n"
        "group other id 3"
    )
    fixes = (
        f"fix motion up implicit/polyhedron scheme {scheme}\nfix drive low move {drive}\n"
        "fix nve other nve/asphere"
    )
    parts = PLATE_AND_CUBE | dict(law="normal 1e6 1.5 gap 0.002 damping 0.5 friction 0.5 0.4 1e4 10", dt=5e-4, every=50)
    first = lammps(
        scene(
            **(parts | dict(bodies=bodies, extra=fixes, run="run 200\nwrite_restart s.restart\nrun 200"))
        ),
        where="here",
    )
    again = scene(**(parts | dict(bodies="", extra=fixes, run="run 200")))
    begin = again.index("region box")
    end = again.index("pair_style")
    text = "read_restart s.restart\nfix shapes" + again[begin:end].split("fix shapes")[1]
    text += again[end:].split("\n", 2)[2]
    second = lammps(text.replace("dump d all custom 50 dump", "dump d all custom 50 dump2"), where="here")
    columns = ("x", "y", "z", "c_q[1]", "c_q[2]", "vx", "vy", "vz", "angmomx", "angmomy")
    a = first.frames()[-1].vectors(*columns)
    b = second.frames("dump2")[-1].vectors(*columns)
    show(difference=np.abs(a - b).max())
    assert np.array_equal(a, b)


# ---- other parts of a script ----


def test_spheres_of_another_style(lammps):
    """Hybrid styles: spheres of types that are not ours need no shape, and go their own way."""
    result = lammps(
        scene(
            types=2,
            bodies="create_polyhedra 1 at 0 0 0.0515\ncreate_atoms 2 single 0.3 0 0.3\n"
            "create_atoms 2 single 0.3 0 0.48\nset type 2 mass 1.0\nset type 2 shape 0.1 0.1 0.1\n"
            "group poly type 1\ngroup sph type 2",
            pair="pair_style hybrid polyhedron lj/cut 0.2",
            law=f"pair_coeff 1 1 polyhedron {SMOOTH}\npair_coeff 1 2 lj/cut 0.01 0.1\n"
            "pair_coeff 2 2 lj/cut 0.01 0.1",
            walls="fix floor poly wall/polyhedron plane 0 0 0 0 0 1",
            motion="fix motion poly implicit/polyhedron\nfix other sph nve",
            dt=5e-4,
            every=100,
            run="run 300",
        )
    )
    z = result.frames()[-1].columns["z"]
    fall = 0.5 * 9.81 * 0.15**2
    show(cube=z[0], spheres=z[1] - 0.3 + fall)
    assert z[1] == pytest.approx(0.3 - fall, rel=1e-2) and 0.05 < z[0] < 0.0525


def test_types_of_ours_need_a_shape(lammps):
    lammps(
        scene(
            types=2,
            bodies="create_polyhedra 1 at 0 0 0.2\ncreate_atoms 2 single 0.3 0 0.3\nset type 2 mass 1.0",
            pair="pair_style hybrid polyhedron lj/cut 0.2",
            law=f"pair_coeff 1 1 polyhedron {SMOOTH}\npair_coeff 1 2 polyhedron {SMOOTH}\n"
            "pair_coeff 2 2 lj/cut 0.01 0.1",
        ),
        fail="atom type 2 has no shape",
    )


def test_data_files_keep_orientations(lammps):
    """read_data add with keyword random: what the file says is kept, what it does not say is drawn."""
    parts = dict(shapes="1 box 0.1 0.1 0.1 density 1000 random 4711", walls="", gravity=0, motion="")
    first = lammps(
        scene(
            bodies="create_atoms 1 single 0 0 0.5\ncreate_atoms 1 single 0.5 0 0.5",
            every=1,
            run="run 0\nwrite_data s.data",
            **parts,
        ),
        where="here",
    )
    q = ("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")
    a = first.frames()[0].vectors(*q)
    again = lammps(
        scene(bodies="read_data s.data add append\nread_data s.data add append shift 0 0 1", every=1, run="run 0", **parts),
        where="here",
        may_warn="image flags with growing box",  # newer hosts, of any read_data add
    )
    b = again.frames()[0].vectors(*q)
    assert len(np.unique(a.round(6), axis=0)) == 2
    assert np.abs(b - np.tile(a, (2, 1))).max() < 1e-14


def test_obstacles_may_touch(lammps):
    """Two bodies that no fix moves share a face; a cube falls on their seam."""
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at -0.05 0 0.2\ncreate_polyhedra 1 at 0.05 0 0.2\n"
            "create_polyhedra 1 at 0 0 0.31\ngroup up id 3",
            walls="",
            law=SMOOTH,
            motion="fix motion up implicit/polyhedron",
            every=100,
            thermo="pe",
            run="run 500",
        )
    )
    assert state(result, "z")[2, 0] > 0.3


def labelled(cube, tile, label=True):
    """Cube and tile, wherever a command takes types; the walls with the law of the tile."""
    script = scene(
        types=2,
        shapes=f"{cube} box 0.1 0.1 0.1 {tile} box 0.2 0.2 0.1",
        bodies=f"create_polyhedra {cube} at 0 0 0.06\ncreate_polyhedra {tile} at 0 0 0.2",
        walls=f"{FLOOR} type {tile}\ncompute c all force/compatible pair empty ignore unconverged ignore "
        f"stiffness {cube} {tile} 2.0 wall floor {cube} 3.0",
        law=f"pair_coeff {cube} {cube} {SMOOTH}\npair_coeff {cube} {tile} {SMOOTH}\n"
        f"pair_coeff {tile} {tile} {SMOOTH.replace('1e6', '1e5')}",
        every=1,
        thermo="c_c[1] f_floor f_floor[3]",
        run="run 100",
    )
    return script.replace("fix shapes", "labelmap atom 1 cube 2 tile\nfix shapes") if label else script


def test_type_labels(lammps, version):
    """Labels in place of numbers, wherever there are types: the same digits."""
    if version < 20230802:
        pytest.skip("the host has no type labels that can be used here")
    numbers = lammps(labelled(1, 2, label=False), where="numbers")
    result = lammps(labelled("cube", "tile"), where="labels")
    assert list(result.frames()[0].columns["type"]) == [1, 2]
    for name, column in numbers.thermo().items():
        assert (result.thermo()[name] == column).all() and column.any(), name
    lammps(labelled("cube", "tile").replace("type tile", "type tetrapod"), fail="tetrapod not found")


@pytest.mark.parametrize("dt, turns", [(0.06, True), (0.1, True), (0.05 / 1.02, False)])
def test_body_that_turns_by_more_than_half_a_turn(lammps, dt, turns):
    """A bar of fix move that goes round in 0.1 s: its orientations at both ends of a step do not tell the long way from the short one; it went backwards, or stood."""
    script = scene(types=2, shapes="1 sphere 0.03 density 1000 2 box 0.8 0.02 0.2 density 1000", bodies="create_polyhedra 1 at 0.25 0.1 0.2\ncreate_polyhedra 2 at 0 0 0\ngroup b type 1\ngroup r type 2", walls="", box="block -9 9 -9 9 -9 9",
                   law="auto velocity 10 damping 0.2", dt=dt, skin=0.1, motion="fix motion b implicit/polyhedron", extra="fix go r move rotate 0 0 0 0 0 1 0.1", run="run 1")
    lammps(script, fail="body 2, which another fix moves, turns by .* radians in step 1, .*: use a time step of less than 0.05, or a wall" if turns else "", may_warn="")
