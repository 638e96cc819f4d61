# SPDX-License-Identifier: MIT
"""A picture with shadows and force chains from the files of fix vtk/polyhedron, without a display.

    python3 -m lammps_polyhedra.picture SERIES [--output PICTURE.png] [--time T] [--color velocity] ...

SERIES is the .pvd file of the bodies, as post/heap-bodies.pvd; walls and chains are those beside it. Needs VTK's Python
module, and where it draws through X only (Debian 12 and 13) the program Xvfb: apt-get install python3-vtk9 xvfb.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import signal
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

PARTS = ("bodies", "walls", "chains")
# of types, in turn: the colours of Okabe and Ito, which the colour-blind tell apart, paler
PALETTE = ((0.36, 0.60, 0.78), (0.90, 0.62, 0.30), (0.55, 0.72, 0.55), (0.80, 0.60, 0.73), (0.93, 0.87, 0.45),
           (0.60, 0.80, 0.92), (0.72, 0.72, 0.72))
# of values, from low to high (dark is much)
HEAT = ((0.95, 0.85, 0.45), (0.96, 0.60, 0.20), (0.85, 0.25, 0.15), (0.45, 0.05, 0.20))
SAMPLES = 2  # pixels across that make one of the picture
FIRST_DISPLAY, DISPLAYS = 100, 50000  # numbers of X servers of our own
ANGLE = 20.0  # degrees that the camera sees, upright
MARGIN = 1.12  # of the picture about the bodies
FLOOR = (0.80, 0.80, 0.78)
FAR = 5  # radii of all bodies together that floors reach; VTK's shadows are dark at the edges of what casts any
DARK = (0.25, 0.25, 0.25)


@dataclass(frozen=True)
class View:
    """What is to be seen, and from where."""

    size: tuple[int, int] = (1200, 900)  # pixels
    azimuth: float = 25.0  # degrees from -y towards +x
    elevation: float = 30.0  # degrees above the horizon
    zoom: float = 1.0
    color: str = "type"  # a value of the bodies; "velocity" is its magnitude
    chains: bool = True
    thickness: float = 0.15  # radius of the thickest chain over that of a body's sphere


def read_series(path: str | Path) -> list[tuple[float, Path]]:
    """Times and files of a .pvd file. ValueError where it is none."""
    path = Path(path)
    try:
        root = xml.parse(path).getroot()
    except xml.ParseError as error:
        raise ValueError(f"{path}: {error}") from None
    entries = [(float(e.get("timestep", "nan")), path.parent / e.get("file", "")) for e in root.iter("DataSet")]
    if not entries:
        raise ValueError(f"{path}: no file is listed in this series")
    return entries


def frame_files(series: str | Path, time: float | None = None) -> tuple[float, dict[str, Path]]:
    """Time and files of the frame next to `time` (None: the last one), by part: bodies, and what there is of the others."""
    series = Path(series)
    head, found, tail = series.name.rpartition("bodies")
    if not found:
        raise ValueError(f"{series}: the series of the bodies is expected, as heap-bodies.pvd")
    at, own = _nearest(read_series(series), time)
    files = {"bodies": own}
    for part in PARTS[1:]:
        other = series.with_name(head + part + tail)
        if other.exists():
            when, path = _nearest(read_series(other), at)
            if when == at:
                files[part] = path
    return at, files


def draw(series: str | Path, picture: str | Path, time: float | None = None, view: View = View()) -> dict[str, float]:
    """Draw a frame of the series into a PNG or JPEG file; what was drawn: time, bodies, chains, largest normal force.

    ModuleNotFoundError without VTK, RuntimeError without a display and Xvfb.
    """
    at, files = frame_files(series, time)
    with display():
        return {"time": at} | _Scene(files, view).write(Path(picture))


@contextmanager
def display() -> Iterator[None]:
    """A display for VTK: the present one, else an Xvfb of our own for as long as it is needed.

    Its number is this process's: servers that come and go at the same number, as Xvfb takes the first free one, remove
    each other's sockets. It is not reset as its last client leaves: one that comes at that moment is refused.
    """
    if os.environ.get("DISPLAY") or sys.platform != "linux":
        yield
        return
    program = shutil.which("Xvfb")
    if program is None:
        raise RuntimeError("there is no display and no Xvfb: apt-get install xvfb")
    get, put = os.pipe()
    quiet = subprocess.DEVNULL
    number = FIRST_DISPLAY + os.getpid() % DISPLAYS
    server = subprocess.Popen([program, f":{number}", "-displayfd", str(put), "-screen", "0", "640x480x24", "-nolisten", "tcp",
                               "-noreset"],
                              preexec_fn=_end_with_parent, pass_fds=[put], stdin=quiet, stdout=quiet, stderr=quiet)
    os.close(put)
    try:
        with os.fdopen(get) as pipe:
            started = pipe.readline().strip()
        if not started:
            raise RuntimeError(f"Xvfb does not start as display {number}")
        os.environ["DISPLAY"] = f":{number}"
        yield
    finally:
        os.environ.pop("DISPLAY", None)
        server.terminate()
        server.wait()


def _end_with_parent() -> None:
    """Linux: the server ends with this process, however that ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def _nearest(entries: list[tuple[float, Path]], time: float | None) -> tuple[float, Path]:
    return entries[-1] if time is None else min(entries, key=lambda e: abs(e[0] - time))


def _vtk() -> Any:
    """VTK's classes. Imported late: the other modules of the package do without it."""
    try:
        import vtkmodules.all as vtk
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{error}: apt-get install python3-vtk9, or pip install vtk") from None
    return vtk


class _Scene:
    """Two layers of a picture: bodies and walls with shadows, and force chains over them, as through glass."""

    def __init__(self, files: dict[str, Path], view: View) -> None:
        self.vtk, self.view = _vtk(), view
        self.data = {part: self.read(path) for part, path in files.items()}
        self.window = self.vtk.vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetSize(*(SAMPLES * n for n in view.size))
        self.window.SetNumberOfLayers(2)
        self.layers = [self.layer(0), self.layer(1)]
        self.bounds = np.array(self.data["bodies"].GetBounds() if self.bodies else (-1, 1) * 3).reshape(3, 2)
        self.middle = self.bounds.mean(axis=1)
        self.radius = 0.5 * float(np.linalg.norm(np.ptp(self.bounds, axis=1))) or 1.0

    @property
    def bodies(self) -> int:
        return self.data["bodies"].GetNumberOfCells()

    def read(self, path: Path) -> Any:
        if not path.exists():
            raise ValueError(f"{path} is missing")
        reader = self.vtk.vtkXMLPolyDataReader()
        reader.SetFileName(str(path))
        reader.Update()
        return reader.GetOutput()

    def layer(self, number: int) -> Any:
        renderer = self.vtk.vtkRenderer()
        renderer.SetLayer(number)
        renderer.SetBackground(0.88, 0.88, 0.87)
        self.window.AddRenderer(renderer)
        return renderer

    def array(self, data: Any, name: str) -> np.ndarray:
        from vtkmodules.util.numpy_support import vtk_to_numpy

        place = data.GetPointData() if data.GetPointData().HasArray(name) else data.GetCellData()
        if not place.HasArray(name):
            names = [place.GetArrayName(n) for n in range(place.GetNumberOfArrays())]
            raise ValueError(f"there are no values {name}, but {', '.join(names)}")
        return vtk_to_numpy(place.GetArray(name))

    def actor(self, source: Any, color: tuple[float, float, float] | None = None, layer: int = 0) -> Any:
        """Of data or of a filter's output, in one colour or in that of its values."""
        mapper = self.vtk.vtkPolyDataMapper()
        if source.IsA("vtkPolyData"):
            mapper.SetInputData(source)
        else:
            mapper.SetInputConnection(source.GetOutputPort())
        actor = self.vtk.vtkActor()
        actor.SetMapper(mapper)
        if color:
            mapper.ScalarVisibilityOff()
            actor.GetProperty().SetColor(*color)
        self.layers[layer].AddActor(actor)
        return actor

    # ---- what is drawn ----

    def add_bodies(self) -> None:
        """Flat faces in the colour of their values, sharp edges as lines."""
        data, name = self.data["bodies"], self.view.color
        values = self.array(data, name)
        vectors = values.ndim > 1
        if name == "type":
            values = np.rint(255 * np.array(PALETTE)[(values.astype(int) - 1) % len(PALETTE)]).astype(np.uint8)
        elif vectors:
            values = np.linalg.norm(values, axis=1)
        actor = self.actor(self.colored(data, values))
        actor.GetProperty().SetInterpolationToFlat()
        actor.GetProperty().SetAmbient(0.25)
        edges = self.vtk.vtkFeatureEdges()
        edges.SetInputData(data)
        edges.SetFeatureAngle(20)
        edges.BoundaryEdgesOff()
        edges.ColoringOff()
        edges.Update()
        lines = self.actor(self.with_normals(edges.GetOutput()), DARK).GetProperty()
        lines.SetLineWidth(SAMPLES)
        lines.SetAmbient(1.0)
        lines.SetDiffuse(0.0)
        if values.ndim == 1:
            low = 0.0 if vectors else float(values.min())
            self.bar(actor.GetMapper(), name, (low, float(values.max())), 0.65)

    def colored(self, data: Any, values: np.ndarray) -> Any:
        """A copy of the data with these values to be coloured by, of its cells or of its points."""
        from vtkmodules.util.numpy_support import numpy_to_vtk

        copy = self.vtk.vtkPolyData()
        copy.ShallowCopy(data)
        array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
        array.SetName("color")
        place = copy.GetCellData() if len(values) == data.GetNumberOfCells() else copy.GetPointData()
        place.SetScalars(array)
        return copy

    def with_normals(self, lines: Any) -> Any:
        """Lines with normals of no meaning: without any they would have no light, and shadows fail there (VTK 9.1)."""
        from vtkmodules.util.numpy_support import numpy_to_vtk

        lines.GetPointData().SetNormals(numpy_to_vtk(np.tile((0.0, 0.0, 1.0), (lines.GetNumberOfPoints(), 1)), deep=True))
        return lines

    def add_walls(self) -> None:
        """Surfaces as they are, planes as floors that reach far; without what camera or lamp see from behind."""
        walls = self.data["walls"]
        points, cells = self.vtk.vtkPoints(), self.vtk.vtkCellArray()
        for n in range(walls.GetNumberOfCells()):
            own = walls.GetCell(n).GetPoints()
            corners = np.array([own.GetPoint(k) for k in range(own.GetNumberOfPoints())])
            normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
            if min(normal @ (self.eye - corners[0]), normal @ (self.lamp - corners[0])) <= 0.0:
                continue
            if len(corners) > 3:
                corners = self.floor(corners[0], normal / np.linalg.norm(normal))
            cells.InsertNextCell(len(corners))
            for x in corners:
                cells.InsertCellPoint(points.InsertNextPoint(*x))
        seen = self.vtk.vtkPolyData()
        seen.SetPoints(points)
        seen.SetPolys(cells)
        self.actor(seen, FLOOR).GetProperty().SetAmbient(0.25)

    def floor(self, point: np.ndarray, normal: np.ndarray) -> np.ndarray:
        """Corners of a piece of a plane below all that is drawn; none of planes that stand."""
        if normal[2] < 0.7:
            return np.zeros((0, 3))
        foot = self.middle - normal * ((self.middle - point) @ normal)
        across = np.cross(normal, self.eye - self.middle)
        across /= np.linalg.norm(across)
        along = np.cross(across, normal)
        return np.array([foot + FAR * self.radius * (i * along + j * across) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])

    def add_chains(self) -> float:
        """Tubes with radii in proportion to the normal force; the largest force."""
        data = self.data["chains"]
        force = self.array(data, "normal_force") if data.GetNumberOfCells() else np.zeros(0)
        most = float(force.max(initial=0.0))
        if most <= 0.0:
            return 0.0
        tubes = self.vtk.vtkTubeFilter()
        tubes.SetInputData(self.colored(data, np.maximum(force, 0.0) * self.view.thickness * self.body_radius() / most))
        tubes.SetVaryRadiusToVaryRadiusByAbsoluteScalar()
        tubes.SetNumberOfSides(12)
        tubes.CappingOn()
        mapper = self.actor(tubes, layer=1).GetMapper()
        mapper.SelectColorArray("normal_force")
        mapper.SetScalarModeToUsePointFieldData()
        self.bar(mapper, "normal force", (0.0, most), 0.03)
        return most

    def body_radius(self) -> float:
        """Half the diagonal of the box about the median body."""
        from vtkmodules.util.numpy_support import vtk_to_numpy

        data = self.data["bodies"]
        points, owner = vtk_to_numpy(data.GetPoints().GetData()), self.array(data, "id")
        corners = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        order = np.argsort(owner, kind="stable")
        first = 3 * np.unique(owner[order], return_index=True)[1]
        mine = points[corners[order].ravel()]
        spans = np.maximum.reduceat(mine, first) - np.minimum.reduceat(mine, first)
        return 0.5 * float(np.median(np.linalg.norm(spans, axis=1)))

    def bar(self, mapper: Any, title: str, limits: tuple[float, float], left: float) -> None:
        """Colours of a value, and their scale at the lower edge."""
        table = self.vtk.vtkColorTransferFunction()
        for n, rgb in enumerate(HEAT):
            table.AddRGBPoint(limits[0] + n * (limits[1] - limits[0]) / (len(HEAT) - 1), *rgb)
        mapper.SetLookupTable(table)
        mapper.SetScalarRange(*limits)
        bar = self.vtk.vtkScalarBarActor()
        bar.SetLookupTable(table)
        bar.SetTitle(title)
        bar.SetNumberOfLabels(2)
        bar.SetLabelFormat("%.3g")
        bar.SetOrientationToHorizontal()
        bar.SetPosition(left, 0.02)
        bar.SetWidth(0.3)
        bar.SetHeight(0.08)
        bar.UnconstrainedFontSizeOn()
        for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
            text.SetColor(0, 0, 0)
            text.ItalicOff()
            text.BoldOff()
            text.ShadowOff()
            text.SetFontSize(SAMPLES * 18)
        self.layers[1].AddActor2D(bar)

    # ---- from where, in what light ----

    def look(self) -> None:
        """The camera so far away that the box about the bodies fits; the lamp above it to the left."""
        axes = self.axes()
        half = np.tan(np.radians(0.5 * ANGLE)) / MARGIN * np.array([self.view.size[0] / self.view.size[1], 1.0])
        corners = (np.stack(np.meshgrid(*self.bounds), -1).reshape(-1, 3) - self.middle) @ axes.T
        distance = float((corners[:, 2:] + np.abs(corners[:, :2]) / half).max()) or 1.0
        camera = self.layers[0].GetActiveCamera()
        camera.SetViewAngle(ANGLE)
        camera.SetFocalPoint(*self.middle)
        self.eye = self.middle + distance / self.view.zoom * axes[2]
        camera.SetPosition(*self.eye)
        camera.SetViewUp(0, 0, 1)
        self.layers[1].SetActiveCamera(camera)
        self.lamp = self.middle + 8 * self.radius * (0.35 * axes[2] - 0.45 * axes[0] + [0, 0, 0.8])

    def axes(self) -> np.ndarray:
        """(3, 3): rows to the right, up and towards the camera."""
        turn, rise = np.radians([self.view.azimuth, self.view.elevation])
        away = np.array([np.sin(turn) * np.cos(rise), -np.cos(turn) * np.cos(rise), np.sin(rise)])
        side = np.array([np.cos(turn), np.sin(turn), 0.0])
        return np.array([side, np.cross(away, side), away])

    def light(self) -> None:
        """On the lower layer a lamp that casts shadows and a weak one at the camera; on the upper one VTK's own."""
        light = self.vtk.vtkLight()
        light.SetPositional(True)
        light.SetPosition(*self.lamp)
        light.SetFocalPoint(*self.middle)
        reach = 4 * self.radius / np.linalg.norm(self.lamp - self.middle)
        light.SetConeAngle(float(np.degrees(np.arcsin(reach))))
        light.SetIntensity(0.7)
        weak = self.vtk.vtkLight()
        weak.SetLightTypeToHeadlight()
        weak.SetIntensity(0.35)
        renderer = self.layers[0]
        renderer.AutomaticLightCreationOff()
        renderer.AddLight(light)
        renderer.AddLight(weak)
        shadows = self.vtk.vtkShadowMapPass()
        shadows.GetShadowMapBakerPass().SetResolution(2048)
        passes = self.vtk.vtkRenderPassCollection()
        passes.AddItem(shadows.GetShadowMapBakerPass())
        passes.AddItem(shadows)
        sequence = self.vtk.vtkSequencePass()
        sequence.SetPasses(passes)
        camera = self.vtk.vtkCameraPass()
        camera.SetDelegatePass(sequence)
        renderer.SetPass(camera)

    def write(self, picture: Path) -> dict[str, float]:
        """Draw all and write the file."""
        drawn = {"bodies": 0.0, "chains": 0.0, "largest_normal_force": 0.0}
        self.look()
        if self.bodies:
            self.add_bodies()
            drawn["bodies"] = float(len(np.unique(self.array(self.data["bodies"], "id"))))
        if "walls" in self.data:
            self.add_walls()
        if "chains" in self.data and self.view.chains and self.bodies:
            drawn["chains"] = float(self.data["chains"].GetNumberOfCells())
            drawn["largest_normal_force"] = self.add_chains()
        for renderer in self.layers:
            renderer.ResetCameraClippingRange()
        self.light()
        self.window.Render()
        grab = self.vtk.vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        shrink = self.vtk.vtkImageShrink3D()
        shrink.SetInputConnection(grab.GetOutputPort())
        shrink.SetShrinkFactors(SAMPLES, SAMPLES, 1)
        shrink.AveragingOn()
        small = picture.suffix in (".jpg", ".jpeg")
        writer = self.vtk.vtkJPEGWriter() if small else self.vtk.vtkPNGWriter()
        if small:
            writer.SetQuality(80)
        writer.SetInputConnection(shrink.GetOutputPort())
        picture.parent.mkdir(parents=True, exist_ok=True)
        writer.SetFileName(str(picture))
        writer.Write()
        self.window.Finalize()
        if not picture.exists():
            raise ValueError(f"{picture} cannot be written")
        return drawn


def _arguments() -> argparse.Namespace:
    own = View()
    parser = argparse.ArgumentParser(prog="python3 -m lammps_polyhedra.picture", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("series", help="the .pvd file of the bodies, as post/heap-bodies.pvd")
    parser.add_argument("--output", help=".png or .jpg; the name of the series with .png")
    parser.add_argument("--time", type=float, help="simulation time of the frame; the last one")
    parser.add_argument("--size", default=f"{own.size[0]}x{own.size[1]}", help="pixels, as 1200x900")
    parser.add_argument("--azimuth", type=float, default=own.azimuth, help="degrees from -y towards +x")
    parser.add_argument("--elevation", type=float, default=own.elevation, help="degrees above the horizon")
    parser.add_argument("--zoom", type=float, default=own.zoom, help="larger: nearer")
    parser.add_argument("--color", default=own.color, help="value of the bodies: type, id, velocity, contacts ...")
    parser.add_argument("--no-chains", action="store_true", help="bodies and walls alone")
    parser.add_argument("--thickness", type=float, default=own.thickness, help="of the thickest chain, over the body's radius")
    return parser.parse_args()


def main() -> int:
    """Command line."""
    given = _arguments()
    try:
        width, height = (int(n) for n in given.size.split("x"))
        view = View((width, height), given.azimuth, given.elevation, given.zoom, given.color, not given.no_chains, given.thickness)
        output = Path(given.output or Path(given.series).with_suffix(".png"))
        drawn = draw(given.series, output, given.time, view)
    except (OSError, RuntimeError, ValueError, ModuleNotFoundError) as error:
        print(f"picture: {error}", file=sys.stderr)
        return 1
    for name, value in drawn.items():
        print(f"{name} = {value:.6g}")
    print(f"picture = {output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
