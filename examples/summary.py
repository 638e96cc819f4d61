#!/usr/bin/python3
"""Summary of a run with fix implicit/polyhedron: `key = value` lines from its log.

    summary.py LOG [MOTION]

The thermo output must hold Step, Time, f_motion[1..3,8] or KinEng; MOTION is the file of one line per
step that the pile example records (smallest gap, last residuals).
"""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
import common  # noqa: E402


def bodies(log: str) -> int:
    """Number of bodies from the line that LAMMPS prints after each run."""
    found = re.findall(r"Loop time of .* with (\d+) atoms", Path(log).read_text())
    return int(found[-1])


def tolerance(log: str) -> float:
    """Of fix implicit/polyhedron: what the run was given, or its default."""
    words = re.findall(r"^fix +motion .*", Path(log).read_text(), re.MULTILINE)[-1].split()
    if "tol" in words:
        return float(words[words.index("tol") + 1])
    return 1e-8 if "newmark" in words or "euler" in words else 1e-10


def typical_tail(motion: common.Table, tol: float) -> tuple[float, float, float]:
    """Last three relative residuals of a typical step: the median by the middle one.

    Steps count whose last but two residual is already small, whose last is above rounding, and which end with a step that is
    Newton's: where r2^2 / r1 is below 0.3 of the tolerance the matrix of the one before has done (theory.md, 11). NaN if there
    is none.
    """
    r = np.stack([motion["r1"], motion["r2"], motion["r3"]], axis=1)
    good = r[(r[:, 0] > 0) & (r[:, 0] < 1e-2) & (r[:, 1] < 0.1 * r[:, 0]) & (r[:, 2] > 1e-15)]
    good = good[good[:, 1] ** 2 > 0.3 * tol * good[:, 0]]
    if not len(good):
        return (math.nan,) * 3
    middle = good[np.argsort(good[:, 1])[len(good) // 2]]
    return tuple(float(v) for v in middle)


def main() -> None:
    t = common.join(common.read_thermo(sys.argv[1]))
    steps, time = int(t["Step"][-1]), float(t["Time"][-1])
    substeps, iterations = float(t["f_motion[1]"][-1]), float(t["f_motion[2]"][-1])
    values = {
        "bodies": bodies(sys.argv[1]),
        "steps": steps,
        "simulated_seconds": time,
        "substeps": int(substeps),
        "mean_substep": time / substeps,
        "newton_per_substep": iterations / substeps,
        "newton_per_second": iterations / time,
        "rejected_substeps": int(t["f_motion[3]"][-1]),
        "contacts": int(round(float(t["f_motion[7]"][-1]))),
        "floor_reaction": float(t["f_floor[3]"][-1]),
        "kinetic_energy": float(t["KinEng"][-1]),
    }
    if "f_motion[21]" in t:
        values["dissipated_by_damping"] = float(t["f_motion[11]"][-1])
        values["dissipated_by_friction"] = float(t["f_motion[21]"][-1])
        values["energy_drift"] = float(t["f_motion[12]"][-1])
    if "c_drift" in t:
        values["lateral_drift"] = float(t["c_drift"][-1])
    if len(sys.argv) > 2:
        motion = common.read_columns(sys.argv[2])
        values["min_gap"] = float(motion["min_gap"].min())
        tail = typical_tail(motion, tolerance(sys.argv[1]))
        values["newton_tail"] = " ".join(f"{v:.2e}" for v in tail)
        values["tail_ratio_1"] = tail[1] / tail[0]
        values["tail_ratio_2"] = tail[2] / tail[1]
    else:
        gaps = t["f_motion[6]"]
        values["min_gap"] = float(gaps[gaps > 0].min())
    common.summary(**values)


if __name__ == "__main__":
    main()
