#!/usr/bin/python3
"""Write the STL files of the examples (binary, outward normals, metres).

    make_shapes.py                          every shape, 0.1 m, beside this script
    make_shapes.py --size 0.414 tetrapod    one shape at another size
    make_shapes.py --out DIR cube rock1     some shapes, elsewhere

What `--size` measures is said at each shape below. The same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import struct
from collections import Counter
from pathlib import Path
from typing import Callable

import numpy as np

Mesh = tuple[np.ndarray, np.ndarray]  # vertices (n, 3), triangles (m, 3) of vertex indices


def prism(outline: list[tuple[float, float]], height: float, apex: int = 0) -> Mesh:
    """Prism over a counter-clockwise outline that is wholly visible from its corner `apex`."""
    n = len(outline)
    ring = outline[apex:] + outline[:apex]
    vertices = [(x, y, z) for z in (-height / 2, height / 2) for x, y in ring]
    triangles = []
    for i in range(1, n - 1):
        triangles.append((0, i + 1, i))                  # bottom looks down
        triangles.append((n, n + i, n + i + 1))          # top looks up
    for i in range(n):
        j = (i + 1) % n
        triangles += [(i, j, n + j), (i, n + j, n + i)]
    return np.array(vertices), np.array(triangles)


def cube(size: float) -> Mesh:
    """Cube of edge `size` about the origin; 12 triangles."""
    h = size / 2
    return prism([(-h, -h), (h, -h), (h, h), (-h, h)], size)


def hexplate(size: float) -> Mesh:
    """Flat hexagonal prism: `size` from corner to corner, a quarter of it thick."""
    angles = [math.radians(60 * k) for k in range(6)]
    return prism([(size / 2 * math.cos(a), size / 2 * math.sin(a)) for a in angles], size / 4)


def lprism(size: float) -> Mesh:
    """L-shaped prism (not convex): arms `size` long, 0.4 `size` wide and thick, heel at origin."""
    w = 0.4 * size
    outline = [(0, 0), (size, 0), (size, w), (w, w), (w, size), (0, size)]
    return prism(outline, w, apex=3)


def octahedron(size: float) -> Mesh:
    """Regular octahedron of edge `size`."""
    r = size / math.sqrt(2)
    return hull(r * np.vstack([np.eye(3), -np.eye(3)]))


def tetrapod(size: float, core: float = 0.3, taper: float = 0.6) -> Mesh:
    """Four tapered legs on a regular tetrahedron (not convex); 16 vertices, 28 triangles.

    Leg i is the core's face i, of normal n_i, drawn out along n_i to a blunt triangular tip.
    `size` is the distance of the tips' corners from the centre. At rest on three legs the body
    touches the ground with one such corner per leg, 0.8737 `size` from the vertical axis.
    `core` is the core's circumradius for a leg of length 1, `taper` the tip's width against
    the core's.
    """
    normals = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) / math.sqrt(3)
    # a leg of length 1 has its tip's corners beside the axis: bring those to the distance `size`
    scale = size / math.hypot(1, taper * core * math.sqrt(8 / 9))
    vertices = list(-core * normals)
    triangles = []
    for i, n in enumerate(normals):
        # the core's face i, counter-clockwise seen along -n
        face = [j for j in range(4) if j != i]
        a, b, c = (vertices[j] for j in face)
        if np.cross(b - a, c - a) @ n < 0:
            face.reverse()
        tip = list(range(len(vertices), len(vertices) + 3))
        vertices += [n + taper * (vertices[j] - n * core / 3) for j in face]
        triangles.append(tip)
        for k in range(3):
            m = (k + 1) % 3
            triangles += [(face[k], face[m], tip[m]), (face[k], tip[m], tip[k])]
    return scale * np.array(vertices), np.array(triangles)


def rock(size: float, seed: int, points: int = 14) -> Mesh:
    """Convex hull of points spread over a perturbed ellipsoid about `size` long."""
    rng = random.Random(seed)
    axes = np.array([0.5, rng.uniform(0.36, 0.44), rng.uniform(0.28, 0.36)])
    cloud = []
    for k in range(points):
        # a jittered spiral keeps the points, and so the edges, well apart
        z = 1 - (2 * k + 1) / points
        phi = k * math.pi * (3 - math.sqrt(5)) + rng.uniform(-0.3, 0.3)
        z = max(-1.0, min(1.0, z + rng.uniform(-0.5, 0.5) / points))
        r = math.sqrt(1 - z * z)
        cloud.append(rng.uniform(0.93, 1.07) * np.array([r * math.cos(phi), r * math.sin(phi), z]))
    return hull(size * axes * np.array(cloud))


def hull(points: np.ndarray) -> Mesh:
    """Convex hull of a few points of which no four are on one face, by trying every triple."""
    triangles = []
    for a, b, c in itertools.combinations(range(len(points)), 3):
        normal = np.cross(points[b] - points[a], points[c] - points[a])
        side = np.delete((points - points[a]) @ normal, [a, b, c])
        if (side < 0).all():
            triangles.append((a, b, c))
        elif (side > 0).all():
            triangles.append((a, c, b))
    used, index = np.unique(np.array(triangles), return_inverse=True)
    return points[used], index.reshape(-1, 3)


SHAPES: dict[str, Callable[[float], Mesh]] = {
    "cube": cube,
    "hexplate": hexplate,
    "lprism": lprism,
    "octahedron": octahedron,
    "rock1": lambda size: rock(size, 1),
    "rock2": lambda size: rock(size, 2),
    "tetrapod": tetrapod,
}


def volume(mesh: Mesh) -> float:
    """Volume enclosed by the triangles, positive where they look outwards."""
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


def check(name: str, mesh: Mesh) -> None:
    """Stop on an open surface, on inward triangles and on slivers."""
    edges = Counter((int(t[k]), int(t[(k + 1) % 3])) for t in mesh[1] for k in range(3))
    if any(edges[b, a] != 1 for a, b in edges) or max(edges.values()) != 1:
        raise SystemExit(f"{name}: open or badly oriented surface")
    a, b, c = (mesh[0][mesh[1][:, k]] for k in range(3))
    double_areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    if volume(mesh) <= 0 or double_areas.min() < 1e-3 * double_areas.max():
        raise SystemExit(f"{name}: inverted surface or degenerate triangle")


def write_stl(path: Path, mesh: Mesh) -> None:
    """Binary STL; the normals are those of the rounded corners that are written."""
    corners = mesh[0].astype("<f4")[mesh[1]]
    exact = corners.astype(float)
    normals = np.cross(exact[:, 1] - exact[:, 0], exact[:, 2] - exact[:, 0])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    normals += 0.0  # no negative zeros
    with path.open("wb") as file:
        file.write(f"{path.stem}, metres".encode().ljust(80))
        file.write(struct.pack("<I", len(corners)))
        for normal, corner in zip(normals.astype("<f4"), corners):
            file.write(normal.tobytes() + corner.tobytes() + b"\0\0")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[*SHAPES, []], metavar="NAME",
                        help=f"of {', '.join(SHAPES)} (all of them)")
    parser.add_argument("--size", type=float, default=0.1, help="metres (0.1)")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.names or SHAPES:
        mesh = SHAPES[name](args.size)
        check(name, mesh)
        write_stl(args.out / f"{name}.stl", mesh)
        print(f"{name}: {len(mesh[0])} vertices, {len(mesh[1])} triangles, "
              f"volume {volume(mesh):.6g} m^3")


if __name__ == "__main__":
    main()
