"""Decimation of scanned surfaces: closed, without crossing triangles, as large as it says, and taken by the plugin."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT
from scenes import scene

sys.path.insert(0, str(ROOT / "src-plugin" / "python"))
from lammps_polyhedra import decimate  # noqa: E402
from lammps_polyhedra.decimate import Surface  # noqa: E402
from lammps_polyhedra.shapes import Shape  # noqa: E402

pytest.importorskip("vtkmodules", reason="needs python3-vtk9")
PAGE = (ROOT / "doc" / "decimate.md").read_text()


def stone(level: int = 5) -> Surface:
    """10 * 4**level * 2 triangles, as a scan: a ball with dents and bumps, not convex."""
    directions, triangles = Shape(np.zeros((1, 3)), np.zeros((1, 3), int), 1.0).surface(level)
    x, y, z = directions.T
    radius = 1 + 0.25 * np.sin(3 * x + 1) * np.cos(4 * y) + 0.1 * np.sin(7 * z + 2 * x)
    return Surface(directions * radius[:, None] * (0.05, 0.04, 0.03), triangles)


def run(*words: str | Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "lammps_polyhedra.decimate", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "src-plugin" / "python")


def test_a_scan_becomes_a_shape(lammps, tmp_path):
    """20,480 triangles to 300: what is reported is what the plugin gets, which finds nothing to repair or to warn of."""
    old = stone()
    decimate.write(str(tmp_path / "scan.stl"), old)
    done = run(tmp_path / "scan.stl", tmp_path / "few.stl", "--triangles", "300")
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    report = re.findall(r"^(?:before|after): \d+ vertices, (\d+) triangles, volume (\S+), area", done.stdout, re.M)
    (many, before), (few, after) = ((int(n), float(v)) for n, v in report)
    assert many == len(old.triangles) and 290 <= few <= 300
    assert before == pytest.approx(old.volume, rel=1e-5)
    change = float(re.search(r"change of volume by decimation: (\S+) %", done.stdout).group(1))
    assert change == pytest.approx(100 * (after / before - 1), abs=2e-3) and -3 < change < 0.5
    off = float(re.search(r"farthest new vertex from the old surface: (\S+)", done.stdout).group(1))
    assert off < 0.03 * 0.05
    result = lammps("variable m equal mass(all)\n" + scene(shapes="1 stl few.stl density 1000", thermo="v_m", every=10),
                    files={"few.stl": (tmp_path / "few.stl").read_bytes()})
    assert result.thermo()["v_m"][0] == pytest.approx(1000 * after, rel=1e-5)


def test_volume_is_kept(tmp_path):
    old = stone(4)
    decimate.write(str(tmp_path / "scan.stl"), old)
    done = run(tmp_path / "scan.stl", tmp_path / "few.stl", "--triangles", "100", "--keep-volume")
    assert "taken back by scaling" in done.stdout
    few = decimate._surface(decimate.read(str(tmp_path / "few.stl")))
    assert few.volume == pytest.approx(old.volume, rel=1e-6) and len(few.triangles) <= 100
    assert few.open_edges() == 0 and few.crossings() == 0


def test_crossings_are_found():
    """A corner of a box that is pulled through the opposite face; none of a stone."""
    v = np.array([(i, j, k) for k in (-0.5, 0.5) for j in (-0.5, 0.5) for i in (-0.5, 0.5)])
    t = np.array([(0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2),
                  (1, 3, 7), (1, 7, 5)])  # fmt: skip
    box = Surface(v, t)
    assert box.crossings() == 0 and box.open_edges() == 0 and box.volume == pytest.approx(1)
    pulled = v.copy()
    pulled[7] = (-0.2, -0.3, -0.9)
    assert Surface(pulled, t).crossings() > 0
    assert Surface(v, t[1:]).open_edges() == 3
    assert stone(3).crossings() == 0


@pytest.mark.parametrize("name, message", [
    ("open.stl", "the surface is not closed: 3 edges have no triangle on one side"), ("none.stl", "no triangles were read"),
])
def test_what_is_refused(tmp_path, name, message):
    """Nothing is written then."""
    whole = stone(2)
    decimate.write(str(tmp_path / "open.stl"), Surface(whole.vertices, whole.triangles[1:]))
    done = run(tmp_path / name, tmp_path / "few.stl")
    assert done.returncode and message in done.stderr and not (tmp_path / "few.stl").exists()
    assert message.replace("3 edges", "N edges") in PAGE


def test_too_few_triangles(tmp_path):
    """A ring has no closed surface of ten triangles."""
    n, m = 40, 20
    a, b = (2 * np.pi * np.arange(k) / k for k in (n, m))
    u, w = np.meshgrid(a, b, indexing="ij")
    v = np.stack([(2 + 0.3 * np.cos(w)) * np.cos(u), (2 + 0.3 * np.cos(w)) * np.sin(u), 0.3 * np.sin(w)], -1).reshape(-1, 3)
    number = np.arange(n * m).reshape(n, m)
    p, q = number, np.roll(number, -1, 0)
    r, s = np.roll(q, -1, 1), np.roll(p, -1, 1)
    t = np.concatenate([np.stack([p, q, r], -1).reshape(-1, 3), np.stack([p, r, s], -1).reshape(-1, 3)])
    decimate.write(str(tmp_path / "ring.stl"), Surface(v, t))
    done = run(tmp_path / "ring.stl", tmp_path / "few.stl", "--triangles", "10")
    print(done.stderr)
    assert done.returncode and "ask for more" in done.stderr and not (tmp_path / "few.stl").exists()


def test_options_are_those_of_the_page():
    shown = set(re.findall(r"--[a-z-]+", run("--help").stdout)) - {"--help"}
    assert shown == set(re.findall(r"^\| `(--[a-z-]+)", PAGE, re.M))
