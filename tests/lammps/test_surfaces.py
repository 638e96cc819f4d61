"""Surfaces as users bring them: polygons that are not convex, that cross themselves, surfaces that do."""

from __future__ import annotations

from scenes import scene

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
