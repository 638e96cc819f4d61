#!/usr/bin/python3
"""Angles at which armour units leave a slope that is tilted.

    plot.py [--post DIR] [--csv FILE]

Reads post/log.tilt-UNIT-SEED, writes post/breakwater.png and post/breakwater.csv, or reads the latter (--csv), and prints
the angles at which the first and the third unit have moved by their size, with standard errors.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402
import experiment  # noqa: E402

COUNTS = {"first": 1, "third": 3, "fifth": 5}  # displaced units
COLUMNS = ("unit", "seed", "units", *COUNTS)
COLORS = {"tetrapod": "#0072b2", "cube": "#d55e00"}


@dataclass
class Given:
    """Variables of the inputs."""

    mu: float = 0.6
    start: float = 20.0  # degrees, from which displacements count

    @property
    def angle(self) -> float:
        """Of friction, in degrees."""
        return math.degrees(math.atan(self.mu))


def measure(log: Path) -> tuple[dict[str, str | float], common.Table]:
    """The row of a run, and its table: angles in degrees, NaN where so many have not moved."""
    _, unit, seed = log.name.rsplit("-", 2)
    t = common.read_thermo(log)[-1]
    units = float(next(line for line in log.read_text().splitlines() if line.startswith("units = ")).split()[2])
    t["part"] = np.maximum.accumulate(t["v_displaced"]) / units
    row: dict[str, str | float] = {"unit": unit, "seed": seed, "units": units}
    for name, count in COUNTS.items():
        gone = np.flatnonzero(t["v_displaced"] >= count)
        row[name] = float(t["v_tilt"][gone[0]]) if len(gone) else math.nan
    return row, t


def draw(rows: list[dict[str, str | float]], tables: dict[str, list[common.Table]], given: Given, path: Path) -> None:
    """Displaced part against the angle, of every run; the angles of all runs, and that of friction."""
    fig, axes = common.figure(columns=2, width=3.4)
    a, b = axes[0]
    for unit, runs in tables.items():
        for k, t in enumerate(runs):
            a.plot(t["v_tilt"], t["part"], color=COLORS[unit], label=unit if k == 0 else None)
    a.set(xlim=(given.start, None))
    if tables:
        a.legend()
    common.label(a, "angle / degrees", "units that have moved by Dn, part")
    for unit in COLORS:
        values = np.array([[float(r[name]) for name in COUNTS] for r in rows if r["unit"] == unit])
        shift = 0.08 if unit == "cube" else -0.08
        for k in range(values.shape[1] if len(values) else 0):
            b.plot(np.full(len(values), k + shift), values[:, k], "o", markersize=3, color=COLORS[unit],
                   label=unit if k == 0 else None)
    b.axhline(given.angle, color="0.5", linestyle="--", label="angle of friction")
    b.set_xticks(range(len(COUNTS)), COUNTS)
    b.legend(loc="lower right", bbox_to_anchor=(1.0, 0.98), ncol=3, handletextpad=0.1, columnspacing=0.8)
    common.label(b, "displaced", "angle / degrees")
    common.save(fig, path)


def main() -> None:
    """Command line."""
    args = experiment.arguments(__doc__, HERE)
    tables: dict[str, list[common.Table]] = {}
    if args.csv:
        given = common.given(Given, args.csv)
        rows: list[dict[str, str | float]] = list(experiment.read_rows(args.csv))
    else:
        rows, logs = [], sorted(args.post.glob("log.tilt-*"))
        given = common.given(Given, *logs)
        for log in logs:
            row, table = measure(log)
            rows.append(row)
            tables.setdefault(str(row["unit"]), []).append(table)
        experiment.write_rows(args.post / "breakwater.csv", COLUMNS, ([row[c] for c in COLUMNS] for row in rows), 4, given)
    draw(rows, tables, given, args.post / "breakwater.png")
    for unit in COLORS:
        mine = [r for r in rows if r["unit"] == unit]
        if not mine:
            continue
        values: dict[str, float] = {f"{unit}_runs": len(mine)}
        for name in COUNTS:
            angles = np.array([float(r[name]) for r in mine])
            angles = angles[~np.isnan(angles)]
            if len(angles) < len(mine):
                values[f"{unit}_{name}_not_reached"] = len(mine) - len(angles)
            values.update(experiment.mean(f"{unit}_{name}", angles) if len(angles) else {f"{unit}_{name}": math.nan})
        common.summary(**values)
    common.summary(angle_of_friction=given.angle)


if __name__ == "__main__":
    main()
