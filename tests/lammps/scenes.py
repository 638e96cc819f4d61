"""Input scripts for the tests: one scene with parts that a test replaces."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SHAPES = Path(__file__).resolve().parents[2] / "examples" / "shapes"
LAW = "normal 1e8 1.5 gap 0.001 barrier 0.1 -1"
FLOOR = "fix floor all wall/polyhedron plane 0 0 0 0 0 1"
DUMP = """
compute q all property/atom quatw quati quatj quatk
dump d all custom {every} dump id type x y z c_q[1] c_q[2] c_q[3] c_q[4] &
  vx vy vz angmomx angmomy angmomz
dump_modify d sort id format float %.17g"""


def scene(
    *,
    units: str = "si",
    atoms: str = "ellipsoid",
    boundary: str = "f f f",
    box: str = "block -1 1 -1 1 -0.1 1.9",
    types: int = 1,
    shapes: str = "1 box 0.1 0.1 0.1 density 1000",
    bodies: str = "create_polyhedra 1 at 0 0 0.2",
    pair: str = "pair_style polyhedron",
    law: str = LAW,
    walls: str = FLOOR,
    gravity: float = 9.81,
    skin: float = 0.05,
    dt: float = 1e-3,
    motion: str = "scheme newmark",
    thermo: str = "",
    every: int = 0,
    extra: str = "",
    processors: str = "",
    run: str = "run 10",
) -> str:
    """Script for one scene: box bodies of 0.1 that fall on a floor unless told otherwise.

    law: arguments of `pair_coeff * *`, or whole pair_coeff lines; motion: arguments of fix
    implicit/polyhedron, or whole lines; thermo: columns after step and time, printed with 17 digits
    every `every` steps and with them the dump `dump`; processors: how ranks divide the box; extra:
    lines before the runs.
    """
    lines = [f"units {units}", f"atom_style {atoms}", "atom_modify map yes", f"boundary {boundary}"]
    if processors:
        lines += [f"processors {processors}"]
    lines += [f"region box {box}", f"create_box {types} box"]
    if shapes:
        lines += [f"fix shapes all polyhedron/shape {shapes} write shapes.txt"]
    lines += [bodies, pair]
    if law:
        lines += [law if law.startswith("pair_coeff") else f"pair_coeff * * {law}"]
    lines += [walls]
    if gravity:
        lines += [f"fix g all gravity {gravity} vector 0 0 -1"]
    lines += [f"timestep {dt:.17g}", f"neighbor {skin} bin"]
    if motion:
        lines += [
            motion
            if motion.startswith(("fix", "comm_modify"))
            else f"fix motion all implicit/polyhedron {motion}"
        ]
    lines += [f"thermo_style custom step time {thermo}", "thermo_modify format float %.17g norm no"]
    if every:
        lines += [f"thermo {every}", DUMP.format(every=every)]
    return "\n".join([*lines, extra, run])


# A type with a tiny shape: with it lists reach no further than the skin, however large the bodies are.
GRAIN = "box 1e-5 1e-5 1e-5 density 1000"

# warning of scenes whose bodies are placed within the activation distance of each other or of a wall
PRESSED = "closer than contact begins"


def reduce_local(name: str, how: str, column: str) -> str:
    """A compute reduce of a local column: newer hosts have to be told that it is local."""
    command = f"compute {name} all reduce {how} {column}"
    return f'if "$(version) > 20231120" then "{command} inputs local" else "{command}"'


def grid(
    nx: int,
    ny: int,
    nz: int,
    pitch: float,
    low: tuple[float, float, float],
    types: int = 1,
    seed: int = 4711,
) -> str:
    """Bodies on a cubic lattice, types in turn, orientations drawn."""
    lines = []
    n = 0
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                x = [low[0] + pitch * i, low[1] + pitch * j, low[2] + pitch * k]
                lines.append(
                    f"create_polyhedra {n % types + 1} at {x[0]:.10g} {x[1]:.10g} {x[2]:.10g}"
                )
                n += 1
    return "\n".join([*lines, f"set group all quat/random {seed}"])


def octahedral_sphere(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors and triangles of a sphere cut into 8 n^2 triangles, where fine stones begin."""
    vertices: dict[tuple[int, ...], int] = {}
    triangles = []
    for sx, sy, sz in ((x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)):
        def corner(i: int, j: int) -> int:
            return vertices.setdefault((sx * i, sy * j, sz * (n - i - j)), len(vertices))
        for i in range(n):
            for j in range(n - i):
                triangles.append((corner(i, j), corner(i + 1, j), corner(i, j + 1))[::sx * sy * sz])
                if i + j < n - 1:
                    triangles.append((corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1))[::sx * sy * sz])
    v = np.array(list(vertices), float)
    return v / np.linalg.norm(v, axis=1)[:, None], np.array(triangles)


EXPLICIT = "comm_modify vel yes\nfix motion all nve/asphere"

# four shapes, tetrapods among them, of about 0.1 m
MIX = (
    f"1 stl {SHAPES}/tetrapod.stl density 2400 2 stl {SHAPES}/cube.stl density 2400 "
    f"3 stl {SHAPES}/rock1.stl density 2400 4 stl {SHAPES}/lprism.stl density 2400"
)


# law of the heap, without and with friction
SMOOTH_HEAP = "normal 1e8 1.5 gap 0.002 barrier 0.1 -2 damping 0.5"
ROUGH_HEAP = f"{SMOOTH_HEAP} friction 0.5 0.4 1e6 100"


def pile(
    nx: int,
    ny: int,
    nz: int,
    half: float,
    height: float,
    motion: str = "scheme euler",
    dt: float = 0.005,
    every: int = 50,
    thermo: str = "",
    extra: str = "",
    processors: str = "",
    run: str = "run 200",
    pitch: float = 0.25,
    margin: float = 0.0,
) -> str:
    """Bodies of four shapes that fall between walls at a distance `half` from the axis.

    The simulation box is wider by `margin`.
    """
    low = (-0.5 * pitch * (nx - 1), -0.5 * pitch * (ny - 1), 0.15)
    walls = "\n".join(
        [
            FLOOR,
            f"fix sides all wall/polyhedron plane -{half} 0 0 1 0 0 plane {half} 0 0 -1 0 0 &",
            f"  plane 0 -{half} 0 0 1 0 plane 0 {half} 0 0 -1 0",
        ]
    )
    side = half + margin
    return scene(
        types=4,
        shapes=MIX,
        box=f"block -{side} {side} -{side} {side} -0.1 {height}",
        bodies=grid(nx, ny, nz, pitch, low, 4),
        walls=walls,
        dt=dt,
        motion=motion,
        law=SMOOTH_HEAP,
        every=every,
        thermo=thermo,
        extra=extra,
        processors=processors,
        run=run,
    )
