"""Restart: the simulated time goes on, which early hosts do not keep, whatever moves the bodies."""

from __future__ import annotations

import pytest

from conftest import show
from scenes import EXPLICIT, FLOOR, scene
from vtk_reader import read_pvd

RIGID = dict(pair="pair_style zero 0.5\npair_coeff * *", law="", motion="fix motion all contact/dynamics tol 1e-10 friction 0.05")
SOFT = dict(law="normal 1e6 1.5 gap 0.002")
MOTIONS = {"rigid": RIGID, "explicit": SOFT | dict(motion=EXPLICIT), "em": SOFT | dict(motion="scheme em")}
VARIABLES = "variable d equal 0.01*sin(20*time)\nvariable v equal 0.2*cos(20*time)\nvariable f equal 2*sin(30*time)\n"
WALL = f"{VARIABLES}{FLOOR} move variable NULL NULL v_d NULL NULL v_v"
DRIVEN = {
    "wall": (WALL, "f_floor[3]"),
    "load": (f"{VARIABLES}{FLOOR}\nfix push all load/polyhedron force v_f 0 0", "f_push"),
}
OUTPUT = "fix picture all vtk/polyhedron 50 a-*.vtp contacts no append yes"


def driven(name, motion, run, **parts):
    walls, thermo = DRIVEN[name]
    return scene(**MOTIONS[motion] | parts, bodies="create_polyhedra 1 at 0 0 0.0525", walls=walls, thermo=thermo, dt=2e-4, every=50,
                 run=run)


def going_on(script, before=""):
    """The script that goes on from the file `half`; before: commands after it is read."""
    kept = [line for line in script[script.index("fix shapes"):].splitlines() if not line.startswith("create_polyhedra")]
    return "\n".join(["read_restart half", before, *kept])


def halves(lammps, name, motion, **parts):
    """A run, and the second half of another one that its first half leaves in a file."""
    whole = lammps(driven(name, motion, "run 1000", **parts), where="whole")
    lammps(driven(name, motion, "run 500\nwrite_restart half", **parts), where="half")
    return whole, lammps(going_on(driven(name, motion, "run 500", **parts)), where="half")


@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("name", DRIVEN)
def test_what_depends_on_the_time_goes_on(lammps, name, motion):
    whole, half = halves(lammps, name, motion)
    a, b = whole.frames()[-1].columns, half.frames()[-1].columns
    show(time=half.thermo()["Time"], z=(a["z"][0], b["z"][0]), vx=(a["vx"][0], b["vx"][0]))
    assert half.thermo()["Time"][0] == pytest.approx(0.1, rel=1e-12)
    for column in ("x", "z", "vx", "vz"):
        assert b[column] == pytest.approx(a[column], rel=1e-7, abs=1e-9), column
    load = DRIVEN[name][1]
    assert half.thermo()[load][-1] == pytest.approx(whole.thermo()[load][-1], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("motion", MOTIONS)
def test_series_of_pictures_goes_on(lammps, motion):
    whole, half = halves(lammps, "wall", motion, extra=OUTPUT)
    times = [[time for time, _ in read_pvd(run.dir / "a-bodies.pvd")] for run in (whole, half)]
    show(entries=len(times[1]))
    assert len(times[0]) == 21
    assert times[1] == pytest.approx(times[0], rel=1e-12)


def test_a_step_that_is_reset_has_its_own_time(lammps):
    lammps(driven("load", "explicit", "run 500\nwrite_restart half"), where="half")
    again = lammps(going_on(driven("load", "explicit", "run 50"), "reset_timestep 0"), where="half")
    assert again.thermo()["Time"][0] == 0.0


def early(state):
    """The same file without the line of the time."""
    start = state.index(b"time and step ")
    end = state.index(b"\n", start) + 1
    size = int.from_bytes(state[start - 4 : start], "little") - (end - start)
    return state[: start - 4] + size.to_bytes(4, "little") + state[end:]


@pytest.mark.parametrize("motion", MOTIONS)
def test_early_files_are_read(lammps, motion):
    """Those of fix implicit/polyhedron have the time elsewhere, too."""
    first = lammps(driven("load", motion, "run 500\nwrite_restart half"))
    files = {"half": early((first.dir / "half").read_bytes())}
    time = lammps(going_on(driven("load", motion, "run 50")), files=files).thermo()["Time"]
    if motion == "em":
        assert time[0] == pytest.approx(0.1, rel=1e-12)
