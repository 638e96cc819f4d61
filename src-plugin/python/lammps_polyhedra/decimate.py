# SPDX-License-Identifier: MIT
"""Fewer triangles for scanned surfaces, by VTK's quadric decimation:

    python3 -m lammps_polyhedra.decimate IN.stl OUT.stl --triangles 500 [--keep-volume]

It reports vertices, triangles, volume and area before and after, and how far vertices of the new surface are off the old one (before the scaling of --keep-volume). A surface
that does not stay closed, or whose triangles cross, is an error, and nothing is written. Needs VTK's Python module.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np


@dataclass
class Surface:
    """Vertices and triangles."""

    vertices: np.ndarray
    triangles: np.ndarray

    @property
    def volume(self) -> float:
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)

    @property
    def area(self) -> float:
        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)

    def scaled(self, factor: float) -> Surface:
        centre = self.vertices.mean(axis=0)
        return Surface(centre + factor * (self.vertices - centre), self.triangles)

    def crossings(self) -> int:
        """Edges that pass through triangles, by signs of volumes as doubles give them."""
        v, t = self.vertices, self.triangles
        sides = np.unique(np.sort(np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]), axis=1), axis=0)
        low, high = v[t].min(axis=1), v[t].max(axis=1)
        order = np.argsort(low[:, 0])
        begins, found = low[order, 0], 0
        width = float((high - low)[:, 0].max())
        for a, b in sides:
            lower, upper = np.minimum(v[a], v[b]), np.maximum(v[a], v[b])
            near = order[np.searchsorted(begins, lower[0] - width) : np.searchsorted(begins, upper[0], "right")]
            near = near[(low[near] <= upper).all(axis=1) & (high[near] >= lower).all(axis=1)]
            near = near[~np.isin(t[near], (a, b)).any(axis=1)]
            p, q, r = (v[t[near, k]] for k in range(3))
            ends = np.linalg.det(np.stack([q - p, r - p, v[a] - p], 1)) * np.linalg.det(np.stack([q - p, r - p, v[b] - p], 1))
            way = v[b] - v[a]
            turns = [np.einsum("ti,i->t", np.cross(x - v[a], y - v[a]), way) for x, y in ((p, q), (q, r), (r, p))]
            inside = (np.sign(turns[0]) == np.sign(turns[1])) & (np.sign(turns[1]) == np.sign(turns[2]))
            found += int(((ends < 0) & inside).sum())
        return found

    def open_edges(self) -> int:
        """Edges that have not one triangle on either side."""
        t = self.triangles
        edges = np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]])
        ways, count = np.unique(edges, axis=0, return_counts=True)
        there = {tuple(e) for e in ways.tolist()}
        return int((count > 1).sum()) + sum((j, i) not in there for i, j in there)


def _vtk():
    """VTK, or an error that says how to get it."""
    try:
        import vtkmodules.all as vtk
        from vtkmodules.util import numpy_support
    except ImportError as missing:
        raise SystemExit(f"decimate needs VTK for Python ({missing}): install python3-vtk9, or pip install vtk") from None
    return vtk, numpy_support


def _surface(data) -> Surface:
    _, support = _vtk()
    points = support.vtk_to_numpy(data.GetPoints().GetData()).astype(float)
    cells = support.vtk_to_numpy(data.GetPolys().GetConnectivityArray())
    return Surface(points, cells.reshape(-1, 3).copy())


def read(path: str):
    """Triangles of an STL or OBJ file, welded and turned outwards, as VTK has them."""
    vtk, _ = _vtk()
    reader = vtk.vtkOBJReader() if path.lower().endswith(".obj") else vtk.vtkSTLReader()
    reader.SetFileName(path)
    tidy, triangles, outwards = vtk.vtkCleanPolyData(), vtk.vtkTriangleFilter(), vtk.vtkPolyDataNormals()
    outwards.SplittingOff()
    outwards.AutoOrientNormalsOn()
    outwards.ConsistencyOn()
    for filter, before in ((tidy, reader), (triangles, tidy), (outwards, triangles)):
        filter.SetInputConnection(before.GetOutputPort())
    outwards.Update()
    if not outwards.GetOutput().GetNumberOfPolys():
        raise SystemExit(f"{path}: no triangles were read")
    return outwards.GetOutput()


def decimate(data, triangles: int):
    """The surface with about so many triangles, no fewer than a tetrahedron has."""
    vtk, _ = _vtk()
    have = data.GetNumberOfPolys()
    step = vtk.vtkQuadricDecimation()
    step.SetInputData(data)
    step.VolumePreservationOn()
    step.SetTargetReduction(min(max(0.0, 1.0 - max(triangles, 4) / have), 1.0))
    step.Update()
    return step.GetOutput()


def farthest(points: np.ndarray, data) -> float:
    """Largest distance of points from a surface."""
    vtk, _ = _vtk()
    distance = vtk.vtkImplicitPolyDataDistance()
    distance.SetInput(data)
    return max(abs(distance.EvaluateFunction(p)) for p in points.tolist())


def write(path: str, surface: Surface) -> None:
    """Binary STL."""
    corners = surface.vertices[surface.triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    rows = np.zeros(len(corners), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("end", "<u2")])
    rows["n"], rows["v"] = normals / np.where(length > 0, length, 1.0), corners
    with open(path, "wb") as file:
        file.write(b"decimated".ljust(80))
        file.write(np.uint32(len(corners)).tobytes() + rows.tobytes())


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], prog="lammps_polyhedra.decimate")
    parser.add_argument("input", help="STL or OBJ file")
    parser.add_argument("output", help="STL file")
    parser.add_argument("--triangles", type=int, default=500, help="number to come down to (500)")
    parser.add_argument("--keep-volume", action="store_true", help="scale the result to the volume of the input")
    asked = parser.parse_args(arguments)
    before = read(asked.input)
    after = decimate(before, asked.triangles)
    old, new = _surface(before), _surface(after)
    if old.open_edges():
        sys.exit(f"{asked.input}: the surface is not closed: {old.open_edges()} edges have no triangle on one side")
    if not len(new.triangles) or new.open_edges() or not new.volume > 0:
        sys.exit(f"{asked.input}: no closed surface is left of it with {asked.triangles} triangles: ask for more")
    if new.crossings():
        sys.exit(f"{asked.input}: {new.crossings()} edges of the new surface pass through its triangles: ask for more triangles")
    off = farthest(new.vertices, before)
    change = new.volume / old.volume - 1
    if asked.keep_volume:
        new = new.scaled((old.volume / new.volume) ** (1 / 3))
    write(asked.output, new)
    for name, s in (("before", old), ("after", new)):
        print(f"{name}: {len(s.vertices)} vertices, {len(s.triangles)} triangles, volume {s.volume:.6g}, area {s.area:.6g}")
    print(f"change of volume by decimation: {100 * change:+.3g} %{', taken back by scaling' if asked.keep_volume else ''}")
    print(f"farthest new vertex from the old surface: {off:.3g}")


if __name__ == "__main__":
    main()
