"""A slender block rocks on a floor, as Housner (Bull. Seismol. Soc. Am. 53, 403-417, 1963) has it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, scene

HALF, HEIGHT, GRAVITY = 0.05, 0.5, 9.81  # half the width and half the height, m; m/s^2
RADIUS, SLENDER = math.hypot(HALF, HEIGHT), math.atan(HALF / HEIGHT)
RATE = math.sqrt(3 * GRAVITY / (4 * RADIUS))  # p of the paper, 1/s
GAP = 1e-5
# so stiff that what the edge stores under the weight is little against the loss of an impact
LAW = f"normal 1e11 1.5 gap {GAP} barrier 0.1 -1 restitution 0 friction 1 1 1e9 1e4"


def swing(lammps, tilt: float, dt: float, motion: str) -> tuple[np.ndarray, np.ndarray]:
    """Time and angle of a block that is let go at a part of the angle at which it would overturn."""
    angle = tilt * SLENDER
    x, z = HALF - RADIUS * math.sin(SLENDER - angle), RADIUS * math.cos(SLENDER - angle) + GAP
    script = scene(
        shapes="1 box 0.1 0.3 1 density 2500",
        bodies=f"create_polyhedra 1 at {x:.17g} 0 {z:.17g} rotate {math.degrees(angle):.17g} 0 1 0",
        law=LAW, dt=dt, skin=0.05, box="block -1 1 -1 1 -0.1 2", walls=FLOOR,
        motion=f"fix motion all implicit/polyhedron {motion}\nfix plane all lock/polyhedron translation y rotation xz\n"
               "compute turn all property/atom quatj\ncompute one all reduce max c_turn\nvariable angle equal 2*asin(c_one)",
        thermo="v_angle", every=1, run=f"run {round(2 / dt)}")
    table = lammps(script).thermo()
    return dt * np.arange(len(table["v_angle"])), table["v_angle"]


@pytest.mark.parametrize(("motion", "dt", "quarter_error", "speed_error"), [
    ("scheme em", 1e-2, 0.01, 0.012), ("scheme em", 5e-3, 0.005, 0.01), ("scheme em", 1e-3, 0.001, 0.001)])
def test_housner(lammps, motion, dt, quarter_error, speed_error):
    """Quarter of the period by the amplitude, and what is left of the angular velocity when it changes its edge."""
    tilt = 0.6
    time, angle = swing(lammps, tilt, dt, motion)
    k = int(np.argmax(angle <= 0))
    quarter = time[k - 1] + dt * angle[k - 1] / (angle[k - 1] - angle[k])
    end = k + int(np.argmax(angle[k:] > 0))
    amplitudes = tilt * SLENDER, -angle[k:end].min()
    energy = [math.cos(SLENDER - a) - math.cos(SLENDER) for a in amplitudes]
    left, housner = math.sqrt(energy[1] / energy[0]), 1 - 1.5 * math.sin(SLENDER) ** 2
    show(quarter=quarter * RATE, left=left, housner=housner)
    assert quarter * RATE == pytest.approx(math.acosh(1 / (1 - tilt)), rel=quarter_error)
    assert left == pytest.approx(housner, abs=speed_error)
