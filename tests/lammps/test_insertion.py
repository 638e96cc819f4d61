"""Bodies placed at random: create_polyhedra fill; their sizes; the pieces of a box."""

from __future__ import annotations

import math
import resource
import sys

import numpy as np
import pytest

from conftest import ROOT, show
from scenes import FLOOR, SHAPES, scene

MIXED = "1 rock 0.04 0.035 0.03 20 1 density 2650 2 box 0.03 0.03 0.03 density 2650 " \
        "3 tetrapod 0.025 0.01 0.6 density 2400 4 capsule 0.01 0.02 density 1000"
sys.path.insert(0, str(ROOT / "src-plugin" / "python"))
from lammps_polyhedra import read_shapes  # noqa: E402

SOFT = "pair_style polyhedron\npair_coeff * * normal 1e8 1.5 gap 0.0005 barrier 0.1 -2"
SILO = "region silo cylinder z 0 0 0.2 0 0.4"


def filled(command: str, *, region: str = SILO, before: str = "", **parts) -> str:
    """Bodies in a region, their law known before they come."""
    default = dict(types=4, shapes=MIXED, box="block -0.3 0.3 -0.3 0.3 -0.1 0.5", gravity=0.0, skin=0.01, dt=1e-4, thermo="pe ke",
                   every=1, run="run 0")
    return scene(**(default | parts | dict(pair=f"{SOFT}\n{region}", bodies=before, law="", extra=command)))


def bodies(run) -> dict[str, np.ndarray]:
    return run.frames()[-1].columns


def test_count_and_no_contact(lammps):
    """As many as asked for; none crosses another, none is so near that a force acts, none leaves the region."""
    run = lammps(filled("create_polyhedra * fill silo count 400 4711"))
    made = bodies(run)
    assert len(made["id"]) == 400 and np.abs(np.bincount(made["type"].astype(int))[1:] - 100).max() <= 1
    assert run.thermo()["PotEng"].tolist() == [0.0] and lammps.intersections(run) == 0
    assert np.hypot(made["x"], made["y"]).max() < 0.2 and made["z"].min() > 0.0 and made["z"].max() < 0.4


def test_same_on_all_numbers_of_processes(lammps):
    """IDs, types, places and orientations to the last bit, in a periodic box beside a body that is there."""
    script = filled("create_polyhedra 1*3 fill silo fraction 0.2 4711 inside center weight 2 3.0 by volume", boundary="p p f", walls="",
                    box="block -0.12 0.12 -0.12 0.12 0 0.4", before="create_polyhedra 4 at 0 0 0.2")
    runs = [lammps(script, ranks=n) for n in (1, 2, 4)]
    first = (runs[0].dir / "dump").read_bytes()
    assert all((r.dir / "dump").read_bytes() == first for r in runs)
    assert all(r.thermo()["PotEng"].tolist() == [0.0] for r in runs)
    made = bodies(runs[0])
    assert made["id"].tolist() == list(range(1, len(made["id"]) + 1)) and made["type"][0] == 4


@pytest.mark.parametrize("target, value, by", [("fraction", 0.2, "number"), ("volume", 0.008, "volume")])
def test_target_is_met(lammps, target, value, by):
    """Volume to within half a body, and the parts of the types to within two bodies."""
    run = lammps(filled(f"create_polyhedra 1*3 fill silo {target} {value} 99 by {by} weight 1 1.0 weight 2 2.0 weight 3 0.5\n"
                        "compute m all property/atom mass\ndump m all custom 1 masses id type mass\ndump_modify m sort id format float %.17g"))
    made = run.frames("masses")[-1].columns
    density = np.array([0.0, 2650.0, 2650.0, 2400.0, 1000.0])
    types = made["type"].astype(int)
    volume = made["mass"] / density[types]
    space = np.pi * 0.2**2 * 0.4
    assert volume.sum() == pytest.approx(value * (space if target == "fraction" else 1.0), abs=0.51 * volume.max() + 1e-4 * space * value)
    share = np.array([np.sum(volume[types == t] if by == "volume" else (types == t)) for t in (1, 2, 3)])
    each = volume.max() if by == "volume" else 1.0
    assert share == pytest.approx(share.sum() * np.array([1.0, 2.0, 0.5]) / 3.5, abs=2.5 * each)


@pytest.mark.parametrize("by", ["number", "volume"])
def test_weights_are_of_the_types_that_are_named(lammps, by):
    """A command that takes one of twelve types of a definition gives it the whole weight; twelve share it."""
    shapes = "1 box 0.02 0.02 0.02 2*13 box 0.02 0.02 0.02"
    for types, weights, expected in (("1*2", "", {1: 60, 2: 60}), ("1*2", "weight 1 1 weight 2 3", {1: 30, 2: 90}),
                                     ("*", "", {1: 60, 5: 5}), ("*", "weight 2*13 3", {1: 30, 5: 7.5})):
        made = bodies(lammps(filled(f"create_polyhedra {types} fill silo count 120 1 by {by} {weights}", types=13, shapes=shapes)))
        count = np.bincount(made["type"].astype(int), minlength=14)
        assert all(abs(count[t] - n) <= 1.5 for t, n in expected.items()), (types, weights, count)


@pytest.mark.parametrize("command", ["create_polyhedra 1 fill silo fraction 0.2 1", "create_polyhedra 1 fill silo volume 1e-3 1",
                                     "fix pour all insert/polyhedron 1 in silo fraction 0.2 1"])
def test_bodies_larger_than_all_of_them(lammps, command):
    """A forgotten factor of a thousand does not leave the region empty without a word."""
    lammps(filled(command, shapes="1 box 40 30 30", types=1, run="run 1"),
           fail=r"no body would be placed: the first has the volume 36000, and that of all is to be")


def test_open_regions_are_refused(lammps):
    """For the host all places are in them."""
    lammps(filled("create_polyhedra 1 fill silo fraction 0.1 1", region=f"{SILO} open 2"), fail="region silo has open faces")


def test_orientations_are_even(lammps):
    """The components of the unit quaternions have the moments 0, 1/4, 1/8 of an even distribution on the sphere."""
    run = lammps(filled("create_polyhedra 1*3 fill silo count 2000 7 gap 0", shapes=MIXED.replace("0.0", "0.00"), thermo="step", run="run 0"))
    made = bodies(run)
    q = np.array([made[f"c_q[{k}]"] for k in range(1, 5)])
    show(mean=float(np.abs(q.mean(axis=1)).max()), square=float((q**2).mean(axis=1).max()))
    assert np.abs(q.mean(axis=1)).max() < 4 * 0.5 / np.sqrt(2000)
    assert (q**2).mean(axis=1) == pytest.approx([0.25] * 4, abs=4 * 0.25 / np.sqrt(2000))
    assert (q**4).mean(axis=1) == pytest.approx([0.125] * 4, abs=4 * 0.2 / np.sqrt(2000))


def test_given_orientation_and_walls(lammps):
    """Cubes as in their file, over a floor and under a lid that lie within the region, and beside a triangulated wall."""
    plate = "solid plate\nfacet normal 0 0 1\nouter loop\nvertex -9 -9 0.05\nvertex 9 -9 0.05\nvertex 0 9 0.05\nendloop\nendfacet\nendsolid\n"
    walls = f"{FLOOR} plane 0 0 0.3 0 0 -1\nfix plate all wall/polyhedron stl plate.stl"
    run = lammps(filled("create_polyhedra 2 fill box count 200 5 rotate 0 0 0 1", region="", walls=walls), files={"plate.stl": plate})
    made = bodies(run)
    assert (made["c_q[1]"] == 1.0).all() and run.thermo()["PotEng"].tolist() == [0.0]
    assert made["z"].min() > 0.015 and made["z"].max() < 0.285
    assert np.abs(made["z"] - 0.05).min() > 0.015


def test_what_does_not_fit(lammps):
    """A region that is full: a warning that says how many there are, and they stand free."""
    run = lammps(filled("create_polyhedra 2 fill silo count 5000 5 attempts 100"), warn=r"(\d+) of 5000 bodies found a place, volume \S+, 0\.\d* of the "
                 "region; attempts 100 were not enough")
    made = bodies(run)
    show(bodies=len(made["id"]))
    assert 250 < len(made["id"]) < 5000 and run.thermo()["PotEng"].tolist() == [0.0]


def test_other_commands(lammps):
    """Bodies of a second fill keep off those of the first; some are deleted, turned, and written to a data file, and it goes on."""
    more = "create_polyhedra 1*2 fill silo count 60 1\ndelete_atoms group all compress yes\n" \
           "create_polyhedra 1*2 fill silo count 60 1\ncreate_polyhedra 3 fill silo count 60 1\ngroup first id 1:30\n" \
           "delete_atoms group first\nset type 3 vz -0.1\ncreate_polyhedra 1 fill silo count 30 2\nrun 20\nwrite_data data.txt"
    run = lammps(filled(more, motion="scheme em", gravity=9.81))
    made = bodies(run)
    assert len(made["id"]) == 120 and "120 ellipsoids" in (run.dir / "data.txt").read_text()
    assert lammps.intersections(run) == 0


def test_ten_thousand(lammps):
    """10,000 bodies in seconds."""
    shapes = f"1 rock 0.04 0.035 0.03 20 1 density 2650 2 stl {SHAPES}/rock1.stl scale 0.3 density 2650"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    lammps(filled("create_polyhedra * fill all_of_it count 10000 4711", region="region all_of_it block -0.5 0.5 -0.5 0.5 0 1", types=2, shapes=shapes,
                  box="block -0.5 0.5 -0.5 0.5 -0.1 1.1", every=0, thermo="", motion="", run=""))
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    show(seconds=spent)
    assert spent < 30.0


@pytest.mark.parametrize("command, message", [
    ("create_polyhedra 1 fill hole count 5 1", "there is no region hole"),
    ("create_polyhedra 1 fill silo number 5 1", "target .*count, volume or fraction|must be count, volume or fraction"),
    ("create_polyhedra 1 fill silo count 5.5 1", "count must be a whole number"),
    ("create_polyhedra 1 fill silo fraction -0.7 1", "fraction must be > 0 and finite, not -0.7"),
    ("create_polyhedra 1 fill silo fraction 1.5 1", "fraction must lie between 0 and 1"),
    ("create_polyhedra 1 fill silo count 5 1 shift 1 0 0", "shift .*for place alone"),
    ("create_polyhedra 1 at 0 0 0 gap 1", "gap 1: this keyword is for fill alone"),
    ("create_polyhedra 1*2 fill silo count 5 1 weight 3 1", "weight 3: the types of this command are 1 to 2"),
    ("create_polyhedra 1 fill silo count 5 1 weight 1 0", "all weights are zero"),
    ("region far block 5 6 5 6 5 6\ncreate_polyhedra 1 fill far count 5 1", "nothing of the region lies in the simulation box"),
    ("variable z equal 0.1\nregion lift sphere 0 0 0 0.1 move NULL NULL v_z\ncreate_polyhedra 1 fill lift count 5 1", "region lift moves or turns"),
    ("create_polyhedra 1 fill silo volume 1e9 1", "the target is more than 21474836 bodies"),
    ("create_polyhedra 1 fill silo count 300000000 1", "the target is more than 21474836 bodies"),
])
def test_errors(lammps, command, message):
    lammps(filled(command), fail=message)


def test_too_small_a_periodic_box(lammps):
    lammps(filled("create_polyhedra 1 fill silo count 5 1", boundary="p p p", walls="", box="block -0.02 0.02 -0.02 0.02 -0.02 0.02"),
           fail="less than two bodies")


# ---- sizes ----

CURVE = "# opening passing\n0.01 0\n0.0125 15 # fine\n\n0.02 60\n0.03 100\n"


def sieve_size(vertices: np.ndarray) -> float:
    """Smallest square about the projections along the axes, by a fine sweep of angles."""
    angle = np.linspace(0, np.pi / 2, 2001)
    turns = np.moveaxis(np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]), 2, 0)
    return min(np.ptp(np.delete(vertices, axis, axis=1) @ turns, axis=1).max(axis=1).min() for axis in range(3))


def through(opening: float) -> float:
    """Part of the mass that passes a sieve of the curve."""
    return float(np.interp(np.log(opening), np.log([0.01, 0.0125, 0.02, 0.03]), [0, 0.15, 0.6, 1.0]))


DISTRIBUTIONS = {
    "uniform 0.01 0.02": lambda d: min(max((d - 0.01) / 0.01, 0), 1),
    "lognormal 0.015 0.25": lambda d: 0.5 * math.erfc(-math.log(d / 0.015) / 0.25 / math.sqrt(2)),
    "sieves curve.txt": through,
}


@pytest.mark.parametrize("sizes", DISTRIBUTIONS)
def test_size_distribution(lammps, sizes):
    """Kolmogorov's distance of the sizes of the bodies from what was asked for, by number or by mass: no more than the classes make."""
    n, count = 25, 4000
    shapes = f"1*{n} rock 1 0.8 0.6 12 3 density 2000 sizes {sizes} {n + 1}*{2 * n} box 1 1 1.3 scale 7 density 1000 sizes {sizes}"
    run = lammps(filled(f"create_polyhedra * fill silo count {count} 4711 gap 1e-5 by {'volume' if 'sieves' in sizes else 'number'}", types=2 * n,
                        shapes=shapes, region="region silo block -0.3 0.3 -0.3 0.3 0 0.5", motion="", thermo="step", run="run 0"),
                 files={"curve.txt": CURVE})
    made = read_shapes(run.dir / "shapes.txt")
    size = {t: sieve_size(s.vertices) for t, s in made.items()}
    types = bodies(run)["type"].astype(int)
    assert len(types) == count
    weight = np.array([made[t].volume if "sieves" in sizes else 1.0 for t in types])
    order = np.argsort([size[t] for t in types], kind="stable")
    have = np.cumsum(weight[order]) / weight.sum()
    asked = np.array([DISTRIBUTIONS[sizes](size[t]) for t in types[order]])
    distance = max(np.abs(have - asked).max(), np.abs(have - weight[order] / weight.sum() - asked).max())
    show(kolmogorov=float(distance), classes=0.5 / n)
    assert distance < 0.5 / n + 0.005


def test_sizes_are_sieve_sizes(lammps):
    """Of rounded bodies too, which are enlarged as a whole; a single type has the median."""
    run = lammps(filled("", types=4, shapes="1 box 2 3 4 round 0.5 sizes uniform 0.1 0.3 2 sphere 1 sizes lognormal 0.5 0.1 "
                        "3*4 prism 3 1 5 sizes uniform 0.1 0.2", motion="", run=""))
    made = read_shapes(run.dir / "shapes.txt")
    assert np.ptp(made[1].vertices, axis=0) * 20 == pytest.approx([2, 3, 4]) and made[1].round == pytest.approx(0.2 / 4 * 0.5)
    assert made[2].round == pytest.approx(0.25)
    assert [sieve_size(made[t].vertices) for t in (3, 4)] == pytest.approx([0.125, 0.175], rel=1e-6)
    assert "atom types 3 to 4: sieve sizes 0.125 to 0.175" in run.text


EQUAL_MOMENTS = {"box 1 1 1": 1.0, "box 1 1 0.1": 1.1 / 2**0.5, "tetrahedron 1": 0.5**0.5, "octahedron 1": 8**0.5 / 3, "prism 6 1 1": 3**0.5,
                 "tetrapod 1 0.4 0.6": None}


def obj(shape, turn: np.ndarray) -> str:
    return "\n".join(["v %.9g %.9g %.9g" % tuple(v) for v in shape.vertices @ turn.T] + ["f %d %d %d" % tuple(t + 1) for t in shape.triangles])


@pytest.mark.parametrize("axis, angle", [((1, -1, 0), 0.9553), ((0, 0, 1), np.pi / 4), ((1, 2, 3), 0.7)])
def test_sizes_of_turned_files(lammps, axis, angle):
    """Bodies with equal moments: the mass at a size is that of the body, whatever axes its file has."""
    count = len(EQUAL_MOMENTS)
    own = read_shapes(lammps(filled("", types=count, shapes=" ".join(f"{k + 1} {s} density 1" for k, s in enumerate(EQUAL_MOMENTS)), motion="",
                                    run="")).dir / "shapes.txt")
    cross = np.cross(np.eye(3), np.array(axis) / np.linalg.norm(axis)).T
    turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    files = {f"own{k}.obj": obj(s, np.eye(3)) for k, s in own.items()} | {f"turned{k}.obj": obj(s, turn) for k, s in own.items()}
    shapes = " ".join(f"{k + 1} obj {name} density 1 sizes uniform 0.1 0.1" for k, name in enumerate(files))
    made = read_shapes(lammps(filled("", types=2 * count, shapes=shapes, motion="", run=""), files=files).dir / "shapes.txt")
    for (source, size), k in zip(EQUAL_MOMENTS.items(), own):
        assert made[k + count].volume == pytest.approx(made[k].volume, rel=1e-5), source
        if size:
            assert made[k].volume == pytest.approx(own[k].volume * (0.1 / size) ** 3, rel=1e-5), source


@pytest.mark.parametrize("sizes, message, curve", [
    ("", "sizes: unknown distribution write; the distributions are uniform, lognormal and sieves", ""),
    ("gauss 1 2", "sizes: unknown distribution gauss", ""),
    ("uniform 0.2 0.1", "the largest size must not be below the smallest", ""),
    ("sieves none.txt", "none.txt: cannot open file", ""),
    ("sieves curve.txt", "expected the opening of a sieve and what passes, line 2", "0.1 0\n0.2\n"),
    ("sieves curve.txt", "nothing must pass the finest sieve.*line 1", "0.1 5\n0.2 100\n"),
    ("sieves curve.txt", "openings must ascend.*line 3", "0.1 0\n0.2 50\n0.15 100\n"),
    ("sieves curve.txt", "all must pass the widest one", "0.1 0\n0.2 50\n"),
])
def test_errors_of_sizes(lammps, sizes, message, curve):
    lammps(filled("", types=1, shapes=f"1 box 1 1 1 sizes {sizes}"), fail=message, files={"curve.txt": curve})


def test_voronoi_cells_fill_their_box(lammps):
    """Volumes add up to the box but for the gap, and each cell lies where its source has it: together they are the box."""
    n = 40
    run = lammps(filled("create_polyhedra * place shift 0 0 0.2", types=n, shapes="* voronoi 0.3 0.2 0.1 1e-6 5 density 1000", walls="",
                        thermo="step", motion="", run="run 0", law="", every=1))
    made, placed = read_shapes(run.dir / "shapes.txt"), bodies(run)
    assert sum(s.volume for s in made.values()) == pytest.approx(0.006, rel=1e-4)
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for k, t in enumerate(placed["type"].astype(int)):
        w, x, y, z = (placed[f"c_q[{i}]"][k] for i in range(1, 5))
        turn = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                         [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                         [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        world = made[t].vertices @ turn.T + [placed[c][k] for c in "xyz"]
        low, high = np.minimum(low, world.min(axis=0)), np.maximum(high, world.max(axis=0))
    assert low == pytest.approx([-0.15, -0.1, 0.15]) and high == pytest.approx([0.15, 0.1, 0.25])


def test_voronoi_cells_keep_their_gap(lammps):
    """The pieces of a box stand a little apart: no force, no intersection; half of them then fall apart."""
    run = lammps(filled("create_polyhedra * place shift 0 0 0.2\nrun 20", types=30, shapes="* voronoi 0.3 0.2 0.1 0.001 5 density 1000",
                        gravity=9.81, dt=1e-3, every=20))
    assert run.thermo()["PotEng"][0] == 0.0 and lammps.intersections(run, "dump", "0 0 0 0 0 1") == 0
    lammps(filled("", types=30, shapes="* voronoi 0.3 0.2 0.1 0.1 5"), fail="voronoi.*parameter out of range|voronoi.*range")


# ---- poured in while the run goes on ----


def poured(fix: str, **parts) -> str:
    """Bodies that come into the upper half of a silo with a floor."""
    default = dict(types=2, shapes=" ".join(MIXED.split()[:16]), box="block -0.2 0.2 -0.2 0.2 -0.1 0.5", gravity=9.81, dt=2e-3, every=50,
                   thermo="f_pour f_pour[1] f_pour[2]", motion="scheme em", run="run 200",
                   walls=f"{FLOOR} plane -0.19 0 0 1 0 0 plane 0.19 0 0 -1 0 0 plane 0 -0.19 0 0 1 0 plane 0 0.19 0 0 -1 0\nregion top cylinder z 0 0 0.1 0.2 0.4\nfix pour all insert/polyhedron {fix}")
    merged = default | parts
    return scene(**(merged | dict(pair=SOFT + " damping 0.5", bodies="", law="")))


RAIN = "1*2 in top count 60 4711 every 20 rate 200 velocity 0 0 -0.5 weight 2 2.0"


def test_pouring(lammps):
    """As many as are due, at their rate, with their types; none enters another; the log says when all are there."""
    run = lammps(poured(RAIN, every=20))
    t = run.thermo()
    assert t["f_pour"].tolist() == [min(60, int(200 * 2e-3 * (1 + 20 * ((step - 1) // 20))) if step else 0) for step in t["Step"].astype(int)]
    made = bodies(run)
    assert len(made["id"]) == 60 and np.bincount(made["type"].astype(int))[1:] == pytest.approx([20, 40], abs=1)
    assert lammps.intersections(run, "dump", "0 0 0 0 0 1") == 0 and "all bodies are there: 60, volume" in run.text
    assert t["f_pour[2]"][-1] == 0.0


def test_pouring_a_volume(lammps):
    """Nothing is due any more when the last body has brought the volume nearest, below its target as well."""
    for volume in (1e-4, 1.1e-4, 1.2e-4, 1.3e-4):
        run = lammps(poured(f"1*2 in top volume {volume} 4711 every 5 velocity 0 0 -0.5", every=20))
        assert "all bodies are there" in run.text
        assert abs(run.thermo()["f_pour[1]"][-1] - volume) > 1e-7 and run.thermo()["f_pour[2]"][-1] == 0.0


def test_pouring_on_all_numbers_of_processes(lammps):
    """The same bodies with the same IDs in the same steps, before contacts make sums of other orders."""
    script = poured(RAIN, run="run 50", gravity=0.0, every=10)
    dumps = [(lammps(script, ranks=n).dir / "dump").read_bytes() for n in (1, 2, 4)]
    assert dumps[0] == dumps[1] == dumps[2]


@pytest.mark.parametrize("by", ["rate 200", ""])
def test_pouring_goes_on_after_a_restart(lammps, by):
    """From a restart file amid the pouring the same bodies come, to the last bit."""
    fix = RAIN.replace("rate 200", by)
    whole = lammps(poured(fix, run="run 47\nwrite_restart mid\nrun 73", every=10), may_warn="fewer")
    script = poured(fix, run="run 73", every=10)
    after = lammps("read_restart ../run1/mid\n" + script[script.index("fix shapes"):], may_warn="fewer")
    assert after.frames()[-1].columns["id"].tolist() == whole.frames()[-1].columns["id"].tolist()
    for name, column in whole.frames()[-1].columns.items():
        assert after.frames()[-1].columns[name].tolist() == column.tolist(), name


def test_pouring_into_a_full_region(lammps):
    """More is due than the region can take without fall: a warning, no overlap, and the order stays."""
    run = lammps(poured("1*2 in top count 3000 4711 every 10 rate 1e5", gravity=0.0, every=10, run="run 40"), warn="of 3000 so far, fewer than are due")
    made = bodies(run)
    show(bodies=len(made["id"]))
    assert 30 < len(made["id"]) < 3000 and lammps.intersections(run) == 0
    assert abs(np.mean(made["type"] == 1) - 0.5) * len(made["id"]) <= 1.0
    assert run.thermo()["f_pour[2]"][-1] == 3000 - len(made["id"])


@pytest.mark.parametrize("fix, message", [
    ("1 at top count 5 1", "expected in, not at"),
    ("1 in lid count 5 1", "there is no region lid"),
    ("1 in top count 5 1 every 0", "every 0: must be at least 1"),
    ("1 in top count 5 1 speed 3", "unknown keyword speed"),
])
def test_errors_of_pouring(lammps, fix, message):
    lammps(poured(fix, thermo=""), fail=message)


@pytest.mark.parametrize("step", [0, 100000])
def test_pouring_goes_on_after_a_reset_of_the_step(lammps, step):
    """One body in 10 steps, as before, from wherever the steps count now."""
    fix = "1 in top count 60 4711 rate 50 every 10"
    lammps(poured(fix, run="run 50\nwrite_restart mid", every=10), may_warn="fewer")
    script = poured(fix, run="run 50", every=10)
    after = lammps(f"read_restart ../run1/mid\nreset_timestep {step}\n" + script[script.index("fix shapes"):], may_warn="fewer")
    assert np.diff(after.thermo()["f_pour"]).tolist() == [1.0] * 5


def test_pouring_counts_time_in_steps_of_any_length(lammps):
    """fix dt/reset makes steps shorter: as many bodies as are due by the time."""
    run = lammps(poured("1 in top count 60 4711 rate 200 every 1", every=20, dt=1e-2,
                        extra="fix dt all dt/reset 1 1e-5 1e-2 0.002 units box", run="run 200"), may_warn="fewer")
    t = run.thermo()
    due = np.minimum(60, np.floor(200 * t["Time"] * (1 + 1e-9)))
    show(time=t["Time"][-1], there=t["f_pour"][-1], due=due[-1])
    assert t["Time"][-1] < 0.5 * 2.0
    assert (np.abs(t["f_pour"] - due) <= 1).all()


def test_pouring_into_a_box_that_shrinks(lammps):
    """A boundary that follows the bodies would cut off the region."""
    lammps(poured("1 in top count 20 1 rate 50 every 10", boundary="f f fs"), fail="region top reaches beyond the boundary zhi, which is shrink-wrapped")
    assert lammps(poured("1 in top count 5 1", boundary="f f fm")).thermo()["f_pour"][-1] == 5


def test_pouring_for_nobody(lammps):
    """Bodies that no fix would move are refused; those of the group of the fix that moves them are not."""
    text = poured("1 in top count 5 1", motion="fix motion rocks implicit/polyhedron").replace("fix floor", "group rocks type 1\nfix floor")
    lammps(text, fail="nothing would move the bodies of fix pour.*fix motion of style implicit/polyhedron is of group rocks: give fix pour that group")
    lammps(text.replace("fix pour all", "fix pour rocks"))


def test_fill_avoids_walls_of_all_groups(lammps):
    """Bodies get their groups later: no wall is passed over."""
    walls = "group rocks type 1\nfix floor rocks wall/polyhedron plane 0 0 0.15 0 0 1"
    run = lammps(filled("create_polyhedra 1 fill silo count 100 7\ngroup rocks type 1", walls=walls))
    z = bodies(run)["z"]
    assert len(z) == 100 and z.min() > 0.15


BLOCK = "\n".join(
    [f"v {x} {y} {z}" for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (0.01, 0.2)]
    + ["f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"])


def test_bodies_within_an_obstacle(lammps):
    """A closed surface is hollow: that some bodies are within it and some are not is told, once; not of a container."""
    told = "bodies are within the closed surface of wall block, which is hollow"
    for half, warn in ((0.25, told), (0.09, "")):
        wall = f"fix block all wall/polyhedron obj block.obj\nregion bin block -{half} {half} -{half} {half} 0.02 0.19"
        lammps(filled("create_polyhedra 2 fill bin count 25 7", region="", walls=wall), files={"block.obj": BLOCK}, warn=warn)
    lower = "fix block all wall/polyhedron obj block.obj shift 0 0 0.15"
    run = lammps(poured("1*2 in top count 200 7 every 5", gravity=0.0).replace("\nregion top", f"\n{lower}\nregion top"), files={"block.obj": BLOCK}, warn=told)
    assert sum(told in w for w in run.warnings) == 1
