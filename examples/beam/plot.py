#!/usr/bin/python3
"""Figures 1 to 5 of the 2018 paper: forces of three supports under a rigid beam.

    plot.py [--post DIR]

Reads post/contacts-*.dump and dem.csv, writes post/beam.png, prints the forces from left to right and their
errors: against 10/3 each and 2, 6, 2, and against DEM.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

PLACE, RIGID, UNIFORM, MIDDLE = 2, 5, 6, 7  # columns of a dump
EXACT = {UNIFORM: np.full(3, 10 / 3), MIDDLE: np.array([2.0, 6.0, 2.0])}
CASES = {"pgs-left": "PGS, left first", "pgs-middle": "PGS, middle first", "pgs-right": "PGS, right first",
         "apgd": "APGD"}


def read_contacts(path: Path) -> np.ndarray:
    """Rows of the last frame, from left to right."""
    rows = path.read_text().split("ITEM: ENTRIES")[-1].splitlines()[1:]
    table = np.array([row.split() for row in rows], dtype=float)
    return table[np.argsort(table[:, PLACE])]


def draw(panels: dict[str, np.ndarray], dem: dict[str, np.ndarray], path: Path) -> None:
    """Forces of the supports, a panel each."""
    fig, axes = common.figure(2, 3, width=2.4, height=1.9)
    for a, (name, force) in zip(axes.flat, panels.items()):
        a.bar([0, 1, 2], force, width=0.5)
        if name in dem:
            a.plot([0, 1, 2], dem[name], "o", color="#d55e00", markersize=4, label="DEM")
            a.legend()
        a.set_title(name, fontsize=9)
        a.set_xticks([0, 1, 2], ["left", "middle", "right"])
        a.set_ylim(0.0, 11.0)
        a.set_ylabel("force")
    common.save(fig, path)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    post = parser.parse_args().post
    contacts = {case: read_contacts(post / f"contacts-{case}.dump") for case in CASES}
    rows = list(csv.reader(line for line in (HERE / "dem.csv").open() if not line.startswith("#")))
    dem = np.array(rows[1:], dtype=float)
    compatible = contacts["pgs-middle"]
    equal, stiff = "compatible, equal", "compatible, middle 3:1"
    panels = {title: contacts[case][:, RIGID] for case, title in CASES.items()}
    panels |= {equal: compatible[:, UNIFORM], stiff: compatible[:, MIDDLE]}
    draw(panels, {equal: dem[:, 1], stiff: dem[:, 2]}, post / "beam.png")
    for case, table in contacts.items():
        words = " ".join(f"{f:.6g}" for f in table[:, RIGID] + 0.0)
        common.summary(**{f"rigid_{case}": words, f"rigid_{case}_sum_error": abs(table[:, RIGID].sum() - 10.0)})
    common.summary(
        uniform_error=max(float(np.abs(t[:, UNIFORM] - EXACT[UNIFORM]).max()) for t in contacts.values()),
        middle_error=max(float(np.abs(t[:, MIDDLE] - EXACT[MIDDLE]).max()) for t in contacts.values()),
        middle_first_error=float(np.abs(contacts["pgs-middle"][:, RIGID] - [0.0, 10.0, 0.0]).max()),
        dem_uniform_error=float(np.abs(compatible[:, UNIFORM] - dem[:, 1]).max()),
        dem_middle_error=float(np.abs(compatible[:, MIDDLE] - dem[:, 2]).max()),
    )


if __name__ == "__main__":
    main()
