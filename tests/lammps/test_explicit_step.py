"""Explicit steps that are too long for contacts: Coulomb's limit, and that contacts never pull, bound what comes of them, and only a
warning tells."""

from __future__ import annotations

import re

import pytest

from conftest import show
from scenes import scene

TOO_LONG = r"too long for the contacts of body 1 at step .*: from \S+ on contacts"
LIMIT = r": from (\S+) on contacts"
NVE = "comm_modify vel yes\nfix motion all nve/asphere"


def pushed(dt: float, motion: str = NVE, run: float = 0.5) -> str:
    """A cube of 1 kg that a force up to 0.92 of the limit of friction pushes."""
    return scene(
        bodies="create_polyhedra 1 at 0 0 0.052", law="auto damping 0.5 friction 0.5 0.4", dt=dt, thermo="c_v",
        motion=f"{motion}\nvariable E equal ramp(0,4.5)\nfix push all addforce v_E 0 0\ncompute v all reduce max vx", run=f"run {round(run / dt)}")


def speed(result) -> float:
    return abs(result.thermo()["c_v"][-1])


@pytest.mark.parametrize("ranks", [1, 2])
def test_stuck_body_slides(lammps, ranks):
    """It slides as if beyond the limit where the step is longer than the warning says, and sticks where it is shorter."""
    long = lammps(pushed(1e-4), ranks=ranks, warn=TOO_LONG)
    limit = float(re.search(LIMIT, long.text).group(1))  # that of turning; sliding has 1.2 of it
    assert speed(long) > 1e-2
    assert speed(lammps(pushed(1.5 * limit), warn=TOO_LONG)) > 1e-2
    assert speed(lammps(pushed(0.95 * limit), ranks=ranks)) < 1e-5


def standing(dt: float, n: int) -> str:
    """Cubes of 1 kg that stand on each other and on a floor, without friction."""
    bodies = "\n".join(f"create_polyhedra 1 at 0 0 {0.05095 + 0.10096 * i:.9g}" for i in range(n))
    return scene(bodies=f"{bodies}\nset group all angmom 1e-5 2e-5 0", law="normal 1e7 1.5 gap 0.001 barrier 0.1 -2 damping 0.7", dt=dt, motion=NVE,
                 thermo="ke", run=f"run {round(0.4 / dt)}")


@pytest.mark.parametrize(("n", "dt"), [(2, 1.02e-3), (3, 7e-4)])
@pytest.mark.parametrize("ranks", [1, 2])
def test_standing_bodies_shake(lammps, n, dt, ranks):
    """Springs and dashpots of the normal law, between bodies none of which stands still: half of the step that is named will do."""
    said = TOO_LONG.replace("body 1", "body [1-3]")
    long = lammps(standing(dt, n), ranks=ranks, warn=said)
    limit = float(re.search(LIMIT, long.text).group(1))
    short = lammps(standing(0.5 * limit, n), ranks=ranks)
    show(limit=limit, long=long.thermo()["KinEng"][-1], short=short.thermo()["KinEng"][-1])
    assert long.thermo()["KinEng"][-1] > 1e-8 and short.thermo()["KinEng"][-1] < 1e-11


def falling(dt: float, turn: str, damping: float) -> str:
    """A cube of 1 kg that falls 0.24 m, flat or turned."""
    return scene(bodies=f"create_polyhedra 1 at 0 0 0.29 {turn}", law=f"auto damping {damping}", dt=dt, motion=NVE, box="block -1 1 -1 1 -0.2 3",
                 walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1\ncompute kr all erotate/asphere\nvariable z equal xcm(all,z)",
                 thermo="pe ke c_kr v_z", run=f"run {round(1 / dt)}")


def energy(result) -> float:
    """That at the end over that of the fall."""
    t = result.thermo()
    return (t["PotEng"][-1] + t["KinEng"][-1] + t["c_kr"][-1] + 9.81 * (t["v_z"][-1] - 0.05)) / (9.81 * 0.24)


@pytest.mark.parametrize(("turn", "damping", "dt", "least"), [("", 0.5, 1.7e-4, 2.0), ("", 0.9, 1.02e-4, 2.0), ("rotate 23 1 0.3 0.2", 0.5, 1.7e-4, 1.5)])
def test_impacts_between_two_looks(lammps, turn, damping, dt, least):
    """Damping that turns a cube around within a step gives it energy. The impact lasts a step or two, and is looked at all the same."""
    long = lammps(falling(dt, turn, damping), warn=TOO_LONG)
    limit = float(re.search(LIMIT, long.text).group(1))
    short = lammps(falling(0.5 * limit, turn, damping))
    show(limit=limit, long=energy(long), short=energy(short))
    assert energy(long) > least and energy(short) < 0.02


def test_warned_once_in_a_run(lammps):
    text = lammps(pushed(1e-4, run=0.1).replace("run 1000", "run 1000\nrun 1000"), warn=TOO_LONG).text
    assert len(re.findall(r"^WARNING: .*too long for the contacts", text, re.M)) == 2 * 2  # in the output and the log


def test_body_between_wall_and_bodies(lammps):
    """All contacts of a body count, those with walls and those with others: the one below is named, from a shorter step on."""
    bodies = "create_polyhedra 1 at 0 0 0.052\ncreate_polyhedra 1 at 0 0 0.1535"
    limits = [float(re.search(LIMIT, lammps(script, warn=TOO_LONG).text).group(1))
              for script in (pushed(1e-4), pushed(1e-4).replace("create_polyhedra 1 at 0 0 0.052", bodies))]
    assert limits[1] < 0.8 * limits[0]


def test_nothing_is_said_where_nothing_comes_of_it(lammps):
    """No step; no friction in spite of its springs."""
    lammps(pushed(1e-4, run=0.0))
    lammps(pushed(1e-4).replace("friction 0.5 0.4", "friction 0 0"))


@pytest.mark.parametrize("motion", ["fix motion all rigid/small molecule", "fix f all freeze\n" + NVE, "fix motion all move linear 0 0 0"])
def test_bodies_that_friction_does_not_move(lammps, motion):
    """In a clump a body is heavier than it is, and one that is held or led feels nothing."""
    script = pushed(1e-4, motion="comm_modify vel yes\n" + motion, run=0.01)
    if "rigid" in motion:
        script = script.replace("atom_style ellipsoid", "atom_style hybrid ellipsoid molecular").replace("pair_style", "create_polyhedra 1 at 0.2 0 0.052\nset group all mol 1\npair_style", 1)
    lammps(script, may_warn="Atom style hybrid defines both")
