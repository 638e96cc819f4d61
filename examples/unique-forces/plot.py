#!/usr/bin/python3
"""Forces of a wall of pushed bricks and of a poured pack: of springs that remember, of contact dynamics, compatible.

    plot.py [--post DIR]

Reads post/contacts-*.dump, writes post/unique-forces.png. Prints how far forces are from the compatible ones, as largest
difference over the largest force: those of the implicit runs from the compatible ones in their own networks and in that
of rigid bricks, those of contact dynamics, normal and friction forces apart, and of the poured pack.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import common  # noqa: E402

TAGS, PLACE, NORMAL = slice(0, 2), slice(2, 5), slice(5, 8)  # columns of the dumps
GIVEN, COMPATIBLE, GIVEN_FRICTION, FRICTION = 8, 9, slice(11, 14), slice(14, 17)
WALLS = ("wall-1", "wall-2", "wall-3")


def read_contacts(path: Path) -> np.ndarray:
    """Contacts of the last frame that bear something, by pair and then by corner of the joint."""
    rows = path.read_text().split("ITEM: ENTRIES")[-1].splitlines()[1:]
    t = np.array([row.split() for row in rows], dtype=float)
    t = t[(t[:, GIVEN] > 0) | (t[:, COMPATIBLE] > 0)]
    _, pair = np.unique(t[:, TAGS], axis=0, return_inverse=True)
    middle = np.array([t[pair == k, PLACE].mean(axis=0) for k in range(pair.max() + 1)])[pair]
    return t[np.lexsort([t[:, 3] > middle[:, 1], t[:, 2] > middle[:, 0], pair])]


def force(t: np.ndarray, normal: int, friction: slice) -> np.ndarray:
    """Whole contact forces."""
    return t[:, [normal]] * t[:, NORMAL] + t[:, friction]


def given(t: np.ndarray) -> np.ndarray:
    """Forces of the run."""
    return force(t, GIVEN, GIVEN_FRICTION)


def compatible(t: np.ndarray) -> np.ndarray:
    """Those of stiff bodies."""
    return force(t, COMPATIBLE, FRICTION)


def apart(f: np.ndarray, g: np.ndarray) -> float:
    """Largest difference over the largest of g."""
    return float(np.linalg.norm(f - g, axis=-1).max() / np.linalg.norm(g, axis=-1).max())


def draw(walls: dict[str, np.ndarray], pack: np.ndarray, path: Path) -> None:
    """Friction forces of the wall contact by contact, and of the pack against the compatible ones."""
    fig, axes = common.figure(1, 2, width=4.2, height=3.0)
    rigid = walls["cold"]
    k = np.argsort(np.linalg.norm(rigid[:, FRICTION], axis=1))
    size = {name: np.linalg.norm(t[k][:, GIVEN_FRICTION], axis=1) for name, t in walls.items()}
    axes[0, 0].plot(size["cold"], "x", color="#d55e00", markersize=4, label="contact dynamics, cold")
    axes[0, 0].plot(size["warm"], "+", color="#cc79a7", markersize=4, label="contact dynamics, warm")
    axes[0, 0].plot(size["wall-3"], ".", color="#0072b2", markersize=4, label="implicit run, stiffest")
    axes[0, 0].plot(np.linalg.norm(rigid[k][:, FRICTION], axis=1), "-", color="0.4", label="compatible")
    common.label(axes[0, 0], "contact of the wall", "friction force (N)")
    axes[0, 0].legend()
    for column, slices, name in ((0, (GIVEN, COMPATIBLE), "normal"), (1, (GIVEN_FRICTION, FRICTION), "friction")):
        x, y = (np.linalg.norm(np.atleast_2d(pack[:, s].T), axis=0) for s in slices)
        axes[0, 1].plot(y, x, "o.x"[column], color=("#0072b2", "#d55e00")[column], markersize=3, label=name)
    top = axes[0, 1].get_xlim()[1]
    axes[0, 1].plot([0, top], [0, top], color="0.6", linewidth=0.6)
    common.label(axes[0, 1], "compatible force of the pack (N)", "force after pouring (N)")
    axes[0, 1].legend()
    common.save(fig, path)


def thermo(post: Path, name: str) -> dict[str, float]:
    """Last values of the compute's vector."""
    table = common.read_thermo(post / f"log.{name}")[-1]
    return {key: float(table[f"c_forces[{k}]"][-1]) for key, k in (("kkt", 2), ("steps", 6), ("slipping", 9), ("spread", 10))}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--post", type=Path, default=HERE / "post")
    post = parser.parse_args().post
    walls = {name: read_contacts(post / f"contacts-{name}.dump") for name in (*WALLS, "cold", "warm")}
    pack = read_contacts(post / "contacts-pack.dump")
    draw(walls, pack, post / "unique-forces.png")
    exact = compatible(walls["cold"])
    values: dict[str, float | int] = {"wall_contacts": len(exact)}
    for name in WALLS:
        key = name.replace("-", "_")
        values[f"{key}_from_compatible"] = apart(given(walls[name]), compatible(walls[name]))
        values[f"{key}_from_rigid_compatible"] = apart(given(walls[name]), exact)
    for name in ("cold", "warm"):
        t = walls[name]
        values[f"{name}_normal_from_compatible"] = apart(t[:, [GIVEN]], t[:, [COMPATIBLE]])
        values[f"{name}_friction_from_compatible"] = apart(t[:, GIVEN_FRICTION], t[:, FRICTION])
    values["warm_from_cold"] = apart(given(walls["warm"]), given(walls["cold"]))
    values["compatible_warm_from_cold"] = apart(compatible(walls["warm"]), exact)
    values["pack_contacts"] = len(pack)
    values["pack_from_compatible"] = apart(given(pack), compatible(pack))
    for name in ("cold", "pack"):
        values.update({f"{name}_{key}": value for key, value in thermo(post, name).items()})
    common.summary(**values)


if __name__ == "__main__":
    main()
