"""The same on any number of processes: fixed substeps and a tight tolerance, from a state in
contact, bodies migrating."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import FLOOR, MIX, PRESSED, ROUGH_HEAP, grid, pile, scene

EDGE = 0.1
POSE = (
    "x",
    "y",
    "z",
    "c_q[1]",
    "c_q[2]",
    "c_q[3]",
    "c_q[4]",
    "vx",
    "vy",
    "vz",
    "angmomx",
    "angmomy",
    "angmomz",
)
FRICTION = f"pair_coeff * * {ROUGH_HEAP}"
ONE = ("1 1 1", "")  # processors, balance: a cut through the middle of the heap
COLUMNS = " ".join(f"c_c[{k}]" for k in range(1, 12))

# goes on from a restart file with fixed substeps: the heap, without its side walls,
# moves on as a whole by a tenth of a metre, so that bodies change process
GO_ON = """processors {processors}
read_restart state
{law}
fix shapes all polyhedron/shape {shapes} write shapes.txt
fix_modify POLYHEDRON_RESTART changed all
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix g all gravity 9.81 vector 0 0 -1
velocity all set 2.0 0.0 0.0 sum yes
timestep 0.001
neighbor 0.02 bin
fix motion all implicit/polyhedron scheme {scheme} substeps {substeps} tol 1e-10
{balance}
compute q all property/atom quatw quati quatj quatk
compute c all polyhedron/contact/local
thermo_style custom step pe f_motion[1] f_motion[2] f_motion[7] f_motion[8] f_motion[9] &
  f_motion[18] f_floor[3]
thermo_modify format float %.17g norm no
thermo 10
dump d all custom 5 dump.{name} id type proc x y z c_q[1] c_q[2] c_q[3] c_q[4] &
  vx vy vz angmomx angmomy angmomz
dump_modify d sort id format float %.17g
dump rows all local 5 rows.{name} {columns}
dump_modify rows format float %.17g
run {steps}
"""


def rows(result, name):
    """Contacts of every frame: numbers of bodies and kind, then the figures; sorted."""
    tables = [frame.table() for frame in result.frames(f"rows.{name}")]
    return [t[np.lexsort(np.column_stack([t[:, :3], t[:, 3:6].round(5)]).T[::-1])] for t in tables]


def compare(lammps, scheme, grid, half, height, start, layouts, law="", steps=50, substeps=4):
    lammps(
        pile(
            *grid,
            half,
            height,
            every=1000,
            extra="fix drag all viscous 3",
            pitch=0.2,
            margin=0.3,
            run=f"run {start}\nwrite_restart state",
        ),
        where="here",
        may_warn=PRESSED,
    )
    runs = {}
    for name, (processors, balance) in layouts.items():
        ranks = int(name)
        text = GO_ON.format(
            processors=processors,
            balance=balance,
            shapes=MIX,
            name=name,
            columns=COLUMNS,
            scheme=scheme,
            law=law,
            steps=steps,
            substeps=substeps,
        )
        r = lammps(text, ranks=ranks, where="here")
        frames = r.frames(f"dump.{name}")
        assert frames[-1].step - frames[0].step == steps
        runs[name] = (frames, rows(r, name), r.thermo())
        assert lammps.intersections(r, f"dump.{name}", "0 0 0 0 0 1") == 0
    one, contacts, thermo = runs.pop("1")
    assert thermo["f_motion[1]"][-1] - thermo["f_motion[1]"][0] == substeps * steps
    touching = thermo["f_motion[7]"].min()
    show(
        bodies=len(one[0].columns["id"]),
        first_contacts=len(contacts[0]),
        last_contacts=len(contacts[-1]),
    )
    assert touching > 0 and len(contacts[0]) > 10
    for name, (frames, other, figures) in runs.items():
        across = 0
        for frame, table in zip(frames, other):
            owner = dict(zip(frame.columns["id"], frame.columns["proc"]))
            across += sum(owner[a] != owner[b] for a, b in table[:, :2] if b > 0)
        moved = (frames[0].columns["proc"] != frames[-1].columns["proc"]).sum()
        error = [
            np.abs(a.vectors("x", "y", "z") - b.vectors("x", "y", "z")).max() / EDGE
            for a, b in zip(one, frames)
        ]
        turn = np.abs(one[-1].vectors(*POSE[3:7]) - frames[-1].vectors(*POSE[3:7])).max()
        assert all(np.array_equal(a[:, :3], b[:, :3]) for a, b in zip(contacts, other))
        gaps = max(np.abs(a[:, 9] - b[:, 9]).max() for a, b in zip(contacts, other)) / EDGE
        show(
            ranks=int(name),
            migrated=int(moved),
            contacts_across=across,
            position_error=error[-1],
            turn_error=turn,
            gap_error=gaps,
            rebuilds=figures["f_motion[18]"][-1],
            force=figures["f_floor[3]"][-1],
        )
        assert moved > 0 and across > 0
        assert max(error) < 1e-8 and turn < 1e-7 and gaps < 1e-8
        assert (figures["f_motion[7]"] == thermo["f_motion[7]"]).all()
        for column in ("PotEng", "f_motion[8]", "f_motion[9]", "f_floor[3]"):
            assert figures[column] == pytest.approx(thermo[column], rel=1e-5)


@pytest.mark.parametrize("scheme", ["euler", "newmark", "em"])
def test_two_ranks_agree_with_one(lammps, scheme):
    compare(
        lammps,
        scheme,
        (2, 2, 5),
        0.2,
        1.4,
        140,
        {"1": ONE, "2": ("2 1 1", "balance 1.0 x 0.45")},
        substeps=10 if scheme == "em" else 4,
    )


# bodies, pitch, height and steps of a heap small enough for four ranks, and how these share it
SMALL = ((2, 2, 4), 0.2, 1.2, 110)
FOUR = ("2 1 2", "balance 1.0 x 0.45 z 0.17")


def test_ranks_that_share_the_system_agree(lammps, monkeypatch):
    """Iterations over the border of the processes instead of a solution by each: 200 substeps."""
    monkeypatch.setenv("PETSC_OPTIONS", "-polyhedra_replicate_below 0")
    compare(
        lammps,
        "euler",
        *SMALL,
        {"1": ONE, "2": ("2 1 1", "balance 1.0 x 0.45"), "4": FOUR},
        law=FRICTION,
    )


def test_four_ranks_agree_with_one(lammps):
    compare(
        lammps,
        "euler",
        *SMALL,
        {"1": ONE, "4": FOUR},
    )


# 240 and 500 substeps; what the sums of several processes round differently grows with time
@pytest.mark.parametrize(("scheme", "start", "steps", "substeps"), [("euler", 110, 60, 4), ("em", 120, 50, 10)])
def test_ranks_agree_with_friction(lammps, scheme, start, steps, substeps):
    compare(
        lammps,
        scheme,
        (2, 2, 4),
        0.2,
        1.2,
        start,
        {"1": ONE, "2": ("2 1 1", "balance 1.0 x 0.45"), "4": ("2 1 2", "balance 1.0 x 0.45 z 0.17")},
        law=FRICTION,
        steps=steps,
        substeps=substeps,
    )


def test_restitution_across_ranks(lammps):
    """Unresolved impacts of a law without damping: the scheme asks for the speeds of ghosts."""
    end = {}
    for ranks in (1, 2):
        r = lammps(
            scene(
                bodies="create_polyhedra 1 at -0.2 0 0.5 rotate 30 1 2 3\n"
                "create_polyhedra 1 at 0.2 0.02 0.5\n"
                "velocity all set 2 0 0\ngroup b id 2\nvelocity b set -1 0 0",
                law="normal 1e8 1.5 gap 0.002 barrier 0.1 -2 restitution 0.4",
                gravity=0,
                walls="",
                dt=5e-3,
                motion="scheme em substeps 2",
                processors=f"{ranks} 1 1",
                every=10,
                run="run 40",
            ),
            ranks=ranks,
        )
        end[ranks] = r.frames()[-1].vectors(*POSE)
    v = end[1][:, 7:10]
    show(difference=np.abs(end[1] - end[2]).max(), speed=v[1, 0] - v[0, 0])
    assert 0.2 < v[1, 0] - v[0, 0] < 2.0
    assert np.abs(end[1] - end[2]).max() < 1e-12


# a plate under 121 cubes, on the border of two processes
LID = """boundary f f f
processors 2 1 1
atom_style ellipsoid
units si
atom_modify map yes
region box block -1.2 1.2 -1 1 -0.1 0.9
create_box 2 box
fix shapes all polyhedron/shape 1 box 0.1 0.1 0.1 density 1000 2 box 1.8 1.8 0.1 density 1000
create_polyhedra 2 at -0.0001 0 0.0509
{cubes}
pair_style polyhedron
pair_coeff * * normal 1e8 1.5 gap 0.001 barrier 0.1 -1 friction 0.5 0.5 1e6 100
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix g all gravity 9.81 vector 0 0 -1
timestep 1e-3
neighbor 0.02 bin
fix motion all implicit/polyhedron scheme euler
velocity all set 0.2 0 0
thermo_style custom step f_motion[7]
"""
AFTER = {
    "run": "run 5",  # its set-up takes the plate to the other process
    "balance": "balance 1.0 x 0.7\nbalance 1.0 x 0.4\nrun 5",
    "restart": "write_restart state",
}


@pytest.mark.parametrize("after", AFTER)
def test_body_of_many_contacts_goes_to_another_process(lammps, after):
    """What it remembers is longer than the host's buffers are, unless they are told."""
    rows = [-0.62 + 0.12 * i for i in range(11)]
    cubes = "\n".join(f"create_polyhedra 1 at {x:.3f} {y - 0.1:.3f} 0.1518" for x in rows for y in rows)
    script = LID.format(cubes=cubes)
    result = lammps(script + "run 100\n" + AFTER[after], ranks=2, where="here")
    if after == "restart":
        kept = ("fix ", "pair_coeff", "timestep", "neighbor", "thermo_style")
        again = "\n".join(line for line in script.splitlines() if line.startswith(kept))
        moved = "balance 1.0 x 0.7\nbalance 1.0 x 0.4\nrun 5"
        result = lammps(f"processors 2 1 1\nread_restart state\n{again}\n{moved}", ranks=2, where="here")
    contacts = result.thermo()["f_motion[7]"]
    show(contacts=contacts[-1])
    assert contacts[-1] > 400


def test_default_skin_of_units_si(lammps):
    """Twenty bodies that fall with 1 mm: lists reach further by the size of the bodies, ghosts with them, on any number of processes."""
    parts = dict(types=4, shapes=MIX, box="block -0.5 0.5 -0.5 0.5 -0.1 1.4", bodies=grid(2, 2, 5, 0.2, (-0.1, -0.1, 0.15), 4), walls=FLOOR,
                 law=ROUGH_HEAP, dt=0.005, skin=0.001, motion="scheme em", every=10, thermo="f_motion[1] f_motion[18]", run="run 60")
    one, two = lammps(scene(**parts)), lammps(scene(**parts, processors="2 1 1"), ranks=2)
    a, b = (r.frames()[-1].vectors("x", "y", "z", "vx", "vy", "vz") for r in (one, two))
    show(difference=np.abs(a - b).max(), substeps=one.thermo()["f_motion[1]"][-1])
    assert np.abs(a - b).max() < 1e-9
    assert one.thermo()["f_motion[1]"][-1] < 6 * 60
    assert lammps.intersections(two, "dump", "0 0 0 0 0 1") == 0
