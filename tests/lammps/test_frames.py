"""The same impact seen from frames that move, and the same floor held in other ways."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

SPIN = 4e-3  # kg m^2/s


@pytest.mark.parametrize("law", ["restitution 0", "restitution 0.4"])
def test_impact_in_frames_that_move(lammps, law):
    """Two stones that turn meet in free space; what they look ahead for goes by their velocity against each other. Velocities were up to 0.3 m/s apart."""
    ends = []
    for u in (0.0, 3.0, -10.0):
        script = scene(
            box="block -3 3 -3 3 -3 3", gravity=0.0, walls="", shapes="1 rock 0.1 0.1 0.1 20 3 density 2400", law=f"normal 1e8 1.5 gap 0.002 {law} friction 0.4 0.4 1e6 30", dt=5e-3, motion="scheme em path 0", skin=0.7,
            bodies=f"create_polyhedra 1 at -0.09 0 0 rotate 40 0 1 1\ncreate_polyhedra 1 at 0.09 0.03 0.02 rotate 70 1 0 1\nvelocity all set 0 {u} {0.5 * u}\ngroup left id 1\ngroup right id 2\n"
            f"velocity left set 1 {u} {0.5 * u}\nvelocity right set -1 {u} {0.5 * u}\nset group left angmom {SPIN} 0 {SPIN}\nset group right angmom 0 {-SPIN} 0", every=12, run="run 12")
        frame = lammps(script).frames()[-1].columns
        ends.append(np.stack([frame["vx"], frame["vy"] - u, frame["vz"] - 0.5 * u]))
    show(velocity=ends[0][0], differences=[np.abs(e - ends[0]).max() for e in ends[1:]])
    assert np.abs(ends[0][0] - [1.0, -1.0]).min() > 0.05  # they have met
    assert all(np.abs(e - ends[0]).max() < 5e-3 for e in ends[1:])  # a substep more or less


def test_weight_of_a_slab_that_is_held(lammps):
    """A block slides on a slab that fix lock holds, gravity on both, as on a plane; it went 0.6 % too far."""
    ends = []
    for slab in (False, True):
        script = scene(types=2, shapes="1 box 0.1 0.1 0.1 density 2400 2 box 1 1 0.1 density 2400", law="normal 1e8 1.5 gap 0.001 restitution 0 friction 0.5 0.4 2e6 50", dt=2e-3,
                       bodies="create_polyhedra 1 at -0.2 0 0.0507\ngroup stone type 1\nvelocity stone set 0.6 0 0" + ("\ncreate_polyhedra 2 at 0 0 -0.05\ngroup slab type 2" if slab else ""),
                       box="block -1 1 -1 1 -0.2 1.9", walls="" if slab else "fix floor all wall/polyhedron plane 0 0 0 0 0 1", every=100,
                       motion="fix motion all implicit/polyhedron scheme em" + ("\nfix hold slab lock/polyhedron translation xyz rotation xyz" if slab else ""), run="run 100")
        frame = lammps(script, may_warn="closer than contact").frames()[-1].columns
        ends.append((frame["x"][0], frame["vx"][0]))
    show(plane=ends[0], slab=ends[1])
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)
