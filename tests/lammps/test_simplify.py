"""Keyword simplify of fix polyhedron/shape: contacts see fewer triangles that enclose the body's own surface."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, grid, octahedral_sphere, scene

CUTS = 24  # 8 CUTS^2 triangles
TOLERANCE = 0.001  # m


def scan(n: int = CUTS) -> str:
    """OBJ of a smooth stone, 0.1 m in size, with a hollow; 8 n^2 triangles."""
    u, triangles = octahedral_sphere(n)
    r = 0.05 / np.linalg.norm(u / np.array([1.0, 0.8, 0.7]), axis=1)
    r *= 1.0 - 0.25 * np.exp(-8.0 * (1.0 - u @ np.array([0.0, 0.6, 0.8])))
    return "\n".join([*("v {:.17g} {:.17g} {:.17g}".format(*x) for x in u * r[:, None]),
                      *("f {} {} {}".format(*f) for f in triangles + 1)]) + "\n"


FILES = {"scan.obj": scan()}
SHAPE = f"1 obj scan.obj density 2500 simplify {TOLERANCE}"
LAW = "auto gap 0.001 height 0.5 restitution 0.2 friction 0.5 0.4"
PIT = (f"{FLOOR}\nfix sides all wall/polyhedron plane -0.15 0 0 1 0 0 plane 0.15 0 0 -1 0 0 &\n"
       "  plane 0 -0.15 0 0 1 0 plane 0 0.15 0 0 -1 0")
SIDES = ("0 0 0 0 0 1", "-0.15 0 0 1 0 0", "0.15 0 0 -1 0 0", "0 -0.15 0 0 1 0", "0 0.15 0 0 -1 0")


def heap(**changes) -> str:
    """Twelve stones that fall into a pit."""
    parts = {"box": "block -0.2 0.2 -0.2 0.2 -0.1 0.8", "shapes": SHAPE,
             "bodies": grid(2, 2, 3, 0.12, (-0.06, -0.06, 0.08)) + "\nset group all quat/random 4711", "law": LAW,
             "walls": PIT, "dt": 0.005, "motion": "scheme em", "every": 10, "skin": 0.02, "run": "run 60",
             "thermo": "ke f_motion[2] f_motion[6] f_motion[7] f_motion[8] f_motion[12]"}
    return scene(**{**parts, **changes})


def seen(result) -> tuple[int, int]:
    """Triangles that contacts see, and those of the file."""
    found = re.search(r"scan.obj: contacts see (\d+) triangles in place of (\d+)", result.text)
    return int(found[1]), int(found[2])


def test_own_surfaces_do_not_cross(lammps):
    result = lammps(heap(), files=FILES)
    few, all_of_them = seen(result)
    table = result.thermo()
    hits = lammps.intersections(result, "dump", *SIDES)
    show(triangles=few, intersections=hits, contacts=table["f_motion[7]"][-1], iterations=table["f_motion[2]"][-1],
         account=abs(table["f_motion[12]"]).max())
    assert all_of_them == 8 * CUTS**2 and few < all_of_them / 4
    assert hits == 0 and table["f_motion[7]"].max() > 5


def test_mass_inertia_and_file_are_the_bodys_own(lammps):
    """What is written for other programs, and drawn, is the surface of the file."""
    columns = "variable m equal mass(all)\ncompute e all erotate/asphere\n"
    spun = "create_polyhedra 1 at 0 0 0.2\nvelocity all set 0 0 0\nset atom 1 angmom 1e-3 2e-3 3e-3"
    a, b = (lammps(columns + scene(shapes=shape, bodies=spun, thermo="v_m c_e", run="run 0"), files=FILES)
            for shape in (SHAPE, SHAPE.split(" simplify")[0]))
    for column in ("v_m", "c_e"):
        assert a.thermo()[column][0] == b.thermo()[column][0] > 0.0
    assert (a.dir / "shapes.txt").read_text() == (b.dir / "shapes.txt").read_text()


def test_sieve_sizes_are_the_bodys_own(lammps):
    shapes = "1*3 obj scan.obj density 2500 {} sizes uniform 0.05 0.08"
    bodies = "\n".join(f"create_polyhedra {t} at {0.2 * t - 0.4:g} 0 0.2" for t in (1, 2, 3))
    a, b = (lammps("variable m equal mass(all)\n" +
                   scene(types=3, shapes=shapes.format(s), bodies=bodies, thermo="v_m", run="run 0"), files=FILES)
            for s in (f"simplify {TOLERANCE}", ""))
    assert a.thermo()["v_m"][0] == b.thermo()["v_m"][0]
    assert len(re.findall("contacts see", a.text)) >= 3


@pytest.mark.parametrize("tolerance", [0.001, 0.003])
def test_auto_measures_the_bodys_own(lammps, tolerance):
    """The law that auto chooses, of pairs and of a wall, is that of the surface in the file: so many edges are no features."""
    stone = heap(shapes=SHAPE.split(" simplify")[0], law=LAW.replace("gap 0.001 ", ""), run="run 0",
                 walls="fix floor all wall/polyhedron auto height 0.5 restitution 0.2 plane 0 0 0 0 0 1")
    own, simple = (re.findall(r"(?:pair_coeff|fix floor).* auto: .*?;", lammps(text, files=FILES).text)
                   for text in (stone, stone.replace("density 2500", f"density 2500 simplify {tolerance}")))
    assert len(set(own)) == 2 and simple == own


def test_much_more_volume_is_a_warning(lammps):
    """Who takes the tolerance in millimetres of the file, before scale, is told."""
    lammps(heap(shapes="1 obj scan.obj density 2500 simplify 0.03", bodies="create_polyhedra 1 at 0 0 0.2", run="run 0"),
           files=FILES, warn="times the volume: simplify 0.03, which is measured after scale, is much for it")


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_stone_rests_within_the_tolerance(lammps, scheme):
    """A stone on its broad side: its own surface is no further from the floor than gap and tolerance."""
    result = lammps(heap(bodies="create_polyhedra 1 at 0 0 0.06", motion=f"scheme {scheme}", run="run 200", every=200,
                         walls=PIT + "\nfix drag all viscous 5"), files=FILES,
                    may_warn="in the barrier")
    frame = result.frames()[-1]
    lines = (result.dir / "shapes.txt").read_text().splitlines()
    v = np.array([line.split() for line in lines[1:1 + int(lines[0].split()[2])]], float)
    w, x, y, z = frame.vectors("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")[0]
    up = np.array([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)])
    lowest = frame.vectors("x", "y", "z")[0][2] + (v @ up).min()
    show(lowest=lowest)
    assert 0.0 < lowest < TOLERANCE + 0.001


def test_restart_and_processes(lammps):
    """The same digits from a restart file, which another tolerance does not fit; the same motion on two processes."""
    whole = lammps(heap(run="run 20\nwrite_restart half\nrun 20"), files=FILES, where="r")
    head, rest = heap(run="run 20").split("pair_style")
    again = f"{head.split('region box')[0]}read_restart half\nfix shapes all polyhedron/shape {SHAPE}\npair_style{rest}"
    energies = whole.thermo()["KinEng"]
    assert lammps(again.replace("10 dump", "10 dump2"), where="r").thermo()["KinEng"][-1] == energies[-1]
    lammps(again.replace(f"simplify {TOLERANCE}", "simplify 0.002"), where="r",
           fail="tolerance of simplify of atom type 1 was 0.001 in the restart file and is 0.002")
    two = lammps(heap(run="run 20"), files=FILES, ranks=2).thermo()["KinEng"]
    show(energy=energies[2], two=two[-1])
    assert two[-1] == pytest.approx(energies[2], rel=1e-6)


def test_contact_dynamics(lammps):
    """A stone of contact dynamics stands on the floor as its simplified surface does."""
    t = lammps("variable m equal mass(all)\n" +
               scene(shapes=SHAPE, bodies="create_polyhedra 1 at 0 0 0.06", pair="pair_style zero 0.2\npair_coeff * *", law="",
                     motion="", extra="fix cd all contact/dynamics friction 0.5", every=10, thermo="f_floor[3] v_m",
                     run="run 1000"), files=FILES).thermo()
    force = t["f_floor[3]"][50:].mean() / (9.81 * t["v_m"][0])
    show(force=force)
    assert force == pytest.approx(-1.0, abs=0.03)


@pytest.mark.parametrize("shape, message", [
    ("1 sphere 0.05 simplify 0.001", "sphere: simplify is for surfaces of triangles, and this one is rounded by 0.05"),
    ("1 box 0.1 0.1 0.1 round 0.01 simplify 0.001", "box: simplify is for surfaces of triangles, and this one is rounded by 0.01"),
    ("1 box 0.1 0.1 0.1 simplify 0", "simplify must be > 0"),
])
def test_what_is_refused(lammps, shape, message):
    lammps(scene(shapes=shape), fail=message)


def test_nothing_to_leave_out(lammps):
    """A cube has no triangle too many: its motion is that of the cube."""
    a, b = (lammps(scene(shapes=f"1 box 0.1 0.1 0.1 density 1000 {s}", every=10, thermo="ke", run="run 100"))
            for s in ("simplify 0.001", ""))
    assert a.thermo()["KinEng"][-1] == b.thermo()["KinEng"][-1]
    assert "contacts see 12 triangles in place of 12" in a.text
