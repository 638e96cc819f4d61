"""Bodies that are placed closer than contact begins: one warning with the worst pair, and the way to relax them."""

from __future__ import annotations

import re

import pytest

from scenes import EXPLICIT, FLOOR, scene

LAW = "normal 1e8 1.5 gap 0.002 barrier 0.1 -1"
GAP = 0.002
# three cubes of 0.1 in a row, gaps of a tenth and of half of gbar
ROW = "\n".join(f"create_polyhedra 1 at {x} 0 0.5" for x in (-0.1 - 0.1 * GAP, 0.0, 0.1 + 0.5 * GAP))
WARNING = (r"bodies begin step 1 closer than contact begins: 2 pairs hold the energy [\d.e+]+, most of it body 1 and "
           r"body 2, [\d.e+]+ at the gap 0.0002 of 0.002. They fly apart where no load holds them; the page of fix implicit/polyhedron says how to relax them")
# as on the page
RELAX = """fix motion all implicit/polyhedron scheme euler
timestep 1.0
run 5 every 1 "velocity all set 0.0 0.0 0.0" "set group all angmom 0.0 0.0 0.0"
unfix motion
reset_timestep 0
timestep 0.001
fix motion all implicit/polyhedron scheme em"""


def row(**changes) -> str:
    return scene(**{"law": LAW, "bodies": ROW, "walls": "", "gravity": 0.0, "motion": "scheme em",
                    "thermo": "f_motion[8]", "every": 5, "run": "run 50", **changes})


@pytest.mark.parametrize("ranks", [1, 2])
def test_worst_pair_is_named(lammps, ranks):
    lammps(row(), ranks=ranks, warn=WARNING)


def test_contact_under_its_own_weight_is_no_fault(lammps):
    """A cube at rest on the floor, in the springs of its law."""
    lammps(scene(law=LAW, bodies="create_polyhedra 1 at 0 0 0.05199", motion="scheme em"))


def test_an_impact_under_way_is_no_fault(lammps):
    """A body comes in while a cube is at its turning point on a soft floor, with all its energy in the contact."""
    result = lammps(row(law="normal 1e5 1 gap 0.01", walls=FLOOR, dt=5e-4, every=5,
                        bodies="create_polyhedra 1 at 0 0 0.06\nvelocity all set 0 0 -1",
                        run="run 5\ncreate_polyhedra 1 at 0.5 0 0.5\nrun 20"))
    kinetic = result.thermo()["f_motion[8]"]
    assert kinetic.min() < 0.01 * kinetic[0] and kinetic[-1] > 0.99 * kinetic[0]


# a stone of 16 g beside a block of 7.8 t, in a law that bears the block
SIZES = "1 box 1 1 1 density 7800 2 box 0.02 0.02 0.02 density 2000"
BLOCK_LAW = "normal 1e10 1.5 gap 0.0005 barrier 0.1 -2"
PLACES = {"above it": "create_polyhedra 2 at 0.1 0.1 1.01059", "at its side": "create_polyhedra 2 at 0.5101 0 0.5"}
STONE = "closer than contact begins: 1 pairs hold the energy 51.2, most of it body 1 and body 2, 51.2 at the gap 0.0001 of 0.0005"


def block(stone: str, **changes) -> str:
    return scene(**{"types": 2, "shapes": SIZES, "bodies": f"create_polyhedra 1 at 0 0 0.50049\n{stone}", "law": BLOCK_LAW, "dt": 2e-3,
                    "box": "block -1 4 -1 1 -0.1 1.9", "motion": "scheme em", "run": "run 1", **changes})


@pytest.mark.parametrize("speed", [0, 1])
@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("place", PLACES)
def test_a_stone_is_judged_by_its_own_weight(lammps, place, ranks, speed):
    """Not by that of the block, nor by the speed at which both go."""
    lammps(block(f"{PLACES[place]}\nvelocity all set {speed} 0 0"), ranks=ranks, warn=STONE)


def test_a_stone_with_an_explicit_integrator(lammps):
    lammps(block(PLACES["above it"], motion=EXPLICIT, dt=1e-7), warn=STONE)


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("motion", ["scheme em", "scheme newmark", EXPLICIT])
def test_a_block_on_a_stone_is_no_fault(lammps, motion, ranks):
    """Their contact bears the block, half of gbar deep; of two processes one has the stone and the other the block."""
    lammps(block("", bodies="create_polyhedra 2 at 0 0 -0.01\ncreate_polyhedra 1 at 0 0 0.50026", walls="", box="block -1 1 -1 1 -1 1",
                 processors="1 1 *", motion=motion, dt=1e-7), ranks=ranks)


@pytest.mark.parametrize("motion", ["scheme em", EXPLICIT])
def test_auto_is_the_same_in_every_frame(lammps, motion):
    """Two cubes without weight, a tenth of the gap of their sizes apart, at rest and at 5 m/s."""
    found = []
    for speed in (0, 5):
        result = lammps(row(law="auto velocity 1 restitution 0 damping 0.7", bodies="create_polyhedra 1 at 0 0 0\ncreate_polyhedra 1 at 0 0 0.1002",
                            motion=motion, extra=f"velocity all set {speed} 0 0", thermo="", dt=1e-5, every=1, run="run 1"),
                        may_warn="restitution acts with scheme em")
        v = result.frames()[-1].columns["vz"]
        found.append(([float(g) for g in re.findall(r" gap ([\d.e+-]+)", result.text)], v[1] - v[0]))
    assert found[0] == found[1]
    assert found[0][0][-1] < 2e-4 and found[0][1] == 0.0


def test_relaxed_as_the_page_says(lammps):
    """What would fly apart at metres per second comes to rest, no body having moved further than the gaps lacked."""
    wild = lammps(row(), warn=WARNING).thermo()["f_motion[8]"][-1]
    result = lammps(row(motion=RELAX, every=5), warn=WARNING)
    kinetic = result.tables()[-1]["f_motion[8]"]
    assert wild > 1.0
    assert max(kinetic) < 1e-9 * wild
    x = result.frames()[-1].columns["x"]
    start = [-0.1 - 0.1 * GAP, 0.0, 0.1 + 0.5 * GAP]
    assert max(abs(a - b) for a, b in zip(x, start)) < GAP
    assert x[1] - x[0] > 0.1 + 0.9 * GAP and x[2] - x[1] > 0.1 + 0.9 * GAP


# a stack of three in the first law, and what another one then does
STACK = dict(bodies="\n".join(f"create_polyhedra 1 at 0 0 {0.0519 + 0.1019 * k}" for k in range(3)), walls=FLOOR,
             law="normal 1e7 1.5 gap 0.002 barrier 0.1 -1 damping 0.5", gravity=9.81, every=100, dt=2e-3,
             thermo="f_motion[8] f_motion[9]")
MORE = (r"bodies begin step 1000 with ([\d.e+-]+) more energy in their contacts than the last one ended with, by another "
        r"law, shape or place: [123] pairs hold the energy ([\d.e+-]+), most of it body 1 and ")
CHANGES = {
    "gap": "pair_coeff * * normal 1e7 1.5 gap 0.006 barrier 0.1 -1 damping 0.5",
    "stiffness": "pair_coeff * * normal 1e11 1.5 gap 0.002 barrier 0.1 -1 damping 0.5",
    "shape": "unfix shapes\nfix shapes all polyhedron/shape 1 box 0.1 0.1 0.1014 density 1000",
    "place": "group low id 1\ndisplace_atoms low move 0 0 0.0012",
}


@pytest.mark.parametrize("change, ranks", [("gap", 1), ("gap", 2), ("stiffness", 1), ("shape", 1), ("place", 1)])
def test_energy_that_appears_between_two_runs(lammps, change, ranks):
    """A stack at rest begins the second run with energy that the first did not leave in its contacts."""
    result = lammps(scene(**STACK, processors="1 1 *", run=f"run 1000\n{CHANGES[change]}\nrun 100"), ranks=ranks, warn=MORE)
    said = re.search(MORE, result.text.replace("\n", " "))
    before, after = result.tables()[0]["f_motion[9]"][-1], result.tables()[1]["f_motion[9]"][0]
    assert float(said[1]) == pytest.approx(after - before, rel=0.01)
    assert float(said[1]) > 0.9 * 10 * 9.81 * 0.002 and float(said[2]) <= after * 1.01


def test_a_law_that_changes_nothing_is_no_fault(lammps):
    """Friction, and a gap that a body at rest does not reach into; a second run as the first."""
    again = "pair_coeff * * normal 1e7 1.5 gap 0.00201 barrier 0.1 -1 damping 0.5 friction 0.5 0.5 1e5 10"
    lammps(scene(**STACK, run=f"run 1000\nrun 20\n{again}\nrun 100"))


def test_relaxed_to_the_new_law(lammps):
    """The recipe of the page takes the energy of a larger gap away."""
    relaxed = RELAX.split("\n", 1)[1].replace("unfix motion", "unfix motion\nundump d\nfix g all gravity 9.81 vector 0 0 -1")
    result = lammps(scene(**STACK, run=f"run 1000\n{CHANGES['gap']}\nunfix motion\nunfix g\n"
                          f"fix motion all implicit/polyhedron scheme euler\n{relaxed}\nthermo 10\nrun 100"),
                    warn="closer than contact begins")
    kinetic = result.tables()[-1]["f_motion[8]"]
    assert max(kinetic) < 1e-2


# ---- explicit integrators: the warnings are the pair style's

HELD = {"moves freely": "", "on a frozen one": "group base id 1\nfix hold base setforce 0 0 0"}


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("held", HELD)
def test_explicit_integrators_warn_too(lammps, held, ranks):
    lammps(row(motion=EXPLICIT, thermo="pe", dt=1e-6, run="run 2", extra=HELD[held]), ranks=ranks,
           warn="Pair style polyhedron: " + WARNING.replace("step 1", "step 0"))


def explicit(**changes) -> str:
    return scene(**{**STACK, "motion": EXPLICIT, "thermo": "ke pe", "dt": 2e-5, "every": 1000, **changes})


def test_an_explicit_wall_warns_of_its_own_contacts(lammps):
    lammps(explicit(bodies="create_polyhedra 1 at 0 0 0.0502", run="run 1"),
           warn=r"Pair style polyhedron: bodies begin step 0 closer than contact begins: 1 pairs hold the energy "
                r"[\d.e+]+, most of it body 1 and wall floor")


def test_an_explicit_stack_at_rest_is_no_fault(lammps):
    """Over a second run, a restart and a change of the integrator; a larger gap is told of."""
    law = STACK["law"].replace("damping 0.5", "damping 0.9")
    first = lammps(explicit(law=law, every=50000, run="run 50000\nrun 100\nwrite_restart state"), where="here")
    assert first.tables()[-1]["PotEng"][-1] > 0.0
    lammps(f"read_restart state\nfix shapes all polyhedron/shape 1 box 0.1 0.1 0.1 density 1000\n"
           f"pair_style polyhedron\npair_coeff * * {law}\n{FLOOR}\nfix g all gravity 9.81 vector 0 0 -1\n"
           f"neighbor 0.05 bin\ntimestep 2e-5\n{EXPLICIT}\nrun 100", where="here")
    lammps(scene(**STACK, run=f"run 1000\nunfix motion\ntimestep 1e-5\n{EXPLICIT}\nthermo_style one\nrun 100"),
           may_warn="New thermo_style command")
    lammps(explicit(law=law, every=50000, run=f"run 50000\n{CHANGES['gap']}\nrun 1"),
           warn="bodies begin step 50000 with .* more energy in their contacts than the last one ended with")


def test_bodies_that_nothing_moves_are_told_of_when_something_does(lammps):
    quiet = explicit(bodies="create_polyhedra 1 at 0 0 0.0502", motion="comm_modify vel yes", run="run 0")
    lammps(quiet)
    lammps(f"{quiet}\nfix motion all nve/asphere\nrun 1", warn="closer than contact begins: 1 pairs")


def test_integrators_that_turn_nothing_are_named(lammps):
    lammps(explicit(motion="comm_modify vel yes\nfix points all nve", run="run 1"),
           warn="Pair style polyhedron: fix points of style nve does not turn bodies, .*: fix nve/asphere")


SHEET = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4"
IN_THE_WAY = {
    "plane": ("", FLOOR),
    "sheet": ("", "fix floor all wall/polyhedron obj sheet.obj"),
    "slab": ("create_polyhedra 2 at 0 0 -0.05\n", ""),
    "moving slab": ("create_polyhedra 2 at 0 0 -0.05\n", "group slab type 2\nfix lift slab move linear 0 0 4"),
}


@pytest.mark.parametrize("z", [0.1525, 0.1535])
@pytest.mark.parametrize("what", IN_THE_WAY)
def test_explicit_steps_that_take_a_body_past_another(lammps, what, z):
    """A cube that goes further in a step than contact reaches, whatever is there: no force tells, an error does."""
    bodies, walls = IN_THE_WAY[what]
    text = scene(types=2, shapes="1 box 0.1 0.1 0.1 density 2000 2 box 1 1 0.1 density 2000", box="block -1 1 -1 1 -1 1", gravity=0.0,
                 bodies=f"{bodies}create_polyhedra 1 at 0 0 {z}\ngroup fast type 1\nvelocity fast set 0 0 -5", walls=walls,
                 law="normal 1e7 1.5 gap 0.002", motion="fix motion fast nve/asphere", run="run 80")
    lammps(text, files={"sheet.obj": SHEET}, fail="the time step is too long")


THIN = {
    "plate": ("create_polyhedra 2 at 0 0 -0.005\n", ""),
    "turned plate": ("create_polyhedra 2 at 0 0 -0.005 rotate 30 0 1 0\n", ""),
    "sheet": ("", "fix floor all wall/polyhedron obj sheet.obj"),
    "moving sheet": ("", "fix floor all wall/polyhedron obj sheet.obj move velocity 0 0 7"),
}


@pytest.mark.parametrize("what", THIN)
def test_explicit_steps_through_something_thin(lammps, what):
    """From one side to the other within a step: it is looked at on the way, too."""
    bodies, walls = THIN[what]
    text = scene(types=2, shapes="1 box 0.1 0.1 0.1 density 2000 2 box 1 1 0.01 density 2000", box="block -1 1 -1 1 -1 1", gravity=0.0,
                 bodies=f"{bodies}create_polyhedra 1 at 0 0 0.35\ngroup fast type 1\nvelocity fast set 0 0 -100", walls=walls, skin=0.5,
                 law="normal 1e7 1.5 gap 0.002", motion="fix motion fast nve/asphere", dt=2.5e-3, run="run 4")
    lammps(text, files={"sheet.obj": SHEET}, fail="overlap, depth .* at step .*, the time step is too long")


@pytest.mark.parametrize("z", [0.35, 0.36, 0.37])
def test_explicit_steps_of_thin_plates_through_each_other(lammps, z):
    """Each is thin beside its way in a step of 0.25 m, and contact reaches a tenth as far: places evenly along the way missed them."""
    text = scene(types=2, shapes="1 box 0.1 0.1 0.0001 density 2000 2 box 1 1 0.0001 density 2000", box="block -1 1 -1 1 -1 1", gravity=0.0,
                 bodies=f"create_polyhedra 2 at 0 0 0\ncreate_polyhedra 1 at 0 0 {z}\ngroup fast type 1\nvelocity fast set 0 0 -100", skin=0.5, walls="",
                 law="normal 1e7 1.5 gap 0.00001", motion="fix motion fast nve/asphere", dt=2.5e-3, run="run 4")
    lammps(text, fail="overlap, depth .* at step .*, the time step is too long")


AWAY = {
    "behind a sheet": ("create_polyhedra 1 at 0 0 -0.053\nvelocity all set 0 0 -50", "fix floor all wall/polyhedron obj sheet.obj"),
    "on a sheet that turns": ("create_polyhedra 1 at 0 0 0.0515\nset group all angmom 0 0 0.1", "fix floor all wall/polyhedron obj sheet.obj move rotate 0 0 0 0 0 1 0.10472"),
}


@pytest.mark.parametrize("what", AWAY)
def test_explicit_ways_that_go_through_nothing(lammps, what):
    """A cube that flies off, placed behind a sheet, has not come through it; one that turns with a sheet does not go into it."""
    bodies, walls = AWAY[what]
    lammps(scene(shapes="1 box 0.1 0.1 0.1 density 1000", box="block -1 1 -1 1 -1 1", gravity=0.0, bodies=bodies, walls=walls, skin=0.5, dt=1e-3,
                 law="normal 1e5 1 gap 0.002", motion="fix motion all nve/asphere", run="run 10"), files={"sheet.obj": SHEET}, may_warn="begin step|too long for")


@pytest.mark.parametrize("lists", ["", "neigh_modify every 1 delay 0 check no", "neigh_modify every 7 delay 0 check no"])
@pytest.mark.parametrize("what", IN_THE_WAY)
def test_explicit_steps_through_a_soft_contact(lammps, what, lists):
    """A fortieth of the activation distance in a step, but the contact is too soft to stop the cube before it is through."""
    bodies, walls = IN_THE_WAY[what]
    text = scene(types=2, shapes="1 box 0.1 0.1 0.1 density 2000 2 box 1 1 0.1 density 2000", box="block -1 1 -1 1 -1 1", gravity=0.0,
                 bodies=f"{bodies}create_polyhedra 1 at 0 0 0.053\ngroup fast type 1\nvelocity fast set 0 0 -5", walls=walls, dt=1e-5,
                 law="normal 1e3 1.5 gap 0.002", motion="fix motion fast nve/asphere", extra=lists, run="run 1000")
    lammps(text, files={"sheet.obj": SHEET}, fail="(touch|touches the wall|overlap, depth .*) at step .*, the time step is too long")


def test_explicit_bodies_that_come_within_others(lammps):
    """fix deposit knows nothing of shapes: a body within another one is an error at once."""
    text = scene(types=2, shapes="1 box 0.2 0.2 0.2 density 2000 2 box 0.1 0.1 0.1 density 2000", gravity=0.0, walls="", law=LAW,
                 motion="fix motion all nve/asphere", run="run 20",
                 extra="region in block -0.01 0.01 -0.01 0.01 0.19 0.21\nfix come all deposit 1 2 5 4711 region in")
    lammps(text, fail="body 1 and body 2 overlap at step 1")
