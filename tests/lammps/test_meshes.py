"""Meshes made by others: every file is read, or refused with a message that names its fault, and a
heap of fracture pieces, Ls and chain links comes to rest. Needs POLYHEDRA_MESHES (tests/run --meshes
DIR): a folder of STL and OBJ files, for the heap with fracture-cell-[0-7].obj, L.obj, chain-link.obj."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from conftest import Lammps, show
from scenes import scene

GIVEN = "POLYHEDRA_MESHES" in os.environ
FOLDER = Path(os.environ.get("POLYHEDRA_MESHES", "."))
FILES = sorted(p for p in FOLDER.glob("*") if GIVEN and p.suffix in (".obj", ".stl"))
pytestmark = pytest.mark.skipif(not GIVEN, reason="no --meshes DIR given")
FAULTS = "open|degenerate|more than two|oriented|separate part|volume|not a finite|syntax|no triangles"


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_is_read_or_refused(lammps: Lammps, path: Path) -> None:
    script = scene(shapes=f"1 {path.suffix[1:]} {path} scale 0.05 density 1000", walls="", run="run 0",
                   bodies="create_polyhedra 1 at 0 0 1")
    try:
        lammps(script, warn="repaired|Proc sub")
        print(f"{path.name}: read, repaired")
    except AssertionError as failure:
        if "no warning" in str(failure):
            lammps(script)
            print(f"{path.name}: read")
        else:
            error = lammps(script, fail=FAULTS).error
            assert path.name in error
            print(f"{path.name}: refused: {error.splitlines()[0]}")


def heap(seed: int = 5) -> str:
    """32 fracture pieces, 4 L, 4 chain links over a box of 0.6 by 0.6."""
    rng = np.random.default_rng(seed)
    names = [f"fracture-cell-{i}" for i in range(8)] + ["L", "chain-link"]
    scales = [0.05] * 8 + [0.02, 0.05]
    shapes = " ".join(f"{i + 1} obj {FOLDER / n}.obj scale {s} density 2400"
                      for i, (n, s) in enumerate(zip(names, scales)))
    types = rng.permutation(np.repeat(np.arange(1, 11), 4))
    bodies = []
    for n, kind in enumerate(types):
        i, j, k = n % 2, n // 2 % 2, n // 4
        axis, angle = rng.normal(size=3), rng.uniform(0, 360)
        bodies.append(f"create_polyhedra {kind} at {(i - .5) * .3:g} {(j - .5) * .3:g} {.2 + .26 * k:g} "
                      f"rotate {angle:g} {axis[0]:g} {axis[1]:g} {axis[2]:g}")
    walls = ("fix floor all wall/polyhedron plane 0 0 0 0 0 1\n"
             "fix sides all wall/polyhedron plane -0.3 0 0 1 0 0 plane 0.3 0 0 -1 0 0 "
             "plane 0 -0.3 0 0 1 0 plane 0 0.3 0 0 -1 0")
    return scene(box="block -0.32 0.32 -0.32 0.32 -0.1 3", types=10, shapes=shapes, bodies="\n".join(bodies),
                 law="normal 1e7 1.5 gap 0.001 barrier 0.1 -2 damping 0.5", walls=walls, skin=0.03, dt=5e-3,
                 motion="scheme euler", every=10, thermo="ke f_motion[1] f_motion[2] f_motion[6] f_floor[3]",
                 run="run 200\nfix drag all viscous 5\nrun 600")


def test_heap_comes_to_rest(lammps: Lammps) -> None:
    result = lammps(heap(), warn="repaired|in the barrier")
    t = result.thermo()
    hits = lammps.intersections(result, "dump", "0 0 0 0 0 1", "-0.3 0 0 1 0 0", "0.3 0 0 -1 0 0",
                                "0 -0.3 0 0 1 0", "0 0.3 0 0 -1 0")
    show(bodies=40, kinetic_energy=t["KinEng"][-1], largest_kinetic_energy=t["KinEng"].max(),
         mean_substep=t["Time"][-1] / t["f_motion[1]"][-1],
         newton_per_substep=t["f_motion[2]"][-1] / t["f_motion[1]"][-1], min_gap=t["f_motion[6]"].min(),
         floor_reaction=t["f_floor[3]"][-1], intersections=hits)
    assert hits == 0
    assert t["KinEng"][-1] < 1e-5 * t["KinEng"].max()
