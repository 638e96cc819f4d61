# SPDX-License-Identifier: MIT
"""The contact network as a table: rows of compute polyhedron/contact/local with names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .output import read_dump

# name, type, columns of the compute from 1 (doc/compute_polyhedron_contact_local.md)
_LAYOUT = (
    ("a", "i8", 1, 1), ("b", "i8", 2, 2), ("kind", "i4", 3, 3), ("point", "f8", 4, 6), ("normal", "f8", 7, 9),
    ("gap", "f8", 10, 10), ("normal_force", "f8", 11, 11), ("friction", "f8", 12, 14), ("slips", "?", 15, 15),
    ("slip", "f8", 16, 16), ("wall", "i4", 17, 17), ("grip", "f8", 18, 20),
)
NCOL, NEEDED = 20, 17  # dumps of before have no grip
COLUMNS = np.dtype([(name, kind, (last - first + 1,)) if last > first else (name, kind)
                    for name, kind, first, last in _LAYOUT])


@dataclass(frozen=True)
class Contacts:
    """Contacts at one instant; `contacts["gap"]` is a column, `contacts.table` a numpy structured array."""

    table: np.ndarray  # (n,) of COLUMNS

    @staticmethod
    def of_rows(rows: np.ndarray) -> Contacts:
        """From the compute's array (n, 20); grip is NaN where there are 17. ValueError where it has other columns."""
        rows = np.asarray(rows, dtype=float)
        if rows.ndim == 2 and rows.shape[1] == NEEDED:
            rows = np.hstack([rows, np.full((len(rows), NCOL - NEEDED), np.nan)])
        if rows.ndim != 2 or rows.shape[1] != NCOL:
            raise ValueError(f"{NCOL} columns are expected, not an array of shape {rows.shape}")
        table = np.zeros(len(rows), dtype=COLUMNS)
        for name, _, first, last in _LAYOUT:
            table[name] = rows[:, first - 1] if first == last else rows[:, first - 1 : last]
        return Contacts(table[np.lexsort((table["wall"], table["b"], table["a"]))])

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.table[name]

    def force(self) -> np.ndarray:
        """(n, 3): whole force on body a; that on b or the wall is the opposite."""
        return self["normal_force"][:, None] * self["normal"] + self["friction"]

    def force_on(self, tags: np.ndarray) -> np.ndarray:
        """(len(tags), 3): sum of the contact forces on each of the bodies with these IDs."""
        force, total = self.force(), np.zeros((len(tags), 3))
        for side, sign in (("a", 1.0), ("b", -1.0)):
            place = np.searchsorted(tags, self[side], sorter=(order := np.argsort(tags)))
            found = np.isin(self[side], tags)
            np.add.at(total, order[place[found]], sign * force[found])
        return total

    def pandas(self) -> Any:
        """As pandas.DataFrame; vectors are three columns, as point_x, point_y, point_z."""
        import pandas

        data: dict[str, np.ndarray] = {}
        for name, _, first, last in _LAYOUT:
            if first == last:
                data[name] = self[name]
            else:
                data |= {f"{name}_{axis}": self[name][:, k] for k, axis in enumerate("xyz")}
        return pandas.DataFrame(data)

    def networkx(self) -> Any:
        """As networkx.MultiGraph: nodes are IDs of bodies, and ("wall", fix, wall) as in columns b and wall."""
        import networkx

        graph = networkx.MultiGraph()
        for row in self.table:
            other = int(row["b"]) if row["b"] > 0 else ("wall", -int(row["b"]), int(row["wall"]))
            graph.add_edge(int(row["a"]), other, **{name: row[name] for name in COLUMNS.names[2:]})
        return graph


def read_contacts(path: str | Path) -> Iterator[tuple[int, Contacts]]:
    """Step and contacts of each frame of a `dump local` with all columns of the compute, in any order.

    ValueError where columns are missing.
    """
    for frame in read_dump(path):
        yield frame.step, Contacts.of_rows(frame.vectors(*_in_order(path, list(frame.columns))))


def _in_order(path: str | Path, names: list[str]) -> list[str]:
    """Of the columns ID[1], ID[2] ... those of the compute."""
    column = {int(found[1]): name for name in names if (found := re.fullmatch(r".*\[(\d+)\]", name))}
    missing = [k for k in range(1, NEEDED + 1) if k not in column]
    if missing:
        raise ValueError(f"{path}: columns {missing} of compute polyhedron/contact/local are not in this dump")
    count = NCOL if all(k in column for k in range(NEEDED, NCOL + 1)) else NEEDED
    return [column[k] for k in range(1, count + 1)]
