"""Scene of the cube benches: cubes of 0.1 m and 1 kg that fall into an open box of 1 m x 1 m.

    tests/bench/cubes.py > in.cubes        # the input script of the fall
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import bench
import numpy as np
import scenes  # found by bench

COUNT = 564
EDGE = 0.1  # m
GRAVITY = 9.81  # m/s^2
# restitution 0 as in the programs it is compared with; a sticking contact gives way by 0.05 mm under the weight of a cube
LAW = "normal 1e8 1.5 gap 0.001 barrier 0.1 -2 restitution 0 friction 0.5 0.5 1e5 30"
PLANES = [(0, 0, 0, 0, 0, 1), (0, 0, 0, 1, 0, 0), (1, 0, 0, -1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 1, 0, 0, -1, 0)]
THERMO = "ke f_motion[1] f_motion[2] f_motion[3] f_motion[6] f_motion[7] f_motion[8]"


SEED = 7  # of the orientations at the start


def start(count: int = COUNT, seed: int = SEED) -> np.ndarray:
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


def rotations(state: np.ndarray) -> np.ndarray:
    """Rotation matrices of a state, (n, 3, 3)."""
    w, x, y, z = (state[:, 3:7] / np.linalg.norm(state[:, 3:7], axis=1)[:, None]).T
    rows = [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
            2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
            2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]
    return np.stack(rows, axis=-1).reshape(-1, 3, 3)


def penetration(state: np.ndarray, rounding: float = 0.0) -> tuple[float, int]:
    """Deepest penetration (m; at least 0) of two cubes or of a cube and the box, and the number of pairs.

    Cubes by separating axes: the largest separation over the 6 face normals and the 9 products of edges.
    rounding: the bodies are cubes smaller by this on all sides with a round skin of that thickness.
    """
    half = 0.5 * EDGE - rounding
    turn, place = rotations(state), state[:, :3]
    reach = half * np.abs(turn).sum(axis=2) + rounding
    wall = max(float(-(place - reach).min()), float((place + reach)[:, :2].max()) - 1.0, 0.0)
    first, second = np.triu_indices(len(state), 1)
    near = np.sum((place[first] - place[second]) ** 2, axis=1) < 3 * EDGE**2
    first, second = first[near], second[near]
    a, b, d = turn[first], turn[second], place[second] - place[first]
    products = np.cross(a.transpose(0, 2, 1)[:, :, None], b.transpose(0, 2, 1)[:, None, :]).reshape(-1, 9, 3)
    axes = np.concatenate([a.transpose(0, 2, 1), b.transpose(0, 2, 1), products], axis=1)
    length = np.linalg.norm(axes, axis=2)
    axes = axes / np.maximum(length, 1e-8)[..., None]
    extent = half * (np.abs(axes @ a).sum(axis=2) + np.abs(axes @ b).sum(axis=2))
    gap = np.abs(np.einsum("nij,nj->ni", axes, d)) - extent
    gap[length < 1e-8] = -np.inf  # parallel edges
    depth = 2 * rounding - gap.max(axis=1)
    return max(float(depth.max(initial=0.0)), wall), int((depth > 0).sum())


def bodies(state: np.ndarray) -> str:
    """Commands that create the cubes of a state."""
    lines = []
    for x, y, z, w, i, j, k in state:
        sine = np.linalg.norm([i, j, k])
        angle = np.degrees(2.0 * np.arctan2(sine, w))
        axis = f"{i:.17g} {j:.17g} {k:.17g}" if sine > 0 else "0 0 1"
        lines.append(f"create_polyhedra 1 at {x:.17g} {y:.17g} {z:.17g} rotate {angle:.17g} {axis}")
    return "\n".join(lines)


SHAPE = "1 box 0.1 0.1 0.1 density 1000"
BOX = "fix box all wall/polyhedron " + " &\n  ".join("plane " + " ".join(map(str, p)) for p in PLANES)


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
    return scenes.scene(
        shapes=SHAPE,
        bodies=bodies(state),
        box=f"block -0.01 1.01 -0.01 1.01 -0.01 {max(1.0, state[:, 2].max()) + 0.5:g}",
        walls=BOX,
        law=law,
        skin=0.03,
        dt=dt,
        motion=motion,
        every=every,
        thermo=thermo,
        extra=extra,
        run=run,
    )


def go_on(file: str, motion: str = "scheme em", dt: float = 0.01, every: int = 10, processors: str = "",
          run: str = "run 100") -> str:
    """Input script that goes on from a restart file."""
    lines = [f"processors {processors}"] if processors else []
    lines += [f"read_restart {file}", f"fix shapes all polyhedron/shape {SHAPE} write shapes.txt", BOX,
              f"fix g all gravity {GRAVITY} vector 0 0 -1", f"timestep {dt:.17g}", "neighbor 0.03 bin",
              f"fix motion all implicit/polyhedron {motion}", f"thermo_style custom step time {THERMO}",
              "thermo_modify format float %.17g norm no", f"thermo {every}", scenes.DUMP.format(every=every), run]
    return "\n".join(lines)


def falling(until: float) -> Path:
    """Restart file of the falling cubes at a time (s)."""
    text = script(motion="scheme em threads 2", run=f"run {round(until / 0.005)}\nwrite_restart falling")
    folder = bench.cache("falling-" + hashlib.sha1(text.encode()).hexdigest()[:12])
    if not (folder / "falling").exists():
        bench.lammps(text, folder)
    return folder / "falling"


REST = 1e-6  # J, of all cubes, mean of half a second: settled. They swing, and at an instant it may be next to nothing


def settled(fresh: bool = False, seed: int = SEED) -> tuple[Path, np.ndarray]:
    """Restart file and state of the settled pile; made once and kept in the build folder. seed: of the start.

    The cubes fall from the start until their mean kinetic energy is below REST, 10 s at most.
    """
    begin = start(seed=seed)
    folder = bench.cache("cubes-" + hashlib.sha1(script(begin).encode()).hexdigest()[:12])
    restart, state = folder / "settled", folder / "settled.txt"
    if fresh or not (restart.exists() and state.exists()):
        print("settling the pile ...", file=sys.stderr, flush=True)
        motion = "fix motion all implicit/polyhedron scheme em\nfix mean all ave/time 1 100 100 f_motion[8]"
        run = (f"label next\nvariable part loop 20\nrun 100\nif '$(f_mean) < {REST}' then 'jump SELF rest'\n"
               "next part\njump SELF next\nprint 'ERROR: not settled in 10 s, kinetic energy $(f_mean) J'\nquit 1\n"
               "label rest\nwrite_restart settled")
        bench.lammps(script(begin, motion, run=run), folder)
        np.savetxt(state, last_state(folder), fmt="%.17g")
    return restart, np.loadtxt(state)


def last_state(folder: Path) -> np.ndarray:
    """State in the last frame of a run's dump."""
    *_, frame = bench.common.read_dump(folder / "dump")
    return states(frame)[0]


def states(frame) -> tuple[np.ndarray, np.ndarray]:
    """State (n, 7) and velocities with angular momenta (n, 6) of a frame."""
    return (frame.vectors("x", "y", "z", *(f"c_q[{n}]" for n in range(1, 5))),
            frame.vectors("vx", "vy", "vz", "angmomx", "angmomy", "angmomz"))


def bullet() -> Path | None:
    """Program of the comparison with Bullet, compiled; libbullet-dev is installed if it can be."""
    source, program = Path(__file__).with_name("bullet_cubes.cpp"), bench.cache("bullet") / "bullet_cubes"
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return program
    flags = ["pkg-config", "--cflags", "--libs", "bullet"]
    if subprocess.run(flags, capture_output=True).returncode and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "libbullet-dev"],
                       capture_output=True)
    found = subprocess.run(flags, capture_output=True, text=True)
    if found.returncode:
        print("no Bullet here (apt-get install libbullet-dev): no comparison with it", file=sys.stderr)
        return None
    subprocess.run(["g++", "-O3", "-march=native", source, "-o", program, *found.stdout.split()], check=True)
    return program


def run_bullet(state: np.ndarray, duration: float, step: float = 1e-3, iterations: int = 50) -> dict[str, float]:
    """Bullet's cost and its deepest penetration (m) at the end; empty without Bullet."""
    program = bullet()
    if not program:
        return {}
    folder = program.parent
    np.savetxt(folder / "start.txt", state, fmt="%.17g")
    done = subprocess.run([program, folder / "start.txt", str(step), str(duration), str(iterations),
                           folder / "end.txt"], check=True, capture_output=True, text=True)
    values = {k: float(v) for k, v in (line.split(" = ") for line in done.stdout.splitlines())}
    depth, pairs = penetration(np.loadtxt(folder / "end.txt"))
    return {"wall_per_sim_second": values["wall"] / duration, "cpu_per_sim_second": values["cpu"] / duration,
            "penetration": depth, "overlapping_pairs": pairs, "kinetic_energy": values["kinetic_energy"]}


def add_seeds(parser: argparse.ArgumentParser) -> None:
    """--seeds: a heap in impact is chaotic, one run says little."""
    parser.add_argument("--seeds", type=int, nargs="+", default=[SEED],
                        help="of the orientations at the start; of several the median of the ratio is printed, too")


def summary(report: bench.Report, name: str, of_seed: dict[int, float]) -> None:
    """Median over the seeds, of several; of_seed: figures by seed."""
    if len(of_seed) > 1:
        report.value(f"{name}_median", float(np.median(list(of_seed.values()))))


UNITS = {"penetration": "m", "kinetic_energy": "J", "wall_per_sim_second": "s/s", "cpu_per_sim_second": "s/s",
         "mean_substep": "s", "newton_per_sim_second": "1/s", "rejected_per_sim_second": "1/s"}


def own(report: bench.Report, done: bench.Run, run: int = 0) -> float:
    """Figures of a run with the plugin; returns processor time per simulated second."""
    table = done.tables[run]
    seconds = table["Time"][-1] - table["Time"][0]
    hits, frames = done.intersections(planes=PLANES)
    values = {"wall_per_sim_second": done.wall[run] / seconds, "cpu_per_sim_second": done.cpu[run] / seconds,
              **bench.rates(table), "kinetic_energy": table["f_motion[8]"][-1]}
    for key, value in values.items():
        report.value(key, value, UNITS.get(key, ""))
    report.value("contacts", table["f_motion[7]"][-1])
    report.value("min_gap", table["f_motion[6]"].min(), "m")
    report.value("intersections", hits)
    report.value("frames", frames)
    return values["cpu_per_sim_second"]


def compare(report: bench.Report, prefix: str, ratio: str, other: dict[str, float], cost: float) -> float:
    """Figures of another program, and ours over theirs (time_...) or theirs over ours (speedup_...), returned."""
    if not other:
        return np.nan
    for key, value in other.items():
        report.value(f"{prefix}_{key}", value, UNITS.get(key, ""))
    theirs = other["cpu_per_sim_second"]
    value = cost / theirs if ratio.startswith("time") else theirs / cost
    report.value(ratio, value)
    return value


if __name__ == "__main__":
    print(script())
