"""A dense shear in a periodic cell: the shear stress of every scheme beside that of explicit steps of the same law.

50 cubes come together under 100 kPa on all sides, then the cell is sheared at a rate of 1/s to a strain of 0.2 while
feedback holds the normal stresses; it lags behind a sample that dilates, and they are some 10 % higher. Every scheme takes
ten and two of the explicit steps. A sample of 50 bodies may fail in one go, and a slightly lower stress before brings that forward: the
mean over the strain converges with the step, and with ten it tells how far steps are from it. SEEDS="1 2 3" says which samples; the
figures go to results/shear.csv (in the repository: those of the last run that was looked at), and doc/periodic_cells.md has their table.
"""

from __future__ import annotations

import csv
import os
import resource
import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lammps"))
from conftest import host, lammps, show  # noqa: E402, F401
from scenes import EXPLICIT, PRESSED, grid  # noqa: E402

GOAL, RATE, STRAIN, BINS = 1e5, 1.0, 0.2, 20  # Pa, 1/s
COARSE, FINE = 2.5e-4, 5e-5  # s
# scheme, motion, time step
RUNS = [
    ("explicit", EXPLICIT, 2.5e-5),
    *((k, f"fix motion all implicit/polyhedron scheme {k}", step) for k in ("newmark", "euler", "em") for step in (COARSE, FINE)),
]
START = "units si\natom_style ellipsoid\natom_modify map yes\n"
BODIES = "fix shapes all polyhedron/shape 1 box 0.1 0.1 0.1 density 2000 write shapes.txt\n"
LAW = """pair_style polyhedron
pair_coeff * * normal 1e8 1.5 gap 0.004 barrier 0.1 -2 damping 0.5 friction 0.3 0.3 2e6 400
neighbor 0.02 bin
compute c all pressure NULL virial
fix s all ave/time 1 1 1 c_c[1] c_c[2] c_c[3]
"""
# terms of the balance: those of the state and losses, and the work that came in
GAINED, WORK = (8, 9, 11, 20, 21, 23), (10, 22, 25)


def feedback(rate: float) -> str:
    """Cell lengths that hold the normal stresses, of fix cell's variables v_dx v_vx and so on."""
    lines = []
    for k, q in enumerate("xyz", 1):
        lines += [
            f"variable v{q} equal {rate}*l{q}*(f_s[{k}]-{GOAL})/(abs(f_s[{k}])+{GOAL})",
            f"variable {q}0 equal $(l{q}:%.17g)",
            f"variable d{q} equal l{q}-v_{q}0+v_v{q}*dt",
        ]
    return "\n".join([*lines, "fix cell all deform 1 x variable v_dx v_vx y variable v_dy v_vy z variable v_dz v_vz"])


def pack(seed: int) -> str:
    """50 cubes in turned places are pressed together and come to rest."""
    return f"""{START}boundary p p p
region box prism -0.45 0.45 -0.45 0.45 -0.18 0.18 0 0 0
create_box 1 box
{BODIES}{grid(5, 5, 2, 0.18, (-0.36, -0.36, -0.09), seed=seed)}
{LAW}timestep 0.002
fix motion all implicit/polyhedron scheme euler tol 1e-6
{feedback(0.5)}
run 1200
unfix cell
run 100
velocity all set 0 0 0
set group all angmom 0 0 0
write_restart ../packed-{seed}
"""


def shear(seed: int, motion: str, step: float) -> str:
    """The packed cubes are sheared; a line of output for each bin, with its mean stresses."""
    every, explicit = round(STRAIN / BINS / RATE / step), motion == EXPLICIT
    accounts = "" if explicit else " ".join(f"f_motion[{k}]" for k in (*GAINED, *WORK, 12))
    return f"""{START}read_restart ../packed-{seed}
reset_timestep 0
{BODIES}fix_modify POLYHEDRON_RESTART changed all
{LAW}fix m all ave/time 1 {every} {every} c_c[1] c_c[2] c_c[3] c_c[4]
timestep {step}
{motion}
{feedback(2.0)} xy erate {RATE} remap v
compute q all property/atom quatw quati quatj quatk
dump d all custom {every} dump id type x y z c_q[1] c_q[2] c_q[3] c_q[4]
dump_modify d sort id format float %.17g
thermo_style custom step time f_m[1] f_m[2] f_m[3] f_m[4] {accounts}
thermo_modify format float %.17g norm no
thermo {every}
run {every * BINS}
"""


def balance(t: dict[str, np.ndarray]) -> dict[str, float]:
    """The scheme's own error, and what the accounts miss with it among them, over the work of the cell."""
    if "f_motion[25]" not in t:
        return {"scheme_error": np.nan, "accounts": np.nan}
    missed = sum(t[f"f_motion[{k}]"] for k in GAINED) - sum(t[f"f_motion[{k}]"] for k in WORK) - t["f_motion[12]"]
    work, error = (t[f"f_motion[{k}]"][-1] - t[f"f_motion[{k}]"][0] for k in (25, 12))
    return {"scheme_error": error / work, "accounts": np.ptp(missed) / abs(work)}


def sheared(lammps, seed: int) -> list[dict[str, object]]:  # noqa: F811
    """A row for each scheme and step on one sample."""
    lammps(pack(seed), may_warn=PRESSED)
    rows, first = [], ()  # of the explicit run
    for scheme, motion, step in RUNS:
        begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        result = lammps(shear(seed, motion, step), may_warn=PRESSED)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin
        t = result.thermo()
        stress = -t["f_m[4]"][1:]
        normal = np.mean([t[f"f_m[{k}]"][1:] for k in (1, 2, 3)])
        first = first or (stress, normal)
        rows.append({
            "seed": seed, "scheme": scheme, "step": step, "mean_shear_stress": stress.mean(), "mean_normal_stress": normal,
            "mean_off": stress.mean() / first[0].mean() - 1, "furthest_bin_off": np.abs(stress / first[0] - 1).max(),
            "normal_off": normal / first[1] - 1,
            **balance(t), "intersections": lammps.intersections(result), "processor_seconds": seconds,
        })
        show(**{key: value for key, value in rows[-1].items() if value == value})
    return rows


def test_shear_stress_is_that_of_explicit_steps(lammps) -> None:  # noqa: F811
    lammps.limit = 3600
    rows = [row for seed in os.environ.get("SEEDS", "1 2 3").split() for row in sheared(lammps, int(seed))]
    with (HERE / "results" / "shear.csv").open("w", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(rows[0])
        table.writerows([f"{v:.6g}" if isinstance(v, float) else v for v in row.values()] for row in rows)
    for row in rows:
        assert row["intersections"] == 0
        assert row["scheme"] == "explicit" or row["accounts"] < 1e-6
        assert row["step"] == COARSE or (abs(row["mean_off"]) < 0.02 and abs(row["normal_off"]) < 0.02)
    for scheme in ("newmark", "euler", "em"):
        off = [abs(row["mean_off"]) for row in rows if row["scheme"] == scheme and row["step"] == COARSE]
        assert np.median(off) < 0.02
