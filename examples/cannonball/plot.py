#!/usr/bin/python3
"""Figures 8 to 19 and Table 1 of the 2018 paper: forces in a pyramid of spheres.

    plot.py [--post DIR] [--base N]

Reads post/contacts-*.dump, and dem.csv and dem-histogram.csv if their pyramid is of the same size; writes
post/forces.png, post/histograms.png, post/floor.png and post/table.csv, prints what the tests judge.
All forces are in weights of a sphere.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

import numpy as np
from matplotlib.collections import LineCollection

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

DIAMETER = 2.5e-3
WEIGHT = 2000.0 * np.pi / 6 * DIAMETER**3 * 9.81
LAWS = {"hooke": "Hooke", "two": "Hooke, two materials", "hertz": "Hertz"}
COLUMN = {"rigid": 8, "hooke": 9, "hertz": 10, "two": 11}  # of a dump
CARRIES = 1e-3  # a contact with less counts as carrying nothing, as in dem-histogram.csv
PAPER = {"hooke": (0.17, 0.19, 1.9e-5), "hertz": (0.17, 0.19, 2.8e-5), "two": (0.22, 0.25, 2.3e-5)}
LIMIT = {"hooke": ("hooke-3", "hooke-2", 10.0), "two": ("two-3", "two-2", 10.0),
         "hertz": ("hertz-1", "hertz", 10.0 ** (2 / 3))}  # two runs, by how much the error falls


def read_contacts(path: Path) -> np.ndarray:
    """Rows of the last frame."""
    rows = path.read_text().split("ITEM: ENTRIES")[-1].splitlines()[1:]
    return np.array([row.split() for row in rows], dtype=float)


def read_csv(path: Path) -> common.Table:
    """Columns of a CSV file with comments."""
    rows = list(csv.reader(line for line in path.open() if not line.startswith("#")))
    return {name: np.array(column, dtype=float) for name, column in zip(rows[0], zip(*rows[1:]))}


def floor_map(contacts: np.ndarray, force: np.ndarray, base: int) -> np.ndarray:
    """Vertical forces on the lowest layer, (base, base)."""
    on_floor = contacts[:, 0] <= base * base
    sphere = contacts[on_floor, 0].astype(int) - 1
    down = -contacts[on_floor, 7] * force[on_floor]
    return np.bincount(sphere, down, base * base).reshape(base, base)


def asymmetry(f: np.ndarray) -> float:
    """Largest difference between a map and its mirror images."""
    return float(max(np.abs(f - m).max() for m in (f.T, f[::-1], f[:, ::-1])))


def error(f: np.ndarray, reference: np.ndarray) -> float:
    """|f - reference| / |reference|, Euclidean norms over the spheres of the lowest layer: Table 1."""
    return float(np.linalg.norm(f - reference) / np.linalg.norm(reference))


# ---- figures ----------------------------------------------------------------------------------


def draw_forces(contacts: np.ndarray, shown: dict[str, np.ndarray], path: Path) -> None:
    """Contact forces seen from the side, strong ones before weak ones."""
    fig, axes = common.figure(2, 3, width=3.6, height=2.6)
    top = max(f.max() for f in shown.values())
    for a, (name, force) in zip(axes.flat, shown.items()):
        order = np.argsort(force)
        order = order[force[order] > CARRIES]
        middle = contacts[order][:, [2, 4]] / DIAMETER
        arm = 0.5 * contacts[order][:, [5, 7]]
        lines = LineCollection(np.stack([middle - arm, middle + arm], axis=1), cmap="viridis_r",
                               linewidths=0.2 + 2.5 * force[order] / top)
        lines.set_array(force[order])
        lines.set_clim(0.0, top)
        a.add_collection(lines)
        a.autoscale()
        a.set_aspect("equal")
        a.set_axis_off()
        a.set_title(name, fontsize=9)
    for a in axes.flat[len(shown):]:
        a.set_axis_off()
    fig.colorbar(lines, ax=axes, label="contact force / weight of a sphere", shrink=0.7)
    common.save(fig, path)


def draw_histograms(shown: dict[str, np.ndarray], dem: common.Table | None, path: Path) -> None:
    """How often forces occur, the compatible ones beside those of DEM."""
    fig, axes = common.figure(2, 3, width=3.2, height=2.4)
    edges = np.append(dem["low"], dem["high"][-1]) if dem else np.linspace(0, 8, 81)
    for a, (name, force) in zip(axes.flat, shown.items()):
        a.hist(force[force > CARRIES], edges, color="#0072b2", alpha=0.6, label=name)
        law = next((key for key, text in LAWS.items() if text == name), None)
        if dem and law:
            a.stairs(dem[law], edges, color="#d55e00", label="DEM, 50 GPa")
        a.legend()
        common.label(a, "contact force / weight", "contacts")
    for a in axes.flat[len(shown):]:
        a.set_axis_off()
    common.save(fig, path)


def draw_floor(maps: dict[str, dict[str, np.ndarray]], path: Path) -> None:
    """Figure 19: a column per law, a row per way of finding the forces."""
    fig, axes = common.figure(len(maps), len(LAWS), width=1.9, height=1.75)
    top = max(f.max() for row in maps.values() for f in row.values())
    for line, (name, row) in zip(axes, maps.items()):
        for a, law in zip(line, LAWS):
            picture = a.imshow(row[law], origin="lower", vmin=0.0, vmax=top, cmap="viridis")
            a.set_xticks([])
            a.set_yticks([])
            if name == next(iter(maps)):
                a.set_title(LAWS[law], fontsize=9)
        line[0].set_ylabel(name)
    fig.colorbar(picture, ax=axes, label="vertical force / weight of a sphere", shrink=0.6)
    common.save(fig, path)


# ---- tables -----------------------------------------------------------------------------------


def table(solutions: dict[str, np.ndarray], dem: common.Table | None, compatible: dict[str, np.ndarray],
          contacts: np.ndarray, base: int, path: Path) -> None:
    """Every solution against DEM: errors of the floor forces, largest contact force, asymmetry."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["solution", "error_hooke", "error_hertz", "error_two", "largest_over_hooke",
                       "asymmetry"])
        for name, force in solutions.items():
            f = floor_map(contacts, force, base)
            errors = [f"{error(f.ravel(), dem[law]):.3g}" if dem else "" for law in ("hooke", "hertz", "two")]
            rows.writerow([name, *errors, f"{force.max() / compatible['hooke'].max():.4g}", f"{asymmetry(f):.2g}"])


def compare(maps: dict[str, np.ndarray], dem: common.Table) -> dict[str, float]:
    """Errors of the compatible forces: against DEM by stiffness, and against its limit."""
    values = {}
    for law, f in maps.items():
        for name in [c for c in dem if c == law or (c.startswith(law) and c[len(law)] in "+-")]:
            values[f"error_{name}"] = error(f.ravel(), dem[name])
        soft, stiff, ratio = LIMIT[law]
        limit = (ratio * dem[stiff] - dem[soft]) / (ratio - 1.0)
        values[f"error_{law}_extrapolated"] = error(f.ravel(), limit)
        values[f"paper_error_{law}"] = PAPER[law][2]
    return values


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    parser.add_argument("--base", type=int, default=20)
    args = parser.parse_args()
    post, base = args.post, args.base
    contacts = read_contacts(post / "contacts-apgd-cold.dump")
    compatible = {law: contacts[:, COLUMN[law]] / WEIGHT for law in LAWS}
    classic = {path.stem.removeprefix("contacts-"): read_contacts(path)[:, COLUMN["rigid"]] / WEIGHT
               for path in sorted(post.glob("contacts-*.dump"))}
    dem, histogram = read_csv(HERE / "dem.csv"), read_csv(HERE / "dem-histogram.csv")
    if len(dem["i"]) != base * base:
        dem = histogram = None
    maps = {law: floor_map(contacts, f, base) for law, f in compatible.items()}

    shown = {text: compatible[law] for law, text in LAWS.items()}
    shown |= {"APGD, cold": classic["apgd-cold"], "PGS by number, cold": classic["pgs-tag-cold"],
              "PGS at random, cold": classic["pgs-random-cold"]}
    draw_forces(contacts, shown, post / "forces.png")
    draw_histograms(shown, histogram, post / "histograms.png")
    rows = {name: dict.fromkeys(LAWS, floor_map(contacts, classic[key], base))
            for name, key in (("APGD", "apgd-cold"), ("PGS, by number", "pgs-tag-cold"),
                              ("PGS, at random", "pgs-random-cold"))}
    rows["compatible"] = maps
    if dem:
        rows["DEM"] = {law: dem[law].reshape(base, base) for law in LAWS}
    draw_floor(rows, post / "floor.png")
    solutions = classic | {f"compatible {law}": f for law, f in compatible.items()}
    table(solutions, dem, compatible, contacts, base, post / "table.csv")

    history = common.read_columns(post / "history-apgd-cold.txt")
    moves = history["kinetic_energy"] > 1e-12 * history["kinetic_energy"].max()
    weight = base * (base + 1) * (2 * base + 1) // 6 - base * base
    last = common.read_thermo(post / "log.cannonball")[0]
    common.summary(
        contacts=len(contacts),
        settled_after=int(history["step"][np.flatnonzero(moves)[-1]]),
        **{f"kkt_{law}": float(last[f"c_{law}[2]"][-1]) for law in LAWS},
        **{f"floor_total_error_{law}": float(abs(f.sum() - weight)) for law, f in maps.items()},
        asymmetry_hooke=asymmetry(maps["hooke"]),
        asymmetry_hertz=asymmetry(maps["hertz"]),
        largest_force_hooke=float(compatible["hooke"].max()),
        beside_largest=float(compatible["hooke"][np.abs(contacts[:, 7]) < 0.1].max()),
        **(compare(maps, dem) if dem else {}),
    )
    for name, force in classic.items():
        f = floor_map(contacts, force, base)
        reference = dem["hooke"] if dem else maps["hooke"].ravel()
        common.summary(**{f"classic_{name}_error": error(f.ravel(), reference),
                          f"classic_{name}_asymmetry": asymmetry(f)})


if __name__ == "__main__":
    main()
