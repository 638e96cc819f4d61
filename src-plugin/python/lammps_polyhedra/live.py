# SPDX-License-Identifier: MIT
"""Bodies and contacts of a run in this process, through LAMMPS's own Python module.

The computes that are needed are made at the first call; a run must have been set up (`run 0` does).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .bodies import Bodies
from .contacts import NCOL, Contacts
from .shapes import Shape, read_shapes

POSE, CONTACTS = "POLYHEDRA_POSE", "POLYHEDRA_CONTACTS"
_ATOM, _LOCAL, _ARRAY, _SIZE_ROWS = 1, 2, 2, 4  # LMP_STYLE_*, LMP_TYPE_ARRAY, LMP_SIZE_ROWS of LAMMPS's library


def bodies(lmp: Any, shapes: Mapping[int, Shape] | str | Path, comm: Any = None) -> Bodies:
    """All bodies of a run; those of several processes are gathered by all of them.

    lmp: an instance of lammps.lammps. shapes: by type, or the file written by fix polyhedron/shape.
    comm: the mpi4py communicator of the instance if it runs on several processes.
    """
    _ensure(lmp, POSE, "property/atom id type x y z quatw quati quatj quatk")
    count = lmp.extract_setting("nlocal")
    rows = _rows(lmp, POSE, _ATOM, count, 9)
    old = count > 0 and not np.array_equal(rows[:, 2:5], np.array(lmp.numpy.extract_atom("x"))[:count])
    rows = _gather(lmp, comm, rows)
    if _gather(lmp, comm, np.array([old])).any():  # on all processes, or some would wait for the others
        raise ValueError("bodies have come, gone or moved since they were looked at in this step: run 0 before")
    rows = rows[np.argsort(rows[:, 0])]
    known = shapes if isinstance(shapes, Mapping) else read_shapes(shapes)
    return Bodies(rows[:, 0].astype(int), rows[:, 1].astype(int), rows[:, 2:5], rows[:, 5:9], known)


def contacts(lmp: Any, comm: Any = None) -> Contacts:
    """All contacts of a run, at the present positions. `lmp`, `comm`: those of `bodies`."""
    _ensure(lmp, CONTACTS, "polyhedron/contact/local")
    lmp.extract_compute(CONTACTS, _LOCAL, _ARRAY)  # the number of rows is known after
    count = lmp.extract_compute(CONTACTS, _LOCAL, _SIZE_ROWS)
    return Contacts.of_rows(_gather(lmp, comm, _rows(lmp, CONTACTS, _LOCAL, count, NCOL)))


def _ensure(lmp: Any, name: str, style: str) -> None:
    if not lmp.has_id("compute", name):
        lmp.command(f"compute {name} all {style}")


def _rows(lmp: Any, name: str, style: int, count: int, width: int) -> np.ndarray:
    """Copy of a compute's array on this process; the host's module has no arrays without rows."""
    if not count:
        return np.zeros((0, width))
    return np.array(lmp.numpy.extract_compute(name, style, _ARRAY))[:count].reshape(count, width)


def _gather(lmp: Any, comm: Any, rows: np.ndarray) -> np.ndarray:
    if comm is not None:
        return np.concatenate(comm.allgather(rows))
    if lmp.extract_setting("world_size") > 1:
        raise ValueError("this run has several processes: give the argument comm, its mpi4py communicator")
    return rows
