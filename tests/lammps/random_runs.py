"""Random runs (drops, driven walls, feedback walls, loads) whose outputs have to agree with one another.

`script` draws one, `check` measures it. Used by test_consistency.py, by the thousand with `--long`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenes import SHAPES, scene

SCHEMES = ("em", "euler", "newmark")
KINDS = ("drop", "driven wall", "feedback wall", "load")
G = 9.81
FALL, STEPS = 60, 40  # of the two runs


@dataclass
class Figures:
    """Largest disagreements; forces over the weight of all bodies, or over the walls' if that is more."""

    state: float  # at the end of a step: bodies' contact forces, walls, loads
    rows: float  # rows of contact/local against forces on walls
    mean: float  # mean forces on bodies, on walls, and loads
    momentum: float  # change of momentum of all bodies against weight, mean forces on walls, loads
    again: float  # run 0 after the run, over the largest value of the run
    pull: float  # largest mean force by which the floor has pulled, over the weight
    energy: float  # of the balance over all runs, over the largest energy


def motion_of_wall(kind: str, draw: np.random.Generator) -> tuple[str, str]:
    """Variables, and the keyword of the wall."""
    if kind == "driven wall":
        size = draw.uniform(0.002, 0.01)
        return "", f"move wiggle {size:.5f} 0 {size:.5f} {draw.uniform(0.1, 0.4):.5f}"
    if kind == "feedback wall":  # climbs until it bears what it shall
        climb = "variable climb equal 0.05*(1+f_floor[3]/60)*(step>1)"
        return climb, "move variable NULL NULL NULL NULL NULL v_climb"
    return "", ""


def script(seed: int, scheme: str) -> str:
    draw = np.random.default_rng(seed)
    kind = KINDS[seed % 4]
    bodies = "\n".join(
        f"create_polyhedra {1 + k % 2} at {draw.uniform(-0.02, 0.02):.6f} "
        f"{draw.uniform(-0.02, 0.02):.6f} {0.12 + 0.25 * k + draw.uniform(0, 0.02):.6f}"
        for k in range(int(draw.integers(2, 6)))
    )
    mu = draw.choice([0.0, 0.3, 0.6])
    law = f"normal {10 ** draw.uniform(7, 8):.6g} 1.5 gap 0.004 barrier 0.1 -2"
    law += f" damping {draw.choice([0.1, 0.5])}"
    law += f" friction {mu} {0.8 * mu} 1e5 20" if mu else ""
    variables, move = motion_of_wall(kind, draw)
    force = " ".join(f"{f:.4f}" for f in draw.uniform(-3, 3, 3))
    loaded = kind == "load"
    outputs = [
        f"fix push all load/polyhedron force {force} point 0.02 0.01 0" if loaded else "",
        *(f"variable push{k} equal {f'f_push[{k}]' if loaded else 0.0}" for k in (1, 2, 3)),
        *(f"variable p{k} atom mass*v{x}" for k, x in enumerate("xyz", 1)),
        "variable balance equal f_motion[8]+f_motion[9]+f_motion[20]-f_motion[10]-f_motion[22]"
        "+f_motion[11]+f_motion[21]+f_motion[23]-f_motion[12]",
        "compute c all polyhedron/contact/local",
        "compute p all reduce sum v_p1 v_p2 v_p3",
        "compute f all reduce sum fx fy fz",
        "compute tq all property/atom tqx tqy tqz",
        "compute t all reduce sum c_tq[1] c_tq[2] c_tq[3]",
        "compute m all reduce sum f_motion[1] f_motion[2] f_motion[3]",
        "dump rows all local 1 rows c_c[2] c_c[7] c_c[8] c_c[9] c_c[11] c_c[12] c_c[13] c_c[14]",
        "dump_modify rows format float %.17g",
    ]
    vectors = ("f_floor", "c_p", "c_f", "c_t", "c_m")
    thermo = "pe ke press f_floor v_balance v_push1 v_push2 v_push3 "
    thermo += " ".join(f"f_motion[{k}]" for k in (6, 7, 8, 9, 12, 20)) + " "
    thermo += " ".join(f"f_floor[{k}]" for k in (4, 5, 6, 8, 9, 10, 11, 12, 13)) + " "
    thermo += " ".join(f"{v}[{k}]" for v in vectors for k in (1, 2, 3))
    return scene(
        shapes=f"1 box 0.1 0.1 0.1 density 1000 2 stl {SHAPES}/rock1.stl density 2400",
        types=2,
        bodies=f"{bodies}\nset group all quat/random {seed + 1}",
        box="block -4 4 -4 4 -0.5 2.5",
        walls=f"{variables}\nfix floor all wall/polyhedron plane 0 0 0 0 0 1 {move}",
        law=law,
        dt=float(draw.choice([1e-3, 2e-3, 5e-3])),
        motion="\n".join([f"fix motion all implicit/polyhedron scheme {scheme} tol 1e-11", *outputs]),
        thermo=thermo,
        run=f"thermo 1\nvariable weight equal {G}*mass(all)\nprint 'weight = $(v_weight:%.17g)'\n"
        f"run {FALL}\nrun {STEPS}\nrun 0\nrun 1",
    )


def rows_on_walls(path) -> dict[int, np.ndarray]:
    """Sum of the forces on bodies by walls, by step."""
    sums = {}
    for frame in path.read_text().split("ITEM: TIMESTEP\n")[1:]:
        lines = frame.split("ITEM: ENTRIES")[1].splitlines()[1:]
        table = np.array([line.split() for line in lines], dtype=float).reshape(-1, 8)
        table = table[table[:, 0] < 0]
        sums[int(frame.split()[0])] = (table[:, 4:5] * table[:, 1:4] + table[:, 5:8]).sum(axis=0)
    return sums


def largest(error: np.ndarray, scale: np.ndarray) -> float:
    return float((np.abs(error).max(axis=1) / scale).max())


def forces(table, rows: dict[int, np.ndarray], weight: float) -> list[float]:
    """The first four figures and the sixth, of one run."""

    def vector(name: str, first: int = 1) -> np.ndarray:
        return np.column_stack([table[name.format(first + k)] for k in range(3)])

    wall, mean, push = vector("f_floor[{}]"), vector("f_floor[{}]", 8), vector("v_push{}")
    other = push + [0, 0, -weight]
    scale = np.maximum(weight, np.abs(wall).max(axis=1))
    mean_scale = np.maximum(weight, np.abs(mean).max(axis=1))[1:]
    listed = np.array([rows[int(s)] for s in table["Step"]])
    # with forces of other fixes that do not change
    rate = np.diff(vector("c_p[{}]"), axis=0) / np.diff(table["Time"])[:, None]
    return [
        largest(vector("c_f[{}]") + wall - other, scale),
        largest(listed + wall, scale),
        largest((vector("c_m[{}]") + mean - push)[1:], mean_scale),
        largest(rate + (mean - other)[1:], mean_scale),
        float(mean[1:, 2].max() / weight),
    ]


def check(result) -> Figures:
    tables = result.tables()
    rows = rows_on_walls(result.dir / "rows")
    weight = float(result.text.split("\nweight = ")[1].split()[0])
    found = np.max([forces(t, rows, weight) for t in tables[:2]], axis=0)
    jumps = [np.abs(tables[2][k][-1] - v[-1]) / max(np.abs(v).max(), 1e-3) for k, v in tables[1].items()]
    size = max(np.abs(t[k]).max() for t in tables for k in ("f_motion[8]", "f_motion[9]"))
    balance = np.concatenate([t["v_balance"] for t in tables])
    return Figures(
        *found[:4],
        again=max(jumps),
        pull=found[4],
        energy=float(np.ptp(balance) / size),
    )
