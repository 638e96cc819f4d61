# SPDX-License-Identifier: MIT
"""LAMMPS's log files, dumps and files of columns as numpy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

Table = dict[str, np.ndarray]  # columns by name
MEMORY = "Per MPI rank memory allocation"  # the line before a run's thermodynamic output


def read_thermo(path: str | Path) -> list[Table]:
    """Tables of thermodynamic output in a log file, one per run.

    A table begins after the line `Per MPI rank memory allocation`, or where the heads of the one
    before come again (`run ... pre no`), and ends with `Loop time` or with the file. In a file
    without that line it begins with the word Step. Lines in between that are no row of numbers
    (warnings, output of other styles) are passed over, and a last line that is still being written.
    Output that is no table (thermo_modify line multi and line yaml) is a ValueError.
    """
    text = _whole_lines(path)
    whole = MEMORY in text
    runs: list[tuple[list[str], list[list[float]]]] = []
    inside = begins = False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        again = words == runs[-1][0] if runs else False
        if begins or (again and not inside) or (words[:1] == ["Step"] and not whole):
            _require_heads(words, f"{path}: line {number}")
            runs.append((words, []))
            inside, begins = True, False
        elif line.startswith(MEMORY):
            begins = True
        elif line.startswith("Loop time"):
            inside = False
        elif inside:
            row = _numbers(words)
            if row is not None and len(row) == len(runs[-1][0]):
                runs[-1][1].append(row)
    return [_table(names, rows) for names, rows in runs]


def _require_heads(words: list[str], where: str) -> None:
    if not words or words[0].startswith("---"):
        raise ValueError(f"{where}: thermodynamic output is no table: write it with thermo_modify line one")


def join(tables: list[Table]) -> Table:
    """Runs in succession as one table, without the row that each repeats from the one before, which
    their column Step tells."""
    if not tables:
        raise ValueError("no table to join")
    joined = tables[0]
    if "Step" not in joined:
        raise ValueError(f"no column Step: {' '.join(joined)}")
    for table in tables[1:]:
        if list(table) != list(joined):
            raise ValueError(f"columns differ: {' '.join(joined)} and {' '.join(table)}")
        first = int(np.array_equal(table["Step"][:1], joined["Step"][-1:]))
        joined = {k: np.concatenate([joined[k], table[k][first:]]) for k in joined}
    return joined


def read_columns(path: str | Path) -> Table:
    """A file of columns, as `fix print` and `fix ave/time` (mode scalar) write it.

    Names are taken from the last comment before the numbers that has as many words as these;
    without one they are 1, 2 ... An unfinished last line is left out. Files of blocks, as `fix
    ave/time mode vector` and `fix ave/histo` write them, are a ValueError.
    """
    names: list[list[str]] = []
    rows: list[list[float]] = []
    for line in _whole_lines(path).splitlines():
        if line.lstrip().startswith("#"):
            names.append(line.lstrip("# ").split())
            if any(word.startswith("Number-of-") for word in names[-1]):
                raise ValueError(f"{path}: rows come in blocks, which are no table of columns")
            continue
        row = _numbers(line.split())
        if row and (not rows or len(row) == len(rows[0])):
            rows.append(row)
    if not rows:
        raise ValueError(f"{path}: no numbers")
    width = len(rows[0])
    fitting = [n for n in names if len(n) == width]
    return _table(fitting[-1] if fitting else [str(k + 1) for k in range(width)], rows)


@dataclass
class Frame:
    """One frame of a dump; rows with an id in its order, others as they are written."""

    step: int
    bounds: np.ndarray  # (3, 2); with tilts a third column
    boundary: list[str]  # as pp or ff, for x, y, z
    columns: dict[str, np.ndarray]

    def vectors(self, *names: str) -> np.ndarray:
        """Some columns side by side, as in frame.vectors("x", "y", "z")."""
        missing = [n for n in names if n not in self.columns]
        if missing:
            raise ValueError(f"step {self.step}: no column {' '.join(missing)} among {' '.join(self.columns)}")
        return np.column_stack([self.columns[n] for n in names])

    def table(self) -> np.ndarray:
        """(rows, columns): all columns as they are written; they have to be numbers."""
        return self.vectors(*self.columns)


def read_dump(path: str | Path) -> Iterator[Frame]:
    """Frames of a text dump of atoms, or of `dump local`.

    Columns that are no numbers (element) are arrays of strings. A last frame that is still being
    written is left out; a file that is no dump is a ValueError.
    """
    with Path(path).open() as file:
        step, count, bounds, boundary = 0, 0, np.zeros((3, 2)), [""] * 3
        for line in file:
            words = line.split()
            if not line.endswith("\n"):
                return
            if words and words[0] != "ITEM:":
                raise ValueError(f"{path}: no text dump: a line begins with {words[0]}, not ITEM:")
            kind = words[1:2]
            follow = count if kind in (["ATOMS"], ["ENTRIES"]) else 3 if kind == ["BOX"] else 1 if words else 0
            lines = list(islice(file, follow))
            if len(lines) < follow or (lines and not lines[-1].endswith("\n")):
                return
            if kind == ["TIMESTEP"]:
                step = int(lines[0])
            elif kind == ["NUMBER"]:
                count = int(lines[0])
            elif kind == ["BOX"]:
                boundary = words[-3:]
                bounds = np.array([row.split() for row in lines], dtype=float)
            elif kind in (["ATOMS"], ["ENTRIES"]):
                yield Frame(step, bounds, boundary, _rows(lines, words[2:], f"{path}: step {step}"))


def _rows(lines: list[str], names: list[str], where: str) -> dict[str, np.ndarray]:
    rows = [line.split() for line in lines]
    for row in rows:
        if len(row) != len(names):
            raise ValueError(f"{where}: a row has {len(row)} words for {len(names)} columns: {' '.join(row)}")
    cells = np.array(rows).reshape(len(rows), len(names))
    columns: dict[str, np.ndarray] = {}
    for name, column in zip(names, cells.T):
        kind = int if name in ("id", "type", "mol") else float
        try:
            columns[name] = column.astype(kind)
        except ValueError:
            columns[name] = column
    order = np.argsort(columns["id"]) if "id" in columns else np.arange(len(rows))
    return {name: column[order] for name, column in columns.items()}


def _whole_lines(path: str | Path) -> str:
    """A file without the last line, if that does not end yet."""
    text = Path(path).read_text(errors="replace")
    return text[: text.rfind("\n") + 1]


def _numbers(words: list[str]) -> list[float] | None:
    try:
        return [float(w) for w in words]
    except ValueError:
        return None


def _table(names: list[str], rows: list[list[float]]) -> Table:
    array = np.array(rows, dtype=float).reshape(len(rows), len(names))
    return {name: array[:, k] for k, name in enumerate(names)}
