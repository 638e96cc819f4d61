"""Restart in the middle of sticking and sliding: a frictional heap goes on as if it had not stopped, also after it was
killed; what differs between a restart file and the script that goes on from it is an error."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from conftest import Lammps, show
from kills import kill_and_go_on
from scenes import FLOOR, MIX, ROUGH_HEAP, SHAPES, SMOOTH_HEAP, grid, pile, scene

EDGE = 0.1
GRID = {1: "1 1 1", 2: "2 1 1"}  # a cut through the middle of the heap
FRICTION = f"pair_coeff * * {ROUGH_HEAP}"
POSE = "id x y z vx vy vz angmomx angmomy angmomz c_q[1] c_q[2] c_q[3] c_q[4] fx fy fz".split()
THERMO = (
    "ke f_motion[1] f_motion[2] f_motion[3] f_motion[4] f_motion[8] f_motion[9] f_motion[10] "
    "f_motion[11] f_motion[12] f_motion[20] f_motion[21] f_motion[23] f_floor[1] f_floor[3] f_floor[6]"
)
OUTPUT = f"""compute q all property/atom quatw quati quatj quatk
compute c all polyhedron/contact/local
thermo_style custom step time {THERMO}
thermo_modify format float %.17g norm no
thermo 5
dump {{name}} all custom 5 dump.{{name}} id x y z vx vy vz angmomx angmomy angmomz &
  c_q[1] c_q[2] c_q[3] c_q[4] fx fy fz
dump_modify {{name}} sort id format float %.17g
dump rows all local 5 rows.{{name}} c_c[1] c_c[2] c_c[11] c_c[12] c_c[13] c_c[14] c_c[15] c_c[16]
"""
GO_ON = f"""processors {{processors}}
read_restart {{state}}
fix shapes all polyhedron/shape {MIX} write shapes.txt
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix sides all wall/polyhedron plane -0.2 0 0 1 0 0 plane 0.2 0 0 -1 0 0 &
  plane 0 -0.2 0 0 1 0 plane 0 0.2 0 0 -1 0
fix g all gravity 9.81 vector 0 0 -1
timestep 0.005
neighbor 0.05 bin
fix motion all implicit/polyhedron {{motion}}
{{more}}
{OUTPUT}
run {{run}}
"""


def states(result, name):
    """Frame by step: all numbers of all bodies."""
    return {
        f.step: np.column_stack([f.columns[c] for c in POSE]) for f in result.frames(f"dump.{name}")
    }


def contacts(result, name):
    """Contacts of the frame at which the restart file was written: those that stick, and that slip."""
    table = result.frames(f"rows.{name}")[0].table()
    return int((table[:, 6] == 0).sum()), int((table[:, 6] == 1).sum())


@pytest.fixture(scope="module")
def heap(host, tmp_path_factory) -> Callable[[str, int], Path]:
    """The heap of a scheme at a step, the file of it; of one rank, made once."""
    @cache
    def at(motion: str, step: int) -> Path:
        run = f"run {step}\nwrite_restart state"
        script = pile(2, 2, 5, 0.2, 1.4, motion=motion, every=0, pitch=0.2, run=run)
        script = script.replace(f"pair_coeff * * {SMOOTH_HEAP}", FRICTION)
        assert FRICTION in script
        lammps = Lammps(tmp_path_factory.mktemp("heap"), *host)
        return lammps(script, warn="begin step 1 closer than contact begins").dir / "state"
    return at


def through(lammps, state, motion, step, ranks, fixed=""):
    """The run that does not stop, from 20 steps before the one at which it writes a restart file."""
    more = f"restart {step} state.*\n{fixed}"
    text = GO_ON.format(motion=motion, state=state, more=more, name="through", run=60, processors=GRID[ranks])
    return lammps(text, ranks=ranks, where="here")


def again(lammps, motion, step, ranks, name):
    text = GO_ON.format(motion=motion, state=f"state.{step}", more="", name=name, run=40, processors=GRID[ranks])
    return lammps(text, ranks=ranks, where="here")


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize(("motion", "step"), [("scheme euler", 100), ("scheme newmark", 120), ("scheme em", 120)])
def test_restart_is_exact(lammps, heap, motion, step, ranks):
    whole = states(through(lammps, heap(motion, step - 20), motion, step, ranks), "through")
    second = again(lammps, motion, step, ranks, "again")
    part = states(second, "again")
    stick, slip = contacts(second, "again")
    # forces at set-up are those of other fixes alone
    columns = {s: slice(None) if s > step else slice(0, -3) for s in part}
    differ = [s for s in part if not np.array_equal(part[s][:, columns[s]], whole[s][:, columns[s]])]
    show(ranks=ranks, frames=len(part), differing=len(differ), stick=stick, slip=slip)
    assert stick > 2 and slip > 2  # both are there; how many of each rounding decides
    assert len(part) == 9 and differ == []


def test_restart_on_other_ranks(lammps, heap):
    step, fixed = 100, "substeps 10 tol 1e-10"
    modify = "fix_modify motion substeps 10\nfix_modify motion tol 1e-10"
    first = through(lammps, heap("scheme euler", step - 20), "scheme euler", step, 1, modify)
    whole = states(first, "through")
    motion = f"scheme euler {fixed}"
    part = states(again(lammps, motion, step, 2, "again"), "again")
    error = max(np.abs(part[s][:, 1:4] - whole[s][:, 1:4]).max() for s in part) / EDGE
    steps = sorted(part)
    way = np.abs(part[steps[-1]][:, 1:4] - part[steps[0]][:, 1:4]).max() / EDGE
    show(position_error=error, way=way)
    assert way > 1e-2
    assert error < 1e-10


# ---- finely meshed stones, whose search goes through trees ----

STONES = ("1 rock 0.12 0.06 0.05 200 1 density 2600 2 rock 0.1 0.08 0.07 100 2 density 2600 "
          "3 rock 0.1 0.08 0.07 60 1 density 2600")


def stones_that_fall(steps, state=""):
    """Twelve stones between walls that go on from a restart file, if there is one, at a step of 0.02 s."""
    sides = " ".join(f"plane {0.12 * x:g} {0.12 * y:g} 0 {-x} {-y} 0" for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    script = scene(
        types=3,
        shapes=STONES,
        box="block -0.12 0.12 -0.12 0.12 -0.1 2",
        bodies=grid(2, 2, 3, 0.11, (-0.055, -0.055, 0.1), 3),
        walls=f"{FLOOR}\nfix sides all wall/polyhedron {sides}",
        law="auto height 0.3 restitution 0.3",
        dt=0.02,
        motion="scheme em",
        every=1,
        extra=f"restart 1 {'again' if state else 'state'}.*",
        run=f"run {steps}",
    )
    if not state:
        return script
    kept = [line for line in script[script.index("fix shapes"):].splitlines()
            if not line.startswith(("create_polyhedra", "set ", "pair_"))]
    return "\n".join([f"read_restart {state}", *kept])


def test_restart_of_fine_stones(lammps):
    """Lists of what is near are made as a run goes, and made anew by one that goes on: no digit may depend on them."""
    whole = lammps(stones_that_fall(30), where="here")
    frames = {f.step: f.table() for f in whole.frames("dump")}
    differing = []
    for step in range(10, 30, 2):
        next_one = lammps(stones_that_fall(1, f"state.{step}"), where="here").frames("dump")[-1]
        assert next_one.step == step + 1
        if not np.array_equal(next_one.table(), frames[step + 1]):
            differing.append(step)
    show(frames=len(frames), differing=len(differing))
    assert lammps.intersections(whole) == 0
    assert differing == []


# ---- what is carried besides the bodies ----

HEAP = dict(bodies=grid(3, 3, 2, 0.18, (-0.18, -0.18, 0.1)), law=ROUGH_HEAP, dt=0.002, every=1)
SHAPE, SERVO = "1 box 0.1 0.1 0.1 density 1000", """variable height equal xcm(up,z)
variable servo equal 300*(0.25-v_height)
fix hoist up load/polyhedron force 0 0 v_servo"""


def rows(result):
    """Lines of thermo output by step, of all runs; not the time, which the host sums up from where a run began."""
    return {int(row[0]): row for t in result.tables()
            for row in np.column_stack([column for name, column in t.items() if name != "Time"])}


def goes_on(lammps, script, run, step, ranks=1):
    """Whether a run that goes on from state.N gives the digits of the one whose commands `run` wrote the file."""
    whole = lammps(f"{script}\n{run}", where="here", may_warn="closer than contact begins", ranks=ranks)
    frames, lines = {f.step: f.table() for f in whole.frames("dump")}, rows(whole)
    kept = [line for line in script[script.index("fix shapes"):].splitlines()
            if not line.startswith(("create_polyhedra", "set ", "velocity", "pair_"))]
    again = "\n".join([f"read_restart state.{step}", *kept, "run 20"])
    part = lammps(again, where="here", ranks=ranks)
    differing = [f.step for f in part.frames("dump") if not np.array_equal(f.table(), frames[f.step])]
    other = [n for n, row in rows(part).items() if n > step and not np.array_equal(row, lines[n])]
    show(frames=len(part.frames("dump")), differing=len(differing), other_lines=len(other))
    return len(part.frames("dump")) == 21 and differing == other == []


def test_restart_of_a_servo(lammps):
    """A load that looks at the bodies was read at the start of the step before."""
    heap = HEAP | dict(bodies="create_polyhedra 1 at 0 0 0.06\ncreate_polyhedra 1 at 0 0 0.2\ngroup up id 2")
    assert goes_on(lammps, scene(**heap, walls=f"{FLOOR}\n{SERVO}", run=""), "restart 30 state.*\nrun 60", 30)
    assert goes_on(lammps, scene(**heap, walls=f"{FLOOR}\n{SERVO}", run=""),
                   "run 30\nwrite_restart state.30\nrun 30", 30)


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("run", ["run 150\nwrite_restart state.150\nrun 30", "restart 150 state.*\nrun 150\nrestart 0\nrun 30"])
def test_restart_between_runs(lammps, run, ranks):
    """The second run begins with a solver that has seen no matrix, as the one that goes on does."""
    loads = "fix push all load/polyhedron force 0.2 0.1 0 point 0.02 0.03 0.01"
    assert goes_on(lammps, scene(**HEAP, walls=f"{FLOOR}\n{loads}", skin=0.4, motion="scheme em", run=""), run, 150, ranks)


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_restart_after_bodies_have_changed_places(lammps, scheme):
    """The host sorts its atoms at set-up: sums go on in that order in the run that wrote the file, too."""
    text = scene(**HEAP | dict(bodies=grid(4, 4, 2, 0.2, (-0.3, -0.3, 0.2)) + "\nvelocity all create 1e23 4711"),
                 walls=f"{FLOOR}\nfix push all load/polyhedron force 0.2 0.1 0 point 0.02 0.03 0.01",
                 thermo="f_motion[5] f_motion[10] f_motion[18] f_push", motion=f"scheme {scheme}", run="")
    assert goes_on(lammps, text, "restart 60 state.*\nrun 100", 60)


def test_bodies_are_deleted_once_the_others_have_their_state(lammps, state):
    """Before, the host would give bodies what it keeps of others."""
    again = AGAIN.format(changed="")
    gone = "group gone id 1\ndelete_atoms group gone compress no"
    lammps(again.replace("fix shapes", f"{gone}\nfix shapes", 1), files={"state": state},
           fail=r"Fix .*: the restart file is of 2 atoms, and there are 1: .* put run 0 before delete_atoms")
    lammps(f"{again}\n{gone}\nrun 5", files={"state": state})


# ---- what a restart file is compared by ----

CUBE = f"stl {SHAPES}/cube.stl density 2400"
TETRAPOD = f"stl {SHAPES}/tetrapod.stl density 2400"
LPRISM = f"stl {SHAPES}/lprism.stl density 2400"
GRIP = "normal 1e7 1.5 gap 0.002 barrier 0.1 -2 damping 0.5 friction 0.5 0.4 1e6 100"
SIDES = "fix sides all wall/polyhedron plane -0.2 0 0 1 0 0 plane 0.2 0 0 -1 0 0"
PUSH = "fix push all load/polyhedron force 0.1 0 0"
HOLD = "fix hold two lock/polyhedron rotation xy"
START = scene(
    types=2,
    shapes=f"1 {CUBE} 2 {TETRAPOD}",
    bodies="create_polyhedra 1 at 0 0 0.0515\ncreate_polyhedra 2 at 0 0 0.2\ngroup two type 2",
    walls=f"{FLOOR}\n{SIDES}\n{PUSH}\n{HOLD}",
    law=f"pair_coeff 1 1 {GRIP}\npair_coeff 2 2 {GRIP}",
    run="run 5\nwrite_restart state",
)
AGAIN = f"""read_restart state
fix shapes all polyhedron/shape 1 {CUBE} 2 {TETRAPOD}
{{changed}}
{FLOOR}
{SIDES}
{PUSH}
{HOLD}
fix g all gravity 9.81 vector 0 0 -1
timestep 1e-3
neighbor 0.05 bin
fix motion all implicit/polyhedron
run 2
"""
MEANT = "if that is meant: fix_modify POLYHEDRON_RESTART changed "
# what is replaced in the script that goes on, by what; the error; the subject that it names
CHANGES = {
    "scale": (CUBE, f"{CUBE} scale 1.01",
              r"scale of atom type 1 was such that the radius is 0.0866\d* in the restart file and is such that the "
              r"radius is 0.0874\d*: use what it was; ", "shape"),
    "density": ("2400 2", "1200 2", "density of atom type 1 was 2400 in the restart file and is 1200: use what it was; ",
                "shape"),
    "surface": (TETRAPOD, LPRISM,
                r"surface of atom type 2 was \S*tetrapod.stl \(16 vertices, 28 triangles\) in the restart file and is "
                r"\S*lprism.stl \(12 vertices, 20 triangles\): use what it was; ", "shape"),
    "law": ("{changed}\n", f"{{changed}}\npair_coeff 2 2 {GRIP.replace('0.5 0.4', '0.3 0.3')}\n",
            r"law of atom types 2 2 was normal 1e\+07 1.5 .* friction 0.5 0.4 .* in the restart file and is "
            r"normal 1e\+07 1.5 .* friction 0.3 0.3 .*: use what it was; ", "law"),
    "set": ("{changed}\n", "{changed}\npair_style polyhedron contact hierarchy\n",
            "contact set was continuous in the restart file and is hierarchy: use what it was; ", "law"),
    "motion": ("fix motion", "fix mover", r"fix motion implicit/polyhedron has its state in the restart file, but there is "
               r"no such fix: define it with this ID, before the first command that initialises \(run, minimize ...\); ",
               "motion"),
    "load": ("fix push", "fix pull", "fix push load/polyhedron has its state", "push"),
    "lock": ("rotation xy", "rotation x",
             "what fix hold holds was translation none rotation xy frame space in the restart file and is translation "
             "none rotation x frame space: use what it was; ", "hold"),
    "lock-gone": (HOLD, "", "what fix hold holds, translation none rotation xy frame space in the restart file, is no "
                  "longer there: define it again; ", "hold"),
    "wall": ("fix floor", "fix ground", "fix floor wall/polyhedron has its state", "floor"),
    "wall-gone": (FLOOR, "", "fix floor wall/polyhedron has its state", "floor"),
    "plane": (FLOOR, FLOOR.replace("plane 0 0 0 ", "plane 0 0 -0.1 "),
              "wall 1 of fix floor was plane 0 0 0 0 0 1 in the restart file and is plane 0 0 -0.1 0 0 1: ", "floor"),
    "planes": (SIDES, SIDES.replace(" plane 0.2 0 0 -1 0 0", ""),
               "wall 2 of fix sides, plane 0.2 0 0 -1 0 0 in the restart file, is no longer there: define it again; ",
               "sides"),
    "order": ("plane -0.2 0 0 1 0 0 plane 0.2 0 0 -1 0 0", "plane 0.2 0 0 -1 0 0 plane -0.2 0 0 1 0 0",
              "wall 1 of fix sides was plane -0.2 0 0 1 0 0 in the restart file and is plane 0.2 0 0 -1 0 0: ", "sides"),
    "law-of-wall": (FLOOR, f"{FLOOR} normal 1e7 1 gap 0.002",
                    "law of fix floor was that of the bodies in the restart file and is normal ", "floor"),
}


def with_change(name, changed=""):
    old, new, *_ = CHANGES[name]
    assert old in AGAIN
    return AGAIN.replace(old, new, 1).format(changed=changed)


@pytest.fixture(scope="module")
def state(host, tmp_path_factory):
    """A restart file."""
    lammps = Lammps(tmp_path_factory.mktemp("state"), *host)
    return (lammps(START).dir / "state").read_bytes()


@pytest.mark.parametrize("name", CHANGES)
def test_change_is_an_error(lammps, state, name):
    *_, message, subject = CHANGES[name]
    lammps(with_change(name), fail=f"Restart: {message}.*{MEANT}{subject}", files={"state": state})


@pytest.mark.parametrize("name", CHANGES)
def test_change_on_purpose(lammps, state, name):
    changed = f"fix_modify POLYHEDRON_RESTART changed {CHANGES[name][3]}"
    lammps(with_change(name, changed), files={"state": state}, may_warn="more energy in their contacts than the last one")


def test_message_has_the_values_of_built_in_shapes(lammps):
    """Two rocks of as many vertices and triangles."""
    lammps(scene(shapes="1 rock 0.1 0.1 0.1 20 1", run="run 2\nwrite_restart state"), where="here")
    lammps("read_restart state\nfix shapes all polyhedron/shape 1 rock 0.1 0.09 0.1 20 1\n" + FLOOR +
           "\nfix g all gravity 9.81 vector 0 0 -1\nfix motion all implicit/polyhedron\nrun 2", where="here",
           fail=r"surface of atom type 1 was rock 0.1 0.1 0.1 20 1 \(20 vertices, 36 triangles\) in the restart file and is "
                r"rock 0.1 0.09 0.1 20 1 \(20 vertices, 36 triangles\): use what it was; ")


def test_what_may_be_new(lammps, state):
    """Another wall; another motion; all at once by the word that stands for all."""
    script = AGAIN.format(changed="fix new all wall/polyhedron plane 0 0.3 0 0 -1 0")
    lammps(script.replace(FLOOR, f"{FLOOR} move velocity 0 0 -0.01"), files={"state": state})
    script = AGAIN.format(changed="fix_modify POLYHEDRON_RESTART changed all").replace("fix motion", "fix mover")
    lammps(script.replace(SIDES, "").replace("2400 2", "1200 2"), files={"state": state})


def test_unknown_subject(lammps, state):
    script = AGAIN.format(changed="fix_modify POLYHEDRON_RESTART changed walls")
    lammps(script, files={"state": state},
           fail="changed walls: the restart file has shape, floor, sides, push, hold, motion and law")
    script = AGAIN.format(changed="fix_modify POLYHEDRON_RESTART changed")
    lammps(script, files={"state": state}, fail="(shape, law, all or IDs of fixes must follow|Illegal fix_modify)")


def test_fix_after_the_first_initialisation(lammps, state):
    """The host has dropped the data of a fix that comes later."""
    script = AGAIN.format(changed="").replace("fix motion", "run 0\nfix motion")
    lammps(script, files={"state": state}, fail="Restart: fix motion implicit/polyhedron has its state")


def test_bodies_are_created_once_the_others_have_their_state(lammps, state):
    """Before, the host would give the new one what it keeps of another, or of none."""
    again, create = AGAIN.format(changed=""), "create_polyhedra 1 at 0 0 1.2"
    lammps(again.replace("fix motion", f"{create}\nfix motion"), files={"state": state},
           fail="Create_polyhedra command: .* has not been taken over yet: put run 0 before")
    lammps(f"{again}\n{create}\nrun 5", files={"state": state})


def ascii_lprism() -> str:
    """The L-shaped prism as text, in the file's own digits."""
    data = (SHAPES / "lprism.stl").read_bytes()
    if data.startswith(b"solid"):
        return data.decode()
    corners = np.frombuffer(data[84:], dtype=np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]))["v"]
    lines = ["solid l"]
    for triangle in corners:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x:.17g} {y:.17g} {z:.17g}" for x, y, z in triangle.astype(float).tolist()]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid l"])


def test_mirrored_surface_is_another_one(lammps, state):
    mirrored = re.sub(r"vertex (\S+)", lambda m: f"vertex {-float(m.group(1)):.17g}", ascii_lprism())
    files = {"a.stl": ascii_lprism(), "b.stl": mirrored}
    start = START.replace(f"2 {TETRAPOD}", "2 stl a.stl density 2400")
    first = lammps(start, files=files)
    files["state"] = (first.dir / "state").read_bytes()
    again = AGAIN.format(changed="").replace(TETRAPOD, "stl {}.stl density 2400")
    lammps(again.format("a"), files=files)
    lammps(again.format("b"), files=files, fail="Restart: surface of atom type 2 was a.stl .* and is b.stl ")


def test_spheres_too(lammps):
    """Contact dynamics of spheres has no shapes, but forces to start from."""
    head = "units si\natom_style sphere\nboundary f f f\nregion b block -2 2 -2 2 -1 5\n"
    start = head + """create_box 1 b
create_atoms 1 single 0 0 0.5
pair_style zero 2.5
pair_coeff * *
neigh_modify delay 0
comm_modify vel yes
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix cd all contact/dynamics start warm
fix g all gravity 9.81 vector 0 0 -1
timestep 1e-3
run 2
write_restart state"""
    first = lammps(start)
    script = "read_restart state\nneigh_modify delay 0\ncomm_modify vel yes\n" + "\n".join(
        line for line in start.splitlines() if line.startswith(("fix", "timestep", "run")))
    files = {"state": (first.dir / "state").read_bytes()}
    lammps(script, files=files)
    lammps(script.replace("fix cd", "fix rigid"), files=files,
           fail="Restart: fix cd contact/dynamics has its state in the restart file")
    # as if it had been written before there were fingerprints
    files["state"] = files["state"].replace(b"POLYHEDRON_RESTART\0", b"SOMETHING_OF_OTHERS"[:18] + b"\0")
    lammps(script, files=files, warn="Restart: the restart file has no fingerprints")


def test_file_of_another_version(lammps, state):
    """Files of the time before began the pair style's data with the contact set."""
    mark = state.index(b"polyhedron\0") + len(b"polyhedron\0")
    old = state[:mark] + b"\0\0\0\0" + state[mark + 4 :]
    lammps(AGAIN.format(changed=""), files={"state": old},
           fail="Pair style polyhedron: another version of the plugin has written the restart file")


# ---- killed at any time ----


def test_killed_run_goes_on(lammps):
    assert kill_and_go_on(lammps, seed=1, kills=3) == 0


@pytest.mark.parametrize("motion", ["implicit/polyhedron", "contact/dynamics"])
def test_file_of_a_run_that_has_lost_bodies(lammps, motion):
    """Where lost bodies may go, the file is of those that are left."""
    pair = "pair_style zero 0.5\npair_coeff * *" if motion == "contact/dynamics" else "pair_style polyhedron"
    parts = dict(bodies="create_polyhedra 1 at 0 0 1.5\ncreate_polyhedra 1 at 0.5 0 -0.05", walls="", pair=pair,
                 motion=f"fix motion all {motion}", extra="thermo_modify lost ignore\nthermo 1000")
    if motion == "contact/dynamics":
        parts["law"] = ""
    script = scene(**parts, run="restart 270 state.*\nrun 300")
    lammps(script, where="here", may_warn="ost atoms")
    again = scene(**parts, run="run 10")
    kept = [line for line in again[again.index("fix shapes"):].splitlines() if not line.startswith("create_poly")]
    if motion != "contact/dynamics":
        kept.remove(pair)
    result = lammps("read_restart state.270\n" + "\n".join(kept), where="here")
    assert "1 atoms" in result.text
