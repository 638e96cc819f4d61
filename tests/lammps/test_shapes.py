"""Built-in shapes of fix polyhedron/shape: table and picture of their page; rocks and armour units that fall."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

from conftest import ROOT, show
from scenes import LAW, grid, scene

sys.path.insert(0, str(ROOT / "src-plugin" / "python"))
from lammps_polyhedra import Shape, read_shapes  # noqa: E402

PAGE = ROOT / "doc" / "shapes.md"


@pytest.fixture(scope="module")
def sheet():
    """The program that makes the page's table."""
    spec = importlib.util.spec_from_file_location("sheet", ROOT / "examples" / "shapes" / "sheet.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cells(row: str) -> list[float]:
    return [float(x) for x in row.strip("|").split("|")[1:]]


def test_table_of_the_page(sheet, host):
    """Numbers of every shape, to a unit of the last digit; every source of the plugin has a row."""
    page = PAGE.read_text()
    sources = sheet.definitions(page)
    for source, shape in zip(sources, sheet.make(sources)):
        row = next(line for line in page.splitlines() if line.startswith(f"| `{source}` |"))
        for have, said in zip(cells(sheet.row(source, shape)), cells(row), strict=True):
            assert have == pytest.approx(said, rel=1.01e-3, abs=1.01e-3 if said < 1 else 0), source
    builtin = (ROOT / "src-plugin" / "geometry" / "builtin.c").read_text()
    assert {s.split()[0] for s in sources} == set(re.findall(r'^    \{"([a-z/]+)", \d', builtin, re.M))


def test_sheet_is_drawn(sheet, host, tmp_path):
    """The picture of the page: every shape is seen in its place."""
    pytest.importorskip("vtkmodules", reason="needs python3-vtk9")
    if not (os.environ.get("DISPLAY") or shutil.which("Xvfb")):
        pytest.skip("needs xvfb")
    done = subprocess.run([sys.executable, ROOT / "examples" / "shapes" / "sheet.py", "--picture", tmp_path / "sheet.jpg"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    from matplotlib.image import imread

    drawn, kept = (np.asarray(imread(p), float) for p in (tmp_path / "sheet.jpg", ROOT / "doc" / "pictures" / "shapes.jpg"))
    count = len(sheet.definitions(PAGE.read_text()))
    assert drawn.shape == kept.shape and np.abs(drawn - kept).mean() < 3.0
    for n in range(count):
        x, y = n % sheet.ACROSS * sheet.TILE, n // sheet.ACROSS * (sheet.TILE + sheet.TEXT)
        tile = drawn[y : y + sheet.TILE, x : x + sheet.TILE]
        assert (tile.min(axis=2) < 240).mean() > 0.15, n


def test_angularity():
    """Against sums over points: a cube, a random tetrahedron; balls have none."""
    box = Shape(*cube())
    x, y = np.meshgrid(*[(np.arange(400) + 0.5) / 400 - 0.5] * 2)
    assert box.angularity == pytest.approx(1 - (0.5 / np.sqrt(0.25 + x**2 + y**2)).mean(), abs=1e-5)
    random = np.random.default_rng(4711)
    v = random.normal(size=(4, 3))
    v -= v.mean(axis=0)
    total = area = 0.0
    for t in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)):
        a, b, c = v[list(t)]
        n = np.cross(b - a, c - a)
        u = random.random((100000, 2))
        u = np.where(u.sum(axis=1, keepdims=True) > 1, 1 - u, u)
        p = a + u[:, :1] * (b - a) + u[:, 1:] * (c - a)
        total += np.linalg.norm(n) * np.abs(p @ (n / np.linalg.norm(n)) / np.linalg.norm(p, axis=1)).mean()
        area += np.linalg.norm(n)
    tetrahedron = Shape(v, np.array([(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]))
    assert tetrahedron.angularity == pytest.approx(1 - total / area, abs=2e-3)
    assert 0 <= Shape(np.zeros((1, 3)), np.zeros((1, 3), int), 0.5).angularity < 3e-4


def test_extents_do_not_depend_on_the_frame():
    """Of equal moments no axes are the file's own: those of the box with the shortest diagonal."""
    v, faces = cube()
    random = np.random.default_rng(4711)
    for angle in random.uniform(0, 2 * np.pi, 10):
        any_turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
        c, s = np.cos(angle), np.sin(angle)
        about_z = np.array([(c, s, 0), (-s, c, 0), (0, 0, 1)])
        turned = v @ any_turn * np.linalg.det(any_turn)
        assert Shape(turned, faces).extents == pytest.approx([1, 1, 1], rel=1e-9)
        assert Shape(turned, faces, 0.25).extents == pytest.approx([1.5, 1.5, 1.5], rel=1e-9)
        assert Shape(v * [1, 1, 0.1] @ about_z, faces).extents == pytest.approx([1, 1, 0.1], rel=1e-9)
    assert Shape(v * [0.6, 1, 0.3], faces).extents.tolist() == [1, 0.6, 0.3]


def cube() -> tuple[np.ndarray, np.ndarray]:
    """Of edge 1."""
    v = np.array([(i, j, k) for k in (-0.5, 0.5) for j in (-0.5, 0.5) for i in (-0.5, 0.5)])
    faces = ((0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2),
             (1, 3, 7), (1, 7, 5))
    return v, np.array(faces)


ARMOUR = "1 tetrapod/legs 0.08 0.034 0.019 6 density 2400 random 1 2 hexapod 0.12 0.03 0.024 density 2400 random 2 " \
         "3 dolos 0.12 0.034 0.023 density 2400 random 3 4 coreloc 0.12 0.036 0.024 density 2400 random 4 " \
         "6 dolos/octagonal 0.12 0.038 0.024 density 2400 random 6 5 antifer 0.08 0.088 0.08 0.01 density 2400 random 5"


def test_armour_units_fall(lammps):
    """Units of all kinds hook into each other on a floor, none enters another; their masses are those of the page."""
    run = lammps(scene(types=6, shapes=ARMOUR, bodies=grid(2, 2, 3, 0.16, (-0.08, -0.08, 0.11), 6), law="auto velocity 2 friction 0.5 0.4",
                       motion="scheme em", dt=2e-3, every=50, thermo="ke", run="run 200"), may_warn="auto")
    assert 0.015 < run.frames()[-1].columns["z"].min() < 0.06
    assert lammps.intersections(run, "dump", "0 0 0 0 0 1") == 0
    arm = [(s - w) / 6 * (w * w + w * t + t * t) for s, w, t in ((0.12, 0.03, 0.024), (0.12, 0.034, 0.023), (0.12, 0.036, 0.024))]
    volumes = {2: 0.03**3 + 6 * arm[0], 3: 0.034**2 * 0.12 + 4 * arm[1], 4: 0.036**2 * 0.12 + 6 * arm[2]}
    made = read_shapes(run.dir / "shapes.txt")
    assert all(made[kind].volume == pytest.approx(v, rel=1e-12) for kind, v in volumes.items())


REFUSED = {
    "tetrapod/legs 1 0.4 1.5 6": r"tetrapod/legs: parameter out of range, it needs L > r/sqrt\(2\), n a multiple of 3",
    "tetrapod/legs 1 0.4 0.2 4": "it needs .* n a multiple of 3",
    "hexapod 1 1 0.5": "hexapod: parameter out of range, it needs s > w >= t",
    "dolos 1 0.5 0.3": "it needs s > 2 w, w >= t", "coreloc 1 0.2 0.3": "it needs s > 3 w, w >= t",
    "dolos/octagonal 1 0.3 0.4": "it needs s > 2 w, w >= t",
    "antifer 1 1 1 0.36": r"it needs r < B/sqrt\(8\)", "dolos 1 0 0.1": "dolos: width must be > 0 and finite, not 0",
    "antifer 1 1 1 0": "antifer: radius must be > 0 and finite, not 0",
}


@pytest.mark.parametrize("source", REFUSED)
def test_values_that_make_no_unit(lammps, source):
    lammps(scene(shapes=f"1 {source}", bodies=""), fail=REFUSED[source])


def test_rocks_fall(lammps):
    """Rocks, a prism and regular bodies on a floor: they come down, none enters another."""
    shapes = "1 rock 0.1 0.08 0.06 20 1 density 2650 random 1 2 rock 0.12 0.06 0.04 12 2 density 2650 random 2 " \
             "3 prism 6 0.05 0.08 density 2650 random 3 4 dodecahedron 0.04 density 2650 random 4"
    run = lammps(scene(types=4, shapes=shapes, bodies=grid(2, 2, 2, 0.13, (-0.065, -0.065, 0.12), 4), law="auto velocity 2 friction 0.5 0.4",
                       motion="scheme em", dt=2e-3, every=50, thermo="ke", run="run 200"), may_warn="auto")
    low = run.frames()[-1].columns["z"].min()
    assert 0.015 < low < 0.07
    assert lammps.intersections(run, "dump", "0 0 0 0 0 1") == 0


def test_bodies_that_are_there_before_their_shape(lammps):
    """create_atoms, then the fix: shape, mass and a random orientation at once, as in the other order."""
    fix = "fix shapes all polyhedron/shape 1 box 0.1 0.11 0.12 density 2650 random 4711"
    lattice = "lattice sc 1.0\nregion five block 0 5 0 5 0 5\ncreate_atoms 1 region five\n"
    found = []
    for order in (f"{lattice}{fix}", f"{fix}\n{lattice}"):
        parts = dict(shapes="", box="block -0.5 5 -0.5 5 -0.5 5", bodies=f"{order}\nvelocity all create 1e22 4711", walls="", gravity=0.0)
        found.append(lammps(scene(**parts, law=LAW, every=1, thermo="temp ke", run="run 0")))
    a, b = (r.frames()[-1].columns for r in found)
    show(temperature=found[0].thermo()["Temp"][0], turned=np.abs(a["c_q[1]"]).mean())
    assert found[0].thermo()["Temp"][0] == pytest.approx(1e22, rel=1e-9)
    assert np.abs(a["c_q[1]"]).mean() < 0.7
    for name, column in a.items():
        assert column.tolist() == b[name].tolist(), name


def test_density_that_is_given_once(lammps):
    """A density is of the shape before it: others get the default, and a warning says so."""
    shapes = "1 box 0.1 0.1 0.1 2 box 0.2 0.1 0.1 density 2400"
    lammps(scene(types=2, shapes=shapes, run="run 0"), warn="atom type 2 has the density 2400 that is given, type 1 has none given and gets 1:")


MIXED = """
units si
atom_style hybrid sphere 1 ellipsoid
atom_modify map yes
boundary f f f
region world block -2 2 -2 2 -2 2
create_box 2 world
fix shapes all polyhedron/shape 1 box 0.1 0.1 0.1 density 1000
create_polyhedra 1 at 0 0 0.2
create_atoms 2 single 1 1 1
set type 2 diameter 0.1 density 1000
group balls type 2
group bodies type 1
pair_style hybrid polyhedron zero 0.2
pair_coeff 1 1 polyhedron auto velocity 1
pair_coeff * 2 zero
variable d equal 0.1+0.001*step
fix grow {group} adapt 1 atom diameter v_d
fix motion bodies implicit/polyhedron
timestep 1e-3
run 10
"""


def test_masses_that_another_fix_changes(lammps):
    """fix adapt gives all atoms of its group the mass of a ball; bodies kept it until the next list, without a word."""
    lammps(MIXED.replace("{group}", "balls"), may_warn="rmass")
    lammps(MIXED.replace("{group}", "all"), may_warn="rmass", fail="body 1 has got another mass or ellipsoid than its type has, in step 1")
