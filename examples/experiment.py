"""What the plot scripts of experiments have in common: their command line, tables of results, means with standard errors."""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np


def arguments(doc: str, here: Path, *flags: str) -> argparse.Namespace:
    """post: folder of the runs, that of the example if not given; csv: table to read in their place, or None; flags of the
    script's own: whether they are given."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--post", type=Path, default=here / "post")
    parser.add_argument("--csv", type=Path)
    for flag in flags:
        parser.add_argument(f"--{flag}", action="store_true")
    return parser.parse_args()


def read_rows(path: Path) -> list[dict[str, str]]:
    """Rows of a CSV file by column; lines that begin with # are remarks."""
    with path.open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def read_table(path: Path, columns: Sequence[str]) -> np.ndarray:
    """The same as numbers, (rows, columns)."""
    return np.array([[float(row[c]) for c in columns] for row in read_rows(path)])


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Iterable[object]], digits: int, given: object = None) -> None:
    """A CSV file, floating-point numbers with so many digits. Of the variables that the runs were given, a dataclass, those that are
    not as by default head it as remarks."""
    with path.open("w", newline="") as file:
        for field in fields(given) if given else ():
            if getattr(given, field.name) != field.default:
                file.write(f"# {field.name} = {getattr(given, field.name)}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([f"{x:.{digits}g}" if isinstance(x, float) else x for x in row] for row in rows)


def standard_error(values: Sequence[float] | np.ndarray) -> float:
    """Of the mean; NaN of one."""
    return float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan


def mean(key: str, values: Sequence[float] | np.ndarray) -> dict[str, float]:
    """What is printed of some runs' values: their mean, of more than one with its standard error."""
    found = {key: float(np.mean(values))}
    if len(values) > 1:
        found[f"{key}_standard_error"] = standard_error(values)
    return found
