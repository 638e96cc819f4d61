"""Errors that one process of three finds alone: all stop, and the text is on the screen, which is redirected here, and in
the log file."""

from __future__ import annotations

import pytest

from scenes import EXPLICIT, FLOOR, scene

# three processes in a row along x; the third one has the bodies that matter
THREE = "processors 3 1 1"
BOX = "block -1.5 1.5 -0.5 0.5 -0.2 1"
APART = "create_polyhedra 1 at -1 0 0.3\ncreate_polyhedra 1 at 0 0 0.3\ncreate_polyhedra 1 at 1 0 0.3\n"
NAN = "variable bad atom (id==3)*1e308*10\nvelocity all set v_bad NULL NULL"
SPHERES = f"""units si
atom_style sphere
boundary f f f
{THREE}
region box {BOX}
create_box 1 box
create_atoms 1 single -1 0 0.5
create_atoms 1 single 1 0 0.5
create_atoms 1 single 1 0 0.5
set group all diameter 0.1
pair_style zero 0.3
pair_coeff * *
neigh_modify delay 0
comm_modify vel yes
fix cd all contact/dynamics
run 1"""
ERRORS = {
    "overlap": (dict(bodies=f"{APART}create_polyhedra 1 at 1.05 0 0.3"),
                r"body 3 and body 4 overlap at step 0, depth 0\.05"),
    "overlap-with-wall": (dict(bodies=f"{APART}create_polyhedra 1 at 1 0 0.02"),
                          "body 4 and wall floor overlap at step 0, depth 0.03"),
    "overlap-explicit": (dict(bodies=f"{APART}create_polyhedra 1 at 1.05 0 0.3", motion=EXPLICIT),
                         "Pair style polyhedron: body 3 and body 4 overlap at step 0"),
    "nan": (dict(bodies=APART + NAN), "body 3 has a position, velocity or orientation that is not a finite number"),
    "nan-explicit": (dict(bodies=APART + NAN, motion=EXPLICIT), "body 3 has a position, velocity or orientation"),
    "lost": (dict(bodies=f"{APART}velocity all set 0 0 0\ngroup out id 3\nvelocity out set 8 0 0", run="run 200"),
             r"body 3 is lost at step \d+: it left the simulation box at"),
    "load-on-others": (dict(bodies=f"{APART}group own id 1 2", extra="fix l all load/polyhedron force 0 0 1",
                            motion="fix motion own implicit/polyhedron"),
                       "Fix load/polyhedron: body 3 is not integrated by fix implicit/polyhedron"),
    "wall-hit-explicit": (dict(bodies=f"{APART}group down id 3\nvelocity down set 0 0 -50", motion=EXPLICIT,
                               run="run 100"),
                          "Fix wall/polyhedron floor: .* a body touches the wall, the time step is too long"),
    "shape-file": (dict(bodies=APART, extra="fix more all polyhedron/shape 1 box 1 1 1 write no/such/folder"),
                   "cannot open no/such/folder for writing"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_one_process_finds_an_error(lammps, name):
    parts, message = ERRORS[name]
    script = scene(**(dict(box=BOX, walls=FLOOR, processors=THREE.split(" ", 1)[1]) | parts))
    both_have(lammps(script, ranks=3, fail=message))


def test_spheres(lammps):
    both_have(lammps(SPHERES, ranks=3, fail="Contact dynamics: spheres 2 and 3 have the same centre"))


def both_have(result) -> None:
    log = (result.dir / "log.lammps").read_text()
    screen = result.text[: len(result.text) - len(log)]
    first = result.error.splitlines()[0]
    assert first in log and first in screen
    assert "ERROR on proc" not in result.text and "MPI_ABORT" not in result.text
