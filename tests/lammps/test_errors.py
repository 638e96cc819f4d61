"""Errors that one process of three finds alone: all stop, and the text is on the screen, which is redirected here, and in
the log file."""

from __future__ import annotations

import pytest

from scenes import EXPLICIT, FLOOR, LAW, scene

# three processes in a row along x; the third one has the bodies that matter
THREE = "processors 3 1 1"
BOX = "block -1.5 1.5 -0.5 0.5 -0.2 1"
APART = "create_polyhedra 1 at -1 0 0.3\ncreate_polyhedra 1 at 0 0 0.3\ncreate_polyhedra 1 at 1 0 0.3\n"
NAN = "variable bad atom (id==3)*1e308*10\nvelocity all set v_bad NULL NULL"
THIRD = "group third id 3"
LATE_NAN = "variable away equal 0*exp(1000*(step>5))\nvariable v equal 0\nfix way third move variable v_away NULL NULL v_v NULL NULL"
HYBRID = dict(types=2, pair="pair_style hybrid polyhedron lj/cut 0.2",
              law=f"pair_coeff 1 1 polyhedron {LAW}\npair_coeff 1 2 none\npair_coeff 2 2 lj/cut 0.01 0.1")


def spheres(third: str, cutoff: float, cd: str, extra: str = "") -> str:
    """Three spheres, two of them with the third process."""
    return f"""units si
atom_style sphere
boundary f f f
{THREE}
region box {BOX}
create_box 1 box
create_atoms 1 single -1 0 0.5
create_atoms 1 single 1 0 0.5
create_atoms 1 single {third}
set group all diameter 0.1
{THIRD}
pair_style zero {cutoff}
pair_coeff * *
neigh_modify delay 0
comm_modify vel yes
fix cd all contact/dynamics {cd}
timestep 1e-3
{extra}
run 1"""


SPHERES = {
    "same-centre": (spheres("1 0 0.5", 0.3, ""), "Contact dynamics: spheres 2 and 3 have the same centre"),
    "held": (spheres("1 0 0.8", 0.3, "", "fix hold third setforce 0 NULL NULL"),
             "Fix cd of style contact/dynamics: body 3 is held by a fix setforce or lock/polyhedron"),
    "out-of-list": (spheres("1 0 0.9", 0.3, "", "velocity third set 0 0 -400"),
                    "bodies [23] and [23] can meet within step 1, .* the pair cutoff of 0.3 does not show them"),
    "too-long-a-step": (spheres("1 0 0.61", 0.3, "restitution 0.5", "velocity third set 0 0 -50"),
                        "body [23] goes into [23] by 0.04 in step 1, .* shorten the time step, or raise gap"),
}
ERRORS = {
    "overlap": (dict(bodies=f"{APART}create_polyhedra 1 at 1.05 0 0.3"),
                r"body 3 and body 4 overlap at step 0, depth 0\.05"),
    "overlap-with-wall": (dict(bodies=f"{APART}create_polyhedra 1 at 1 0 0.02"),
                          "body 4 and wall floor overlap at step 0, depth 0.03"),
    "overlap-explicit": (dict(bodies=f"{APART}create_polyhedra 1 at 1.05 0 0.3", motion=EXPLICIT),
                         "Pair style polyhedron: body 3 and body 4 overlap at step 0"),
    "nan": (dict(bodies=APART + NAN), "body 3 has a position, velocity or orientation that is not a finite number"),
    "nan-explicit": (dict(bodies=APART + NAN, motion=EXPLICIT), "body 3 has a position, velocity or orientation"),
    **{f"nan-in-a-run-{scheme}": (dict(bodies=f"{APART}{THIRD}\ngroup own id 1 2", motion=f"fix motion own implicit/polyhedron scheme {scheme}", extra=LATE_NAN),
                                  "body 3 has a position, velocity or orientation that is not a finite number")
       for scheme in ("newmark", "euler", "em", "newmark guard 0", "em guard 0")},
    "lost": (dict(bodies=f"{APART}velocity all set 0 0 0\ngroup out id 3\nvelocity out set 8 0 0", run="run 200"),
             r"body 3 is lost at step \d+: it left the simulation box at"),
    "load-on-others": (dict(bodies=f"{APART}group own id 1 2", extra="fix l all load/polyhedron force 0 0 1",
                            motion="fix motion own implicit/polyhedron"),
                       "Fix load/polyhedron: body 3 is not integrated by fix implicit/polyhedron"),
    "wall-hit-explicit": (dict(bodies=f"{APART}group down id 3\nvelocity down set 0 0 -50", motion=EXPLICIT,
                               run="run 100"),
                          "Fix wall/polyhedron floor: body 3 and wall floor overlap, depth .* at step .*, the time step is too long"),
    "two-locks": (dict(bodies=f"{APART}{THIRD}", extra="fix a third lock/polyhedron hinge 1 0 0.3 0 1 0\n"
                       "fix b third lock/polyhedron translation x"),
                  "Fix b of style lock/polyhedron: another fix holds body 3, too, which is possible along axes of space"),
    "both-integrate": (dict(bodies=f"{APART}{THIRD}", extra="fix more third nve/asphere"),
                       "Fix more of style nve/asphere and fix motion of style implicit/polyhedron: body 3 is in both "
                       "groups, but both integrate it"),
    "no-shape": (dict(bodies=f"{APART}create_atoms 2 single 1 0 0.6\nset type 2 mass 1.0", **HYBRID),
                 "Atom 4 of type 2 has no shape: give the type one with fix polyhedron/shape"),
    "two-of-others-meet": (dict(bodies=f"{APART}create_polyhedra 1 at 1 0 0.42\ngroup own id 1 2\ngroup free id 3 4\n"
                                f"{THIRD}\nvelocity third set 0 0 5", gravity=0, run="run 100",
                                motion="fix motion own implicit/polyhedron\nfix other free nve/asphere"),
                           r"body 3 and body 4 meet at step \d+: it moves neither"),
    "shape-file": (dict(bodies=APART, extra="fix more all polyhedron/shape 1 box 1 1 1 write no/such/folder"),
                   "cannot open no/such/folder for writing"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_one_process_finds_an_error(lammps, name):
    parts, message = ERRORS[name]
    script = scene(**(dict(box=BOX, walls=FLOOR, processors=THREE.split(" ", 1)[1]) | parts))
    both_have(lammps(script, ranks=3, fail=message))


@pytest.mark.parametrize("name", SPHERES)
def test_spheres(lammps, name):
    script, message = SPHERES[name]
    both_have(lammps(script, ranks=3, fail=message))


def both_have(result) -> None:
    log = (result.dir / "log.lammps").read_text()
    screen = result.text[: len(result.text) - len(log)]
    first = result.error.splitlines()[0]
    assert first in log and first in screen
    assert "ERROR on proc" not in result.text and "MPI_ABORT" not in result.text
