#!/usr/bin/python3
"""Least thickness of the arch and its mechanism, beside limit analysis.

    plot.py [--post DIR] [--next | --beside]

--next: prints the thickness to be tried next, from the logs of those that have been. --beside: prints 2 % less and 2 % more
than limit analysis asks for. Else writes post/arch.png and prints what was found. Thicknesses are over the mean radius.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import common  # noqa: E402
import thrust  # noqa: E402

BRACKET = 0.96 * thrust.MILANKOVITCH, 1.04 * thrust.MILANKOVITCH
SUNK = 0.002  # way of the crown beyond which an arch falls; one that stands has gone some 1e-5


def value(log: Path, key: str) -> float:
    """Number of the line `key = number` that the input prints."""
    return float(re.findall(rf"^{key} = (\S+)", log.read_text(), re.MULTILINE)[-1])


def bracket(post: Path) -> tuple[float, float]:
    """Largest thickness that falls and least that stands so far."""
    low, high = BRACKET
    for log in post.glob("log.trial-*"):
        thickness = float(log.name.rpartition("-")[2])
        low, high = (max(low, thickness), high) if value(log, "crown_sunk") > SUNK else (low, min(high, thickness))
    return low, high


def turn(frame: common.Frame) -> np.ndarray:
    """Angles of the stones about the y axis."""
    q = frame.vectors("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")
    return 2 * np.arctan2(q[:, 2], q[:, 0])


def opened(frames: list[common.Frame]) -> np.ndarray:
    """Turn of each joint from the first to the last frame, the ground's included."""
    change = turn(frames[-1]) - turn(frames[0])
    return np.diff(np.concatenate([[0.0], (change + np.pi) % (2 * np.pi) - np.pi, [0.0]]))


def hinges(frames: list[common.Frame]) -> np.ndarray:
    """Angles from the right springing of the joints that have opened, in degrees."""
    joints = np.abs(opened(frames))
    return 180 / (len(joints) - 1) * np.flatnonzero(joints > 0.2 * joints.max())


def draw_stones(axes: Axes, frame: common.Frame, shapes: Path) -> None:
    """The stones from the side."""
    rows = shapes.read_text().splitlines()
    corners = np.array([row.split() for row in rows[1:9]], dtype=float)
    side = corners[corners[:, 1] < 0][:, [0, 2]]
    side = side[np.argsort(np.arctan2(side[:, 1], side[:, 0]))]
    for place, angle in zip(frame.vectors("x", "z"), turn(frame)):
        c, s = np.cos(angle), np.sin(angle)
        axes.add_patch(Polygon(place + side @ np.array([[c, -s], [s, c]]), facecolor="#e8d8b8", edgecolor="0.2", linewidth=0.4))
    axes.axhline(0, color="0.3", linewidth=0.8)
    axes.set(xlim=(-1.35, 1.35), ylim=(-0.05, 1.2), aspect="equal")
    axes.axis("off")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    parser.add_argument("--next", action="store_true")
    parser.add_argument("--beside", action="store_true")
    args = parser.parse_args()
    low, high = bracket(args.post)
    if args.next:
        print(f"{0.5 * (low + high):.7g}")
        return
    stones = int(value(next(args.post.glob("log.trial-*")), "stones"))
    exact = thrust.least_thickness(stones)
    if args.beside:
        print(f"{0.98 * exact:.7g} {1.02 * exact:.7g}")
        return

    sunk = {name: value(args.post / f"log.{name}", "crown_sunk") for name in ("below", "above")}
    frames = {name: list(common.read_dump(args.post / f"bodies-{name}.dump")) for name in sunk}
    fig, axes = common.figure(columns=3, width=3.4)
    for log in sorted(args.post.glob("log.trial-*")):
        t = common.join(common.read_thermo(log))
        axes[0, 0].semilogy(t["Time"], np.maximum(t["v_sunk"], 1e-7), label=log.name.rpartition("-")[2])
    axes[0, 0].set_xlim(0, 2)
    axes[0, 0].legend(title="thickness / radius", loc="center right")
    common.label(axes[0, 0], "time (s)", "way of the crown (m)")
    for column, name in enumerate(sunk, 1):
        draw_stones(axes[0, column], frames[name][-1], args.post / f"shapes-{name}.txt")
        axes[0, column].set_title(f"2 % {name} the limit", fontsize=9)
    common.save(fig, args.post / "arch.png")
    found = 0.5 * (low + high)
    common.summary(
        stones=stones,
        minimum_thickness=found,
        uncertainty=0.5 * (high - low),
        reference=thrust.MILANKOVITCH,
        reference_of_so_many_stones=exact,
        error=found / thrust.MILANKOVITCH - 1,
        error_of_so_many_stones=found / exact - 1,
        falls_2_percent_below=sunk["below"] > SUNK,
        stands_2_percent_above=sunk["above"] < SUNK,
        way_of_standing_crown=sunk["above"],
        hinges=" ".join(f"{a:.1f}" for a in hinges(frames["below"])),
        reference_hinges=" ".join(f"{a:.1f}" for a in thrust.hinges(stones)),
    )


if __name__ == "__main__":
    main()
