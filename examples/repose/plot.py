#!/usr/bin/python3
"""Angles of repose of the slopes that in.repose and in.gran leave.

    plot.py [--post DIR] [--csv FILE]

Reads post/end-WHAT-MU-STEP-SEED.dump, WHAT a shape, or gran for the spheres of in.gran; writes post/repose.png and
post/repose.csv, or reads the latter (--csv). Prints angles with standard errors over the seeds.
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

DENSITY = 2500.0  # kg/m^3
STEP = 0.0025  # s
RAYS = 5  # across a size
BACK = 1.0  # sizes at the back wall that are left out
LAYER = 1.0  # height of the layer that is held, over the size
COLUMNS = ("what", "mu", "step", "seed", "left", "angle", "top")


@dataclass
class Given:
    """Variables of the inputs."""

    size: float = 0.05  # m


def extent(frame: common.Frame, size: float) -> tuple[float, float]:
    """Length and depth of the base, over the size, from the box that in.repose makes about them."""
    return round(frame.bounds[0, 1] / size - 12, 6), round(frame.bounds[1, 1] / size, 6)


def surface(frame: common.Frame, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Mean height of the surface along the base, over the size: vertical rays meet the highest body, in place of each of
    which there is a sphere of its volume."""
    length, depth = extent(frame, size)
    place = frame.vectors("x", "y", "z") / size
    radius = 0.5 * np.cbrt(6 * frame.columns["mass"] / (math.pi * DENSITY)) / size
    across = (np.arange(round(depth * RAYS)) + 0.5) / RAYS
    along = (np.arange(round(length * RAYS)) + 0.5) / RAYS
    heights = np.full((len(along), len(across)), np.nan)
    for (x, y, z), r in zip(place, radius):
        if z > 0:
            side = np.abs((across - y + 0.5 * depth) % depth - 0.5 * depth)
            below = r**2 - (along[:, None] - x) ** 2 - side**2
            cap = z + np.sqrt(np.where(below > 0, below, np.nan))
            heights = np.fmax(heights, cap)
    known = ~np.isnan(heights)
    mean = np.where(known, heights, 0).sum(1) / np.maximum(known.sum(1), 1)
    return along, np.where(known.sum(1) * 2 > len(across), mean, np.nan)


def slope(frame: common.Frame, size: float) -> float:
    """Angle, in degrees, of the straight line from the upper edge of the layer that is held, fitted to the surface."""
    along, height = surface(frame, size)
    chosen = (along > BACK) & ~np.isnan(height)
    way = extent(frame, size)[0] - along[chosen]
    return math.degrees(math.atan2(((height[chosen] - LAYER) * way).sum(), (way**2).sum()))


def measure(dump: Path, size: float) -> dict[str, str | float]:
    """A row of the table; top is the height of the surface at the wall at the back, over the size."""
    what, mu, step, seed = dump.stem.removeprefix("end-").split("-")
    *_, frame = common.read_dump(dump)
    height = surface(frame, size)[1]
    return {"what": what, "mu": float(mu), "step": float(step), "seed": int(seed),
            "left": int((frame.columns["z"] > 0).sum()), "angle": slope(frame, size), "top": float(np.nanmean(height[:RAYS]))}


def groups(rows: list[dict[str, str | float]]) -> dict[tuple[str, float, float], np.ndarray]:
    """Angles of all seeds by what, friction and step."""
    found: dict[tuple[str, float, float], list[float]] = {}
    for row in rows:
        found.setdefault((str(row["what"]), float(row["mu"]), float(row["step"])), []).append(float(row["angle"]))
    return {key: np.array(value) for key, value in sorted(found.items())}


def main_step(found: dict[tuple[str, float, float], np.ndarray], what: str) -> float:
    """The step of a shape's figures, the example's own or the longest; other ones are its check."""
    steps = {step for name, _, step in found if name == what}
    return STEP if STEP in steps else max(steps)


def draw(found: dict[tuple[str, float, float], np.ndarray], size: float, post: Path) -> None:
    """Angles against friction; the surface of the first slope of each shape."""
    fig, axes = common.figure(columns=2)
    shapes = list(dict.fromkeys(what for what, _, _ in found))
    for what in shapes:
        step = main_step(found, what)
        mu = [m for name, m, s in found if name == what and s == step]
        angles = [found[what, m, step] for m in mu]
        axes[0, 0].errorbar(mu, [a.mean() for a in angles], [np.nan_to_num(experiment.standard_error(a)) for a in angles], marker="o",
                            markersize=4, capsize=3, label=what)
        dumps = sorted(post.glob(f"end-{what}-*.dump"), key=lambda p: (-measure(p, size)["mu"], measure(p, size)["seed"]))
        if dumps:
            *_, frame = common.read_dump(dumps[0])
            axes[0, 1].plot(*surface(frame, size), label=what)
    common.label(axes[0, 0], "friction", "angle of repose, degrees")
    common.label(axes[0, 1], "x / size", "height of the surface / size")
    axes[0, 0].legend()
    common.save(fig, post / "repose.png")


def main() -> None:
    """Command line."""
    args = experiment.arguments(__doc__, HERE)
    size = common.given(Given, args.post / "log.repose").size
    if args.csv:
        rows = experiment.read_rows(args.csv)
    else:
        rows = [measure(dump, size) for dump in sorted(args.post.glob("end-*.dump"))]
        experiment.write_rows(args.post / "repose.csv", COLUMNS, ([row[c] for c in COLUMNS] for row in rows), 6)
    found = groups(rows)
    draw(found, size, args.post)
    values: dict[str, float | int] = {}
    for (what, mu, step), angles in found.items():
        key = f"{what}_{mu:g}" + ("" if step == main_step(found, what) else f"_step_{step:g}")
        values.update(experiment.mean(f"angle_{key}", angles))
        if len(angles) > 1:
            values[f"seeds_{key}"] = len(angles)
    common.summary(**values)


if __name__ == "__main__":
    main()
