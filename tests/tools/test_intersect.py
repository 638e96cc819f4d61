"""Tests of the independent intersection check.

Cases with a known answer, and random pairs judged a second time by separating axes in numpy.
INTERSECT=/path/to/intersect in the environment tests a program that is built already, CXXFLAGS adds
compiler options.
"""

from __future__ import annotations

import itertools
import math
import os
import struct
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "examples" / "shapes"))
import make_shapes  # noqa: E402

Mesh = tuple[np.ndarray, np.ndarray]
UNIT = (1.0, 0.0, 0.0, 0.0)


class Body(NamedTuple):
    """One line of a dump."""

    type: int
    x: tuple[float, float, float] | np.ndarray
    q: tuple[float, float, float, float] | np.ndarray = UNIT


class Result(NamedTuple):
    """What the program said."""

    status: int
    values: dict[str, float]
    out: str
    err: str


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checker, compiled with warnings as errors."""
    if "INTERSECT" in os.environ:
        return os.environ["INTERSECT"]
    path = tmp_path_factory.mktemp("bin") / "intersect"
    flags = "-std=c++17 -O2 -frounding-math -Wall -Wextra -Werror " + os.environ.get("CXXFLAGS", "")
    subprocess.run(["c++", *flags.split(), str(HERE / "intersect.cpp"), "-o", str(path),
                    "-lmpfr", "-lgmp"], check=True)
    return str(path)


@pytest.fixture
def judge(program: str, tmp_path: Path):
    """A function (meshes by type, frames, options) -> Result."""

    def run(meshes: list[Mesh], frames: list[list[Body]] | list[Body], *options: str,
            **box: object) -> Result:
        if isinstance(frames[0], Body):
            frames = [frames]
        write_shapes(tmp_path / "shapes.txt", meshes)
        write_dump(tmp_path / "bodies.dump", frames, **box)
        return call(program, "--shapes", tmp_path / "shapes.txt", *options,
                    tmp_path / "bodies.dump")

    return run


def call(program: str, *args: object) -> Result:
    """Run the checker and read its `key = value` lines."""
    done = subprocess.run([program, *map(str, args)], capture_output=True, text=True)
    pairs = [line.split(" = ") for line in done.stdout.splitlines() if " = " in line]
    values = {key: float(value) for key, value in pairs if key != "file"}
    return Result(done.returncode, values, done.stdout, done.stderr)


def write_shapes(path: Path, meshes: list[Mesh]) -> None:
    """Shapes file with the types 1, 2 ..."""
    with path.open("w") as file:
        for k, (vertices, triangles) in enumerate(meshes, 1):
            file.write(f"shape {k} {len(vertices)} {len(triangles)}\n")
            file.writelines("%.17g %.17g %.17g\n" % tuple(v) for v in vertices)
            file.writelines("%d %d %d\n" % tuple(t) for t in triangles)


def write_dump(path: Path, frames: list[list[Body]], length: float = 100.0, lo: float = -50.0,
               flags: str = "ff ff ff", columns: str = "id type x y z c_q[1] c_q[2] c_q[3] c_q[4]",
               ) -> None:
    """Dump whose atoms are out of order."""
    with path.open("w") as file:
        for k, bodies in enumerate(frames):
            file.write(f"ITEM: TIMESTEP\n{100 * k}\nITEM: NUMBER OF ATOMS\n{len(bodies)}\n")
            file.write(f"ITEM: BOX BOUNDS {flags}\n" + 3 * f"{lo:.17g} {lo + length:.17g}\n")
            file.write(f"ITEM: ATOMS {columns}\n")
            for i in reversed(range(len(bodies))):
                b = bodies[i]
                numbers = " ".join("%.17g" % c for c in (*b.x, *b.q))
                file.write(f"{i + 1} {b.type} {numbers}\n")


def write_stl_text(path: Path, mesh: Mesh) -> None:
    """ASCII STL with all digits."""
    with path.open("w") as file:
        file.write("solid s\n")
        for t in mesh[1]:
            corners = "".join("   vertex %.17g %.17g %.17g\n" % tuple(mesh[0][i]) for i in t)
            file.write(f" facet normal 0 0 0\n  outer loop\n{corners}  endloop\n endfacet\n")
        file.write("endsolid s\n")


def box(a: float, b: float, c: float) -> Mesh:
    """Cuboid about the origin."""
    vertices, triangles = make_shapes.cube(1.0)
    return vertices * (a, b, c), triangles


def turn(axis: tuple[float, float, float], degrees: float) -> np.ndarray:
    """Quaternion of a rotation."""
    half = math.radians(degrees) / 2
    return np.array([math.cos(half), *(math.sin(half) * np.array(axis) / np.linalg.norm(axis))])


def random_turn(rng: np.random.Generator) -> np.ndarray:
    """Uniform random quaternion."""
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def matrix(q: np.ndarray | tuple) -> np.ndarray:
    """Rotation matrix of (w, x, y, z)."""
    w, x, y, z = q
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


CUBE = make_shapes.cube(1.0)
TETRAPOD = make_shapes.tetrapod(1.0)
L_PRISM = make_shapes.lprism(1.0)


# ---- two cubes ------------------------------------------------------------------------------


def two_cubes(offset: tuple[float, float, float], q: np.ndarray | tuple = UNIT) -> list[Body]:
    """A unit cube, away from the origin, and another one relative to it."""
    return [Body(1, (3.0, -2.0, 5.0)), Body(1, np.array((3.0, -2.0, 5.0)) + offset, q)]


@pytest.mark.parametrize("offset, q, expected", [
    ((3, 0, 0), UNIT, 0),
    ((1.2, 1.1, 0.3), UNIT, 0),
    ((0.9, 0.3, 0.2), UNIT, 1),
    ((0.9, 0, 0), UNIT, 1),              # four faces in common planes, no proper crossing
    ((0.5, 0.5, 0), UNIT, 1),
    ((0, 0, 0), UNIT, 1),                # one in the place of the other
    ((0, 0, 0), turn((0, 0, 1), 90), 1),
    ((0, 0, 0), turn((0, 0, 1), 45), 1),
    ((1.2, 0, 0), turn((0, 0, 1), 45), 1),
    ((1.2, 0, 0), turn((1, 2, 3), 45), 1),
    ((1.21, 0, 0), turn((0, 0, 1), 45), 0),
    ((0.5 + 0.5**0.5 - 1e-6, 0, 0), turn((0, 0, 1), 45), 1),
    ((0.5 + 0.5**0.5 + 1e-6, 0, 0), turn((0, 0, 1), 45), 0),
])
def test_cubes(judge, offset, q, expected) -> None:
    result = judge([CUBE], two_cubes(offset, q))
    assert result.values["intersections"] == expected
    assert result.values["pairs_tested"] == (0 if offset == (3, 0, 0) else 1)
    assert result.status == expected


@pytest.mark.parametrize("offset, touching", [
    ((1, 0, 0), 1), ((1, 0.25, 0.5), 1), ((1, 1, 0), 1), ((1, 1, 1), 1), ((0, 0, -1), 1)])
def test_exact_contact(judge, offset, touching) -> None:
    result = judge([CUBE], two_cubes(offset))
    assert result.values["touching"] == touching
    assert result.status == 0


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 1, 0), (0.6, 0, 0.8)])
@pytest.mark.parametrize("gap", [1e-9, -1e-9])
def test_nearly_touching(judge, direction, gap) -> None:
    """Two faces, and a face and a corner, a nanometre apart or in each other."""
    q = UNIT
    reach = 1.0
    if direction == (0.6, 0, 0.8):
        # the corner (1, 1, 1) / 2 looks along -x
        corner = np.ones(3) / math.sqrt(3)
        axis = np.cross(corner, (-1.0, 0, 0))
        angle = math.degrees(math.acos(-corner[0]))
        q, direction, reach = turn(tuple(axis), angle), (1, 0, 0), 0.5 + math.sqrt(3) / 2
    result = judge([CUBE], two_cubes(tuple(np.array(direction) * (reach + gap)), q), "--distance")
    assert result.status == (gap < 0)
    if gap > 0:
        assert result.values["min_distance"] == pytest.approx(gap, rel=1e-5)


def test_one_inside_another(judge) -> None:
    small = box(0.2, 0.2, 0.2)
    for x in (0.0, 0.3):
        result = judge([CUBE, small], [Body(2, (x, 0.1, 0)), Body(1, (0, 0, 0))])
        assert result.status == 1
        assert "contained" in result.out


def test_second_part_inside(judge) -> None:
    """A body of two parts, of which only the second lies in the other body."""
    small = box(0.2, 0.2, 0.2)
    parts = (np.vstack([small[0], small[0] + (3, 0, 0)]), np.vstack([small[1], small[1] + 8]))
    assert judge([CUBE, parts], [Body(1, (0, 0, 0)), Body(2, (-3, 0, 0))]).status == 1
    assert judge([CUBE, parts], [Body(1, (0, 0, 0)), Body(2, (-1.5, 0, 0))]).status == 0


def test_inside_a_cavity(judge) -> None:
    """A cube in the hollow of another body is not in its solid."""
    inner = box(0.8, 0.8, 0.8)
    hollow = (np.vstack([CUBE[0], inner[0]]), np.vstack([CUBE[1], inner[1][:, ::-1] + 8]))
    small = box(0.2, 0.2, 0.2)
    assert judge([hollow, small], [Body(1, (0, 0, 0)), Body(2, (0.1, 0, 0))]).status == 0
    assert judge([hollow, small], [Body(1, (0, 0, 0)), Body(2, (0.35, 0, 0))]).status == 1


def test_triangle_without_area(judge) -> None:
    """One that closes a gap along an edge spans no plane: what is only in its box is apart."""
    sliver = (np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.5, 0.5, 0)]),
              np.array([(0, 2, 4), (0, 4, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3), (1, 4, 2)]))
    small = box(0.2, 0.2, 0.2)
    for x, expected in ((0.9, 0), (0.61, 0), (0.59, 1)):
        result = judge([sliver, small], [Body(1, (0, 0, 0)), Body(2, (x, x, 0))])
        assert (result.status, result.values["touching"]) == (expected, 0)


def test_crossing_bars(judge) -> None:
    """No vertex of either lies in the other."""
    bar = box(4, 0.2, 0.2)
    for q in (turn((0, 0, 1), 90), turn((0, 0, 1), 33), turn((0.1, 0, 1), 70)):
        assert judge([bar], [Body(1, (0, 0, 0)), Body(1, (0.01, 0.02, 0.05), q)]).status == 1
        assert judge([bar], [Body(1, (0, 0, 0)), Body(1, (0.01, 0.02, 0.6), q)]).status == 0
    # aligned as exactly as can be: edges through edges and diagonals
    assert judge([bar], [Body(1, (0, 0, 0)), Body(1, (0, 0, 0), turn((0, 0, 1), 90))]).status == 1


def test_quaternion_columns(judge) -> None:
    """The order of the components, under each of their names."""
    bar = box(4, 0.2, 0.2)
    q = turn((0.2, -0.3, 0.5), 80)
    tip = matrix(q) @ (1.95, 0, 0)
    other = [Body(1, (1, 1, 1), q), Body(2, np.array((1, 1, 1)) + tip)]
    names = "quatw quati quatj quatk", "c_orient[1] c_orient[2] c_orient[3] c_orient[4]"
    for name in names:
        columns = "id type x y z " + name
        assert judge([bar, box(0.2, 0.2, 0.2)], other, columns=columns).status == 1
    assert judge([bar, box(0.2, 0.2, 0.2)], [other[0], other[1]._replace(x=(1, 1, 1) - tip)],
                 columns=columns).status == 1
    away = np.array((1, 1, 1)) + matrix(q).T @ (1.95, 0, 0)
    assert judge([bar, box(0.2, 0.2, 0.2)], [other[0], other[1]._replace(x=away)]).status == 0


# ---- boundaries -----------------------------------------------------------------------------


@pytest.mark.parametrize("flags, expected", [("pp pp pp", 1), ("ff pp pp", 0), ("pp ff ff", 1)])
def test_periodic_boundary(judge, flags, expected) -> None:
    bodies = [Body(1, (0.3, 2, 2)), Body(1, (9.5, 2.2, 1.9))]
    result = judge([CUBE], bodies, lo=0.0, length=10.0, flags=flags)
    assert result.values["intersections"] == expected
    corner = [Body(1, (0.3, 0.3, 0.2)), Body(1, (9.6, 9.7, 9.8))]
    result = judge([CUBE], corner, lo=0.0, length=10.0, flags=flags)
    assert result.values["intersections"] == (flags == "pp pp pp")


def test_periodic_self(judge) -> None:
    """A body longer than the box meets its own image once; unwrapped positions are wrapped."""
    bar = box(3, 0.2, 0.2)
    for x in (0.0, 14.0):
        result = judge([bar], [Body(1, (x, 0, 0))], lo=0.0, length=2.0, flags="pp pp pp")
        assert result.values["intersections"] == 1
    result = judge([bar], [Body(1, (0, 0, 0))], lo=0.0, length=3.5, flags="pp pp pp")
    assert result.values["intersections"] == 0


def test_plane(judge) -> None:
    q = turn((1, 0, 0), 45)
    for gap, expected in ((1e-9, 0), (-1e-9, 1)):
        bodies = [Body(1, (0, 0, math.sqrt(0.5) + gap), q)]
        options = ["--distance", "--plane", *"0 0 0 0 0 2".split()]
        result = judge([CUBE], bodies, *options)
        assert result.status == expected
        assert result.values["min_distance"] == pytest.approx(max(gap, 0), abs=1e-15)
    result = judge([CUBE], [Body(1, (0, 0, 0.3))], "--plane", *"0 0 0 0 0 1".split())
    assert "body 1 plane 1" in result.out and "depth 0.2" in result.out


def test_pairs_within_a_distance(judge, tmp_path: Path) -> None:
    """Cubes in a row with gaps of 0.1, 0.01 and -0.01, also through a periodic boundary; a plane and a wall."""
    bodies = [Body(1, (x, 0, 0.52)) for x in (0, 1.1, 2.11, 3.1)]
    sheet = (np.array([(-9, -9, -0.03), (9, -9, -0.03), (0, 18, -0.03)]), np.array([(0, 1, 2)]))
    write_stl_text(tmp_path / "wall.stl", sheet)
    for within, pairs, planes, walls in ((0.2, 3, 4, 4), (0.1000001, 3, 4, 4), (0.0999999, 2, 4, 4), (0.04, 2, 4, 0), (0.0099, 1, 0, 0)):
        options = ["--within", str(within), "--plane", *"0 0 0 0 0 1".split(), "--wall", str(tmp_path / "wall.stl")]
        result = judge([CUBE], bodies, *options)
        assert result.values["within"] == pairs + planes + walls and result.values["intersections"] == 1
        listed = [line.split()[3:] for line in result.out.splitlines() if line.startswith("within: ")]
        assert sum(words[0] == "bodies" for words in listed) == pairs and ["bodies", "3", "4", "0"] in listed
        assert sum("plane" in words for words in listed) == planes
    result = judge([CUBE], bodies[:3], "--within", "0.06", length=3.15, lo=-0.5, flags="pp ff ff")
    assert result.values["within"] == 2 and "bodies 1 3 0.04" in result.out
    assert judge([CUBE], bodies, "--within", "0").status == 2


def test_wall(judge, tmp_path: Path) -> None:
    """A sheet with a step: edge through sheet, sheet's edge through body, corner, clear."""
    sheet = (np.array([(0, -5, 0), (5, -5, 0), (5, 5, 0), (0, 5, 0), (0, -5, 1), (0, 5, 1)]),
             np.array([(0, 1, 2), (0, 2, 3), (4, 0, 3), (4, 3, 5)]))
    write_stl_text(tmp_path / "wall.stl", sheet)
    options = "--wall", str(tmp_path / "wall.stl"), "--distance"
    q = turn((1, 2, 3), 50)
    assert judge([CUBE], [Body(1, (2, 0, 0.3), q)], *options).status == 1
    assert judge([CUBE], [Body(1, (4.9, 4.9, 0), q)], *options).status == 1
    assert judge([CUBE], [Body(1, (0, 0, 1.2), q)], *options).status == 1
    result = judge([CUBE], [Body(1, (0.51, 0, 0.52))], *options)
    assert result.status == 0 and result.values["min_distance"] == pytest.approx(0.01)
    # exactly in the corner: only an octant of displacements parts them
    result = judge([CUBE], [Body(1, (0.5, 0, 0.5))], *options)
    assert result.status == 0 and result.values["touching"] == 1
    assert judge([CUBE], [Body(1, (0.4, 0, 0.5))], *options).status == 1


# ---- bodies that are not convex --------------------------------------------------------------


def test_interlocked(judge) -> None:
    """Bodies within each other's hulls that do not touch, and the same pushed into each other."""
    half_turn = turn((0, 0, 1), 180)
    for x, expected in ((1.45, 0), (1.4 + 1e-7, 0), (1.4 - 1e-7, 1), (1.3, 1)):
        bodies = [Body(1, (0, 0, 0)), Body(1, (x, 0.95, 0.01), half_turn)]
        result = judge([L_PRISM], bodies, "--distance")
        assert hull_overlap(*(world(L_PRISM, b) for b in bodies))
        assert result.status == expected
        assert result.values["min_distance"] == pytest.approx(max(x - 1.4, 0), rel=1e-6, abs=1e-15)


def test_tetrapods(judge) -> None:
    """Two tetrapods with a leg each between the legs of the other."""
    legs = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) / math.sqrt(3)
    q = turn((0, 0, 1), 90)
    states = set()
    for distance in np.linspace(0.2, 1.8, 33):
        bodies = [Body(1, (0, 0, 0)), Body(1, -distance * legs[0], q)]
        result = judge([TETRAPOD], bodies, "--distance")
        hulls = hull_overlap(*(world(TETRAPOD, b) for b in bodies))
        states.add((result.status, hulls))
        if result.status == 0:
            assert result.values["min_distance"] > 0
    assert {(1, True), (0, True), (0, False)} <= states


# ---- random pairs against separating axes ------------------------------------------------------


def world(mesh: Mesh, body: Body) -> np.ndarray:
    """Vertices where the body is."""
    return mesh[0] @ matrix(body.q).T + body.x


def widest_gap(points: tuple[np.ndarray, np.ndarray], axes: np.ndarray) -> float:
    """Largest separation of the projections on the axes, negative if they overlap on all."""
    axes = axes[np.linalg.norm(axes, axis=1) > 1e-9]
    axes = axes / np.linalg.norm(axes, axis=1)[:, None]
    p, q = (c @ axes.T for c in points)
    return float(np.maximum(p.min(0) - q.max(0), q.min(0) - p.max(0)).max())


def triangles_axes(p: np.ndarray, tp: np.ndarray, q: np.ndarray, tq: np.ndarray) -> np.ndarray:
    """Normals of the faces of both and products of an edge of each."""
    edges = [(v[t] - v[np.roll(t, 1, axis=1)]).reshape(-1, 3) for v, t in ((p, tp), (q, tq))]
    normals = [np.cross(v[t[:, 1]] - v[t[:, 0]], v[t[:, 2]] - v[t[:, 0]])
               for v, t in ((p, tp), (q, tq))]
    products = np.cross(edges[0][:, None], edges[1][None]).reshape(-1, 3)
    return np.vstack([*normals, products])


def hull_overlap(p: np.ndarray, q: np.ndarray) -> bool:
    """Do the convex hulls of two point clouds overlap? Axes of all planes and lines of points."""
    axes, lines = [], []
    for v in (p, q):
        a, b, c = np.array(list(itertools.combinations(range(len(v)), 3))).T
        axes.append(np.cross(v[b] - v[a], v[c] - v[a]))
        a, b = np.array(list(itertools.combinations(range(len(v)), 2))).T
        lines.append(v[b] - v[a])
    axes.append(np.cross(lines[0][:, None], lines[1][None]).reshape(-1, 3))
    return widest_gap((p, q), np.vstack(axes)) < 0


def random_hull(rng: np.random.Generator) -> Mesh:
    """Tetrahedron to rock, some of them flat or long."""
    points = rng.normal(size=(rng.integers(4, 13), 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    return make_shapes.hull(points * rng.uniform(0.1, 1.0, size=3))


def test_random_convex_pairs(judge) -> None:
    """400 pairs, one frame each; where the answers differ, the frame is named."""
    rng = np.random.default_rng(20)
    meshes = [random_hull(rng) for _ in range(20)]
    frames, gaps = [], []
    while len(frames) < 400:
        types = rng.integers(1, len(meshes) + 1, size=2)
        shift = rng.uniform(0, 1.2) * rng.normal(size=3) / math.sqrt(3)
        pair = [Body(int(types[0]), rng.uniform(-9, 9, size=3), random_turn(rng))]
        pair.append(Body(int(types[1]), pair[0].x + shift, random_turn(rng)))
        p, q = (world(meshes[b.type - 1], b) for b in pair)
        tp, tq = (meshes[b.type - 1][1] for b in pair)
        gap = widest_gap((p, q), triangles_axes(p, tp, q, tq))
        if abs(gap) < 1e-9:
            continue
        frames.append(pair)
        gaps.append(gap)
    expected = np.array(gaps) < 0
    assert 100 < expected.sum() < 300
    found = np.array([judge(meshes, frame).status for frame in frames]) == 1
    assert not np.flatnonzero(found != expected).size
    # all at once gives their number
    result = judge(meshes, frames, "--distance")
    assert result.values["frames"] == len(frames)
    assert result.values["intersections"] == expected.sum()


def test_random_pairs_that_are_not_convex(judge) -> None:
    """Non-convex pairs: triangle against triangle by separating axes, brute force."""
    rng = np.random.default_rng(7)
    meshes = [TETRAPOD, L_PRISM, CUBE]
    counts = {0: 0, 1: 0}
    for _ in range(150):
        types = rng.integers(1, 4, size=2)
        pair = [Body(int(types[0]), (0, 0, 0), random_turn(rng))]
        pair.append(Body(int(types[1]), rng.normal(size=3) * 0.55, random_turn(rng)))
        p, q = (world(meshes[b.type - 1], b) for b in pair)
        tp, tq = (meshes[b.type - 1][1] for b in pair)
        one = np.arange(3)[None]
        meet = any(widest_gap((p[a], q[b]), triangles_axes(p[a], one, q[b], one)) < 0
                   for a, b in itertools.product(tp, tq)
                   if (p[a].min(0) < q[b].max(0)).all() and (q[b].min(0) < p[a].max(0)).all())
        result = judge(meshes, pair)
        # apart, or one within the other, which these shapes are too thin for
        assert result.status == meet
        counts[result.status] += 1
    assert min(counts.values()) > 30


def test_distance(judge) -> None:
    """The distance of convex bodies against a search over the hulls' points."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        meshes = [random_hull(rng), random_hull(rng)]
        pair = [Body(1, (0, 0, 0), random_turn(rng)),
                Body(2, rng.normal(size=3) * 0.3 + (1.0, 0.2, 0), random_turn(rng))]
        result = judge(meshes, pair, "--distance")
        p, q = (world(meshes[b.type - 1], b) for b in pair)
        if result.status == 1 or not math.isfinite(result.values["min_distance"]):
            continue
        assert result.values["min_distance"] == pytest.approx(hull_distance(p, q), rel=1e-3)


def test_distance_of_bodies_far_apart(judge) -> None:
    """Bounding spheres that do not meet, as long as they are nearer than a body's size."""
    for x, expected in ((1.8, 0.8), (2.5, 1.5), (3.0, math.inf)):
        assert judge([CUBE], two_cubes((x, 0, 0)), "--distance").values["min_distance"] == (
            pytest.approx(expected))


def hull_distance(p: np.ndarray, q: np.ndarray) -> float:
    """Gilbert's (Frank-Wolfe) search for the shortest difference of two hulls."""
    points = (p[:, None] - q[None]).reshape(-1, 3)
    x = points[0]
    for _ in range(20000):
        s = points[np.argmin(points @ x)]
        if x @ (x - s) < 1e-4 * (x @ x):  # the distance is no nearer than by this part of it
            break
        d = x - s
        x = x - min(1.0, (x @ d) / (d @ d)) * d
    return float(np.linalg.norm(x))


def test_signs_are_exact(judge) -> None:
    """Corners within rounding of a skew face, on either side or in it, judged by fractions."""
    rng = np.random.default_rng(11)
    meshes, expected = [], []
    while len(expected) < 300:
        a, b, c = rng.uniform(-1, 1, size=(3, 3))
        weights = rng.dirichlet((3, 3, 3))
        if len(expected) % 3 == 0:
            # coordinates of few digits, so that some corners are in the plane exactly
            a, b, c = (np.round(64 * v) / 64 for v in (a, b, c))
            weights = np.array((0.25, 0.25, 0.5))
        normal = np.cross(b - a, c - a)
        if np.linalg.norm(normal) < 0.3:
            continue
        tip = weights @ (a, b, c)
        back, out = -2 * normal, 4 * normal / np.linalg.norm(normal)
        spread = 0.02 * np.cross(out, (1, 2, 3)), 0.02 * np.cross(out, (3, -1, 0))
        far = [tip + out, tip + out + spread[0], tip + out + spread[1]]
        meshes += [tetrahedron(a, b, c, tip + back), tetrahedron(*far, tip)]
        expected.append(side(a, b, c, tip))
    frames = [[Body(2 * k + 1, (0, 0, 0)), Body(2 * k + 2, (0, 0, 0))] for k in range(300)]
    result = judge(meshes, frames)
    assert all(expected.count(s) > 40 for s in (-1, 0, 1))
    assert result.values["intersections"] == expected.count(-1)
    assert result.values["touching"] == expected.count(0)


def tetrahedron(*corners: np.ndarray) -> Mesh:
    """Four points."""
    return np.array(corners), np.array([(0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)])


def side(*points: np.ndarray) -> int:
    """Sign of ((b - a) x (c - a)) . (d - a) in rational numbers."""
    a, b, c, d = ([Fraction(float(x)) for x in p] for p in points)
    u, v, w = ([x - y for x, y in zip(p, a)] for p in (b, c, d))
    det = (w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2])
           + w[2] * (u[0] * v[1] - u[1] * v[0]))
    return (det > 0) - (det < 0)


# ---- many bodies, frames, formats --------------------------------------------------------------


def test_search_finds_every_pair(judge) -> None:
    """Cubes at random in a periodic box: the number of overlaps is that of all pairs of images."""
    rng = np.random.default_rng(5)
    length, n = 6.0, 60
    x = rng.uniform(-7, 13, size=(n, 3))
    result = judge([CUBE], [Body(1, c) for c in x], lo=0.0, length=length, flags="pp pp pp")
    d = x[:, None] - x[None]
    d -= length * np.round(d / length)
    overlaps = int((np.abs(d) < 1).all(axis=2)[np.triu_indices(n, 1)].sum())
    assert result.values["intersections"] == overlaps > 10


def test_frames_and_files(program: str, tmp_path: Path) -> None:
    write_shapes(tmp_path / "s", [CUBE])
    apart = [Body(1, (0, 0, 0)), Body(1, (1.1, 0, 0))]
    through = [Body(1, (0, 0, 0)), Body(1, (0.8, 0.1, 0.1))]
    write_dump(tmp_path / "a", [apart, through, apart])
    write_dump(tmp_path / "b", [apart])
    result = call(program, "--shapes", tmp_path / "s", tmp_path / "a")
    assert result.status == 1 and result.values["frames"] == 3
    assert "frame 2 timestep 100 bodies 1 2" in result.out
    result = call(program, "--shapes", tmp_path / "s", "--frames", "last", tmp_path / "a")
    assert result.status == 0 and result.values["frames"] == 3
    result = call(program, "--shapes", tmp_path / "s", tmp_path / "a", tmp_path / "b")
    assert result.status == 1 and result.values["frames"] == 4
    assert result.out.count("file = ") == 3


def test_at_most_twenty_reports(judge) -> None:
    frames = 30 * [[Body(1, (0, 0, 0)), Body(1, (0.8, 0.1, 0.1))]]
    result = judge([CUBE], frames)
    assert result.values["intersections"] == 30
    assert result.out.count("intersection:") == 20


@pytest.mark.parametrize("form", ["binary", "text", "obj"])
def test_shape_files(program: str, tmp_path: Path, form: str) -> None:
    """The same tetrapod from each kind of file."""
    path = tmp_path / f"t.{'obj' if form == 'obj' else 'stl'}"
    if form == "binary":
        make_shapes.write_stl(path, TETRAPOD)
    elif form == "text":
        write_stl_text(path, TETRAPOD)
    else:
        lines = ["v %.17g %.17g %.17g" % tuple(v) for v in TETRAPOD[0]]
        lines += ["f %d/1 %d//2 %d" % (*(t[:2] + 1), t[2] - 16) for t in TETRAPOD[1]]
        path.write_text("# tetrapod\n" + "\n".join(lines) + "\n")
    write_dump(tmp_path / "d", [[Body(7, (0, 0, 0)), Body(7, (0.3, 0.2, 0), turn((1, 0, 2), 30))]])
    options = "--principal", "--shape", 7, path
    assert call(program, *options, tmp_path / "d").status == 1
    result = call(program, *options, "--wall", path, "--plane", *"0 0 -9 0 0 1".split(),
                  tmp_path / "d")
    assert result.values["boundaries_tested"] == 4
    assert call(program, *options[1:], tmp_path / "d").status == 2


def test_committed_shapes_are_closed(program: str, tmp_path: Path) -> None:
    """The program refuses open surfaces; the examples' files pass."""
    names = sorted((HERE.parents[1] / "examples" / "shapes").glob("*.stl"))
    options = itertools.chain(*(("--shape", k, name) for k, name in enumerate(names, 1)))
    write_dump(tmp_path / "d", [[Body(k, (k, 0, 0)) for k in range(1, len(names) + 1)]])
    assert len(names) >= 7
    assert call(program, "--principal", *options, tmp_path / "d").status == 0


# ---- rounded bodies ---------------------------------------------------------------------------

ROUND = """shape 1 1 1 round 0.3
0 0 0
0 0 0
shape 2 2 1 round 0.2
0 0 -0.5
0 0 0.5
0 1 1
"""
EDGE = math.sqrt(0.5)


@pytest.mark.parametrize("first, second, apart", [
    (Body(1, (0, 0, 0)), Body(1, (1, 2, 2)), 3 - 0.6),  # balls
    (Body(1, (0, 0, 0)), Body(2, (0, 0, 2)), 1.5 - 0.5),  # a capsule's end, its side
    (Body(1, (0, 0, 0)), Body(2, (2, 0, 0)), 2 - 0.5),
    (Body(2, (0, 0, 0)), Body(2, (1, 0, 0), turn((1, 0, 0), 90)), 1 - 0.4),  # crossed
    (Body(2, (0, 0, 0)), Body(2, (1, 0, 0)), 1 - 0.4),  # parallel
    (Body(3, (0, 0, 0)), Body(3, (3, 0, 0)), 2 - 0.2),  # rounded cubes: faces, edges, a corner and a ball
    (Body(3, (0, 0, 0)), Body(3, (2, 0, 0), turn((0, 0, 1), 45)), 1.5 - EDGE - 0.2),
    (Body(3, (0, 0, 0)), Body(1, (1.5, 2.5, 2.5)), 3 - 0.4),
    (Body(4, (0, 0, 0)), Body(1, (0, 0, 1.3)), 0.5),  # a cube without rounding
])
def test_rounded(program: str, tmp_path: Path, first: Body, second: Body, apart: float) -> None:
    """Distances; moved together by a little less, and by a little more."""
    cube = box(1.0, 1.0, 1.0)
    write_shapes(tmp_path / "cubes", [cube, cube, cube, cube])
    cubes = (tmp_path / "cubes").read_text().split("shape ")[3:]
    (tmp_path / "s").write_text(ROUND + f"shape {cubes[0].replace('12', '12 round 0.1', 1)}shape {cubes[1]}")
    line = np.array(second.x) - first.x
    if (first.type, second.type) == (3, 1):
        line = line - 0.5  # from the corner
    step = line / np.linalg.norm(line)
    for off, hits in ((0.0, 0), (apart - 1e-9, 0), (apart + 1e-9, 1), (apart + 0.1, 1)):
        at = second._replace(x=second.x - off * step)
        write_dump(tmp_path / "d", [[first, at]])
        result = call(program, "--distance", "--shapes", tmp_path / "s", tmp_path / "d")
        assert result.values["intersections"] == hits, off
        if off == 0.0 and math.isfinite(result.values["min_distance"]):  # of near pairs alone
            assert math.isclose(result.values["min_distance"], apart, rel_tol=1e-8)


def test_rounded_at_boundaries(program: str, tmp_path: Path) -> None:
    """A ball over a plane, before a wall, within a cube."""
    write_stl_text(tmp_path / "wall.stl", box(4.0, 4.0, 1.0))
    (tmp_path / "s").write_text(ROUND)
    for height, options, hits in ((0.3 + 1e-9, "--plane 0 0 0 0 0 1", 0), (0.3 - 1e-9, "--plane 0 0 0 0 0 1", 1),
                                  (0.8 + 1e-9, "--wall wall.stl", 0), (0.8 - 1e-9, "--wall wall.stl", 1)):
        write_dump(tmp_path / "d", [[Body(1, (0.1, 0.2, height))]])
        words = [tmp_path / w if w == "wall.stl" else w for w in options.split()]
        assert call(program, "--shapes", tmp_path / "s", *words, tmp_path / "d").values["intersections"] == hits


# ---- bad input --------------------------------------------------------------------------------

GOOD = ("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
        "ITEM: ATOMS id type x y z quatw quati quatj quatk\n1 1 0 0 0 1 0 0 0\n")


@pytest.mark.parametrize("old, new, message", [
    ("1 1 0 0 0 1 0 0 0", "1 1 0 0 0 1 0 0", "d:10: 8 words for 9 columns"),
    ("1 1 0 0 0 1 0 0 0", "1 1 0 0 nan 1 0 0 0", "d:10: 'nan' is not a number"),
    ("1 1 0 0 0 1 0 0 0", "1 2 0 0 0 1 0 0 0", "d:10: type 2 has no shape"),
    ("1 1 0 0 0 1 0 0 0", "1 1 0 0 0 1 1 0 0", "d:10: body 1: quaternion of norm 1.41"),
    ("1 1 0 0 0 1 0 0 0\n", "", "d:9: the file ends where an atom should follow"),
    ("ITEM: ATOMS id", "ITEM: ATOMS tag", "d:9: the columns id and type"),
    ("x y z", "xs ys zs", "d:9: the column x is needed"),
    ("quatk", "quatl", "d:9: no orientation"),
    ("NUMBER OF ATOMS\n1", "NUMBER OF ATOMS\nmany", "d:4: 'many' is not a whole number"),
    ("BOX BOUNDS ff", "BOX BOUNDS xy xz yz ff", "d:6: a box bound needs two numbers, and a tilt"),
    ("ff ff ff\n0 1", "pp pp pp\n0 0", "d:8: the box has no extent"),
    ("ITEM: TIMESTEP", "units si", "d:1: expected a line ITEM"),
    (GOOD, "", "d: no frame"),
])
def test_bad_dump(program: str, tmp_path: Path, old: str, new: str, message: str) -> None:
    write_shapes(tmp_path / "s", [CUBE])
    (tmp_path / "d").write_text(GOOD)
    assert call(program, "--shapes", tmp_path / "s", tmp_path / "d").status == 0
    (tmp_path / "d").write_text(GOOD.replace(old, new))
    result = call(program, "--shapes", tmp_path / "s", tmp_path / "d")
    assert result.status == 2 and message in result.err


@pytest.mark.parametrize("text, message", [
    ("body 1 4 4\n", "s:1: expected: shape TYPE nv nt"),
    ("shape 1 4 4\n0 0 0\n1 0 0\n", "s:3: the file ends where coordinates should follow"),
    ("shape 1 4 4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 1 2\n1 2 3\n2 3 4\n3 0 1\n", "s:8: 4 is not"),
    ("shape 1 4 4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 1 2\n1 2 3\n2 3 2\n3 0 1\n", "s:8: a triangle"),
    ("shape 1 4 4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 2 1\n0 1 3\n1 2 3\n1 2 3\n",
     "s:1: the surface is open"),
    ("shape 1 4 4\n0 0 0\n1 0 0\n0 1 0\n0 0\n0 2 1\n0 1 3\n1 2 3\n0 3 2\n",
     "s:5: coordinates need"),
    ("shape 1 1 1\n0 0 0\n0 0 0\n", "s:1: 1 is not between 4"),
    ("shape 1 1 1 round 0\n0 0 0\n0 0 0\n", "s:1: the radius must be > 0"),
])
def test_bad_shapes(program: str, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "s").write_text(text)
    (tmp_path / "d").write_text(GOOD)
    result = call(program, "--shapes", tmp_path / "s", tmp_path / "d")
    assert result.status == 2 and message in result.err


def test_bad_surfaces(program: str, tmp_path: Path) -> None:
    (tmp_path / "d").write_text(GOOD)
    write_shapes(tmp_path / "s", [CUBE])
    for name, content, message in (
            ("a.stl", b"", "no triangles"), ("b.stl", b"solid\n", "no triangles"),
            ("b2.stl", b"facet\n", "b2.stl:1: not an STL file"),
            ("c.stl", b"solid\nvertex 0 0\n", "c.stl:2: a vertex needs three"),
            ("d.stl", b"solid\nvertex 0 0 0\n", "the last triangle"),
            ("e.stl", bytes(80) + struct.pack("<I12fH", 1, *12 * [math.nan], 0), "triangle 1 has"),
            ("f.obj", b"v 0 0 0\nf 1 2 3\n", "f.obj:2: 2 is not between"),
            ("g.obj", b"v 0 0 0\nf 1 1\n", "g.obj:2: a face needs three")):
        (tmp_path / name).write_bytes(content)
        result = call(program, "--shapes", tmp_path / "s", "--wall", tmp_path / name,
                      tmp_path / "d")
        assert result.status == 2 and message in result.err, name


@pytest.mark.parametrize("options, message", [
    ([], "usage"), (["--shapes"], "missing"), (["--wall", "none.stl"], "none.stl: cannot open"),
    (["--plane", "0", "0", "0", "0", "0", "0", "d"], "normal is zero"), (["--depth"], "unknown"),
    (["--frames", "some"], "is not all or last")])
def test_bad_options(program: str, options: list[str], message: str) -> None:
    result = call(program, *options)
    assert result.status == 2 and message in result.err


def test_few_digits_are_noticed(judge) -> None:
    result = judge([CUBE], [Body(1, (0, 0, 0), (0.70711, 0.70711, 0, 0))])
    assert result.status == 0 and "few digits" in result.err
