"""Settled heaps of any size at the same density: a small periodic cell, settled once and repeated."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

import bench
import scenes  # found by bench


@dataclass(frozen=True)
class Cell:
    """A periodic cell: bodies fall on a floor from a grid of across x across x layers."""

    shape: str  # arguments of fix polyhedron/shape after the type
    law: str
    pitch: float  # m
    across: int
    layers: int
    skin: float  # m
    rest: float  # J, kinetic energy below which it has settled

    @property
    def count(self) -> int:
        return self.across**2 * self.layers

    @property
    def side(self) -> float:
        return self.pitch * self.across


ROUGH = "restitution 0 friction 0.5 0.5"
CELLS = {
    "cubes": Cell("box 0.1 0.1 0.1 density 1000", f"normal 1e8 1.5 gap 0.001 barrier 0.1 -2 {ROUGH} 1e5 30",
                  0.19, 4, 8, 0.03, 1e-9),
    "tetrapods": Cell(f"stl {scenes.SHAPES}/tetrapod.stl density 14167.15 scale 4.47",
                      f"normal 1e9 1.5 gap 0.004 barrier 0.1 -2 {ROUGH} 1e7 1e4", 0.95, 4, 4, 0.15, 1e-6),
}
PARTS = ("Pair", "Neigh", "Comm", "Output", "Modify", "Other")
THERMO = "ke f_motion[1] f_motion[2] f_motion[3] f_motion[6] f_motion[7] f_motion[8]"


def settle(cell: Cell) -> str:
    """Input script that lets the cell settle, 1 s and on to rest, and writes the file `cell`."""
    low = tuple(0.5 * cell.pitch for _ in range(3))
    return scenes.scene(
        boundary="p p f",
        box=f"block 0 {cell.side} 0 {cell.side} -{cell.pitch} {cell.pitch * (cell.layers + 1)}",
        shapes=f"1 {cell.shape}", bodies=scenes.grid(cell.across, cell.across, cell.layers, cell.pitch, low),
        law=cell.law, skin=cell.skin, dt=0.005, motion="scheme em", thermo=THERMO,
        run=f"""run 200
variable rest equal "ke < {cell.rest}"
fix rest all halt 10 v_rest == 1 error continue message no
run 4000
write_data cell nocoeff""")


def until_rest(cell: Cell, copies: int) -> str:
    """Commands that go on until a repeated cell rests as the cell did when it was kept: its contacts have lost the
    springs of their friction, which data files do not have, and it slumps until there are others."""
    return f"""variable rest equal "ke < {copies * cell.rest}"
fix rest all halt 10 v_rest == 1 error continue message no
run 1000
unfix rest"""


def repeated(cell: Cell, data: Path, nx: int, ny: int, steps: int, warm: int = 20) -> str:
    """Input script of nx x ny cells: steps in which the contacts find their springs, then those to time."""
    return f"""units si
atom_style ellipsoid
atom_modify map yes
boundary p p f
read_data {data} nocoeff
replicate {nx} {ny} 1
fix shapes all polyhedron/shape 1 {cell.shape} write shapes.txt
pair_style polyhedron
pair_coeff * * {cell.law}
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix g all gravity 9.81 vector 0 0 -1
timestep 0.005
neighbor {cell.skin} bin
fix motion all implicit/polyhedron scheme em
thermo_style custom step time {THERMO}
thermo_modify format float %.17g norm no
thermo {max(warm, steps)}
run {warm}
run {steps}"""


def make(name: str) -> tuple[Cell, Path]:
    """The cell of that name and its settled data file, made once and kept in the build folder."""
    cell = CELLS[name]
    script = settle(cell)
    folder = bench.cache(f"cell-{name}-{hashlib.sha1(script.encode()).hexdigest()[:12]}")
    if not (folder / "cell").exists():
        print(f"settling a cell of {cell.count} {name} ...", file=sys.stderr, flush=True)
        bench.lammps(script, folder)
    return cell, folder / "cell"


def tiles(count: int) -> tuple[int, int]:
    """Powers of two nx >= ny with a product of `count`, itself a power of two."""
    power = count.bit_length() - 1
    return 2 ** (power - power // 2), 2 ** (power // 2)
