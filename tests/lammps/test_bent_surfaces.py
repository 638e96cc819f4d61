"""Bodies on surfaces whose normals differ: one surface does what planes in its place do."""

from __future__ import annotations

import numpy as np
import pytest
from scenes import scene

GAP = 0.002
BOX = "1 box 0.1 0.1 0.05 density 1000"
SPHERE = "1 sphere 0.05 density 1000"


def gutter(folder, points) -> str:
    """A surface of the points (x, z) in turn, drawn out along y; its file."""
    path = folder / "gutter.obj"
    lines = [f"v {x} {y} {z}" for y in (-0.8, 0.8) for x, z in points]
    n = len(points)
    path.write_text("\n".join(lines + [f"f {k} {k + 1} {n + k + 1} {n + k}" for k in range(1, n)]))
    return f"fix w all wall/polyhedron obj {path}"


def run(lammps, walls, law, bodies, **parts):
    values = dict(box="block -1.5 1.5 -1 1 -1.5 1", shapes=BOX, walls=walls, bodies=bodies, motion="scheme em", dt=1e-3,
                  law=f"normal 1e8 1.5 gap {GAP} barrier 0.1 -2 {law}") | parts
    return lammps(scene(**values)).frames()


def energy(frame):
    """Of the box of BOX, J/kg."""
    v, w = frame.vectors("vx", "vy", "vz")[0], frame.columns["angmomy"][0] / 0.5
    return 9.81 * frame.columns["z"][0] + 0.5 * v @ v + 0.5 * w**2 / ((0.1**2 + 0.05**2) / 12)


@pytest.mark.parametrize("slope", [3, 6, 10])
@pytest.mark.parametrize("law", ["restitution 0", "damping 0.3"])
def test_valley(lammps, tmp_path, slope, law):
    """A box that rubs nothing slides from one side of a shallow valley to the other. Where it bears in two directions, one of
    them hardly, damping acts along the normal of each contact."""
    t, s, c = (f(np.radians(slope)) for f in (np.tan, np.sin, np.cos))
    start = (f"create_polyhedra 1 at 0 0.01 {0.05 * t + 0.025 + 0.99 * GAP / c}\nvelocity all set 0.3 0 0\n"
             f"set group all angmom 0 {-0.3 * t / 0.05 * 0.5 * (0.1**2 + 0.05**2) / 12} 0")
    planes = f"fix w all wall/polyhedron plane 0 0 0 {s} 0 {c} plane 0 0 0 {-s} 0 {c}"
    lost = []
    for walls in (gutter(tmp_path, [(-1, t), (0, 0), (1, t)]), planes):
        frames = run(lammps, walls, law, start, every=250, run="run 250")
        lost.append((energy(frames[0]) - energy(frames[-1])) / (0.5 * 0.3**2))
    print(f"{slope} degrees, {law}: lost of the kinetic energy, surface and planes {lost[0]:.4f} {lost[1]:.4f}")
    assert abs(lost[0] - lost[1]) < 0.02


def test_drum(lammps):
    """A box let go in a drum of 200 facets swings to the other side: newmark and explicit integrators turn at -0.311 to -0.314."""
    frames = run(lammps, "fix drum all wall/polyhedron cylinder y 0 0 0.5 -0.5 0.5 facets 200", "restitution 0",
                 "create_polyhedra 1 at 0.3 0.01 -0.32", every=10, run="run 800")
    turn = min(f.columns["x"][0] for f in frames)
    print(f"turns at {turn:.4f}")
    assert -0.32 < turn < -0.305


@pytest.mark.parametrize("shape", [BOX, SPHERE])
@pytest.mark.parametrize("law", ["restitution 0", "restitution 0.5", "damping 0.3"])
def test_side_of_a_channel(lammps, tmp_path, shape, law):
    """Bodies that slide on the floor of a channel hit its side: the same surface that bears them, and another contact."""
    dt, count = 3e-3, 6
    z = (0.025 if shape == BOX else 0.05) + 0.9975 * GAP
    rows = [f"create_polyhedra 1 at {0.1 - dt * k / count} {-0.7 + 0.25 * k} {z}" for k in range(count)]
    back = []
    for walls in (gutter(tmp_path, [(-1, 0), (0.2, 0), (0.2, 0.6)]),
                  "fix w all wall/polyhedron plane 0.2 0 0 -1 0 0\nfix f all wall/polyhedron plane 0 0 0 0 0 1"):
        frames = run(lammps, walls, law, "\n".join(rows + ["velocity all set 1 0 0"]), shapes=shape, dt=dt, every=36, run="run 36")
        back.append(-frames[-1].columns["vx"])
    print(f"{law}: speeds after, one surface {back[0].round(3)}, planes {back[1].round(3)}")
    assert np.abs(back[0] - back[1]).max() < 0.06
