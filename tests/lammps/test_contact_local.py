"""compute polyhedron/contact/local: columns that must hold for every row."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, FLOOR, reduce_local, scene

GBAR = 0.002
LAW = f"normal 1e6 1.5 gap {GBAR} damping 0.5 friction 0.5 0.4 1e5 10"
# a cube over the gap between two others: pairs of edges of whose terms those of negative weight alone are in reach
STACK = """create_polyhedra 1 at 0.0505 0 0.0515
create_polyhedra 1 at -0.0505 0 0.0515
create_polyhedra 1 at 0 0 0.153"""


def rows(result, name: str = "rows") -> np.ndarray:
    """All rows of all frames."""
    return np.concatenate([frame.table() for frame in result.frames(name)])


def test_gaps_are_gaps(lammps):
    """Every row has a gap below gbar, also where terms of negative weight alone are left; so has the mean."""
    columns = f"compute c all polyhedron/contact/local\n{reduce_local('mean', 'ave', 'c_c[10]')}"
    extra = "\n".join([
        "dump rows all local 10 rows c_c[3] c_c[10] c_c[11]",
        "dump_modify rows format float %.17g",
        "thermo 10",
    ])
    result = lammps(scene(bodies=STACK, law=LAW, walls=f"{FLOOR}\n{columns}", thermo="c_mean f_motion[6]", motion="scheme em", extra=extra,
                          run="run 300"), warn="begin step 1 closer than contact begins")
    table = rows(result)
    t = result.thermo()
    show(rows=len(table), largest=table[:, 1].max(), mean=t["c_mean"][-1])
    assert len(table) > 500
    assert (table[:, 1] > 0.0).all() and (table[:, 1] < GBAR).all()
    assert 0.0 < t["c_mean"][-1] < GBAR
    assert (t["f_motion[6]"] > 0.0).all()


def test_walls_are_told_apart(lammps):
    """A cube in a corner of three walls of two fixes: which fix and which of its walls."""
    walls = f"{FLOOR}\nfix sides all wall/polyhedron plane -1 0 0 1 0 0 plane -0.05 0 0 1 0 0"
    extra = "compute c all polyhedron/contact/local\ndump rows all local 1 rows c_c[2] c_c[17] c_c[7] c_c[8] c_c[9]"
    bodies = "create_polyhedra 1 at 0.0015 0 0.0515\ncreate_polyhedra 1 at 0.103 0 0.0515"
    result = lammps(scene(bodies=bodies, walls=walls, law=LAW, motion="scheme em", extra=extra, run="run 5"))
    table = rows(result)
    for wall, normal in (((-1, 1), (0, 0, 1)), ((-2, 2), (1, 0, 0))):
        of = table[(table[:, 0] == wall[0]) & (table[:, 1] == wall[1])]
        assert len(of) > 0 and np.allclose(of[:, 2:], normal, atol=1e-3)
    between = table[table[:, 0] > 0]
    assert len(between) > 0 and (between[:, 1] == 0).all()
    assert set(map(tuple, table[:, :2])) == {(-1, 1), (-2, 2), (2, 0)}


def missing(lammps, law: str, dt: float, motion: str = EXPLICIT) -> float:
    """The most that the rows of a cube that bounces on the floor miss of the force on it, over the greatest force."""
    n = round(0.05 / dt)
    total = reduce_local("all", "sum", "c_c[11]")
    t = lammps(scene(bodies="create_polyhedra 1 at 0 0 0.0525\nvelocity all set 0 0 -0.5", law=law, motion=motion, dt=dt, every=max(n // 250, 1),
                     walls=f"{FLOOR}\ncompute c all polyhedron/contact/local\n{total}", thermo="c_all f_floor[3]", run=f"run {n}")).thermo()
    return np.abs(t["c_all"] + t["f_floor[3]"]).max() / t["c_all"].max()


def test_rows_are_the_forces(lammps):
    """Beside explicit integrators without damping, with it to first order in the time step; always with the implicit one."""
    elastic, damped = "normal 1e6 1.5 gap 0.002", "normal 1e6 1.5 gap 0.002 damping 0.5"
    first, fourth = missing(lammps, damped, 2e-5), missing(lammps, damped, 5e-6)
    show(elastic=missing(lammps, elastic, 2e-5), damped=(first, fourth))
    assert missing(lammps, elastic, 2e-5) < 1e-10
    assert missing(lammps, damped, 2e-4, "scheme em") < 1e-10
    assert fourth == pytest.approx(first / 4, rel=0.2) and first < 0.05


@pytest.mark.parametrize("ranks, boundary, shift", [(2, "f f f", 0.0), (1, "p f f", 1.0), (2, "p f f", 1.0)])
def test_ghosts_have_the_velocities_of_their_bodies(lammps, ranks, boundary, shift):
    """Explicit steps: two cubes that meet, on one process, on two, and across a periodic boundary: the same rows, opposite forces."""
    def run(ranks: int, boundary: str, shift: float) -> np.ndarray:
        bodies = f"create_polyhedra 1 at {shift - 0.0506} 0 0\ncreate_polyhedra 2 at {0.0506 - shift} 0.01 0\nvelocity all set -1 0 0\ngroup a id 1\nvelocity a set 1 0.3 0"
        sums = "group first id 1\ngroup second id 2\ncompute a first reduce sum c_s[4]\ncompute b second reduce sum c_s[4]\nvariable a equal c_a\nvariable b equal c_b"
        computes = f"compute s all polyhedron/contact/atom\ncompute l all polyhedron/contact/local\n{sums}"
        script = scene(types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.1 0.1 0.1 density 8000", bodies=bodies, boundary=boundary, box="block -1 1 -1 1 -1 1",
                       processors="2 1 1" if ranks == 2 else "", walls=f"{computes}\n{reduce_local('n', 'sum', 'c_l[11]')}", gravity=0, skin=0.02, dt=2e-5, motion=EXPLICIT,
                       law="normal 1e7 1.5 gap 0.001 damping 0.5 friction 0.5 0.5 1e5 20", every=10, thermo="v_a v_b c_n", run="run 40")
        t = lammps(script, ranks=ranks).thermo()
        return np.array([t["v_a"], t["v_b"], t["c_n"]])

    alone, other = run(1, "f f f", 0.0), run(ranks, boundary, shift)
    most = abs(alone).max()
    show(force=most, opposite=abs(other[0] + other[1]).max() / most, difference=abs(other - alone).max() / most)
    assert most > 1e3
    assert abs(other[0] + other[1]).max() < 1e-12 * most
    assert abs(other - alone).max() < 1e-9 * most
