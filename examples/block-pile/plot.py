#!/usr/bin/python3
"""Figure 18 of the 2021 paper: reaction of the ground while a pile of ten blocks forms.

    plot.py [--post DIR] [--last FRACTION]

Reads post/reaction.txt (time, Fz, ke, weight), writes post/reaction.png, prints the state at the end.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402


def draw(t: common.Table, weight: float, last: float, path: Path) -> None:
    """Reaction against time, its last part once more in an inset."""
    fig, axes = common.figure(width=6.0, height=3.6)
    whole = axes[0, 0]
    inset = whole.inset_axes((0.5, 0.5, 0.48, 0.45))
    tail = t["time"] >= t["time"][-1] - last * (t["time"][-1] - t["time"][0])
    for axes, rows in ((whole, slice(None)), (inset, tail)):
        axes.plot(t["time"][rows], t["Fz"][rows], linewidth=0.8, label="reaction")
        axes.axhline(weight, color="0.3", linestyle="--", linewidth=0.8, label="weight")
    common.label(whole, "time (s)", r"reaction $F_z$ (N)")
    # deviations below a thousandth of the weight are to look like none
    low, high = min(t["Fz"][tail].min(), weight), max(t["Fz"][tail].max(), weight)
    margin = max(0.1 * (high - low), 1e-3 * abs(weight))
    inset.set_ylim(low - margin, high + margin)
    inset.ticklabel_format(useOffset=False)
    inset.tick_params(labelsize=7)
    # room for the inset above the part of the curve that lies at the weight
    whole.set_ylim(top=1.05 * max(t["Fz"].max(), 3 * weight))
    whole.legend(loc="upper left", bbox_to_anchor=(0.12, 1.0))
    common.save(fig, path)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    parser.add_argument("--last", type=float, default=0.2, help="part of the time inset (0.2)")
    args = parser.parse_args()
    table = common.read_columns(args.post / "reaction.txt")
    weight = float(table["weight"][-1])
    draw(table, weight, args.last, args.post / "reaction.png")
    common.summary(
        time=float(table["time"][-1]),
        weight=weight,
        reaction=float(table["Fz"][-1]),
        reaction_error=float(abs(table["Fz"][-1] / weight - 1)),
        reaction_max=float(table["Fz"].max()),
        kinetic_energy=float(table["ke"][-1]),
    )


if __name__ == "__main__":
    main()
