"""The Python package: shapes and their properties, live runs, dumps of bodies and contacts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import HERE, ROOT, environment, show
from scenes import FLOOR, LAW, scene

sys.path.insert(0, str(ROOT / "src-plugin" / "python"))
import lammps_polyhedra as poly  # noqa: E402

PILE = dict(
    shapes="1 box 0.1 0.1 0.1 density 1000 2 tetrapod 0.1 0.03 0.6 density 2000",
    types=2,
    bodies="lattice sc 0.2 origin 0.5 0.5 0.5\nregion low block -0.2 0.2 -0.2 0.2 0 0.4 units box\n"
    "create_atoms 1 region low\nset atom 2*3 type 2",
    motion="scheme em",
    law=LAW + " damping 0.5 friction 0.5 0.4 1e5 10",
    box="block -1 1 -1 1 -0.1 1",
    dt=2.5e-3,
)


@pytest.fixture
def python(host) -> dict[str, str]:
    """Environment of a Python that finds LAMMPS's module, its library and the package."""
    binary = Path(host[0])
    module = binary.parents[1] / "src" / "python"
    if not (module / "lammps").is_dir() or not list(binary.parent.glob("liblammps*.so*")):
        pytest.skip(f"no Python module of LAMMPS in {module}, or no shared library beside {binary}")
    paths = [str(module), str(ROOT / "src-plugin" / "python")]
    return environment() | {"PYTHONPATH": os.pathsep.join(paths), "LD_LIBRARY_PATH": str(binary.parent)}


def test_live_runs(host, version, python, tmp_path) -> None:
    """Two instances, poses, surfaces, contacts that sum up to the atoms' forces, errors as exceptions."""
    (tmp_path / "in.live").write_text(f"plugin load {host[1]}\n" + scene(run="", **PILE))
    done = subprocess.run([sys.executable, "-u", HERE / "live.py", "in.live"], cwd=tmp_path, capture_output=True, text=True,
                          env=python)
    print(done.stdout)
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
    if version > 20220000:  # hosts before are built without exceptions: an error ends the process
        assert done.returncode == 0, done.stderr
        assert "normal stiffness must be > 0" in lines["error"]
    assert float(lines["fallen"]) > 0.01
    assert 0.0 < float(lines["lowest"]) < 0.0012
    bodies, contacts = lines["triangles"].split(), lines["contacts"].split()
    assert bodies[1] == "8" and int(contacts[1]) > 8 > int(contacts[0])
    if version > 20220000:
        assert "run 0 before" in lines["moved"]
    assert int(lines["lifted"].split()[0]) < int(contacts[1]) and float(lines["raised"]) < 1e-12
    assert float(lines["difference"]) < 1e-12 and float(lines["late"]) < 1e-12
    assert np.allclose([float(x) for x in lines["box"].split()], [1e-3, 0.06, (np.pi / 6) ** (1 / 3)], rtol=1e-12)


def test_surfaces_of_rounded_bodies() -> None:
    """A ball and a box in one scene: the ball's surface is about its centre, not a triangle of one point."""
    box = poly.Shape(np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]), np.zeros((12, 3), dtype=int))
    ball = poly.Shape(np.zeros((1, 3)), np.zeros((1, 3), dtype=int), round=0.5)
    one = np.array([1.0, 0.0, 0.0, 0.0])
    bodies = poly.Bodies(np.array([1, 2]), np.array([1, 2]), np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]), np.array([one, one]), {1: box, 2: ball})
    vertices, triangles, owner = bodies.surfaces()
    of_ball = np.unique(triangles[owner == 1])
    radius = np.linalg.norm(vertices[of_ball] - [3.0, 0.0, 0.0], axis=1)
    show(vertices=len(of_ball), least=radius.min(), most=radius.max(), of_box=(owner == 0).sum())
    assert len(of_ball) > 100 and np.allclose(radius, 0.5, rtol=1e-12) and (owner == 0).sum() == 12
    assert triangles[owner == 0].max() < 8 <= of_ball.min()


def test_dumps_agree_with_forces(lammps) -> None:
    """The same from files: bodies of a dump, contacts of a local dump, on two processes."""
    columns = " ".join(f"c_k[{n}]" for n in range(20, 0, -1))
    extra = (f"compute k all polyhedron/contact/local\ndump k all local 180 contacts index {columns}\n"
             "dump_modify k format float %.17g\ndump f all custom 180 forces id type mass x y z fx fy fz c_q[1] c_q[2] "
             "c_q[3] c_q[4]\ndump_modify f sort id format float %.17g")
    result = lammps(scene(every=180, extra=extra, run="run 180", walls=FLOOR, **PILE), ranks=2)
    shapes = poly.read_shapes(result.dir / "shapes.txt")
    frame = list(poly.read_dump(result.dir / "forces"))[-1]
    step, contacts = list(poly.read_contacts(result.dir / "contacts"))[-1]
    bodies = poly.Bodies.of_frame(frame, shapes)
    force = frame.vectors("fx", "fy", "fz") + 9.81 * np.outer(frame.columns["mass"], [0, 0, 1])
    error = np.abs(contacts.force_on(bodies.id) - force).max() / np.abs(force).max()
    show(error=error, contacts=len(contacts), volume=bodies.volume())
    assert step == frame.step == 180 and error < 1e-12
    lowest = min(bodies.vertices(n)[:, 2].min() for n in range(len(bodies)))
    assert np.isclose(lowest, bodies.surfaces()[0][:, 2].min(), rtol=0, atol=1e-15)
    assert np.isclose(lowest, contacts["gap"][contacts["b"] == -1].min(), rtol=1e-9)


def test_shapes(lammps) -> None:
    """Principal axes, centres and volumes against the plugin's masses and moments."""
    rock = ROOT / "examples" / "shapes" / "rock1.stl"
    result = lammps(scene(shapes=f"1 stl {rock} density 1500", extra="dump m all custom 1 masses id mass\n"
                          "dump_modify m format float %.17g", run="run 0"))
    shape = poly.read_shapes(result.dir / "shapes.txt")[1]
    mass = next(poly.read_dump(result.dir / "masses")).columns["mass"][0]
    moments = shape.inertia
    show(volume=shape.volume, sphericity=shape.sphericity, edges=len(shape.edges))
    assert np.isclose(1500 * shape.volume, mass, rtol=1e-12)
    assert np.abs(shape.center).max() < 1e-12 * shape.radius
    assert np.abs(moments - np.diag(np.diag(moments))).max() < 1e-12 * np.trace(moments)
    assert 0.5 < shape.sphericity < 1.0
    assert len(shape.vertices) - len(shape.edges) + len(shape.triangles) == 2


@pytest.mark.parametrize("text, message", [
    ("shape 1 2\n", "line 1: 'shape TYPE NV NT' is expected"),
    ("shape 1 2 0\n0 0 0\n", "ends at line 2, 1 lines are missing"),
    ("shape 1 1 0\n0 0\n", "line 2: three numbers are expected"),
])
def test_bad_shape_files(tmp_path, text, message) -> None:
    (tmp_path / "shapes").write_text(text)
    with pytest.raises(ValueError, match=message):
        poly.read_shapes(tmp_path / "shapes")


def test_missing_columns(tmp_path) -> None:
    (tmp_path / "dump").write_text("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ENTRIES\n0\nITEM: BOX BOUNDS ff ff ff\n"
                                   "0 1\n0 1\n0 1\nITEM: ENTRIES index c_k[1]\n")
    with pytest.raises(ValueError, match=r"columns \[2, 3"):
        list(poly.read_contacts(tmp_path / "dump"))


def test_install_by_pip(tmp_path) -> None:
    """Installable from the folder, without the network."""
    source = tmp_path / "python"
    subprocess.run(["cp", "-r", ROOT / "src-plugin" / "python", source], check=True)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--target",
           tmp_path / "target", source]
    if subprocess.run([*pip[:3], "--version"], capture_output=True).returncode:
        pytest.skip("no pip for this Python")
    done = subprocess.run(pip, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    code = "import lammps_polyhedra as p; print(p.__file__, p.COLUMNS.names)"
    out = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(tmp_path / "target")},
                         capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) in out and "normal_force" in out


def test_blocks_are_no_table(tmp_path) -> None:
    """Files whose rows come in blocks, each with its own heads, are refused by name."""
    for kind, block in (("rows", "TimeStep Number-of-rows\n# Row f_floor"), ("bins", "TimeStep Number-of-bins\n# Bin Coord Count")):
        (tmp_path / "blocks").write_text(f"# Time-averaged data\n# {block}\n0 2\n1 15\n2 0\n20 2\n1 15\n2 0\n")
        with pytest.raises(ValueError, match="rows come in blocks"):
            poly.read_columns(tmp_path / "blocks")


COLUMNS = """run 1
thermo_style custom time step atoms
thermo_modify norm no
run 2
run 3 pre no
thermo_style custom step time
run 1"""
YAML = """Per MPI rank memory allocation (min/avg/max) = 3.9 | 3.9 | 3.9 Mbytes
---
keywords: ['Step', 'Time', ]
data:
  - [0, 0, ]
...
Loop time of 1e-05 on 1 procs for 0 steps with 1 atoms
"""


def test_thermo_of_any_columns(lammps) -> None:
    """One table per run, whatever the first column is, also where the host sets nothing up again."""
    result = lammps(scene(every=1, extra='fix p all print 1 "Step 5 is near"', run=COLUMNS), may_warn="thermo_modify")
    tables = result.tables()
    show(tables=[list(t) for t in tables])
    assert [list(t)[0] for t in tables] == ["Step", "Time", "Time", "Step"]
    assert [list(t["Step"]) for t in tables[1:]] == [[1, 2, 3], [3, 4, 5, 6], [6, 7]]
    with pytest.raises(ValueError, match="no column Step: Time"):
        poly.join([{"Time": np.zeros(1)}])


def test_thermo_that_is_no_table(lammps) -> None:
    """Styles multi and yaml are refused by file and line, not left out."""
    result = lammps(scene(run="thermo_style multi\nrun 1"), may_warn="thermo_modify")
    (result.dir / "yaml").write_text(YAML)
    for log in ("log.lammps", "yaml"):
        with pytest.raises(ValueError, match=rf"{log}: line \d+: thermodynamic output is no table: .* line one"):
            poly.read_thermo(result.dir / log)


def test_files_that_are_still_written(tmp_path) -> None:
    """Cut anywhere, a dump has the frames that are whole, and a table the rows that are."""
    head = "ITEM: UNITS\nsi\nITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\nITEM: ATOMS id x element\n"
    frames = [head % k + f"2 {k}.25 Fe\n1 {k}.125 Ni\n" for k in (10, 20)]
    text, path = "".join(frames), tmp_path / "cut"
    for k in range(1, len(text) + 1):
        path.write_text(text[:k])
        read = list(poly.read_dump(path))
        assert len(read) == (k >= len(frames[0])) + (k >= len(text))
        for frame in read:
            assert frame.columns["x"].tolist() == [frame.step + 0.125, frame.step + 0.25]
    table = "# a b\n1 1e-05\n2 123.456\n"
    for k in range(len(table) - 6, len(table)):
        path.write_text(table[:k])
        assert poly.read_columns(path)["b"].tolist() == [1e-5]
    log = "Per MPI rank memory allocation (min/avg/max) = 1 | 1 | 1 Mbytes\nStep Temp \n 0 1.5 \n 10 2.5"
    path.write_text(log)
    assert poly.read_thermo(path)[0]["Temp"].tolist() == [1.5]


def test_dumps_that_are_none(tmp_path) -> None:
    (tmp_path / "shapes.txt").write_text("shape 1\n")
    with pytest.raises(ValueError, match="shapes.txt: no text dump"):
        list(poly.read_dump(tmp_path / "shapes.txt"))
    (tmp_path / "short").write_text("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\nITEM: ATOMS id x\n1 2 3\n")
    with pytest.raises(ValueError, match="short: step 0: a row has 3 words for 2 columns: 1 2 3"):
        list(poly.read_dump(tmp_path / "short"))
    frame = poly.Frame(7, np.zeros((3, 2)), ["p"] * 3, {"id": np.array([1])})
    with pytest.raises(ValueError, match="step 7: no column x y among id"):
        frame.vectors("id", "x", "y")
