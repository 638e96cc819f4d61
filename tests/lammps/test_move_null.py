"""Bodies of fix move with NULL, which forces move along some components: guided weights and platens."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR
from test_compatible_pair import G, WEIGHT, supported
from test_contact_dynamics import polyhedra
from test_other_fixes import plate_and_cube, shaken, state

SOFT = "normal 2e6 1.5 gap 0.002 damping 0.7 friction 0.5 0.5 1e5 10"
ON_FLOOR = dict(law=SOFT, box="block -1 1 -1 1 -0.1 1.9")
WARNED = ("Fix drive of style move with NULL moves bodies by the forces on them there, outside of fix motion of style "
          "implicit/polyhedron: the coupling is explicit")
LEFT = "fix drive of style move with NULL moves body {} by the forces on it"

# a plate of 16 kg that is guided along z, on a cube of 1 kg
LOADED = "create_polyhedra 1 at 0 0 0.0525\ncreate_polyhedra 2 at 0 0 0.156\ngroup low type 1\ngroup up type 2"
GUIDES = {
    "move": "fix motion low implicit/polyhedron\nfix drive up move linear 0 0 NULL",
    "lock": "fix motion all implicit/polyhedron\nfix guide up lock/polyhedron translation xy rotation xyz",
}


def loaded(guide: str, dt: float, **parts) -> str:
    fixes = f"{FLOOR}\n{GUIDES[guide]}"
    text = plate_and_cube(0, fixes, **ON_FLOOR | dict(dt=dt, thermo="f_floor[3]", every=1, run=f"run {round(0.5 / dt)}") | parts)
    begin, end = text.index("create_polyhedra"), text.index("pair_style")
    return f"{text[:begin]}{LOADED}\n{text[end:]}"


@pytest.mark.parametrize("guide, dt", [("move", 5e-4), ("lock", 5e-4), ("lock", 5e-3)])
def test_guided_weight(lammps, guide, dt):
    """With fix implicit/polyhedron it presses on the cube as one of its own group that is locked does. A step that is short
    enough for that is asked for."""
    result = lammps(loaded(guide, dt), warn=WARNED if guide == "move" else "")
    force = result.thermo()["f_floor[3]"][-1]
    show(force=force / (-17 * G))
    assert force == pytest.approx(-17 * G, rel=1e-4)


def test_numbers_are_not_told_of(lammps):
    """Without NULL nothing is left to forces."""
    lammps(loaded("move", 1e-3, run="run 1").replace("linear 0 0 NULL", "linear 0 0 0"))


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_the_other_components_go_as_they_are_told(lammps, scheme):
    """A table that goes to and fro in x, and in y as forces say, which are none: the work is that without NULL."""
    script = shaken(scheme, "wiggle", "body")
    told, left = (lammps(s, warn=w) for s, w in ((script, ""), (script.replace("0.01 0 0 0.5", "0.01 NULL 0 0.5"), "with NULL")))
    for name in ("f_motion[21]", "f_motion[22]"):
        assert left.thermo()[name] == pytest.approx(told.thermo()[name], rel=1e-9)
    assert np.abs(state(told, "x", "vx") - state(left, "x", "vx")).max() < 1e-12


def test_implicit_body_of_null_meets_a_wall(lammps):
    """Walls act on the bodies of the fix alone: one that is left to its weight does not fall through the floor in silence."""
    lammps(loaded("move", 1e-3, run="run 300").replace("at 0 0 0.156", "at 0.5 0 0.153"), warn=WARNED,
           fail=f"body 2 and wall floor meet at step .*: it moves not the body, and {LEFT.format(2)}, so that there is no contact")


def test_implicit_body_without_null_stands_on_a_wall(lammps):
    lammps(loaded("move", 1e-3, run="run 10").replace("linear 0 0 NULL", "linear 0.1 0 0").replace("at 0 0 0.156", "at 0.5 0 0.0505"))


# ---- fix contact/dynamics ----

PLATEN = dict(shapes="1 box 1 1 1 density 1000 2 box 2 2 0.5 density 1000", types=2, every=100, cd="friction 0.5 tol 1e-10")
UNKNOWN = ("Fix contact/dynamics: {} at step {}{} moves body 2 by the forces on it, which are not known when this step is "
           "solved: ")


def platen(move: str, place="0 0 1.26", **parts) -> str:
    extra = f"group low type 1\ngroup up type 2\nvelocity low set 0.2 0 0\nfix drive up move {move}"
    bodies = f"create_polyhedra 1 at 0 0 0.5\ncreate_polyhedra 2 at {place}"
    return polyhedra(**PLATEN | dict(bodies=bodies, extra=extra, run="run 400") | parts).replace("fix cd all", "fix cd low")


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("place, other", [("0 0 1.5", "body 1"), ("0.5 3 0.6", "wall floor")])
def test_rigid_contacts_of_a_guided_weight(lammps, place, other, ranks):
    """They would get reactions of which the problem knows nothing, and nothing from walls."""
    text = UNKNOWN.format(f"body 2 and {other} meet", r"\d+", ": fix drive of style move with NULL")
    lammps(platen("linear 0 0 NULL", place), ranks=ranks, fail=f"{text}take it into the group of fix cd instead, or let fix "
           "move carry it in all components")


@pytest.mark.parametrize("ranks", [1, 2])
def test_friction_along_what_is_left(lammps, ranks):
    """A plate that is held at its height bears as any other; it must not be dragged along what it was not told."""
    under = dict(place="0 0 -0.25", walls="")
    text = UNKNOWN.format("friction drags body 2", r"\d+", ", and fix drive of style move with NULL")
    lammps(platen("linear NULL 0 0", **under), ranks=ranks, fail=f"{text}give numbers in place of NULL")
    lammps(platen("linear 0 NULL 0", **under), ranks=ranks)
    lammps(platen("linear NULL 0 0", **under | dict(cd="tol 1e-10")), ranks=ranks)


def test_contacts_across_what_is_left(lammps):
    """A cube that is pressed to the side of a plate that falls, without friction, pushes it along nothing that is left."""
    z = {}
    for move in ("linear 0 0 NULL", "linear 0 0 0"):
        script = platen(move, place="0 1.5 0.8", cd="tol 1e-10", run="run 100").replace("velocity low set 0.2 0 0", "velocity low set 0.2 0.1 0")
        z[move] = lammps(script).frames()[-1].vectors("x", "y", "z")
    left, told = z.values()
    show(fallen=told[1, 2] - left[1, 2])
    assert np.abs(left - told)[0].max() < 1e-8 and told[1, 2] - left[1, 2] == pytest.approx(0.5 * G * 0.01, rel=0.02)


# ---- compute force/compatible ----

COMPUTES = "set atom 1 type 2\nset atom 2 type 1\n" + "".join(
    f"compute {c} all force/compatible pair stiffness 2 3 3.0 tol 1e-12\n" for c in "ab")


def test_compatible_forces_on_a_guided_bar(lammps):
    """An explicit run: a bar that fix move leaves to its weight presses all three cubes as far, the left one three times as stiff."""
    motion = "comm_modify vel yes\nfix drive bar move linear 0 0 NULL"
    script = supported("", hold=f"fix hold base freeze\n{COMPUTES}", motion=motion, run="run 0")
    f = lammps(script, may_warn="closer than contact begins|does not turn").frames("forces")[-1].columns
    show(share=f["c_a[3]"][:3] / f["c_a[3]"][3])
    assert f["c_a[3]"][3] > 0.5 * WEIGHT
    assert f["c_a[3]"][:3] == pytest.approx(-np.array([3, 1, 1]) / 5 * f["c_a[3]"][3], rel=1e-5)


@pytest.mark.parametrize("other", ["move linear 0 0 NULL", "nve/asphere"])
def test_compatible_forces_on_bodies_of_other_fixes(lammps, other):
    """Beside fix implicit/polyhedron, too: what lies on the cube bears as a load, whoever moves it."""
    script = loaded("move", 5e-4, run="run 1000\ncompute c all force/compatible pair\ndump c all custom 1 forces id c_c[3]\n"
                    "dump_modify c sort id format float %.17g\nrun 0").replace("move linear 0 0 NULL", other)
    result = lammps(script, may_warn="with NULL")
    f = result.frames("forces")[-1].columns["c_c[3]"]
    show(force=f / G)
    assert f == pytest.approx([G, 16 * G], rel=1e-5)
