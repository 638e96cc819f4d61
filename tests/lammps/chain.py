"""A hanging chain of rectangular links whose last one may be heavy: it falls, and is caught when it is taut."""

from __future__ import annotations

import numpy as np

from scenes import scene

LENGTH, WIDTH, BAR = 0.1, 0.06, 0.012  # of a link, m
PITCH = 0.9 * (LENGTH - 2 * BAR)  # of the start: a tenth of a link's inner length is slack
DENSITY = 7680.0  # kg/m^3


def link() -> str:
    """A square bar bent into a rectangle in the xz-plane, as an OBJ of 16 quadrangles."""

    def ring(inset: float, y: float) -> list[tuple[float, float, float]]:
        a, b = 0.5 * LENGTH - inset, 0.5 * WIDTH - inset
        return [(-a, y, -b), (a, y, -b), (a, y, b), (-a, y, b)]

    low, high = -0.5 * BAR, 0.5 * BAR
    corners = [*ring(0.0, low), *ring(BAR, low), *ring(0.0, high), *ring(BAR, high)]
    faces = []
    for i in range(4):
        j = (i + 1) % 4
        faces += [(i, j, 4 + j, 4 + i), (8 + i, 12 + i, 12 + j, 8 + j), (i, 8 + i, 8 + j, j), (4 + i, 4 + j, 12 + j, 12 + i)]
    lines = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in corners]
    lines += ["f " + " ".join(str(k + 1) for k in f) for f in faces]
    return "\n".join(lines) + "\n"


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Product of two quaternions, scalar first."""
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.array([w, *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def links(number: int, from_vertical: float) -> str:
    """Commands that create the chain from the origin down; every second link is turned about its length."""
    lines = []
    along = np.array([np.sin(from_vertical), 0.0, -np.cos(from_vertical)])
    half = 0.5 * (0.5 * np.pi - from_vertical)
    tilt = np.array([np.cos(half), 0.0, np.sin(half), 0.0])
    quarter = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
    for k in range(number):
        q = product(tilt, quarter) if k % 2 else tilt
        x, axis = PITCH * k * along, q[1:] / max(np.linalg.norm(q[1:]), 1e-300)
        angle = np.degrees(2 * np.arctan2(np.linalg.norm(q[1:]), q[0]))
        heavy = 2 if k == number - 1 else 1
        lines.append(f"create_polyhedra {heavy} at {x[0]:.15g} {x[1]:.15g} {x[2]:.15g} rotate {angle:.15g} "
                     f"{axis[0]:.15g} {axis[1]:.15g} {axis[2]:.15g}")
    return "\n".join(lines)


def chain(number: int, ratio: float, *, from_vertical: float = 60.0, motion: str = "",
          law: str = "auto velocity 1 restitution 0 friction 0.3 0.3", **given) -> str:
    """Script of a chain whose first link is held and whose last one has `ratio` times a link's mass.

    It reads the file link.obj, whose text is link().
    """
    far = PITCH * number + 0.3
    return scene(
        box=f"block -{far} {far} -0.5 0.5 -{1.3 * far} 0.5",
        types=2,
        shapes=f"1 obj link.obj density {DENSITY} 2 obj link.obj density {DENSITY * ratio}",
        bodies=links(number, np.radians(from_vertical)) + "\ngroup held id 1\ngroup moving subtract all held",
        walls="",
        gravity=0.0,
        law=law,
        skin=0.02,
        motion=f"fix g moving gravity 9.81 vector 0 0 -1\nfix motion moving implicit/polyhedron {motion}",
        **given,
    )
