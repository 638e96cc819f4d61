"""Living with LAMMPS: units, restart, data files, commands between runs, periodic and tilted boxes,
images, lists made anew in mid-step."""

from __future__ import annotations

import matplotlib.image
import numpy as np
import pytest

from conftest import show
from scenes import EXPLICIT, FLOOR, LAW, scene
from test_input import ascii_stl

POSE = ("x", "y", "z", "c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")
MOTION = ("vx", "vy", "vz", "angmomx", "angmomy", "angmomz")
ALL = POSE + MOTION

# three bodies that collide with each other and the floor within 0.1 s
THREE = dict(
    bodies="create_polyhedra 1 at 0 0 0.075 rotate 15 1 2 3\n"
    "create_polyhedra 1 at 0.02 0.03 0.23 rotate 50 3 -2 1\n"
    "create_polyhedra 1 at -0.02 0.01 0.39 rotate 80 1 1 0\nvelocity all set 0 0 -0.5",
    law=LAW + " damping 0.3",
    processors="1 1 *",
    box="block -1 1 -1 1 -0.05 0.45",
    dt=2e-3,
)


def state(result, columns=ALL, name="dump", frame=-1):
    return result.frames(name)[frame].vectors(*columns)


def test_units_lj_and_si_agree(lammps):
    a, b = (
        state(lammps(scene(units=units, every=25, run="run 50", **THREE))) for units in ("si", "lj")
    )
    assert np.array_equal(a, b)


# after read_restart: what restart files do not hold
AGAIN = """processors 1 1 *
read_restart {file}
fix shapes all polyhedron/shape 1 box 0.1 0.1 0.1 density 1000 write shapes.txt
fix floor all wall/polyhedron plane 0 0 0 0 0 1
fix g all gravity 9.81 vector 0 0 -1
timestep 2e-3
neighbor 0.05 bin
fix motion all implicit/polyhedron scheme newmark
compute q all property/atom quatw quati quatj quatk
thermo_style custom step time f_motion[1] f_motion[8] f_motion[9] f_motion[12]
thermo_modify format float %.17g norm no
thermo 2
dump d all custom 2 dump2 id type x y z c_q[1] c_q[2] c_q[3] c_q[4] vx vy vz angmomx angmomy angmomz
dump_modify d sort id format float %.17g
run {steps}
"""


@pytest.mark.parametrize("write,read", [(1, 1), (2, 2), (1, 2), (2, 1)])
def test_restart_continues(lammps, write, read):
    """To the last bit on the same number of ranks."""
    parts = dict(THREE)
    thermo = "f_motion[1] f_motion[8] f_motion[9] f_motion[12]"
    first = lammps(
        scene(every=2, thermo=thermo, run="run 26\nwrite_restart state.restart\nrun 24", **parts),
        ranks=write,
        where="here",
    )
    whole, energies = state(first), [
        t[-1] for k, t in first.tables()[-1].items() if k.startswith("f_")
    ]
    contact, time = first.tables()[1]["f_motion[9]"], first.thermo()["Time"][-1]
    second = lammps(AGAIN.format(file="state.restart", steps=24), ranks=read, where="here")
    half = state(second, name="dump2")
    error = np.abs(whole - half).max()
    show(difference=error, contact_energy=contact[0])
    assert contact[0] > 0.0  # bodies touched when the file was written
    assert second.thermo()["Time"][-1] == pytest.approx(time, rel=1e-12)
    if write == read:
        assert np.array_equal(whole, half)
        assert energies == [t[-1] for k, t in second.thermo().items() if k.startswith("f_")]
    else:
        assert error < 1e-8


def test_data_file_continues(lammps):
    first = lammps(
        scene(every=2, run="run 26\nwrite_data state.data\nrun 0", **THREE), where="here"
    )
    script = AGAIN.replace(
        "processors 1 1 *\nread_restart {file}",
        "units si\natom_style ellipsoid\natom_modify map yes\n"
        "boundary f f f\nread_data state.data\npair_style polyhedron\n"
        f"pair_coeff * * {LAW} damping 0.3",
    ).format(steps="0\nrun 26")
    second = lammps(script, where="here")
    error = np.abs(state(first) - state(second, name="dump2", frame=0)).max()
    show(difference=error)
    assert error < 1e-15
    assert "were given their mass" not in second.text  # the file's shapes and masses are right


def test_replicate(lammps):
    result = lammps(
        scene(
            box="block 0 0.3 0 0.3 -0.1 0.5",
            boundary="p p f",
            every=25,
            walls="",
            gravity=0,
            motion="",
            bodies="create_polyhedra 1 at 0.1 0.1 0.2 rotate 20 1 2 3\nreplicate 3 2 1\n"
            + FLOOR
            + "\nfix g all gravity 9.81 vector 0 0 -1\nfix motion all implicit/polyhedron",
            thermo="atoms v_m",
            run="run 200",
        ).replace("thermo_style", "variable m equal mass(all)\nthermo_style"),
        warn="in the barrier of their law",
    )
    frame = result.frames()[-1]
    assert result.thermo()["v_m"][-1] == pytest.approx(6.0, rel=1e-12)
    z = frame.columns["z"]
    show(spread=np.ptp(z))
    assert np.ptp(z) < 1e-10 and z.min() > 0.04
    assert lammps.intersections(result, "dump", "0 0 0 0 0 1") == 0


def test_create_after_replicate(lammps):
    """replicate makes a new atom vector: the shape fix must use that."""
    lammps(
        scene(
            box="block 0 0.3 0 0.3 -0.1 0.5",
            boundary="p p f",
            bodies="create_polyhedra 1 at 0.1 0.1 0.2\nreplicate 2 1 1\n"
                   "create_atoms 1 single 0.1 0.1 0.35\n"
            "create_polyhedra 1 at 0.4 0.1 0.4",
            run="run 10",
        )
    )


def test_set_type_changes_the_shape(lammps):
    result = lammps(
        "variable m equal mass(all)\n"
        + scene(
            types=2,
            shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.05 0.05 0.05 density 1000",
            thermo="v_m",
            every=10,
            bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0.3 0 0.2",
            run="run 10\nset atom 2 type 2\nrun 10\nset atom 1 density 7\n"
                "set atom 2 shape 1 2 3\nrun 200",
        )
    )
    mass = [t["v_m"][-1] for t in result.tables()]
    assert mass == pytest.approx([2.0, 1.125, 1.125], rel=1e-12)
    assert (
        result.text.count("Fix polyhedron/shape: 1 bodies were given their mass and inertia") >= 1
    )
    z = result.frames()[-1].columns["z"]
    assert lammps.intersections(result, "dump", "0 0 0 0 0 1") == 0
    assert len(z) == 2


def test_delete_and_displace(lammps):
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.2\ncreate_polyhedra 1 at 0.3 0 0.2\n"
                   "create_polyhedra 1 at -0.3 0 0.2",
            every=10,
            run="run 10\ngroup out id 2\ndelete_atoms group out compress no\nrun 10\n"
                "group up id 3\n"
            "displace_atoms up move 0 0 0.5\nrun 10",
        )
    )
    frames = result.frames()
    assert list(frames[-1].columns["id"]) == [1, 3]
    z = frames[-1].columns["z"]
    assert z[1] - z[0] == pytest.approx(0.5, rel=1e-12)


def test_obstacles_stay_put(lammps):
    """Bodies outside the fix's group do not move but are hit."""
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.2\n"
                   "create_polyhedra 1 at 0.01 0.02 0.4 rotate 30 1 2 3\n"
            "group movers id 2",
            motion="fix motion movers implicit/polyhedron",
            every=10,
            thermo="f_motion[8] f_motion[12]",
            run="run 400",
        )
    )
    still = np.array([f.vectors(*ALL)[0] for f in result.frames()])
    hit = np.array([f.vectors("vx", "vy", "vz")[1] for f in result.frames()])
    assert np.array_equal(still, np.repeat(still[:1], len(still), axis=0))
    assert np.abs(hit[:, 0]).max() > 0.01 and hit[:, 2].max() > 0.0
    assert lammps.intersections(result) == 0


@pytest.mark.parametrize("ranks", [1, 2])
def test_deposit(lammps, ranks):
    """Bodies rain in while the run goes on, and more are created between runs."""
    result = lammps(
        scene(
            types=2,
            shapes="1 box 0.1 0.1 0.1 random 77 2 box 0.06 0.06 0.06 random 78",
            processors="* 1 1",
            bodies="region top block -0.25 0.25 -0.25 0.25 0.7 0.9\ncreate_polyhedra 1 at 0 0 0.1",
            every=50,
            dt=2e-3,
            law=LAW + " damping 0.6",
            box="block -2 2 -2 2 -0.1 1.9",
            thermo="atoms",
            extra="fix rain all deposit 6 2 40 4711 region top near 0.2 vz -1 -1",
            run="run 350\nunfix rain\ncreate_atoms 1 single 0.5 0.5 0.5\n"
                "create_polyhedra 2 at 0.5 -0.5 0.5\nrun 100",
        ),
        ranks=ranks,
    )
    assert result.thermo()["Atoms"][-1] == 9
    assert lammps.intersections(result, "dump", "0 0 0 0 0 1") == 0
    q = result.frames()[-1].vectors(*POSE[3:])
    assert len(np.unique(q.round(6), axis=0)) > 5  # orientations were drawn


def test_wall_is_removed_in_mid_script(lammps):
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.0505",
            law=LAW + " damping 0.7",
            dt=2e-3,
            motion="scheme euler",
            box="block -1 1 -1 1 -1 1",
            every=10,
            run="run 500\nunfix floor\nrun 100",
        ),
        warn="begin step 1 closer than contact begins",
    )
    frames = result.frames()
    z = {f.step: f.columns["z"][0] for f in frames}
    assert abs(z[500] - z[490]) < 1e-9
    fall = z[500] - z[600]
    show(fall=fall)
    assert fall == pytest.approx(0.5 * 9.81 * 0.2**2, rel=0.02)  # euler is of first order


def test_image_shows_the_faces(lammps):
    """A cube that fills the view, without and with the ellipsoids' spheres hidden."""
    image = (
        "dump {0} all image 1 {0}.*.png type type {1} size 200 200 view 60 30 zoom 4 box no 0 "
        "center s 0.5 0.5 0.5\n"
        "dump_modify {0} backcolor black\n"
    )
    extra = image.format("faces", "adiam 0.001 fix shapes type 1 0") + image.format(
        "bare", "adiam 0.001"
    )
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.5 rotate 20 1 2 3",
            box="block -0.2 0.2 -0.2 0.2 0.3 0.7",
            walls="",
            gravity=0,
            extra=extra,
            run="run 0",
        )
    )
    share = {}
    for name in ("faces", "bare"):
        pixels = matplotlib.image.imread(result.dir / f"{name}.0.png")[:, :, :3]
        share[name] = (pixels.sum(2) > 0.1).mean()
        if name == "faces":
            shades = len(np.unique(pixels[pixels.sum(2) > 0.1].round(2), axis=0))
    show(**share, shades=shades)
    assert share["faces"] > 0.05 and share["bare"] < 0.005
    assert shades >= 3  # three faces of different brightness


COLLISION = (
    "create_polyhedra 1 at {0} 0.02 0.5 rotate 40 1 2 3\n"
    "create_polyhedra 1 at {1} 0 0.52 rotate 70 3 1 -2\n"
    "group a id 1\ngroup b id 2\nvelocity a set 1 0.2 0\nvelocity b set -0.5 0.1 0"
)


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("motion", ["scheme newmark", EXPLICIT])
def test_collision_through_a_periodic_boundary(lammps, motion, ranks):
    """The same collision in mid-box and across the boundary, in a straight and a tilted box."""
    parts = dict(walls="", gravity=0, motion=motion, boundary="p p p", processors="* 1 1")
    parts |= (
        dict(dt=1e-5, every=8000, run="run 8000")
        if motion == EXPLICIT
        else dict(dt=5e-4, every=160, run="run 160")
    )
    law = LAW + " damping 0.2"
    box, tilted = "block -0.5 0.5 -0.5 0.5 0 1", "prism -0.5 0.5 -0.5 0.5 0 1 0.2 -0.1 0.1"
    final = {}
    for name, region, shift in (
        ("middle", box, 0.0),
        ("across", box, 0.45),
        ("tilted", tilted, 0.0),
        ("tilted across", tilted, 0.5),
    ):
        second = 0.08 + shift - (1 if shift else 0)
        bodies = COLLISION.format(-0.08 + shift, second)
        r = lammps(scene(bodies=bodies, box=region, law=law, **parts), ranks=ranks)
        final[name] = state(r, POSE[3:] + MOTION)
        assert np.abs(final[name][:, 4] - [1, -0.5]).max() > 0.1  # they met
    for name in final:
        error = np.abs(final[name] - final["middle"]).max()
        show(**{name.replace(" ", "_"): error})
        assert error < 1e-9


@pytest.mark.parametrize("obstacle", ["plate", "fixed-plate", "plane", "stl", "cube"])
@pytest.mark.parametrize("ranks", [1, 2])
def test_fast_body_does_not_tunnel(lammps, obstacle, ranks):
    """50 m/s at a step of 0.01 s: half a metre per step, the list reaches 5 mm."""
    bodies = (
        "create_polyhedra 1 at -0.8 0.01 0.5 rotate 40 1 2 3\ngroup fast id 1\n"
        "velocity fast set 50 0 0\n"
    )
    walls, group, files = "", "all", {}
    if "plate" in obstacle:
        bodies += "create_polyhedra 2 at 0.5 0 0.5\n"
    if obstacle == "cube":
        bodies += "create_polyhedra 1 at 0.5 0 0.5\n"
    if obstacle == "fixed-plate":
        group = "fast"
    if obstacle == "plane":
        walls = "fix w all wall/polyhedron plane 0.5 0 0 -1 0 0"
    if obstacle == "stl":
        walls = "fix w all wall/polyhedron stl wall.stl"
        a, b, c, d = (0.5, -1, -1), (0.5, 1, -1), (0.5, 1, 2), (0.5, -1, 2)
        files["wall.stl"] = ascii_stl([(a, b, c), (a, c, d)])
    result = lammps(
        scene(
            types=2,
            shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.01 0.6 0.6 density 1000",
            bodies=bodies,
            walls=walls,
            gravity=0,
            skin=0.01,
            dt=0.01,
            processors="* 1 1",
            box="block -2 2 -2 2 -1.5 2.5",
            law="normal 1e11 1.5 gap 0.001 barrier 0.1 -2",
            motion=f"fix motion {group} implicit/polyhedron scheme newmark",
            every=1,
            thermo="f_motion[1] f_motion[6] f_motion[18] f_motion[12]",
            run="run 4",
        ),
        files=files,
        ranks=ranks,
    )
    frames = result.frames()
    x = np.array([f.columns["x"] for f in frames])
    v = frames[-1].columns["vx"]
    rebuilds = result.thermo()["f_motion[18]"][-1]
    show(
        position=x[-1, 0],
        velocity=v[0],
        rebuilds=rebuilds,
        substeps=result.thermo()["f_motion[1]"][-1],
    )
    assert rebuilds > 0
    assert v[0] < 49.0  # it was hit
    if obstacle in ("plate", "cube"):
        assert x[-1, 0] < x[-1, 1] and v[1] > 1.0
    else:
        assert x[-1, 0] < 0.5
    assert (
        lammps.intersections(result, "dump", *(["0.5 0 0 -1 0 0"] if not walls == "" else [])) == 0
    )


def test_weak_barrier_stops_rather_than_tunnels(lammps):
    """A law without the energy to stop the body ends in an error, not in a body that is through."""
    lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.5 rotate 40 1 2 3\nvelocity all set 0 0 -50",
            dt=0.01,
            law="normal 1e5 1 gap 0.001 barrier 0.1 -1",
            run="run 4",
        ),
        fail="no substep is possible at step 1",
    )


def test_bodies_are_placed_where_their_files_put_them(lammps):
    """create_polyhedra place: vertices come back to the file's coordinates."""
    rng = np.random.default_rng(5)
    files, shapes = {}, []
    corners = []
    for k in range(3):
        v = 0.3 * k + 0.1 * rng.random((4, 3))
        if np.linalg.det(v[1:] - v[0]) < 0:
            v[[0, 1]] = v[[1, 0]]
        files[f"{k}.stl"] = ascii_stl(
            [tuple(map(tuple, v[list(t)])) for t in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))]
        )
        shapes.append(f"{k + 1} stl {k}.stl")
        corners.append(v)
    result = lammps(
        scene(
            types=3,
            shapes=" ".join(shapes),
            bodies="create_polyhedra * place shift 0.01 0.02 0.03",
            walls="",
            every=1,
            run="run 0",
        ),
        files=files,
    )
    text = (result.dir / "shapes.txt").read_text().split("shape ")[1:]
    frame = result.frames()[0]
    for k in range(3):
        lines = text[k].splitlines()
        v = np.array([line.split() for line in lines[1:5]], dtype=float)
        q, x = frame.vectors(*POSE[3:])[k], frame.vectors("x", "y", "z")[k]
        world = x + v + 2 * np.cross(q[1:], np.cross(q[1:], v) + q[0] * v)
        want = corners[k] + [0.01, 0.02, 0.03]
        error = max(np.linalg.norm(want - p, axis=1).min() for p in world)
        show(error=error)
        assert error < 1e-14


def test_runs_without_set_up_go_on(lammps):
    """run ... pre no: as if there had been one run."""
    a = lammps(scene(every=25, run="run 50", **THREE))
    b = lammps(scene(every=25, run="run 25 post no\nrun 25 pre no", **THREE))
    error = np.abs(state(a) - state(b)).max()
    show(difference=error)
    assert error == 0.0


def test_scheme_that_changes_without_set_up(lammps):
    """fix_modify before run ... pre no: the next step is of the new scheme, as with a set-up."""
    change = "run 100\nfix_modify motion scheme euler\nrun 50"
    a = lammps(scene(every=25, run=change, **THREE))
    b = lammps(scene(every=25, run=change + " pre no", **THREE))
    error = np.abs(state(a) - state(b)).max()
    show(difference=error)
    assert error < 1e-12


def test_random_orientations_do_not_depend_on_the_ranks(lammps):
    parts = dict(
        shapes="1 box 0.1 0.1 0.1 random 4711",
        gravity=0,
        walls="",
        every=1,
        run="run 0",
        box="block 0 2 0 2 0 2",
        bodies="lattice sc 0.5 origin 0.5 0.5 0.5\ncreate_atoms 1 box",
    )
    poses = [state(lammps(scene(**parts), ranks=ranks)) for ranks in (1, 2)]
    order = [p[np.lexsort(p[:, :3].T)] for p in poses]
    assert np.array_equal(*order)
    assert len(np.unique(order[0][:, 3].round(9))) == len(order[0]) == 64


def test_other_pair_styles_beside_it(lammps):
    """hybrid/overlay: the forces of the other style are external to the implicit step."""
    a = lammps(scene(every=25, run="run 50", **THREE))
    parts = dict(THREE)
    law = parts.pop("law")
    b = lammps(
        scene(
            every=25,
            run="run 50",
            pair="pair_style hybrid/overlay polyhedron zero 0.3",
            law=f"pair_coeff * * polyhedron {law}\npair_coeff * * zero",
            **parts,
        )
    )
    assert np.array_equal(state(a), state(b))


def test_every_keyword_can_change_between_runs(lammps):
    result = lammps(
        scene(
            every=10,
            thermo="f_motion[1] f_motion[4]",
            run="run 10\nfix_modify motion substeps 4 tol 1e-10 solver lapack\nrun 10\n"
            "fix_modify motion substeps adaptive scheme euler newmark 0.25 0.5\nrun 10",
        )
    )
    t = result.thermo()
    assert list(t["f_motion[1]"]) == [0, 10, 50, 60]


def test_figures_are_right_at_the_first_step(lammps):
    """Output of step 0: contact energy, contacts, gap, wall load."""
    result = lammps(
        scene(
            bodies="create_polyhedra 1 at 0 0 0.0505",
            law="normal 1e6 1 gap 0.001",
            every=10,
            thermo="pe f_motion[6] f_motion[7] f_motion[9] f_floor f_floor[3]",
            run="run 0",
        )
    )
    t = {k: v[0] for k, v in result.thermo().items()}
    energy = 4 * 0.5 * 1e6 * 0.0005**2
    assert [t["PotEng"], t["f_motion[9]"], t["f_floor"]] == pytest.approx([energy] * 3, rel=1e-9)
    assert t["f_motion[6]"] == pytest.approx(0.0005, rel=1e-9) and t["f_motion[7]"] == 4
    assert t["f_floor[3]"] == pytest.approx(-4 * 1e6 * 0.0005, rel=1e-9)


def test_memory_is_asked_for_before_a_run(lammps):
    """`info memory` asks every style for its bytes, also before the first run has made anything."""
    result = lammps(scene(extra="info memory"))
    assert "Memory allocation information" in result.text
