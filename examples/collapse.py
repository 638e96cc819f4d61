"""What the two collapses have in common: contacts, energies and steps against time, shape of the final pile.

Reads in DIR/post: motion.txt (one line per time step), contacts.dump (bodies of each contact), bodies.dump and
shapes.txt.
"""

from __future__ import annotations

import math
from pathlib import Path

import common
import numpy as np


def read_shapes(path: Path) -> dict[int, np.ndarray]:
    """Vertices of each type in its principal frame, (n, 3)."""
    lines = path.read_text().splitlines()
    shapes = {}
    for n, line in enumerate(lines):
        words = line.split()
        if words[:1] == ["shape"]:
            rows = lines[n + 1:n + 1 + int(words[2])]
            shapes[int(words[1])] = np.array([row.split() for row in rows], dtype=float)
    return shapes


def vertices(frame: common.Frame, shapes: dict[int, np.ndarray]) -> np.ndarray:
    """All vertices of all bodies, (n, 3)."""
    place = frame.vectors("x", "y", "z")
    turn = frame.vectors("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")
    parts = []
    for kind, corners in shapes.items():
        own = frame.columns["type"] == kind
        w, u = turn[own, None, 0, None], turn[own, None, 1:]
        t = 2 * np.cross(u, corners[None])
        parts.append((place[own, None] + corners[None] + w * t + np.cross(u, t)).reshape(-1, 3))
    return np.concatenate(parts)


def surface(points: np.ndarray, centre: np.ndarray, radius: float, width: float) -> tuple[np.ndarray, np.ndarray]:
    """Radii and heights of the upper surface: rings of a width, each the mean over twelve sectors of the
    highest vertex; a sector without vertices counts as the floor."""
    away = points[:, :2] - centre
    distance = np.linalg.norm(away, axis=1)
    sector = np.floor(6 * (1 + np.arctan2(away[:, 1], away[:, 0]) / math.pi)).astype(int) % 12
    rings = max(2, math.ceil(radius / width))
    height = np.zeros((rings, 12))
    ring = np.floor(distance / radius * rings).astype(int)
    inside = ring < rings
    np.maximum.at(height, (ring[inside], sector[inside]), points[inside, 2])
    return (np.arange(rings) + 0.5) * radius / rings, height.mean(axis=1)


def pile_shape(frame: common.Frame, shapes: dict[int, np.ndarray]) -> dict[str, float]:
    """Height: of the highest vertex. Radius: about the mean of the bodies' places, it holds the centres of 95 %
    of them. Mean angle: that of the straight line through the upper surface from the axis to the radius."""
    centre = frame.vectors("x", "y").mean(axis=0)
    distance = np.linalg.norm(frame.vectors("x", "y") - centre, axis=1)
    radius = float(np.quantile(distance, 0.95))
    points = vertices(frame, shapes)
    size = 2 * max(np.linalg.norm(s, axis=1).max() for s in shapes.values())
    r, z = surface(points, centre, radius, size)
    slope = np.polyfit(r, z, 1)[0]
    return {"height": float(points[:, 2].max()), "radius": radius, "radius_largest": float(distance.max()),
            "mean_angle": math.degrees(math.atan(-slope)), "mean_height": float(frame.columns["z"].mean())}


def contact_pairs(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Steps, numbers of touching pairs of bodies, numbers of bodies that touch a boundary."""
    steps, bodies, floor = [], [], []
    for block in path.read_text().split("ITEM: TIMESTEP\n")[1:]:
        head, rows = block.split("ITEM: ENTRIES", 1)
        pairs = {tuple(row.split()[:2]) for row in rows.splitlines()[1:]}
        steps.append(int(head.split()[0]))
        floor.append(len({first for first, second in pairs if second.startswith("-")}))
        bodies.append(sum(not second.startswith("-") for _, second in pairs))
    return np.array(steps), np.array(bodies), np.array(floor)


def save_curves(path: Path, t: common.Table, rows: np.ndarray, bodies: np.ndarray, floor: np.ndarray) -> None:
    """What the figure shows as a table, one row for every frame: contacts and energies then, substeps since. rows: those of t
    that belong to the frames."""
    spent = np.diff(t["substeps"][rows], prepend=t["substeps"][rows[0]])
    passed = np.diff(t["time"][rows], prepend=t["time"][rows[0]])
    columns = {"time": t["time"][rows] - t["time"][0], "body_pairs": bodies, "boundary_contacts": floor,
               "kinetic": t["kinetic"][rows], "weight": t["weight"][rows] - t["weight"][-1],
               "lost": t["lost"][rows] - t["lost"][0], "mean_substep": passed / np.maximum(spent, 1)}
    table = np.column_stack(list(columns.values()))
    np.savetxt(path, table, "%.6g", ",", header=",".join(columns), comments="")


def draw(folder: Path) -> dict[str, float]:
    """Writes collapse.png (contacts, energies, substeps against time), the same as curves.csv, and returns figures
    for the summary."""
    post = folder / "post"
    t = common.read_columns(post / "motion.txt")
    steps, bodies, floor = contact_pairs(post / "contacts.dump")
    rows = np.minimum(steps - steps[0], len(t["time"]) - 1)  # motion.txt has one for each time step
    save_curves(post / "curves.csv", t, rows, bodies, floor)
    time = t["time"] - t["time"][0]
    fig, axes = common.figure(3, 1, width=6.0, height=2.6)
    contacts, energy, substep = axes[:, 0]
    when = time[rows]
    contacts.plot(when, bodies, label="body-to-body")
    contacts.plot(when, floor, label="body-to-boundary")
    contacts.legend()
    energy.plot(time, t["kinetic"], label="kinetic")
    energy.plot(time, t["weight"] - t["weight"][-1], label="potential, of the weight")
    energy.plot(time, t["lost"] - t["lost"][0], label="lost in contacts")
    energy.legend()
    taken = np.diff(t["substeps"])
    mean = np.diff(t["time"]) / np.maximum(taken, 1)
    passed = mean > 0  # the first line of a further run is that of the last one's end
    substep.semilogy(time[1:][passed], mean[passed], linewidth=0.6)
    substep.set_ylim(0.5 * mean[passed].min(), 2 * mean.max())
    common.label(contacts, "time (s)", "active contact pairs")
    common.label(energy, "time (s)", "energy (J)")
    common.label(substep, "time (s)", "mean substep (s)")
    common.save(fig, post / "collapse.png")
    total = t["kinetic"] + t["elastic"] + t["weight"]
    scale = total.max() - total.min()
    spent = float(t["substeps"][-1] - t["substeps"][0])
    return {
        "collapse_seconds": float(time[-1]),
        "collapse_mean_substep": float(time[-1] / spent),
        "collapse_newton_per_second": float((t["iterations"][-1] - t["iterations"][0]) / time[-1]),
        "collapse_rejected": int(t["rejected"][-1] - t["rejected"][0]),
        "kinetic_energy_peak": float(t["kinetic"].max()),
        "kinetic_energy_peak_time": float(time[int(np.argmax(t["kinetic"]))]),
        "kinetic_energy_end": float(t["kinetic"][-1]),
        "energy_rise_over_range": float(np.diff(total).max(initial=0.0) / scale),
        "energy_drift": float((t["drift"][-1] - t["drift"][0]) / scale),
        "min_gap": float(t["min_gap"].min()),
        "pairs_end": int(bodies[-1]),
        "boundary_contacts_end": int(floor[-1]),
    }


def report(folder: Path) -> None:
    """Figures, and the shape of the pile before and after the collapse."""
    values = draw(folder)
    shapes = read_shapes(folder / "post" / "shapes.txt")
    frames = list(common.read_dump(folder / "post" / "bodies.dump"))
    common.summary(bodies=len(frames[0].columns["id"]), **values)
    packed = pile_shape(frames[0], shapes)
    common.summary(packed_height=packed["height"], packed_mean_height=packed["mean_height"])
    common.summary(**{f"pile_{key}": value for key, value in pile_shape(frames[-1], shapes).items()})


def check(folder: Path) -> None:
    """Intersections and frames of all checks, post/check_*.txt."""
    totals = {"frames": 0, "intersections": 0}
    for path in sorted((folder / "post").glob("check_*.txt")):
        values = dict(line.split(" = ", 1) for line in path.read_text().splitlines() if " = " in line)
        for key in totals:  # the last of each stands for all files
            totals[key] += int(values[key])
    common.summary(**totals)
