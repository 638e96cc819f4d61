#!/usr/bin/python3
"""Figure 23 of the 2021 paper: moment of friction on a tetrapod that is twisted until it slips.

    plot.py [--post DIR]

Reads post/moment.txt (time, load, reaction ...) and post/contacts.dump (places, gaps and normal
forces of the contact points), writes post/moment.png, prints the reaction against the load and
against Coulomb's limit.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

PAPER_MOMENT, PAPER_TIME = 600.0, 1.6  # where the curve of figure 23 bends
NEAR = 1e-3  # the limit counts as reached from this relative distance on


def contact_points(path: Path) -> np.ndarray:
    """Rows x, y, z, gap, normal force of the last frame."""
    rows = path.read_text().split("ITEM: ENTRIES")[-1].splitlines()[1:]
    return np.array([row.split() for row in rows], dtype=float)


def mean_lever(points: np.ndarray) -> float:
    """Distance of the points from the vertical axis, weighted by the normal forces."""
    force = points[:, 4]
    centre = force @ points[:, :2] / force.sum()
    return float(force @ np.linalg.norm(points[:, :2] - centre, axis=1) / force.sum())


def draw(t: common.Table, limit: float, path: Path) -> None:
    """Moments against time."""
    fig, axes = common.figure(width=5.0, height=3.4)
    axes = axes[0, 0]
    axes.plot(t["time"], t["load"], color="0.5", linestyle=":", label="load")
    axes.axhline(limit, color="0.3", linestyle="--", linewidth=0.8, label="Coulomb's limit")
    axes.plot(t["time"], t["reaction"], label="reaction")
    common.label(axes, "time (s)", "moment about z (N m)")
    axes.set_xlim(0.0, t["time"][-1])
    axes.set_ylim(0.0)
    axes.legend(loc="lower right")
    common.save(fig, path)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    post = parser.parse_args().post
    t = common.read_columns(post / "moment.txt")
    points = contact_points(post / "contacts.dump")
    lever = mean_lever(points)
    limit = float(t["friction_limit"][-1]) * lever
    first = int(np.argmax(t["reaction"] >= (1.0 - NEAR) * limit))  # 0 if it is never reached
    after = slice(first, None)
    reached = float(t["reaction"][after].mean())
    draw(t, limit, post / "moment.png")
    common.summary(
        contact_points=len(points),
        lever=lever,
        lever_spread=float(np.ptp(np.linalg.norm(points[:, :2], axis=1)) / lever),
        coulomb_limit=limit,
        limit_moment=reached,
        limit_error=abs(reached / limit - 1.0),
        paper_error=abs(reached / PAPER_MOMENT - 1.0),
        limit_reached_at=float(t["time"][first]),
        time_error=abs(float(t["time"][first]) / PAPER_TIME - 1.0),
        stay_deviation=float(np.abs(t["reaction"][after] / limit - 1.0).max()),
        follow_deviation=float(np.abs(t["reaction"] - t["load"])[:first].max(initial=0.0) / limit),
        reaction_over_limit=float(t["reaction"].max() / limit - 1.0),
        normal_error=float(np.abs(t["normal"] / t["normal"][-1] - 1.0).max()),
        penetration=float(1.0 - points[:, 3].min() / 1e-3),
        dissipated=float(t["dissipated"][-1]),
    )


if __name__ == "__main__":
    main()
