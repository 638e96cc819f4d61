"""A chain of twelve links that catches a heavy body, at the defaults of fix implicit/polyhedron, until it swings back.

Figures go to results/chain.csv.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).resolve().parent / "results"
sys.path[:0] = [str(ROOT / "tests" / "lammps")]
from chain import chain, link  # noqa: E402
from conftest import Lammps  # noqa: E402

THERMO = "f_motion[8] f_motion[9] f_motion[20] f_motion[10] f_motion[1] f_motion[2] f_motion[3] f_motion[6]"
LAW = "auto velocity 3 restitution 0 friction 0.3 0.3"


@pytest.mark.parametrize("ratio", [318.0, 1e4])
def test_chain_catches_a_heavy_end(tmp_path: Path, ratio: float) -> None:
    """From 60 degrees beside the vertical it falls freely, is caught, swings through and turns round."""
    steps = 100
    lammps = Lammps(tmp_path, os.environ["LMP"], os.environ["PLUGIN"], Path(os.environ["BUILD"]))
    lammps.limit = 3600.0
    script = chain(12, ratio, law=LAW, thermo=THERMO, every=1, dt=0.01, run=f"run {steps}")
    result = lammps(script, files={"link.obj": link()}, may_warn="in the barrier of their law")
    v = result.thermo()
    energy = v["f_motion[8]"] + v["f_motion[9]"] + v["f_motion[20]"] - v["f_motion[10]"]
    span = np.ptp(v["f_motion[10]"])
    rise = max(0.0, float(np.diff(energy).max()))
    z = np.array([f.columns["z"][-1] for f in result.frames()])
    line = [ratio, f"{v['Time'][z.argmin()]:.2f}", *(int(v[f"f_motion[{k}]"][-1]) for k in (1, 2, 3)),
            f"{v['f_motion[6]'].min():.2g}", f"{rise / span:.2g}", f"{-energy[-1] / span:.3g}",
            lammps.intersections(result)]
    print(line)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / "chain.csv"
    new = not path.exists()
    with path.open("a", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        if new:
            rows.writerow(["mass_ratio", "lowest_at_s", "substeps", "iterations", "repeated", "smallest_gap_m",
                           "largest_rise_over_range", "lost_over_range", "intersections"])
        rows.writerow(line)
    assert v["Step"][-1] == steps and z.argmin() < steps - 5
    assert rise < 1e-6 * span
    assert line[-1] == 0
