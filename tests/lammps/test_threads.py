"""Loops on threads: the same pile by plain C and by Kokkos, on one and two threads and processes."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from conftest import CORES, Lammps, show
from scenes import MIX, PRESSED, ROUGH_HEAP, pile, scene

EDGE = 0.1

# 200 fixed substeps from a state in contact
GO_ON = """processors {ranks} 1 1
read_restart {state}
pair_coeff * * {law}
fix shapes all polyhedron/shape {shapes} write shapes.txt
fix_modify POLYHEDRON_RESTART changed all
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix g all gravity 9.81 vector 0 0 -1
timestep 0.001
neighbor 0.02 bin
fix motion all implicit/polyhedron scheme {scheme} substeps {substeps} tol 1e-10 {loops}
compute q all property/atom quatw quati quatj quatk
thermo_style custom step pe f_motion[2] f_motion[7] f_floor[3]
thermo_modify format float %.17g norm no
thermo 10
dump d all custom 10 dump.{name} id x y z c_q[1] c_q[2] c_q[3] c_q[4] &
  vx vy vz angmomx angmomy angmomz
dump_modify d sort id format float %.17g
run {steps}
"""


@pytest.fixture(autouse=True)
def every_core():
    """Threads run side by side."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, CORES)
    yield
    os.sched_setaffinity(0, own)


def backends(lammps) -> set[str]:
    """Names of the backends of this build, from the message about one that does not exist."""
    r = lammps(scene(motion="loops magic"), fail="loops magic: this plugin has auto")
    return set(re.search(r"auto, (\w+(?:, \w+)*)", r.error).group(1).split(", "))


def table(result, name: str) -> np.ndarray:
    """Everything that was dumped, one row per body and frame."""
    return np.concatenate(
        [np.column_stack(list(f.columns.values())) for f in result.frames(f"dump.{name}")]
    )


@pytest.fixture(scope="module")
def state(host, tmp_path_factory) -> Path:
    """The file of a pile in contact."""
    start = pile(2, 2, 5, 0.2, 1.4, extra="fix drag all viscous 3", pitch=0.2, margin=0.3,
                 run="run 130\nwrite_restart state")  # fmt: skip
    return Lammps(tmp_path_factory.mktemp("state"), *host)(start, may_warn=PRESSED).dir / "state"


@pytest.mark.parametrize("scheme", ["euler", "newmark", "em"])
def test_same_pile(lammps, state, scheme):
    """Threads and backends do not change a bit, processes no more than rounding does."""
    known = backends(lammps)
    layouts = {"plain": (1, "loops plain")}
    layouts |= {"serial": (1, "loops serial")} if "serial" in known else {}
    if "openmp" in known:
        layouts |= {"one": (1, "loops openmp threads 1"), "two": (1, "loops openmp threads 2")}
    layouts["ranks"] = (2, "")
    layouts |= {"both": (2, "threads 2")} if "openmp" in known else {}
    substeps = 10 if scheme == "em" else 4
    runs, thermo = {}, {}
    for name, (ranks, loops) in layouts.items():
        text = GO_ON.format(ranks=ranks, state=state, loops=loops, name=name, law=ROUGH_HEAP, shapes=MIX,
                            scheme=scheme, substeps=substeps, steps=200 // substeps)  # fmt: skip
        r = lammps(text, ranks=ranks, where="here")
        runs[name], thermo[name] = table(r, name), r.thermo()
    assert thermo["plain"]["f_motion[7]"].min() > 10
    way = np.abs(runs["plain"][-20:, 1:4] - runs["plain"][:20, 1:4]).max() / EDGE
    show(way=way)
    assert way > 1e-3
    for name, (ranks, _) in layouts.items():
        like = "plain" if ranks == 1 else "ranks"
        error = np.abs(runs[name] - runs["plain"])[:, 1:4].max() / EDGE
        show(**{f"{name}_position_error": error})
        assert np.array_equal(runs[name], runs[like]), name
        assert error < 1e-8
        for column in ("f_motion[2]", "PotEng", "f_floor[3]"):
            assert np.array_equal(thermo[name][column], thermo[like][column]), column


def test_threads_change_between_runs(lammps):
    """fix_modify threads: one thread and two in turn give what one does."""
    if "openmp" not in backends(lammps):
        pytest.skip("this build has no OpenMP")
    turns = "run 20\nfix_modify motion threads 2\nrun 20\nfix_modify motion threads 1\nrun 20"
    heap = {"motion": "scheme em", "every": 20, "pitch": 0.2}
    one = lammps(pile(2, 2, 2, 0.2, 1.0, run="run 20\nrun 20\nrun 20", **heap), may_warn=PRESSED)
    other = lammps(pile(2, 2, 2, 0.2, 1.0, run=turns, **heap), may_warn=PRESSED)
    assert (one.dir / "dump").read_text() == (other.dir / "dump").read_text()


def test_more_threads_than_started(lammps):
    """Kokkos has the threads that it was started with."""
    if "openmp" not in backends(lammps):
        pytest.skip("this build has no OpenMP")
    lammps(
        scene(motion="threads 2", run="run 1\nfix_modify motion threads 3\nrun 1"),
        fail="threads 3: loops openmp run on 2 at most",
    )
    lammps(scene(motion="loops plain threads 2"), fail="threads 2: loops plain run on 1 at most")
    lammps(scene(motion="threads 0"), fail="threads 0: must lie between 1 and 512")
