"""pair_coeff ... auto: the law that it chooses, in any units, in walls, over restarts."""

from __future__ import annotations

import re

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, MIX, grid, scene

POSE = "x y z vx vy vz angmomx angmomy angmomz c_q[1] c_q[2] c_q[3] c_q[4]".split()
AUTO = "auto velocity 1.4 damping 0.5 friction 0.5 0.4"
CUBE = dict(bodies="create_polyhedra 1 at 0 0 0.17 rotate 40 1 2 3", dt=2e-3, motion="scheme em")
HEAP = dict(
    types=4,
    shapes=MIX,
    box="block -0.5 0.5 -0.5 0.5 -0.1 1.9",
    bodies=grid(2, 2, 3, 0.22, (-0.11, -0.11, 0.15), 4),
    dt=5e-3,
    motion="scheme em",
)


def lines(result) -> list[str]:
    """What the run says about the laws, as commands without the remark; once for log and screen."""
    log = (result.dir / "log.lammps").read_text()
    found = re.findall(r"^((?:pair_coeff \d|fix \w+ wall/).*?) # auto: ", log, re.MULTILINE)
    assert len(found) * 2 == result.text.count(" # auto: ")
    return found


def law(line: str) -> dict[str, list[float]]:
    """Keywords with their values."""
    words = {}
    for word in line.split():
        if re.match(r"[a-z]", word):
            words[word] = values = []
        else:
            values.append(float(word))
    return words


def from_restart(state: str, shapes: str, rest: str, skin: float, every: int, steps: int) -> str:
    """Script that goes on; rest: walls, and coefficients where they are given again."""
    return f"""read_restart {state}
fix shapes all polyhedron/shape {shapes}
{rest}
fix g all gravity 9.81 vector 0 0 -1
timestep 0.005
neighbor {skin} bin
fix motion all implicit/polyhedron scheme em
compute q all property/atom quatw quati quatj quatk
dump d all custom {every} dump id {" ".join(POSE)}
dump_modify d sort id format float %.17g
run {steps}"""


def states(result) -> np.ndarray:
    return np.array([[f.columns[c] for c in POSE] for f in result.frames()])


def test_the_line_in_the_log_gives_the_same_run(lammps):
    auto = lammps(scene(**HEAP, law=AUTO, every=20, run="run 60"))
    said = lines(auto)
    pasted = lammps(scene(**HEAP, law="\n".join(said), every=20, run="run 60"))
    assert len(said) == 10 and lines(pasted) == []
    assert np.array_equal(states(auto), states(pasted))
    assert lammps.intersections(auto, "dump", "0 0 0 0 0 1") == 0


def test_typical_impacts_stay_out_of_the_barrier(lammps):
    """A cube of 1 kg on its corner at the speed given; gap 2 % of its edge."""
    parts = CUBE | ON_CORNER
    r = lammps(scene(**parts, law="auto velocity 2 gravity 9.81", every=1, thermo="f_motion[6]",
                     run="run 600"))
    (said,) = lines(r)
    low = r.thermo()["f_motion[6]"].min()
    words = law(said)
    gap, (f, n2) = words["gap"][0], words["barrier"]
    eps1, n1 = words["normal"]
    held = eps1 * ((1 - f) * gap) ** (n1 + 1) / (n1 + 1)
    show(law=said, smallest_gap=low / gap, reserve=held / 2.0)
    assert gap == 0.002 and (f, n2, n1) == (0.1, -2.0, 1.5)
    assert held / 2.0 == pytest.approx(2.0, rel=0.01)
    assert 0.3 < low / gap < 0.4


def test_units(lammps):
    """lj: the same numbers as si. cgs: the same law."""
    said = {}
    for units, length, mass in (("si", 1, 1), ("lj", 1, 1), ("cgs", 100, 1000)):
        edge = 0.1 * length
        script = scene(
            units=units,
            box=f"block {-length} {length} {-length} {length} {-0.1 * length} {length}",
            shapes=f"1 box {edge} {edge} {edge} density {1000 * mass / length**3}",
            bodies=f"create_polyhedra 1 at 0 0 {2 * edge}",
            gravity=9.81 * length,
            skin=0.05 * length,
            dt=1e-3,
            law=f"auto velocity {2 * length} height {0.1 * length} damping 0.3 friction 0.5 0.4",
        )
        (said[units],) = lines(lammps(script))
    assert said["lj"] == said["si"]
    si, cgs = law(said["si"]), law(said["cgs"])
    show(si=said["si"], cgs=said["cgs"])
    assert cgs["gap"][0] == 100 * si["gap"][0]
    assert cgs["normal"][0] == pytest.approx(si["normal"][0] * 1000 * 100**-0.5, rel=0.01)
    assert cgs["barrier"] == si["barrier"]
    assert cgs["friction"][2:] == pytest.approx([1000 * x for x in si["friction"][2:]], rel=0.01)


HEAVY = dict(types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 1 1 0.1 density 4000", gravity=0)
ALL = "fix motion all implicit/polyhedron"
HOLD = {
    "other-group": "fix motion light implicit/polyhedron",
    "move": "fix motion light implicit/polyhedron\nfix drive heavy move rotate 0 0 0 0 0 1 3",
    "frozen": "fix motion all implicit/polyhedron\nfix stop heavy freeze",
    "explicit": "comm_modify vel yes\nfix motion light nve/asphere",
    "locked": f"{ALL}\nfix hold heavy lock/polyhedron translation xyz rotation xyz",
    "locked-in-its-frame": f"{ALL}\nfix hold heavy lock/polyhedron translation xyz rotation xyz frame body",
    "no-force": f"{ALL}\nfix hold heavy setforce 0 0 0",
    "no-force-explicit": "comm_modify vel yes\nfix motion all nve/asphere\nfix hold heavy setforce 0 0 0",
    "two-fixes": f"{ALL}\nfix hold heavy setforce 0 0 NULL\nfix more heavy lock/polyhedron translation z",
    "belt": "fix motion light implicit/polyhedron\nfix drive heavy nve/noforce",
}
MOVES = {
    "moves": ALL,
    "locked-in-part": f"{ALL}\nfix hold heavy lock/polyhedron translation xy rotation xyz",
    "locked-in-part-of-its-frame": f"{ALL}\nfix hold heavy lock/polyhedron translation yz frame body\nfix more light setforce 0 NULL NULL",
    "hinged": f"{ALL}\nfix hold heavy lock/polyhedron hinge 0 0 0 0 0 1",
    "no-force-in-part": f"{ALL}\nfix hold heavy setforce 0 0 NULL",
    "moved-in-part": "comm_modify vel yes\nfix motion light nve/asphere\nfix drive heavy move linear 0 0 NULL",
    "some-force": "comm_modify vel yes\nfix motion all nve/asphere\nvariable f equal 0\nfix hold heavy setforce 0 0 v_f",
}


@pytest.mark.parametrize("held", [*HOLD, *MOVES, "both-stand", "no-body"])
def test_bodies_that_never_move_do_not_count(lammps, held):
    """A plate of 400 kg beside a cube of 1 kg: the mass that forces move is that of the law."""
    plate = "" if held == "no-body" else "create_polyhedra 2 at 0 0 0\n"
    motion = (HOLD | MOVES).get(held, ALL)
    if held == "both-stand":
        motion += "\ngroup none empty\nfix stop all freeze"
    wall = "fix floor all wall/polyhedron plane 0 0 -0.1 0 0 1 auto velocity 1"
    result = lammps(
        scene(**HEAVY, bodies=f"{plate}create_polyhedra 1 at 0 0 0.2\ngroup light type 1\ngroup heavy type 2",
              walls=f"{wall}\n{motion}", motion="", law="auto velocity 1", run="run 0")
    )
    mass = [float(m) for m in re.findall(r"# auto: mass (\S+),", (result.dir / "log.lammps").read_text())]
    heavy = held not in HOLD
    assert mass == [1.0, 400.0 if heavy else 1.0, 400.0, 400.0 if heavy else 1.0]


@pytest.mark.parametrize("spin", [0.0, 3.0])
def test_spin_counts(lammps, spin):
    """The speed of the fastest point of a body: that of its centre, and of its corner about it."""
    moment = np.diag([0.1**2 + 0.2**2, 0.1**2 + 0.2**2, 2 * 0.1**2]) * 2.0 / 12.0
    w = np.array([0.0, 0.6, 0.8]) * spin
    momentum = " ".join(map(str, moment @ w))
    speed = 0.0 if spin else 1.5
    result = lammps(
        scene(shapes="1 box 0.1 0.1 0.2 density 1000", law="auto", gravity=0, motion="scheme em", run="run 0",
              bodies=f"create_polyhedra 1 at 0 0 0.3\nvelocity all set {speed} 0 0\nset group all angmom {momentum}")
    )
    said = re.search(r"impacts at (\S+) \(the fastest body\)", (result.dir / "log.lammps").read_text())
    assert float(said[1]) == pytest.approx(speed + spin * 0.5 * 0.06**0.5, rel=1e-5)


SAME = {
    "gravity": ("auto velocity 2", "auto velocity 2 gravity 9.81"),
    "height": ("auto height 0.5", f"auto velocity {(9.81) ** 0.5:.17g}"),
    "both": ("auto velocity 3 height 1", f"auto velocity {(9 + 2 * 9.81) ** 0.5:.17g}"),
    "load": ("auto velocity 1e-3", "auto velocity 1e-3 load 10"),
    "fraction": ("auto velocity 2 fraction 0.02", "auto velocity 2"),
    "gap": ("auto velocity 2 fraction 0.01", "auto velocity 2 gap 0.001"),
    "barrier": ("auto velocity 2 barrier 0.1 -2", "auto velocity 2"),
}


@pytest.mark.parametrize("name", SAME)
def test_same_law(lammps, name):
    a, b = (lines(lammps(scene(**CUBE, law=law, run="run 0"))) for law in SAME[name])
    show(law=a)
    assert a == b and len(a) == 1


def test_other_laws(lammps):
    """What each keyword changes."""
    def chosen(keywords, **parts):
        return law(lines(lammps(scene(**(CUBE | parts), law=keywords, run="run 0")))[0])

    base = chosen("auto velocity 2")
    assert "friction" not in base and "restitution" not in base
    assert chosen("auto velocity 4")["normal"][0] == pytest.approx(4 * base["normal"][0], rel=0.01)
    # slow impacts, the weight alone counts: n2 = -1
    slow = chosen("auto velocity 1e-3")
    assert slow["barrier"] == [0.1, -1.0]
    heavy = chosen("auto velocity 1e-3 load 20")
    assert heavy["normal"][0] == pytest.approx(2 * slow["normal"][0], rel=0.01)
    none = chosen("auto velocity 1e-3", gravity=0)
    assert none["normal"][0] < 1e-3 * slow["normal"][0] and none["barrier"] == [0.1, -2.0]
    given = chosen("auto velocity 2 barrier 0.2 -3 damping 0.4 ramp 0.3 friction 0.6 0.5 1e5 7 "
                   "transition 0.1 restitution 0.25")
    assert given["barrier"] == [0.2, -3.0] and given["damping"] == [0.4] and given["ramp"] == [0.3]
    assert given["friction"] == [0.6, 0.5, 1e5, 7.0] and given["transition"] == [0.1]
    assert given["restitution"] == [0.25]


def test_walls(lammps):
    """A wall's own law is for the heaviest and for the smallest body; without one it has theirs."""
    small = dict(types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.05 0.05 0.05 density 1000")
    own = lammps(scene(**(CUBE | small), law="auto velocity 2", walls=f"{FLOOR} auto velocity 2 load 5"))
    said = lines(own)
    wall = law(said[-1])
    one, both, two = (law(s) for s in said[:3])
    show(laws=said)
    assert said[-1].startswith("fix floor wall/polyhedron normal") and len(said) == 4
    assert wall["gap"] == both["gap"] == two["gap"] == [0.001] and one["gap"] == [0.002]
    assert wall["normal"] == both["normal"]
    assert both["normal"][0] == pytest.approx(8 * two["normal"][0], rel=0.01)


def test_walls_of_groups(lammps):
    """A wall's own law is for the bodies of its group, and for types without bodies."""
    parts = dict(types=3, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.05 0.05 0.05 density 1000 3 box 0.02 0.02 0.02 density 1000",
                 bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 2 at 0.3 0 0.2")
    walls = "\n".join(f"group g{n} type {n}\nfix f{n} g{n} wall/polyhedron plane 0 0 0 0 0 1 auto velocity 2" for n in (1, 2))
    said = lines(lammps(scene(**(CUBE | parts), law="auto velocity 2", walls=walls)))
    large, small = (law(next(s for s in said if s.startswith(f"fix f{n} "))) for n in (1, 2))
    show(laws=said[-2:])
    assert large["normal"][0] == pytest.approx(8 * small["normal"][0], rel=0.01)
    assert large["gap"] == small["gap"] == [0.0004]


def test_chosen_once(lammps):
    """Later runs keep the law, whatever happens to gravity and shapes."""
    more = "run 5\nunfix g\nfix g all gravity 5 vector 0 0 -1\nrun 5"
    r = lammps(scene(**CUBE, law=AUTO, walls=f"{FLOOR} {AUTO}", run=more))
    assert len(lines(r)) == 2


@pytest.mark.parametrize("ranks", [1, 2])
def test_restart_is_exact(lammps, ranks):
    """Laws of pairs and of a wall go on as chosen, though gravity is another one by then."""
    head = "processors 2 1 1\n" if ranks == 2 else ""
    wall = f"{FLOOR} auto velocity 3 damping 0.5 friction 0.3 0.3"
    whole = scene(**HEAP, law=AUTO, walls=wall, gravity=5, every=10, run="run 1\nunfix g\n"
                  "fix g all gravity 9.81 vector 0 0 -1\nrestart 60 state.*\nrun 119",
                  processors="2 1 1" if ranks == 2 else "")
    first = lammps(whole, ranks=ranks, where="here")
    assert len(lines(first)) == 11 and first.frames()[-1].step == 120
    end = states(first)[-1]
    go_on = head + from_restart("state.60", MIX, wall, skin=0.05, every=10, steps=60)
    second = lammps(go_on, ranks=ranks, where="here")
    assert lines(second) == [] and second.frames()[-1].step == 120
    assert np.array_equal(states(second)[-1], end)
    # asking for the same again changes nothing
    again = go_on.replace("fix g all", f"pair_style polyhedron\npair_coeff * * {AUTO}\nfix g all")
    third = lammps(again, ranks=ranks, where="here")
    assert lines(third) == [] and np.array_equal(states(third)[-1], end)
    # another wish is another law
    other = go_on.replace("velocity 3", "velocity 4").replace(
        "fix g all", "fix_modify POLYHEDRON_RESTART changed floor\nfix g all")
    other = lammps(other, ranks=ranks, where="here")
    said = lines(other)  # once more where bodies are nearer by then than the new law's gap
    assert len(said) in (1, 2) and all(line.startswith("fix floor wall/polyhedron normal") for line in said)


def test_restart_with_nothing_given(lammps):
    """The speed of the fastest body is another one by then; the law is the same unless the script says that it changes."""
    law = "auto damping 0.5 friction 0.5 0.4"
    first = scene(**HEAP, law=law, every=10, run="run 10\nwrite_restart state\nrun 10")
    lammps(first, where="here")
    go_on = f"""read_restart state
fix shapes all polyhedron/shape {MIX}
pair_style polyhedron
pair_coeff * * {law}
{FLOOR}
fix g all gravity 9.81 vector 0 0 -1
timestep 0.005
neighbor 0.05 bin
fix motion all implicit/polyhedron scheme em
run 5
write_restart state2"""
    assert lines(lammps(go_on, where="here")) == []
    assert lines(lammps(go_on.replace("state\n", "state2\n"), where="here")) == []  # a restart of a restart
    other = "fix_modify POLYHEDRON_RESTART changed law\npair_style"
    assert len(lines(lammps(go_on.replace("pair_style", other), where="here"))) == 10
    lammps(go_on.replace("friction 0.5", "friction 0.6"), where="here", fail="law of atom types 1 1 was normal")


def test_speeds_that_nobody_gives(lammps):
    """A fall through the box, which gravity may cross askew, by the fastest body; no gravity: its speed."""
    box = CUBE | dict(box="block -1 1 -0.5 0.5 -0.1 0.9", run="run 0")
    slope = "fix slope all gravity 2 vector 3 0 -4"  # box 2 by 1 by 1: 2 * 0.6 + 1 * 0.8 along it
    fast = "velocity all set 0.3 0 -0.4"
    same = [
        (dict(law="auto"), dict(law="auto height 1")),
        (dict(law="auto load 3", extra=fast), dict(law="auto load 3 height 1 velocity 0.5")),
        (dict(law="auto", gravity=0, extra=slope), dict(law="auto height 2", gravity=0, extra=slope)),
        (dict(law="auto", gravity=0, extra=fast), dict(law="auto velocity 0.5", gravity=0)),
    ]
    for silent, told in same:
        assert lines(lammps(scene(**(box | silent)))) == lines(lammps(scene(**(box | told))))


def test_heap_with_nothing_given(lammps):
    """Nothing enters the barrier: that would be warned of."""
    r = lammps(scene(**HEAP, law="auto damping 0.5 friction 0.5 0.4", every=20, run="run 60"))
    assert len(lines(r)) == 10 and lammps.intersections(r, "dump", "0 0 0 0 0 1") == 0


PENDING = ("write_restart state noinit", r"pair_coeff 1 1 auto: the law is not chosen yet")


def test_restart_before_it_is_chosen(lammps):
    lammps(scene(**CUBE, law=AUTO, run=PENDING[0]), fail=PENDING[1])


REFUSED = {
    "no-speed": (dict(law="auto", gravity=0), "pair_coeff 1 1 auto: no body moves and no fix gravity acts"),
    "no-speed-wall": (dict(walls=f"{FLOOR} auto", gravity=0),
                      "fix floor wall/polyhedron auto: no body moves and no fix gravity acts"),
    "gravity-without-direction": (dict(law="auto gravity 9.81"),
                                  "pair_coeff 1 1 auto: no body moves and keyword gravity has no direction in which bodies "
                                  "would fall .* add keyword velocity or height"),
    "endless-fall": (dict(law="auto", boundary="f f p"),
                     "pair_coeff 1 1 auto: bodies fall through the periodic boundary z"),
    "no-shape": (dict(types=2, law=AUTO), "pair_coeff 1 2 auto: atom type 2 has no shape, so that its "
                                          "mass and size are not known"),
    "height-no-gravity": (dict(law="auto height 1", gravity=0),
                          "pair_coeff 1 1 auto: keyword height needs gravity"),
    "height-gravity-0": (dict(law="auto height 1 gravity 0"),
                         "pair_coeff 1 1 auto: keyword height needs gravity"),
    "load-no-gravity": (dict(law="auto velocity 1 load 3", gravity=0),
                        "pair_coeff 1 1 auto: keyword load needs gravity"),
    "load-no-gravity-wall": (dict(walls=f"{FLOOR} auto velocity 1 load 3", gravity=0),
                             "fix floor wall/polyhedron auto: keyword load needs gravity"),
    "varying-gravity": (dict(law=AUTO, gravity=0, extra="variable g equal ramp(1,2)\n"
                             "fix turn all gravity v_g vector 0 0 -1"),
                        "pair_coeff 1 1 auto: fix turn has a gravity that varies: add keyword gravity, "
                        "and velocity or height if neither is given"),
    "no-law": (dict(law="auto velocity 1e153"), "pair_coeff 1 1 auto: there is no law for mass 1, "
                                                "speed 1e\\+153 and gap 0.002"),
    "mixed": (dict(types=2, shapes="* box 0.1 0.1 0.1", law="pair_coeff 1 1 auto velocity 1\n"
                   "pair_coeff 2 2 auto velocity 1e-3"),
              "types 1 and 2 have different exponents or barrier fractions"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused(lammps, name):
    parts, message = REFUSED[name]
    lammps(scene(**(CUBE | parts)), fail=message)


def test_varying_gravity_with_keyword(lammps):
    r = lammps(scene(**CUBE, law="auto velocity 1.4 gravity 9.81 damping 0.5 friction 0.5 0.4", gravity=0,
                     extra="variable g equal ramp(1,2)\nfix turn all gravity v_g vector 0 0 -1"))
    fixed = lammps(scene(**CUBE, law=AUTO))
    assert lines(r) == lines(fixed)


# ---- laws that are too soft ----

BARRIER = r"(body \d+) and (body \d+|wall \w+) are in the barrier of their law at step (\d+)"
ON_CORNER = dict(
    bodies="create_polyhedra 1 at 0 0 0.17 rotate 54.735610317245346 1 -1 0\nvelocity all set 0 0 -2",
    gravity=0,
    dt=1e-4,
)
SOFT = "normal {:.10g} 1.5 gap 0.002 barrier 0.1 -2"
ENOUGH = 2.5 * 2.0 / 0.0018**2.5  # holds the 2 J of 1 kg at 2 m/s


def said(result) -> list[tuple[str, ...]]:
    """Warnings in the log file."""
    return re.findall(BARRIER, (result.dir / "log.lammps").read_text())


@pytest.mark.parametrize("scheme", ["em", "newmark"])
def test_too_soft_a_law_is_warned_of(lammps, scheme):
    """Once in a run; with the eps1 it asks for there is no warning."""
    parts = CUBE | ON_CORNER | dict(motion=f"scheme {scheme}")
    away = "run 600\nvelocity all set 0 0 -2\nrun 1200"
    soft = lammps(scene(**parts, law=SOFT.format(0.5 * ENOUGH), run=away), warn=BARRIER)
    text = soft.warnings[0]
    speed = float(re.search(r"impact at speed (\S+)\.", text).group(1))
    eps1 = float(re.search(r"eps1 (\S+) in place", text).group(1))
    show(warning=text, enough=ENOUGH)
    assert [w[:2] for w in said(soft)] == 2 * [("body 1", "wall floor")]
    assert speed == pytest.approx(2.0, rel=0.02) and eps1 == pytest.approx(ENOUGH, rel=0.02)
    enough = lammps(scene(**parts, law=SOFT.format(1.01 * eps1), run=away))
    assert said(enough) == []


FAR_TOO_SOFT = {
    "newmark": ("scheme newmark", "are in"),
    # one substep: no state before it is in the barrier, and the error speaks of the impact that it meets
    "em, one substep": ("scheme em substeps 1", "would come into"),
    "em, long substeps": ("scheme em minstep 1e-3", "would come into"),
    "newmark, one substep": ("scheme newmark substeps 1", "would come into"),
}


@pytest.mark.parametrize("case", FAR_TOO_SOFT)
def test_far_too_soft_a_law_ends_with_the_remedy(lammps, case):
    """An impact of 40 times what the penalty part holds: a barrier that grows by the logarithm of the gap stops it only
    where gaps are no longer numbers. The error says so, and what it asks for works."""
    motion, where = FAR_TOO_SOFT[case]

    def impact(law, motion=motion):
        parts = CUBE | ON_CORNER | dict(motion=motion, dt=1e-3)
        return scene(**parts, law=law, run="run 100")

    soft = f"normal {ENOUGH / 40:.10g} 1.5 gap 0.002 barrier 0.1 "
    message = f"no substep is possible at step .*; body 1 and wall floor {where} the barrier of their law at step 42"
    text = lammps(impact(soft + "-1"), fail=message).error
    show(error=text)
    assert ("use more substeps" in text) == ("substeps" in motion)
    eps1 = re.search(r"eps1 (\S+) in place", text).group(1)
    assert float(eps1) == pytest.approx(ENOUGH, rel=0.02)
    steeper = re.search(r"; (barrier \S+ -2) would stop the impact at a gap of", text).group(1)
    lammps(impact(f"normal {eps1} 1.5 gap 0.002 barrier 0.1 -1"), may_warn=BARRIER)
    lammps(impact(f"normal {ENOUGH / 40:.10g} 1.5 gap 0.002 {steeper}", " ".join(motion.split()[:2])), may_warn=BARRIER)


@pytest.mark.parametrize("ranks", [1, 2])
def test_far_too_soft_between_bodies(lammps, ranks):
    """Edge against face in one substep, across processes: an end of the edge, 0.05 m beside both centres, feels 0.2 kg."""
    parts = CUBE | dict(
        bodies="create_polyhedra 1 at -0.1 0 0.5 rotate 45 0 0 1\ncreate_polyhedra 1 at 0.1 0 0.5\n"
        "velocity all set 2 0 0\ngroup b id 2\nvelocity b set -2 0 0",
        gravity=0,
        dt=1e-3,
        motion="scheme em substeps 1",
        processors=f"{ranks} 1 1",
    )
    soft = f"normal {ENOUGH / 20:.10g} 1.5 gap 0.002 barrier 0.1 -1"
    text = lammps(scene(**parts, law=soft, run="run 100"), ranks=ranks, fail="body 1 and body 2 would come into").error
    speed, eps1 = (float(re.search(p, text).group(1)) for p in (r"impact at speed (\S+)\.", r"eps1 (\S+) in place"))
    show(speed=speed, eps1=eps1 / ENOUGH)
    assert speed == pytest.approx(4.0, rel=0.02)
    assert 0.98 < eps1 / (0.8 * ENOUGH) < 1.1 * 1.02  # rounded up to two digits


@pytest.mark.parametrize("ranks", [1, 2])
def test_too_soft_between_bodies(lammps, ranks):
    """Edge against face at 4 m/s, the reduced mass half a kilogram; across processes."""
    parts = CUBE | dict(
        bodies="create_polyhedra 1 at -0.1 0 0.5 rotate 45 0 0 1\ncreate_polyhedra 1 at 0.1 0 0.5\n"
        "velocity all set 2 0 0\ngroup b id 2\nvelocity b set -2 0 0",
        gravity=0,
        dt=1e-4,
        processors=f"{ranks} 1 1",
    )
    r = lammps(scene(**parts, law=SOFT.format(0.3 * ENOUGH), run="run 400"), ranks=ranks, warn=BARRIER)
    speed = float(re.search(r"impact at speed (\S+)\.", r.warnings[0]).group(1))
    show(warning=r.warnings[0])
    assert [w[:2] for w in said(r)] == [("body 1", "body 2")]
    assert speed == pytest.approx(4.0, rel=0.05)


def test_the_barrier_of_another_law(lammps):
    """A gap of 0.1 mm is in the barrier of the thick law and not in that of the thin one."""
    thin = f"pair_coeff 1 1 normal {2.5 * 4.0 / 0.00036**2.5:.10g} 1.5 gap 0.0004 barrier 0.1 -2\n"
    thick = "pair_coeff 2 2 normal 1e6 1.5 gap 0.01 barrier 0.1 -2"
    parts = CUBE | ON_CORNER | dict(types=2, shapes="* box 0.1 0.1 0.1 density 1000")
    r = lammps(scene(**parts, law=thin + thick, every=1, thermo="f_motion[6]", run="run 600"))
    low = r.thermo()["f_motion[6]"].min()
    show(smallest_gap=low)
    assert 4e-5 < low < 1e-3


# three cubes of 1 m on each other, with joints of 1 mm where the size alone gives contact at 20 mm
JOINT = 1e-3
STACK = dict(shapes="1 box 1 1 1 density 2400", box="block -5 5 -5 5 -1 10", dt=5e-3, skin=0.1, motion="scheme em",
             bodies="\n".join(f"create_polyhedra 1 at 0 0 {0.5 + k + (k + 1) * JOINT}" for k in range(3)))


def gaps(result) -> list[float]:
    return [law(line)["gap"][0] for line in lines(result)]


@pytest.mark.parametrize("ranks", [1, 2])
def test_bodies_placed_near_each_other_stay(lammps, ranks):
    """No warning, no energy: the law reaches as far as the joints, and the stack stands where it was built."""
    result = lammps(scene(**STACK, law="auto friction 0.5 0.4", thermo="f_motion[8] pe", every=20, run="run 100"),
                    ranks=ranks)
    assert gaps(result) == [0.02, pytest.approx(JOINT, rel=1e-2)] and gaps(result)[1] <= JOINT
    z = np.array([f.columns["z"] for f in result.frames()])
    assert abs(z - z[0]).max() < JOINT
    assert result.thermo()["f_motion[8]"].max() < 3 * 2400 * 9.81 * 3 * JOINT


@pytest.mark.parametrize("pair", ["pair_style polyhedron", "pair_style hybrid/overlay polyhedron zero 3.0"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_near_bodies_with_an_explicit_integrator(lammps, pair, ranks):
    """The same law; energy, stress and forces at set-up are those of that law, over a held body too."""
    law = "auto friction 0.5 0.4"
    if "hybrid" in pair:
        law = "pair_coeff * * polyhedron auto friction 0.5 0.4\npair_coeff * * zero"
    motion = "comm_modify vel yes\nfix motion all nve/asphere\ngroup low id 1\nfix hold low setforce 0 0 0"
    parts = {**STACK, "motion": motion, "dt": 1e-5, "skin": 0.2}
    result = lammps(scene(**parts, pair=pair, law=law, every=20, run="run 20", thermo="pe press fmax f_floor[3]"),
                    ranks=ranks)
    assert gaps(result) == [0.02, pytest.approx(JOINT, rel=1e-2)]
    first = result.thermo()
    assert abs(first["PotEng"][0]) < 1e-6 and abs(first["Press"][0]) < 1e-9 and abs(first["f_floor[3]"][0]) < 1e-6
    assert first["Fmax"][0] == pytest.approx(2400 * 9.81, rel=1e-9)


def test_walls_with_a_law_of_their_own_and_mixed_types_too(lammps):
    """The first block is 1 mm from the floor, the second, of another type, 2 mm from the first; that law is mixed."""
    parts = STACK | dict(types=2, shapes="1*2 box 1 1 1 density 2400",
                         bodies="create_polyhedra 1 at 0 0 0.501\ncreate_polyhedra 2 at 0 0 1.503")
    result = lammps(scene(**parts, law="pair_coeff 1 1 auto\npair_coeff 2 2 auto", walls=f"{FLOOR} auto friction 0.3 0.3",
                          every=20, run="run 20"))
    found = {line.split(" normal")[0]: law("normal" + line.split(" normal")[1])["gap"][0] for line in lines(result)}
    assert found == {"pair_coeff 1 1": pytest.approx(2e-3, rel=1e-2), "pair_coeff 2 2": pytest.approx(2e-3, rel=1e-2),
                     "fix floor wall/polyhedron": pytest.approx(1e-3, rel=1e-2)}


@pytest.mark.parametrize("given, joint", [("gap 0.02", JOINT), ("fraction 0.02", JOINT), ("", 1e-4)])
def test_a_gap_that_is_given_or_too_small_stays(lammps, given, joint):
    """Then the run begins with energy, and says so."""
    parts = STACK | dict(bodies=f"create_polyhedra 1 at 0 0 {0.5 + joint}")
    result = lammps(scene(**parts, law=f"auto {given}", run="run 1"), warn="They fly apart where no load holds them; the page of fix implicit/polyhedron says how")
    assert gaps(result) == [0.02]


def test_a_later_run_keeps_the_law(lammps):
    """The choice is made once: bodies that come nearer in the meantime do not change it, over a restart neither."""
    first = lammps(scene(**STACK, law="auto", every=20, run="run 20\nwrite_restart state\nrun 20"), where="here")
    assert len(lines(first)) == 2
    end = states(first)[-1]
    rest = f"pair_style polyhedron\npair_coeff * * auto\n{FLOOR}"
    on = lammps(from_restart("state", STACK["shapes"], rest, skin=0.1, every=20, steps=20), where="here")
    assert lines(on) == []
    assert np.array_equal(states(on)[-1], end)
