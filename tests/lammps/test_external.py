"""Forces of other fixes: of second order in the time step, exact where they are constant."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import GRAIN, SHAPES, pile, scene

STIFF = 100.0  # N/m, on 1 kg: omega = 10/s
SPRING = f"fix s all spring tether {STIFF} 0 0 0.5 0"


def alone(extra, thermo, motion, dt, time, every, **parts):
    values = dict(bodies="create_polyhedra 1 at 0.1 0 0.5", walls="", gravity=0)
    return scene(
        **(values | parts),
        dt=dt,
        motion=f"fix motion all implicit/polyhedron {motion}\n"
        "variable x equal x[1]\nvariable v equal vx[1]\nvariable z equal z[1]",
        extra=extra,
        thermo=thermo,
        every=every,
        run=f"run {round(time / dt)}",
    )


@pytest.mark.parametrize("motion, parts", [
    (f"scheme {scheme}", parts) for scheme in ("em", "newmark", "euler")
    for parts in ("", " substeps 4", " maxstep 7e-4", "lists") if (scheme, parts) != ("euler", "lists")])
def test_spring(lammps, motion, parts):
    """omega dt = 0.01 for 10 s, however steps are divided; Euler's scheme is of first order, but does not drift either
    where that is not by lists, which are made while the body is fast."""
    thermo = "v_x v_v f_motion[8] f_motion[10] f_motion[12]"
    given = {"skin": 4e-4, "types": 2, "shapes": f"1 box 0.1 0.1 0.1 density 1000 2 {GRAIN}"} if parts == "lists" else {}
    script = alone(SPRING, thermo, motion + parts.replace("lists", ""), 1e-3, 10, 50, **given)
    table = lammps(script, may_warn="neighbor skin" if given else "").thermo()
    energy = 0.5 * (table["v_v"] ** 2 + STIFF * table["v_x"] ** 2) / (0.5 * STIFF * 0.01) - 1
    time = table["Time"]
    show(largest=np.abs(energy).max(), trend=np.polyfit(time, energy, 1)[0] * 10)
    assert np.abs(energy).max() < (6e-3 if "euler" in motion else 1e-4)
    assert abs(np.polyfit(time, energy, 1)[0] * 10) < (1e-3 if "euler" in motion else 1e-5)
    # the account knows of the corrections
    balance = table["f_motion[8]"] - table["f_motion[10]"] - table["f_motion[12]"]
    assert np.abs(balance - balance[0]).max() < 1e-12


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_spring_on_a_hinged_body(lammps, scheme):
    """A cube that turns about an axle 0.2 m from its centre; a spring draws it to its place."""
    script = alone(
        f"fix s all spring tether {STIFF} 0.2 0 0.5 0",
        "f_motion[8] f_motion[10] f_motion[12] v_x v_z",
        f"scheme {scheme}\nfix axle all lock/polyhedron hinge 0 0 0.5 0 1 0",
        1e-3,
        5,
        50,
        bodies=f"create_polyhedra 1 at {0.2 * np.cos(0.5):.17g} 0 {0.5 - 0.2 * np.sin(0.5):.17g} rotate {np.degrees(0.5):.17g} 0 1 0",
    )
    table = lammps(script).thermo()
    stretch2 = (table["v_x"] - 0.2) ** 2 + (table["v_z"] - 0.5) ** 2
    energy = (table["f_motion[8]"] + 0.5 * STIFF * stretch2) / (0.5 * STIFF * stretch2[0]) - 1
    balance = table["f_motion[8]"] - table["f_motion[10]"] - table["f_motion[12]"]
    show(largest=np.abs(energy).max(), balance=np.ptp(balance))
    assert np.abs(energy).max() < 1e-4
    assert np.ptp(balance) < 1e-11


@pytest.mark.parametrize("motion", ["scheme em", "scheme newmark"])
def test_order(lammps, motion):
    """A force in time and a drag: error of the place at the end by halved steps."""
    drive = """variable f equal 3*cos(7*time)
fix f all addforce v_f 0 0
fix drag all viscous 2.0"""

    def place(dt):
        return lammps(alone(drive, "v_x", motion, dt, 1, round(1 / dt))).thermo()["v_x"][-1]

    # m x'' = 3 cos 7t - 2 x', from rest at 0.1: particular part a cos 7t + b sin 7t
    a, b = np.linalg.solve([[-49, 14], [-14, -49]], [3, 0])
    c = -7 * b / -2  # x = 0.1 - a - c + a cos 7t + b sin 7t + c exp(-2 t)
    exact = 0.1 - a - c + a * np.cos(7) + b * np.sin(7) + c * np.exp(-2)
    errors = [place(dt) - exact for dt in (0.01, 0.005, 0.0025)]
    orders = np.log2(np.abs(np.divide(errors[:-1], errors[1:])))
    show(errors=errors, orders=orders)
    assert np.all(orders > 1.8) and abs(errors[-1]) < 1e-4


def test_bounces_on_a_spring(lammps):
    """A cube that a spring pulls to the floor bounces there without loss of energy."""
    pull = f"fix s all spring tether {STIFF} 0 0 0 0"
    script = alone(
        pull,
        "v_z f_motion[8] f_motion[9]",
        "scheme em",
        1e-3,
        3,
        5,
        bodies="create_polyhedra 1 at 0 0 0.15",
        walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1",
        law="normal 1e8 1.5 gap 0.002",
    )
    table = lammps(script).thermo()
    energy = table["f_motion[8]"] + table["f_motion[9]"] + 0.5 * STIFF * table["v_z"] ** 2
    energy -= 0.5 * STIFF * 0.05**2
    bounces = np.sum(np.diff(np.sign(np.diff(table["v_z"]))) > 0)
    show(bounces=bounces, largest=np.abs(energy / energy[0] - 1).max(), last=energy[-1] / energy[0])
    assert bounces > 5
    assert np.abs(energy / energy[0] - 1).max() < 0.01


MU, SLOPE, PERIOD = 0.3, 0.1, 0.5  # friction, rad, s


def slip(amplitude, time=2.0, h=2e-5):
    """Of a rigid block of 1 kg on a slope, which a force shakes along it (Newmark's sliding block)."""
    most, x, v = MU * 9.81 * np.cos(SLOPE), 0.0, 0.0
    for t in h * (np.arange(round(time / h)) + 0.5):
        force = 9.81 * np.sin(SLOPE) + amplitude * np.sin(2 * np.pi * t / PERIOD)
        v = max(v + h * (force - most), 0.0)  # it never slips upwards
        x += h * v
    return x


def sliding_block(lammps, scheme, amplitude):
    """The same by a cube, at a twentieth of the period: slip and iterations."""
    script = scene(
        bodies=f"create_polyhedra 1 at 0 0 0.0519\nvariable f equal {amplitude}*sin(2*PI*time/{PERIOD})",
        gravity=0,
        law=f"auto {'restitution 0' if scheme == 'em' else 'damping 0.7'} friction {MU} {MU} height 0.1 gravity 9.81",
        motion=f"scheme {scheme}",
        extra=f"fix down all gravity {9.81 * np.cos(SLOPE):.15g} vector 0 0 -1\n"
        f"fix along all gravity {9.81 * np.sin(SLOPE):.15g} vector 1 0 0\nfix shake all addforce v_f 0 0",
        dt=PERIOD / 20,
        thermo="f_motion[2] f_motion[12]",
        every=80,
        run="run 80",
    )
    result = lammps(script, may_warn="closer than contact begins")
    table = result.thermo()
    show(iterations=table["f_motion[2]"][-1], error=table["f_motion[12]"][-1])
    return result.frames()[-1].columns["x"][0]


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_shaken_block_slips(lammps, scheme):
    """A force that changes does not carry a block over Coulomb's limit that it does not reach."""
    found, exact = sliding_block(lammps, scheme, 2.5), slip(2.5)
    show(found=found, exact=exact)
    assert found == pytest.approx(exact, rel=0.08)


def test_shaken_block_stays(lammps):
    """97 % of what friction holds: it creeps by what the friction's springs do."""
    found = sliding_block(lammps, "em", 1.9)
    show(found=found)
    assert slip(1.9) == 0.0 and abs(found) < 1e-5


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_pulse_on_a_floor(lammps, scheme):
    """A cube that rests on a smooth floor gets all of the momentum of ten steps of a force."""
    script = alone(
        "fix p all addforce v_f 0 0",
        "v_v",
        f"scheme {scheme}\nvariable f equal 20*(step>9)*(step<20)",
        5e-3,
        0.15,
        30,
        bodies="create_polyhedra 1 at 0 0 0.05005",
        walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1",
        law="auto damping 0.7 height 0.1 gravity 9.81",
        gravity=9.81,
    )
    speed = lammps(script, may_warn="closer than contact begins").thermo()["v_v"][-1]
    show(speed=speed)
    assert speed == pytest.approx(20 * 10 * 5e-3, rel=1e-3)


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_spring_on_a_floor(lammps, scheme):
    """A cube in orbit on a smooth floor, omega dt = 0.1: what contacts do not hold is corrected as in the air."""
    script = alone(
        f"fix s all spring tether {STIFF} 0 0 NULL 0.1",
        "v_x v_y f_motion[8]",
        f"scheme {scheme}\nvariable y equal y[1]",
        1e-2,
        5,
        1,
        bodies="create_polyhedra 1 at 0.2 0 0.05005\nvelocity all set 0 1 0",
        walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1",
        law="auto damping 0.7 height 0.1 gravity 9.81",
        gravity=9.81,
    )
    table = lammps(script, may_warn="closer than contact begins").thermo()
    energy = table["f_motion[8]"] + 0.5 * STIFF * (np.hypot(table["v_x"], table["v_y"]) - 0.1) ** 2
    show(largest=np.abs(energy / energy[0] - 1).max())
    assert np.abs(energy / energy[0] - 1).max() < 0.01


def driven(run, ranks=1, extra=""):
    script = pile(
        2, 2, 2, 0.25, 1.2,
        motion="scheme em path 0",
        every=20,
        processors={1: "", 2: "1 1 2"}[ranks],
        extra=f"variable f equal 40*cos(20*0.005*step)\nfix f all addforce v_f 0 0\nfix drag all viscous 5\n{extra}",
        run=run,
    )
    return script


def last(result, name="dump"):
    frame = result.frames(name)[-1]
    return np.column_stack([frame.columns[c] for c in "x y z vx vy vz angmomx angmomz".split()])


def test_processes_and_restart(lammps):
    """Ghosts know of the corrections; a run that goes on from a restart file has the same digits."""
    whole = last(lammps(driven("run 80", extra="restart 40 state.*"), where="here"))
    parted = last(lammps(driven("run 80", ranks=2), ranks=2))
    show(processes=np.abs(parted - whole).max())
    assert np.abs(parted - whole).max() < 1e-8
    script = driven("run 40", extra="reset_timestep 40 time 0.2")
    lines = script.splitlines()
    keep = [
        line
        for line in lines
        if not line.startswith(("units", "atom", "boundary", "region", "create", "set ", "pair", "reset"))
    ]
    again = lammps("read_restart state.40\n" + "\n".join(keep), where="here")
    assert np.array_equal(last(again), whole)


def on_a_belt(motion: str, dt: float, time: float = 5.0, above: str = "") -> str:
    """A block on a belt that goes by 0.1 m/s, tied to a fixed point by a spring of the host."""
    law = "restitution 0" if motion.startswith("scheme em") else "damping 0.5"
    return scene(shapes="1 box 0.2 0.2 0.2 density 1000", bodies=f"create_polyhedra 1 at 0 0 0.101\n{above}\nvelocity all set 0.1 0 0", box="block -5 5 -5 5 -1 3",
                 law=f"auto {law} friction 0.5 0.4", walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1 move velocity 0.1 0 0\ngroup tied id 1",
                 motion=f"fix motion all implicit/polyhedron {motion}\nvariable s equal x[1]", dt=dt, extra="fix s tied spring tether 100 0 NULL NULL 0",
                 thermo="v_s f_motion[2]", every=1, run=f"run {round(time / dt)}")


@pytest.mark.parametrize("dt", [0.05, 0.01, 0.005])
@pytest.mark.parametrize("scheme", ["em", "newmark", "euler"])
def test_stick_and_slip_on_a_belt(lammps, scheme, dt):
    """Friction holds the block to the belt until the spring pulls by mu_s m g: what holds is seen from the belt, not from the box."""
    weight, omega = 8.0 * 9.81, (100 / 8.0) ** 0.5
    held, slides = 0.5 * weight / 100, 0.4 * weight / 100
    most = slides + np.hypot(held - slides, 0.1 / omega)
    table = lammps(on_a_belt(f"scheme {scheme}", dt), may_warn="closer than contact").thermo()
    show(found=table["v_s"].max(), exact=most, iterations=table["f_motion[2]"][-1])
    assert table["v_s"].max() == pytest.approx(most, rel=0.014)
    assert scheme != "em" or table["f_motion[2]"][-1] < 2000


def test_blocks_on_a_belt_on_two_processes(lammps):
    """What holds goes from contact to contact: blocks on the one that is tied, and on others, as on one process."""
    above = "\n".join(f"create_polyhedra 1 at {x} {y} {z}" for x, y, z in ((0, -0.21, 0.101), (0, -0.11, 0.303), (0.01, -0.1, 0.505)))
    script = on_a_belt("scheme em", 0.01, 3.0, above)
    shaken = "variable f atom 8*sin(20*time)*(z>0.2)\nfix shake all addforce v_f 0 0\n"
    script = script.replace("fix s tied", shaken + "fix s tied")
    one, two = (lammps(grid + script, ranks=n, may_warn="closer than contact").frames()[-1] for grid, n in (("", 1), ("processors 1 2 1\n", 2)))
    difference = max(np.abs(one.columns[c] - two.columns[c]).max() for c in ("x", "y", "z"))
    gone = one.columns["x"] - np.array([0, 0, 0, 0.01])
    show(difference=difference, spread=np.ptp(gone), way=gone.max())
    assert difference < 1e-9
    assert np.ptp(gone) < 1e-3 and 0.29 < gone.max() < 0.301


def turning_points(place: np.ndarray) -> np.ndarray:
    """Distance from 0 where a series turns round, by parabolas."""
    back, here, ahead = place[:-2], place[1:-1], place[2:]
    turns = (here - back) * (ahead - here) < 0
    slope, bend = 0.5 * (ahead - back)[turns], (back - 2 * here + ahead)[turns]
    return np.abs(here[turns] - slope**2 / (2 * bend))


@pytest.mark.parametrize("scheme", ["em", "newmark"])
@pytest.mark.parametrize("mass", [1, 100])
def test_jaws_in_free_space(lammps, mass, scheme):
    """What two bodies hold between them has no support: a shake of whole periods leaves none of its momentum, however slow the heavy body makes them."""
    period, force, dt = 0.1, 3.0, 0.005
    script = scene(types=2, shapes=f"1 box 0.1 0.1 0.1 density 1000 2 box 0.1 0.1 0.1 density {1000 * mass}", gravity=0, box="block -1 1 -1 1 -1 1", skin=0.1, dt=dt,
                   bodies="create_polyhedra 1 at -0.1015 0 0\ncreate_polyhedra 2 at 0 0 0\ncreate_polyhedra 1 at 0.1015 0 0\ngroup left id 1\ngroup right id 3\ngroup jaws id 1 3",
                   law=f"normal 1e7 1.5 gap 0.002 barrier 0.1 -2 {'restitution 0' if scheme == 'em' else 'damping 0.5'} friction 0.9 0.9 1e7 100", walls="variable p equal mass(all)*vcm(all,y)",
                   motion=f"scheme {scheme}\nfix a left addforce 20 0 0\nfix b right addforce -20 0 0", extra=f"run 60\nvariable f equal {force}*sin(2*PI*(step-60)*{dt / period})\nfix s jaws addforce 0 v_f 0",
                   thermo="v_p", every=1, run="run 101")
    momentum, most = lammps(script, may_warn="closer than contact begins").tables()[1]["v_p"], 2 * force * period / np.pi
    show(left=np.abs(momentum[1::20]).max() / most)
    assert np.abs(momentum[1::20]).max() < 1e-9 * most


@pytest.mark.parametrize("jaws, weight, scheme", [("walls", 10, "em"), *((jaws, 0, scheme) for jaws in ("walls", "bodies") for scheme in ("em", "newmark"))])
def test_jaws_that_are_guided(lammps, jaws, weight, scheme):
    """What holds a body may give way in one direction: along the others it is at rest, and friction holds it, at three quarters of what it could where there is weight beside what shakes it."""
    types, left, right, by = 1, "", "", "fix wl all wall/polyhedron plane -0.0515 0 0 1 0 0 slide 1 0 0 1 force 20\nfix wr all wall/polyhedron plane 0.0515 0 0 -1 0 0 slide -1 0 0 1 force 20"
    if jaws == "bodies":
        types, left, right, by = 2, "\ncreate_polyhedra 2 at -0.1015 0 0", "\ncreate_polyhedra 2 at 0.1015 0 0", ""
        guide = "\nfix guide jaws lock/polyhedron translation yz rotation xyz\nfix a left addforce 20 0 0\nfix b right addforce -20 0 0"
    script = scene(types=types, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.1 0.1 0.1 density 1000" if types == 2 else "1 box 0.1 0.1 0.1 density 1000", gravity=0, box="block -1 1 -1 1 -1 1", skin=0.1,
                   bodies=f"create_polyhedra 1 at 0 0 0{left}{right}\ngroup held id 1" + ("\ngroup left id 2\ngroup right id 3\ngroup jaws id 2 3" if types == 2 else ""), dt=5e-3,
                   law=f"normal 1e7 1.5 gap 0.002 barrier 0.1 -2 {'restitution 0' if scheme == 'em' else 'damping 0.5'} friction 0.5 0.5 1e7 100", walls=f"{by}\nvariable z equal z[1]",
                   motion=f"scheme {scheme}" + (guide if types == 2 else ""), extra=f"run 60\nvariable f equal 5*sin(2*PI*(step-60)/20)\nfix w held addforce 0 0 -{weight}\nfix s held addforce 0 0 v_f",
                   thermo="v_z f_motion[2]", every=1, run="run 400")
    table = lammps(script, may_warn="closer than contact begins").tables()[1]
    show(sinks=-table["v_z"][-1], iterations=table["f_motion[2]"][-1])
    assert abs(table["v_z"][-1]) < 2e-6 and table["f_motion[2]"][-1] < 3000


@pytest.mark.parametrize("start", [0.001, 0.1])
@pytest.mark.parametrize("dt, left", [(0.02, 0.88), (0.01, 0.94), (0.005, 0.97)])
def test_ball_that_rolls_on_a_spring(lammps, dt, left, start):
    """It is not at rest, however slow: friction holds its point of contact, not the ball. Five periods of 0.63 s."""
    script = scene(shapes="1 sphere 0.05 density 1909.859317", bodies=f"create_polyhedra 1 at {start} 0 0.0519", box="block -2 2 -2 2 -1 2",
                   law="auto velocity 0.5 restitution 0 friction 0.5 0.5", motion="fix motion all implicit/polyhedron scheme em\nvariable s equal x[1]", dt=dt,
                   extra="variable f atom -140*x\nfix s all addforce v_f 0 0", thermo="v_s", every=1, run=f"run {round(3.3 / dt)}")
    points = turning_points(lammps(script, may_warn="closer than contact").thermo()["v_s"])
    show(left=points[9] / points[0])
    assert points[9] > left * points[0]


@pytest.mark.parametrize("dt, most", [(0.02, 0.05), (0.01, 0.03), (0.005, 0.02), (0.002, 0.01)])
def test_block_on_a_spring_with_friction(lammps, dt, most):
    """Coulomb's oscillator loses 2 mu m g / k with each half period, of 0.31 s."""
    script = scene(shapes="1 box 0.1 0.1 0.1 density 1000", bodies="create_polyhedra 1 at 0.1 0 0.0515", box="block -2 2 -2 2 -1 2",
                   law="auto velocity 0.5 restitution 0 friction 0.1 0.1", motion="fix motion all implicit/polyhedron scheme em\nvariable s equal x[1]", dt=dt,
                   extra="variable f atom -100*x\nfix s all addforce v_f 0 0", thermo="v_s", every=1, run=f"run {round(1.3 / dt)}")
    lost = -np.diff(turning_points(lammps(script, may_warn="closer than contact").thermo()["v_s"])[:4]) / (2 * 0.1 * 9.81 / 100)
    show(lost=np.abs(lost - 1).max())
    assert np.abs(lost - 1).max() < most
