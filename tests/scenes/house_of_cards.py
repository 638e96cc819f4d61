"""A house of cards: commands that place it, of tests/lammps/test_stands.py and the bench chains."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CARD, WIDTH, SHEET, LEAN = 0.1, 0.065, 2e-3, np.radians(25.0)  # m; from the vertical


@dataclass(frozen=True)
class House:
    """Commands and sizes."""

    bodies: list[str]  # type 1: cards that lean on each other, in pairs; type 2: cards on the peaks, which bear the next level
    shapes: str  # arguments of fix polyhedron/shape for both
    top: float  # height (m)


def house_of_cards(levels: int, gap: float) -> House:
    """levels (levels + 1) cards that lean and levels (levels - 1) / 2 that lie, all apart by 1.02 times the gap (m)."""
    g, s, c = 1.02 * gap, np.sin(LEAN), np.cos(LEAN)
    pitch = 2 * CARD * s + 2.4 * SHEET * c + g
    bodies, base = [], 0.0
    for n in range(levels, 0, -1):
        middle = np.arange(n) * pitch - 0.5 * (n - 1) * pitch
        z, off = base + g + (CARD * c + SHEET * s) / 2, g / 2 + (CARD * s + SHEET * c) / 2
        bodies += [f"create_polyhedra 1 at {x + side * off:.17g} 0 {z:.17g} rotate {-side * np.degrees(LEAN):.17g} 0 1 0"
                   for x in middle for side in (-1, 1)]
        top = base + 2 * g + CARD * c + SHEET * s
        bodies += [f"create_polyhedra 2 at {x:.17g} 0 {top + SHEET / 2:.17g}" for x in middle[:-1] + pitch / 2]
        base = top + SHEET
    shapes = (f"1 box {SHEET} {WIDTH} {CARD} density 1000 "
              f"2 box {pitch - 0.6 * SHEET:.17g} {WIDTH} {SHEET} density 1000")
    return House(bodies, shapes, base)
