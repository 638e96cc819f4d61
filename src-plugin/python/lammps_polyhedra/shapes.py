# SPDX-License-Identifier: MIT
"""Shapes of bodies: surfaces about their centres of mass, along their principal axes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

EQUAL = 1e-5  # part of the sum of the moments by which equal ones differ, of files with six digits
SEARCHES, TRIES = 50, 150  # of the smallest box: frames to begin from, turns of each of them


@dataclass(frozen=True)
class Shape:
    """A closed surface of triangles, seen from outside counterclockwise; if round > 0 the body is all that is no further
    than round from the convex body within it, or from a point or a segment: one triangle of one or two points."""

    vertices: np.ndarray  # (nv, 3), in the length unit of the run
    triangles: np.ndarray  # (nt, 3), numbers of vertices from 0
    round: float = 0.0  # radius

    @cached_property
    def corners(self) -> np.ndarray:
        """(nt, 3, 3): the three corners of each triangle of the core."""
        return self.vertices[self.triangles]

    @cached_property
    def volume(self) -> float:
        """By the divergence theorem, exact for any closed surface; of rounded shapes by Steiner's formula."""
        r, core = self.round, float(self._tetrahedra.sum())
        return core + self._core_area * r + self._edge_turns * r**2 / 2 + 4 / 3 * np.pi * r**3

    @cached_property
    def area(self) -> float:
        """Of the surface."""
        return self._core_area + self._edge_turns * self.round + 4 * np.pi * self.round**2

    @cached_property
    def center(self) -> np.ndarray:
        """(3,): centroid of the volume. Of rounded shapes not known here: in the file of LAMMPS it is 0."""
        self._refuse_rounded("centroid")
        return np.einsum("t,tki->i", self._tetrahedra, self.corners) / (4.0 * self.volume)

    @cached_property
    def inertia(self) -> np.ndarray:
        """(3, 3): tensor of inertia about the centroid at density 1 (length unit to the fifth). Not of rounded shapes."""
        self._refuse_rounded("inertia")
        r = self.corners - self.center
        weight = np.linalg.det(r) / 6.0
        total = r.sum(axis=1)
        second = np.einsum("t,tki,tkj->ij", weight, r, r) + np.einsum("t,ti,tj->ij", weight, total, total)
        second /= 20.0
        return np.trace(second) * np.eye(3) - second

    @cached_property
    def radius(self) -> float:
        """Of the smallest sphere about the origin that holds the shape."""
        return float(np.linalg.norm(self.vertices, axis=1).max()) + self.round

    @cached_property
    def sphericity(self) -> float:
        """Area of the sphere of the same volume over the area (Wadell 1932): 1 for spheres."""
        return float(np.pi ** (1 / 3) * (6.0 * self.volume) ** (2 / 3) / self.area)

    @cached_property
    def angularity(self) -> float:
        """1 less the mean over the surface of the magnitude of the cosine between the normal and the direction from the centre of mass (Bullard
        and Garboczi 2013 call the mean roundness): 0 for spheres. The origin is taken for the centre, as in the file of
        LAMMPS. Of rounded shapes that of `surface()`, some 0.0003 too large."""
        v, t = self.surface()
        corners = v[t]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = 0.5 * np.linalg.norm(normal, axis=1)
        solid = area > 0.0
        corners, normal, area = corners[solid], normal[solid] / (2.0 * area[solid, None]), area[solid]
        height = np.abs(np.einsum("ti,ti->t", normal, corners[:, 0]))
        return float(1.0 - (height * _potential(corners, normal, height)).sum() / area.sum())

    @cached_property
    def extents(self) -> np.ndarray:
        """(3,): lengths of the box about the shape along its principal axes, the longest first. Where moments are equal all axes
        between theirs are principal: of all these boxes it is the one with the shortest diagonal."""
        sides = np.ptp(self.vertices, axis=0) + 2.0 * self.round
        free = self._free_turns
        return np.sort(_smallest_box(self.vertices, 2.0 * self.round, free) if free.any() else sides)[::-1]

    @property
    def elongation(self) -> float:
        """Second extent over the first."""
        return float(self.extents[1] / self.extents[0])

    @property
    def flatness(self) -> float:
        """Third extent over the second."""
        return float(self.extents[2] / self.extents[1])

    @cached_property
    def edges(self) -> np.ndarray:
        """(ne, 2): numbers of the vertices of each edge of the core, the smaller one first."""
        t = self.triangles
        return np.unique(np.sort(np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]), axis=1), axis=0)

    def surface(self, level: int = 4) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and triangles of the body. Of rounded shapes points on the surface in 10 * 4**level + 2 directions."""
        if not self.round:
            return self.vertices, self.triangles
        directions, triangles = _sphere(level)
        farthest = np.argmax(directions @ self.vertices.T, axis=1)
        return self.vertices[farthest] + self.round * directions, triangles

    @cached_property
    def _tetrahedra(self) -> np.ndarray:
        return np.linalg.det(self.corners) / 6.0

    @cached_property
    def _core_area(self) -> float:
        a, b, c = np.moveaxis(self.corners, 1, 0)
        return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())

    @cached_property
    def _edge_turns(self) -> float:
        """Sum over the edges of the core of length times angle between the normals of their faces."""
        if not self.round:
            return 0.0
        if len(self.triangles) == 1:  # a point, or a segment, whose edge turns all round
            return float(2 * np.pi * np.linalg.norm(self.vertices[-1] - self.vertices[0]))
        a, b, c = np.moveaxis(self.corners, 1, 0)
        n = np.cross(b - a, c - a)
        n /= np.linalg.norm(n, axis=1)[:, None]
        sides = np.concatenate([self.triangles[:, [0, 1]], self.triangles[:, [1, 2]], self.triangles[:, [2, 0]]])
        order = np.lexsort(np.sort(sides, axis=1).T)
        first, second = order[::2], order[1::2]  # the two sides of every edge
        one, other = n[first % len(n)], n[second % len(n)]
        turn = np.arctan2(np.linalg.norm(np.cross(one, other), axis=1), np.einsum("ei,ei->e", one, other))
        length = np.linalg.norm(self.vertices[sides[first, 1]] - self.vertices[sides[first, 0]], axis=1)
        return float(turn @ length)

    @cached_property
    def _free_turns(self) -> np.ndarray:
        """(3,): about which axes it may be turned and they are principal axes as before; the core decides."""
        if len(self.triangles) == 1:  # a point, or a segment: the box is the same
            return np.zeros(3, dtype=bool)
        moments = np.diag(Shape(self.vertices, self.triangles).inertia)
        equal = np.abs(np.roll(moments, -1) - np.roll(moments, -2)) <= EQUAL * moments.sum()
        return equal if equal.sum() < 2 else np.ones(3, dtype=bool)

    def _refuse_rounded(self, what: str) -> None:
        if self.round:
            raise ValueError(f"the {what} of a rounded shape is not computed here")


def _smallest_box(points: np.ndarray, margin: float, free: np.ndarray) -> np.ndarray:
    """Sides of the box about points and a margin with the shortest diagonal, its axes turned about those that are free.

    The r-algorithm (N. Z. Shor, Minimization Methods for Non-Differentiable Functions, 1985) from many frames at once: minima
    lie at kinks, and space is contracted along the jumps of the slope, so that steps go along the kinks.
    """
    rng = np.random.default_rng(0)
    frames = _rotations(free * rng.uniform(-np.pi, np.pi, (SEARCHES, 3)))
    space, step = np.tile(np.eye(3), (SEARCHES, 1, 1)), np.full((SEARCHES, 1), 0.3)
    best, slope = _box(points, margin, frames, free)
    for _ in range(TRIES):
        turn = _apply(space, -step * _unit(_apply(space.swapaxes(1, 2), slope)))
        frames = frames @ _rotations(turn).swapaxes(1, 2)
        sides, after = _box(points, margin, frames, free)
        best = np.where((np.linalg.norm(sides, axis=1) < np.linalg.norm(best, axis=1))[:, None], sides, best)
        on = (turn * after).sum(axis=1, keepdims=True) < 0.0
        step *= np.where(on, 1.2, 0.8)
        jump = np.where(on, 0.0, _unit(_apply(space.swapaxes(1, 2), after - slope)))
        space = space - 0.5 * _apply(space, jump)[:, :, None] * jump[:, None, :]
        slope = np.where(on, slope, after)
    return best[np.argmin(np.linalg.norm(best, axis=1))]


def _box(points: np.ndarray, margin: float, frames: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, 3) each: sides of the boxes along the rows of frames; slopes of half the squares of their diagonals by turns."""
    heights = points @ frames.reshape(-1, 3).T
    across = (points[np.argmax(heights, axis=0)] - points[np.argmin(heights, axis=0)]).reshape(frames.shape)
    sides = (across * frames).sum(axis=2) + margin
    return sides, free * (sides[:, :, None] * np.cross(frames, across)).sum(axis=1)


def _apply(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return np.einsum("nij,nj->ni", matrices, vectors)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)


def _rotations(turns: np.ndarray) -> np.ndarray:
    """(n, 3, 3): matrices of rotation vectors."""
    angle = np.linalg.norm(turns, axis=1)[:, None, None]
    k = np.cross(np.eye(3), _unit(turns)[:, None, :])
    return np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * (k @ k)


def _potential(corners: np.ndarray, normal: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Integral over each triangle of 1 / distance from the origin, which is at a height off its plane."""
    total = np.zeros(len(corners))
    for k in range(3):
        a, b = corners[:, k], corners[:, (k + 1) % 3]
        along = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]
        off = np.einsum("ti,ti->t", np.cross(along, normal), a)  # of the edge from the foot of the origin, outwards
        square = off**2 + height**2
        for end, sign in ((b, 1.0), (a, -1.0)):
            s, r = np.einsum("ti,ti->t", end, along), np.linalg.norm(end, axis=1)
            total += sign * (off * np.arcsinh(s / np.sqrt(np.maximum(square, 1e-300))) - height * np.arctan2(off * s, square + height * r))
    return total


def _sphere(level: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors and triangles of an icosahedron whose triangles are cut in four, level times."""
    g = (1 + 5**0.5) / 2
    v = np.array([p for a in (-1, 1) for b in (-g, g) for p in ((0, a, b), (a, b, 0), (b, 0, a))])
    near = np.linalg.norm(v[:, None] - v, axis=2) < 2.1
    t = np.array([(i, j, k) for i in range(12) for j in range(i) for k in range(j) if near[i, j] and near[j, k] and near[i, k]])
    inward = np.linalg.det(v[t]) < 0
    t[inward] = t[inward][:, ::-1]
    for _ in range(level):
        sides = np.sort(np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]), axis=1)
        cut, which = np.unique(sides, axis=0, return_inverse=True)
        ab, bc, ca = len(v) + which.reshape(3, -1)
        v = np.concatenate([v, v[cut].mean(axis=1)])
        t = np.concatenate([np.column_stack(x) for x in ((t[:, 0], ab, ca), (ab, t[:, 1], bc), (ca, bc, t[:, 2]), (ab, bc, ca))])
    return v / np.linalg.norm(v, axis=1)[:, None], t


def read_shapes(path: str | Path) -> dict[int, Shape]:
    """Shapes by atom type, from the file that `fix polyhedron/shape ... write FILE` writes.

    ValueError with file and line where it is no such file, or ends early.
    """
    lines = Path(path).read_text().splitlines()
    shapes: dict[int, Shape] = {}
    at = 0
    while at < len(lines):
        words = lines[at].split()
        rounded = len(words) == 6 and words[4] == "round"
        if not (len(words) == 4 or rounded) or words[0] != "shape":
            raise ValueError(f"{path}, line {at + 1}: 'shape TYPE NV NT' is expected, not {lines[at]!r}")
        kind, nv, nt = (int(w) for w in words[1:4])
        radius = float(words[5]) if rounded else 0.0
        shapes[kind] = Shape(_rows(path, lines, at + 1, nv, float), _rows(path, lines, at + 1 + nv, nt, int), radius)
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
