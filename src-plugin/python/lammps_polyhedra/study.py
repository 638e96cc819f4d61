# SPDX-License-Identifier: MIT
"""Parameter studies: lines `key = value` of many runs as one table and a plot with error bars.

    python3 -m lammps_polyhedra.study FILE ... [--table CSV] [--plot X Y [--by KEY] [--picture PNG]]

FILE is a log file or what a run printed. A line `key = value` at the beginning of a line counts, key without blanks. A row of
the table ends where a key comes again, so that one log may hold a loop over runs.
"""

from __future__ import annotations

import argparse
import csv
import math
import re
import sys
from collections.abc import Iterable
from pathlib import Path

Row = dict[str, str]  # values as they are written, by key
LINE = re.compile(r"([^\s=]+) = (\S.*)")


def read_rows(path: str | Path) -> list[Row]:
    """Rows of one file, in its order. ValueError if it has no line `key = value`."""
    rows: list[Row] = [{}]
    for line in Path(path).read_text(errors="replace").splitlines():
        found = LINE.fullmatch(line.rstrip())
        if not found:
            continue
        key, value = found.groups()
        if key in rows[-1]:
            rows.append({})
        rows[-1][key] = value
    if not rows[0]:
        raise ValueError(f"{path}: no line 'key = value'")
    return rows


def columns(rows: Iterable[Row]) -> list[str]:
    """Keys of all rows, in the order in which they come first."""
    return list(dict.fromkeys(key for row in rows for key in row))


def write_table(rows: list[Row], path: str | Path) -> None:
    """All rows as CSV with a line of names; what a row has not is empty."""
    with Path(path).open("w", newline="") as file:
        writer = csv.DictWriter(file, columns(rows), restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _value(row: Row, key: str) -> str:
    if key not in row:
        raise ValueError(f"no key {key} in the row {', '.join(f'{k} = {v}' for k, v in row.items())}")
    return row[key]


def number(row: Row, key: str) -> float:
    """The value of a key. ValueError where the row has none, or no number."""
    value = _value(row, key)
    try:
        return float(value)
    except ValueError:
        raise ValueError(f"{key} = {value} is no number") from None


def means(rows: list[Row], x: str, y: str) -> list[tuple[float, float, float, int]]:
    """x, mean of y, its standard error (nan for one row), number of rows: for each x, ascending."""
    found: dict[float, list[float]] = {}
    for row in rows:
        found.setdefault(number(row, x), []).append(number(row, y))
    return [(at, *_mean(values), len(values)) for at, values in sorted(found.items())]


def _mean(values: list[float]) -> tuple[float, float]:
    mean, count = math.fsum(values) / len(values), len(values)
    if count == 1:
        return mean, math.nan
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (count - 1) / count)


def groups(rows: list[Row], by: str | None) -> dict[str, list[Row]]:
    """Rows with the same value of a key; all of them without one."""
    if by is None:
        return {"": rows}
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(f"{by} = {_value(row, by)}", []).append(row)
    return found


def draw(rows: list[Row], x: str, y: str, path: str | Path, by: str | None = None) -> None:
    """Mean of y against x with standard errors, a line for each value of `by`; needs matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(figsize=(4.8, 3.4), layout="constrained")
    for name, part in groups(rows, by).items():
        at, mean, error, _ = zip(*means(part, x, y))
        axes.errorbar(at, mean, yerr=[0.0 if math.isnan(e) else e for e in error], fmt="o-", markersize=4, linewidth=1,
                      capsize=3, label=name)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if by is not None:
        axes.legend(frameon=False)
    fig.savefig(path, dpi=150)
    plt.close(fig)


def _print_means(rows: list[Row], x: str, y: str, by: str | None) -> None:
    for name, part in groups(rows, by).items():
        if name:
            print(name)
        print(f"{x} {y} standard_error rows")
        for at, mean, error, count in means(part, x, y):
            print(f"{at:g} {mean:.6g} {error:.2g} {count}")


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python3 -m lammps_polyhedra.study", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE", help="log files, or what runs printed")
    parser.add_argument("--table", help="CSV of all rows")
    parser.add_argument("--plot", nargs=2, metavar=("X", "Y"), help="print means of Y for each X")
    parser.add_argument("--by", metavar="KEY", help="apart for each value of this key")
    parser.add_argument("--picture", help="draw them: PNG, PDF or SVG")
    given = parser.parse_args()
    try:
        if (given.by or given.picture) and not given.plot:
            raise ValueError("--by and --picture need --plot X Y")
        rows = [row for file in given.files for row in read_rows(file)]
        print(f"rows = {len(rows)}, columns: {' '.join(columns(rows))}")
        if given.table:
            write_table(rows, given.table)
        if given.plot:
            _print_means(rows, *given.plot, given.by)
        if given.picture:
            draw(rows, *given.plot, given.picture, given.by)
    except (OSError, ValueError) as error:
        print(f"study: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
