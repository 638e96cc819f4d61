"""Lengths, times and masses in other units, a million times larger or smaller: nothing in the code has a length, a time or a
mass of its own. Powers of two change no digit of the numbers; what differs is where the linear solver pivots."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import SHAPES, grid, scene

SCHEMES = ("em", "euler", "newmark")
COLUMNS = {"x": (1, 0), "y": (1, 0), "z": (1, 0), "vx": (1, -1), "vy": (1, -1), "vz": (1, -1),
           "angmomx": (2, -1), "angmomy": (2, -1), "angmomz": (2, -1),
           "c_q[1]": (0, 0), "c_q[2]": (0, 0), "c_q[3]": (0, 0), "c_q[4]": (0, 0)}  # powers of length and time


def heap(scheme, length=0, time=0, mass=0) -> str:
    """Eight bodies of two shapes fall into a corner, with friction; exponents of 2 of the units."""

    def unit(value, of_length=0, of_time=0, of_mass=0):
        return repr(float(value) * 2.0 ** (of_length * length + of_time * time + of_mass * mass))

    def size(value):
        return unit(value, 1)

    stiffness, viscosity = unit(2e6, 0, -2, 1), unit(100, 0, -1, 1)
    shape = f"density {unit(2400, -3, 0, 1)} scale {size(1)}"
    bodies = []
    for n, line in enumerate(grid(2, 2, 2, 0.25, (-0.125, -0.125, 0.15), types=2).splitlines()[:-1]):
        words = line.split()
        bodies.append(" ".join([*words[:3], *map(size, words[3:]), f"rotate {37 * n} 1 {n} 2"]))
    walls = f"fix floor all wall/polyhedron plane 0 0 0 0.2 0.1 1 plane {size(-0.3)} 0 0 1 0 0 plane 0 {size(-0.3)} 0 0 1 0"
    low, high = size(-4), size(4)
    return scene(
        box=f"block {low} {high} {low} {high} {low} {high}",
        types=2,
        shapes=f"1 stl {SHAPES}/cube.stl {shape} 2 stl {SHAPES}/tetrapod.stl {shape}",
        bodies="\n".join(bodies),
        walls=walls,
        law=f"normal {stiffness} 1 gap {size(0.002)} barrier 0.1 -2 damping 0.5 friction 0.5 0.4 {stiffness} {viscosity}",
        gravity=float(unit(9.81, 1, -2)),
        skin=float(size(0.05)),
        dt=float(unit(0.005, 0, 1)),
        motion=f"scheme {scheme}",
        every=40,
        run="run 40",
    )


def states(result, frame, length=0, time=0, mass=0):
    columns = result.frames()[frame].columns
    return np.array([columns[name] * 2.0 ** -(p * length + q * time + mass * name.startswith("ang"))
                     for name, (p, q) in COLUMNS.items()])


@pytest.mark.parametrize("scheme", SCHEMES)
def test_units_by_powers_of_two(lammps, scheme):
    whole = lammps(heap(scheme), where="as-is")
    begin, expected = states(whole, 0), states(whole, -1)
    assert np.abs(expected - begin)[:3].max() > 0.1
    for units in ((20, 0, 0), (-20, 0, 0), (0, 20, -20), (-20, -17, 40)):
        other = lammps(heap(scheme, *units), where=",".join(map(str, units)))
        assert np.array_equal(states(other, 0, *units), begin)
        error = np.abs(states(other, -1, *units) - expected)[:3].max() / 0.1
        show(length=units[0], time=units[1], mass=units[2], position_error=error)
        assert error < 1e-7, units
