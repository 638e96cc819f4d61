#!/usr/bin/python3
"""Figures 13 to 16 of the 2021 paper: a cube that falls on the ground, cases a to d.

    plot.py [--post DIR] [--edge METRES] [a b c d]

Reads post/case_X.txt, writes post/case_X.png and prints what each case is judged by.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

FIGURE = {"a": 13, "b": 14, "c": 15, "d": 16}
LANDING = {"a": "on a vertex", "b": "on an edge", "c": "on a face", "d": "tumbling"}


def draw(case: str, t: common.Table, path: Path) -> None:
    """Height, velocity, angular velocity and energies against time."""
    fig, ((height, velocity), (angular, energy)) = common.figure(2, 2)
    time = t["time"]
    height.plot(time, t["z"])
    velocity.plot(time, t["vz"])
    for axis, style in zip("xyz", ("-", "--", "-.")):
        angular.plot(time, t["w" + axis], style, label=rf"$\omega_{axis}$")
    small = max(np.abs(t["w" + axis]).max() for axis in "xyz") < 1e-6
    if small:
        angular.set_ylim(-1, 1)  # rounding is not worth a scale of its own
    kinetic = t["ke_trans"] + t["ke_rot"]
    for values, name in ((kinetic, "kinetic"), (t["e_gravity"], "potential"),
                         (t["e_contact"], "contact"), (t["e_total"], "total")):
        energy.plot(time, values, label=name)
    common.label(height, "time (s)", "height of the centre of mass (m)")
    common.label(velocity, "time (s)", "vertical velocity (m/s)")
    common.label(angular, "time (s)", "angular velocity (rad/s)")
    common.label(energy, "time (s)", "energy (J)")
    for axes in (angular, energy):
        axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=4)
    fig.suptitle(f"Case {case}: {LANDING[case]}", fontsize=9)
    common.save(fig, path)


def judge(case: str, t: common.Table, edge: float) -> None:
    """Bounces, energy error against m g h, rotation against impact speed over edge."""
    upward = t["vz"] > 0
    bounces = int(np.count_nonzero(upward[1:] & ~upward[:-1]))
    fall = t["e_gravity"][0] - t["e_gravity"].min()
    error = np.abs(t["e_total"] - t["e_total"][0]).max()
    omega = np.sqrt(t["wx"]**2 + t["wy"]**2 + t["wz"]**2).max()
    speed = np.abs(t["vz"]).max()
    common.summary(**{
        f"case_{case}_figure": FIGURE[case],
        f"case_{case}_bounces": bounces,
        f"case_{case}_energy_error": error / fall if fall > 0 else np.nan,
        f"case_{case}_rotation": omega * edge / speed if speed > 0 else np.nan,
        f"case_{case}_drift": float(np.hypot(t["x"] - t["x"][0], t["y"] - t["y"][0]).max()),
    })


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", default=[], help="of a b c d (those there are)")
    parser.add_argument("--post", type=Path, default=HERE / "post")
    parser.add_argument("--edge", type=float, default=0.1, help="of the cube, in metres (0.1)")
    args = parser.parse_args()
    unknown = set(args.cases) - set(FIGURE)
    if unknown:
        parser.error(f"no case {' '.join(sorted(unknown))}")
    there = [c for c in FIGURE if (args.post / f"case_{c}.txt").exists()]
    if not (args.cases or there):
        raise SystemExit(f"{args.post}: no case_a.txt ... case_d.txt")
    for case in args.cases or there:
        table = common.read_columns(args.post / f"case_{case}.txt")
        draw(case, table, args.post / f"case_{case}.png")
        judge(case, table, args.edge)


if __name__ == "__main__":
    main()
