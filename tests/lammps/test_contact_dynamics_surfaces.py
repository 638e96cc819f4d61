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
