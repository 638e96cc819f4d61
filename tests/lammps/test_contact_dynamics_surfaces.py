"""fix contact/dynamics: polyhedra that slide and roll over surfaces of many faces."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import scene

G = 9.81
ROCK = "1 rock 0.1 0.1 0.1 {} 1 density 1000"


def rigid(cd="", dt=1e-3, time=0.4, frames=10, **parts):
    """Script of a scene that fix contact/dynamics moves."""
    steps = round(time / dt)
    parts = dict(pair="pair_style zero 0.6", law="pair_coeff * *", motion=f"fix cd all contact/dynamics {cd}",
                 box="block -1.5 1.5 -1 1 -1.5 1", thermo="f_cd[5] f_cd[7]") | parts
    return scene(dt=dt, every=round(steps / frames), run=f"run {steps}", **parts)


def column(result, name, body=0):
    return np.array([f.columns[name][body] for f in result.frames()])


# ---- many small faces ----


def ball(parts=8):
    """OBJ of a ball of diameter 0.1: a cube of squares, each cut in two."""
    lines, face = [], 0
    side = np.tan(np.linspace(-np.pi / 4, np.pi / 4, parts + 1))
    for axis in range(3):
        for sign in (-1, 1):
            p = np.array([np.roll((sign, sign * a, b), axis) for b in side for a in side])
            lines += ["v {:.12g} {:.12g} {:.12g}".format(*(0.05 * v / np.linalg.norm(v))) for v in p]
            for k in range(parts * (parts + 1)):
                a, b = face + k + 1, face + k + parts + 2
                if k % (parts + 1) < parts:
                    lines += [f"f {a} {a + 1} {b + 1}", f"f {a} {b + 1} {b}"]
            face += len(p)
    return "\n".join(lines) + "\n"


BALL = "1 obj ball.obj density 1000"


def test_stones_in_a_drum(lammps):
    """They go down one side and up the other, as where contacts are stiff and impacts plastic."""
    parts = dict(walls="fix drum all wall/polyhedron cylinder y 0 0 0.5 -0.5 0.5", bodies="create_polyhedra 1 at 0.3 0.01 -0.32")
    stiff = scene(shapes=ROCK.format(60), box="block -1.5 1.5 -1 1 -1.5 1", law="normal 1e8 1.5 gap 0.0005 restitution 0",
                  motion="scheme em", dt=2e-4, every=400, run="run 4000", **parts)
    x = column(lammps(stiff), "x")
    for shape, gap in ((ROCK.format(60), ""), (ROCK.format(60), "gap 1e-4"), (ROCK.format(200), ""), (BALL, "gap 1e-3")):
        result = lammps(rigid(gap, time=0.8, shapes=shape, **parts), files={"ball.obj": ball()})
        off = np.abs(column(result, "x") - x).max()
        show(shape=shape, off=off, overlap=result.thermo()["f_cd[5]"].max())
        assert off < (0.004 if "60" in shape else 0.008)
        assert result.thermo()["f_cd[5]"].max() < 1e-5


def terrain():
    """OBJ of hills of 1 cm in squares of 0.1 m, each cut in two."""
    x, y = np.meshgrid(np.linspace(-1.5, 1.5, 31), np.linspace(-1, 1, 21), indexing="ij")
    v = np.stack([x, y, 0.01 * np.sin(8 * x) * np.cos(7 * y)], axis=-1)
    lines = ["v {:.12g} {:.12g} {:.12g}".format(*p) for p in v.reshape(-1, 3)]
    corner = np.arange(1, 31 * 21 + 1).reshape(31, 21)
    for a, b, c, d in zip(corner[:-1, :-1].flat, corner[1:, :-1].flat, corner[1:, 1:].flat, corner[:-1, 1:].flat):
        lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("shape", [ROCK.format(200), BALL])
@pytest.mark.parametrize("dt", [1e-3, 2e-4])
def test_stones_on_hills(lammps, shape, dt):
    """A stone that slides over hills gains no energy, and goes as far as along smooth ones."""
    script = rigid(shapes=shape, walls="fix hills all wall/polyhedron obj hills.obj", dt=dt, frames=200,
                   bodies="create_polyhedra 1 at -0.3 0.01 0.0595\nvelocity all set 1 0 0")
    result = lammps(script, files={"ball.obj": ball(), "hills.obj": terrain()})
    kinetic = result.thermo()["f_cd[7]"] / (2 * result.thermo()["f_cd[7]"][0])
    energy = kinetic + G * column(result, "z")
    x = column(result, "x")[-1]
    show(rise=np.diff(energy).max(), lost=energy[0] - energy[-1], x=x)
    assert np.diff(energy).max() < 1e-5
    assert x == pytest.approx(0.089, abs=0.003)


# ---- thin bodies ----


def ridges():
    """OBJ of a floor with ridges of 3 mm, 0.1 apart, of triangles."""
    p = np.array([(x, y, 0.003 * (i % 2)) for i, x in enumerate(np.linspace(-1.4, 1.4, 29)) for y in np.linspace(-0.8, 0.8, 17)])
    corner = np.arange(29 * 17).reshape(29, 17)
    cells = list(zip(corner[:-1, :-1].flat, corner[1:, :-1].flat, corner[1:, 1:].flat, corner[:-1, 1:].flat))
    return written(p, [f for a, b, c, d in cells for f in ((a, b, c), (a, c, d))])


def plank(size, cd, **parts):
    """One that slides over the ridges."""
    height = 0.003 + float(size.split()[2]) / 2
    return rigid(f"friction 0.3 {cd}", **dict(time=0.12, pair="pair_style zero 0.9", shapes=f"1 box {size} density 2000", walls=MESH, frames=4,
                 bodies=f"create_polyhedra 1 at -0.7 0.03 {height}\nvelocity all set 1.5 0 0") | parts)


@pytest.mark.parametrize("size", ["0.7 0.1 0.03", "0.7 0.3 0.01"])
def test_thin_bodies(lammps, size):
    """Contacts do not reach the far side of a thin body: it slides as Coulomb says."""
    for cd in ("", "gap 0.004"):
        result = lammps(plank(size, cd), files={"floor.obj": ridges()})
        speed, lift = column(result, "vx"), np.ptp(column(result, "z"))
        show(size=size, cd=cd, speed=speed, lift=lift, overlap=result.thermo()["f_cd[5]"].max())
        assert speed == pytest.approx(1.5 - 0.3 * G * np.linspace(0, 0.12, 5), abs=1e-3)
        assert lift < 1e-6


def test_gap_of_thin_bodies(lammps):
    """One that reaches through a body is an error that names the type, also where the body comes in later."""
    text = "gap 0.03 is not below 0.03, the thickness of type {}: .* leave the keyword out, or give less than half of it"
    files = {"floor.obj": ridges()}
    lammps(plank("0.7 0.1 0.03", "gap 0.03"), files=files, fail=text.format(1))
    lammps(plank("0.7 0.1 0.03", "gap 0.029"), files=files)
    both = plank("0.7 0.1 0.1", "gap 0.03", types=2, shapes="1 box 0.7 0.1 0.1 density 2000 2 box 0.7 0.1 0.03 density 2000",
                 bodies="create_polyhedra 1 at 0 0 0.06")
    lammps(both, files=files)
    lammps(f"{both}\ncreate_polyhedra 2 at 0 0.5 0.1\nrun 1", files=files, fail=text.format(2))


# ---- seams ----

BLOCKS = "1 {} density 1000 2 box 0.2 0.5 0.1 density 1000"
BOX = "box 0.1 0.1 0.05"


def row(speed, apart=0.0, turn="0 0 0 1", last=0.0, cd="", sort=BOX, height=0.025, **parts):
    """A body on a row of fixed blocks, seven of the same height or the last three higher."""
    blocks = [f"create_polyhedra 2 at {-0.4 + k * (0.2 + apart):.10g} 0 {-0.05 + last * (k > 3)}" for k in range(7)]
    bodies = "\n".join([f"create_polyhedra 1 at -0.3 0.01 {height} rotate {turn}", *blocks, "group base type 2",
                        f"velocity all set {speed} 0 0"])
    return rigid(f"fixed base {cd}", shapes=BLOCKS.format(sort), types=2, walls="", bodies=bodies, **parts)


@pytest.mark.parametrize("angle", [0, 10, 30])
@pytest.mark.parametrize("apart, cd", [(0, ""), (0, "solver pgs"), (0, "gap 1e-5"), (0.001, ""), (0.05, "")])
def test_seams_of_blocks(lammps, angle, apart, cd):
    """Blocks of the same height are one floor: what slides on it keeps its speed and height."""
    result = lammps(row(1, apart, f"{angle} 0 0 1", cd=cd))
    show(speed=column(result, "vx")[-1], lift=np.abs(column(result, "z") - 0.025).max())
    assert column(result, "vx") == pytest.approx(np.ones(11), abs=1e-8)
    assert column(result, "z") == pytest.approx(np.full(11, 0.025), abs=1e-8)


def test_seams_with_friction(lammps):
    """It is slowed down as on one floor; by a prism with edges that rise before it, too; whatever the speed."""
    prism = dict(sort="prism 6 0.05 0.08", turn="90 1 0 0", height=0.0433012701892219)
    for speed, time, parts in ((1, 0.4, {}), (20, 0.02, {}), (0.1, 0.05, {}), (1, 0.4, prism), (20, 0.02, prism)):
        result = lammps(row(speed, cd="friction 0.05", time=time, **parts))
        show(speed=column(result, "vx")[-1])
        assert column(result, "vx")[-1] == pytest.approx(speed - 0.05 * G * time, abs=1e-6)


@pytest.mark.parametrize("angle", [0, 10])
@pytest.mark.parametrize("turned", [False, True])
def test_seam_of_two_solids_of_a_surface(lammps, angle, turned):
    """Boxes that touch share edges of four faces, two of which are within; whichever way they look."""
    v = [(x, y, z) for x in (-1.5, 0, 1.5) for y in (-1, 1) for z in (-0.3, 0)]
    faces = [(a, b, d, c) for a, b, c, d in ((0, 1, 2, 3), (0, 4, 1, 5), (2, 3, 6, 7), (0, 2, 4, 6), (1, 5, 3, 7), (4, 6, 5, 7))]
    lines = ["v {} {} {}".format(*p) for p in v]
    lines += ["f " + " ".join(str(i + k + 1) for i in (f[::-1] if turned else f)) for k in (0, 4) for f in faces]
    script = rigid(shapes=f"1 {BOX} density 1000", walls="fix floor all wall/polyhedron obj floor.obj",
                   bodies=f"create_polyhedra 1 at -0.2 0.01 0.025 rotate {angle} 0 0 1\nvelocity all set 1 0 0")
    result = lammps(script, files={"floor.obj": "\n".join(lines) + "\n"}, warn="0 triangles without area and 2 that are there twice")
    assert column(result, "vx") == pytest.approx(np.ones(11), abs=1e-8)


@pytest.mark.parametrize("speed", [1, 5, 20])
def test_a_step_stops(lammps, speed):
    """A block that is higher by more than the contacts reach holds what runs against it: its foot comes no further."""
    result = lammps(row(speed, last=0.01, time=0.6 / speed + 0.02, frames=20))
    x, z, vx = (column(result, c) for c in ("x", "z", "vx"))
    low = z < 0.03
    show(furthest=x[low].max(), end=vx[-1])
    assert x[low].max() < 0.25 + 1e-3 and vx[-1] < 0.6 * speed


# ---- both sides ----

PLANE = "fix floor all wall/polyhedron plane 0 0 0 0 0 {}"
MESH = "fix floor all wall/polyhedron obj floor.obj"


def written(vertices, faces, turned=False):
    """OBJ of faces, turned round or not."""
    lines = ["v {:.12g} {:.12g} {:.12g}".format(*v) for v in vertices]
    lines += ["f " + " ".join(str(k + 1) for k in (f[::-1] if turned else f)) for f in faces]
    return "\n".join(lines) + "\n"


def floor(turned=False, hole=False):
    """A square of 14 x 14 squares of 0.2, with a hole of 0.4 in the middle or not."""
    x = np.linspace(-1.4, 1.4, 15)
    faces = []
    for i in range(14):
        for j in range(14):
            a, b = 15 * i + j, 15 * i + j + 15
            if not hole or not {i, j} <= {6, 7}:
                faces += [(a, b, b + 1), (a, b + 1, a + 1)]
    return written([(u, v, 0) for u in x for v in x], faces, turned)


def on_a_side(side, at, speed, walls=MESH, turn="20 {0} {0} 1", shape=f"1 {BOX} density 1000", cd="friction 0.3", **parts):
    """A body at a place over the floor (side 1), or mirrored below it (-1), where gravity points up."""
    turned = turn.format(side)
    bodies = f"create_polyhedra 1 at {at[0]} {at[1]} {side * at[2]} rotate {turned}\nvelocity all set {speed[0]} {speed[1]} {side * speed[2]}"
    return rigid(cd, gravity=9.81 * side, bodies=bodies, walls=walls, shapes=shape, **parts)


def course(result, side=1):
    return np.array([column(result, c) for c in ("x", "y", "vx", "vy")] + [side * column(result, c) for c in ("z", "vz")])


@pytest.mark.parametrize("shape", [f"1 {BOX} density 1000", ROCK.format(60), BALL])
@pytest.mark.parametrize("speed", [2, 30])
@pytest.mark.parametrize("turned", [False, True])
def test_a_floor_stops_from_both_sides(lammps, shape, speed, turned):
    """Whichever way its triangles look, as a plane that looks there does."""
    files = {"ball.obj": ball(), "floor.obj": floor(turned)}
    for side in (1, -1):
        parts = dict(side=side, at=(0.03, 0.02, 0.2), speed=(0.3, 0.1, -speed), shape=shape, time=0.2)
        plane, mesh = (course(lammps(on_a_side(walls=w, **parts), files=files), side) for w in (PLANE.format(side), MESH))
        show(side=side, off=np.abs(mesh - plane).max())
        assert mesh[4].min() > 0.02
        assert mesh == pytest.approx(plane, abs=2e-4)


@pytest.mark.parametrize("x, falls", [(-0.23, False), (-0.19, True), (-0.17, True), (0.0, True)])
def test_a_hole_from_both_sides(lammps, x, falls):
    """A box at the rim of a hole tips over it or stays, on both sides of a floor of either orientation."""
    runs = []
    for turned in (False, True):
        for side in (1, -1):
            script = on_a_side(side, (x, 0.03, 0.026), (0.0, 0.0, 0.0), turn="0 0 0 1")
            runs.append(course(lammps(script, files={"floor.obj": floor(turned, hole=True)}), side))
    show(z=runs[0][4][-1], off=max(np.abs(r - runs[0]).max() for r in runs))
    assert falls == (runs[0][4][-1] < -0.1)
    for run in runs:
        assert run == pytest.approx(runs[0], abs=1e-9)


CLAMP = [(-0.06, -0.045), (0.06, -0.045), (0.06, 0.045), (-0.06, 0.045), (-0.06, 0.015), (0.03, 0.015), (0.03, -0.015), (-0.06, -0.015)]


def clamp():
    """An upright U on its side, open to -x, 0.1 long."""
    n = len(CLAMP)
    sides = [(k, (k + 1) % n, (k + 1) % n + n, k + n) for k in range(n)]
    cap = [(0, 1, 6, 7), (1, 2, 5, 6), (2, 3, 4, 5)]
    ends = cap + [tuple(k + n for k in f[::-1]) for f in cap]
    return written([(x, y, z) for y in (-0.05, 0.05) for x, z in CLAMP], [f[::-1] for f in sides] + ends)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("out", [-0.025, 0.01])
def test_a_clamp_at_the_rim(lammps, turned, out):
    """It hangs on a floor that it has between its jaws, with one of them or, tilted, with both."""
    script = on_a_side(1, (1.4 + out, 0.0, 0.0), (0.0, 0.0, 0.0), turn="0 0 0 1", shape="1 obj clamp.obj density 1000", time=1.0,
                       box="block -2 2 -1 1 -1.5 1", cd="friction 1")
    result = lammps(script, files={"floor.obj": floor(turned), "clamp.obj": clamp()})
    show(z=column(result, "z"), x=column(result, "x"), deep=result.thermo()["f_cd[5]"].max())
    assert abs(column(result, "z")).max() < 0.03
    assert abs(column(result, "vz")[-1]) < 1e-6
    assert result.thermo()["f_cd[5]"].max() < 1e-5


def drum(turned):
    """A drum about y of radius 0.5, of 48 facets."""
    a = 2 * np.pi * np.arange(48) / 48
    ring = [(0.5 * np.cos(t), y, 0.5 * np.sin(t)) for y in (-0.5, 0.5) for t in a]
    return written(ring, [(k, (k + 1) % 48, (k + 1) % 48 + 48, k + 48) for k in range(48)], turned)


def test_a_drum_of_either_orientation(lammps):
    """A stone within goes its way, and one that falls on it from outside."""
    for place in ("0.3 0.01 -0.32", "0.05 0.01 0.57"):
        x = []
        for turned in (False, True):
            script = rigid("friction 0.2", time=0.8, shapes=ROCK.format(60), walls=MESH, bodies=f"create_polyhedra 1 at {place}")
            x.append(course(lammps(script, files={"floor.obj": drum(turned)})))
        show(place=place, off=np.abs(x[1] - x[0]).max(), far=np.hypot(x[0][0], x[0][4]))
        assert x[1] == pytest.approx(x[0], abs=1e-6)
        assert (np.hypot(x[0][0], x[0][4]) < 0.5).all() == (place[:3] == "0.3")


# ---- edges along valleys, of which they cross nothing but the ends ----


def prism(section, y):
    """A closed prism along y over a convex section in (x, z), counterclockwise as seen from -y."""
    n = len(section)
    sides = [(k, k + n, (k + 1) % n + n, (k + 1) % n) for k in range(n)]
    ends = [tuple(range(n)), tuple(range(2 * n - 1, n - 1, -1))]
    return written([(x, v, z) for v in (-y, y) for x, z in section], sides + ends)


def notch(half):
    """Two plates, 0.1 m long, that meet at the origin at twice this angle; open surfaces."""
    s, c = 0.3 * np.sin(half), 0.3 * np.cos(half)
    return written([(x, y, z) for x, z in ((0, 0), (s, c), (-s, c)) for y in (-0.05, 0.05)], [(0, 2, 3, 1), (0, 1, 5, 4)])


BAR = [(0.0, 0.0), (0.06 * np.tan(np.pi / 6), 0.06), (-0.06 * np.tan(np.pi / 6), 0.06)]


@pytest.mark.parametrize("angle", [70, 90, 120])
@pytest.mark.parametrize("dt", [2e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("mu,start", [(0.0, 1.5e-5), (0.3, 1.5e-5), (0.0, 0.0), (0.3, 0.02)])
def test_a_bar_in_a_notch(lammps, angle, dt, mu, start):
    """Its edge is longer than the valley in which it comes to lie."""
    weight = 1000 * 0.06**2 * np.tan(np.pi / 6) * 0.4 * G
    result = lammps(rigid(f"friction {mu}", dt=dt, time=0.4, shapes="1 obj bar.obj density 1000", walls=MESH, gravity=G,
                          bodies=f"create_polyhedra 1 at 0 0 {0.04 + start:.17g}", thermo="f_cd[5] f_cd[8] f_floor[3]"),
                    files={"bar.obj": prism(BAR, 0.2), "floor.obj": notch(np.radians(angle / 2))},
                    may_warn="not converged" if mu else "")  # friction of both plates at once
    z, force = column(result, "z"), result.thermo()["f_floor[3]"]
    show(z=z[-1], force=force[-1] / weight)
    assert z[-1] == pytest.approx(0.04, abs=1e-7)
    assert force[-1] == pytest.approx(-weight, rel=1e-6)


def frame():
    """A square frame about y, 0.4 m outside and 0.3 m inside, 0.1 m thick."""
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    vertices = [(s * x, y, s * z) for y in (-0.05, 0.05) for s in (0.2, 0.15) for x, z in square]
    faces = []
    for k in range(4):
        a, b = k, (k + 1) % 4
        faces += [(a, b, b + 4, a + 4), (a + 8, a + 12, b + 12, b + 8), (b, a, a + 8, b + 8), (a + 4, b + 4, b + 12, a + 12)]
    return written(vertices, faces)


KNIFE = [(0.0, 0.0), (-0.02, -0.1), (0.02, -0.1)]


@pytest.mark.parametrize("body", [False, True])
@pytest.mark.parametrize("tilt,mu,dt", [(0, 0.0, 1e-3), (0, 1.0, 1e-3), (0, 0.0, 1e-2), (5, 0.0, 1e-3), (20, 0.0, 1e-3), (20, 0.0, 2e-4)])
def test_a_frame_on_a_knife(lammps, body, tilt, mu, dt):
    """It hangs by an inner corner, and swings about it with the angle of a pendulum."""
    d = 0.15 * np.sqrt(2)
    inertia = (0.4**4 - 0.3**4) / 6 / (0.4**2 - 0.3**2) + d**2  # over the mass, about the corner
    angle = np.radians(tilt)
    shapes = "1 obj frame.obj density 1000" + (" 2 obj knife.obj density 1000" if body else "")
    walls = "" if body else "fix knife all wall/polyhedron obj knife.obj"
    bodies = f"create_polyhedra 1 at {d * np.sin(angle):.17g} 0 {-d * np.cos(angle) + 1e-7:.17g} rotate {45 - tilt} 0 1 0"
    if body:
        bodies += "\ncreate_polyhedra 2 place\ngroup fixed type 2"
    result = lammps(rigid(f"friction {mu}" + (" fixed fixed" if body else ""), dt=dt, time=0.3, shapes=shapes, walls=walls, types=1 + body,
                          bodies=bodies, gravity=G), files={"frame.obj": frame(), "knife.obj": prism(KNIFE, 0.2)})
    swing = [0.0, angle]  # rate, angle: by the midpoint rule in small steps
    for _ in range(30000):
        half = swing[1] + 5e-6 * swing[0]
        swing[0] -= 1e-5 * G * d / inertia * np.sin(half)
        swing[1] = half + 5e-6 * swing[0]
    x, z = column(result, "x")[-1], column(result, "z")[-1]
    show(x=x, right=d * np.sin(swing[1]), z=z)
    assert x == pytest.approx(d * np.sin(swing[1]), abs=2e-4 + 10 * dt * angle * d)
    assert z == pytest.approx(-d * np.cos(swing[1]), abs=1e-4 + 10 * dt * angle * d)


# ---- features that meet in each other's ends ----


def trestle(length):
    """A bed with two ridges across, 0.16 m apart and as wide as it is long along y."""
    ridges = [(0.2, -0.05), (0.1, -0.05), (0.08, 0.0), (0.06, -0.05), (-0.06, -0.05), (-0.08, 0.0), (-0.1, -0.05), (-0.2, -0.05)]
    section = [(-0.2, -0.1), (0.2, -0.1), *ridges]
    n = len(section)
    sides = [(k, k + n, (k + 1) % n + n, (k + 1) % n) for k in range(n)]
    cap = [(9, 0, 1), (1, 2, 3), (3, 4, 5), (1, 3, 5), (1, 5, 6), (6, 7, 8), (1, 6, 8), (1, 8, 9)]
    ends = cap + [tuple(k + n for k in f[::-1]) for f in cap]
    return written([(x, y, z) for y in (-length / 2, length / 2) for x, z in section], sides + ends)


@pytest.mark.parametrize("dt", [2e-4, 1e-3])
@pytest.mark.parametrize("length", [0.06, 0.3])
@pytest.mark.parametrize("body", [False, True])
@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_a_box_on_ridges(lammps, body, length, dt, mu):
    """As wide as the ridges are long, or less: a ridge's end is flush with its side."""
    shapes = "1 box 0.24 0.06 0.05 density 1000" + (" 2 obj floor.obj density 1000" if body else "")
    bodies = "create_polyhedra 1 at 0.01 0 0.04 rotate 5 0 1 0" + ("\ncreate_polyhedra 2 place\ngroup fixed type 2" if body else "")
    result = lammps(rigid(f"friction {mu}" + (" fixed fixed" if body else ""), dt=dt, time=0.4, shapes=shapes, types=1 + body, bodies=bodies,
                          walls="" if body else MESH), files={"floor.obj": trestle(length)}, may_warn="not converged" if mu else "")
    show(z=column(result, "z")[-1], vz=column(result, "vz")[-1])
    assert column(result, "z")[-1] == pytest.approx(0.025, abs=1e-5)


def roof(parts):
    """A ridge along y of as many parts, 0.4 long, 0.06 high."""
    y = np.linspace(-0.2, 0.2, parts + 1)
    faces = [(0, 1, 2), (3 * parts, 3 * parts + 2, 3 * parts + 1)]
    for k in range(parts):
        faces += [(3 * k + a, 3 * k + 3 + a, 3 * k + 3 + b, 3 * k + b) for a, b in ((0, 1), (1, 2), (2, 0))]
    return written([(x, v, z) for v in y for x, z in ((0, 0), (-0.035, -0.06), (0.035, -0.06))], faces)


@pytest.mark.parametrize("turn", [0, 30, 45])
@pytest.mark.parametrize("parts", [1, 2, 3])
def test_a_bar_across_a_roof(lammps, parts, turn):
    """Its edge crosses the ridge in the middle, at a vertex where that is divided in two."""
    result = lammps(rigid(dt=1e-3, time=0.1, shapes="1 obj bar.obj density 1000", walls=MESH, bodies=f"create_polyhedra 1 at 0 0 0.04001 rotate {90 - turn} 0 0 1"),
                    files={"bar.obj": prism(BAR, 0.2), "floor.obj": roof(parts)})
    show(z=column(result, "z")[-1])
    assert column(result, "z")[-1] == pytest.approx(0.04, abs=1e-6)


def top(sides=6):
    """A cone of six sides that stands on its tip, with a lid of another."""
    ring = [(0.03 * np.cos(t), 0.03 * np.sin(t), 0.04) for t in 2 * np.pi * np.arange(sides) / sides + 0.3142]
    faces = [f for k in range(sides) for f in ((0, 2 + (k + 1) % sides, 2 + k), (1, 2 + k, 2 + (k + 1) % sides))]
    return written([(0, 0, 0), (0, 0, 0.05), *ring], faces)


@pytest.mark.parametrize("spin", ["0 0 0", "1e-5 5e-6 5e-5", "2e-5 0 1e-4"])
@pytest.mark.parametrize("dt", [2e-4, 1e-3])
def test_a_top_in_a_groove(lammps, spin, dt):
    """Its tip stays in the valley while it leans over."""
    parts = dict(dt=dt, time=0.1, shapes="1 obj top.obj density 1000", walls=MESH, bodies="create_polyhedra 1 at 0 0 0.03251", extra=f"set group all angmom {spin}")
    result = lammps(rigid(**parts), files={"top.obj": top(), "floor.obj": notch(np.pi / 4)}, may_warn="not converged")
    show(z=column(result, "z"))
    assert column(result, "z").min() > 0.02
    assert result.thermo()["f_cd[5]"].max() < 1e-3


def test_a_corner_on_the_border_of_a_sheet(lammps):
    """A prism of rhombs comes down on the border of an upright sheet, with one of its corners."""
    y = (-0.06, -0.03, 0.0, 0.03, 0.06)
    section = ((0, -0.04), (0.04, 0), (0, 0.04), (-0.04, 0))
    faces = [(0, 1, 2, 3), (19, 18, 17, 16)]
    faces += [(4 * k + a, 4 * k + 4 + a, 4 * k + 4 + (a + 1) % 4, 4 * k + (a + 1) % 4) for k in range(4) for a in range(4)]
    sheet = written([(-0.3, 0.0, 0.0), (0.3, 0.0, 0.0), (0.3, 0.0, -0.3), (-0.3, 0.0, -0.3)], [(0, 1, 2, 3)])
    result = lammps(rigid(dt=2e-4, time=0.3, shapes="1 obj rhomb.obj density 1000", walls=MESH, bodies="create_polyhedra 1 at 0 -0.004 0.16 rotate 60 1 0 0\nvelocity all set 0 0 -1"),
                    files={"rhomb.obj": written([(x, v, z) for v in y for x, z in section], faces), "floor.obj": sheet}, may_warn="not converged")
    show(z=column(result, "z"), y=column(result, "y"))
    assert result.thermo()["f_cd[5]"].max() < 1e-3


@pytest.mark.parametrize("body", [False, True])
@pytest.mark.parametrize("height", [0.0005, 0.0015, 0.0025])
@pytest.mark.parametrize("speed,dt", [(0.5, 1e-3), (5.0, 1e-3), (5.0, 2e-4)])
def test_a_cube_beside_a_thin_rib(lammps, speed, dt, height, body):
    """It slides along a rib of 3 mm on the lower of the two floors beside it, by more than the rib in a step or less."""
    section = [(-0.1, -0.02), (0.1, -0.02), (0.1, -height), (0.0, -height), (0.0, 0.02), (-0.003, 0.02), (-0.003, 0.0), (-0.1, 0.0)]
    n = len(section)
    sides = [(k, k + n, (k + 1) % n + n, (k + 1) % n) for k in range(n)]
    bed = written([(x, y, z) for y in (-0.9, 0.9) for x, z in section], sides + [tuple(range(n)), tuple(range(2 * n - 1, n - 1, -1))])
    z = 0.01 - height
    bodies = f"create_polyhedra 1 at 0.0105 -0.5 {z + 1e-6:.17g}\nvelocity all set 0 {speed} 0" + ("\ncreate_polyhedra 2 place\ngroup fixed type 2" if body else "")
    result = lammps(rigid("fixed fixed" if body else "", dt=dt, time=0.1, types=1 + body, bodies=bodies, walls="" if body else MESH, pair="pair_style zero 2.0",
                          shapes="1 box 0.02 0.02 0.02 density 1000" + (" 2 obj floor.obj density 1000" if body else "")), files={"floor.obj": bed})
    show(z=column(result, "z") - z, y=column(result, "y")[-1])
    assert column(result, "z") == pytest.approx(z, abs=2e-6)
    assert column(result, "x") == pytest.approx(0.0105, abs=1e-6)
    assert column(result, "y")[-1] == pytest.approx(-0.5 + 0.1 * speed, rel=1e-6)
