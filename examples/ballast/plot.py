#!/usr/bin/python3
"""Shear strength and dilation of ballast in a shear box against the normal stress.

    plot.py [--post DIR] [--csv FILE]

Reads post/shear-STRESS-SEED.txt, writes post/ballast.png and post/ballast.csv, or reads the latter (--csv), and prints the
angles of friction at the peak and in the end and the angle of dilation at the peak, with standard errors over the seeds.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402
import experiment  # noqa: E402

WINDOW = 3  # means of five steps, over which forces are smoothed: 1.8 mm
REACH = 3  # such means on either side of the peak, over which the lid's rise is fitted: 3.6 mm
MOST = 0.05  # of the box's length: way that is looked at
LAST = 0.25  # of the way, over which the strength in the end is the mean
COLUMNS = ("stress", "seed", "peak", "way", "rise", "end", "void")


@dataclass
class Given:
    """Variables of the inputs."""

    box: float = 0.24  # m
    speed: float = 0.03  # m/s
    step: float = 0.004  # s


def read_test(path: Path, given: Given) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Way of the lower half in m, shear over normal force on the plane of the cut, height of the lid in m."""
    t = np.loadtxt(path)
    way = (t[:, 0] - t[0, 0] + 2.5) * given.step * given.speed
    near = way <= MOST * given.box
    return way[near], (t[:, 2] / t[:, 1])[near], t[near, 5]


def measure(path: Path, given: Given) -> dict[str, float]:
    """A row of the table. The peak is that of the smoothed curve."""
    _, stress, seed = path.stem.split("-")
    way, ratio, height = read_test(path, given)
    smooth = np.convolve(ratio, np.full(WINDOW, 1 / WINDOW), mode="valid")
    k = int(np.argmax(smooth)) + WINDOW // 2
    near = slice(max(0, k - REACH), k + REACH + 1)
    log = (path.parent / f"log.{path.stem}").read_text()
    void = float(next(line for line in log.splitlines() if line.startswith("void = ")).split()[2])
    return {"stress": float(stress), "seed": float(seed), "peak": float(smooth.max()), "way": float(way[k] / given.box),
            "rise": float(np.polyfit(way[near], height[near], 1)[0]), "end": float(ratio[way > (1 - LAST) * way[-1]].mean()),
            "void": void}


def degrees(x: np.ndarray) -> np.ndarray:
    """Angle whose tangent it is."""
    return np.degrees(np.arctan(x))


def draw(rows: np.ndarray, tests: dict[float, Path], given: Given, path: Path) -> None:
    """Shear and rise of the lid against the way for one seed, angles of all runs against the normal stress."""
    fig, axes = common.figure(columns=3, width=2.8)
    a, b, c = axes[0]
    for stress, file in sorted(tests.items()):
        way, ratio, height = read_test(file, given)
        a.plot(100 * way / given.box, ratio, label=f"{stress:g} kPa")
        b.plot(100 * way / given.box, 1000 * (height - height[0]), label=f"{stress:g} kPa")
    common.label(a, "way / length of the box, %", "shear / normal force")
    common.label(b, "way / length of the box, %", "rise of the lid / mm")
    if tests:
        b.legend()
    for column, name in ((2, "peak"), (5, "end"), (4, "dilation")):
        stresses = np.unique(rows[:, 0])
        angles = [degrees(rows[rows[:, 0] == s][:, column]) for s in stresses]
        c.errorbar(stresses, [a.mean() for a in angles], yerr=[np.nan_to_num(experiment.standard_error(a)) for a in angles],
                   fmt="o-", markersize=3, label=name)
    c.set(ylim=(0, None))
    c.legend()
    common.label(c, "normal stress / kPa", "angle / degrees")
    common.save(fig, path)


def main() -> None:
    """Command line."""
    args = experiment.arguments(__doc__, HERE)
    given = common.given(Given, *args.post.glob("log.shear-*"))
    tests: dict[float, Path] = {}
    if args.csv:
        rows = experiment.read_table(args.csv, COLUMNS)
    else:
        found = sorted(args.post.glob("shear-*.txt"))
        table = [measure(path, given) for path in found]
        tests = {row["stress"]: path for row, path in zip(table, found) if row["seed"] == table[0]["seed"]}
        rows = np.array(sorted([row[c] for c in COLUMNS] for row in table))
        experiment.write_rows(args.post / "ballast.csv", COLUMNS, rows, 5)
    draw(rows, tests, given, args.post / "ballast.png")
    values: dict[str, float | int] = {"seeds": len(np.unique(rows[:, 1]))}
    for stress in np.unique(rows[:, 0]):
        mine = rows[rows[:, 0] == stress]
        for name, column in (("peak_angle", 2), ("end_angle", 5), ("dilation_angle", 4)):
            values.update(experiment.mean(f"{name}_at_{stress:g}_kPa", degrees(mine[:, column])))
    if len(np.unique(rows[:, 0])) > 1:
        slopes = []
        for seed in np.unique(rows[:, 1]):
            mine = rows[rows[:, 1] == seed]
            if len(mine) > 1:
                slopes.append([np.polyfit(np.log10(mine[:, 0]), degrees(mine[:, k]), 1)[0] for k in (2, 5)])
        for name, slope in zip(("peak", "end"), np.array(slopes).T):
            values.update(experiment.mean(f"{name}_angle_per_decade_of_stress", slope))
    values["void_ratio"] = float(rows[:, 6].mean())
    values["strength_less_dilation"] = float((rows[:, 2] - rows[:, 4]).mean())
    values["strength_in_the_end"] = float(rows[:, 5].mean())
    common.summary(**values)


if __name__ == "__main__":
    main()
