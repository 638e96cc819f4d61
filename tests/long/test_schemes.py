"""The three schemes side by side (tests/bench/schemes): what they cost, and that heaps come to rest."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[1] / "bench" / "schemes"

# energy of the start, m g z of all bodies over the floor, J; to its order of magnitude
ENERGY = {"blocks": 50.0, "pile": 1500.0, "tetrapods": 20.0}


@pytest.mark.parametrize("scene", list(ENERGY))
def test_schemes(scene: str) -> None:
    done = subprocess.run([BENCH, scene], check=True, capture_output=True, text=True)
    print(done.stdout)
    lines = (line.split() for line in done.stdout.splitlines() if " = " in line)
    v = {words[0].removeprefix(scene + "_"): float(words[2]) for words in lines}
    assert v["em_kinetic_energy"] < 1e-16 * ENERGY[scene]
    assert abs(v["em_drift"]) < 1e-9 * ENERGY[scene]
    assert v["em_rest_mean_substep"] == pytest.approx(0.005)
    assert v["em_rest_newton_per_sim_second"] < v["newmark_rest_newton_per_sim_second"]
