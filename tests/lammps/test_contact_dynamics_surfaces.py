"""fix contact/dynamics: polyhedra that slide and roll over surfaces of many faces."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

G = 9.81
ROCK = "1 rock 0.1 0.1 0.1 {} 1 density 1000"


def rigid(cd="", dt=1e-3, time=0.4, frames=10, **parts):
    """Script of a scene that fix contact/dynamics moves."""
    steps = round(time / dt)
    parts = dict(pair="pair_style zero 0.6", law="pair_coeff * *", motion=f"fix cd all contact/dynamics {cd}",
                 box="block -1.5 1.5 -1 1 -1.5 1", thermo="f_cd[5] f_cd[7]") | parts
    return scene(dt=dt, every=round(steps / frames), run=f"run {steps}", **parts)


def column(result, name, body=0):
    return np.array([f.columns[name][body] for f in result.frames()])


# ---- many small faces ----


def ball(parts=8):
    """OBJ of a ball of diameter 0.1: a cube of squares, each cut in two."""
    lines, face = [], 0
    side = np.tan(np.linspace(-np.pi / 4, np.pi / 4, parts + 1))
    for axis in range(3):
        for sign in (-1, 1):
            p = np.array([np.roll((sign, sign * a, b), axis) for b in side for a in side])
            lines += ["v {:.12g} {:.12g} {:.12g}".format(*(0.05 * v / np.linalg.norm(v))) for v in p]
            for k in range(parts * (parts + 1)):
                a, b = face + k + 1, face + k + parts + 2
                if k % (parts + 1) < parts:
                    lines += [f"f {a} {a + 1} {b + 1}", f"f {a} {b + 1} {b}"]
            face += len(p)
    return "\n".join(lines) + "\n"


BALL = "1 obj ball.obj density 1000"


def test_stones_in_a_drum(lammps):
    """They go down one side and up the other, as where contacts are stiff and impacts plastic."""
    parts = dict(walls="fix drum all wall/polyhedron cylinder y 0 0 0.5 -0.5 0.5", bodies="create_polyhedra 1 at 0.3 0.01 -0.32")
    stiff = scene(shapes=ROCK.format(60), box="block -1.5 1.5 -1 1 -1.5 1", law="normal 1e8 1.5 gap 0.0005 restitution 0",
                  motion="scheme em", every=80, run="run 800", **parts)
    x = column(lammps(stiff), "x")
    for shape, gap in ((ROCK.format(60), ""), (ROCK.format(60), "gap 1e-4"), (ROCK.format(200), ""), (BALL, "gap 1e-3")):
        result = lammps(rigid(gap, time=0.8, shapes=shape, **parts), files={"ball.obj": ball()})
        off = np.abs(column(result, "x") - x).max()
        show(shape=shape, off=off, overlap=result.thermo()["f_cd[5]"].max())
        assert off < (0.004 if "60" in shape else 0.008)
        assert result.thermo()["f_cd[5]"].max() < 1e-5


def terrain():
    """OBJ of hills of 1 cm in squares of 0.1 m, each cut in two."""
    x, y = np.meshgrid(np.linspace(-1.5, 1.5, 31), np.linspace(-1, 1, 21), indexing="ij")
    v = np.stack([x, y, 0.01 * np.sin(8 * x) * np.cos(7 * y)], axis=-1)
    lines = ["v {:.12g} {:.12g} {:.12g}".format(*p) for p in v.reshape(-1, 3)]
    corner = np.arange(1, 31 * 21 + 1).reshape(31, 21)
    for a, b, c, d in zip(corner[:-1, :-1].flat, corner[1:, :-1].flat, corner[1:, 1:].flat, corner[:-1, 1:].flat):
        lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("shape", [ROCK.format(200), BALL])
@pytest.mark.parametrize("dt", [1e-3, 2e-4])
def test_stones_on_hills(lammps, shape, dt):
    """A stone that slides over hills gains no energy, and goes as far as along smooth ones."""
    script = rigid(shapes=shape, walls="fix hills all wall/polyhedron obj hills.obj", dt=dt, frames=200,
                   bodies="create_polyhedra 1 at -0.3 0.01 0.0595\nvelocity all set 1 0 0")
    result = lammps(script, files={"ball.obj": ball(), "hills.obj": terrain()})
    kinetic = result.thermo()["f_cd[7]"] / (2 * result.thermo()["f_cd[7]"][0])
    energy = kinetic + G * column(result, "z")
    x = column(result, "x")[-1]
    show(rise=np.diff(energy).max(), lost=energy[0] - energy[-1], x=x)
    assert np.diff(energy).max() < 1e-5
    assert x == pytest.approx(0.089, abs=0.003)


# ---- seams ----

BLOCKS = "1 {} density 1000 2 box 0.2 0.5 0.1 density 1000"
BOX = "box 0.1 0.1 0.05"


def row(speed, apart=0.0, turn="0 0 0 1", last=0.0, cd="", sort=BOX, height=0.025, **parts):
    """A body on a row of fixed blocks, seven of the same height or the last three higher."""
    blocks = [f"create_polyhedra 2 at {-0.4 + k * (0.2 + apart):.10g} 0 {-0.05 + last * (k > 3)}" for k in range(7)]
    bodies = "\n".join([f"create_polyhedra 1 at -0.3 0.01 {height} rotate {turn}", *blocks, "group base type 2",
                        f"velocity all set {speed} 0 0"])
    return rigid(f"fixed base {cd}", shapes=BLOCKS.format(sort), types=2, walls="", bodies=bodies, **parts)


@pytest.mark.parametrize("angle", [0, 10, 30])
@pytest.mark.parametrize("apart, cd", [(0, ""), (0, "solver pgs"), (0, "gap 1e-5"), (0.001, ""), (0.05, "")])
def test_seams_of_blocks(lammps, angle, apart, cd):
    """Blocks of the same height are one floor: what slides on it keeps its speed and height."""
    result = lammps(row(1, apart, f"{angle} 0 0 1", cd=cd))
    show(speed=column(result, "vx")[-1], lift=np.abs(column(result, "z") - 0.025).max())
    assert column(result, "vx") == pytest.approx(np.ones(11), abs=1e-8)
    assert column(result, "z") == pytest.approx(np.full(11, 0.025), abs=1e-8)


def test_seams_with_friction(lammps):
    """It is slowed down as on one floor; by a prism with edges that rise before it, too; whatever the speed."""
    prism = dict(sort="prism 6 0.05 0.08", turn="90 1 0 0", height=0.0433012701892219)
    for speed, time, parts in ((1, 0.4, {}), (20, 0.02, {}), (0.1, 0.05, {}), (1, 0.4, prism), (20, 0.02, prism)):
        result = lammps(row(speed, cd="friction 0.05", time=time, **parts))
        show(speed=column(result, "vx")[-1])
        assert column(result, "vx")[-1] == pytest.approx(speed - 0.05 * G * time, abs=1e-6)


@pytest.mark.parametrize("angle", [0, 10])
def test_seam_of_two_solids_of_a_surface(lammps, angle):
    """Boxes that touch share edges of four faces, two of which are within."""
    v = [(x, y, z) for x in (-1.5, 0, 1.5) for y in (-1, 1) for z in (-0.3, 0)]
    faces = [(a, b, d, c) for a, b, c, d in ((0, 1, 2, 3), (0, 4, 1, 5), (2, 3, 6, 7), (0, 2, 4, 6), (1, 5, 3, 7), (4, 6, 5, 7))]
    lines = ["v {} {} {}".format(*p) for p in v]
    lines += ["f " + " ".join(str(i + k + 1) for i in f) for k in (0, 4) for f in faces]
    script = rigid(shapes=f"1 {BOX} density 1000", walls="fix floor all wall/polyhedron obj floor.obj",
                   bodies=f"create_polyhedra 1 at -0.2 0.01 0.025 rotate {angle} 0 0 1\nvelocity all set 1 0 0")
    result = lammps(script, files={"floor.obj": "\n".join(lines) + "\n"})
    assert column(result, "vx") == pytest.approx(np.ones(11), abs=1e-8)


@pytest.mark.parametrize("speed", [1, 5, 20])
def test_a_step_stops(lammps, speed):
    """A block that is higher by more than the contacts reach holds what runs against it: its foot comes no further."""
    result = lammps(row(speed, last=0.01, time=0.6 / speed + 0.02, frames=20))
    x, z, vx = (column(result, c) for c in ("x", "z", "vx"))
    low = z < 0.03
    show(furthest=x[low].max(), end=vx[-1])
    assert x[low].max() < 0.25 + 1e-3 and vx[-1] < 0.6 * speed
