"""What long runs of fix implicit/polyhedron say on the screen."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import show
from scenes import GRAIN, scene

LINE = re.compile(r"^Step (\d+) of (\d+): (\d+) contacts, (\S+) substeps of (\S+) and (\S+) iterations a step, (\S+) steps/s, "
                  r"(\S+) (s|min|h|d) left$", re.M)
TABLE = re.compile(r"^Time of fix motion by part:\nSection \|  min time .*\n-+\n((?:\w+ +\|.*\n){4})", re.M)


def fall(progress: str, run: str = "run 400") -> str:
    """Cubes that fall on each other; some half second."""
    return scene(motion=f"scheme em {progress}", law="normal 1e7 1.5 gap 0.002 damping 0.5", dt=2e-3, every=50, run=run,
                 bodies="lattice sc 0.15 origin 0.5 0.5 0.5\nregion low block -0.3 0.3 -0.15 0.15 0 0.45 units box\n"
                 "create_atoms 1 region low", thermo="f_motion[1] f_motion[2] f_motion[7]")


def rows(table: str) -> dict[str, list[float]]:
    return {w[0].strip(): [float(x) for x in w[1:]] for w in (line.split("|") for line in table.splitlines())}


@pytest.mark.parametrize("ranks", [1, 2])
def test_lines_and_table(lammps, ranks) -> None:
    """On the screen alone, with means since the line before; the table in the log file too, within the row Modify."""
    run = lammps(fall("progress 0.02"), ranks=ranks)
    log = (run.dir / "log.lammps").read_text()
    lines = LINE.findall(run.text)
    assert len(lines) > 1 and not LINE.search(log)
    steps = [int(m[0]) for m in lines]
    t = run.thermo()
    substeps = np.interp(steps, t["Step"], t["f_motion[1]"])
    told = np.cumsum([float(m[3]) * n for m, n in zip(lines, np.diff([0, *steps]))])
    show(lines=len(lines), last=lines[-1][0])
    assert steps == sorted(set(steps)) and {m[1] for m in lines} == {"400"}
    assert np.abs(told - substeps).max() < 0.1 * substeps[-1]
    assert all(float(m[3]) * float(m[4]) == pytest.approx(2e-3, rel=0.05) for m in lines)
    parts = rows(TABLE.search(log).group(1))
    modify = float(re.search(r"^Modify +\| +\S+ +\| +(\S+)", log, re.M).group(1))
    assert list(parts) == ["Newton", "Linear", "Lists", "State"]
    assert all(low <= mean <= high for low, mean, high, *_ in parts.values())
    assert 0.5 * modify < sum(p[1] for p in parts.values()) < 1.05 * modify


def test_a_run_that_goes_on(lammps) -> None:
    """`run every` and runs in succession: steps up to the end of each run, a table of its own for each."""
    run = lammps(fall("progress 0.02", "run 200\nrun 200 every 100 NULL"))
    assert {m[1] for m in LINE.findall(run.text)} <= {"200", "300", "400"}
    log = (run.dir / "log.lammps").read_text()
    loops = [float(x) for x in re.findall(r"^Loop time of (\S+)", log, re.M)]
    sums = [sum(p[1] for p in rows(m).values()) for m in TABLE.findall(log)]
    assert len(sums) >= 2 and all(s < 1.1 * max(loops) for s in sums)


@pytest.mark.parametrize("progress", ["", "progress 0"])
def test_short_and_silent_runs(lammps, progress) -> None:
    run = lammps(fall(progress))
    assert not LINE.search(run.text) and not TABLE.search(run.text)


def test_errors(lammps) -> None:
    lammps(fall("progress -1", "run 0"), fail="progress")


def test_skin_that_makes_substeps_short(lammps) -> None:
    """A cube at 3 m/s under the default skin of units si, beside a type so small that its size helps as little: told once, with a skin
    that serves; the motion is the same."""
    flight = {"types": 2, "shapes": f"1 box 0.1 0.1 0.1 density 1000 2 {GRAIN}", "bodies": "create_polyhedra 1 at -0.9 0 1\nvelocity all set 3 0 0\nvariable x equal x[1]", "gravity": 0.0, "walls": "", "motion": "scheme em",
              "dt": 0.01, "every": 10, "run": "run 40\nrun 10", "thermo": "f_motion[1] f_motion[2] v_x"}
    told = "neighbor skin 0.001 makes substeps short at step {}: use a larger one, as neighbor 0.08 bin"
    short = lammps(scene(**flight, skin=0.001), warn=told.format(10), may_warn=told.format(50))
    assert (short.dir / "log.lammps").read_text().count("makes substeps short") == 2  # once in every run
    long = lammps(scene(**flight, skin=0.08))
    a, b = short.thermo(), long.thermo()
    show(substeps=a["f_motion[1]"][-1], iterations=a["f_motion[2]"][-1], with_skin=b["f_motion[1]"][-1])
    assert a["v_x"][-1] == pytest.approx(b["v_x"][-1], abs=1e-12)
    assert a["f_motion[1]"][-1] > 50 * b["f_motion[1]"][-1] / 2
    assert a["f_motion[2]"][-1] <= a["f_motion[1]"][-1] + 10  # none in vain
    alone = lammps(scene(**{**flight, "types": 1, "shapes": "1 box 0.1 0.1 0.1 density 1000"}, skin=0.001)).thermo()
    assert alone["v_x"][-1] == pytest.approx(b["v_x"][-1], abs=1e-12)
    assert alone["f_motion[1]"][-1] < a["f_motion[1]"][-1] / 10
