"""Surfaces as users bring them: polygons that are not convex, that cross themselves, surfaces that do."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, grid, scene

SIDES = (f"{FLOOR}\nfix sides all wall/polyhedron plane -0.7 0 0 1 0 0 plane 0.7 0 0 -1 0 0 &\n"
         "  plane 0 -0.7 0 0 1 0 plane 0 0.7 0 0 -1 0")

# corners of an L, counter-clockwise; the solid of height 0.1 over it, two units wide and high
L = [(2, 1), (1, 1), (1, 2), (0, 2), (0, 0), (2, 0)]
CROSSED = [L[3], L[1], L[2], L[0], *L[4:]]


def prism(corners: list[tuple[float, float]], first: int = 0) -> str:
    """OBJ of a prism over a polygon; its caps begin at the given corner."""
    n = len(corners)
    order = [(first + i) % n for i in range(n)]
    lines = [f"v {x} {y} {z}" for z in (0, 1) for x, y in corners]
    lines += ["f " + " ".join(str(i + 1) for i in reversed(order)), "f " + " ".join(str(n + i + 1) for i in order)]
    lines += [f"f {i + 1} {(i + 1) % n + 1} {(i + 1) % n + n + 1} {i + n + 1}" for i in range(n)]
    return "\n".join(lines) + "\n"


def test_concave_polygon_is_the_solid_that_was_drawn(lammps):
    """Whatever corner its caps begin with, the prism over the L has the volume 3."""
    for first in range(len(L)):
        result = lammps("variable m equal mass(all)\n" +
                        scene(shapes="1 obj l.obj density 1000 scale 0.1", bodies="create_polyhedra 1 at 0 0 0.5",
                              thermo="v_m", run="run 0"),
                        files={"l.obj": prism(L, first)})
        assert abs(result.thermo()["v_m"][0] - 3.0) < 1e-12


def test_crossing_polygon_is_refused(lammps):
    lammps(scene(shapes="1 obj l.obj"), files={"l.obj": prism(CROSSED)},
           fail="Fix polyhedron/shape: l.obj: polygon crosses itself or encloses nothing, line 13")


def test_crossing_polygon_of_a_wall_is_refused(lammps):
    lammps(scene(walls="fix w all wall/polyhedron obj l.obj"), files={"l.obj": prism(CROSSED)},
           fail="l.obj: polygon crosses itself or encloses nothing, line 13")


def in_triangles(corners: list[tuple[float, float]], height: float) -> str:
    """OBJ of a prism over a quadrilateral, in triangles."""
    lines = [f"v {x} {y} {z}" for z in (0, height) for x, y in corners]
    lines += ["f 1 3 2", "f 1 4 3", "f 5 6 7", "f 5 7 8"]
    for i in range(4):
        a, b = i + 1, (i + 1) % 4 + 1
        lines += [f"f {a} {b} {b + 4}", f"f {a} {b + 4} {a + 4}"]
    return "\n".join(lines) + "\n"


def test_surface_that_crosses_itself_is_named(lammps):
    """One side of the bow outweighs the other: its mass is positive, and so are its moments."""
    bow = in_triangles([(0, 0), (2, 0), (2, 1), (0, -0.1)], 1.0)
    lammps(scene(shapes="1 obj bow.obj scale 0.1 density 1000", run="run 0"), files={"bow.obj": bow},
           warn="bow.obj: the surface crosses itself: [0-9]+ pairs of triangles, first 0 and 1; mass")


def test_moments_of_no_body_are_refused(lammps):
    bow = in_triangles([(0, 0), (2, 0), (2, 1), (0, -0.9)], 3.0)
    lammps(scene(shapes="1 obj bow.obj scale 0.1 density 1000"), files={"bow.obj": bow},
           fail="Fix polyhedron/shape: bow.obj: moments of inertia are not those of a body")


def hull(seed: int) -> str:
    """OBJ of the convex hull of ten random points, as slender as a needle or a plate by chance: by brute force, every
    triple with all other points on one side is a face."""
    draw = random.Random(seed)
    size = [draw.choice((0.03, 0.1, 0.3)) for _ in range(3)]
    points = [tuple(s * draw.gauss(0.0, 0.3) for s in size) for _ in range(10)]
    lines = ["v {:.17g} {:.17g} {:.17g}".format(*p) for p in points]
    for i, j, k in itertools.permutations(range(10), 3):
        if i != min(i, j, k):
            continue
        a, b, c = (np.array(points[m]) for m in (i, j, k))
        others = (np.array(points[m]) for m in range(10) if m not in (i, j, k))
        if all(np.dot(np.cross(b - a, c - a), p - a) < 0.0 for p in others):
            lines.append(f"f {i + 1} {j + 1} {k + 1}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_random_hulls_do_not_intersect(lammps, scheme):
    """Hulls of ten random points, needles and plates among them, fall in a heap: by the exact check none intersects."""
    files = {f"hull{i}.obj": hull(i) for i in range(1, 7)}
    low = (-0.3, -0.3, 0.4)
    result = lammps(
        scene(types=6, shapes=" ".join(f"{i} obj hull{i}.obj density 2000" for i in range(1, 7)),
              bodies=grid(2, 2, 3, 0.6, low, 6, seed=17), law="normal 1e10 1.5 gap 0.002 barrier 0.1 -1 damping 0.3",
              box="block -1 1 -1 1 -0.1 2.9", walls=SIDES, dt=5e-3, motion=f"scheme {scheme}", every=10, run="run 140"),
        files=files)
    # single ones bounce as high as 1.1: which, rounding decides
    first, last = (np.mean(result.frames()[i].columns["z"]) for i in (0, -1))
    show(mean_height=last, at_start=first)
    assert last < 0.5 * first
    assert lammps.intersections(result, "dump", "0 0 0 0 0 1") == 0


@pytest.mark.parametrize("half, warned", [(0.12, False), (0.119, True), (0.13, True), (0.5, False)])
def test_floor_that_ends_at_a_periodic_boundary(lammps, half, warned):
    """Bodies that cross where a floor ends come to stand through it, unless it goes on: who draws one that all but fits the cell is told."""
    floor = "\n".join([f"v {x} {y} 0" for x, y in ((-half, -9), (half, -9), (half, 9), (-half, 9))] + ["f 1 2 3", "f 1 3 4"])
    result = lammps(scene(boundary="p f f", box="block -.12 .12 -.3 .3 -.1 .4", shapes="1 box 0.06 0.04 0.03 density 2000",
                          bodies="create_polyhedra 1 at 0 0 0.05\nvelocity all set 1 0 0", walls="fix floor all wall/polyhedron obj floor.obj",
                          law="normal 1e7 1.5 gap 0.0007 barrier 0.1 -2 friction 0.4 0.3 1e4 5", dt=0.002, motion="scheme em",
                          every=30, run="run 0" if warned else "run 300"), files={"floor.obj": floor + "\n"},
                    warn="surface 1 ends near the periodic boundary x" if warned else "")
    if not warned:
        assert result.frames()[-1].columns["x"][0] < 0.0  # it has been wrapped
        assert lammps.intersections(result, "dump", "0 0 0 0 0 1") == 0


@pytest.mark.parametrize("more, warned", [
    ("", ""), ("f 1 3 2\nf 3 4 1\nf 2 3 1\n", "floor.obj: 0 triangles without area and 3 that are there twice are left out"),
    ("v -1 0 0\nf 1 4 5\n", "floor.obj: 1 triangles without area and 0 that are there twice are left out")])
def test_triangles_that_count_for_nothing(lammps, more, warned):
    """A ball on a floor whose triangles are there twice, or have no area, is borne as by the floor once."""
    floor = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n" + more
    result = lammps(scene(shapes="1 sphere 0.15 density 1000", bodies="create_polyhedra 1 at 0.02 0.02 0.153", walls="fix floor all wall/polyhedron obj floor.obj",
                          law="normal 1e7 1.5 gap 0.006 barrier 0.1 -2", gravity=0, motion="scheme em", thermo="f_floor[3]", every=1, run="run 0"),
                    files={"floor.obj": floor}, warn=warned, may_warn="closer than contact")
    force = result.thermo()["f_floor[3]"][0]
    show(force=force)
    assert force == pytest.approx(-1e7 * 0.003**1.5, rel=1e-6)


@pytest.mark.parametrize("more", ["f 5 6 7 8\n", "rotate 30 1 0 0", "f 9 10 11 12\n"])
def test_faces_that_lie_on_each_other(lammps, more):
    """A tile that is flush with the floor that it lies in counts with it: who draws one is told where, also where rounding parts the two."""
    tile = "v -.1 -.1 0\nv .1 -.1 0\nv .1 .1 0\nv -.1 .1 0\nv .95 -.1 0\nv 1.3 -.1 0\nv 1.3 .1 0\nv .95 .1 0\n"
    floor = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\n" + tile + "f 1 2 3\nf 1 3 4\n"
    turned = more.startswith("rotate")
    result = lammps(scene(shapes="1 sphere 0.15 density 1000", bodies=f"create_polyhedra 1 at 0.02 0.02 {0.3 if turned else 0.153}", motion="scheme em", thermo="f_floor[3]", every=1, run="run 0",
                          law="normal 1e7 1.5 gap 0.006 barrier 0.1 -2", gravity=0, walls="fix floor all wall/polyhedron obj floor.obj " + (more if turned else "")),
                    files={"floor.obj": floor + ("f 5 6 7 8\n" if turned else more)}, warn="pairs of triangles lie on each other, the first near", may_warn="closer than contact")
    if not turned:
        force = result.thermo()["f_floor[3]"][0]
        show(force=force)
        assert force == pytest.approx(-1e7 * 0.003**1.5 * (2.0 if "5" in more else 1.0), rel=1e-6)


SEAM = "v -1 -1 0\nv 0 -1 0\nv 0 1 0\nv -1 1 0\nv 1 -1 0\nv 1 1 0\nf 1 2 3 4\nv 0 0.02 0\nv 1 0.02 0\nf 2 5 8 7\nf 7 8 6 3\n"


@pytest.mark.parametrize("at", [(0, 0.02), (0, 0.3), (0.004, 0.021), (-0.003, 0.02)])
def test_faces_that_meet_without_common_vertices(lammps, at):
    """A ball beside a seam at which a face has a vertex in the middle of the other one's edge (a T-junction) is borne as by one face."""
    result = lammps(scene(shapes="1 sphere 0.15 density 1000", bodies=f"create_polyhedra 1 at {at[0]} {at[1]} 0.153", walls="fix floor all wall/polyhedron obj floor.obj",
                          law="normal 1e7 1.5 gap 0.006 barrier 0.1 -2", gravity=0, motion="scheme em", thermo="f_floor[3]", every=1, run="run 0"),
                    files={"floor.obj": SEAM}, may_warn="closer than contact")
    force = result.thermo()["f_floor[3]"][0]
    show(force=force)
    assert force == pytest.approx(-1e7 * 0.003**1.5, rel=1e-6)


def test_boundaries_that_meet_without_common_vertices(lammps):
    """The same where a floor goes on over the boundary of a cell, and ends there at one side with a vertex that the other side lacks."""
    floor = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv -1 0.02 0\nf 1 2 5\nf 5 2 3\nf 5 3 4\n"
    for x in (0.999, -0.999):
        result = lammps(scene(boundary="p p f", shapes="1 sphere 0.15 density 1000", bodies=f"create_polyhedra 1 at {x} 0.02 0.153", walls="fix floor all wall/polyhedron obj floor.obj",
                              law="normal 1e7 1.5 gap 0.006 barrier 0.1 -2", gravity=0, motion="scheme em", thermo="f_floor[3]", every=1, run="run 0"),
                        files={"floor.obj": floor}, may_warn="closer than contact")
        assert result.thermo()["f_floor[3]"][0] == pytest.approx(-1e7 * 0.003**1.5, rel=1e-6)


def test_triangles_that_count_for_nothing_in_a_periodic_cell(lammps):
    """A floor that goes on over the boundaries tells of them, too, once, and bears as one."""
    floor = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\nf 1 3 2\n"
    result = lammps(scene(boundary="p p f", shapes="1 sphere 0.15 density 1000", bodies="create_polyhedra 1 at 0.99 0.02 0.153", walls="fix floor all wall/polyhedron obj floor.obj",
                          law="normal 1e7 1.5 gap 0.006 barrier 0.1 -2", gravity=0, motion="scheme em", thermo="f_floor[3]", every=1, run="run 0"),
                    files={"floor.obj": floor}, warn="0 triangles without area and 1 that are there twice", may_warn="closer than contact")
    assert result.thermo()["f_floor[3]"][0] == pytest.approx(-1e7 * 0.003**1.5, rel=1e-6)
