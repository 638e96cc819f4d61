"""A row of ten dominoes: a chain of impacts, then bodies that lean on each other and slide evenly."""

from __future__ import annotations

import numpy as np

from conftest import show
from scenes import FLOOR, scene

COUNT = 10


def row(dt: float) -> str:
    """Dominoes of 10 x 40 x 100 mm, 50 mm apart; the first one is pushed over."""
    bodies = "\n".join(f"create_polyhedra 1 at {0.05 * i} 0 0.0501" for i in range(COUNT))
    return scene(shapes="1 box 0.01 0.04 0.1 density 800", bodies=f"{bodies}\ngroup first id 1\nset group first angmom 0 2.2e-4 0", box="block -0.5 1 -0.5 0.5 -0.1 0.5",
                 law="auto restitution 0 friction 0.5 0.5", walls=FLOOR, dt=dt, skin=0.01, motion="scheme em", every=round(0.01 / dt), thermo="f_motion[2]", run=f"run {round(1.2 / dt)}")


def fall_times(result) -> np.ndarray:
    """Time at which each domino has turned by ten degrees (s), frames being 10 ms apart."""
    turns = np.array([2 * np.arccos(np.minimum(1.0, np.abs(f.columns["c_q[1]"][np.argsort(f.columns["id"])]))) for f in result.frames()])
    return 0.01 * np.argmax(turns > np.radians(10), axis=0)


def test_dominoes_fall_as_in_a_resolved_run(lammps):
    """At 5 ms each falls when it does at 0.2 ms."""
    runs = [lammps(row(dt)) for dt in (5e-3, 2e-4)]
    times, ends = [fall_times(r) for r in runs], [r.frames()[-1].vectors("x", "z") for r in runs]
    iterations = runs[0].thermo()["f_motion[2]"][-1]
    show(times=list(times[0]), apart=np.abs(times[0] - times[1]).max(), ends=np.abs(ends[0] - ends[1]).max(), iterations=iterations)
    assert times[1][-1] > 0.5 and (np.diff(times[1]) > 0.02).all()
    assert np.abs(times[0] - times[1]).max() < 0.015
    assert np.abs(ends[0] - ends[1]).max() < 3e-3
    assert iterations < 30_000
    assert lammps.intersections(runs[0]) == 0
