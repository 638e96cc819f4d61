"""Bodies in concave corners of one surface, whose faces are contacts each of its own: exact answers, and what planes give."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, PRESSED, reduce_local, scene

G = 9.81
SCHEMES = ["scheme em", "scheme newmark", "scheme euler"]


def obj(faces):
    """Quadrilaterals as text of an OBJ file; corners that coincide are welded."""
    corners = [f"v {x} {y} {z}" for face in faces for x, y, z in face]
    return "\n".join([*corners, *(f"f {4 * k + 1} {4 * k + 2} {4 * k + 3} {4 * k + 4}" for k in range(len(faces)))]) + "\n"


def plate(x, inward):
    """Across the x axis, seen from where it goes `inward`."""
    at = [(x, -1, -1), (x, 1, -1), (x, 1, 1), (x, -1, 1)]
    return at if inward > 0 else at[::-1]


SLOT = obj([plate(-0.051, 1), plate(0.051, -1)])
GROOVE = obj([[(-3, 0, 0), (3, 0, 0), (3, 1, 1), (-3, 1, 1)], [(-3, -1, 1), (3, -1, 1), (3, 0, 0), (-3, 0, 0)]])
TROUGH = obj([[(-3, 0, 0), (3, 0, 0), (3, 1, 0), (-3, 1, 0)], [(-3, 0, 1), (3, 0, 1), (3, 0, 0), (-3, 0, 0)]])
FILES = {"slot.obj": SLOT, "groove.obj": GROOVE, "trough.obj": TROUGH}
SUMS = f"""compute c all polyhedron/contact/atom
compute n all reduce sum c_c[1]
compute rows all polyhedron/contact/local
{reduce_local("normal", "sum", "c_rows[11]")}
{reduce_local("rub", "sum", "c_rows[14]")}"""


def wall(name):
    return f"fix floor all wall/polyhedron obj {name}.obj\n{SUMS}"


def steps(motion, dt):
    """Time step and length of a run: explicit integrators need short ones."""
    return dt / 100 if motion == EXPLICIT else dt


def run(lammps, motion, time, dt=1e-3, ranks=1, files=FILES, **parts):
    h = steps(motion, dt)
    n = round(time / h)
    values = dict(box="block -3 3 -1 1 -1 1", dt=h, motion=motion, every=n, run=f"run {n}") | parts
    return lammps(scene(**values), files=files, ranks=ranks, may_warn=PRESSED)


def at_end(result):
    frame = result.frames()[-1]
    return {name: frame.vectors(*columns)[0] for name, columns in
            (("x", ("x", "y", "z")), ("v", ("vx", "vy", "vz")), ("spin", ("angmomx", "angmomy", "angmomz")))}


# ---- between plates: the normal forces of both sides cancel, friction does not ----

BALL = "1 sphere 0.05 density 2000"
MASS = 2000 * 4 / 3 * np.pi * 0.05**3
WEDGED = dict(shapes=BALL, bodies="create_polyhedra 1 at 0 0 0", box="block -1 1 -1 1 -1 1", thermo="c_n c_normal c_rub",
              law="normal 9e5 1.5 gap 0.002 barrier 0.1 -2 damping 0.5 friction 0.5 0.5 5e4 100")


@pytest.mark.parametrize("motion", [*SCHEMES, EXPLICIT])
def test_ball_is_held_between_plates(lammps, motion):
    """It weighs 10.3 N, each plate presses with 28.5 N; friction gives way by its springs: two of 5e4 N/m."""
    result = run(lammps, motion, 0.2, walls=wall("slot"), **WEDGED)
    weight = MASS * G
    end, last = at_end(result), {name: column[-1] for name, column in result.thermo().items()}
    n, normal, rub = last["c_n"], last["c_normal"] / (2 * 9e5 * 1e-3**1.5), last["c_rub"] / weight
    show(fallen=-end["x"][2] * 1e5 / weight, speed=end["v"][2], contacts=n, normal=normal, friction=rub)
    assert abs(normal - 1) < 1e-6 and abs(rub - 1) < 0.01
    assert abs(end["x"][2] + weight / 1e5) < 0.02 * weight / 1e5
    assert abs(end["v"][2]) < 1e-5 and n == 2


# ---- in a groove of 90 degrees ----

IN_GROOVE = dict(shapes=BALL, bodies="create_polyhedra 1 at -1 0 0.0713", law="auto damping 0.5 friction 0.6 0.6",
                 walls=wall("groove"), gravity=0.0, thermo="c_n")
DOWN = f"fix weight all gravity {G} vector {np.sin(np.radians(20)):.17g} 0 {-np.cos(np.radians(20)):.17g}"
STANDING = f"fix weight all gravity {G} vector 0 0 -1\nset atom 1 angmom 0 0 0.0209439510"


@pytest.mark.parametrize("motion", [*SCHEMES, EXPLICIT])
def test_ball_rolls_down_a_groove(lammps, motion):
    """It rolls about the line through both contacts, at r/sqrt(2) from its centre: v' = g sin(20 deg) / 1.8."""
    result = run(lammps, motion, 0.3, extra=DOWN, **IN_GROOVE)
    v, exact = at_end(result)["v"][0], G * np.sin(np.radians(20)) / 1.8 * 0.3
    show(speed=v / exact - 1, contacts=result.thermo()["c_n"][-1])
    assert abs(v / exact - 1) < 1e-4
    assert result.thermo()["c_n"][-1] == 2


@pytest.mark.parametrize("motion", [*SCHEMES, EXPLICIT])
def test_groove_stops_a_spin(lammps, motion):
    """About the vertical, which both contacts are off: 0.6 N on either side at r/sqrt(2) stops it within 0.2 s."""
    result = run(lammps, motion, 0.3, extra=STANDING, **IN_GROOVE)
    spin = at_end(result)["spin"][2] / 0.0209439510
    show(spin=spin)
    assert abs(spin) < 1e-3


# ---- along a trough, leaning on both sides ----

IN_TROUGH = dict(law="auto damping 0.5 friction 0.4 0.4", walls=wall("trough"), gravity=0.0, thermo="c_n")
LEANING = f"velocity all set 2 0 0\nfix weight all gravity {G} vector 0 -1 -1"


@pytest.mark.parametrize("motion", [*SCHEMES, EXPLICIT])
@pytest.mark.parametrize(("shape", "turn", "contacts"), [("box 0.1 0.1 0.1", "0 0 0 1", 8), ("capsule 0.05 0.1", "90 0 1 0", 4)])
def test_slide_along_a_trough(lammps, motion, shape, turn, contacts):
    """Each side bears G m / sqrt(2): 0.4 of both slows down by 0.4 sqrt(2) g, as on two planes."""
    bodies = f"create_polyhedra 1 at -1 0.0515 0.0515 rotate {turn}"
    result = run(lammps, motion, 0.3, shapes=f"1 {shape} density 1000", bodies=bodies, extra=LEANING, **IN_TROUGH)
    v, exact = at_end(result)["v"][0], 2 - 0.4 * np.sqrt(2) * G * 0.3
    show(speed=v, exact=exact, contacts=result.thermo()["c_n"][-1])
    assert abs(v - exact) < 2e-3
    assert result.thermo()["c_n"][-1] == contacts


# ---- what both contacts remember ----


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("motion", SCHEMES)
def test_restart_is_exact(lammps, motion, ranks):
    """In the slot while the springs of both sides still swing."""
    script = scene(dt=1e-3, motion=motion, every=1, walls=wall("slot"), run="", **WEDGED)
    whole = lammps(f"{script}\nrun 6\nwrite_restart state\nrun 10", files=FILES, where="here", ranks=ranks, may_warn=PRESSED)
    frames = {f.step: f.table() for f in whole.frames()}
    kept = [line for line in script[script.index("fix shapes"):].splitlines() if not line.startswith(("create_polyhedra", "pair_"))]
    part = lammps("\n".join(["read_restart state", *kept, "run 10"]), where="here", ranks=ranks).frames()
    differing = [f.step for f in part if not np.array_equal(f.table(), frames[f.step])]
    still = np.array_equal(frames[6][:, 2:5], frames[16][:, 2:5])
    show(frames=len(part), differing=len(differing), still=still)
    assert len(part) == 11 and differing == [] and not still


@pytest.mark.parametrize("motion", SCHEMES)
def test_two_processes(lammps, motion):
    """The groove goes through both, and the ball from one to the other."""
    parts = IN_GROOVE | dict(bodies="create_polyhedra 1 at -0.02 0 0.0713", processors="2 1 1")
    one, two = (at_end(run(lammps, motion, 0.3, extra=DOWN, ranks=ranks, **(parts | dict(processors=f"{ranks} 1 1"))))
                for ranks in (1, 2))
    off = {name: np.abs(one[name] - two[name]).max() for name in one}
    show(**off, way=one["x"][0])
    assert one["x"][0] > 0.02 and max(off.values()) < 1e-12
