"""Scenes in the manner of Rigid IPC (Ferguson et al. 2021): house of cards, ball on a chain into a wall, net of links.

Numbers of bodies, sizes and densities are those of its scenes as far as they are told; meshes and places are made
here. Lengths in m, densities in kg/m^3.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scenes  # found by bench
from house_of_cards import house_of_cards

THERMO = "ke f_motion[1] f_motion[2] f_motion[3] f_motion[6] f_motion[7] f_motion[8] f_motion[24]"
STEEL, STONE = 7680.0, 2800.0


@dataclass(frozen=True)
class Scene:
    """What a run needs."""

    script: str
    bodies: int
    files: dict[str, str] = field(default_factory=dict)
    planes: tuple[tuple[float, ...], ...] = ((0, 0, 0, 0, 0, 1),)  # of walls, for the check of intersections


# ---- meshes ----


def obj(vertices: np.ndarray, faces: list[list[int]]) -> str:
    """Wavefront OBJ; quadrangles as two triangles each."""
    triangles = [(f[0], f[k], f[k + 1]) for f in faces for k in range(1, len(f) - 1)]
    return "".join([*("v {:.17g} {:.17g} {:.17g}\n".format(*v) for v in vertices),
                    *("f {} {} {}\n".format(*(i + 1 for i in t)) for t in triangles)])


LENGTH, WIDTH, BAR = 1.5, 1.0, 0.19  # of a link, and the diameter of its bar


def link(along: int = 22, around: int = 10) -> str:
    """A round bar bent into a stadium in the plane of x and z, long in z: along x around x 2 triangles."""
    radius, half = 0.5 * (WIDTH - BAR), 0.5 * (LENGTH - WIDTH)
    arc = np.linspace(0.0, np.pi, along // 2)
    outward = np.array([[np.cos(a), 0.0, np.sin(a)] for a in [*arc, *(arc + np.pi)]])
    middle = radius * outward + np.array([[0.0, 0.0, half]] * len(arc) + [[0.0, 0.0, -half]] * len(arc))
    turn = 2.0 * np.pi * np.arange(around) / around
    rings = [m + 0.5 * BAR * (np.cos(turn)[:, None] * n + np.sin(turn)[:, None] * [0.0, 1.0, 0.0])
             for m, n in zip(middle, outward)]
    return obj(np.concatenate(rings), tube_faces([np.arange(around) + around * k for k in [*range(len(rings)), 0]]))


def tube_faces(rings: list[np.ndarray]) -> list[list[int]]:
    """Quadrangles between rings of as many vertices each, numbered about the way of the tube."""
    faces = []
    for a, b in zip(rings[:-1], rings[1:]):
        for k, _ in enumerate(a):
            n = (k + 1) % len(a)
            faces.append([a[k], a[n], b[n], b[k]])
    return faces


BALL, NODES = 2.0, ([-45, -31, -18, -11.5, -5, 5, 11.5, 18, 31, 45], [-45, -30, -15, -6, 0, 6, 15, 30, 45],
                    [-45, -27, -9, 9, 27, 45])  # radius of the ball; angles of its nodes in x, y, z (degrees)


def ball() -> str:
    """A ball below the origin with a handle, half a link, on top: a cube's grid on a sphere, two holes and a tube."""
    grid = [np.tan(np.radians(n)) for n in NODES]
    places: dict[tuple[int, ...], int] = {}
    top = len(grid[2]) - 1

    def node(*p: int) -> int:
        return places.setdefault(p, len(places))

    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for end in (0, len(grid[axis]) - 1):
            for i in range(len(grid[u]) - 1):
                for j in range(len(grid[v]) - 1):
                    if axis == 2 and end == top and j in (3, 4) and i in (2, 3, 5, 6):
                        continue  # the holes
                    corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                    corner = []
                    for a, b in corners if end else corners[::-1]:
                        p = [0, 0, 0]
                        p[axis], p[u], p[v] = end, a, b
                        corner.append(node(*p))
                    faces.append(corner)
    vertices = np.array([[grid[k][p[k]] for k in range(3)] for p in places])
    vertices *= BALL / np.linalg.norm(vertices, axis=1)[:, None]
    around = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
    right = np.array([node(6 + a, 4 + b, top) for a, b in around])
    left = np.array([node(3 - a, 4 + b, top) for a, b in around])
    faces += tube_faces([right, *(np.arange(8) + len(vertices) + 8 * k for k in range(11)), left])
    vertices -= [0.0, 0.0, BALL]
    return obj(np.concatenate([vertices, handle()]), faces)


def handle() -> np.ndarray:
    """Eleven rings of eight vertices: two legs and the half circle between them, from x > 0 to x < 0."""
    radius, height = 0.5 * (WIDTH - BAR), 0.5 * LENGTH - 0.5 * WIDTH + 0.5 * BAR
    turn = 2.0 * np.pi * np.arange(8) / 8
    rings = []
    for angle, z in [(0.0, 0.08), *((a, height) for a in np.linspace(0.0, np.pi, 9)), (np.pi, 0.08)]:
        n = np.array([np.cos(angle), 0.0, np.sin(angle)])
        rings.append(radius * n + [0.0, 0.0, z] + 0.5 * BAR * (np.cos(turn)[:, None] * n
                                                               + np.sin(turn)[:, None] * [0.0, 1.0, 0.0]))
    return np.concatenate(rings)


# ---- scenes ----


def turned(x: float, y: float, z: float, matrix: np.ndarray, type: int = 1) -> str:
    """Command for a body whose axes are the columns of a rotation matrix."""
    angle = np.arccos(np.clip(0.5 * (np.trace(matrix) - 1.0), -1.0, 1.0))
    values, vectors = np.linalg.eig(matrix)
    axis = np.real(vectors[:, np.argmin(abs(values - 1.0))])
    twist = np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]])
    if twist @ axis < 0.0:
        axis = -axis
    words = " ".join(f"{v:.17g}" for v in (np.degrees(angle), *axis))
    return f"create_polyhedra {type} at {x:.17g} {y:.17g} {z:.17g} rotate {words}"


def script(held: int, bodies: list[str], motion: str, **given) -> str:
    """A scene whose first bodies are held where they are."""
    groups = f"\ngroup held id 1:{held}\nfix held held freeze" if held else ""
    return scenes.scene(bodies="\n".join(bodies) + groups, thermo=THERMO, dt=0.01, motion=motion,
                        **given).replace("thermo_modify ", "thermo_modify flush yes ")


def cards(run: str, motion: str, levels: int = 10, friction: float = 0.5, every: int = 10) -> Scene:
    """A house of cards on 10 levels (155 cards), hit by two blocks that fall on it; with the floor 158 bodies."""
    gap = 1e-4
    house = house_of_cards(levels, gap)
    lines = [*house.bodies, *(f"create_polyhedra 3 at {x:.17g} 0 {house.top + h:.17g} rotate 40 1 0.5 0.2"
                              for x, h in ((-0.02, 0.1), (0.03, 0.25)))]
    shapes = f"{house.shapes} 3 box 0.04 0.04 0.04 density 1000"
    text = script(0, lines, motion, types=3, shapes=shapes, box="block -2 2 -1 1 -0.1 1.6", skin=0.02,
                  law=f"auto velocity 2 gap {gap} restitution 0 friction {friction} {friction}", every=every, run=run)
    return Scene(text, len(lines))


def wall(run: str, motion: str, links: int = 13, blocks: tuple[int, int, int] = (8, 10, 7), friction: float = 0.3,
         every: int = 10) -> Scene:
    """A ball of 4 m on a chain of 13 links, the first one held, that swings into a wall of 560 blocks of 1 m."""
    spacing, pivot = LENGTH - 3.0 * BAR, 19.3
    slope = np.radians(30.0)
    along = np.array([-np.cos(slope), 0.0, -np.sin(slope)])
    down = np.column_stack([np.cross([0.0, 1.0, 0.0], -along), [0.0, 1.0, 0.0], -along])
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    lines = []
    for k in range(links + 1):
        x, y, z = spacing * k * along + [0.0, 0.0, pivot]
        lines.append(turned(x, y, z, down @ quarter if k % 2 else down))
    # the ball's centre of mass is not the origin of its mesh
    lines[-1] = lines[-1].replace("create_polyhedra 1 at", "create_polyhedra 2 place shift")
    words = lines[-1].split()
    at, rotate = words[4:7], words[7:]
    lines[-1] = " ".join(["create_polyhedra 2 place", *rotate, "shift", *at])
    pitch, low = 1.05, [-0.5 * 1.05 * (n - 1) for n in blocks]
    lines += [f"create_polyhedra 3 at {low[0] + pitch * i:.17g} {low[1] + pitch * j:.17g} {0.55 + pitch * k:.17g}"
              for k in range(blocks[2]) for j in range(blocks[1]) for i in range(blocks[0])]
    shapes = f"1 obj link.obj density {STEEL} 2 obj ball.obj density {STEEL} 3 box 1 1 1 density {STONE}"
    text = script(1, lines, motion, types=3, shapes=shapes, box="block -60 60 -60 60 -1 40", skin=0.3,
                  law=f"auto velocity 10 gap 0.005 restitution 0 friction {friction} {friction}", every=every, run=run)
    return Scene(text, len(lines), {"link.obj": link(), "ball.obj": ball()})


def net(run: str, motion: str, across: int = 8, friction: float = 0.3, every: int = 10) -> Scene:
    """A net of 8 x 8 links without the four corners, level, each joined to its neighbours by upright links.

    144 links with 63,360 triangles. Those of the edge are held.
    """
    pitch, flat = (1.65, 1.6), np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    along = (np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]),  # long in x, upright
             np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]))  # long in y, upright
    edge, inner, last = [], [], across - 1
    for i in range(across):
        for j in range(across):
            x, y, rim = pitch[0] * i, pitch[1] * j, (i in (0, last)) + (j in (0, last))
            if rim < 2:
                (edge if rim else inner).append(turned(x, y, 0.0, flat))
            if 0 < j < last and i < last:
                inner.append(turned(x + 0.5 * pitch[0], y, 0.0, along[0]))
            if 0 < i < last and j < last:
                inner.append(turned(x, y + 0.5 * pitch[1], 0.0, along[1]))
    far = pitch[0] * across
    text = script(len(edge), edge + inner, motion, shapes=f"1 obj link.obj density {STEEL}",
                  box=f"block -2 {far} -2 {far} -{far} 3", walls="", skin=0.05,
                  law=f"auto velocity 2 gap 0.005 restitution 0 friction {friction} {friction}", every=every, run=run)
    return Scene(text, len(edge) + len(inner), {"link.obj": link()}, ())


SCENES = {"cards": (cards, 200), "wall": (wall, 300), "net": (net, 200)}  # and its steps
