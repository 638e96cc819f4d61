"""Pictures of the files of fix vtk/polyhedron by VTK, and meshes for OVITO."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT, environment, show
from scenes import FLOOR, SHAPES, scene
from vtk_reader import read_vtp

PACKAGE = ROOT / "src-plugin" / "python"
sys.path.insert(0, str(PACKAGE))
import lammps_polyhedra as poly  # noqa: E402
from lammps_polyhedra import ovito, picture  # noqa: E402

STEPS = 60
SCENE = scene(
    types=3,
    shapes=f"1 stl {SHAPES}/tetrapod.stl density 2400 2 box 0.1 0.1 0.1 density 1000 3 prism 6 0.04 0.1 round 0.01 density 1000",
    bodies="""create_polyhedra 2 at 0.0 0.0 0.0515
create_polyhedra 2 at 0.02 0.0 0.153
create_polyhedra 1 at 0.3 0.3 0.5 rotate 30 1 2 3
create_polyhedra 3 at -0.2 -0.1 0.2 rotate 40 1 1 0
velocity all set 0.1 0 -0.2""",
    walls=f"{FLOOR}\nfix side all wall/polyhedron plane -0.4 0 0 1 0 0",
    law="normal 1e6 1.5 gap 0.002 damping 0.5 friction 0.5 0.4 1e5 10",
    motion="scheme em",
    every=STEPS,
    thermo="f_floor[1] f_floor[2] f_floor[3]",
    extra=f"fix picture all vtk/polyhedron {STEPS} post/heap-*.vtp",
    run=f"run {STEPS}",
)


@pytest.fixture(scope="module")
def heap(host, tmp_path_factory):
    from conftest import Lammps

    return Lammps(tmp_path_factory.mktemp("render"), *host)(f"shell mkdir post\n{SCENE}")


def run(module: str, *arguments: object, **environ: str) -> subprocess.CompletedProcess:
    env = environment() | {"PYTHONPATH": str(PACKAGE)} | environ
    env.pop("DISPLAY", None)
    return subprocess.run([sys.executable, "-m", f"lammps_polyhedra.{module}", *map(str, arguments)], capture_output=True,
                          text=True, env=env, timeout=200)


def data_of(path: Path):
    """What VTK's own reader makes of a file."""
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    return reader.GetOutput()


# ---- VTK ----


def test_forces_in_vtk_are_the_thermo_output(heap) -> None:
    """Through the series and VTK's reader: the contacts with the floor add up to what LAMMPS prints of it."""
    pytest.importorskip("vtkmodules", reason="needs python3-vtk9")
    from vtkmodules.util.numpy_support import vtk_to_numpy

    time, path = picture.read_series(heap.dir / "post" / "heap-contacts.pvd")[-1]
    points = data_of(path).GetPointData()
    column = {points.GetArrayName(n): vtk_to_numpy(points.GetArray(n)) for n in range(points.GetNumberOfArrays())}
    force = column["normal"] * column["normal_force"][:, None] + column["friction_force"]
    on_floor = -force[column["id_b"] == -1].sum(axis=0)
    t = heap.thermo()
    printed = np.array([t[f"f_floor[{k}]"][-1] for k in (1, 2, 3)])
    error = np.abs(on_floor - printed).max() / np.abs(printed).max()
    show(time=time, contacts=len(force), floor=printed[2], error=error)
    assert time == pytest.approx(STEPS * 1e-3) and abs(printed[2]) > 1.0 and error < 1e-12


def colors(path: Path) -> np.ndarray:
    import matplotlib.image

    return np.rint(255 * matplotlib.image.imread(path)[:, :, :3]).astype(int)


def test_picture_is_not_blank(heap) -> None:
    """Bodies of three colours, edges, shadows, chains in the colours of forces; without chains none of these."""
    pytest.importorskip("vtkmodules", reason="needs python3-vtk9")
    series = heap.dir / "post" / "heap-bodies.pvd"
    done = run("picture", series, "--size", "400x300", "--output", heap.dir / "a.png")
    if "no Xvfb" in done.stderr:
        pytest.skip("needs xvfb")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    lines = dict(line.split(" = ") for line in done.stdout.splitlines())
    chains = read_vtp(heap.dir / "post" / f"heap-chains.{STEPS}.vtp")
    assert lines["bodies"] == "4" and int(lines["chains"]) == len(chains.cells)
    assert float(lines["largest_normal_force"]) == pytest.approx(chains.point["normal_force"].max(), rel=1e-5)
    assert lines["picture"] == str(heap.dir / "a.png")
    image = colors(heap.dir / "a.png")
    assert image.shape == (300, 400, 3)
    blue = (image[:, :, 2] > image[:, :, 0] + 30).sum()
    fire = (image[:, :, 0] > image[:, :, 2] + 80).sum()
    show(colors=len(np.unique(image.reshape(-1, 3), axis=0)), blue=blue, fire=fire)
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 100 and blue > 200 and fire > 200
    run("picture", series, "--size", "400x300", "--output", heap.dir / "b.png", "--no-chains", "--color", "velocity", "--time", "0")
    assert np.abs(colors(heap.dir / "b.png") - image).max() > 100


def test_what_a_picture_needs(heap, tmp_path) -> None:
    done = run("picture", heap.dir / "post" / "heap-walls.pvd")
    assert done.returncode == 1 and "the series of the bodies is expected, as heap-bodies.pvd" in done.stderr
    (tmp_path / "a-bodies.pvd").write_text("<VTKFile><Collection></Collection></VTKFile>")
    assert "no file is listed in this series" in run("picture", tmp_path / "a-bodies.pvd").stderr
    assert "No such file" in run("picture", tmp_path / "b-bodies.pvd").stderr
    pytest.importorskip("vtkmodules", reason="needs python3-vtk9")
    series = heap.dir / "post" / "heap-bodies.pvd"
    assert "there is no display and no Xvfb: apt-get install xvfb" in run("picture", series, PATH=str(tmp_path)).stderr
    done = run("picture", series, "--color", "mass", "--output", heap.dir / "c.png")
    assert "no Xvfb" in done.stderr or "there are no values mass, but id, type, velocity" in done.stderr


# ---- OVITO ----


def turned(vertices: np.ndarray, q: np.ndarray) -> np.ndarray:
    """By q v q*, each product written out."""
    w, u = q[0], q[1:]
    t = 2 * np.cross(u, vertices)
    return vertices + w * t + np.cross(u, t)


def read_obj(path: Path) -> tuple[np.ndarray, np.ndarray]:
    words = [line.split() for line in path.read_text().splitlines()]
    rows = {k: [w[1:] for w in words if w[0] == k] for k in "vf"}
    return np.array(rows["v"], float), np.array(rows["f"], int) - 1


def test_meshes_and_quaternions_are_the_bodies(heap) -> None:
    """As OVITO puts them: mesh of the type, turned by the quaternion, at the place; against the world's vertices."""
    done = run("ovito", heap.dir / "shapes.txt", heap.dir / "dump", "--output", heap.dir / "ovito")
    assert done.returncode == 0, done.stderr
    assert "type 3: " in done.stdout and "2 frames: " in done.stdout
    frame = list(poly.read_dump(heap.dir / "ovito" / "dump"))[-1]
    assert (frame.columns["radius"] == 1).all()
    world = read_vtp(heap.dir / "post" / f"heap-bodies.{STEPS}.vtp")
    cells, worst = np.array(world.cells), 0.0
    for n, kind in enumerate(frame.columns["type"]):
        vertices, triangles = read_obj(heap.dir / "ovito" / f"type{kind}.obj")
        mine = turned(vertices, frame.vectors(*ovito.NAMES)[n]) + frame.vectors("x", "y", "z")[n]
        if kind != 3:
            there = world.points[cells[world.cell["id"] == frame.columns["id"][n]]]
            worst = max(worst, float(np.abs(mine[triangles] - there).max()))
    show(error=worst)
    assert worst < 1e-12


def test_mesh_of_a_rounded_shape(heap) -> None:
    """Its vertices are on the surface, its volume is near; the surface is closed and turned outwards."""
    shape = poly.read_shapes(heap.dir / "shapes.txt")[3]
    vertices, triangles = shape.surface()
    volumes = [poly.Shape(*shape.surface(level)).volume / shape.volume for level in (3, 4, 5)]
    show(volumes=volumes)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    assert len(np.unique(edges, axis=0)) == len(edges) and set(map(tuple, edges)) == set(map(tuple, edges[:, ::-1]))
    assert 0.97 < volumes[0] < volumes[1] < volumes[2] < 1.0
    ball = poly.Shape(np.zeros((1, 3)), np.zeros((1, 3), int), 0.5)
    assert np.allclose(np.linalg.norm(ball.surface()[0], axis=1), 0.5, rtol=1e-14)


@pytest.mark.parametrize("columns, message", [
    ("id type x y z", r"columns c_q\[1\], .* are not in this dump"),
    ("id type x y z c_q[1] c_q[2] c_q[3] c_q[4] radius", "radius would scale the meshes"),
])
def test_dumps_that_do_not_fit(tmp_path, columns, message) -> None:
    (tmp_path / "dump").write_text(f"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n0\nITEM: ATOMS {columns}\n")
    with pytest.raises(ValueError, match=message):
        ovito.convert_dump(tmp_path / "dump", tmp_path / "copy")
