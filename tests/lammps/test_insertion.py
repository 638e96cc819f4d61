"""Bodies placed at random: create_polyhedra fill."""

from __future__ import annotations

import resource

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, SHAPES, scene

MIXED = "1 rock 0.04 0.035 0.03 20 1 density 2650 2 box 0.03 0.03 0.03 density 2650 " \
        "3 tetrapod 0.025 0.01 0.6 density 2400 4 capsule 0.01 0.02 density 1000"
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
    ("create_polyhedra 1 fill silo fraction 1.5 1", "fraction must lie between 0 and 1"),
    ("create_polyhedra 1 fill silo count 5 1 shift 1 0 0", "shift .*for place alone"),
    ("create_polyhedra 1 at 0 0 0 gap 1", "gap 1: this keyword is for fill alone"),
    ("create_polyhedra 1*2 fill silo count 5 1 weight 3 1", "weight 3: the types of this command are 1 to 2"),
    ("create_polyhedra 1 fill silo count 5 1 weight 1 0", "all weights are zero"),
    ("region far block 5 6 5 6 5 6\ncreate_polyhedra 1 fill far count 5 1", "nothing of the region lies in the simulation box"),
    ("variable z equal 0.1\nregion lift sphere 0 0 0 0.1 move NULL NULL v_z\ncreate_polyhedra 1 fill lift count 5 1", "region lift moves or turns"),
    ("create_polyhedra 1 fill silo volume 1e9 1", "the target is a volume of more than"),
])
def test_errors(lammps, command, message):
    lammps(filled(command), fail=message)


def test_too_small_a_periodic_box(lammps):
    lammps(filled("create_polyhedra 1 fill silo count 5 1", boundary="p p p", walls="", box="block -0.02 0.02 -0.02 0.02 -0.02 0.02"),
           fail="less than two bodies")
