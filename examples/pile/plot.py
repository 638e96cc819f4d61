#!/usr/bin/python3
"""The pile comes to rest: kinetic energy, floor reaction and substep length against time."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402


def main() -> None:
    t = common.read_columns(HERE / "post" / "motion.txt")
    fig, axes = common.figure(3, 1, width=6.0, height=6.0)
    kinetic, reaction, step = axes[:, 0]
    kinetic.semilogy(t["time"], np.maximum(t["kinetic"], 1e-30))
    reaction.plot(t["time"], -t["floor_z"], linewidth=0.8)
    number = np.diff(t["substeps"])
    step.semilogy(t["time"][1:], np.diff(t["time"]) / np.maximum(number, 1))
    common.label(kinetic, "time (s)", "kinetic energy (J)")
    common.label(reaction, "time (s)", "force on the floor (N)")
    common.label(step, "time (s)", "mean substep (s)")
    common.save(fig, HERE / "post" / "pile.png")


if __name__ == "__main__":
    main()
