# SPDX-License-Identifier: MIT
"""Shapes of bodies: surfaces about their centres of mass, along their principal axes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Shape:
    """A closed surface of triangles, seen from outside counterclockwise."""

    vertices: np.ndarray  # (nv, 3), in the length unit of the run
    triangles: np.ndarray  # (nt, 3), numbers of vertices from 0

    @cached_property
    def corners(self) -> np.ndarray:
        """(nt, 3, 3): the three corners of each triangle."""
        return self.vertices[self.triangles]

    @cached_property
    def volume(self) -> float:
        """By the divergence theorem, exact for any closed surface."""
        return float(self._tetrahedra.sum())

    @cached_property
    def area(self) -> float:
        """Of the surface."""
        a, b, c = np.moveaxis(self.corners, 1, 0)
        return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())

    @cached_property
    def center(self) -> np.ndarray:
        """(3,): centroid of the volume."""
        return np.einsum("t,tki->i", self._tetrahedra, self.corners) / (4.0 * self.volume)

    @cached_property
    def inertia(self) -> np.ndarray:
        """(3, 3): tensor of inertia about the centroid at density 1 (length unit to the fifth)."""
        r = self.corners - self.center
        weight = np.linalg.det(r) / 6.0
        total = r.sum(axis=1)
        second = np.einsum("t,tki,tkj->ij", weight, r, r) + np.einsum("t,ti,tj->ij", weight, total, total)
        second /= 20.0
        return np.trace(second) * np.eye(3) - second

    @cached_property
    def radius(self) -> float:
        """Of the smallest sphere about the origin that holds the shape."""
        return float(np.linalg.norm(self.vertices, axis=1).max())

    @cached_property
    def sphericity(self) -> float:
        """Area of the sphere of the same volume over the area (Wadell 1932): 1 for spheres."""
        return float(np.pi ** (1 / 3) * (6.0 * self.volume) ** (2 / 3) / self.area)

    @cached_property
    def edges(self) -> np.ndarray:
        """(ne, 2): numbers of the vertices of each edge, the smaller one first."""
        t = self.triangles
        return np.unique(np.sort(np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]), axis=1), axis=0)

    @cached_property
    def _tetrahedra(self) -> np.ndarray:
        return np.linalg.det(self.corners) / 6.0


def read_shapes(path: str | Path) -> dict[int, Shape]:
    """Shapes by atom type, from the file that `fix polyhedron/shape ... write FILE` writes.

    ValueError with file and line where it is no such file, or ends early.
    """
    lines = Path(path).read_text().splitlines()
    shapes: dict[int, Shape] = {}
    at = 0
    while at < len(lines):
        words = lines[at].split()
        if len(words) != 4 or words[0] != "shape":
            raise ValueError(f"{path}, line {at + 1}: 'shape TYPE NV NT' is expected, not {lines[at]!r}")
        kind, nv, nt = (int(w) for w in words[1:])
        shapes[kind] = Shape(_rows(path, lines, at + 1, nv, float), _rows(path, lines, at + 1 + nv, nt, int))
        at += 1 + nv + nt
    return shapes


def _rows(path: str | Path, lines: list[str], first: int, count: int, kind: type) -> np.ndarray:
    rows = [line.split() for line in lines[first : first + count]]
    if len(rows) < count:
        raise ValueError(f"{path}: ends at line {len(lines)}, {count - len(rows)} lines are missing")
    for number, row in enumerate(rows, first + 1):
        if len(row) != 3:
            raise ValueError(f"{path}, line {number}: three numbers are expected, not {' '.join(row)!r}")
    return np.array(rows, dtype=kind).reshape(count, 3)
