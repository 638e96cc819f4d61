"""Restart in the middle of sticking and sliding: a frictional heap goes on as if it had not stopped."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import MIX, ROUGH_HEAP, SMOOTH_HEAP, pile

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
GO_ON = f"""{{processors}}
read_restart state.{{step}}
fix shapes all polyhedron/shape {MIX} write shapes.txt
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix sides all wall/polyhedron plane -0.2 0 0 1 0 0 plane 0.2 0 0 -1 0 0 &
  plane 0 -0.2 0 0 1 0 plane 0 0.2 0 0 -1 0
fix g all gravity 9.81 vector 0 0 -1
timestep 0.005
neighbor 0.05 bin
fix motion all implicit/polyhedron {{motion}}
{OUTPUT}
run 40
"""


def states(result, name):
    """Frame by step: all numbers of all bodies."""
    return {
        f.step: np.column_stack([f.columns[c] for c in POSE]) for f in result.frames(f"dump.{name}")
    }


def contacts(result, name):
    """Contacts of the frame at which the restart file was written: those that stick, and that slip."""
    frames = (result.dir / f"rows.{name}").read_text().split("ITEM: TIMESTEP\n")[1:]
    rows = [f.split("ITEM: ENTRIES")[1].splitlines()[1:] for f in frames]
    table = np.array([line.split() for line in rows[0]], dtype=float)
    return int((table[:, 6] == 0).sum()), int((table[:, 6] == 1).sum())


def through(lammps, motion, step, ranks, fixed=""):
    """The run that does not stop; it writes a restart file at `step`, `fixed`: fix_modify before."""
    script = pile(2, 2, 5, 0.2, 1.4, motion=motion, every=0, pitch=0.2, run="",
                  processors=GRID[ranks])
    script = script.replace(f"pair_coeff * * {SMOOTH_HEAP}", FRICTION)
    assert FRICTION in script
    script = "\n".join(line for line in script.splitlines() if not line.startswith("thermo"))
    script += f"""
restart {step} state.*
run {step - 20}
{fixed}
{OUTPUT.format(name="through")}
run {60}
"""
    return lammps(script, ranks=ranks, where="here", warn="begin step 1 closer than contact begins")


def again(lammps, motion, step, ranks, name):
    text = GO_ON.format(motion=motion, step=step, name=name, processors=f"processors {GRID[ranks]}")
    return lammps(text, ranks=ranks, where="here")


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize(("motion", "step"), [("scheme euler", 100), ("scheme newmark", 120), ("scheme em", 100)])
def test_restart_is_exact(lammps, motion, step, ranks):
    whole = states(through(lammps, motion, step, ranks), "through")
    second = again(lammps, motion, step, ranks, "again")
    part = states(second, "again")
    stick, slip = contacts(second, "again")
    # forces at set-up are those of other fixes alone
    columns = {s: slice(None) if s > step else slice(0, -3) for s in part}
    differ = [s for s in part if not np.array_equal(part[s][:, columns[s]], whole[s][:, columns[s]])]
    show(ranks=ranks, frames=len(part), differing=len(differ), stick=stick, slip=slip)
    assert stick > 5 and slip > 2
    assert len(part) == 9 and differ == []


def test_restart_on_other_ranks(lammps):
    step, fixed = 110, "substeps 10 tol 1e-10"
    modify = "fix_modify motion substeps 10\nfix_modify motion tol 1e-10"
    first = through(lammps, "scheme euler", step, 1, modify)
    whole = states(first, "through")
    motion = f"scheme euler {fixed}"
    part = states(again(lammps, motion, step, 2, "again"), "again")
    error = max(np.abs(part[s][:, 1:4] - whole[s][:, 1:4]).max() for s in part) / EDGE
    steps = sorted(part)
    way = np.abs(part[steps[-1]][:, 1:4] - part[steps[0]][:, 1:4]).max() / EDGE
    show(position_error=error, way=way)
    assert way > 1e-2
    assert error < 1e-10
