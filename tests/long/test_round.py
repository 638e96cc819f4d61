"""A column of 500 balls that collapses on a rough floor, beside LAMMPS's own granular spheres; one of balls and cubes
without an intersection."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lammps"))
from conftest import host, lammps, show  # noqa: E402, F401

D, DENSITY, MU = 0.02, 2500.0, 0.5
SPACE, ACROSS, ALONG, FLOOR = 1.06 * D, 5, 10, 60  # of the lattice; balls across, of a layer along, of the floor along
TYPES = {"ball": 1, "floor": 2, "cube": 3}


def places(seed: int, bodies: int):
    """A column on a lattice, disturbed, and a floor of balls that are fixed, 0.3 of a diameter rough."""
    rng = np.random.default_rng(seed)
    i, j, k = (a.ravel() for a in np.meshgrid(range(ALONG), range(ACROSS), range(bodies // (ALONG * ACROSS)), indexing="ij"))
    order = np.lexsort((j, i, k))
    column = np.array([(i + 0.6) * SPACE, (j + 0.5) * SPACE, 1.1 * D + k * SPACE]).T[order]
    column += rng.uniform(-0.025, 0.025, column.shape) * D
    i, j = (a.ravel() for a in np.meshgrid(range(FLOOR), range(ACROSS), indexing="ij"))
    floor = np.array([(i + 0.5) * SPACE, (j + 0.5) * SPACE, -0.5 * D + rng.uniform(0, 0.3, i.size) * D]).T
    return column, floor


def data(column, floor, ellipsoids: bool) -> str:
    rows = [("ball", x) for x in column] + [("floor", x) for x in floor]
    text = f"column\n\n{len(rows)} atoms\n{len(TYPES)} atom types\n"
    if ellipsoids:
        text += f"{len(rows)} ellipsoids\n"
    text += f"0 {FLOOR * SPACE} xlo xhi\n0 {ACROSS * SPACE} ylo yhi\n{-2 * D} {column[:, 2].max() + 3 * D} zlo zhi\n\nAtoms\n\n"
    kind = "1" if ellipsoids else f"{D}"
    for n, (name, x) in enumerate(rows, 1):
        text += f"{n} {TYPES[name]} {kind} {DENSITY} {x[0]:.17g} {x[1]:.17g} {x[2]:.17g}\n"
    if ellipsoids:
        text += "\nEllipsoids\n\n" + "".join(f"{n} {D} {D} {D} 1 0 0 0\n" for n in range(1, len(rows) + 1))
    return text


# the dashpots of a restitution of 0.5: exp(-pi c / sqrt(k / m - c^2)) with c = 2700 / 2 and the reduced mass m
GRANULAR = f"""units si
atom_style sphere
boundary f p f
newton off
comm_modify vel yes
read_data column
group loose type 1
neighbor 0.005 bin
pair_style gran/hooke/history 2e5 NULL 2700 NULL {MU} 1
pair_coeff * *
fix wall all wall/gran hooke/history 2e5 NULL 2700 NULL {MU} 1 xplane 0 NULL
fix g loose gravity 9.81 vector 0 0 -1
fix motion loose nve/sphere
timestep 1e-5
dump d all custom 150000 dump id type x y z
dump_modify d sort id format float %.17g
run 150000"""

OURS = f"""units si
atom_style ellipsoid
atom_modify map yes
boundary f p f
read_data column
fix shapes all polyhedron/shape 1*2 sphere {D / 2} density {DENSITY} &
  3 box {0.56 * D} {0.56 * D} {0.56 * D} density {DENSITY} write shapes.txt
group loose type 1 3
%s
neighbor 0.005 bin
pair_style polyhedron
pair_coeff * * auto velocity 1.5 restitution 0.5 friction {MU} {MU}
fix wall all wall/polyhedron plane 0 0 0 1 0 0
fix g loose gravity 9.81 vector 0 0 -1
fix motion loose implicit/polyhedron scheme em
timestep 0.002
compute q all property/atom quatw quati quatj quatk
dump d all custom 50 dump id type x y z c_q[1] c_q[2] c_q[3] c_q[4]
dump_modify d sort id format float %%.17g
run 400"""


def slope(result) -> float:
    """Degrees: a line through the four highest bodies of slices of 1.5 diameters, the one at the wall and the toe left out."""
    frame = result.frames()[-1]
    x, z = (frame.columns[c][frame.columns["type"] != TYPES["floor"]] for c in "xz")
    high, at = [], []
    for low in np.arange(0, FLOOR * SPACE, 1.5 * D):
        here = np.sort(z[(x >= low) & (x < low + 1.5 * D)])
        if len(here) < 6:
            break
        high.append(here[-4:].mean())
        at.append(low)
    high, at = np.array(high), np.array(at)
    kept = (high > 1.5 * D) & (at > 0)
    return float(np.degrees(np.arctan(-np.polyfit(at[kept], high[kept], 1)[0])))


def test_slope_of_balls(lammps) -> None:  # noqa: F811
    lammps.limit = 3600
    column, floor = places(5, 500)
    granular, ours = (
        slope(lammps(script, files={"column": data(column, floor, ellipsoids)}, may_warn="barrier|group|temp"))
        for script, ellipsoids in ((GRANULAR, False), (OURS % "", True))
    )
    show(granular=granular, ours=ours)
    assert abs(granular - ours) < 2.0


@pytest.mark.parametrize("bodies", [200])
def test_balls_and_cubes(lammps, bodies) -> None:  # noqa: F811
    lammps.limit = 3600
    column, floor = places(5, bodies)
    cubes = "set group loose type/fraction 3 0.5 4711\nset type 3 quat/random 4711"
    result = lammps(OURS % cubes, files={"column": data(column, floor, True)}, may_warn="barrier|group|temp")
    show(slope=slope(result))
    assert lammps.intersections(result, "dump", "0 0 0 1 0 0") == 0
