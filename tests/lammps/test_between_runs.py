"""What a script may change between two runs: it acts from the next one on, or is an error that says what to do."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import show
from scenes import scene

G = 9.81
RIGID = "fix motion box contact/dynamics"


def pushed(motion: str, between: str, wiggle: bool = False) -> str:
    """A block on a slab that fix move carries along, friction 2, and another time step from step 30 on."""
    move = "wiggle 0.01 0 0 0.5" if wiggle else "linear 0.1 0 0"
    script = scene(types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 1 1 0.1 density 1000",
                   bodies="create_polyhedra 2 at 0 0 0\ncreate_polyhedra 1 at 0 0 0.1008\nvelocity all set 0.1 0 0\ngroup slab type 2\ngroup box type 1\nvariable slip equal x[2]-x[1]",
                   law="auto restitution 0 friction 2 2", walls="", dt=0.01, motion=motion, extra=f"fix carry slab move {move}",
                   thermo="v_slip", every=1, run=f"run 30\n{between}\nrun 30")
    return re.sub(r"pair_style.*\npair_coeff.*", "pair_style zero 1.7\npair_coeff * *", script) if motion == RIGID else script


@pytest.mark.parametrize("motion", ["fix motion box implicit/polyhedron scheme em", "fix motion box implicit/polyhedron scheme newmark", RIGID])
def test_time_step_beside_fix_move(lammps, motion):
    """The host puts bodies of fix move where the new step had taken them from the start: it would throw others. Newer hosts refuse the command themselves."""
    name = "contact/dynamics" if motion == RIGID else "implicit/polyhedron"
    for wiggle in (False, True):
        lammps(pushed(motion, "timestep 0.009", wiggle), may_warn="closer than contact",
               fail=f"Fix motion of style {name}: the timestep has changed from 0.01 to 0.009 since fix carry of style move began .* unfix it|"
                    "Resetting timestep size is not allowed with fix move")
    again = "unfix carry\ntimestep 0.009\nfix carry slab move linear 0.1 0 0"
    slip = lammps(pushed(motion, again), may_warn="closer than contact").thermo()["v_slip"]
    show(slip=abs(slip).max())
    assert abs(slip).max() < 1e-4
    lammps(pushed(motion, ""), may_warn="closer than contact")


@pytest.mark.parametrize("before", ["fix other rest nve/asphere", ""])
@pytest.mark.parametrize("scheme", ["em", "newmark", "euler"])
def test_body_that_joins_the_group(lammps, scheme, before):
    """It begins with the forces that act on it now, whatever it has felt before."""
    script = scene(bodies="create_polyhedra 1 at 0 0 0.5\ncreate_polyhedra 1 at 0.5 0 0.5\ngroup mine id 1\ngroup rest id 2\nvariable vz equal vz[2]\nvariable vy equal vy[2]", law="normal 1e6 1.5 gap 0.001", walls="", gravity=0,
                   dt=2e-3, motion=f"fix motion mine implicit/polyhedron scheme {scheme}",
                   extra=f"fix old rest addforce 0 50 0\nfix weight mine gravity {G} vector 0 0 -1\n{before}", thermo="v_vz v_vy",
                   run=f"run 3\nvariable z0 equal $(vz[2])\nvariable y0 equal $(vy[2])\nunfix old\n{'unfix other' if before else ''}\ngroup mine id 2\nrun 50\n"
                       "variable dz equal vz[2]-v_z0\nvariable dy equal vy[2]-v_y0\nprint \"gains $(v_dz:%.12g) $(v_dy:%.12g)\"")
    gains = [float(x) for x in re.findall(r"^gains (\S+) (\S+)", lammps(script, may_warn="no fix moves it").text, re.M)[0]]
    show(dz=gains[0], dy=gains[1])
    assert gains[0] == pytest.approx(-G * 0.1, rel=1e-9)
    assert gains[1] == pytest.approx(0.0, abs=1e-9)


def test_coefficients_without_set_up(lammps):
    law = "pair_coeff * * normal 4e6 1.5 gap 0.001 damping 0.5"
    for scheme in ("em", "newmark", "euler"):
        script = scene(bodies="create_polyhedra 1 at 0 0 0.0508", law="normal 1e6 1.5 gap 0.001 damping 0.5", motion=f"scheme {scheme}", run=f"run 10\n{law}\nrun 10 pre no")
        lammps(script, fail="Fix implicit/polyhedron: pair_coeff has been given since the last set-up, .*: leave out pre no")
        lammps(script.replace(" pre no", ""))


def test_pair_style_given_twice(lammps):
    twice = "pair_style hybrid/overlay polyhedron polyhedron\npair_coeff * * polyhedron 1 normal 1e6 1.5 gap 0.001\npair_coeff * * polyhedron 2 normal 1e6 1.5 gap 0.001"
    once = "pair_style hybrid/overlay polyhedron zero 0.3\npair_coeff * * polyhedron normal 1e6 1.5 gap 0.001\npair_coeff * * zero"
    for motion in ("scheme em", "fix motion all nve/asphere"):
        script = scene(bodies="create_polyhedra 1 at 0 0 0.2", motion=motion, run="run 2")
        lammps(re.sub(r"pair_style.*\npair_coeff.*", twice, script), fail="Pair style polyhedron is given more than once in pair_style hybrid: once")
        lammps(re.sub(r"pair_style.*\npair_coeff.*", once, script))


def test_load_on_a_frozen_body(lammps):
    script = scene(bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0.5 0 0.2\ngroup held id 1", law="normal 1e6 1.5 gap 0.001",
                   extra="fix hold held freeze\nfix push all load/polyhedron force 1 0 0", run="run 1")
    lammps(script, fail="Fix load/polyhedron: body 1 is held by fix freeze: take it out of one of the two groups, or hold it by fix lock/polyhedron")
    lammps(script.replace("held freeze", "held lock/polyhedron translation xyz rotation xyz"))


@pytest.mark.parametrize("motion", ["scheme em", "scheme newmark", "scheme euler"])
def test_body_that_is_wrapped_behind_a_plane(lammps, motion):
    """The host puts it on the other side of the periodic cell, where the wall is in the way: said with both names."""
    script = scene(bodies="create_polyhedra 1 at 0.3 0 0.5\nvelocity all set 1 0 0", box="block -0.5 0.5 -0.5 0.5 -0.5 2", boundary="p p f", gravity=0, law="normal 1e6 1.5 gap 0.001",
                   walls="fix side all wall/polyhedron plane -0.4 0 0 1 0 0", dt=2e-3, motion=motion, run="run 5000")
    lammps(script, fail="body 1 and wall side overlap at step .*: place them apart")


@pytest.mark.parametrize("change", ["set atom 2 x 0.3", "displace_atoms all move 0 0 0.01 units box", "set atom 1 quat 0 0 1 30", "set atom 2 type 2", "set group all density 3"])
@pytest.mark.parametrize("motion", ["scheme em", RIGID.replace(" box ", " all ")])
def test_bodies_changed_without_set_up(lammps, motion, change):
    """What the run would go on with was made by the last set-up: masses, lists, forces. They fell inside each other, or as bodies of another mass."""
    def script(pre: str) -> str:
        text = scene(types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.1 0.1 0.1 density 2000", bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0.5 0 0.5", law="normal 1e6 1.5 gap 0.001",
                     motion=motion, run=f"run 5\n{change}\nrun 5{pre}")
        return re.sub(r"pair_style.*\npair_coeff.*", "pair_style zero 1.7\npair_coeff * *", text) if motion.startswith("fix") else text

    name = "contact/dynamics" if motion.startswith("fix") else "implicit/polyhedron"
    lammps(script(" pre no"), fail=f"Fix {name}: body . has been put elsewhere, turned, or given another type or mass since the last run.*: leave out pre no")
    lammps(script(""), may_warn="")


@pytest.mark.parametrize("motion", ["scheme em", RIGID.replace(" box ", " all ")])
def test_pieces_without_set_up_go_on(lammps, motion):
    """Beside what other fixes move, a cell that deforms, and a slab that is carried."""
    def places(run: str) -> float:
        text = scene(types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.4 0.4 0.1 density 1000", bodies="create_polyhedra 2 at 0 0 0.05\ncreate_polyhedra 1 at 0 0 0.1508\ngroup slab type 2\ngroup box type 1\nvariable x equal x[2]",
                     law="auto restitution 0 friction 0.5 0.5", walls="", motion=motion.replace("fix motion all", "fix motion box") if motion.startswith("fix") else "fix motion box implicit/polyhedron scheme em",
                     extra="fix carry slab move linear 0.1 0 0", thermo="v_x", every=5, run=run)
        text = re.sub(r"pair_style.*\npair_coeff.*", "pair_style zero 1.7\npair_coeff * *", text) if motion.startswith("fix") else text
        return lammps(text, may_warn="").thermo()["v_x"][-1]

    assert places("run 20") == places("run 10\nrun 10 pre no") == places("run 20 every 5 NULL")


@pytest.mark.parametrize("scheme", ["em", "euler"])  # newmark goes on from half of the acceleration before
@pytest.mark.parametrize("what", ["belt", "spring"])
def test_velocity_between_runs_is_that_of_the_body(lammps, what, scheme):
    """Nothing of the run before is added to it: not what a block on a belt that accelerates is behind, nor the change of a spring's force."""
    belt = "variable v equal 8*step*dt\nfix floor all wall/polyhedron plane 0 0 0 0 0 1 move variable NULL NULL NULL v_v NULL NULL"
    parts = dict(bodies="create_polyhedra 1 at 0 0 0.0519", walls=belt, law="auto restitution 0 friction 1.5 1.5", run="run 10\nunfix floor\nvelocity all set 0 0 0\nrun 5")
    if what == "spring":
        parts = dict(bodies="create_polyhedra 1 at 0.1 0 0.5", walls="", law="auto velocity 1", extra="variable f atom -400*x\nfix s all addforce v_f 0 0",
                     run="run 8\nunfix s\nvelocity all set 0 0 0\nrun 5")
    motion = f"fix motion all implicit/polyhedron scheme {scheme}\nvariable u equal vx[1]"
    u = lammps(scene(**parts, gravity=9.81 if what == "belt" else 0, dt=0.01, motion=motion, thermo="v_u", every=1), may_warn="closer than contact|restitution").tables()[1]["v_u"]
    show(velocity=np.abs(u).max())
    assert np.abs(u).max() < 1e-12


@pytest.mark.parametrize("fix", ["load/polyhedron force 0 0 30", "lock/polyhedron translation xyz", "wall/polyhedron plane 0 0 -0.05 0 0 1"])
def test_fixes_of_the_scene_without_set_up(lammps, fix):
    lammps(scene(run=f"run 5\nfix more all {fix}\nrun 5 pre no"), fail=f"fix more of style {fix.split()[0]} has been given or changed since the last set-up, which run with pre no")


def test_bodies_that_go_without_set_up(lammps):
    bodies = "create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0.3 0 0.2\ngroup last id 2"
    lammps(scene(bodies=bodies, run="run 5\ndelete_atoms group last compress no\nrun 5 pre no"), fail="bodies have been created or deleted since the last run")


TWO = dict(bodies="create_polyhedra 1 at 0 0 0.0508\ncreate_polyhedra 1 at 0 0 0.16", law="normal 1e6 1.5 gap 0.001 damping 0.5")
INITIALIZED = "LAMMPS has been initialized, as by write_restart, write_data or write_coeff, since the last set-up"


@pytest.mark.parametrize("change, why", [
    ("write_coeff coeff.txt", INITIALIZED), ("write_restart r.restart", INITIALIZED), ("write_data d.data", INITIALIZED),
    ("neighbor 0.6 bin", "the neighbor skin has been changed since the last set-up"),
    ("neigh_modify exclude type 1 1", "neigh_modify exclude has been changed since the last set-up"), ("pair_style polyhedron contact literal", "pair_style has been given since the last set-up"),
    ("fix floor all wall/polyhedron plane 0 0 -0.3 0 0 1", "fix floor of style wall/polyhedron has been given or changed"),
    ("variable d equal -0.2\nfix_modify floor move variable NULL NULL v_d NULL NULL NULL", "fix floor of style wall/polyhedron has been given or changed"),
    ("fix shapes all polyhedron/shape 1 box 0.1 0.1 0.1 density 1000", "fix shapes of style polyhedron/shape has been given or changed"),
    ("fix motion all implicit/polyhedron", "fix motion has been given since"), ("unfix floor", "fix floor of style wall/polyhedron has been taken away")])
@pytest.mark.parametrize("motion", ["scheme em", "fix motion all nve/asphere"])
def test_what_only_a_set_up_takes_in(lammps, motion, change, why):
    """It was read from freed memory, acted by half, or bodies went through each other."""
    explicit = "asphere" in motion
    if explicit and "motion" in change:
        pytest.skip("the implicit fix")
    parts = dict(TWO, walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1", dt=1e-5 if explicit else 1e-3)
    script = scene(motion=motion, run=f"run 5\n{change}\nrun 5 pre no", **parts)
    if explicit:
        script = script.replace("pair_style", "comm_modify vel yes\npair_style", 1)
    result = lammps(script, fail=re.escape(why).replace("\\ ", " ") if why != "fix motion has been given since" else why, may_warn="")
    assert "leave out pre no" in result.text


def test_exclusion_given_again(lammps):
    """What leaves out what was left out before changes nothing."""
    exclude = "neigh_modify exclude type 1 1"
    lammps(scene(motion="scheme em", run=f"{exclude}\nrun 5\n{exclude}\nrun 5 pre no", **TWO))


@pytest.mark.parametrize("ranks, between", [(1, ""), (1, "delete_atoms group other"), (2, "displace_atoms all move 0.4 0 0 units box"), (1, "restart"), (2, "restart")])
def test_velocities_given_before_a_run_that_goes_on(lammps, ranks, between):
    """What forces of the host have still to add to the old ones is not added to those that a script gives, whatever process, session or ID the body has by then."""
    def script(run: str, bodies: str) -> str:
        return scene(box="block -1 1 -1 1 -1 1", bodies=bodies, law="normal 1e6 1.5 gap 0.001", walls="", gravity=0, motion="scheme em", processors="* 1 1" if ranks > 1 else "", run=run)
    bodies = "create_polyhedra 1 at 0 0 -0.5\ncreate_polyhedra 1 at -0.2 0 0.5\ngroup other id 1"
    before = "variable f equal 100*step\nfix pull all addforce 0 v_f 0\nrun 10\n"
    after = "velocity all set 0 0 0\ncompute most all reduce max vy\nthermo_style custom step c_most\nrun 1\nprint \"vy $(c_most:%.12g)\""
    if between == "restart":
        lammps(script(before + "write_restart there", bodies), ranks=ranks, where="r")
        again = scene(box="", bodies="", law="normal 1e6 1.5 gap 0.001", walls="", gravity=0, motion="scheme em", run=after)
        text = "read_restart there\n" + again[again.index("fix shapes"):]
        result = lammps(text, ranks=ranks, where="r", may_warn="thermo_modify")
    else:
        result = lammps(script(f"{before}unfix pull\n{between}\n{after}", bodies), ranks=ranks, may_warn="thermo_modify")
    assert set(re.findall(r"^vy (\S+)", result.text, re.M)) == {"0"}


def test_the_rigid_motion_given_again(lammps):
    """While the host makes a fix in place of another one of its ID there is none in its list."""
    text = re.sub(r"pair_style.*\npair_coeff.*", "pair_style zero 1.7\npair_coeff * *", scene(bodies="create_polyhedra 1 at 0 0 0.2", law="normal 1e6 1.5 gap 0.001", motion=RIGID.replace(" box ", " all "), run=f"run 5\n{RIGID.replace(' box ', ' all ')}\nrun 5"))
    lammps(text, may_warn="")


def test_group_of_bodies_held_is_deleted(lammps):
    """Its bit may be another group's then: other bodies stopped in mid-air."""
    motion = RIGID.replace(" box ", " all ") + " fixed held"
    text = scene(bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0.4 0 0.2\ngroup held id 1", law="normal 1e6 1.5 gap 0.001", motion=motion, run="run 5\ngroup held delete\ngroup new id 2\nrun 5")
    lammps(re.sub(r"pair_style.*\npair_coeff.*", "pair_style zero 1.7\npair_coeff * *", text), fail="group held of keyword fixed has been deleted", may_warn="")


def test_wall_given_again_elsewhere(lammps):
    """What friction remembers of a wall is of the place where that was, not of its fix's ID."""
    def slip(name: str) -> str:
        between = f"unfix pull\nunfix floor\nfix {name} all wall/polyhedron plane 0 0 1 0 0 1\ndisplace_atoms all move 0 0.3 1 units box\nrun 3\nprint \"vx $(vx[1]:%.17g)\""
        text = scene(box="block -1 1 -1 1 -0.1 2", bodies="create_polyhedra 1 at 0 0 0.0508", law="normal 1e6 1.5 gap 0.001 friction 0.5 0.5 1e4 0", motion="scheme em", extra="fix pull all addforce 3 0 0", run=f"run 200\n{between}")
        return re.findall(r"^vx (\S+)", lammps(text, may_warn="closer than contact|more energy").text, re.M)[0]
    assert slip("floor") == slip("other")


@pytest.mark.parametrize("motion", ["scheme em", "fix motion all nve/asphere"])
def test_wall_without_a_law(lammps, motion):
    """A type that pair_style hybrid gives no law with itself has none with walls: it fell through them."""
    law = "pair_coeff 1 * polyhedron normal 1e6 1.5 gap 0.002 barrier 0.1 -2 damping 0.7\npair_coeff 2 2 none"
    parts = dict(types=2, shapes="1*2 box 0.1 0.1 0.1 density 1000", bodies="create_polyhedra 2 at 0.5 0 0.5", pair="comm_modify vel yes\npair_style hybrid polyhedron", law=law, dt=1e-4, motion=motion, thermo="f_floor[3]", every=10, run="run 10")
    lammps(scene(**parts), fail="body 1 is of type 2, which has no law with itself for fix floor of style wall/polyhedron: give the fix a law of its own, or keyword type")
    lammps(scene(walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1 type 1", **parts))


@pytest.mark.parametrize("motion", ["scheme em", "fix motion all nve/asphere"])
def test_cell_that_goes_on_deforming_without_set_up(lammps, motion):
    """The host ends the way of fix deform with the run of the last set-up: in the next one the cell jumped back and went it again."""
    def script(run: str) -> str:
        return scene(boundary="p p p", box="block -1 1 -1 1 -1 1", bodies="create_polyhedra 1 at 0 0 0.2\nvariable l equal lx", law="normal 1e6 1.5 gap 0.001", walls="", gravity=0, motion=motion,
                     extra="fix d all deform 1 x vel 1.5 remap x", thermo="v_l", every=1, run=run)
    lammps(script("run 20\nrun 20 pre no"), fail="fix d of style deform has got another run to go its way in since the last set-up .*leave out pre no")
    whole, parts = (lammps(script(run)).thermo()["v_l"][-1] for run in ("run 40", "run 20 start 0 stop 40\nrun 20 pre no start 0 stop 40"))
    assert parts == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize("gone", ["g", "before"])
def test_no_step_without_set_up(lammps, gone):
    """Where a fix before it has been taken away the host calls no fix: nothing moved, and nothing was said."""
    lammps(scene(walls="fix before all viscous 0.1", motion="scheme em", run=f"run 5\nunfix {gone}\nrun 5 pre no"), fail="Fix implicit/polyhedron has made no step: a fix before it has been taken away since the last set-up, .*leave out pre no")
