"""fix vtk/polyhedron: the files are VTK's, and what they show is what the host prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from conftest import ROOT, show
from scenes import FLOOR, SHAPES, scene
from vtk_reader import read_pvd, read_vtp

sys.path.insert(0, str(ROOT / "src-plugin" / "python"))
from lammps_polyhedra.picture import display  # noqa: E402

LAW = "normal 1e6 1.5 gap 0.002 damping 0.5 friction 0.5 0.4 1e5 10"
# cubes on each other and against a wall, another one and a tetrapod in the air
BODIES = """create_polyhedra 2 at 0.0 0.0 0.0515
create_polyhedra 2 at 0.02 0.0 0.153
create_polyhedra 2 at 0.1035 0.01 0.0515
create_polyhedra 1 at 0.3 0.3 0.5 rotate 30 1 2 3
create_polyhedra 1 at 0.3 -0.3 0.3 rotate 20 1 0 0
velocity all set 0.1 0 -0.2"""
WALLS = f"""{FLOOR}
fix side all wall/polyhedron plane -0.0515 0 0 1 0 0 stl plate.stl move rotate -0.5 0 0 0 0 1 10"""
PLATE = """solid plate
facet normal 0 0 1
outer loop
vertex -0.9 -0.2 0.1
vertex -0.5 -0.2 0.1
vertex -0.7 0.2 0.1
endloop
endfacet
endsolid plate
"""
PARTS = ("bodies", "contacts", "chains", "walls")
ROWS = """compute c all polyhedron/contact/local
dump rows all local {every} rows c_c[*]
dump_modify rows format float %.17g
"""


def pile(vtk: str, walls: str = WALLS, every: int = 20, run: str = "run 40", **changes) -> str:
    extra = "\n".join(f"fix picture{n} all vtk/polyhedron {line}" for n, line in enumerate(vtk.splitlines()))
    return scene(
        types=2,
        shapes=f"1 stl {SHAPES}/tetrapod.stl density 2400 2 box 0.1 0.1 0.1 density 1000",
        bodies=BODIES,
        walls=walls,
        law=LAW,
        motion="scheme em",
        every=every,
        thermo="f_floor[1] f_floor[2] f_floor[3] f_side[1] f_side[2] f_side[3]",
        extra=ROWS.format(every=every) + extra,
        run=run,
        **changes,
    )


@pytest.fixture(scope="module")
def moving(host, tmp_path_factory):
    """Pictures in base 64 and as text, with the host's own output."""
    from conftest import Lammps

    lammps = Lammps(tmp_path_factory.mktemp("vtk"), *host)
    return lammps(pile("20 bin-*.vtp\n20 text-*.vtp binary no"), files={"plate.stl": PLATE})


def forces(file) -> tuple[np.ndarray, np.ndarray]:
    """Of all contacts on their first bodies: normal forces, and with friction."""
    normal = file.point["normal"] * file.point["normal_force"][:, None]
    return normal, normal + file.point["friction_force"]


def near(a, b, scale: float = 1.0, digits: float = 1e-12) -> bool:
    return bool(np.max(np.abs(np.asarray(a) - np.asarray(b)), initial=0.0) <= digits * scale)


@pytest.mark.parametrize("kind", ["bin", "text"])
def test_forces_are_the_hosts(moving, kind):
    """Contacts with a wall add up to what thermo output says of it; those of bodies to all walls."""
    t = moving.thermo()
    for n, step in enumerate((20, 40), 1):
        points = read_vtp(moving.dir / f"{kind}-contacts.{step}.vtp")
        bodies = read_vtp(moving.dir / f"{kind}-bodies.{step}.vtp")
        size = np.abs(forces(points)[1]).sum()
        for k, name in ((-1, "floor"), (-2, "side")):
            on_wall = -forces(points)[1][points.point["id_b"] == k].sum(axis=0)
            assert near(on_wall, [t[f"f_{name}[{i}]"][n] for i in (1, 2, 3)], size)
        _, first = np.unique(bodies.cell["id"], return_index=True)
        walls = [t[f"f_floor[{i}]"][n] + t[f"f_side[{i}]"][n] for i in (1, 2, 3)]
        assert near(bodies.cell["contact_force"][first].sum(axis=0), -np.array(walls), size)
        between = points.point["id_b"] > 0
        assert bodies.cell["contacts"][first].sum() == len(between) + between.sum()
        show(contacts=len(points.points), between_bodies=int(between.sum()), forces=size)
        assert between.any() and size > 10.0


def test_contacts_are_the_rows_of_the_compute(moving):
    for frame, step in zip(moving.frames("rows"), (0, 20, 40)):
        file = read_vtp(moving.dir / f"text-contacts.{step}.vtp")
        p = file.point
        ours = np.column_stack([p["id_a"], p["id_b"], p["kind"], file.points, p["normal"], p["gap"], p["normal_force"],
                                p["friction_force"], p["slipping"], p["slid"], p["wall"]])
        table = frame.table()
        table = table[np.argsort(table[:, 0], kind="stable")]
        assert np.array_equal(ours, table[:, :17])
        chains = read_vtp(moving.dir / f"text-chains.{step}.vtp")
        assert [len(c) for c in chains.cells] == [3 if b > 0 else 2 for b in p["id_b"]]
        assert np.array_equal([chains.points[c[1]] for c in chains.cells], file.points)


def test_text_and_base_64_are_the_same(moving):
    for part in PARTS:
        for step in (0, 20, 40):
            a, b = (read_vtp(moving.dir / f"{kind}-{part}.{step}.vtp") for kind in ("bin", "text"))
            assert np.array_equal(a.points, b.points) and all(map(np.array_equal, a.cells, b.cells))
            for x, y in ((a.point, b.point), (a.cell, b.cell)):
                assert list(x) == list(y) and all(np.array_equal(x[k], y[k]) for k in x)


def matrix(q) -> np.ndarray:
    w, v = q[0], np.array(q[1:])
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def read_shapes(path: Path) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    lines, shapes = iter(path.read_text().splitlines()), {}
    for head in lines:
        kind, nv, nt = map(int, head.split()[1:])
        vertices = np.array([next(lines).split() for _ in range(nv)], float)
        shapes[kind] = (vertices, np.array([next(lines).split() for _ in range(nt)], int))
    return shapes


def test_bodies_stand_where_the_host_says(moving):
    """Vertices by quaternion, ids, types and velocities of a dump; angular velocity of a cube by its angular momentum."""
    shapes = read_shapes(moving.dir / "shapes.txt")
    for frame, step in zip(moving.frames(), (0, 20, 40)):
        file = read_vtp(moving.dir / f"bin-bodies.{step}.vtp")
        first, cells, kinds = 0, np.array(file.cells), frame.columns["type"]
        turns = map(matrix, frame.vectors(*(f"c_q[{k}]" for k in (1, 2, 3, 4))))
        for n, turn in enumerate(turns):
            vertices, triangles = shapes[int(kinds[n])]
            world = vertices @ turn.T + frame.vectors("x", "y", "z")[n]
            mine = file.cell["id"] == frame.columns["id"][n]
            assert mine.sum() == len(triangles) and (file.cell["type"][mine] == kinds[n]).all()
            assert near(file.points[first : first + len(world)], world)
            assert np.array_equal(cells[mine] - first, triangles)
            assert near(file.cell["velocity"][mine], frame.vectors("vx", "vy", "vz")[n])
            if kinds[n] == 2:
                momentum = frame.vectors("angmomx", "angmomy", "angmomz")[n]
                assert near(file.cell["angular_velocity"][mine], momentum / (1000 * 0.1**5 / 6), 10)
            first += len(world)
        assert first == len(file.points)


def test_walls_are_where_they_are(moving):
    """Planes as polygons through the box, widened by the bodies' radius; the plate as far as it has turned."""
    radius = max(np.linalg.norm(v, axis=1).max() for v, _ in read_shapes(moving.dir / "shapes.txt").values())
    file = read_vtp(moving.dir / "bin-walls.40.vtp")
    assert file.cell["fix"].tolist() == [1, 2, 2] and file.cell["wall"].tolist() == [1, 1, 2]
    floor, side, plate = (file.points[c] for c in file.cells)
    assert near(floor[:, 2], 0) and near(np.abs(floor[:, :2]), 1 + radius)
    angle = 2 * np.pi * 0.04 / 10
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    pivot = np.array([-0.5, 0, 0])
    vertices = np.array([line.split()[1:] for line in PLATE.splitlines() if "vertex" in line], float)
    assert near(plate, (vertices - pivot) @ turn.T + pivot, 1, 1e-9)
    velocity = file.point["velocity"][file.cells[2]]
    assert near(velocity, np.cross([0, 0, 2 * np.pi / 10], plate - pivot), 1, 1e-9)
    normal = turn @ [1, 0, 0]
    assert near(side @ normal, turn @ (np.array([-0.0515, 0, 0]) - pivot) @ normal + pivot @ normal, 1, 1e-9)
    assert np.ptp(side[:, 2]) == pytest.approx(2 + 2 * radius)
    assert near(file.point["velocity"][file.cells[0]], 0)


def test_series_have_the_times(moving):
    for part in PARTS:
        entries = read_pvd(moving.dir / f"bin-{part}.pvd")
        assert near([time for time, _ in entries], [0, 0.02, 0.04])
        assert [p.name for _, p in entries] == [f"bin-{part}.{n}.vtp" for n in (0, 20, 40)]
        assert all(p.exists() for _, p in entries)


def test_vtk_reads_them(moving):
    """VTK itself, where it is installed, reads what the reader of these tests does, and says nothing."""
    pytest.importorskip("vtkmodules")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

    window = vtkStringOutputWindow()
    vtkOutputWindow.SetInstance(window)
    for path in sorted(moving.dir.glob("*.vtp")):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(path))
        reader.Update()
        data, ours = reader.GetOutput(), read_vtp(path)
        assert np.array_equal(vtk_to_numpy(data.GetPoints().GetData()), ours.points)
        assert data.GetNumberOfCells() == len(ours.cells)
        for theirs, own in ((data.GetPointData(), ours.point), (data.GetCellData(), ours.cell)):
            assert theirs.GetNumberOfArrays() == len(own)
            assert all(np.array_equal(vtk_to_numpy(theirs.GetArray(k)), v) for k, v in own.items())
    assert not window.GetOutput()


def test_paraview_follows_the_page(moving):
    """ParaView itself, where it is installed: the steps of doc/pictures.md, without a word of complaint."""
    program = shutil.which("pvpython")
    if not program or not shutil.which("Xvfb"):
        pytest.skip("needs ParaView's pvpython and Xvfb: apt-get install python3-paraview xvfb")
    picture = moving.dir / "paraview.png"
    with display():
        done = subprocess.run([program, str(Path(__file__).with_name("paraview_steps.py")), str(moving.dir), "bin", str(picture)],
                              capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and not done.stderr, done.stderr
    said = dict(line.split(" = ") for line in done.stdout.splitlines() if " = " in line)
    assert int(said["steps"]) == 3
    for part in PARTS:
        ours = read_vtp(moving.dir / f"bin-{part}.40.vtp")
        assert (int(said[f"{part}_points"]), int(said[f"{part}_cells"])) == (len(ours.points), len(ours.cells))
    contacts = read_vtp(moving.dir / "bin-contacts.40.vtp").point
    ours = (contacts["normal_force"][:, None] * contacts["normal"]).sum(0)
    assert near([float(x) for x in said["force_sum"].split()], ours, abs(contacts["normal_force"]).sum())
    assert int(said["tube_cells"]) > 0 and int(said["arrow_points"]) > 0
    pixels = plt.imread(picture)[..., :3]
    show(paraview_colours=len(np.unique(pixels.reshape(-1, 3), axis=0)))
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 100


def test_processes_write_the_same(lammps, moving):
    for ranks, how in ((2, "2 1 1"), (3, "1 3 1")):
        run = lammps(pile("20 bin-*.vtp", processors=how), ranks=ranks, files={"plate.stl": PLATE})
        for path in sorted(run.dir.glob("bin-*")):
            assert path.read_bytes() == (moving.dir / path.name).read_bytes(), path.name


def test_series_goes_on_after_a_restart(lammps):
    """append: entries from the time of the restart on are replaced; without it the series starts anew."""
    whole = lammps(scene(motion="scheme em", extra="fix picture all vtk/polyhedron 10 a-*.vtp", run="run 30\nwrite_restart at30\nrun 30"))
    go_on = """clear
plugin load {plugin}
atom_modify map yes
read_restart at30
fix shapes all polyhedron/shape 1 box 0.1 0.1 0.1 density 1000
pair_coeff * * normal 1e8 1.5 gap 0.001 barrier 0.1 -1
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix g all gravity 9.81 vector 0 0 -1
timestep 0.001
neighbor 0.05 bin
fix motion all implicit/polyhedron scheme em
fix picture all vtk/polyhedron 10 a-*.vtp {append}
run 30"""
    entries = (whole.dir / "a-bodies.pvd").read_text()
    assert len(read_pvd(whole.dir / "a-bodies.pvd")) == 7
    kept = {p.name: p.read_bytes() for p in whole.dir.glob("a-*")}
    files = {**kept, "at30": (whole.dir / "at30").read_bytes()}
    again = lammps(go_on.format(plugin=lammps.plugin, append="append yes").replace("clear\n", ""), files=files)
    assert (again.dir / "a-bodies.pvd").read_text() == entries
    for name, content in kept.items():
        assert (again.dir / name).read_bytes() == content, name
    anew = lammps(go_on.format(plugin=lammps.plugin, append="").replace("clear\n", ""), files=files)
    assert [p.name for _, p in read_pvd(anew.dir / "a-bodies.pvd")] == [f"a-bodies.{n}.vtp" for n in (30, 40, 50, 60)]


def test_pictures_without_contacts(lammps):
    """fix contact/dynamics has no pair style to ask; a group, labels of one body each, runs of no steps."""
    script = scene(pair="pair_style zero 0.4\npair_coeff * *", law="", motion="fix cd all contact/dynamics", bodies="""create_polyhedra 1 at 0 0 0.2
create_polyhedra 1 at 0 0 0.5
group upper id 2""", extra="""neigh_modify delay 0
fix picture upper vtk/polyhedron 5 some/a*b.vtp contacts no walls no""", run="run 0\nrun 0\nrun 5")
    with_folder = f"shell mkdir some\n{script}"
    run = lammps(with_folder)
    assert sorted(p.name for p in (run.dir / "some").iterdir()) == ["abodies.0b.vtp", "abodies.5b.vtp", "abodiesb.pvd"]
    file = read_vtp(run.dir / "some" / "abodies.5b.vtp")
    assert len(file.points) == 8 and set(file.cell["id"]) == {2} and list(file.cell) == ["id", "type", "velocity", "angular_velocity"]
    assert [t for t, _ in read_pvd(run.dir / "some" / "abodiesb.pvd")] == [0, 0.005]


ERRORS = {
    "10 a.vtp": r"a\.vtp: the name must have one \*",
    "10 a**.vtp": r"the name must have one \*",
    "10 a*/b.vtp": r"the name must have one \*",
    "10 a*.vtk": r"a\*\.vtk: the name must end in \.vtp",
    "10 a-%-*.vtp": r"% is not known",
    "0 a*.vtp": "the number of steps must be at least 1, not 0",
    "10": "Illegal fix vtk/polyhedron command",
    "10 a*.vtp colour red": "Fix vtk/polyhedron: unknown keyword colour; the keywords are contacts, walls, binary and append",
    "10 a*.vtp contacts": "keyword contacts needs 1 value",
    "10 a*.vtp binary 3": "Expected yes or no but found '3'",
    "10 nowhere/a*.vtp": "Cannot open nowhere/abodies.pvd for writing: No such file or directory",
}


@pytest.mark.parametrize("arguments", ERRORS)
def test_errors(lammps, arguments):
    lammps(scene(extra=f"fix picture all vtk/polyhedron {arguments}", run="run 0"), fail=ERRORS[arguments])


def test_what_it_needs(lammps):
    no_pair = scene(pair="pair_style zero 0.4\npair_coeff * *", law="", motion="fix cd all contact/dynamics",
                    extra="neigh_modify delay 0\nfix picture all vtk/polyhedron 1 a*.vtp", run="run 0")
    lammps(no_pair, fail="Fix vtk/polyhedron requires pair style polyhedron: keyword contacts no leaves")
    lammps("units si\nregion b block 0 1 0 1 0 1\ncreate_box 1 b\nfix picture all vtk/polyhedron 1 a*.vtp",
           fail="Fix vtk/polyhedron requires atom style ellipsoid")
    lammps("""units si
atom_style ellipsoid
region b block 0 1 0 1 0 1
create_box 1 b
pair_style zero 0.4
pair_coeff * *
mass * 1
fix picture all vtk/polyhedron 1 a*.vtp contacts no
run 0""", fail="no atom type has a shape|mass")


def test_commands_it_does_not_work_with(lammps):
    box = scene(pair="pair_style zero 0.4\npair_coeff * *", law="", motion="fix cd all contact/dynamics", every=5,
                walls="", extra="neigh_modify delay 0\nfix picture all vtk/polyhedron 5 a*.vtp contacts no", run="run 5\nunfix cd\n")
    lammps(f"{box}shell cp dump copy\nrerun copy dump x y z vx vy vz", fail="Fix vtk/polyhedron does not work with the command rerun")
    lammps(f"{box}reset_timestep 0", fail="Cannot reset timestep with")
    lammps(f"{box}fix step all nve/asphere\nminimize 0 0 2 2")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device here")
@pytest.mark.parametrize("ranks", [1, 2])
def test_a_full_disk(lammps, ranks):
    folder = lammps.dir / "full"
    folder.mkdir()
    (folder / "a-contacts.10.vtp").symlink_to("/dev/full")
    lammps(scene(extra="fix picture all vtk/polyhedron 10 a-*.vtp", motion="scheme em"), ranks=ranks, where="full",
           fail=r"Writing a-contacts\.10\.vtp failed, is the disk full\?")
    assert [t for t, _ in read_pvd(folder / "a-contacts.pvd")] == [0]


def test_another_file_is_no_series(lammps):
    lammps(scene(extra="fix picture all vtk/polyhedron 10 a-*.vtp append yes", run="run 0"), files={"a-bodies.pvd": "something else\n"},
           fail=r"a-bodies\.pvd is no series of VTK files that could be gone on with")
