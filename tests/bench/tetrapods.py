"""The scripts of example tetrapod-collapse, and the pack that they leave, kept in the build folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import bench

EXAMPLE = bench.ROOT / "examples" / "tetrapod-collapse"


def run(name: str, folder: Path, ranks: int, variables: dict[str, object]) -> bench.Run:
    """One script of the example, with its variables."""
    (folder / "post").mkdir(exist_ok=True)
    settings = {"plugin": os.environ["PLUGIN"], "shapes": EXAMPLE.parent / "shapes", **variables}
    words = [w for key, value in settings.items() for w in ("-var", key, str(value))]
    return bench.lammps((EXAMPLE / name).read_text(), folder, ranks, False, arguments=words)


def pack(args, ranks: int) -> Path:
    """Restart file of the pack."""
    folder = bench.cache(f"pack-{args.bodies}-{args.base:g}")
    file = folder / "post" / "packed.restart"
    if args.fresh or not file.exists():
        print(f"packing {args.bodies} tetrapods ...", file=sys.stderr, flush=True)
        run("in.pack", folder, ranks, {"bodies": args.bodies, "base": args.base})
    return file
