#!/usr/bin/python3
"""Quarter periods, impacts and overturning of the rocking block beside the equations of Housner (1963).

    plot.py [--post DIR] [--pulses]

--pulses: prints the ten pushes that example runs, five lengths, 5 % below and above the least that overturns. Else reads
post/log.tilt-* and post/log.push-*, writes post/rocking.png, prints the errors.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import common  # noqa: E402
import rocking  # noqa: E402

BESIDE = {"below": 0.95, "above": 1.05}  # of the least push that overturns


def swing(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Time and angle of a run."""
    table = common.join(common.read_thermo(path))
    return table["Time"], table["v_angle"]


def quarter(time: np.ndarray, angle: np.ndarray) -> tuple[float, int]:
    """When the block lands for the first time, and the row."""
    k = int(np.argmax(angle <= 0))
    return time[k - 1] + (time[k] - time[k - 1]) * angle[k - 1] / (angle[k - 1] - angle[k]), k


def left(angle: np.ndarray, k: int, slender: float) -> float:
    """Part of the angular velocity that the first impact leaves, from the amplitudes before and after."""
    end = k + int(np.argmax(angle[k:] > 0))
    lift = [math.cos(slender - a) - math.cos(slender) for a in (angle[0], -angle[k:end or None].min())]
    return math.sqrt(lift[1] / lift[0])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    parser.add_argument("--pulses", action="store_true")
    args = parser.parse_args()
    block = common.given(rocking.Block, *args.post.glob("log.tilt-*"))
    if args.pulses:
        for length in rocking.LENGTHS:
            last = length / block.rate
            least = block.least_push(last)
            for side, factor in BESIDE.items():
                print(f"{length:g}-{side} {factor * least:.6g} {last:.6g} {last + 8 / block.rate:.6g}")
        return

    tilts = sorted(float(p.name.rpartition("-")[2]) for p in args.post.glob("log.tilt-*"))
    runs = {tilt: swing(args.post / f"log.tilt-{tilt:g}") for tilt in tilts}
    quarters = {tilt: quarter(*runs[tilt]) for tilt in tilts}
    errors = [quarters[tilt][0] / block.quarter_period(tilt) - 1 for tilt in tilts]
    impacts = [left(runs[tilt][1], quarters[tilt][1], block.slender) for tilt in tilts]
    right = 0
    fig, axes = common.figure(columns=2)
    for length in rocking.LENGTHS:
        for side in BESIDE:
            time, angle = swing(args.post / f"log.push-{length:g}-{side}")
            right += (np.abs(angle).max() > 0.5) == (side == "above")
            if length == rocking.LENGTHS[1]:
                axes[0, 1].plot(block.rate * time, angle / block.slender, label=f"{side} the least push")
    tilt = 0.6
    axes[0, 0].plot(block.rate * runs[tilt][0], runs[tilt][1] / block.slender)
    axes[0, 0].axvline(block.rate * block.quarter_period(tilt), color="0.5", linestyle=":")
    axes[0, 1].set_ylim(-1.5, 2.5)
    axes[0, 1].legend()
    for a in axes[0]:
        common.label(a, "$p\\,t$", "angle over that of the diagonal")
    common.save(fig, args.post / "rocking.png")
    common.summary(
        amplitudes=" ".join(f"{tilt:g}" for tilt in tilts),
        quarter_period_errors=" ".join(f"{e:.2e}" for e in errors),
        largest_quarter_error=max(map(abs, errors)),
        velocity_left=" ".join(f"{v:.4f}" for v in impacts),
        reference=block.left,
        pulses=len(BESIDE) * len(rocking.LENGTHS),
        pulses_right=right,
    )


if __name__ == "__main__":
    main()
