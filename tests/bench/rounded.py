"""The cubes with LAMMPS's own pair_style body/rounded/polyhedron, for comparison."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import bench
import cubes
import numpy as np

RADIUS = 0.005  # m, of the rounding: the skeleton is a cube of 0.09 m, the body one of 0.1 m
INERTIA = cubes.EDGE**2 / 6  # kg m^2

CORNERS = list(itertools.product((-1, 1), repeat=3))  # by their signs


def differing(a: int, b: int) -> int:
    """Number of coordinates in which two corners differ."""
    return sum(x != y for x, y in zip(CORNERS[a], CORNERS[b]))


def face(axis: int, sign: int) -> list[int]:
    """Corners of a face in the order of its border."""
    left = [a for a in range(8) if CORNERS[a][axis] == sign]
    order = [left.pop(0)]
    while left:
        order.append(next(a for a in left if differing(order[-1], a) == 1))
        left.remove(order[-1])
    return order


EDGES = [(a, b) for a, b in itertools.combinations(range(8), 2) if differing(a, b) == 1]
FACES = [face(axis, sign) for axis in range(3) for sign in (-1, 1)]


def data(state: np.ndarray, motion: np.ndarray) -> str:
    """Data file; motion: (n, 6), velocity and angular momentum."""
    top = state[:, 2].max() + 0.5
    lines = ["cubes", "", f"{len(state)} atoms", f"{len(state)} bodies", "1 atom types", "-0.001 1.001 xlo xhi",
             "-0.001 1.001 ylo yhi", f"-0.01 {top:g} zlo zhi", "", "Atoms", ""]
    lines += [f"{n} 1 1 1.0 {x:.17g} {y:.17g} {z:.17g}" for n, (x, y, z) in enumerate(state[:, :3], 1)]
    lines += ["", "Velocities", ""]
    lines += [f"{n} " + " ".join(f"{v:.17g}" for v in row) for n, row in enumerate(motion, 1)]
    lines += ["", "Bodies", ""]
    skeleton = (0.5 * cubes.EDGE - RADIUS) * np.array(CORNERS)
    for n, turn in enumerate(cubes.rotations(state), 1):
        lines += [f"{n} 3 {6 + 24 + 2 * len(EDGES) + 4 * len(FACES) + 1}", f"8 {len(EDGES)} {len(FACES)}",
                  f"{INERTIA:.17g} {INERTIA:.17g} {INERTIA:.17g} 0 0 0"]
        lines += [" ".join(f"{v:.17g}" for v in corner) for corner in skeleton @ turn.T]
        lines += [f"{a} {b}" for a, b in EDGES] + [" ".join(map(str, f)) for f in FACES]
        lines += [f"{2 * RADIUS}"]
    return "\n".join(lines) + "\n"


def script(stiffness: float, step: float, steps: int) -> str:
    """Input script; damping 0.2 of the critical one of a single contact, friction 0.5."""
    damping = 0.4 * math.sqrt(stiffness)
    return f"""units si
boundary f f f
newton on
comm_modify vel yes
atom_style body rounded/polyhedron 1 12
atom_modify map array
read_data data
pair_style body/rounded/polyhedron {damping} {damping} 0.5 1.0 2e-4
pair_coeff * * {stiffness} 0
neighbor 0.02 bin
neigh_modify every 1 delay 0 check yes
timestep {step}
fix motion all nve/body
fix weight all gravity {cubes.GRAVITY} vector 0 0 -1
fix floor all wall/body/polyhedron {stiffness} {damping} {damping} zplane 0.0 NULL
fix x all wall/body/polyhedron {stiffness} {damping} {damping} xplane 0.0 1.0
fix y all wall/body/polyhedron {stiffness} {damping} {damping} yplane 0.0 1.0
compute q all property/atom quatw quati quatj quatk
thermo_style custom step time ke
thermo {steps}
thermo_modify lost warn
dump d all custom {steps} dump id x y z c_q[1] c_q[2] c_q[3] c_q[4]
dump_modify d sort id format float %.17g
run {steps}"""


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Products of quaternions, (n, 4), w first."""
    w = a[:, 0] * b[:, 0] - np.sum(a[:, 1:] * b[:, 1:], axis=1)
    v = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.column_stack([w, v])


def measure(state: np.ndarray, folder: Path, motion: np.ndarray | None = None, stiffness: float = 1e6,
            step: float = 5e-5, duration: float = 0.01) -> dict[str, float]:
    """Processor time per simulated second, deepest overlap (m) and pairs that overlap at the end."""
    folder.mkdir(exist_ok=True)
    (folder / "data").write_text(data(state, np.zeros((len(state), 6)) if motion is None else motion))
    steps = round(duration / step)
    done = bench.lammps(script(stiffness, step, steps), folder, 1, False)
    first, last = bench.common.read_dump(folder / "dump")
    # the host's quaternions count from the orientation in the data file
    pose = [f.vectors("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]") for f in (first, last)]
    turn = product(product(pose[1], pose[0] * [1, -1, -1, -1]), state[:, 3:7])
    end = np.column_stack([last.vectors("x", "y", "z"), turn])
    depth, pairs = cubes.penetration(end, RADIUS)
    return {"cpu_per_sim_second": done.cpu[0] / duration, "wall_per_sim_second": done.wall[0] / duration,
            "penetration": depth, "overlapping_pairs": pairs, "kinetic_energy": done.tables[0]["KinEng"][-1]}
