"""Built-in shapes of fix polyhedron/shape: the table of their page, and rocks that fall."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

from conftest import ROOT
from scenes import grid, scene

sys.path.insert(0, str(ROOT / "src-plugin" / "python"))
from lammps_polyhedra import read_shapes  # noqa: E402

PAGE = ROOT / "doc" / "fix_polyhedron_shape.md"


def table() -> list[tuple[str, list[float]]]:
    found = re.findall(r"^\| `([a-z]+ [\d. ]+(?:round [\d.]+)?)` \| (.*) \|$", PAGE.read_text(), re.M)
    return [(source, [float(x) for x in cells.split(" | ")]) for source, cells in found]


def volume_and_surface(v: np.ndarray, t: np.ndarray) -> tuple[float, float]:
    a, b, c = (v[t[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    return float(np.einsum("ij,ij->", a, normals) / 6), float(np.linalg.norm(normals, axis=1).sum() / 2)


def test_table_of_the_page(lammps):
    """Volume, sphericity, vertices and triangles of each source of the table."""
    rows = table()
    assert len(rows) == 15
    shapes = " ".join(f"{n} {source}" for n, (source, _) in enumerate(rows, 1))
    run = lammps(scene(types=len(rows), shapes=shapes, bodies="", walls="", law="normal 1e6 1.5 gap 0.01", motion="", run=""))
    made = read_shapes(run.dir / "shapes.txt")
    for n, (source, (volume, sphericity, vertices, triangles)) in enumerate(rows, 1):
        v, t = made[n].vertices, made[n].triangles
        have, surface = (made[n].volume, made[n].area) if made[n].round else volume_and_surface(v, t)
        assert (len(v), len(t)) == (vertices, triangles), source
        assert have == pytest.approx(volume, rel=1e-3), source
        assert np.pi ** (1 / 3) * (6 * have) ** (2 / 3) / surface == pytest.approx(sphericity, abs=6e-4), source


def test_rocks_fall(lammps):
    """Rocks, a prism and regular bodies on a floor: they come down, none enters another."""
    shapes = "1 rock 0.1 0.08 0.06 20 1 density 2650 random 1 2 rock 0.12 0.06 0.04 12 2 density 2650 random 2 " \
             "3 prism 6 0.05 0.08 density 2650 random 3 4 dodecahedron 0.04 density 2650 random 4"
    run = lammps(scene(types=4, shapes=shapes, bodies=grid(2, 2, 2, 0.13, (-0.065, -0.065, 0.12), 4), law="auto velocity 2 friction 0.5 0.4",
                       motion="scheme em", dt=2e-3, every=50, thermo="ke", run="run 200"), may_warn="auto")
    low = run.frames()[-1].columns["z"].min()
    assert 0.015 < low < 0.07
    assert lammps.intersections(run, "dump", "0 0 0 0 0 1") == 0
