"""Bodies that are placed closer than contact begins: one warning with the worst pair, and the way to relax them."""

from __future__ import annotations

import pytest

from scenes import FLOOR, scene

LAW = "normal 1e8 1.5 gap 0.002 barrier 0.1 -1"
GAP = 0.002
# three cubes of 0.1 in a row, gaps of a tenth and of half of gbar
ROW = "\n".join(f"create_polyhedra 1 at {x} 0 0.5" for x in (-0.1 - 0.1 * GAP, 0.0, 0.1 + 0.5 * GAP))
WARNING = (r"bodies begin step 1 closer than contact begins: 2 pairs hold the energy [\d.e+]+, most of it body 1 and "
           r"body 2, [\d.e+]+ at the gap 0.0002 of 0.002. They will fly apart; the page says how to relax them")
# as on the page
RELAX = """fix motion all implicit/polyhedron scheme euler
timestep 1.0
run 5 every 1 "velocity all set 0.0 0.0 0.0" "set group all angmom 0.0 0.0 0.0"
unfix motion
reset_timestep 0
timestep 0.001
fix motion all implicit/polyhedron scheme em"""


def row(**changes) -> str:
    return scene(**{"law": LAW, "bodies": ROW, "walls": "", "gravity": 0.0, "motion": "scheme em",
                    "thermo": "f_motion[8]", "every": 5, "run": "run 50", **changes})


@pytest.mark.parametrize("ranks", [1, 2])
def test_worst_pair_is_named(lammps, ranks):
    lammps(row(), ranks=ranks, warn=WARNING)


def test_contact_under_its_own_weight_is_no_fault(lammps):
    """A cube at rest on the floor, in the springs of its law."""
    lammps(scene(law=LAW, bodies="create_polyhedra 1 at 0 0 0.05199", motion="scheme em"))


def test_an_impact_under_way_is_no_fault(lammps):
    """A body comes in while a cube is at its turning point on a soft floor, with all its energy in the contact."""
    result = lammps(row(law="normal 1e5 1 gap 0.01", walls=FLOOR, dt=5e-4, every=5,
                        bodies="create_polyhedra 1 at 0 0 0.06\nvelocity all set 0 0 -1",
                        run="run 5\ncreate_polyhedra 1 at 0.5 0 0.5\nrun 20"))
    kinetic = result.thermo()["f_motion[8]"]
    assert kinetic.min() < 0.01 * kinetic[0] and kinetic[-1] > 0.99 * kinetic[0]


def test_relaxed_as_the_page_says(lammps):
    """What would fly apart at metres per second comes to rest, no body having moved further than the gaps lacked."""
    wild = lammps(row(), warn=WARNING).thermo()["f_motion[8]"][-1]
    result = lammps(row(motion=RELAX, every=5), warn=WARNING)
    kinetic = result.tables()[-1]["f_motion[8]"]
    assert wild > 1.0
    assert max(kinetic) < 1e-9 * wild
    x = result.frames()[-1].columns["x"]
    start = [-0.1 - 0.1 * GAP, 0.0, 0.1 + 0.5 * GAP]
    assert max(abs(a - b) for a, b in zip(x, start)) < GAP
    assert x[1] - x[0] > 0.1 + 0.9 * GAP and x[2] - x[1] > 0.1 + 0.9 * GAP
