"""Contacts so stiff that the rounding of gaps is more force than the tolerance of Newton's method."""

from __future__ import annotations

import pytest

from scenes import FLOOR, scene

BLOCKS, EDGE, GAP, GRAVITY = 5, 0.3, 1e-5, 9.81


@pytest.mark.parametrize("stiffness", [1e9, 1e13, 1e14])
def test_blocks_on_one_another(lammps, stiffness: float) -> None:
    """A few iterations a step; by the tolerance alone there were 12,000 and 70,000, and with the softest law an error."""
    bodies = "\n".join(f"create_polyhedra 1 at {0.02 * k} 0 {(k - 0.5) * EDGE + k * GAP * (1 + 1e-5):.17g}"
                       for k in range(1, BLOCKS + 1))
    script = scene(
        shapes=f"1 box {EDGE} {EDGE} {EDGE} density 2500", bodies=bodies,
        law=f"normal {stiffness} 1.5 gap {GAP} barrier 0.1 -1 restitution 0 friction 0.5 0.5 1e9 1e4",
        dt=0.005, skin=0.05, box="block -2 2 -2 2 -1 3", walls=FLOOR, motion="fix motion all implicit/polyhedron",
        thermo="f_motion[2] f_motion[8] f_floor[3]", every=1, run="run 5")
    table = lammps(script, may_warn="barrier of their law").thermo()
    print(f"iterations = {table['f_motion[2]'][-1]:g}")
    assert table["f_motion[2]"][-1] < 150
    assert table["f_motion[8]"][-1] < 1e-8
    assert table["f_floor[3]"][-1] == pytest.approx(-BLOCKS * 2500 * EDGE**3 * GRAVITY, rel=1e-4)
