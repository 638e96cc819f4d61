#!/usr/bin/python3
"""Data file of a square pyramid of spheres, the lowest layer from id 1 on.

    pyramid.py BASE FILE [--gap RADII] [--materials 1|2] [--diameter D] [--density RHO]

Layers are numbered from below, rows and columns within them; with two materials the spheres of even
index (counted from 0) are of type 1, the others of type 2, as in section 8.2.2 of the 2018 paper. The
origin is at the middle of the lowest layer, where coordinates have most digits. --gap is the vertical
separation of neighbouring layers in radii; without it neighbours touch.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np


def spheres(base: int, diameter: float, gap: float) -> np.ndarray:
    """Centres, (base (base + 1) (2 base + 1) / 6, 3)."""
    places = []
    for layer in range(base):
        side = base - layer
        i, j = np.divmod(np.arange(side * side), side)
        z = layer * (diameter / np.sqrt(2) + 0.5 * gap * diameter)
        middle = 0.5 * (side - 1)
        places.append(np.column_stack([(i - middle) * diameter, (j - middle) * diameter,
                                       np.full(side * side, z)]))
    return np.concatenate(places)


def pairs(base: int) -> np.ndarray:
    """Indices of neighbours that touch, those of two spheres of the lowest layer left out, (n, 2)."""
    first = np.cumsum([0] + [(base - k) ** 2 for k in range(base)])
    found = []
    for layer in range(1, base):
        side = base - layer
        i, j = np.divmod(np.arange(side * side), side)
        me = first[layer] + np.arange(side * side)
        for di, dj in ((0, 0), (1, 0), (0, 1), (1, 1)):
            found.append(np.column_stack([me, first[layer - 1] + (i + di) * (side + 1) + j + dj]))
        found.append(np.column_stack([me, me + side])[i + 1 < side])
        found.append(np.column_stack([me, me + 1])[j + 1 < side])
    return np.concatenate(found)


def write(path: Path, x: np.ndarray, types: np.ndarray, diameter: float, density: float) -> None:
    """LAMMPS data file, atom_style sphere."""
    low, high = x.min(axis=0) - 2 * diameter, x.max(axis=0) + 2 * diameter
    rows = [f"{k + 1} {types[k]} {diameter:.17g} {density:.17g} {p[0]:.17g} {p[1]:.17g} {p[2]:.17g}"
            for k, p in enumerate(x)]
    box = [f"{low[c]:.9g} {high[c]:.9g} {name}lo {name}hi" for c, name in enumerate("xyz")]
    path.write_text("\n".join(["Pyramid of spheres", "", f"{len(x)} atoms", "2 atom types", *box, "",
                               "Atoms # sphere", "", *rows, ""]))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", type=int)
    parser.add_argument("file", type=Path)
    parser.add_argument("--gap", type=float, default=0.0)
    parser.add_argument("--materials", type=int, default=1, choices=(1, 2))
    parser.add_argument("--diameter", type=float, default=2.5e-3)
    parser.add_argument("--density", type=float, default=2000.0)
    args = parser.parse_args()
    x = spheres(args.base, args.diameter, args.gap)
    types = 1 + np.arange(len(x)) % args.materials
    write(args.file, x, types, args.diameter, args.density)


if __name__ == "__main__":
    main()
