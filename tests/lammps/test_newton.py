"""Newton's method as it works in a pile, and the step limiter."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import LAW, ROUGH_HEAP, pile, scene


RUBBING = f"pair_coeff * * {ROUGH_HEAP}"


@pytest.mark.parametrize("law", ["", RUBBING], ids=["smooth", "rough"])
def test_quadratic_tail(lammps, law):
    """The last residuals of typical steps: r[k+1] ~ C r[k]^2, with the same C twice.

    f_motion[13..15] are the last three relative residuals of the last substep of a step."""
    script = pile(
        3,
        3,
        2,
        0.4,
        1.0,
        motion="scheme euler tol 1e-9",
        every=1,
        extra=law,
        run="run 160",
        thermo="f_motion[2] f_motion[4] f_motion[13] f_motion[14] f_motion[15]",
    )
    tables = [lammps(script.replace("random 4711", f"random {seed}")).thermo() for seed in (4711, 1, 2)]
    r = np.vstack([np.column_stack([t[f"f_motion[{k}]"] for k in (13, 14, 15)]) for t in tables])
    # near the solution, where no contact changes between stick and slip any more, and all three above rounding
    good = (r[:, 0] < 3e-3) & (r[:, 2] > 1e-11) & (r > 0).all(axis=1)
    good &= r[:, 1] ** 2 > 0.3 * 1e-9 * r[:, 0]  # a last step that is not by the matrix of the one before
    r = r[good]
    order = np.log(r[:, 2] / r[:, 1]) / np.log(r[:, 1] / r[:, 0])
    first, second = r[:, 1] / r[:, 0] ** 2, r[:, 2] / r[:, 1] ** 2
    for row in r[:: max(1, len(r) // 8)]:
        print("residuals = " + " ".join(f"{x:.2e}" for x in row))
    show(
        iterations=[int(t["f_motion[2]"][-1]) for t in tables],
        steps=len(r),
        median_order=np.median(order),
        median_first_constant=np.median(first),
        median_second_constant=np.median(second),
        median_quotient=np.median(second / first),
    )
    assert len(r) >= 30
    assert 1.9 < np.median(order) < 2.5
    assert 0.3 < np.median(second / first) < 3.0


def test_filter_is_what_keeps_bodies_apart(lammps):
    """Without it the independent check finds intersections in the same scene; with it none."""
    found = {}
    for name in ("yes", "no"):
        result = lammps(
            scene(
                bodies="create_polyhedra 1 at -0.4 0 0.5 rotate 40 1 2 3\n"
                       "create_polyhedra 2 at 0 0.01 0.5\n"
                "group a id 1\nvelocity a set 30 0 0",
                types=2,
                shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.01 0.3 0.3 density 1000",
                walls="",
                gravity=0,
                law="normal 1e11 1.5 gap 0.001 barrier 0.1 -2",
                dt=2e-3,
                skin=0.5,
                motion=f"scheme euler guard 0 filter {name}",
                every=1,
                run="run 12",
            )
        )
        found[name] = lammps.intersections(result)
        x = result.frames()[-1].columns["x"]
        show(filter=name, intersections=found[name], order_kept=bool(x[0] < x[1]))
    assert found["yes"] == 0
    assert found["no"] > 0


def test_pile_without_filter_intersects(lammps):
    """The same for a small pile."""
    found = {}
    for name in ("yes", "no"):
        result = lammps(
            pile(
                2,
                2,
                3,
                0.25,
                1.0,
                motion=f"scheme euler guard 0 filter {name}",
                every=2,
                run="run 100",
            )
        )
        found[name] = lammps.intersections(result, "dump", "0 0 0 0 0 1")
        show(filter=name, intersections=found[name])
    assert found["yes"] == 0
    assert found["no"] > 0
