"""Memory of friction while somebody looks at the contacts in the middle of a step: nothing comes of it."""

from __future__ import annotations

import pytest

from conftest import show
from scenes import reduce_local, scene

# a belt that speeds up and slows down under a bed of blocks and small ones on them; a list holds for less than a step
BODIES = "\n".join(
    f"create_polyhedra {kind} at {x} {y} {z}"
    for kind, x, y, z in (
        (1, -0.1, 0, 0.0511), (2, -0.1, 0, 0.1275), (1, 0.1, 0.13, 0.0511), (2, 0.1, 0.14, 0.1275),
        (2, 0.09, 0.15, 0.1795), (1, 0.1, -0.13, 0.0511), (1, 0.1, 0.0, 0.1535),
    )
)  # fmt: skip
BELT = """variable vx equal 0.8+0.12*sin(25*step*dt)
variable dx equal 0.8*step*dt+0.12/25*(1-cos(25*step*dt))
fix floor all wall/polyhedron plane 0 0 0 0 0 1 move variable v_dx NULL NULL v_vx NULL NULL
velocity all set 0.8 0 0"""
LOOK = f"""compute c all polyhedron/contact/local
{reduce_local("r", "sum", "c_c[11]")}
variable z equal 0*c_r
run 0
fix load all load/polyhedron force 0 0 v_z"""


def motion(lammps, extra: str, **parts) -> str:
    """What the dump has, as it is written."""
    result = lammps(scene(every=20, extra=extra, **parts), may_warn="in the barrier of their law")
    return (result.dir / "dump").read_text()


@pytest.mark.parametrize("scheme", ["em", "newmark", "euler"])
def test_load_that_reads_contacts(lammps, scheme):
    """A load is computed from the contacts, in every step, and is zero: bodies go as with one that is zero."""
    parts = dict(
        types=2,
        box="block -1 8 -1 3 -0.2 1",
        shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.08 0.06 0.05 density 2000",
        bodies=BODIES,
        walls=BELT,
        law="normal 1e7 1.5 gap 0.001 barrier 0.1 -2 damping 0.5 ramp 0.003 friction 0.25 0.25 1e4 30",
        skin=0.006,
        dt=0.005,
        motion=f"scheme {scheme} maxstep 0.001",
        run="run 100",
    )
    plain = motion(lammps, "run 0\nfix load all load/polyhedron force 0 0 0", **parts)
    looking = motion(lammps, LOOK, **parts)
    assert plain.count("TIMESTEP") == 6
    assert plain == looking


def test_barrier_that_is_watched(lammps):
    """A loose bed shaken on a soft law gets into the barrier, which is looked at in the middle of steps: the accounts
    of energy stay what they are."""
    at = """1 -0.13 -0.1 0.0262 1 0.0 -0.1 0.0262 3 -0.12 -0.1 0.0835 3 0.02 -0.09 0.0835 1 -0.06 -0.1 0.1425
        1 -0.14 0.04 0.0262 3 -0.01 0.05 0.0312 1 0.07 -0.01 0.27 3 -0.12 0.05 0.0835 2 0.0 0.05 0.12
        2 0.09 0.1 0.09 2 0.11 -0.035 0.16 2 0.05 0.10 0.19""".split()
    accounts = (8, 9, 20, 11, 21, 23), (10, 22, 25, 12)  # what there is and is lost, and what has been done
    result = lammps(
        scene(
            types=3,
            boundary="p p f",
            box="block -0.15 0.15 -0.15 0.15 -0.2 1",
            shapes="1 box 0.1 0.09 0.05 density 1000 2 rock 0.06 0.05 0.05 14 7 density 1500 random 31 "
            "3 box 0.08 0.08 0.06 density 2000",
            bodies="\n".join("create_polyhedra {} at {} {} {}".format(*at[n : n + 4]) for n in range(0, len(at), 4)),
            walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1 move wiggle 0.02 0.005 0 0.3",
            law="\n".join(
                f"pair_coeff {pair} normal 1e6 1.5 gap {gap} barrier 0.1 -2 damping 0.7 ramp 0.003 friction 0.4 0.35 1e5 50"
                for pair, gap in (("* *", 0.001), ("2 2", 0.01), ("1 2", 0.005))
            ),
            skin=0.005,
            dt=0.002,
            motion="scheme newmark",
            every=20,
            thermo=" ".join(f"f_motion[{n}]" for n in (18, *accounts[0], *accounts[1])),
            run="run 400",
        ),
        may_warn="in the barrier of their law",
    )
    table = result.thermo()
    there, done = (sum(table[f"f_motion[{n}]"] for n in part) for part in accounts)
    drift = there - done - (there - done)[0]
    show(energy=there[0], drift=abs(drift).max(), lists=table["f_motion[18]"][-1])
    assert table["f_motion[18]"][-1] > 10
    assert abs(drift).max() < 1e-11
