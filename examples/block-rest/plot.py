#!/usr/bin/python3
"""Compatible forces of a cube on fixed points and of ten blocks on the ground.

    plot.py [--post DIR]

Reads post/contacts-*.dump, writes post/points.png and post/pile.png. Prints, for the cube, how far (f/k)^(1/(p-1))
is from an affine function of the place, which it is for a rigid body on elastic points, and how indeterminate the
forces are; for the pile, how far the compatible forces are from those of the implicit runs, relative to their norm.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

COUNTS, LOADS = (4, 5, 6, 8), ("centred", "offset")
WEIGHT, PUSH, POINT = 12.0, 6.0, (0.2, -0.15)  # of in.points
STIFFNESS = ("3.9e5", "3.9e6", "3.9e7")
X, RIGID, HOOKE, HERTZ = slice(2, 4), 5, 6, 7  # columns of the dumps of in.points
GIVEN, COMPATIBLE = 8, 9  # and of the piles


def read_contacts(path: Path) -> np.ndarray:
    """Rows of the last frame."""
    rows = path.read_text().split("ITEM: ENTRIES")[-1].splitlines()[1:]
    return np.array([row.split() for row in rows], dtype=float)


def affine_error(x: np.ndarray, y: np.ndarray) -> float:
    """Largest distance of y from the affine function of x that fits it best."""
    a = np.column_stack([np.ones(len(x)), x])
    return float(np.abs(a @ np.linalg.lstsq(a, y, rcond=None)[0] - y).max())


def balance_error(x: np.ndarray, f: np.ndarray, push: float) -> float:
    """Largest error of the force and the moments about the axes of the cube."""
    want = [WEIGHT + push, push * POINT[0], push * POINT[1]]
    return float(np.abs(np.array([f.sum(), x[:, 0] @ f, x[:, 1] @ f]) - want).max())


def by_place(table: np.ndarray) -> np.ndarray:
    """Rows in an order that contacts of two runs of the pile have in common: by body, then by corner."""
    pair = np.where(table[:, 1] < 0, 0, table[:, 0])
    x, y = table[:, 2], table[:, 3]
    middle = {p: (x[pair == p].mean(), y[pair == p].mean()) for p in np.unique(pair)}
    left = np.array([x[k] > middle[p][0] for k, p in enumerate(pair)])
    back = np.array([y[k] > middle[p][1] for k, p in enumerate(pair)])
    return table[np.lexsort([back, left, pair])]


def relative(f: np.ndarray, g: np.ndarray) -> float:
    """|f - g| / |g|"""
    return float(np.linalg.norm(f - g) / np.linalg.norm(g))


def draw_points(cases: dict[str, np.ndarray], path: Path) -> None:
    """Forces as areas of discs where they act: Gauss-Seidel open, compatible filled."""
    fig, axes = common.figure(len(LOADS), len(COUNTS), width=1.9, height=1.9)
    for row, load in zip(axes, LOADS):
        for a, count in zip(row, COUNTS):
            t = cases[f"{count}-{load}"]
            a.scatter(*t[:, X].T, s=80 * t[:, HOOKE], alpha=0.6, label="compatible")
            a.scatter(*t[:, X].T, s=80 * t[:, RIGID], facecolors="none", edgecolors="#d55e00", label="Gauss-Seidel")
            a.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), xticks=[], yticks=[], aspect="equal")
            a.set_title(f"{count} points, {load}", fontsize=8)
    axes[0, 0].legend(loc="center", fontsize=6, markerscale=0.4)
    common.save(fig, path)


def draw_pile(rigid: np.ndarray, soft: np.ndarray, path: Path) -> None:
    """Forces contact by contact, those under the lowest block first."""
    fig, axes = common.figure(width=6.5, height=3.0)
    k = np.arange(len(rigid))
    axes[0, 0].bar(k, rigid[:, COMPATIBLE], color="0.8", label="compatible")
    axes[0, 0].plot(k, rigid[:, GIVEN], "x", color="#d55e00", markersize=4, label="rigid, Gauss-Seidel")
    axes[0, 0].plot(k, soft[:, GIVEN], ".", color="#0072b2", markersize=5, label="implicit run, 3.9e7 N/m")
    common.label(axes[0, 0], "contact, four to a block, from below", "normal force (N)")
    axes[0, 0].legend()
    common.save(fig, path)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    post = parser.parse_args().post
    cases = {f"{n}-{load}": read_contacts(post / f"contacts-{n}-{load}.dump") for n in COUNTS for load in LOADS}
    straight = read_contacts(post / "contacts-straight.dump")
    leaning = {k: by_place(read_contacts(post / f"contacts-leaning-{k}.dump")) for k in STIFFNESS}
    rigid = by_place(read_contacts(post / "contacts-rigid.dump"))
    draw_points(cases, post / "points.png")
    draw_pile(rigid, leaning["3.9e7"], post / "pile.png")
    for name, t in cases.items():
        push = PUSH if name.endswith("offset") else 0.0
        key = name.replace("-", "_")
        common.summary(**{
            f"points_{key}_affine_hooke": affine_error(t[:, X], t[:, HOOKE]),
            f"points_{key}_affine_hertz": affine_error(t[:, X], t[:, HERTZ] ** (2 / 3)),
            f"points_{key}_balance": max(balance_error(t[:, X], t[:, c], push) for c in (HOOKE, HERTZ)),
            f"points_{key}_rigid_off": float(np.abs(t[:, RIGID] - t[:, HOOKE]).max()),
            f"points_{key}_indeterminacy": int(common.read_thermo(post / f"log.{name}")[0]["c_hooke[5]"][-1]),
        })
    common.summary(
        pile_contacts=len(rigid),
        pile_kinetic_energy=float(common.read_thermo(post / "log.leaning-3.9e6")[0]["f_motion[8]"][-1]),
        straight_pile_error=relative(straight[:, GIVEN], straight[:, COMPATIBLE]),
        **{f"leaning_pile_error_{k}": relative(t[:, GIVEN], t[:, COMPATIBLE]) for k, t in leaning.items()},
        **{f"rigid_against_implicit_{k}": relative(rigid[:, COMPATIBLE], t[:, GIVEN]) for k, t in leaning.items()},
        rigid_gauss_seidel_error=relative(rigid[:, GIVEN], rigid[:, COMPATIBLE]),
        rigid_indeterminacy=int(common.read_thermo(post / "log.rigid")[0]["c_forces[5]"][-1]),
    )


if __name__ == "__main__":
    main()
