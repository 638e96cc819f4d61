#!/usr/bin/python3
"""Invariants and turning over of the free body, beside Euler's equations.

    plot.py [--post DIR]

Reads post/log.dzhanibekov, writes post/dzhanibekov.png, prints how far energy and angular momentum are from those of the
start and the time between two turnings over beside that of the elliptic integral.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

MOMENTS = np.array([0.2**2 + 0.1**2, 0.3**2 + 0.1**2, 0.3**2 + 0.2**2]) * 6.0 / 12  # of the box of 6 kg, kg m^2


@dataclass
class Given:
    """Variables of the input."""

    spin: float = 10.0  # rad/s
    tilt: float = 0.01  # rad


def quarter(m: float) -> float:
    """Complete elliptic integral of the first kind of the parameter m, by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - m)
    while abs(a - b) > 1e-15 * a:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return math.pi / (2 * a)


def time_between(given: Given) -> float:
    """Time between two turnings over, half a period of the angular velocity (Landau and Lifshitz, Mechanics, 37)."""
    w = given.spin * np.array([0.0, math.cos(given.tilt), math.sin(given.tilt)])
    twice, squared = float(MOMENTS @ w**2), float(MOMENTS**2 @ w**2)  # 2 E, L^2
    low, mid, high = MOMENTS if squared > twice * MOMENTS[1] else MOMENTS[::-1]
    rate2 = (high - mid) * (squared - twice * low) / (low * mid * high)
    m = (mid - low) * (twice * high - squared) / ((high - mid) * (squared - twice * low))
    return 2 * quarter(m) / math.sqrt(rate2)


def crossings(time: np.ndarray, up: np.ndarray) -> np.ndarray:
    """When the axis lies level."""
    k = np.flatnonzero(up[1:] * up[:-1] < 0)
    return time[k] + (time[k + 1] - time[k]) * up[k] / (up[k] - up[k + 1])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    post = parser.parse_args().post
    given = common.given(Given, post / "log.dzhanibekov")
    t = common.join(common.read_thermo(post / "log.dzhanibekov"))
    momentum = np.stack([t["v_Lx"], t["v_Ly"], t["v_Lz"]], axis=1)
    energy = t["f_motion[8]"]
    level = crossings(t["Time"], t["v_up"])
    between, exact = float(np.diff(level).mean()), time_between(given)
    fig, axes = common.figure(columns=2)
    first = t["Time"] < 6 * exact
    axes[0, 0].plot(t["Time"][first], t["v_up"][first])
    common.label(axes[0, 0], "time (s)", "middle axis, cosine of its angle with the spin")
    axes[0, 1].plot(t["Time"], energy / energy[0] - 1, label="energy")
    axes[0, 1].plot(t["Time"], np.linalg.norm(momentum - momentum[0], axis=1) / np.linalg.norm(momentum[0]),
                    label="angular momentum")
    common.label(axes[0, 1], "time (s)", "relative change")
    axes[0, 1].legend()
    common.save(fig, post / "dzhanibekov.png")
    common.summary(
        turns=given.spin * float(t["Time"][-1]) / (2 * math.pi),
        energy_change=float(np.abs(energy / energy[0] - 1).max()),
        momentum_change=float(np.linalg.norm(momentum - momentum[0], axis=1).max() / np.linalg.norm(momentum[0])),
        turned_over=len(level),
        time_between=between,
        time_between_exact=exact,
        time_between_error=between / exact - 1,
    )


if __name__ == "__main__":
    main()
