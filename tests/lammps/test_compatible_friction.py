"""compute force/compatible with friction: closed solutions, and LAMMPS's own springs with memory."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene
from test_contact_dynamics import FLOOR, G, GRAVITY, at, polyhedra, spheres

NAMES = "tag1 tag2 x y z nx ny nz given force gap gx gy gz fx fy fz".split()
DUMP = (
    "dump l all local 1 local " + " ".join(f"c_c[{k}]" for k in range(1, 18)) + "\ndump_modify l format float %.17g\n"
)


def rows(result, keys=("z", "y", "x")):
    table = result.frames("local")[-1].table()
    t = dict(zip(NAMES, table.T))
    order = np.lexsort([np.round(t[k], 9) for k in keys])
    return {name: column[order] for name, column in t.items()}


def friction(r):
    return np.array([r["fx"], r["fy"], r["fz"]]).T


def with_compute(script, arguments, before="timestep"):
    """The compute and its dump before the line that begins so, behind the fix."""
    where = script.index(f"\n{before}") + 1
    return script[:where] + f"compute c all force/compatible {arguments}\n{DUMP}" + script[where:]


def cube(push, compute="friction 0.4 0.8 tol 1e-13 starts 2", cd="friction 0.4 tol 1e-13", extra="", run="run 0"):
    """A cube of weight 12 and edge 2 on a floor, pushed at its centre."""
    script = polyhedra(
        f"1 box 2 2 2 density {12 / G / 8:.17g}",
        f"create_polyhedra 1 at 0 0 1\nfix push all addforce {push}\n{extra}",
        cd=f"{cd} maxiter 100000",
        thermo="c_c[*]",
        run=run,
    )
    return with_compute(script, f"cd {compute}")


def test_cube(lammps):
    """Pushed by a third of its weight: relieved corners slip, the others share what is left."""
    result = lammps(cube("4 0 0"))
    r, c = rows(result, ("y", "x")), result.thermo()
    front = r["x"] > 0
    show(kkt=c["c_c[2]"][0], given=r["given"], spread=c["c_c[10]"][0])
    assert r["force"] == pytest.approx(np.where(front, 4, 2), abs=1e-9)
    assert r["fx"] == pytest.approx(np.where(front, -1.2, -0.8), abs=1e-9)
    assert r["fy"] == pytest.approx(np.zeros(4), abs=1e-9)
    assert (c["c_c[9]"][0], c["c_c[8]"][0]) == (2, 4)
    assert c["c_c[2]"][0] <= 1e-13 and 0 <= c["c_c[10]"][0] < 1e-10
    assert r["gx"].sum() == pytest.approx(-4, abs=1e-9)


def test_sliding_cube(lammps):
    """In motion: every corner at the cone, against the motion; the load is that of the braking."""
    result = lammps(cube("0 0 0", extra="velocity all set 1 0.5 0", run="run 1"))
    r, c = rows(result, ("y", "x")), result.thermo()
    e = np.array([1, 0.5, 0]) / np.hypot(1, 0.5)
    assert c["c_c[9]"][-1] == 4 and c["c_c[2]"][-1] <= 1e-10
    assert friction(r) == pytest.approx(-0.4 * np.outer(r["force"], e), abs=1e-6)
    assert r["force"].sum() == pytest.approx(12, abs=1e-6)
    local = r["x"] - r["x"].mean(), r["y"] - r["y"].mean()
    assert r["force"] == pytest.approx(3 + 1.2 * (local[0] * e[0] + local[1] * e[1]), abs=1e-5)


def test_too_steep(lammps):
    """A load that friction of the compute does not bear."""
    script = cube("4 0 0", "friction 0.3 0.8 unconverged error")
    lammps(script, fail="not converged at step 0: KKT residual .* no step lowers the residual")


@pytest.mark.parametrize("law", ["hooke", "hertz"])
def test_box_of_the_pair_style(lammps, law):
    """Source pair: a box that friction holds in an implicit run; its four corners share the push by
    what the moment leaves them."""
    gap, push = 5e-4, 2.0
    script = scene(
        shapes="1 box 0.1 0.1 0.1 density 1000",
        law=f"normal {G / 4 / (0.4 * gap):.17g} 1 gap {gap} damping 0.7 friction 0.5 0.5 1e4 10",
        bodies=f"create_polyhedra 1 at 0 0 {0.05 + 0.6 * gap:.17g}",
        motion="scheme euler tol 1e-10",
        extra=f"fix push all addforce {push} 0 0\n"
        f"compute c all force/compatible pair law {law} friction 0.5 0.5 tol 1e-12 empty ignore\n"
        "fix v all ave/time 1 1 500 c_c[2] c_c[9] file vector.txt\n" + DUMP.replace("local 1", "local 500"),
        dt=2e-3,
        run="run 500",
    )
    result = lammps(script)
    r = rows(result, ("y", "x"))
    kkt, slipping = map(float, (result.dir / "vector.txt").read_text().split()[-2:])
    front = r["x"] > r["x"].mean()
    assert r["force"] == pytest.approx(G / 4 + np.where(front, 0.5, -0.5) * push / 2, rel=2e-3)
    assert r["fx"].sum() == pytest.approx(-push, rel=1e-6)
    assert kkt < 1e-12 and slipping == 0


# ---- spheres: LAMMPS's own springs with memory ----

BASE, TILT = 4, "vector 0.15 0.1 -1"


def places(base=BASE):
    return [(i + l / 2, j + l / 2, l / np.sqrt(2)) for l in range(base) for i in range(base - l) for j in range(base - l)]


def pyramid(base=BASE, processors="* * *", starts=2, rigid=1e-11, **laws):
    """A pyramid on spheres that are held, in a tilted field, its rigid forces to a tolerance `rigid`, and its compatible
    ones."""
    group = f"group base id 1:{base * base}"
    script = spheres(
        at(*[tuple(float(c) for c in x) for x in places(base)]),
        extra=group,
        gravity=f"fix g all gravity 1 {TILT}",
        cd=f"fixed base friction 0.3 tol {rigid} maxiter 100000",
        box=f"-1 {base} -1 {base} -1 {base}",
        processors=processors,
        thermo="c_c[*]",
        run="run 0",
    )
    law = laws.get("law", "hooke")
    return with_compute(script, f"cd law {law} friction 0.3 0.2857142857142857 tol 1e-12 starts {starts}")


def springs(law, stiffness, ramp, base=BASE):
    """gran/hooke/history or gran/hertz/history: weight that grows, so that overlaps grow at an even rate, for a time
    `ramp`, and then a rest; times with the springs at a force of 1 as unit."""
    k = stiffness if law == "hooke" else stiffness / np.sqrt(0.25)
    unit = 1 / np.sqrt(stiffness if law == "hooke" else 1.5 * stiffness ** (2 / 3))
    damping = 0.3 / unit
    steps, rest = int(ramp / 0.1), 3000
    # gran/hertz scales its damping by the width of the contact
    inner = damping if law == "hooke" else damping / np.sqrt(0.25 * stiffness ** (-2 / 3))
    return f"""
units si
atom_style sphere
newton off
atom_modify map array
boundary f f f
region box block -1 {base} -1 {base} -1 {base}
create_box 1 box
comm_modify vel yes
{at(*[tuple(float(c) for c in x) for x in places(base)])}
set group all diameter 1 mass 1
group base id 1:{base * base}
group moving subtract all base
pair_style gran/{law}/history {k:.17g} {k * 2 / 7:.17g} {inner:.17g} {inner:.17g} 0.3 1
pair_coeff * *
variable g equal ramp(0,1)^{1 if law == "hooke" else 1.5}
fix g moving gravity v_g {TILT}
fix nve moving nve/sphere
fix drag moving viscous {damping:.17g}
neighbor 0.1 bin
neigh_modify every 1 delay 0 check yes exclude group base base
timestep {0.1 * unit:.17g}
compute p all property/local patom1 patom2
compute f all pair/local force p1 p2 p3
run {steps}
unfix g
fix g moving gravity 1 {TILT}
dump l all local {rest} local c_p[*] c_f[*]
dump_modify l format float %.17g
run {rest}
"""


def sizes(result, own):
    """Normal and friction force by pair."""
    table = result.frames("local")[-1].table()
    if own:
        t = dict(zip(NAMES, table.T))
        values = zip(t["force"], np.sqrt(t["fx"] ** 2 + t["fy"] ** 2 + t["fz"] ** 2))
        pairs = zip(t["tag1"], t["tag2"])
    else:
        values = zip(np.abs(table[:, 2]), np.linalg.norm(table[:, 3:6], axis=1))
        pairs = zip(table[:, 0], table[:, 1])
    return {(min(p), max(p)): np.array(v) for p, v in zip(pairs, values)}


def apart(a, b):
    """Largest difference over the largest force; pairs that one of them does not list carry nothing."""
    zero = np.zeros(2)
    largest = max(v[0] for v in a.values())
    return max(np.abs(a.get(p, zero) - b.get(p, zero)).max() for p in set(a) | set(b)) / largest


def twofold(first, second):
    """Forces by pair where a parameter that `second` has half of is none, if they change evenly with it."""
    return {p: 2 * second[p] - first.get(p, second[p]) for p in second}


def slow_springs(lammps, law, ramp, base=BASE, overlap=1e-6):
    """The springs' forces with the weight growing for the time `ramp`, for twice of it, and where it grows at no rate;
    `overlap` is that at a force of 1, over the diameter."""
    stiffness = overlap ** (-1 if law == "hooke" else -1.5)
    fast, slow = (sizes(lammps(springs(law, stiffness, k * ramp, base)), own=False) for k in (1, 2))
    return fast, slow, twofold(fast, slow)


@pytest.mark.parametrize("law", ["hooke", "hertz"])
def test_pyramid_against_granular_springs(lammps, law):
    """Forces of explicit runs, whose springs remember and slip, with weight that grows ever more slowly: the
    difference falls with the rate, and what is left at none is below 1e-5."""
    result = lammps(pyramid(law=law))
    c, exact = result.thermo(), sizes(result, own=True)
    fast, slow, limit = (apart(exact, forces) for forces in slow_springs(lammps, law, 4000))
    show(slipping=c["c_c[9]"][0], fast=fast, slow=slow, limit=limit)
    assert c["c_c[2]"][0] <= 1e-12 and c["c_c[9]"][0] > 5 and 0 <= c["c_c[10]"][0] < 1e-10
    assert slow < 0.6 * fast
    assert limit < 1e-5


def test_processes(lammps):
    """On three processes the same forces."""
    one, three = (
        sizes(lammps(pyramid(processors=p, starts=0), ranks=n), own=True) for p, n in (("* * *", 1), ("3 1 1", 3))
    )
    assert set(one) == set(three)
    assert apart(one, three) < 1e-9


ERRORS = {
    "no-friction": ("cd friction 0.3 0.5", "keyword friction needs a fix contact/dynamics with friction: fix cd has none"),
    "lagrangian": ("cd friction 0.3 0.5 solver lagrangian", "solver lagrangian has no friction"),
    "rank": ("cd friction 0.3 0.5 rank 10", "keyword rank counts normal forces alone"),
    "starts": ("cd starts 3", "keyword starts is for keyword friction"),
    "mu": ("cd friction 0 0.5", "friction 0 0.5: must be > 0"),
    "ratio": ("cd friction 0.3 0", "friction 0.3 0: must be > 0"),
    "values": ("cd friction 0.3", "keyword friction needs 2 value"),
    "negative": ("cd starts -1", "starts -1: must be >= 0"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_error(lammps, name):
    arguments, message = ERRORS[name]
    script = spheres(at((0, 0, 0.5)), walls=FLOOR, gravity=GRAVITY, thermo="c_c[2]")
    script = script.replace("timestep", f"compute c all force/compatible {arguments}\ntimestep")
    lammps(script, fail=f"Compute force/compatible.*{message}")
