"""Polyhedra in a drum that turns, and its balance of power. Used by test_stick.py, and with 200 bodies by `--long`."""

from __future__ import annotations

import numpy as np

from conftest import show
from scenes import MIX, scene

SIDES, DT, G = 12, 5e-3, 9.81
BARRIER = "in the barrier of their law"  # that of the first fall


def planes(radius: float, length: float) -> list[str]:
    """Sides and ends, as point and normal."""
    angle = 2 * np.pi / SIDES * np.arange(SIDES)
    sides = [f"{radius * s:.15g} 0 {radius * c:.15g} {-s:.15g} 0 {-c:.15g}" for s, c in zip(np.sin(angle), np.cos(angle))]
    return [*sides, f"0 {-length / 2} 0 0 1 0", f"0 {length / 2} 0 0 -1 0"]


def drum(bodies: int, radius: float, length: float, turns: float, scheme: str, period: float = 3.6) -> str:
    """They fall as they were placed, from the lowest places of a lattice on, and are turned over."""
    frame = round(period / SIDES / DT)  # steps in which each side takes the place of the next one
    pitch = 0.18
    n, m = int((radius - 0.1) / pitch), int((length / 2 - 0.1) / pitch)
    line, along = pitch * np.arange(-n, n + 1), pitch * np.arange(-m, m + 1)
    places = [(z, x, y) for z in line for x in line for y in along if np.hypot(x, z) < radius - 0.12]
    assert len(places) >= bodies
    lines = [f"create_polyhedra {k % 4 + 1} at {x:.10g} {y:.10g} {z:.10g}" for k, (z, x, y) in enumerate(places[:bodies])]
    wall = " &\n  ".join(f"plane {p}" for p in planes(radius, length))
    half, end = radius + 0.05, length / 2 + 0.05
    return scene(
        types=4,
        shapes=MIX,
        box=f"block -{half} {half} -{end} {end} -{half} {half}",
        bodies="\n".join([*lines, "set group all quat/random 4711"]),
        walls=f"fix drum all wall/polyhedron {wall} &\n  move rotate 0 0 0 0 1 0 {period}",
        law="normal 1e7 1.5 gap 0.002 barrier 0.1 -2 damping 0.5 friction 0.5 0.4 1e5 100",
        gravity=G,
        dt=DT,
        skin=0.05,
        motion=f"fix motion all implicit/polyhedron scheme {scheme}\n"
        "variable height atom mass*z\ncompute height all reduce sum v_height",
        thermo="f_drum[7] c_height f_motion[6] f_motion[9] f_motion[20] f_motion[8] "
        "f_motion[11] f_motion[21] f_motion[23] f_motion[12] f_motion[2]",
        every=frame,
        run=f"run {round(turns * period / DT)}",
    )


def balance(lammps, result, radius: float, length: float) -> dict[str, float]:
    """Power of the wall against dissipation and change of energy, over the work of the wall; intersections."""
    t = result.thermo()
    energy = t["f_motion[8]"] + t["f_motion[9]"] + t["f_motion[20]"] + G * t["c_height"]
    lost = t["f_motion[11]"] + t["f_motion[21]"] + t["f_motion[23]"]
    error = t["f_drum[7]"] - lost - (energy - energy[0])
    figures = dict(
        steps=int(t["Step"][-1]),
        work=t["f_drum[7]"][-1],
        dissipated=lost[-1],
        energy=energy[-1] - energy[0],
        error=np.abs(error).max() / t["f_drum[7]"][-1],
        smallest_gap=t["f_motion[6]"].min(),
        newton_iterations=t["f_motion[2]"][-1],
        intersections=lammps.intersections(result, "dump", *planes(radius, length)),
    )
    show(**figures)
    return figures
