#!/usr/bin/python3
"""Discharge through slots or round holes beside Beverloo's law.

    plot.py [--holes] [--post DIR] [--csv FILE]

Reads post/log.slot-WIDTH-SEED, writes post/hopper.png and post/hopper.csv, or reads the latter (--csv), and prints rates
with standard errors over the seeds, the exponent of Beverloo's law, and the widths at which the flow stops. With --holes
these are post/log.hole-WIDTH-SEED, post/hole.png and post/hole.csv.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402
import experiment  # noqa: E402
from lammps_polyhedra.bodies import Bodies  # noqa: E402, found by common
from lammps_polyhedra.shapes import read_shapes  # noqa: E402

LENGTH, DENSITY, GRAVITY = 2.0, 2500.0, 9.81  # of the prisms over the size; kg/m^3, m/s^2
EDGE = 1.4  # Beverloo's k, of seeds through holes: width that is lost at the edges, over the size
COLUMNS = ("width", "seed", "rate", "discharged", "kinetic_energy")
AT_REST = 1e-9  # J


@dataclass
class Slot:
    """Variables of in.slot."""

    size: float = 0.05  # m
    part: float = 0.3  # of the mass, at whose discharge a run ends
    shape = "prisms"  # no variable


@dataclass
class Hole(Slot):
    """Variables of in.hole."""

    part: float = 0.25
    shape: str = "icosahedra"


@dataclass(frozen=True)
class Opening:
    """What is told of one kind of opening."""

    logs: str  # post/log.LOGS-WIDTH-SEED
    exponent: float  # Beverloo's
    called: str
    length: float  # of the opening over the size, 1 if rates are not over a length
    unit: str  # of rates, in a label
    first: float  # part of the mass, from which to that where runs end the rate is taken
    given: type[Slot]


SLOT = Opening("slot", 1.5, "three_halves", LENGTH, r"($\rho\,g^{1/2} d^{3/2}$ length)", 0.08, Slot)
HOLE = Opening("hole", 2.5, "five_halves", 1.0, r"($\rho\,g^{1/2} d^{5/2}$)", 0.0, Hole)


def measure(log: Path, kind: Opening, given: Slot) -> tuple[float, float, float, float, float]:
    """Width, seed, rate of discharge over its scale (NaN where the flow ends before the last part), part that has flown out,
    kinetic energy in the end."""
    _, width, seed = log.name.rsplit("-", 2)
    t, held = common.read_thermo(log)[-1], "v_held"
    come = DENSITY * t["f_in[1]"] if "f_in[1]" in t else 0.0 * t[held]
    gone = (t[held][0] - t[held] + come - come[0]) / t[held][0]
    chosen = (gone >= kind.first) & (gone <= given.part)
    flows = chosen.sum() > 5 and gone[-1] > given.part
    rate = float(np.polyfit(t["Time"][chosen], gone[chosen], 1)[0]) if flows else math.nan
    scale = DENSITY * math.sqrt(GRAVITY) * given.size**2.5 * kind.length
    return float(width), float(seed), rate * t[held][0] / scale, float(gone[-1]), float(t["f_motion[8]"][-1])


def fit(width: np.ndarray, rate: np.ndarray, kind: Opening) -> tuple[float, float, float]:
    """Exponent with EDGE; edge and constant with Beverloo's exponent. NaN of fewer than two widths."""
    if len(np.unique(width)) < 2:
        return math.nan, math.nan, math.nan
    exponent = np.polyfit(np.log(width - EDGE), np.log(rate), 1)[0]
    slope, cut = np.polyfit(width, rate ** (1 / kind.exponent), 1)
    return float(exponent), float(-cut / slope), float(slope**kind.exponent)


def errors(rows: np.ndarray, kind: Opening) -> np.ndarray:
    """Standard errors of fit's results, by drawing seeds again."""
    generator, seeds = np.random.default_rng(1), np.unique(rows[:, 1])
    draws = []
    for _ in range(400):
        t = np.concatenate([rows[rows[:, 1] == s] for s in generator.choice(seeds, len(seeds))])
        draws.append(fit(t[:, 0], t[:, 2], kind))
    return np.std(draws, axis=0)


def draw_frame(axes: Axes, frame: common.Frame, shapes: Path, slot: float, size: float) -> None:
    """The prisms and the floor from the side."""
    rows, sides = shapes.read_text().splitlines(), {}
    for k, row in enumerate(rows):
        if row.startswith("shape"):
            kind, count = map(int, row.split()[1:3])
            corners = np.array([r.split() for r in rows[k + 1:k + 1 + count]], dtype=float)
            side = corners[corners[:, 1] < 0][:, [0, 2]]
            sides[kind] = side[np.argsort(np.arctan2(side[:, 1], side[:, 0]))]
    q = frame.vectors("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")
    for kind, place, turn in zip(frame.columns["type"], frame.vectors("x", "z"), 2 * np.arctan2(q[:, 2], q[:, 0])):
        c, s = np.cos(turn), np.sin(turn)
        axes.add_patch(Polygon(place + sides[int(kind)] @ np.array([[c, -s], [s, c]]), facecolor="#e8d8b8", edgecolor="0.2",
                               linewidth=0.4))
    edge, wall = 0.5 * slot * size, frame.bounds[0, 1] - size  # the box reaches so far beyond the walls
    for sign in (-1, 1):
        axes.plot([sign * edge, sign * wall], [0, 0], color="0.2")
        axes.plot([sign * wall, sign * wall], [0, 1.2 * wall], color="0.2")
    axes.set(xlim=(-wall - 0.02, wall + 0.02), ylim=(-0.3, 1.2 * wall), aspect="equal")
    axes.axis("off")


def draw_rates(axes: Axes, rows: np.ndarray, edge: float, constant: float, kind: Opening, shape: str) -> None:
    """Rates against the width of the opening, and Beverloo's law with its exponent."""
    flows = rows[~np.isnan(rows[:, 2])]
    axes.plot(flows[:, 0], flows[:, 2], "o", markersize=3, label=shape)
    if not math.isnan(edge):
        x = np.linspace(edge, flows[:, 0].max() + 0.5, 100)
        power = f"^{{{kind.exponent * 2:.0f}/2}}$"
        axes.plot(x, constant * (x - edge) ** kind.exponent, label=f"{constant:.2f} (D/d - {edge:.1f})${power}")
    axes.legend()
    common.label(axes, f"width of the {kind.logs} / size", f"rate / {kind.unit}")


def section(corners: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """(n, 2): x and z of the corners of a convex body's section with the plane y = 0, around it; none if it has none."""
    a, b = corners[triangles], corners[np.roll(triangles, 1, axis=1)]
    cut = (a[..., 1] > 0) & (b[..., 1] <= 0)  # edges go up in one of their triangles
    a, b = a[cut], b[cut]
    points = (a + (b - a) * (a[:, 1] / (a[:, 1] - b[:, 1]))[:, None])[:, [0, 2]]
    off = points - points.mean(axis=0) if len(points) else points
    return points[np.argsort(np.arctan2(off[:, 1], off[:, 0]))]


def draw_section(axes: Axes, frame: common.Frame, shapes: Path, hole: float, size: float) -> None:
    """Grains and floor, cut through the middle of the hole."""
    bodies = Bodies.of_frame(frame, read_shapes(shapes))
    for n in range(len(bodies)):
        points = section(bodies.vertices(n), bodies.shapes[int(bodies.type[n])].triangles)
        if len(points) > 2:
            axes.add_patch(Polygon(points, facecolor="#e8d8b8", edgecolor="0.2", linewidth=0.4))
    x, z = frame.bounds[0, 1], bodies.x[:, 2].max()
    for sign in (-1, 1):
        axes.plot([sign * 0.5 * hole * size, sign * x], [0, 0], color="0.2")
    axes.set(xlim=(-1.1 * x, 1.1 * x), ylim=(-0.3, z + size), aspect="equal")
    axes.axis("off")


def draw_holes(rows: np.ndarray, edge: float, constant: float, given: Slot, post: Path) -> None:
    """Rates against the width of the hole, and their roots, which Beverloo's law has on a line; the flow of the first pack
    through the widest hole in the end."""
    fig, axes = common.figure(columns=3, width=3.2)
    draw_rates(axes[0, 0], rows, edge, constant, HOLE, given.shape)
    flows, a = rows[~np.isnan(rows[:, 2])], axes[0, 1]
    a.plot(flows[:, 0], flows[:, 2] ** (1 / HOLE.exponent), "o", markersize=3, label=given.shape)
    if not math.isnan(edge):
        x = np.array([edge, flows[:, 0].max() + 0.5])
        a.plot(x, constant ** (1 / HOLE.exponent) * (x - edge))
    a.set(xlim=(0, None), ylim=(0, None))
    common.label(a, "width of the hole / size", f"(rate / {HOLE.unit})$^{{2/5}}$")
    width, seed = rows[:, 0].max(), int(rows[0, 1])
    dump = post / f"bodies-hole-{width:g}-{seed}.dump"
    if dump.exists():
        *_, last = common.read_dump(dump)
        draw_section(axes[0, 2], last, post / f"shapes-hole-{width:g}-{seed}.txt", width, given.size)
    common.save(fig, post / "hole.png")


def draw_slots(rows: np.ndarray, edge: float, constant: float, given: Slot, post: Path) -> None:
    """Rates against the width of the slot, and the first pack over the narrowest and the widest slot in the end."""
    fig, axes = common.figure(columns=3, width=3.2)
    draw_rates(axes[0, 0], rows, edge, constant, SLOT, given.shape)
    for column, width in enumerate((rows[:, 0].min(), rows[:, 0].max()), 1):
        seed = int(rows[0, 1])
        dump = post / f"bodies-slot-{width:g}-{seed}.dump"
        if dump.exists():
            *_, last = common.read_dump(dump)
            draw_frame(axes[0, column], last, post / f"shapes-{seed}.txt", width, given.size)
    common.save(fig, post / "hopper.png")


def main() -> None:
    """Command line."""
    args = experiment.arguments(__doc__, HERE, "holes")
    kind, name = (HOLE, "hole") if args.holes else (SLOT, "hopper")
    logs = sorted(args.post.glob(f"log.{kind.logs}-*"))
    given = common.given(kind.given, *logs)
    if args.csv:
        table = experiment.read_table(args.csv, COLUMNS)
    else:
        table = np.array(sorted(measure(log, kind, given) for log in logs))
        experiment.write_rows(args.post / f"{name}.csv", COLUMNS, table, 6)
    flows = table[~np.isnan(table[:, 2])]
    found = fit(flows[:, 0], flows[:, 2], kind)
    (draw_holes if args.holes else draw_slots)(table, *found[1:], given, args.post)
    seeds = len(np.unique(table[:, 1]))
    values: dict[str, float | int | str] = {"seeds": seeds}
    for width in np.unique(table[:, 0]):
        rates, rest = table[table[:, 0] == width][:, [2, 4]].T
        values[f"stopped_at_{width:g}"] = int((rest < AT_REST).sum())
        flowing = rates[~np.isnan(rates)]
        if len(flowing):
            values.update(experiment.mean(f"rate_at_{width:g}", flowing))
    names = ("exponent", f"edge_with_{kind.called}", f"constant_with_{kind.called}")
    values.update(zip(names, found))
    if seeds > 1:
        values.update({f"{name}_standard_error": float(error) for name, error in zip(names, errors(flows, kind))})
    common.summary(**values, reference=kind.exponent)


if __name__ == "__main__":
    main()
