"""Bodies that friction carries along on others: they stay where they are, however long the step."""

from __future__ import annotations

import pytest
from conftest import show
from scenes import scene

SHAPES = "1 box 0.4 0.4 0.1 density 2000 2 box 0.1 0.1 0.1 density {density}"


def creep(lammps, dt: float, density: float, law: str, pull: str, ranks: int = 1) -> float:
    """By how much the upper ones of a stack of three have gone on the lower one, m."""
    settle, go = round(0.3 / dt), round(0.4 / dt)
    script = scene(
        types=2, box="block -2 3 -1.2 1.2 -0.2 1.5", shapes=SHAPES.format(density=density), skin=0.02, dt=dt, motion="scheme em",
        bodies="create_polyhedra 1 at 0 0 0.0521\ncreate_polyhedra 2 at 0 0 0.1542\ncreate_polyhedra 2 at 0 0 0.2563\n"
               "variable second equal x[2]-x[1]\nvariable third equal x[3]-x[1]",
        law=f"auto velocity 0.2 {law} friction 0.5 0.5 gap 0.002",
        walls=f"fix floor all wall/polyhedron plane 0 0 0 0 0 1 auto velocity 0.2 {law} friction 0.3 0.3 gap 0.002",
        every=settle + go, thermo="v_second v_third",
        run=f"run {settle}\n{pull}\nthermo {go}\nrun {go}")
    table = lammps(script, ranks=ranks).thermo()
    return max(abs(table[c][-1]) for c in ("v_second", "v_third"))


@pytest.mark.parametrize(("law", "density"), [("restitution 0", 200), ("restitution 0", 20000), ("damping 0.5", 200)])
@pytest.mark.parametrize("pulled", [False, True])
def test_stack_on_a_slab(lammps, pulled, law, density):
    """The slab slides to rest, or is pulled; its riders, well within their cones of friction, went by half a step times its change of speed."""
    force = (32 + 2e-3 * density) * (0.3 * 9.81 + 2)  # N, for 2 m/s^2
    pull = f"group slab id 1\nfix pull slab addforce {force} 0 0" if pulled else "velocity all set 1 0 0"
    ways = [creep(lammps, dt, density, law, pull) for dt in (1e-2, 5e-3)]
    show(ways=ways)
    assert ways[0] < 3e-4
    assert ways[1] < 1e-4


def test_ranks_agree(lammps):
    """Processes hand on what bodies that go together have in common."""
    pull = "velocity all set 1 0 0"
    assert creep(lammps, 1e-2, 200, "restitution 0", pull, ranks=2) == pytest.approx(creep(lammps, 1e-2, 200, "restitution 0", pull), abs=1e-9)
