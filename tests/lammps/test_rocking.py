"""A slender block rocks on a floor, as Housner (Bull. Seismol. Soc. Am. 53, 403-417, 1963) has it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conftest import ROOT, show
from scenes import FLOOR, scene

HALF, HEIGHT, GRAVITY = 0.05, 0.5, 9.81  # half the width and half the height, m; m/s^2
RADIUS, SLENDER = math.hypot(HALF, HEIGHT), math.atan(HALF / HEIGHT)
RATE = math.sqrt(3 * GRAVITY / (4 * RADIUS))  # p of the paper, 1/s
GAP = 1e-5
# so stiff that what the edge stores under the weight is little against the loss of an impact
LAW = f"normal 1e11 1.5 gap {GAP} barrier 0.1 -1 restitution 0 friction 1 1 1e9 1e4"


def swing(lammps, tilt: float, dt: float, motion: str, law: str = LAW, gap: float = GAP, **allowed) -> tuple[np.ndarray, np.ndarray]:
    """Time and angle of a block that is let go at a part of the angle at which it would overturn."""
    angle = tilt * SLENDER
    x, z = HALF - RADIUS * math.sin(SLENDER - angle), RADIUS * math.cos(SLENDER - angle) + gap
    script = scene(
        shapes="1 box 0.1 0.3 1 density 2500",
        bodies=f"create_polyhedra 1 at {x:.17g} 0 {z:.17g} rotate {math.degrees(angle):.17g} 0 1 0",
        law=law, dt=dt, skin=0.05, box="block -1 1 -1 1 -0.1 2", walls=FLOOR,
        motion=f"fix motion all implicit/polyhedron {motion}\nfix plane all lock/polyhedron translation y rotation xz\n"
               "compute turn all property/atom quatj\ncompute one all reduce max c_turn\nvariable angle equal 2*asin(c_one)",
        thermo="v_angle", every=1, run=f"run {round(2 / dt)}")
    table = lammps(script, **allowed).thermo()
    return dt * np.arange(len(table["v_angle"])), table["v_angle"]


@pytest.mark.parametrize(("motion", "dt", "quarter_error", "speed_error"), [
    ("scheme em", 1e-2, 0.003, 0.007), ("scheme em", 5e-3, 0.002, 0.004), ("scheme em", 1e-3, 0.001, 0.001)])
def test_housner(lammps, motion, dt, quarter_error, speed_error):
    """Quarter of the period by the amplitude, and what is left of the angular velocity when it changes its edge."""
    tilt = 0.6
    time, angle = swing(lammps, tilt, dt, motion)
    k = int(np.argmax(angle <= 0))
    quarter = time[k - 1] + dt * angle[k - 1] / (angle[k - 1] - angle[k])
    end = k + int(np.argmax(angle[k:] > 0))
    amplitudes = tilt * SLENDER, -angle[k:end].min()
    energy = [math.cos(SLENDER - a) - math.cos(SLENDER) for a in amplitudes]
    left, housner = math.sqrt(energy[1] / energy[0]), 1 - 1.5 * math.sin(SLENDER) ** 2
    show(quarter=quarter * RATE, left=left, housner=housner)
    assert quarter * RATE == pytest.approx(math.acosh(1 / (1 - tilt)), rel=quarter_error)
    assert left == pytest.approx(housner, abs=speed_error)


def plank_on_cylinder(lammps, dt: float, tilt: float, loss: str, slope: float = 0.0, length: float = 1.0, groove: bool = False):
    """Table of a plank that rolls to and fro on a round body with friction, eight periods; gravity turned by slope (degrees), the round body frozen or in a groove."""
    r, thick = 0.2, 0.02
    mass = length * 0.1 * thick * 500
    inertia = mass * (length**2 + thick**2) / 12
    rate = math.sqrt(9.81 * (r - thick / 2) / (inertia / mass + thick**2 / 4))
    depth, down = (r + 9e-4) * math.sqrt(2), math.radians(slope)
    walls = f"fix groove all wall/polyhedron plane 0 0 {-depth:.15g} 1 0 1 plane 0 0 {-depth:.15g} -1 0 1" if groove else "fix still c freeze"
    bodies = (f"create_polyhedra 2 at 0 0 0 rotate 90 1 0 0\ncreate_polyhedra 1 at 0 0 {r + thick / 2 + 0.00195}\ngroup c type 2\ngroup p type 1\n"
              f"set group p angmom 0 {inertia * tilt * rate:.17g} 0\nvelocity p set {tilt * rate * thick / 2:.17g} 0 0")
    script = scene(types=2, shapes=f"1 box {length} 0.1 {thick} density 500 2 capsule {r} 0.3 density {10000 if groove else 1000}", bodies=bodies,
                   law=f"auto velocity 0.2 {loss} friction 0.8 0.8", walls=f"{walls}\ncompute l p property/atom angmomy\ncompute m p reduce sum c_l", box="block -1 1 -1 1 -1 1",
                   motion="scheme em", dt=dt, skin=0.1, thermo="c_m f_motion[19] f_motion[21]", every=1, run=f"run {round(8 * 2 * math.pi / rate / dt)}")
    script = script.replace("vector 0 0 -1", f"vector {math.sin(down):.15g} 0 {-math.cos(down):.15g}")
    return lammps(script, may_warn="closer than contact begins").thermo()


@pytest.mark.parametrize("loss", ["damping 0.5 ramp 0.2", "restitution 0"])
@pytest.mark.parametrize("tilt", [0.1, 0.02])
def test_plank_that_rocks_on_a_cylinder(lammps, tilt, loss):
    """Eight periods keep its amplitude, also where it is as slow as gravity makes in a step."""
    kept = []
    for dt in (1e-3, 5e-3, 2e-2):
        spin = np.abs(plank_on_cylinder(lammps, dt, tilt, loss)["c_m"])
        part = len(spin) // 8
        kept.append(spin[-part:].max() / spin[:part].max())
    show(kept=kept)
    assert min(kept) > 0.92


@pytest.mark.parametrize(("dt", "slope", "groove"), [(5e-3, 10, False), (1e-3, 0, True), (5e-3, 10, True), (1e-2, 10, True)])
def test_springs_of_friction_store_what_is_done_to_them(lammps, dt, slope, groove):
    """While it rocks where friction bears: what friction dissipates is hardly taken back, and no substep is rejected for it."""
    table = plank_on_cylinder(lammps, dt, 0.02, "restitution 0", slope, 0.8 if groove else 1.0, groove)
    lost = table["f_motion[21]"]
    back = (np.maximum.accumulate(lost) - lost).max()
    show(taken_back=back, rejected=table["f_motion[19]"][-1])
    assert back < 5e-8  # J, the plank swings with 5e-3
    assert table["f_motion[19]"][-1] == 0


@pytest.mark.parametrize("friction", ["0.5 0.4", "0 0"])
@pytest.mark.parametrize("tilt", [3, 5, 8])
def test_plank_that_lands_on_one_end_and_then_on_the_other(lammps, tilt, friction):
    """Without restitution it stays down, whatever the step: the second end lands within a step, while the first one bears."""
    back = []
    for dt in (1e-3, 2e-3, 3e-3, 5e-3, 1e-2):
        script = scene(
            shapes="1 box 0.6 0.1 0.05 density 2000", law=f"auto restitution 0 friction {friction}", dt=dt, box="block -1.5 1.5 -1 1 -1.5 1.5",
            bodies=f"create_polyhedra 1 at 0 0 {0.095 + 0.3 * math.sin(math.radians(tilt)):.17g} rotate {tilt} 0 1 0\nvariable speed equal vcm(all,z)",
            motion="scheme em", thermo="v_speed", every=1, run=f"run {round(0.6 / dt)}")
        speed = lammps(script).thermo()["v_speed"]
        back.append(-speed.max() / speed.min())
    show(back=back)
    assert max(back) < 0.03


TILE, CUBE = "1 box 0.3 0.3 0.04 density 2000", "1 box 0.1 0.1 0.1 density 1000"
PRISM, TETRAPOD = (f"1 stl {ROOT}/examples/shapes/{name}.stl density 2400" for name in ("lprism", "tetrapod"))


@pytest.mark.parametrize("friction", ["0.5 0.4", "0 0"])
@pytest.mark.parametrize(("shape", "turn"), [(TILE, "4 1 1 0"), (CUBE, "4 1 1 0"), (CUBE, "10 1 0 0"), (PRISM, "8 0 1 0"), (PRISM, "5 1 0 0"), (TETRAPOD, "20 1 0 0")])
def test_bodies_that_land_on_one_point_after_the_other(lammps, shape, turn, friction):
    """What creeps out of the skin, or bounces a little, where it came down first does not hide what lands next."""
    back = []
    for dt in (1e-3, 3e-3, 5e-3, 1e-2, 2e-2):
        script = scene(
            shapes=shape, law=f"auto restitution 0 friction {friction}", dt=dt, box="block -1.5 1.5 -1.5 1.5 -1.5 1.5",
            bodies=f"create_polyhedra 1 at 0 0 0.25 rotate {turn}\nvariable speed equal vcm(all,z)", motion="scheme em", thermo="v_speed", every=1, run=f"run {round(0.6 / dt)}")
        speed = lammps(script).thermo()["v_speed"]
        hit = int(np.argmin(speed))
        back.append(-speed[hit:].max() / speed[hit])
    show(back=back)
    assert max(back) < 0.06


@pytest.mark.parametrize("seed", [1, 10])
def test_a_rock_that_lands_whatever_time_steps_its_substeps_belong_to(lammps, seed):
    """What lies ahead follows from the state at the start of a substep, and not from the parameter a of the one before it."""
    speed = []
    for per_step in (1, 5, 25):
        dt = 2e-4 * per_step
        script = scene(
            shapes=f"1 rock 0.1 0.1 0.1 14 1 density 2000 random {seed}", law="auto velocity 3 restitution 0", dt=dt, skin=0.3, box="block -0.5 0.5 -0.5 0.5 -0.2 2",
            bodies="create_atoms 1 single 0 0 0.08\nvelocity all set 0 0 -1\nvariable speed equal vcm(all,z)", motion=f"scheme em substeps {per_step}", thermo="v_speed",
            every=round(0.1 / dt), run=f"run {round(0.1 / dt)}")
        speed.append(lammps(script).thermo()["v_speed"][-1])
    show(speed=speed)
    assert speed[1:] == pytest.approx(speed[:1] * 2, abs=1e-9)


@pytest.mark.parametrize("dt", [5e-3, 3e-3])
def test_block_that_rocks_on_a_soft_law_does_not_come_back(lammps, dt):
    """Restitution 0: its landing, slow against what gravity makes in a step, is an impact all the same. 0.093 of the amplitude is left in resolved steps."""
    tilt, gap = 0.6, 2e-3
    law = f"normal 3e6 1.5 gap {gap} barrier 0.1 -1 restitution 0 friction 1 1 1e7 1e3"
    _, turn = swing(lammps, tilt, dt, "scheme em", law, gap, may_warn="in the barrier")
    left = -turn[int(np.argmax(turn <= 0)):].min() / (tilt * SLENDER)
    show(left=left)
    assert left < 0.13
