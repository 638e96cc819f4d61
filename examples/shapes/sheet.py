#!/usr/bin/python3
"""The table of doc/shapes.md and its picture, made anew from the shapes that the plugin makes.

    sheet.py                      prints the table
    sheet.py --write              puts it into the page and draws doc/pictures/shapes.jpg
    sheet.py --picture FILE       draws the picture alone

The definitions are those of the page's table. LMP and PLUGIN in the environment, or cmake/setup.sh builds them; the picture
needs VTK's Python module and a display or Xvfb, as examples/render.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "src-plugin" / "python"))
from lammps_polyhedra.picture import DARK, PALETTE, SAMPLES, display  # noqa: E402
from lammps_polyhedra.shapes import Shape, read_shapes  # noqa: E402

PAGE = ROOT / "doc" / "shapes.md"
ROW = re.compile(r"^\| `([^`|]+)` \|.*\|$", re.M)
CELLS = 8  # atom types of a definition that is in parts
ACROSS, TILE, TEXT = 7, 170, 26  # pictures in a row; their pixels, and those of the text below them

INPUT = """plugin load {plugin}
units si
atom_style ellipsoid
boundary f f f
region box block -1 1 -1 1 -1 1
create_box {types} box
fix shapes all polyhedron/shape {shapes} write {file}
"""


def definitions(page: str) -> list[str]:
    """First cells of the rows of the page's table."""
    return ROW.findall(page)


def script(sources: list[str], plugin: str, file: str) -> tuple[str, list[int]]:
    """Input that makes the shapes, and the first atom type of each."""
    first, words, last = [], [], 0
    for source in sources:
        count = CELLS if source.startswith("voronoi") else 1
        first.append(last + 1)
        words.append(f"{last + 1}*{last + count} {source}")
        last += count
    return INPUT.format(plugin=plugin, types=last, shapes=" &\n  ".join(words), file=file), first


def environment() -> dict[str, str]:
    """With LMP and PLUGIN."""
    own = dict(os.environ)
    if "LMP" not in own or "PLUGIN" not in own:
        setup = ["bash", str(ROOT / "cmake" / "setup.sh"), "--print-env"]
        done = subprocess.run(setup, check=True, stdout=subprocess.PIPE, text=True)
        own.update(re.findall(r"^(\w+)='(.*)'$", done.stdout, re.M))
    return own


def make(sources: list[str]) -> list[Shape]:
    """The shapes that LAMMPS makes of the definitions; of those in parts the first one."""
    env = environment()
    with tempfile.TemporaryDirectory() as folder:
        text, first = script(sources, env["PLUGIN"], "shapes.txt")
        (Path(folder) / "in.shapes").write_text(text)
        command = [env["LMP"], "-in", "in.shapes", "-log", "none"]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout[-2000:] + done.stderr)
        shapes = read_shapes(Path(folder) / "shapes.txt")
    return [shapes[kind] for kind in first]


def values(shape: Shape) -> list[float]:
    """The cells of a row after the first one."""
    return [len(shape.vertices), len(shape.triangles), shape.volume, shape.area, shape.sphericity, shape.angularity,
            shape.elongation, shape.flatness]  # fmt: skip


def row(source: str, shape: Shape) -> str:
    nv, nt, *rest = values(shape)
    size = [f"{x:.4g}" for x in rest[:2]] + [f"{abs(x):.3f}" for x in rest[2:]]
    return " | ".join([f"| `{source}`", str(nv), str(nt), *size]) + " |"


def draw(sources: list[str], shapes: list[Shape], path: Path) -> None:
    """A sheet with all shapes, each as large as its place allows."""
    import vtkmodules.all as vtk

    down = -(-len(sources) // ACROSS)
    width, height = SAMPLES * ACROSS * TILE, SAMPLES * down * (TILE + TEXT)
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(width, height)
    for n, (source, shape) in enumerate(zip(sources, shapes)):
        left, top = n % ACROSS / ACROSS, 1 - n // ACROSS / down
        text = TEXT / (TILE + TEXT) / down
        window.AddRenderer(_picture(vtk, shape, (left, top - 1 / down + text, left + 1 / ACROSS, top), n))
        window.AddRenderer(_label(vtk, source, (left, top - 1 / down, left + 1 / ACROSS, top - 1 / down + text)))
    for n in range(len(sources), ACROSS * down):
        left, top = n % ACROSS / ACROSS, 1 - n // ACROSS / down
        window.AddRenderer(_empty(vtk, (left, top - 1 / down, left + 1 / ACROSS, top)))
    window.Render()
    grab, shrink, writer = vtk.vtkWindowToImageFilter(), vtk.vtkImageShrink3D(), vtk.vtkJPEGWriter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    shrink.SetInputConnection(grab.GetOutputPort())
    shrink.SetShrinkFactors(SAMPLES, SAMPLES, 1)
    shrink.AveragingOn()
    writer.SetQuality(80)
    writer.SetInputConnection(shrink.GetOutputPort())
    writer.SetFileName(str(path))
    writer.Write()


def _empty(vtk, place: tuple[float, ...]):
    renderer = vtk.vtkRenderer()
    renderer.SetViewport(*place)
    renderer.SetBackground(1, 1, 1)
    return renderer


def _label(vtk, text: str, place: tuple[float, ...]):
    renderer, actor = _empty(vtk, place), vtk.vtkTextActor()
    actor.SetInput(text)
    style = actor.GetTextProperty()
    style.SetFontSize(SAMPLES * (12 if len(text) < 24 else 9))
    style.SetColor(0, 0, 0)
    style.SetJustificationToCentered()
    actor.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    actor.SetPosition(0.5, 0.3)
    renderer.AddActor2D(actor)
    return renderer


def _picture(vtk, shape: Shape, place: tuple[float, ...], number: int):
    renderer = _empty(vtk, place)
    vertices, triangles = shape.surface(5)
    points, cells = vtk.vtkPoints(), vtk.vtkCellArray()
    for x in vertices:
        points.InsertNextPoint(*x)
    for t in triangles:
        cells.InsertNextCell(3)
        for corner in t:
            cells.InsertCellPoint(int(corner))
    data = vtk.vtkPolyData()
    data.SetPoints(points)
    data.SetPolys(cells)
    body = _actor(vtk, renderer, data, PALETTE[number % len(PALETTE)])
    body.SetInterpolationToFlat()
    body.SetAmbient(0.25)
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(data)
    edges.SetFeatureAngle(8)
    edges.BoundaryEdgesOff()
    edges.ColoringOff()
    edges.Update()
    lines = _actor(vtk, renderer, edges.GetOutput(), DARK)
    lines.SetLineWidth(SAMPLES)
    lines.SetLighting(False)
    _look(renderer, vertices)
    return renderer


def _actor(vtk, renderer, data, color):
    mapper, actor = vtk.vtkPolyDataMapper(), vtk.vtkActor()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*color)
    renderer.AddActor(actor)
    return actor.GetProperty()


def _look(renderer, vertices: np.ndarray) -> None:
    turn, rise = np.radians([25.0, 22.0])
    away = np.array([np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise)])
    side = np.array([np.cos(turn), np.sin(turn), 0.0])
    seen = vertices @ np.array([side, np.cross(away, side)]).T
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle = 0.5 * (low + high) @ np.array([side, np.cross(away, side)])
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetFocalPoint(*middle)
    camera.SetPosition(*(middle + 10 * np.abs(vertices).max() * away))
    camera.SetViewUp(0, 0, 1)
    camera.SetParallelScale(0.54 * float((high - low).max()))
    renderer.ResetCameraClippingRange()


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help="into the page, with its picture")
    parser.add_argument("--picture", type=Path, help="draw the picture into this JPEG file")
    given = parser.parse_args()
    page = PAGE.read_text()
    sources = definitions(page)
    shapes = make(sources)
    rows = dict(zip(sources, map(row, sources, shapes)))
    print("\n".join(rows.values()))
    if given.write:
        PAGE.write_text(ROW.sub(lambda found: rows[found.group(1)], page))
    picture = given.picture or (ROOT / "doc" / "pictures" / "shapes.jpg" if given.write else None)
    if picture:
        with display():
            draw(sources, shapes, picture)
        print(f"picture = {picture}")


if __name__ == "__main__":
    main()
