#!/usr/bin/python3
"""Pressure on the walls of a slot by depth beside Janssen's law.

    plot.py [--post DIR] [--csv FILE]

Reads post/contacts-SHAPE-SEED.dump and post/bodies-SHAPE-SEED.dump, SHAPE a shape, or gran for the spheres of in.gran; writes
post/silo.png and post/silo.csv, or reads the latter (--csv), and prints what Janssen's law is fitted by, with standard errors over the seeds: the length by the vertical stress, then K by the
pressure.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402
import experiment  # noqa: E402

DENSITY, GRAVITY = 2500.0, 9.81  # kg/m^3, m/s^2
SETTLED = 0.5  # of the way of the floor: the frames after it count
BIN = 1.0  # of depth, over the size
COLUMNS = ("shape", "seed", "depth", "pressure", "shear", "vertical", "density")
SIDES = -1.0  # the first fix wall/polyhedron


@dataclass
class Given:
    """Variables of the inputs."""

    size: float = 0.05  # m
    width: float = 5.0  # of the slot, over the size
    depth: float = 3.0

    @property
    def area(self) -> float:
        """Of the section of the slot, m^2."""
        return self.width * self.depth * self.size**2


def sides(frame: common.output.Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Heights of the contacts of the side walls, the forces along the normals of these, and those up the walls (m, N), of in.silo
    or in.gran."""
    c = frame.columns
    if "c_contacts[2]" in c:
        side = c["c_contacts[2]"] == SIDES
        return c["c_contacts[6]"][side], c["c_contacts[11]"][side] * np.abs(c["c_contacts[7]"][side]), c["c_contacts[14]"][side]
    left, right = c["f_left[1]"] > 0, c["f_right[1]"] > 0  # ID of what touches, otherwise 0
    return (np.concatenate([c["z"][left], c["z"][right]]), np.concatenate([c["f_left[2]"][left], -c["f_right[2]"][right]]),
            np.concatenate([c["f_left[4]"][left], c["f_right[4]"][right]]))


def profile(contacts: Path, bodies: Path, given: Given) -> np.ndarray:
    """Rows of COLUMNS from depth on: pressure and shear of the side walls and vertical stress at a depth, over density g
    size, of the bulk; means over frames."""
    *_, last = common.read_dump(bodies)
    mass, z = last.columns["mass"], last.columns["z"] / given.size
    order = np.argsort(z)
    top = float(z[order][-round(given.width * given.depth / 2):].mean() + 0.5)  # of the highest half layer
    frames = list(common.read_dump(contacts))
    frames = frames[round(SETTLED * len(frames)):]
    low = z.min() - 0.5
    bulk = float(mass.sum()) / ((top - low) * given.size * given.area)
    edges = np.arange(0, top - low, BIN)
    area = 2 * BIN * given.depth * given.size**2
    unit = bulk * GRAVITY * given.size
    pressure, shear = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    for frame in frames:
        height, normal, up = sides(frame)
        depth = top - height / given.size
        pressure += np.histogram(depth, edges, weights=normal)[0] / area / len(frames)
        shear += np.histogram(depth, edges, weights=up)[0] / area / len(frames)
    carried = np.concatenate([[0], np.cumsum(shear)]) * area
    held = np.array([mass[z > top - e].sum() for e in edges]) * GRAVITY
    vertical = (held - carried) / given.area
    middle = 0.5 * (edges[1:] + edges[:-1])
    return np.column_stack([middle, pressure / unit, shear / unit, 0.5 * (vertical[1:] + vertical[:-1]) / unit,
                            np.full(len(middle), bulk)])


def janssen(depth: np.ndarray, ratio: float, length: float) -> np.ndarray:
    """Stress over density g size, ratio K for the pressure on the walls and 1 for the vertical one; length over the size."""
    return ratio * length * -np.expm1(-depth / length)


def fit(depth: np.ndarray, vertical: np.ndarray) -> float:
    """Length of Janssen's law by least squares of the vertical stress, over the size; by trial."""
    lengths = np.geomspace(0.5, 200, 2000)
    return float(lengths[np.argmin([((vertical - janssen(depth, 1.0, s)) ** 2).sum() for s in lengths])])


def results(profiles: list[np.ndarray], given: Given) -> dict[str, float]:
    """Of the mean profile of some packs; the lowest two sizes, where the floor is felt, are left out."""
    rows = min(map(len, profiles)) - 2
    depth, pressure, shear, vertical, density = np.mean([p[:rows] for p in profiles], axis=0).T
    length = fit(depth, vertical)
    law = janssen(depth, 1.0, length)
    ratio, friction = float(pressure @ law / (law @ law)), float(shear.sum() / pressure.sum())
    return {"ratio": ratio, "length": length, "wall_friction": friction, "janssen_length": given.width / (2 * ratio * friction),
            "solid_fraction": float(density[0] / DENSITY), "vertical_over_weight": float(vertical[-1] / depth[-1])}


def errors(profiles: list[np.ndarray], given: Given) -> dict[str, float]:
    """Standard errors of results, by leaving out one pack after the other."""
    count = len(profiles)
    left = [results(profiles[:k] + profiles[k + 1:], given) for k in range(count)]
    return {key: math.sqrt((count - 1) * float(np.var([r[key] for r in left]))) for key in left[0]}


def draw(found: dict[str, list[np.ndarray]], given: Given, post: Path) -> None:
    """Pressure and vertical stress by depth, means over the packs."""
    fig, axes = common.figure(columns=2, height=3.2)
    for shape, profiles in found.items():
        rows = min(map(len, profiles))
        mean, sd = np.mean([p[:rows] for p in profiles], axis=0), np.std([p[:rows] for p in profiles], axis=0)
        bar = sd / math.sqrt(max(len(profiles) - 1, 1))
        r = results(profiles, given)
        depth = np.linspace(0, rows, 100)
        for a, column, factor in zip(axes[0], (1, 3), (r["ratio"], 1.0)):
            line = a.errorbar(mean[:, column], mean[:, 0], xerr=bar[:, column], fmt="o", markersize=3, capsize=2, label=shape)
            a.plot(janssen(depth, factor, r["length"]), depth, color=line[0].get_color())
    limit = axes[0, 1].get_xlim()
    axes[0, 1].plot([0, limit[1]], [0, limit[1]], color="0.5", linestyle=":", label="weight of the column")
    for a, name in zip(axes[0], ("pressure on the walls", "vertical stress")):
        a.invert_yaxis()
        common.label(a, rf"{name} / ($\rho\,g\,d$)", "depth / d")
        a.legend()
    common.save(fig, post / "silo.png")


def main() -> None:
    """Command line."""
    args = experiment.arguments(__doc__, HERE)
    given = common.given(Given, args.csv or args.post / "log.silo")
    found: dict[str, list[np.ndarray]] = {}
    if args.csv:
        packs: dict[tuple[str, int], list[list[float]]] = {}
        for row in experiment.read_rows(args.csv):
            packs.setdefault((row["shape"], int(row["seed"])), []).append([float(row[c]) for c in COLUMNS[2:]])
        for (shape, _), values in packs.items():
            found.setdefault(shape, []).append(np.array(values))
    else:
        table: list[list[object]] = []
        for dump in sorted(args.post.glob("contacts-*.dump")):
            shape, seed = dump.stem.removeprefix("contacts-").split("-")
            found.setdefault(shape, []).append(profile(dump, dump.with_name(f"bodies-{shape}-{seed}.dump"), given))
            table += [[shape, seed, *row] for row in found[shape][-1]]
        experiment.write_rows(args.post / "silo.csv", COLUMNS, table, 5, given)
    draw(found, given, args.post)
    for shape, profiles in found.items():
        values = {f"{shape}_{key}": value for key, value in results(profiles, given).items()}
        if len(profiles) > 1:
            values.update({f"{shape}_{key}_standard_error": value for key, value in errors(profiles, given).items()})
        common.summary(**{f"{shape}_packs": len(profiles)}, **values)


if __name__ == "__main__":
    main()
