"""Short runs of the benches: they print what they promise."""

import subprocess
import sys
from pathlib import Path

import numpy as np

BENCH = Path(__file__).resolve().parents[1] / "bench"
sys.path.insert(0, str(BENCH))


def figures(name: str, *arguments: str) -> dict[str, float]:
    """Runs one bench and returns its `name = value unit` lines."""
    done = subprocess.run([BENCH / name, *arguments], text=True, capture_output=True, timeout=300)
    print(done.stdout[-3000:], done.stderr[-2000:])
    assert done.returncode == 0
    lines = [line.split(" = ", 1) for line in done.stdout.splitlines() if " = " in line]
    return {key: float(value.split()[0]) for key, value in lines}


def test_unknown_bench_is_answered_with_the_list() -> None:
    done = subprocess.run([BENCH / "run", "cubes"], text=True, capture_output=True)
    assert done.returncode == 1
    assert "no bench 'cubes'" in done.stderr and "cubes-drop" in done.stderr


def test_cubes_drop_beside_the_host() -> None:
    t = figures("cubes-drop", "--seconds", "0.15", "--host-seconds", "0.001", "--no-bullet")
    assert t["intersections"] == 0 and t["frames"] > 10
    assert t["contacts"] > 0 and t["newton_per_sim_second"] > 0
    assert t["wall_per_sim_second"] > 0 and t["lammps_wall_per_sim_second"] > 0
    assert t["speedup_over_lammps"] > 0
    # both fall freely so far, but for a few contacts
    assert 0 < t["kinetic_energy"] < 564 * 0.5 * (9.81 * 0.15) ** 2


def test_chains_of_all_scenes() -> None:
    t = figures("chains", "--steps", "12")
    assert (t["bodies_cards"], t["bodies_wall"], t["bodies_net"]) == (157, 574, 144)
    for name in ("cards", "wall", "net"):
        assert t[f"intersections_{name}"] == 0 and t[f"frames_{name}"] >= 2
        assert t[f"cpu_per_step_{name}"] > 0
    assert t["contacts_cards"] > 300 and t["contacts_wall"] > 80  # the house stands, the lowest blocks have come down


def test_net_of_chains_to_its_end() -> None:
    """A vertex that two links held on the border of a facet stopped the run at step 137."""
    t = figures("chains", "net")
    assert t["steps_net"] == 200 and t["intersections_net"] == 0
    assert t["contacts_net"] > 100 and t["newton_per_step_net"] < 200


def test_meshes_of_chains() -> None:
    """Triangles of a link and volumes: of a torus' bar by its length, of a ball; the meshes are closed."""
    import bench  # noqa: F401  finds the scenes
    import linked

    def volume(text: str) -> tuple[float, int]:
        rows = [line.split() for line in text.splitlines()]
        v = np.array([r[1:] for r in rows if r[0] == "v"], float)
        f = np.array([r[1:] for r in rows if r[0] == "f"], int) - 1
        edges = {(a, b) for t in f for a, b in zip(t, np.roll(t, -1))}
        assert len(edges) == 3 * len(f) and all((b, a) in edges for a, b in edges)
        return float(np.einsum("ij,ij->i", v[f[:, 0]], np.cross(v[f[:, 1]], v[f[:, 2]])).sum() / 6), len(f)

    link, triangles = volume(linked.link())
    bar = np.pi * (linked.BAR / 2) ** 2 * (np.pi * (linked.WIDTH - linked.BAR) + 2 * (linked.LENGTH - linked.WIDTH))
    assert triangles == 440 and 0.9 * bar < link < bar
    ball, _ = volume(linked.ball())
    assert 0.9 * 4 / 3 * np.pi * linked.BALL**3 < ball < 4 / 3 * np.pi * linked.BALL**3 + 2 * bar


def test_pack_of_a_few() -> None:
    t = figures("pack", "--bodies", "12", "--base", "1.6", "--part", "0.1")
    assert t["intersections"] == 0 and t["frames"] > 5
    assert t["cpu_seconds"] > 0 and 0 <= t["rejected_percent"] < 60


def test_large_counts_what_is_sent() -> None:
    t = figures("large", "--tiles", "1", "1", "--steps", "2")
    assert t["bodies"] == 128 and t["ranks"] == 2
    for name in ("collectives", "messages", "bytes"):
        assert t[f"{name}_per_step_found"] > 0
    assert 0 < t["share_of_mpi_found"] < 1 and t["memory_per_body"] > 0


def test_penetration_is_that_of_displaced_cubes() -> None:
    """Known answers: face into face, edge over edge at a right angle, into a wall, and rounded bodies."""
    import cubes

    def pair(dx: float, dz: float, turns: list[list[float]]) -> np.ndarray:
        return np.array([[0.4, 0.5, 0.5, *turns[0]], [0.4 + dx, 0.5, 0.5 + dz, *turns[1]]])

    square, half = [1, 0, 0, 0], np.sqrt(0.5)
    assert np.isclose(cubes.penetration(pair(0.098, 0, [square, square]))[0], 0.002)
    assert cubes.penetration(pair(0.102, 0, [square, square])) == (0.0, 0)
    # by 45 degrees about x and about y: the upper edge of one crosses the lower edge of the other
    about_x, about_y = [np.cos(np.pi / 8), np.sin(np.pi / 8), 0, 0], [np.cos(np.pi / 8), 0, np.sin(np.pi / 8), 0]
    touching = 2 * 0.05 / half
    depth, pairs = cubes.penetration(pair(0, touching - 0.003, [about_x, about_y]))
    assert np.isclose(depth, 0.003) and pairs == 1
    assert cubes.penetration(pair(0, touching + 0.001, [about_x, about_y]))[1] == 0
    # a rounding of 5 mm leaves the faces where they are
    assert np.isclose(cubes.penetration(pair(0.098, 0, [square, square]), 0.005)[0], 0.002)
    wall = np.array([[0.049, 0.5, 0.5, 1, 0, 0, 0]])
    assert np.isclose(cubes.penetration(wall)[0], 0.001)
