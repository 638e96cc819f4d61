"""Rounded shapes: balls, capsules and rounded polyhedra, against analytic solutions and the intersection check."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, scene
from vtk_reader import read_vtp

R, DENSITY = 0.1, 1000.0
MASS = 4 / 3 * np.pi * R**3 * DENSITY
SCHEMES = ("em", "newmark", "euler")


def state(result, frame=-1):
    """Places, velocities and angular momenta at a frame."""
    at = result.frames()[frame]
    return (at.vectors("x", "y", "z"), at.vectors("vx", "vy", "vz"), at.vectors("angmomx", "angmomy", "angmomz"))


# ---- impacts: half a swing of a linear spring, of the mass or the reduced mass of the bodies ----

EPS, GAP, SPEED = 4e8, 1e-3, 0.5
STEPS = 8000  # of a bounce: errors are of second order


def after_impact(gap, m):
    """Time that a gap takes to be what it was after an impact, at the same speed."""
    return 2 * (gap - GAP) / SPEED + np.pi / np.sqrt(EPS / m)


def fall(bodies, scheme, time, n, **changes):
    return scene(
        shapes=f"1 sphere {R} density {DENSITY}",
        bodies=bodies,
        law=f"normal {EPS} 1 gap {GAP} barrier 0.01 -1",
        gravity=0.0,
        dt=time / n,
        motion=f"scheme {scheme}",
        every=n,
        run=f"run {n}",
        **changes,
    )


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_bounce_on_wall(lammps, scheme):
    gap = 2e-3
    time = after_impact(gap, MASS)
    bodies = f"create_atoms 1 single 0 0 {R + gap}\nvelocity all set 0 0 {-SPEED}"
    x, v, spin = state(lammps(fall(bodies, scheme, time, STEPS)))
    show(height=(x[0, 2] - R - gap) / gap, speed=v[0, 2] / SPEED - 1)
    assert abs(x[0, 2] - R - gap) < 1e-6 * gap and abs(v[0, 2] / SPEED - 1) < 1e-6
    assert np.abs(spin).max() < 1e-15


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_bounce_of_two(lammps, scheme):
    """Aslant, without friction: the velocities along the line of the centres are exchanged, but for its turning."""
    gap = 2e-3
    time = after_impact(gap, MASS / 2)
    along = np.array([1.0, 2.0, 2.0]) / 3
    at = (2 * R + gap) * along
    bodies = f"""create_atoms 1 single 0 0 0.9
create_atoms 1 single {at[0]:.17g} {at[1]:.17g} {0.9 + at[2]:.17g}
set atom 2 vx {-SPEED * along[0]:.17g} vy {-SPEED * along[1]:.17g} vz {-SPEED * along[2]:.17g}"""
    x, v, spin = state(lammps(fall(bodies, scheme, time, STEPS)))
    apart = np.linalg.norm(x[1] - x[0]) - 2 * R - gap
    show(first=np.linalg.norm(v[0] + SPEED * along), second=np.linalg.norm(v[1]), apart=apart / gap)
    assert np.linalg.norm(v[0] + SPEED * along) < 1e-6 * SPEED and np.linalg.norm(v[1]) < 1e-6 * SPEED
    assert abs(apart) < 1e-6 * gap
    assert np.abs(spin).max() < 1e-15


# ---- on an incline ----

ANGLE, G = np.radians(20.0), 9.81


def incline(scheme, mu, n, time):
    """A ball on an incline, at the gap that bears it; friction, which at first is not there, is after half the time."""
    eps, gbar = 1e8, 1e-3
    gap = gbar - MASS * G * np.cos(ANGLE) / eps
    return scene(
        shapes=f"1 sphere {R} density {DENSITY}",
        bodies=f"create_atoms 1 single 0 0 {R + gap:.17g}",
        box="block -1 10 -1 1 -0.1 1",
        law=f"normal {eps} 1 gap {gbar} barrier 0.1 -1 damping 0.7 friction {mu} {mu} 1e8 2e5",
        gravity=0.0,
        dt=time / n,
        motion=f"scheme {scheme}",
        every=n // 2,
        extra=f"fix g all gravity {G} vector {np.sin(ANGLE):.17g} 0 {-np.cos(ANGLE):.17g}",
        run=f"run {n}",
    )


@pytest.mark.parametrize("steps", [500, 50])
@pytest.mark.parametrize("mu", [0.5, 0.05])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_incline(lammps, scheme, mu, steps):
    """5/7 g sin a without slip, which takes mu > 2/7 tan a; g (sin a - mu cos a) and 5/2 mu g cos a / R with slip."""
    time = 0.5
    result = lammps(incline(scheme, mu, steps, time))
    (x0, v0, spin0), (x, v, spin) = state(result, 1), state(result)
    rolls = mu > 2 / 7 * np.tan(ANGLE)
    speed = G * time / 2 * (5 / 7 * np.sin(ANGLE) if rolls else np.sin(ANGLE) - mu * np.cos(ANGLE))
    turn = speed / R if rolls else 2.5 * mu * G * np.cos(ANGLE) / R * time / 2
    gain, turned = (v - v0)[0, 0] / speed - 1, (spin - spin0)[0, 1] / (0.4 * MASS * R**2 * turn) - 1
    way = (x - x0)[0, 0] / (speed * time / 4 + v0[0, 0] * time / 2) - 1
    show(speed=gain, turn=turned, way=way)
    assert abs(gain) < 1e-6 and abs(turned) < 1e-6
    # Euler's way is of first order; with em, a ball slower than g h counts as at rest
    assert abs(way) < {"em": 0.5 / steps**2, "newmark": 1e-6, "euler": 2 / steps}[scheme]


def test_oblique_impact(lammps):
    """A ball that slides all through an impact has the impulse mu times the normal one."""
    gap, mu, slide = 2e-3, 0.1, 1.0
    time, n = after_impact(gap, MASS), 2000
    text = fall(
        f"create_atoms 1 single 0 0 {R + gap}\nvelocity all set {slide} 0 {-SPEED}", "em", time, n
    ).replace("barrier 0.01 -1", f"barrier 0.01 -1 friction {mu} {mu} 1e10 0")
    x, v, spin = state(lammps(text))
    push = 2 * mu * SPEED
    show(slide=v[0, 0] - (slide - push), up=v[0, 2] - SPEED, turn=spin[0, 1] / (MASS * R * push) - 1)
    assert abs(v[0, 0] - (slide - push)) < 1e-3 * push and abs(v[0, 2] - SPEED) < 1e-4 * SPEED
    assert abs(spin[0, 1] / (MASS * R * push) - 1) < 1e-3


# two bodies that meet: types, places and turns, velocities, angular momenta
MEETINGS = {
    "head on": [("1 at -0.0511 0 0.5", "0.5 0 0", "0 0 0.03"), ("2 at 0.0511 0 0.5", "-0.5 0 0", "0 0 0.03")],
    "aslant": [("1 at -0.0511 0.005 0.503", "0.5 0.2 0.1", "0.01 -0.02 0.03"), ("2 at 0.0511 0 0.5", "-0.4 0.1 -0.3", "-0.005 0.01 0.03")],
    "corner": [("1 at 0 0 0.64", "0.1 0.05 -0.5", "0.01 -0.02 0.003"), ("3 at 0 0 0.5 rotate 54.735610317 1 -1 0", "0 0 0.2", "0 0 0.002")],
}


def meeting(what, motion, order, dt=1e-3):
    """Velocities and angular momenta after an impact with friction of bodies that are created in an order."""
    lines = [f"create_polyhedra {what[k][0]}" for k in order]
    for i, k in enumerate(order, 1):
        (vx, vy, vz), (lx, ly, lz) = (s.split() for s in what[k][1:])
        lines.append(f"set atom {i} vx {vx} vy {vy} vz {vz} angmom {lx} {ly} {lz}")
    n = round(0.03 / dt)
    return scene(types=3, shapes="1 sphere 0.05 density 2000 2 sphere 0.05 density 2000 3 box 0.1 0.1 0.1 density 1000", bodies="\n".join(lines),
                 law="normal 1e7 1.5 gap 0.002 damping 0.2 friction 0.5 0.4 1e6 50", walls="", gravity=0, dt=dt, motion=motion, every=n, run=f"run {n}")


@pytest.mark.parametrize("motion", ["scheme em", "scheme em substeps 1", "scheme newmark", "scheme euler"])
@pytest.mark.parametrize("what", MEETINGS)
def test_impact_of_balls_does_not_depend_on_their_order(lammps, what, motion):
    """Friction acts midway between two balls, and on the ball at a corner: bodies may be numbered either way, and equal balls end up equal."""
    ends = [state(lammps(meeting(MEETINGS[what], motion, order)))[1:] for order in ((0, 1), (1, 0))]
    (v, spin), (u, turned) = ends
    show(v=np.abs(v - u[::-1]).max(), spin=np.abs(spin - turned[::-1]).max())
    assert np.abs(v - u[::-1]).max() < 1e-8 and np.abs(spin - turned[::-1]).max() < 1e-9
    assert np.linalg.norm(spin[0] - np.array(MEETINGS[what][0][2].split(), float)) > 1e-3
    if what == "head on":
        assert spin[0, 2] == pytest.approx(spin[1, 2], rel=1e-9)


# ---- pairs of any shapes ----

SHAPES = f"""1 sphere 0.1 density 1000 2 capsule 0.05 0.2 density 1000 3 box 0.2 0.15 0.1 density 1000 &
  4 rock 0.2 0.15 0.1 12 4711 density 1000 round 0.03"""


def momenta(result, frame):
    """Momentum and angular momentum of all, with the masses of the log."""
    x, v, spin = state(result, frame)
    m = np.array([float(w) for w in result.text.split("masses ")[-1].split("\n")[0].split()])[:, None]
    return (m * v).sum(0), (np.cross(x, m * v) + spin).sum(0)


@pytest.mark.parametrize("pair", [(1, 1), (1, 3), (2, 2), (2, 3), (4, 4), (1, 4)])
def test_momenta_are_kept(lammps, pair):
    """In a collision aslant with friction, of bodies that turn."""
    a, b = pair
    text = scene(
        types=4,
        shapes=SHAPES,
        bodies=f"""create_polyhedra {a} at -0.25 0.02 0.9 rotate 40 1 2 3
create_polyhedra {b} at 0.25 -0.03 0.95 rotate 70 3 -1 2
velocity all zero linear
set atom 1 vx 1
set atom * angmom 0.01 0.02 0.03""",
        law="normal 1e7 1.5 gap 0.004 barrier 0.1 -1 damping 0.2 friction 0.5 0.4 1e6 10",
        gravity=0.0,
        dt=1e-3,
        motion="scheme em",
        every=500,
        thermo="f_motion[7] f_motion[21]",
        extra='variable ma equal mass[1]\nvariable mb equal mass[2]\nprint "masses $(v_ma:%.17g) $(v_mb:%.17g)"',
        run="run 500",
    )
    result = lammps(text)
    p0, l0 = momenta(result, 0)
    p1, l1 = momenta(result, -1)
    rubbed = result.thermo()["f_motion[21]"][-1]
    show(momentum=np.linalg.norm(p1 - p0) / np.linalg.norm(p0), angular=np.linalg.norm(l1 - l0), rubbed=rubbed)
    assert rubbed > 0.0  # they have met
    assert np.linalg.norm(p1 - p0) < 1e-12 * np.linalg.norm(p0)
    assert np.linalg.norm(l1 - l0) < 1e-12 * np.linalg.norm(l0)


# ---- a heap ----

def heap(**changes):
    layers = [
        f"create_polyhedra {1 + (i + i // 4) % 4} at {x} {y} {0.2 + 0.32 * (i // 4):.17g} rotate {37 * i} 1 {i % 3} 2"
        for i in range(16)
        for x, y in [((-0.15, 0.15)[i % 2], (-0.15, 0.15)[i // 2 % 2])]
    ]
    options = dict(
        types=4,
        shapes=SHAPES,
        bodies="\n".join(layers),
        box="block -0.4 0.4 -0.4 0.4 -0.1 1.9",
        walls=f"""{FLOOR}
fix sides all wall/polyhedron plane -0.31 0 0 1 0 0 plane 0.31 0 0 -1 0 0 plane 0 -0.31 0 0 1 0 plane 0 0.31 0 0 -1 0""",
        law="auto velocity 3 restitution 0.2 friction 0.4 0.3",
        dt=5e-3,
        motion="scheme em",
        every=50,
        thermo="f_motion[6] f_motion[8]",
        run="run 400",
    )
    return scene(**{**options, **changes})


def test_heap(lammps):
    result = lammps(heap())
    kinetic = result.thermo()["f_motion[8]"]
    planes = ["0 0 0 0 0 1", "-0.31 0 0 1 0 0", "0.31 0 0 -1 0 0", "0 -0.31 0 0 1 0", "0 0.31 0 0 -1 0"]
    show(kinetic=kinetic[-1], largest=kinetic.max(), gap=result.thermo()["f_motion[6]"].min())
    assert lammps.intersections(result, "dump", *planes) == 0
    assert kinetic[-1] < 1e-3 * kinetic.max()  # balls roll on


@pytest.mark.parametrize("motion", ["scheme em", "scheme euler", "fix motion all nve/asphere"])
def test_processes(lammps, motion):
    """One and four ranks give the same; a mesh as wall, bodies that an explicit integrator moves."""
    explicit = motion.startswith("fix")
    changes = dict(motion=motion, run="run 40", every=40, walls=f"{FLOOR}\nfix ramp all wall/polyhedron stl ramp.stl")
    if explicit:
        changes |= dict(dt=2e-5, run="run 2000", every=2000, thermo="pe", extra="comm_modify vel yes")
    files = {"ramp.stl": RAMP}
    one, four = (lammps(heap(**changes), ranks=n, files=files, may_warn="communicate|barrier") for n in (1, 4))
    off = np.abs(state(one)[0] - state(four)[0]).max()
    show(off=off)
    assert off < 1e-9
    assert lammps.intersections(one, "dump", "0 0 0 0 0 1") == 0


RAMP = """solid ramp
facet normal 0 0 1
outer loop
vertex -0.4 -0.4 0.01
vertex 0.4 -0.4 0.06
vertex 0.4 0.4 0.06
endloop
endfacet
facet normal 0 0 1
outer loop
vertex -0.4 -0.4 0.01
vertex 0.4 0.4 0.06
vertex -0.4 0.4 0.01
endloop
endfacet
endsolid ramp
"""


def test_restart(lammps):
    """A run goes on to the last digit; another radius is another shape."""
    whole = lammps(heap(run="run 60\nwrite_restart half\nrun 30", every=30), where="r")
    head, rest = heap(run="run 30", every=30).split("pair_style")
    shapes = f"fix shapes all polyhedron/shape {SHAPES}"
    again = f"{head.split('region box')[0]}read_restart half\n{shapes}\npair_style{rest}".replace("30 dump", "30 dump2")
    later = lammps(again, where="r")
    x, v, _ = state(whole)
    frames = later.frames("dump2")
    assert np.array_equal(frames[-1].vectors("x", "y", "z"), x)
    for old, new in (("sphere 0.1", "sphere 0.0999"), ("round 0.03", "round 0.031")):
        lammps(again.replace(old, new), where="r", fail="rounding radius of atom type . was")


# ---- masses, pictures, files ----


def test_mass_and_pictures(lammps):
    """Masses of the shapes; VTK shows closed surfaces of nearly their volume; dump image draws them."""
    result = lammps(
        scene(
            types=4,
            shapes=SHAPES,
            bodies="\n".join(f"create_polyhedra {t} at {0.4 * t - 1} 0 0.5" for t in range(1, 5)),
            gravity=0.0,
            extra="""fix picture all vtk/polyhedron 1 pictures-*.vtp
dump i all image 1 p.*.ppm type type adiam 0.001 fix shapes type 1 0
dump m all custom 1 masses id mass
dump_modify m sort id format float %.17g""",
            motion="scheme em",
            run="run 0",
        )
    )
    mass = [f for f in result.frames("masses")][0].columns["mass"]
    assert np.isclose(mass[0], MASS, rtol=1e-14)
    assert np.isclose(mass[1], 1000 * np.pi * 0.05**2 * (0.2 + 4 / 3 * 0.05), rtol=1e-14)
    file = read_vtp(result.dir / "pictures-bodies.0.vtp")
    corners = file.points[np.array(file.cells)]
    drawn = np.bincount(file.cell["id"] - 1, np.linalg.det(corners - np.repeat([[[0.0, 0.0, 0.5]]], len(corners), 0)) / 6)
    show(drawn=drawn * np.array([1000.0] * 4) / mass)
    assert np.all((0.95 < drawn * 1000 / mass) & (drawn * 1000 / mass < 1 + 1e-9))
    assert (result.dir / "p.0.ppm").stat().st_size > 1000


@pytest.mark.parametrize(
    "shape, message",
    [
        ("1 tetrapod 0.1 0.03 0.6 round 0.01", "tetrapod: surface is not convex"),
        ("1 sphere 0", "radius must be > 0"),
        ("1 capsule 0.1", "length must be > 0"),
        ("1 box 0.1 0.1 0.1 round -1", "round must be >= 0"),
    ],
)
def test_what_is_refused(lammps, shape, message):
    lammps(scene(shapes=shape), fail=message)


def test_overlap_is_found(lammps):
    bodies = f"create_atoms 1 single 0 0 0.5\ncreate_atoms 1 single 0 0 {0.5 + 2 * R - 1e-6:.17g}"
    lammps(scene(shapes=f"1 sphere {R}", bodies=bodies), fail="(?i)overlap")
    lammps(scene(shapes=f"1 sphere {R}", bodies=f"create_atoms 1 single 0 0 {R - 1e-6:.17g}"), fail="(?i)overlap|beyond")


def test_contact_dynamics_refuses(lammps):
    text = scene(shapes=f"1 sphere {R}", bodies="create_atoms 1 single 0 0 0.5", pair="", law="",
                 motion="comm_modify vel yes cutoff 1.0\nfix motion all contact/dynamics solver pgs")
    lammps(text, fail="fix polyhedron/shape rounds by 0.1.*fix implicit/polyhedron")


@pytest.mark.parametrize("hold", ["fix h slab freeze", "fix h slab lock/polyhedron translation xyz rotation xyz",
                                  "fix h all wall/polyhedron plane 0 0 -0.0115 0 0 1"])
def test_ball_rolls_on_a_slab(lammps, hold):
    """A ball thrown along a slab that others hold, or that lies on a floor: what is taken off the moments of a pair for the sake
    of its angular momentum is not felt by the light side. It rolls on at 5/7 of its speed."""
    result = lammps(scene(types=2, shapes="1 sphere 0.05 density 1000 2 box 4 0.5 0.01 density 100", box="block -3 6 -1 1 -1 1", dt=5e-3,
                          bodies="create_polyhedra 1 at 0 0 0.0522\ncreate_polyhedra 2 at 0.5 0 -0.005\ngroup ball type 1\n"
                                 "group slab type 2\nvelocity ball set 1 0 0", law="auto velocity 1 restitution 0 friction 0.5 0.4",
                          walls=hold, motion="scheme em", every=100, run="run 400"))
    speed = [f.columns["vx"][0] for f in result.frames()[1:]]
    print(f"{hold}: {speed}")
    assert all(abs(v - 5 / 7) < 1e-4 for v in speed)
