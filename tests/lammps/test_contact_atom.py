"""compute polyhedron/contact/atom: sums over the contacts of each body, against rows, virial and walls."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from conftest import show
from scenes import MIX, grid, pile, scene

PAGE = Path(__file__).resolve().parents[2] / "doc" / "compute_polyhedron_contact_atom.md"
LAW = "normal 1e7 1.5 gap 0.004 damping 0.5 friction 0.5 0.4 1e5 10"
COMPUTES = """compute s all polyhedron/contact/atom
compute c all polyhedron/contact/local
compute p all pressure NULL virial
compute t all reduce sum c_s[10] c_s[11] c_s[12] c_s[13] c_s[14] c_s[15] c_s[22]"""
DUMPS = """dump s all custom 4 sums id type x y z c_s[*]
dump_modify s sort id format float %.17g
dump c all local 4 rows c_c[*]
dump_modify c format float %.17g
"""
THERMO = " ".join([f"c_p[{k}] c_t[{k}]" for k in range(1, 7)] + ["vol c_t[7]"])


def cloud(motion: str = "scheme em", run: str = "run 60", **changes) -> str:
    """Bodies of four shapes in a periodic box that is narrow for them, thrown towards its middle."""
    parts = dict(
        types=4,
        shapes=MIX,
        boundary="p p p",
        box="block -0.3 0.3 -0.3 0.3 -0.3 0.3",
        bodies=grid(3, 3, 3, 0.2, (-0.2, -0.2, -0.2), 4) + "\nvelocity all create 1e23 4711 dist gaussian",
        walls=COMPUTES,
        gravity=0.0,
        law=LAW,
        motion=motion,
        thermo=THERMO,
        extra=DUMPS + "thermo 4",
        dt=2e-3,
        run=run,
    )
    return scene(**{**parts, **changes})


def frames(result) -> list[np.ndarray]:
    """id, type, x, y, z and the columns of the compute, by frame."""
    names = ("id", "type", "x", "y", "z", *(f"c_s[{k}]" for k in range(1, 23)))
    return [f.vectors(*names) for f in result.frames("sums")]


def tables(result) -> list[np.ndarray]:
    """Rows of compute polyhedron/contact/local, by frame."""
    return [frame.table() for frame in result.frames("rows")]


def by_hand(body: np.ndarray, table: np.ndarray, box: float) -> np.ndarray:
    """Columns 1 to 21 of a body from the rows of compute polyhedron/contact/local."""
    sums, partners = np.zeros(21), set()
    for r in table:
        for me, sign in ((r[0], 1.0), (r[1], -1.0)):
            if me != body[0]:
                continue
            partners.add((r[1] if sign > 0 else r[0], r[16]))
            stress, fabric = np.zeros((3, 3)), np.outer(r[6:9], r[6:9])
            sums[0] += 1
            for at, force in ((r[3:6], sign * r[6:9] * r[10]), (r[17:20], sign * r[11:14])):
                lever = at - body[2:5]
                lever -= box * np.round(lever / box)
                stress += np.outer(lever, force)
                sums[3:6] += force
                sums[6:9] += np.cross(lever, force)
            for k, (i, j) in enumerate(((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))):
                sums[9 + k] += stress[i, j]
                sums[15 + k] += fabric[i, j]
    sums[1], sums[2] = sum(p > 0 for p, _ in partners), sum(p < 0 for p, _ in partners)
    return sums


@pytest.fixture(scope="module")
def thrown(host, tmp_path_factory):
    from conftest import Lammps

    return Lammps(tmp_path_factory.mktemp("cloud"), *host)(cloud())


def test_columns_are_sums_of_rows(thrown):
    """Numbers of contacts and neighbours exactly, forces, moments, stress and fabric to rounding."""
    count = 0
    for bodies, table in zip(frames(thrown), tables(thrown)):
        count += len(table)
        for body in bodies:
            want = by_hand(body, table, 0.6)
            assert np.array_equal(body[5:8], want[:3])
            assert np.allclose(body[5:26], want, rtol=0, atol=1e-12 * np.abs(table[:, 10]).sum() if len(table) else 0)
        assert bodies[:, 5].sum() == 2 * len(table)
    show(contacts=count)
    assert count > 10


def test_stress_of_bodies_is_the_virial(thrown):
    """Minus the sum over all bodies over the volume is the pressure of the contacts, in each component."""
    t = thrown.thermo()
    sizes = [np.abs(f[:, 14:20]).sum() for f in frames(thrown)]
    assert max(sizes) > 0.1
    worst = 0.0
    for k in range(1, 7):
        diff = t[f"c_p[{k}]"] * t["Volume"] + t[f"c_t[{k}]"]
        worst = max(worst, max(abs(d) / s for d, s in zip(diff, sizes) if s))
    show(worst=worst)
    assert worst < 1e-12


def test_processes_agree(lammps, thrown):
    """To the rounding of places beyond a periodic boundary, which impacts multiply by some hundred: 1e-12 of the largest force in the first half, 2e-9 in the last frames."""
    whole = np.array(frames(thrown))
    for ranks, how in ((2, "2 1 1"), (3, "1 1 3")):
        part = np.array(frames(lammps(cloud(processors=how), ranks=ranks)))
        assert np.array_equal(part[:, :, :2], whole[:, :, :2]) and np.array_equal(part[:, :, 5:8], whole[:, :, 5:8])
        half = len(whole) // 2
        for a, b, allowed in ((part[:half], whole[:half], 1e-11), (part[half:], whole[half:], 1e-8)):
            assert np.allclose(a, b, rtol=0, atol=allowed * np.abs(whole[:, :, 8:11]).max())


def near(result, within: float, *planes: str) -> tuple[set, set]:
    """Pairs of bodies, and of bodies and planes, that the independent check finds nearer than this in the last frame."""
    command = [result.build / "intersect", "--shapes", "shapes.txt", "--frames", "last", "--within", str(within)]
    done = subprocess.run([*command, *" ".join(f"--plane {p}" for p in planes).split(), "dump"],
                          cwd=result.dir, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    bodies = re.findall(r"^within: frame \d+ bodies (\d+) (\d+) ", done.stdout, re.M)
    walls = re.findall(r"^within: frame \d+ body (\d+) plane (\d+) ", done.stdout, re.M)
    return {(int(a), int(b)) for a, b in bodies}, {(int(a), int(b)) for a, b in walls}


def test_coordination_is_that_of_the_independent_check(lammps):
    """A heap of four shapes at rest: pairs with contacts are the pairs of bodies, and of bodies and planes, whose surfaces
    are nearer than the distance where contact begins, as the checker of intersections measures them."""
    dumps = """compute s all polyhedron/contact/atom
compute c all polyhedron/contact/local
dump s all custom 260 sums id c_s[1] c_s[2] c_s[3]
dump_modify s sort id
dump c all local 260 rows c_c[*]
dump_modify c format float %.17g"""
    result = lammps(pile(2, 2, 7, 0.22, 2.5, motion="scheme euler", every=260, extra=dumps, run="run 260", pitch=0.22))
    result.build = lammps.build
    planes = ("0 0 0 0 0 1", "-0.22 0 0 1 0 0", "0.22 0 0 -1 0 0", "0 -0.22 0 0 1 0", "0 0.22 0 0 -1 0")
    gbar = 0.002
    bodies, walls = near(result, gbar, *planes)
    table = result.frames("rows")[-1].table()
    own = {(int(r[0]), int(r[1])) for r in table if r[1] > 0}
    # the floor is the first fix, the sides are the second
    own_walls = {(int(r[0]), int(r[16]) + (r[1] == -2)) for r in table if r[1] < 0}
    last = result.frames("sums")[-1]
    number, partners, touched = (last.columns[f"c_s[{k}]"] for k in (1, 2, 3))
    show(bodies=len(last.columns["id"]), pairs=len(bodies), with_walls=len(walls), contacts=len(table),
         coordination=(partners + touched).mean())
    assert len(bodies) > 20 and len(walls) > 10
    assert own == bodies and own_walls == walls
    assert partners.sum() == 2 * len(bodies) and touched.sum() == len(walls)
    assert number.sum() == sum(2 if r[1] > 0 else 1 for r in table)


# eight cubes between six walls, closer to each other and to them than contact begins
PRESSED = dict(
    bodies="\n".join(f"create_polyhedra 1 at {x} {y} {z}" for x in (-0.0507, 0.0507) for y in (-0.0508, 0.0508) for z in (0.0508, 0.1522)),
    walls="""fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix lid all wall/polyhedron plane 0 0 0.2028 0 0 -1
fix west all wall/polyhedron plane -0.1013 0 0 1 0 0
fix others all wall/polyhedron plane 0.1013 0 0 -1 0 0 plane 0 -0.1015 0 0 1 0 plane 0 0.1015 0 0 -1 0
compute s all polyhedron/contact/atom
compute t all reduce sum c_s[10] c_s[11] c_s[12]""",
    gravity=0.0,
    law="normal 1e6 1.5 gap 0.002 damping 0.5",
    motion="scheme euler",
    thermo="f_lid[3] f_west[1] c_t[1] c_t[3]",
    run="run 200",
)


def test_pressure_on_walls_is_that_of_the_bodies(lammps):
    """At rest: force over area of the lid and the side, and the mean stress of the bodies."""
    t = lammps(scene(**PRESSED, extra="thermo 200"), may_warn="closer than contact begins").thermo()
    x, y, z = 0.2026, 0.203, 0.2028
    volume = x * y * z
    last = {k: t[k][-1] for k in PRESSED["thermo"].split()}
    lid, side = last["f_lid[3]"] / (x * y), -last["f_west[1]"] / (y * z)
    show(lid=lid, side=side, zz=-last["c_t[3]"] / volume, xx=-last["c_t[1]"] / volume)
    assert lid > 100 and side > 100
    assert -last["c_t[3]"] / volume == pytest.approx(lid, rel=1e-3)
    assert -last["c_t[1]"] / volume == pytest.approx(side, rel=1e-3)


def test_recipes_of_the_page(lammps):
    """The commands of the page, and their figures by hand."""
    text = PAGE.read_text().split("### Recipes")[1].split("## Output info")[0]
    names = ("coordination", "pressure", "fabricxx", "solid", "void")
    recipe = "\n".join(["compute sums all polyhedron/contact/atom", "compute contacts all polyhedron/contact/local",
                        *re.findall(r"^    (.*)", text, re.M)])
    parts = {**PRESSED, "walls": f"{PRESSED['walls']}\ncompute c all polyhedron/contact/local\n{recipe}"}
    parts |= {"thermo": " ".join(f"v_{n}" for n in names) + " vol", "run": "run 100"}
    dumps = DUMPS.replace(" 4 ", " 100 ")
    result = lammps(scene(**parts, extra=f"{dumps}thermo 100"), may_warn="closer than contact begins")
    t, last = result.thermo(), frames(result)[-1]
    table = tables(result)[-1]
    volume = t["Volume"][-1]
    twice = np.where(table[:, 1] > 0, 2, 1)
    want = dict(
        coordination=(last[:, 6] + last[:, 7]).mean(),
        pressure=-last[:, 14:17].sum() / 3 / volume,
        fabricxx=(twice * table[:, 6] ** 2).sum() / twice.sum(),
        solid=8e-3 / volume,
        void=volume / 8e-3 - 1,
    )
    show(**{n: t[f"v_{n}"][-1] for n in names})
    assert want["coordination"] == 10  # seven cubes, three walls
    for n in names:
        assert t[f"v_{n}"][-1] == pytest.approx(want[n], rel=1e-12), n
    histogram = [line.split() for line in (result.dir / "forces.txt").read_text().splitlines() if not line.startswith("#")]
    assert int(float(histogram[-21][2])) + int(float(histogram[-21][3])) == len(table)
    means = [float(x) for x in (result.dir / "means.txt").read_text().split("\n")[-2].split()]
    assert means[0] == 100 and means[1] == pytest.approx(10, abs=1) and means[2] == pytest.approx(want["pressure"], rel=0.5)


def test_group_and_atoms_without_contacts(lammps):
    """Of a group, with the contacts that its bodies have with others; zeros else."""
    bodies = "create_polyhedra 1 at 0 0 0.0515\ncreate_polyhedra 1 at 0 0 0.153\ncreate_polyhedra 1 at 0.5 0 0.5\ngroup upper id 2 3"
    extra = "compute s upper polyhedron/contact/atom\ndump s all custom 10 sums id type x y z c_s[*]\ndump_modify s sort id"
    result = lammps(scene(bodies=bodies, law=LAW, extra=extra, motion="scheme em"), may_warn="closer than contact begins")
    first = frames(result)[0][:, 5:]
    assert not first[0].any() and first[1, 0] >= 3 and first[1, 1] == 1 and first[1, 2] == 0 and first[1, 5] > 0
    assert not first[2, :21].any() and first[2, 21] == pytest.approx(1e-3)


def test_errors(lammps):
    lammps(scene(extra="compute s all polyhedron/contact/atom 3"), fail="it has no arguments")
    no_pair = scene(pair="pair_style zero 0.4\npair_coeff * *", law="", motion="fix cd all contact/dynamics",
                    extra="neigh_modify delay 0\ncompute s all polyhedron/contact/atom\nthermo_style custom step", run="run 0")
    lammps(no_pair, fail="Compute polyhedron/contact/atom requires pair style polyhedron")


@pytest.mark.parametrize("gone", ["floor", "motion"])
def test_fixes_that_have_gone_in_mid_run(lammps, gone):
    """Commands of run every may take a wall away, or the fix that moves the bodies."""
    script = scene(bodies="create_polyhedra 1 at 0 0 0.05397", law=LAW, motion="scheme euler",
                   extra="compute s all polyhedron/contact/atom",
                   run=f'run 50 every 50 "unfix {gone}" "write_dump all custom after id c_s[1]"')
    result = lammps(script, may_warn="closer than contact begins")
    contacts = float(result.frames("after")[0].columns["c_s[1]"][0])
    show(contacts=contacts)
    assert contacts == (0 if gone == "floor" else 4)


@pytest.mark.parametrize("first", ["", "run 0"])
def test_load_by_contacts_before_the_first_run(lammps, first):
    """There are no lists yet: the load is to be given after run 0."""
    script = scene(bodies="create_polyhedra 1 at 0 0 0.05397", law=LAW, motion="scheme euler",
                   extra=f"compute s all polyhedron/contact/atom\ncompute n all reduce sum c_s[3]\nvariable p equal 1e-3*c_n\nthermo_style custom step c_n\n{first}\n"
                   "fix push all load/polyhedron force v_p 0 0", run="run 10")
    lammps(script, fail="" if first else "no lists of neighbours before the first run: give a load or a wall whose variable asks for it after run 0",
           may_warn="closer than contact begins|New thermo_style")


@pytest.mark.parametrize("command", ["delete_atoms group up", "create_polyhedra 1 at 0.3 0.3 0.5"])
def test_lists_of_other_bodies(lammps, command):
    """Contacts are looked for in the lists of the last run, which know nothing of bodies that have come or gone."""
    script = scene(bodies=grid(3, 3, 3, 0.18, (-0.18, -0.18, 0.1)), law=LAW, motion="scheme euler",
                   extra="group up id > 10\ncompute s all polyhedron/contact/atom\ncompute n all reduce sum c_s[1]",
                   run=f"run 10 every 10 \"{command}\" \"print '$(c_n)'\"")
    lammps(script, fail="bodies have come, gone or been sorted since the lists were made: run 0 makes new ones", may_warn="in the barrier")


def test_other_shapes_between_runs(lammps):
    """Friction remembers vertices and edges by number: those that the new shape does not have are forgotten."""
    lammps(scene(types=2, shapes="1 prism 24 0.05 0.1 density 1000 2 box 0.09 0.09 0.1 density 1000",
                 bodies="create_polyhedra 1 at 0 0 0.0505", law=LAW, gravity=0, extra="fix g all gravity 9.81 vector 0.6 0 -0.8",
                 run="run 100\nset group all type 2\nrun 1"), may_warn="closer than contact begins|more energy")


@pytest.mark.parametrize("shape", ["box 0.1 0.1 0.1", "rounded box 0.06 0.06 0.06 0.02", "tetrapod 0.1 0.03 0.6"])
def test_no_moment_at_rest(lammps, shape):
    """A body at complete rest on a slope: its contacts have no moment about the centre of mass, friction acts where it does."""
    source = shape if not shape.startswith("rounded") else shape.split(" ", 1)[1].rsplit(" ", 1)[0]
    more = " round 0.02" if shape.startswith("rounded") else ""
    result = lammps(scene(
        shapes=f"1 {source} density 2000{more}", bodies="create_polyhedra 1 at 0 0 0.054" if "tetrapod" not in shape else "create_polyhedra 1 at 0 0 0.12",
        law="auto friction 0.8 0.8 restitution 0 height 0.1", gravity=0.0, motion="scheme em", dt=5e-3, box="block -2 2 -1 1 -1 1",
        walls="fix floor all wall/polyhedron plane 0 0 0 0 0 1\nfix g all gravity 9.81 vector 0.5 0 -0.8660254\n"
              "compute s all polyhedron/contact/atom\ncompute r all reduce sum c_s[4] c_s[7] c_s[8] c_s[9]",
        thermo="ke c_r[1] c_r[2] c_r[3] c_r[4]", extra="thermo 300", run="run 600"))
    t = result.thermo()
    moment = max(abs(t[f"c_r[{k}]"][-1]) for k in (2, 3, 4))
    show(kinetic=t["KinEng"][-1], friction=t["c_r[1]"][-1], moment=moment)
    assert t["KinEng"][-1] == 0.0 and abs(t["c_r[1]"][-1]) > 0.1
    assert moment < 1e-7 * abs(t["c_r[1]"][-1]) * 0.05


def test_body_and_its_own_image(lammps):
    """A body that is nearly as long as its cell: its contacts with itself are listed once, and add up to the pressure."""
    parts = dict(boundary="p p p", box="block -0.5 0.5 -1.5 1.5 -1.5 1.5", bodies="create_polyhedra 1 at 0.2 0 0", gravity=0.0, run="run 0")
    walls = "compute c all polyhedron/contact/local\ncompute n all reduce sum c_c[11]\ncompute p all pressure NULL virial"
    if_new = 'if "$(version) > 20231120" then "compute n all reduce sum c_c[11] inputs local"'
    walls = walls.replace("compute n all reduce sum c_c[11]", if_new + ' else "compute n all reduce sum c_c[11]"')
    t = lammps(scene(**parts, shapes="1 box 0.99 0.4 0.4 density 1000", law="normal 1e6 1 gap 0.02", walls=walls, every=1, thermo="pe c_n c_p[1] vol")).thermo()
    show(force=t["c_n"][0], by_pressure=t["c_p[1]"][0] * t["Volume"][0])
    assert t["c_n"][0] == pytest.approx(40000) and t["c_p[1]"][0] * t["Volume"][0] == pytest.approx(40000)
    lammps(scene(**parts | dict(bodies="create_polyhedra 1 at 0.2 0 0"), shapes="1 box 1.2 0.1 0.1 density 1000", walls=""),
           fail="body 1 reaches into its own periodic image at step 0, depth .*: use a larger box|less than two")
