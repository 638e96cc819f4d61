"""Forces in the output on supports that accelerate: what is printed is what bodies weigh there."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conftest import show
from scenes import scene

MASS, GRAVITY = 2.5, 9.81
LAW = "auto velocity .5 {loss} friction {mu} {mu}"
SMOOTH = "normal 1e7 1.5 gap 0.001 barrier .1 -1 {loss}"  # without springs of friction, of which auto has them with 0, too
COLUMNS = "compute c all polyhedron/contact/atom\ncompute z all reduce sum c_c[3] c_c[6] c_c[12]"


def ride(move: str, dt: float, scheme: str, loss: str, mu: float | None = 0.5, run: str = "") -> str:
    """A block on a floor that moves, and one on top of it."""
    return scene(shapes="1 box .1 .1 .1 density 2500", bodies="create_polyhedra 1 at 0 0 .0519\ncreate_polyhedra 1 at 0 0 .1539",
                 law=(SMOOTH if mu is None else LAW).format(loss=loss, mu=mu), walls=f"fix floor all wall/polyhedron plane 0 0 0 0 0 1 move {move}\n{COLUMNS}", dt=dt,
                 motion=f"fix motion all implicit/polyhedron scheme {scheme}\ncompute s all reduce sum f_motion[9]",
                 thermo="f_floor[3] f_floor[10] c_z[2] c_z[3] c_s", every=1, run=run)


@pytest.mark.parametrize("acceleration", [2.0, -1.0])
@pytest.mark.parametrize("scheme, dt, mu", [
    *(("em", dt, mu) for dt in (1e-2, 5e-3, 1e-3) for mu in (0.5, 0.0, None)), ("euler", 5e-3, 0.5), ("euler", 5e-3, 0.0), ("newmark", 5e-3, 0.5)])
def test_lift(lammps, scheme, dt, acceleration, mu):
    """In a lift that starts a body weighs m (g + a), at the end of a step and in its mean, by the wall and by the contacts."""
    motion = f"variable d equal 0.5*{acceleration}*time^2\nvariable v equal {acceleration}*time\n"
    script = ride("variable NULL NULL v_d NULL NULL v_v", dt, scheme, "damping .5", mu, f"run {round(0.5 / dt)}")
    table = lammps(motion + script, may_warn="closer than contact").thermo()
    weight = 2 * MASS * (GRAVITY + acceleration)
    show(weight=weight, state=table["f_floor[3]"][-1], mean=table["f_floor[10]"][-1], by_contacts=table["c_z[2]"][-1])
    assert table["f_floor[3]"][-1] == pytest.approx(-weight, rel=1e-6)
    assert table["f_floor[10]"][-1] == pytest.approx(-weight, rel=1e-6)
    assert table["c_z[2]"][-1] == pytest.approx(weight, rel=1e-6)
    assert table["c_s"][-1] == pytest.approx(table["c_z[3]"][-1], rel=1e-9)


@pytest.mark.parametrize("scheme, dt", [("em", 1e-2), ("em", 5e-3), ("em", 2e-3), ("euler", 5e-3)])
def test_tray_that_is_shaken(lammps, scheme, dt):
    """With 0.7 g, so that it never lifts off: the mean of the forces in the output is the weight, each what the acceleration makes it."""
    amplitude, omega = 0.0025, 2 * math.pi / 0.12
    motion = f"variable d equal {amplitude}*(1-cos({omega}*time))\nvariable v equal {amplitude * omega}*sin({omega}*time)\n"
    script = ride("variable NULL NULL v_d NULL NULL v_v", dt, scheme, "damping .5", run=f"run {round(1.2 / dt)}")
    table = lammps(motion + script, may_warn="closer than contact").thermo()
    second = table["Time"] > 0.6 - 0.5 * dt
    exact = -2 * MASS * (GRAVITY + amplitude * omega**2 * np.cos(omega * table["Time"]))
    error = np.abs(table["f_floor[3]"] - exact)[second].max() / (2 * MASS * GRAVITY)
    mean = table["f_floor[3]"][second][:-1].mean() / (-2 * MASS * GRAVITY)
    show(mean=mean, error=error)
    assert mean == pytest.approx(1.0, abs=0.01)
    assert error < omega * dt


@pytest.mark.parametrize("scheme, dt, loss", [
    ("em", 5e-3, "damping .5"), ("em", 1e-3, "damping .5"), ("em", 5e-3, "restitution 0.3"), ("em", 1e-3, "restitution 0.3"),
    ("euler", 1e-3, "damping .5"), ("newmark", 2e-4, "damping .5")])
def test_tray_on_which_blocks_hop(lammps, scheme, dt, loss):
    """The mean of the mean forces is the weight, and that of the mean stress that of blocks at rest, also where states tell ten times as much."""
    table = lammps(ride("wiggle 0 0 0.001 0.05", dt, scheme, loss, run=f"run {round(4 / dt)}"), may_warn="closer than contact|barrier").thermo()
    after = table["Time"] > 1 - 0.5 * dt
    weight = 2 * MASS * GRAVITY
    force, stress, states = (table[c][after][1:].mean() for c in ("f_floor[10]", "c_s", "c_z[3]"))
    show(force=-force / weight, stress=-stress / (0.1 * weight), of_states=-states / (0.1 * weight))
    assert -force == pytest.approx(weight, rel=0.02)
    assert -stress == pytest.approx(0.1 * weight, rel=0.05)  # 4 forces of one weight at 0.05 from the centres


BALLS = "create_polyhedra 2 at .6 .5 .15\ncreate_polyhedra 2 at .6 .7 .2"


def table(dt: float, peak: float, balls: str, motion: str = "scheme em", run: str = "") -> str:
    """A block on a table that starts and stops to accelerate, 0 to peak, and balls that bounce on a floor of their own."""
    rate = math.pi / 0.8
    told = (f"variable d equal 0.5*{peak}*(0.5*time^2+(cos({rate}*time)-1)/{rate**2})\nvariable v equal 0.5*{peak}*(time-sin({rate}*time)/{rate})\n"
            "variable slip equal v_d-x[1]\nvariable speed equal vx[1]\n")
    return told + scene(types=2, box="block -1 6 -1 1 -1 2", shapes="1 box .1 .1 .1 density 2500 2 sphere .05 density 2500",
                        bodies=f"create_polyhedra 1 at 0 0 .0519\n{balls}\ngroup block type 1\ngroup balls type 2", law="auto velocity 1 restitution .8 friction .5 .4",
                        walls="fix table block wall/polyhedron plane 0 0 0 0 0 1 move variable v_d NULL NULL v_v NULL NULL\nfix floor balls wall/polyhedron plane 0 0 0 0 0 1",
                        dt=dt, motion=f"fix motion all implicit/polyhedron {motion}\ncompute f block reduce sum f_motion[1]", thermo="v_slip v_speed c_f f_motion[1] f_motion[24]", every=1,
                        run=run or f"run {round(1.6 / dt)}")


@pytest.mark.parametrize("peak", [4.3, 4.6])
@pytest.mark.parametrize("dt", [1e-2, 5e-3, 2e-3])
def test_table_beside_balls_that_bounce(lammps, dt, peak):
    """Friction bears 4.905 m/s^2: the block stays, also where impacts elsewhere shorten its substeps."""
    result = lammps(table(dt, peak, BALLS), may_warn="closer than contact").thermo()
    show(slip=result["v_slip"][-1], substeps=result["f_motion[1]"][-1], rise=result["f_motion[24]"][-1])
    assert result["f_motion[1]"][-1] > 1.001 * 1.6 / dt
    assert abs(result["v_slip"][-1]) < 1e-4
    assert result["c_f"].sum() * dt == pytest.approx(2.5 * result["v_speed"][-1], rel=1e-9)
    assert result["f_motion[24]"][-1] < 1e-9


def test_stack_on_a_table_on_two_processes(lammps):
    """Blocks that rest on each other go from one process to the other, as on one."""
    stack = "\n".join(f"create_polyhedra 1 at {x} 0 {z}" for x, z in ((0, .1539), (.12, .0519), (.12, .1539), (.06, .2559)))
    one, two = (lammps(table(5e-3, 4.0, f"{BALLS}\n{stack}"), ranks=n, may_warn="closer than contact").frames()[-1] for n in (1, 2))
    x = [np.stack([f.columns[c] for c in ("x", "y", "z")]) for f in (one, two)]
    slip = x[0][0] - x[0][0][0] - np.array([0, 0, 0, 0, .12, .12, .06])
    show(difference=np.abs(x[0] - x[1]).max(), slip=np.abs(slip[[3, 4, 5, 6]]).max())
    assert np.abs(x[0] - x[1]).max() < 1e-7
    assert np.abs(slip[[3, 4, 5, 6]]).max() < 1e-4


def test_substeps_of_another_length(lammps):
    """The mean force on a block goes on as it was where fix_modify shortens its substeps to a quarter."""
    run = "run 160\nfix_modify motion maxstep 1.25e-3\nrun 160"
    result = lammps(table(5e-3, 3.0, "", run=run), may_warn="closer than contact").thermo()
    force = result["c_f"] / (2.5 * 3.0)
    show(largest=force.max(), substeps=result["f_motion[1]"][-1])
    assert force.max() < 1.001


def test_substeps_of_another_length_on_two_processes(lammps):
    """Blocks of one process rest on those of the other, with dashpots between them: the same as on one."""
    stack = "\n".join(f"create_polyhedra 1 at .2 {y} {z}" for y, z in ((-.055, .0519), (.055, .0519), (.01, .1539), (-.02, .2559)))
    run = "run 80\nfix_modify motion maxstep 1.25e-3\nrun 80"
    script = table(5e-3, 4.0, stack, run=run).replace("restitution .8", "damping .5")
    one, two = (lammps(grid + script, ranks=n, may_warn="closer than contact").frames()[-1] for grid, n in (("", 1), ("processors 1 2 1\n", 2)))
    difference = max(np.abs(one.columns[c] - two.columns[c]).max() for c in ("x", "y", "z"))
    show(difference=difference)
    assert difference < 1e-12


def test_restart_between_substeps_of_unlike_length(lammps):
    """The run goes on from the file with the same digits: how long the last substep was is of the state."""
    whole = lammps(table(1e-2, 4.3, BALLS, run="run 70\nwrite_restart half.restart\nrun 50"), where="run", may_warn="closer than contact").frames()[-1]
    script = table(1e-2, 4.3, BALLS, run="run 50")
    begin, end = script.index("fix shapes"), script.index("group block")
    first = script[begin:end].splitlines()[0]
    again = lammps(f"atom_modify map yes\n{script[:script.index('units')]}read_restart half.restart\n{first}\n{script[end:]}", where="run",
                   may_warn="closer than contact").frames()[-1]
    for column in ("x", "z", "vx", "c_q[1]"):
        assert np.array_equal(again.columns[column], whole.columns[column]), column


def test_sled_beside_balls_that_bounce(lammps):
    """A table that a force moves: the velocities are those of the impulses, and no momentum comes from substeps that change."""
    force, mass = 743.1075, 250 + 2.5
    script = scene(types=2, box="block -1 12 -1 1 -1 2", shapes="1 box .1 .1 .1 density 2500 2 sphere .05 density 2500",
                   bodies=f"create_polyhedra 1 at 0 0 .0519\n{BALLS}\ngroup block type 1\ngroup balls type 2", law="auto velocity 1 restitution .8 friction .5 .5",
                   walls=f"fix table block wall/polyhedron plane 0 0 0 0 0 1 slide 1 0 0 250 force {force}\nfix floor balls wall/polyhedron plane 0 0 0 0 0 1", dt=1e-2,
                   motion="fix motion all implicit/polyhedron scheme em\ncompute f block reduce sum f_motion[1]", thermo="c_f f_table[15] v_speed f_motion[1]", every=1, run="run 200")
    result = lammps(f"variable speed equal vx[1]\n{script}", may_warn="closer than contact").thermo()
    ratio = result["c_f"][10:] / (2.5 * force / mass)
    show(smallest=ratio.min(), largest=ratio.max(), substeps=result["f_motion[1]"][-1])
    assert result["f_motion[1]"][-1] > 201
    assert ratio == pytest.approx(1.0, abs=1e-3)
    assert 250 * result["f_table[15]"][-1] + 2.5 * result["v_speed"][-1] == pytest.approx(2 * force, rel=1e-9)


@pytest.mark.parametrize("dt", [1e-2, 5e-3])
def test_block_that_slides_to_rest(lammps, dt):
    """Friction takes its momentum, no more and no less, and never pushes it on."""
    script = scene(shapes="1 box .1 .1 .1 density 2500", bodies="create_polyhedra 1 at 0 0 .0501\nvelocity all set .1 0 0", law="auto velocity 1 restitution 0 friction .5 .5",
                   dt=dt, motion="fix motion all implicit/polyhedron scheme em\ncompute f all reduce sum f_motion[1]", thermo="c_f", every=1, run="run 25")
    force = lammps(script, may_warn="closer than contact").thermo()["c_f"]
    show(impulse=force.sum() * dt, largest=force.max())
    assert force.sum() * dt == pytest.approx(-0.25, rel=1e-6)
    assert force.max() < 1e-3


def shaken(peak: float, dt: float, scheme: str = "em") -> str:
    """A cube at rest on a table that is then shaken from below, peak times gravity, 0.1 s; the height is over where it takes off."""
    omega = 2 * math.pi / 0.1
    amplitude = peak * GRAVITY / omega**2
    phase = f"{omega:.17g}*(step-{round(0.1 / dt)})*dt"
    moves = (f"variable d equal {amplitude:.17g}*(1-cos({phase}))\nvariable v equal {amplitude * omega:.17g}*sin({phase})\n"
             "fix_modify floor move variable NULL NULL v_d NULL NULL v_v")
    return scene(shapes="1 box .05 .05 .05 density 1000", bodies="create_polyhedra 1 at 0 0 .026", law="auto restitution 0 friction 0.5 0.5", dt=dt,
                 motion=f"fix motion all implicit/polyhedron scheme {scheme}\nvariable z equal z[1]\nvariable account equal {ACCOUNT}",
                 thermo="v_z v_account", every=1, run=f"run {round(0.1 / dt)}\n{moves}\nrun {round(0.16 / dt)}")


ACCOUNT = "f_motion[8]+f_motion[9]+f_motion[20]-f_motion[10]-f_motion[22]+f_motion[11]+f_motion[21]+f_motion[23]-f_motion[12]"


@pytest.mark.parametrize("dt, accuracy", [(5e-3, 0.05), (2.5e-3, 0.02), (1e-3, 0.01)])
@pytest.mark.parametrize("peak", [1.1, 1.5, 2.0])
def test_take_off(lammps, dt, accuracy, peak):
    """A body leaves a table that is shaken with the table's velocity, not with that of half a step ago."""
    before, table = lammps(shaken(peak, dt), may_warn="closer than contact").tables()
    z, at = table["v_z"] - before["v_z"][-1], int(np.argmax(table["v_z"][: round(0.12 / dt)]))
    low, top, high = z[at - 1 : at + 2]
    height = top + (low - high) ** 2 / (8 * (2 * top - low - high))
    amplitude = peak * GRAVITY * (0.1 / (2 * math.pi)) ** 2
    found, exact = height / amplitude - (1 + 1 / peak), (1 - 1 / peak**2) * peak / 2
    show(found=found, exact=exact, account=np.ptp(table["v_account"]))
    assert found == pytest.approx(exact, rel=accuracy)
    assert np.ptp(table["v_account"]) < 1e-12


@pytest.mark.parametrize("dt", [1e-2, 5e-3, 1e-3])
def test_belt_that_stops(lammps, dt):
    """A block that sticks on a belt which accelerates by 4 m/s^2 slides on with 0.16 m/s as it stops."""
    start = round(0.2 / dt)
    moves = f"variable v equal 4.0*(step-{start})*dt\nfix_modify floor move variable NULL NULL NULL v_v NULL NULL\nrun {round(0.04 / dt)}\nfix_modify floor move none"
    table = lammps(scene(shapes="1 box .1 .1 .05 density 1000", bodies="create_polyhedra 1 at 0 0 .0265", law="auto height 0.05 restitution 0 friction 0.5 0.5", dt=dt,
                         motion="fix motion all implicit/polyhedron scheme em\nvariable x equal x[1]", thermo="v_x", every=1,
                         run=f"run {start}\n{moves}\nrun {round(0.1 / dt)}"), may_warn="closer than contact").tables()[-1]
    slide, exact = table["v_x"][-1] - table["v_x"][0], 0.16**2 / (2 * 0.5 * GRAVITY)
    show(slide=slide, exact=exact)
    assert slide == pytest.approx(exact, rel=0.06)


@pytest.mark.parametrize("dt", [5e-3, 1e-3])
def test_slab_on_which_a_cube_hops(lammps, dt):
    """What the cube gets as it takes off is of the slab that fix move shakes, not of a floor that it never touches."""
    n, amplitude = round(1 / dt), 1.5 * GRAVITY * (0.1 / (2 * math.pi)) ** 2
    omega = 2 * math.pi / 0.1
    shake = (f"variable d equal {amplitude:.17g}*(1-cos({omega:.17g}*step*dt))\nvariable v equal {amplitude * omega:.17g}*sin({omega:.17g}*step*dt)\n"
             "variable no equal 0\ngroup slab type 2\ngroup cube type 1\nfix mv slab move variable v_no v_no v_d v_no v_no v_v")
    table = lammps(scene(types=2, shapes="1 box .05 .05 .05 density 1000 2 box .3 .3 .05 density 1000", bodies="create_polyhedra 2 at 0 0 0\ncreate_polyhedra 1 at 0 0 .051",
                         box="block -1 1 -1 1 -.5 1", walls=f"fix floor all wall/polyhedron plane 0 0 -.3 0 0 1\n{shake}", law="auto restitution 0.2 friction 0.5 0.5", dt=dt,
                         motion=f"fix motion cube implicit/polyhedron scheme em\ncompute fs slab reduce sum fz\nvariable account equal {ACCOUNT}\n"
                                f"fix av all ave/time 1 {n} {n} c_fs f_floor[10]",
                         thermo="f_av[1] f_av[2] v_account", every=n, run=f"run {3 * n}"), may_warn="closer than contact").thermo()
    weight = GRAVITY * 1000 * (0.05**3 + 0.3 * 0.3 * 0.05)
    show(slab=table["f_av[1]"][-1], weight=weight, floor=table["f_av[2]"][-1], account=np.ptp(table["v_account"]))
    assert table["f_av[1]"][-1] == pytest.approx(-weight, rel=1e-6)
    assert table["f_av[2]"][-1] == 0.0
    assert np.ptp(table["v_account"]) < 1e-12


def test_take_off_beside_another_wall(lammps):
    """A cube leaves a table that is shaken; what it was owed is of that table, not of one that moves elsewhere, on two processes as on one."""
    omega = 2 * math.pi / 0.1
    amplitude = 1.5 * GRAVITY / omega**2
    moves = (f"variable d equal {amplitude:.17g}*(1-cos({omega:.17g}*(step-20)*dt))\nvariable v equal {amplitude * omega:.17g}*sin({omega:.17g}*(step-20)*dt)\n"
             "fix_modify floor move variable NULL NULL v_d NULL NULL v_v\nfix_modify side move velocity 0.1 0 0")
    script = scene(types=2, shapes="1 box .05 .05 .05 density 1000 2 box .2 .2 .2 density 1000", box="block -2 2 -2 2 -1 2", processors="* 1 1",
                   bodies="create_polyhedra 1 at -.5 0 .026\ncreate_polyhedra 2 at .5 0 .102\ngroup small id 1\ngroup big id 2",
                   walls="fix floor small wall/polyhedron plane 0 0 0 0 0 1\nfix side big wall/polyhedron plane 0 0 0 0 0 1", law="auto restitution 0 friction 0.5 0.5", dt=5e-3,
                   motion="fix motion all implicit/polyhedron scheme em\nvariable p equal 0.125*vz[1]", thermo="v_p f_floor[7] f_floor[10] f_side[10]", every=1,
                   run=f"run 20\n{moves}\nrun 60")
    one, two = (lammps(script, ranks=n, may_warn="closer than contact").tables()[1] for n in (1, 2))
    impulse = one["v_p"][-1] - one["v_p"][0] + 0.125 * GRAVITY * 0.3
    error = -(one["f_floor[10]"][1:] * 5e-3).sum() - impulse
    apart = max(np.abs(one[c] - two[c]).max() for c in ("f_floor[7]", "f_floor[10]", "f_side[10]"))
    show(impulse=impulse, error=error, side=np.ptp(one["f_side[10]"][10:]), processes=apart)
    assert abs(error) < 1e-9 * impulse
    assert np.ptp(one["f_side[10]"][10:]) < 1e-6 * 8 * GRAVITY
    assert apart < 1e-9
