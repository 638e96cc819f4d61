# SPDX-License-Identifier: MIT
"""Meshes of the atom types for OVITO, in the frame of the quaternions, and dumps as it names their columns.

    python3 -m lammps_polyhedra.ovito SHAPES [DUMP] [--output FOLDER]

SHAPES is the file of `fix polyhedron/shape ... write FILE`. It writes typeN.obj for each type and, of a dump with id, type,
x, y, z and quaternions, a copy with the columns quatw, quati, quatj, quatk and radius that OVITO knows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from .bodies import QUATERNION
from .shapes import Shape, read_shapes

NAMES = ("quatw", "quati", "quatj", "quatk")


def write_meshes(shapes: Mapping[int, Shape], folder: str | Path) -> dict[int, Path]:
    """An OBJ file for each type; their paths. Of rounded shapes the mesh is near the surface, see Shape.surface."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = {}
    for kind, shape in sorted(shapes.items()):
        vertices, triangles = shape.surface()
        lines = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in vertices]
        lines += ["f " + " ".join(str(n + 1) for n in t) for t in triangles]
        paths[kind] = folder / f"type{kind}.obj"
        paths[kind].write_text("\n".join(lines) + "\n")
    return paths


def convert_dump(dump: str | Path, copy: str | Path, quaternion: Sequence[str] = QUATERNION) -> int:
    """Write the dump with the names of OVITO and radius 1, by which it scales meshes; the number of frames.

    ValueError where columns are missing.
    """
    rows = frames = 0
    with Path(dump).open() as old, Path(copy).open("w") as new:
        for line in old:
            if line.startswith("ITEM:"):
                atoms = line.startswith("ITEM: ATOMS")
                if atoms:
                    frames += 1
                    line = " ".join(_renamed(dump, line.split(), quaternion)) + "\n"
                rows = atoms
            elif rows:
                line = line.rstrip() + " 1\n"
            new.write(line)
    return frames


def _renamed(dump: str | Path, words: list[str], quaternion: Sequence[str]) -> list[str]:
    if set(NAMES) <= set(words):
        quaternion = NAMES
    missing = [n for n in ("id", "type", "x", "y", "z", *quaternion) if n not in words]
    if missing:
        raise ValueError(f"{dump}: the columns {', '.join(missing)} are not in this dump")
    if "radius" in words:
        raise ValueError(f"{dump}: the column radius would scale the meshes: leave it out")
    new = dict(zip(quaternion, NAMES))
    return [new.get(w, w) for w in words] + ["radius"]


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python3 -m lammps_polyhedra.ovito", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("shapes", help="file of fix polyhedron/shape ... write FILE")
    parser.add_argument("dump", nargs="?", help="text dump with id, type, x, y, z and quaternions")
    parser.add_argument("--output", default="ovito", help="folder; ovito")
    parser.add_argument("--quaternion", default=" ".join(QUATERNION), help="columns of w, i, j, k; as by compute q all "
                        "property/atom quatw quati quatj quatk")
    given = parser.parse_args()
    try:
        for kind, path in write_meshes(read_shapes(given.shapes), given.output).items():
            print(f"type {kind}: {path}")
        if given.dump:
            copy = Path(given.output) / Path(given.dump).name
            print(f"{convert_dump(given.dump, copy, given.quaternion.split())} frames: {copy}")
    except (OSError, ValueError) as error:
        print(f"ovito: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
