"""Columns 7 to 12 of fix implicit/polyhedron: at rest the mean stress of a step is that of the contacts."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

MEAN = " ".join(f"f_motion[{k}]" for k in range(7, 13))
STATE = " ".join(f"c_c[{k}]" for k in range(10, 16))
OUTPUT = f"compute c all polyhedron/contact/atom\ndump s all custom 3000 s id {MEAN} {STATE}\ndump_modify s sort id format float %.17g"
PLANK = dict(shapes="1 box .4 .1 .05 density 2500", bodies="create_polyhedra 1 at 0 0 .1\nset atom 1 quat 0 1 0 5")
ROCKS = dict(shapes="1 rock .1 .1 .1 14 33 density 2500",
             bodies="\n".join(f"create_polyhedra 1 at {x} {y} {z}" for z in (0.08, 0.21) for x in (-0.052, 0.053) for y in (-0.052, 0.053)))
BIN = "plane 0 0 0 0 0 1 plane -.11 0 0 1 0 .1 plane .11 0 0 -1 0 .1 plane 0 -.11 0 0 1 .1 plane 0 .11 0 0 -1 .1"
FLOOR = "v -.5 -.5 0\nv .5 -.5 0\nv .5 .5 0\nv -.5 .5 0\nf 1 2 3\nf 1 3 4\n"
SCENES = {
    "plank": PLANK,
    "plank on a mesh": dict(PLANK, walls="fix floor all wall/polyhedron obj floor.obj"),
    "rocks in a bin": dict(ROCKS, walls=f"fix floor all wall/polyhedron {BIN}"),
    "rocks in a periodic cell": dict(ROCKS, boundary="p p f", box="block -.105 .105 -.104 .104 -.1 .6"),
    "rounded planks": dict(types=2, shapes="1 box .4 .1 .05 round .005 density 2500 2 box .3 .15 .05 round .01 density 2500",
                           bodies="create_polyhedra 1 at 0 0 .04\ncreate_polyhedra 2 at 0 0 .13\nset atom 2 quat 0.3 1 0 5"),
    "capsules": dict(types=2, shapes="1 capsule .035 .05 density 2500 2 capsule .02 .06 density 2500",
                     bodies="create_polyhedra 1 at 0 0 .051\ncreate_polyhedra 1 at .1 0 .051\ncreate_polyhedra 2 at .05 0 .12\nset group all quat 1 0 0 90"),
}


@pytest.mark.parametrize("scheme", ["em", "newmark", "euler"])
@pytest.mark.parametrize("name", SCENES)
def test_at_rest(lammps, name, scheme):
    """Also what friction does that balances itself within one pair. Corners of rocks on edges have one force and point in the contacts' sums."""
    loss = "restitution 0" if scheme == "em" else "damping .7"
    result = lammps(scene(law=f"auto velocity 1 {loss} friction .5 .5", dt=5e-3, motion=f"scheme {scheme}", extra=OUTPUT, run="run 3000", **SCENES[name]),
                    files={"floor.obj": FLOOR}, may_warn="closer than contact|barrier")
    frame = result.frames("s")[-1]
    mean, state = frame.vectors(*MEAN.split()), frame.vectors(*STATE.split())
    show(xx=mean[0, 0], xx_of_state=state[0, 0], largest=np.abs(state).max(), difference=np.abs(mean - state).max())
    assert np.abs(mean - state).max() < (1e-3 if "rocks" in name else 1e-9) * np.abs(state).max()
