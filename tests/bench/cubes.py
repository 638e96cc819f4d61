"""Scene of the cube benches: cubes of 0.1 m and 1 kg that fall into an open box of 1 m x 1 m.

    tests/bench/cubes.py > in.cubes        # the input script of the fall
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "lammps"))
import scenes  # noqa: E402

COUNT = 564
EDGE = 0.1  # m
LAW = "normal 1e8 1.5 gap 0.001 barrier 0.1 -2 damping 0.5 friction 0.5 0.5 1e6 100"
PLANES = [(0, 0, 0, 0, 0, 1), (0, 0, 0, 1, 0, 0), (1, 0, 0, -1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 1, 0, 0, -1, 0)]
THERMO = "ke f_motion[1] f_motion[2] f_motion[3] f_motion[6] f_motion[7] f_motion[8]"


def start(count: int = COUNT, seed: int = 7) -> np.ndarray:
    """Start of the fall, (count, 7): centre x y z (m) and quaternion w i j k.

    Layers of 5 x 5 cubes at a pitch of 0.19 m, more than the diagonal of a cube, orientations uniform.
    """
    rng = np.random.default_rng(seed)
    state = np.empty((count, 7))
    for n in range(count):
        place = np.array([n % 5, n // 5 % 5, n // 25])
        turn = rng.normal(size=4)
        state[n] = [*(0.12 + 0.19 * place), *(turn / np.linalg.norm(turn))]
    return state


def bodies(state: np.ndarray) -> str:
    """Commands that create the cubes of a state."""
    lines = []
    for x, y, z, w, i, j, k in state:
        sine = np.linalg.norm([i, j, k])
        angle = np.degrees(2.0 * np.arctan2(sine, w))
        axis = f"{i:.17g} {j:.17g} {k:.17g}" if sine > 0 else "0 0 1"
        lines.append(f"create_polyhedra 1 at {x:.17g} {y:.17g} {z:.17g} rotate {angle:.17g} {axis}")
    return "\n".join(lines)


def script(
    state: np.ndarray | None = None,
    motion: str = "scheme em",
    law: str = LAW,
    dt: float = 0.005,
    every: int = 20,
    thermo: str = THERMO,
    extra: str = "",
    run: str = "run 200",
) -> str:
    """Input script of the cubes in their box; arguments as those of scenes.scene."""
    state = start() if state is None else state
    walls = " &\n  ".join("plane " + " ".join(map(str, p)) for p in PLANES)
    return scenes.scene(
        shapes="1 box 0.1 0.1 0.1 density 1000",
        bodies=bodies(state),
        box=f"block -0.01 1.01 -0.01 1.01 -0.01 {max(1.0, state[:, 2].max()) + 0.5:g}",
        walls=f"fix box all wall/polyhedron {walls}",
        law=law,
        skin=0.03,
        dt=dt,
        motion=motion,
        every=every,
        thermo=thermo,
        extra=extra,
        run=run,
    )


if __name__ == "__main__":
    print(script())
