"""Surfaces that end at both of two opposite periodic boundaries go on beyond them."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, scene
from vtk_reader import read_vtp

LENGTH, WIDTH = 0.8, 0.4  # of the cell, m
LAW = "normal 1e7 1.5 gap 0.0012 barrier 0.1 -2 damping 0.5 friction 0.3 0.3 1e5 30"
SCHEMES = {"em": ("scheme em", 1e-3), "euler": ("scheme euler", 1e-3), "newmark": ("scheme newmark", 1e-3), "explicit": (EXPLICIT, 2e-5),
           "contact/dynamics": ("fix motion all contact/dynamics friction 0.3 tol 1e-7", 1e-3)}
# two runs that differ by rounding: whether em divides a step depends on the iterations of the one before, which that may tip
COMPARED = {**SCHEMES, "em": ("scheme em substeps 1", 1e-3)}


def ridges(periods: range, rows: range) -> str:
    """An OBJ file: ridges of 0.1 along y and 3 mm high, and cells of the floor between; one cell of the box is range(1), range(1)."""
    xs = [LENGTH * (n + k / 8) for n in periods for k in range(8)] + [LENGTH * (periods[-1] + 1)]
    ys = [WIDTH * (n + k / 4) for n in rows for k in range(4)] + [WIDTH * (rows[-1] + 1)]
    points = [f"v {x:.9g} {y:.9g} {0.003 * (i % 2):g}" for i, x in enumerate(xs) for y in ys]
    cells = [(i * len(ys) + j + 1) for i in range(len(xs) - 1) for j in range(len(ys) - 1)]
    n = len(ys)
    return "\n".join(points + [f"f {c} {c + n} {c + n + 1}\nf {c} {c + n + 1} {c + 1}" for c in cells]) + "\n"


def slide(motion: str, dt: float, *, cell: bool = True, time: float = 0.6, move: str = "", speed: str = "1.5 0.4 0", extra: str = "", thermo: str = "", run: str = "") -> str:
    """Three flat bodies of two shapes thrown over the floor: what tumbles would part by rounding."""
    law = "pair_style zero 1\npair_coeff * *" if "contact/dynamics" in motion else f"pair_style polyhedron\npair_coeff * * {LAW}"
    return scene(types=2, boundary="p p f" if cell else "f f f", box=f"block 0 {LENGTH} 0 {WIDTH} -0.1 0.6" if cell else "block -2 6 -2 3 -0.1 0.6",
                 shapes="1 box 0.26 0.12 0.03 density 2000 2 prism 6 0.08 0.03 density 2000", pair=law.split("\n")[0], law=law.split("\n")[1], dt=dt, motion=motion,
                 bodies=f"create_polyhedra 1 at 0.15 0.1 0.02\ncreate_polyhedra 2 at 0.3 0.28 0.022\ncreate_polyhedra 1 at 0.6 0.22 0.021 rotate 3 0 0 1\nvelocity all set {speed}",
                 walls=f"fix floor all wall/polyhedron obj floor.obj {move}", skin=0.03, extra=f"fix down all gravity 3 vector 1 0.3 0\n{extra}", every=round(0.1 / dt), thermo=thermo,
                 run=run or f"run {round(time / dt)}").replace("vx vy vz angmomx", "vx vy vz xu yu angmomx")


def ways(result) -> np.ndarray:
    """Unwrapped places: frames, coordinates, bodies."""
    return np.array([[f.columns[c] for c in ("xu", "yu", "z")] for f in result.frames()])


@pytest.mark.parametrize("name", SCHEMES)
def test_as_on_a_long_floor(lammps, name):
    """Bodies that cross the boundaries several times go as they do over a floor that is long."""
    motion, dt = COMPARED[name]
    here = ways(lammps(slide(motion, dt), files={"floor.obj": ridges(range(1), range(1))}))
    there = ways(lammps(slide(motion, dt, cell=False), files={"floor.obj": ridges(range(-2, 5), range(-3, 6))}))
    show(way=np.abs(here[-1] - here[0]).max(), difference=np.abs(here - there).max())
    assert here[-1, 0].max() - here[0, 0].max() > LENGTH / 2
    assert np.abs(here - there).max() < 1e-6


@pytest.mark.parametrize("name", SCHEMES)
def test_belt(lammps, name):
    """A floor that goes along the cell comes back into it: bodies ride on it as on a long one."""
    motion, dt = COMPARED[name]
    belt = dict(move="move velocity 2 0.1 0", speed="2 0.1 0", time=1.2)
    here = ways(lammps(slide(motion, dt, **belt), files={"floor.obj": ridges(range(1), range(1))}))
    there = ways(lammps(slide(motion, dt, **belt, cell=False), files={"floor.obj": ridges(range(-6, 3), range(-3, 6))}))
    show(way=np.abs(here[-1] - here[0]).max(), difference=np.abs(here - there).max())
    assert here[-1, 0].min() - here[0, 0].min() > 2 * LENGTH
    assert np.abs(here - there).max() < 1e-6


@pytest.mark.parametrize("at", [150, 200, 201, 333])
def test_belt_goes_on_after_a_restart(lammps, at):
    """With the same digits, also from a file that is written just before the floor comes back into the cell."""
    motion, dt = SCHEMES["em"]
    floor = {"floor.obj": ridges(range(1), range(1))}
    make = dict(move="move velocity 2 0.3 0", speed="2 0.1 0")
    whole = lammps(slide(motion, dt, **make, run=f"run {at}\nwrite_restart half.restart\nrun {500 - at}"), files=floor, where="run").frames()[-1]
    script = slide(motion, dt, **make, run=f"run {500 - at}")
    begin, end = script.index("fix shapes"), script.index("pair_style")
    again = lammps(f"atom_modify map yes\nread_restart half.restart\n{script[begin:end].splitlines()[0]}\n{script[end:]}", where="run").frames()[-1]
    for column in ("xu", "yu", "z", "vx", "c_q[1]"):
        assert np.array_equal(again.columns[column], whole.columns[column]), column


def test_two_processes(lammps):
    """They see the same floor."""
    motion, dt = COMPARED["em"]
    floor = {"floor.obj": ridges(range(1), range(1))}
    one, two = (ways(lammps(slide(motion, dt, move="move velocity 2 0.1 0", speed="2 0.1 0", time=0.6), files=floor, ranks=n)) for n in (1, 2))
    show(difference=np.abs(one - two).max())
    assert np.abs(one - two).max() < 1e-7


def test_plate_that_is_pushed(lammps):
    """A rough plate under a force goes round the cell: its way is that of its mass and the blocks', friction holds them on it."""
    motion, dt = SCHEMES["em"]
    result = lammps(slide(motion, dt, move="slide 1 0 0 50 force 20", speed="0 0 0", time=2.0,
                          extra="unfix down", thermo="f_floor[14] f_floor[15]"),
                    files={"floor.obj": ridges(range(1), range(1))})
    way = result.thermo()["f_floor[14]"][-1]
    mass = 50 + 2000 * (2 * 0.26 * 0.12 * 0.03 + 3 * 3**0.5 / 2 * 0.08**2 * 0.03)
    x = ways(result)[:, 0]
    show(way=way, expected=20 / mass * 2, bodies=x[-1] - x[0])
    assert way == pytest.approx(20 / mass * 2.0**2 / 2, rel=5e-3)
    assert np.abs(x[-1] - x[0] - way).max() < 0.1


CHANNEL = "\n".join([f"v {x} {y} {z}" for x in (0, LENGTH) for y, z in ((0, 0.2), (0, 0), (WIDTH, 0), (WIDTH, 0.2))]
                    + [f"f {i} {i + 4} {i + 5} {i + 1}" for i in (1, 2, 3)]) + "\n"


@pytest.mark.parametrize("name", ["em", "newmark"])
def test_channel_whose_sides_are_at_both_boundaries(lammps, name):
    """Each is the other one's copy, and counts once: a block that hits it comes back as from a plane."""
    motion, dt = SCHEMES[name]
    back = []
    for wall, boundary in (("obj floor.obj", "p p f"), ("plane 0 0 0 0 1 0 plane 0 0 0 0 0 1", "p f f")):
        script = scene(boundary=boundary, box=f"block 0 {LENGTH} 0 {WIDTH} -0.2 0.6", shapes="1 box 0.06 0.06 0.06 density 2000", gravity=0, dt=dt / 10, motion=motion, skin=0.03,
                       bodies="create_polyhedra 1 at 0.4 0.1 0.1 rotate 20 1 0 1\nvelocity all set 0 -1 0", walls=f"fix floor all wall/polyhedron {wall}",
                       law=LAW.replace("friction 0.3 0.3 1e5 30", ""), thermo="v_back", run=f"run {round(2 / dt)}")
        back.append(lammps(f"variable back equal vcm(all,y)\n{script}", files={"floor.obj": CHANNEL}).thermo()["v_back"][-1])
    show(back=back)
    assert back[0] == pytest.approx(back[1], rel=1e-3)


def test_pictures_show_it_once(lammps):
    """Not what goes on beyond the cell."""
    result = lammps(slide(*SCHEMES["em"], speed="0 0 0", extra="fix picture all vtk/polyhedron 1 a*.vtp", run="run 1"), files={"floor.obj": ridges(range(1), range(1))})
    surface = read_vtp(result.dir / "awalls.1.vtp")
    assert (len(surface.cells), len(surface.points)) == (64, 45)
    assert surface.points[:, 0].max() == pytest.approx(LENGTH)


@pytest.mark.parametrize("change, says", [
    ("fix_modify floor move rotate 0.4 0.2 0 0 1 0 3", "cannot turn but about the edge"),
    ("change_box all x final 0 0.9", "the cell has changed since"),
    ("fix pull all deform 1 x scale 1.1", "fix pull deform changes this edge"),
    ("fix lid all wall/polyhedron obj floor.obj plane -1 0 0 1 0 0 move velocity 2 0 0", "wall 2 has gone along the periodic boundary x")])
def test_what_does_not_fit(lammps, change, says):
    """A floor that goes on needs its cell, and others of its fix that do."""
    motion, dt = SCHEMES["euler"]
    lammps(slide(motion, dt, speed="0 0 0", extra=f"group none empty\n{change}", run="run 300"), files={"floor.obj": ridges(range(1), range(1))}, fail=says)
