"""The energy guard of scheme newmark: what moves as prescribed is energy at risk for bodies at rest that it meets or leaves."""

from __future__ import annotations

import pytest

from conftest import show
from scenes import SHAPES, scene

LAW = "normal 1e8 1.5 gap 0.002 barrier 0.1 -2"
DAMPED = f"{LAW} damping 0.4"
CELL = "block -{0} {0} -0.15 0.15 -0.15 0.15"
TWO = "create_polyhedra 1 at -0.05075 0 0\ncreate_polyhedra 1 at 0.05075 0 0"
PLATENS = ("fix l all wall/polyhedron plane -0.0515 0 0 1 0 0 move velocity -0.03 0 0\n"
           "fix r all wall/polyhedron plane 0.0515 0 0 -1 0 0 move velocity 0.03 0 0")


def guarded(**parts) -> str:
    """A cube at rest in a cell."""
    return scene(**{"boundary": "p p p", "box": CELL.format(0.05075), "shapes": "1 box 0.1 0.1 0.1 density 2000", "law": LAW, "walls": "",
                    "bodies": "create_polyhedra 1 at 0.01 0 0", "gravity": 0, "skin": 0.02, "motion": "scheme newmark", "every": 10,
                    "thermo": "f_motion[8] f_motion[12]", "run": "run 100", **parts})


CARRIED = dict(box="block -0.5 0.5 -0.5 0.5 -0.5 0.5", bodies="create_polyhedra 1 at 0.3 0 0", extra="fix d all deform 1 x vel 2.0", run="run 250")
STAND = "fix side all wall/polyhedron plane 0.4 0 0 -1 0 0"
SCENES = {
    "carried to a wall": dict(CARRIED, law=DAMPED, walls=STAND),
    "carried to a wall that moves": dict(CARRIED, law=DAMPED, walls=f"{STAND} move velocity 0.1 0 0"),
    "carried off a wall": dict(CARRIED, bodies="create_polyhedra 1 at 0.3485 0 0", walls=STAND, extra="fix d all deform 1 x vel -0.1", run="run 50"),
    "platens that leave": dict(boundary="f f f", box=CELL.format(0.5), bodies="create_polyhedra 1 at 0 0 0", walls=PLATENS),
    "images that leave": dict(extra="fix d all deform 1 x vel 0.02"),
    "neighbours that leave": dict(box=CELL.format(0.1015), bodies=TWO, extra="fix d all deform 1 x vel 0.04"),
    "images that come and go": dict(box=CELL.format(0.0513), extra="fix d all deform 1 x wiggle -0.001 0.1", run="run 200"),
}


@pytest.mark.parametrize("name", SCENES)
def test_what_is_prescribed_is_at_risk(lammps, name):
    """Without accelerations of the body to tell of contacts that begin, or that open while others balance them."""
    t = lammps(guarded(**SCENES[name]), may_warn="closer than contact begins").thermo()
    show(error=abs(t["f_motion[12]"]).max(), kinetic=t["f_motion[8]"].max())
    assert t["Step"][-1] == int(SCENES[name].get("run", "run 100").split()[1])
    assert abs(t["f_motion[12]"]).max() < 1e-3


# ---- rounding ----

BALANCED = "fix lift all load/polyhedron force 0 0 9.81"
TOUCHING = "create_polyhedra 1 at 0 0 0.0521\ncreate_polyhedra 1 at 0.003 0.002 0.1541 rotate 10 0 0 1"
LEFT_OVER = "fix af all addforce 0 0 1.7763568394002505e-15"


@pytest.mark.parametrize("scheme", ["em", "newmark", "euler"])
def test_forces_that_balance(lammps, scheme):
    """A cube in the air whose weight a load carries has no energy at risk: all that it does is rounding."""
    t = lammps(scene(walls="", bodies="create_polyhedra 1 at 0 0 0.5", law=LAW, dt=5e-3, motion=f"scheme {scheme}", every=20, thermo="f_motion[8]",
                     extra=BALANCED, run="run 100")).thermo()
    show(kinetic=t["f_motion[8]"].max())
    assert t["Step"][-1] == 100 and t["f_motion[8]"].max() < 1e-29


@pytest.mark.parametrize("force", ["fix af all addforce 0 0 9.81", LEFT_OVER], ids=["balanced", "left over"])
def test_forces_that_cancel_at_a_contact(lammps, force):
    """Cubes exactly one activation distance apart, on which what is left of forces that cancel acts."""
    t = lammps(scene(walls="", bodies=TOUCHING, law="normal 6.55e8 1.5 gap 0.002 barrier 0.1 -2 restitution 0", dt=5e-3,
                     gravity=0 if force == LEFT_OVER else 9.81, motion="scheme em minstep 1e-5", every=10, thermo="f_motion[1]", extra=force,
                     run="run 30")).thermo()
    show(substeps=t["f_motion[1]"][-1])
    assert t["Step"][-1] == 30 and t["f_motion[1]"][-1] <= 40


# ---- velocities that all have in common ----

STONES = """create_polyhedra 1 at -0.055 0 0 rotate 90 1 2 3
create_polyhedra 1 at 0.055 0.02 0.0 rotate 153 3 -2 1
velocity all set 0 0 0
group a id 1
velocity a set 1 0 0 units box
set atom 1 angmom 0 0.0003 0.0005
set atom 2 angmom 0.0003 -0.0005 0"""
STACK = ("create_polyhedra 1 at -0.3 0 0.0515\ncreate_polyhedra 1 at -0.3 0.01 0.1530\n"
         "create_polyhedra 1 at -0.29 0 0.2900 rotate 20 1 1 0\nvelocity all set 0 0 0")
BOX = "block -9 9 -9 9 -9 9"
BOOST = "variable u equal {0}\nvelocity all set $u 0 0 sum yes units box"


def seen_from(u: float, bodies: str, scheme: str, **parts) -> str:
    """A scene and its bodies' velocities seen from a frame that moves with -u."""
    return scene(**{"box": BOX, "bodies": f"{bodies}\n{BOOST.format(u)}", "walls": "", "gravity": 0, "dt": 5e-3, "motion": f"scheme {scheme}",
                    "skin": 0.5, "every": 5, "thermo": "f_motion[1] f_motion[12] f_motion[19]", "run": "run 20", **parts})


def compare_frames(lammps, u: float, **parts) -> None:
    """Substeps and velocities are those of the frame in which the scene as a whole stands, to what rounding makes of them."""
    runs = [lammps(seen_from(v, **{k: x.replace("SPEED", repr(v)) if isinstance(x, str) else x for k, x in parts.items()}),
                   may_warn="closer than contact begins") for v in (0.0, u)]
    a, b = (r.thermo() for r in runs)
    apart = abs(runs[1].frames()[-1].vectors("vx", "vy", "vz") - runs[0].frames()[-1].vectors("vx", "vy", "vz") - [u, 0, 0]).max()
    show(substeps=a["f_motion[1]"][-1], there=b["f_motion[1]"][-1], apart=apart, error=a["f_motion[12]"][-1], rejected=a["f_motion[19]"][-1])
    assert a["f_motion[19]"][-1] > 0 and b["f_motion[1]"][-1] == pytest.approx(a["f_motion[1]"][-1], rel=0.01)
    assert apart < 1e-4


@pytest.mark.parametrize("scheme", ["newmark", "euler"])
@pytest.mark.parametrize("u", [3.0, 30.0])
def test_stones_that_meet_in_flight(lammps, scheme, u):
    """A velocity that both have in common is no energy at risk."""
    compare_frames(lammps, u, scheme=scheme, bodies=STONES, shapes=f"1 stl {SHAPES / 'rock1.stl'} density 2400",
                   law="normal 5e7 1.5 gap 0.001 barrier 0.1 -2 damping 0")


def test_what_a_wall_carries(lammps):
    """A cube falls on two that stand on a plane, and on two that go with it."""
    compare_frames(lammps, 30.0, scheme="newmark", bodies=STACK, walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1 move velocity SPEED 0 0",
                   law=LAW, gravity=9.81, run="run 30")


# ---- what changes between runs ----

TWO_CUBES = "create_polyhedra 1 at 0 0 0.55\ncreate_polyhedra 1 at 0 0 0.6519\ngroup low id 1\ngroup up id 2"
SUPPORTS = {
    "wall": ("unfix gate", "create_polyhedra 1 at 0 0 0.6519\ngroup up id 1", "fix gate all wall/polyhedron plane 0 0 0.6 0 0 1"),
    "displaced": ("displace_atoms low move 0.5 0 0", TWO_CUBES, "fix fr low freeze"),
    "excluded": ("neigh_modify exclude group low up", TWO_CUBES, "fix fr low freeze"),
    "deleted": ("delete_atoms group low compress no", TWO_CUBES, "fix fr low freeze"),
}


@pytest.mark.parametrize("name", SUPPORTS)
def test_support_that_is_taken_away(lammps, name):
    """Newmark's first substep has half of the force that is gone, and no shorter one less: the guard does not stop it."""
    command, bodies, support = SUPPORTS[name]
    t = lammps(scene(bodies=bodies, walls=f"{support}\nvariable v equal vcm(up,z)", law="normal 4e7 1.5 gap 0.002 damping 0.5", dt=5e-3, every=10,
                     thermo="v_v f_motion[19]", run=f"run 200\n{command}\nrun 10")).tables()[-1]
    show(velocity=t["v_v"][-1], rejected=t["f_motion[19]"][-1])
    assert t["v_v"][-1] == pytest.approx(-9.81 * 0.05, rel=0.06)


@pytest.mark.parametrize("beside", ["", "block", "wheel"])
@pytest.mark.parametrize("scheme, dt", [("newmark", 5e-3), ("em", 5e-3), ("em", 0.02)])
def test_what_spins_beside_leaves_no_room(lammps, scheme, dt, beside):
    """A block in flight with 45 kJ in its spin, or a wheel on a hinge with 50 MJ: the cube beside them, which nothing damps, keeps its energy of 2.45 J. It was between 0.9 and 76 J after 4 s of newmark."""
    wheel = "".join(f"v {x} {y} {z}\n" for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (2.7, 3.3)) + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
    energy = "compute er c erotate/asphere\ncompute ke c ke\nvariable e equal c_ke+c_er+mass[1]*9.81*(z[1]-.05)+f_motion[9]\n"
    bodies = "create_polyhedra 1 at 0 0 0.3 rotate 30 1 2 3\ngroup c type 1\n" + energy + ("create_polyhedra 2 at 0 0 3\nset type 2 angmom 0 0 3000\n" if beside == "block" else "")
    hinge = "fix wheel c wall/polyhedron obj wheel.obj hinge 0 0 3 0 0 1 1e4 speed 100\n" if beside == "wheel" else ""
    result = lammps(scene(box="block -1 1 -1 1 -0.1 4", types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 1 1 0.6 density 1000", bodies=bodies, law="auto velocity 2.5", gravity=0,
                          walls="fix floor c wall/polyhedron plane 0 0 0 0 0 1\n" + hinge, motion=f"scheme {scheme}", extra="fix g c gravity 9.81 vector 0 0 -1", thermo="v_e f_motion[23]", every=20, dt=dt, run=f"run {round(2 / dt)}"),
                    files={"wheel.obj": wheel}, may_warn="restitution|barrier")
    e, made_dead = result.thermo()["v_e"], result.thermo()["f_motion[23]"]
    show(largest_error=abs(e / e[0] - 1.0).max())
    assert abs((e + (made_dead if scheme == "em" else 0.0)) / e[0] - 1.0).max() < (3e-3 if scheme == "newmark" else 1e-6)
