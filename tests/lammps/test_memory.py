"""Memory of friction: how a ground is divided into triangles must not matter, and where one body
ends and the next begins there must be no jump. tests/contact/test_memory.c has the same for given
motions."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from conftest import show
from scenes import reduce_local, scene

EDGE, WEIGHT = 0.1, 9.81
GBAR, PRESS = 1e-3, 4e-4
MU = 0.5
# four corners carry the weight at 0.4 gbar
STIFFNESS = WEIGHT / 4 / PRESS
FRICTION = f"damping 0.5 friction {MU} {MU} 1e5 20"
LAW = f"normal {STIFFNESS} 1 gap {GBAR} barrier 0.1 -1 {FRICTION}"
REST = 0.05 + GBAR - PRESS


def ground(n: int, half: float = 0.5) -> bytes:
    """STL of the square |x|, |y| <= half at z = 0, of n x n squares of two triangles each."""
    at = np.linspace(-half, half, n + 1)
    data = [b"ground, metres".ljust(80), struct.pack("<I", 2 * n * n)]
    for i in range(n):
        for j in range(n):
            p = [(at[i + a], at[j + b], 0.0) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            for corners in (p[:3], [p[0], *p[2:]]):
                data.append(struct.pack("<12fH", 0, 0, 1, *np.ravel(corners), 0))
    return b"".join(data)


def track(result) -> tuple[np.ndarray, np.ndarray]:
    """Places of the corner (1, 1, 1) and the centre of the last body in every frame."""
    centres, corners = [], []
    for frame in result.frames():
        x = frame.vectors("x", "y", "z")[-1]
        w, *u = frame.vectors("c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")[-1]
        lever = np.full(3, EDGE / 2)
        turned = lever + 2 * np.cross(u, np.cross(u, lever) + w * lever)
        centres.append(x)
        corners.append(x + turned)
    return np.array(centres), np.array(corners)


@pytest.mark.parametrize("scheme", ["newmark", "euler"])
def test_triangles_of_a_flat_ground_are_not_felt(lammps, scheme):
    """A block slides and turns over a plane and over 2, 200 and 20,000 coplanar triangles."""
    bodies = (
        f"create_polyhedra 1 at -0.2 -0.1 {REST} rotate 10 0 0 1\nvelocity all set 1.2 0.5 0\n"
        f"set group all angmom 0 0 {5.0 * EDGE**2 / 6}"  # 5 rad/s
    )
    walls = {0: "fix floor all wall/polyhedron plane 0 0 0 0 0 1"}
    walls |= {n: f"fix floor all wall/polyhedron stl ground{n}.stl" for n in (1, 10, 100)}
    ways = {}
    for n, wall in walls.items():
        result = lammps(
            scene(
                bodies=bodies,
                law=LAW,
                walls=wall,
                motion=f"scheme {scheme} tol 1e-12",
                dt=1e-3,
                every=5,
                thermo="f_motion[1] f_motion[7] f_motion[8] f_motion[21]",
                run="run 400",
            ),
            files={f"ground{n}.stl": ground(n)} if n else None,
        )
        t = result.thermo()
        ways[n] = track(result)
        centre, corner = ways[n]
        show(
            **{
                f"triangles_{2 * n * n}_way": np.linalg.norm(centre[-1] - centre[0]),
                f"triangles_{2 * n * n}_substeps": t["f_motion[1]"][-1],
                f"triangles_{2 * n * n}_dissipated": t["f_motion[21]"][-1],
                f"triangles_{2 * n * n}_kinetic": t["f_motion[8]"][-1],
            }
        )
    offset = ways[0][1] - ways[0][0]
    turn = np.unwrap(np.arctan2(offset[:, 1], offset[:, 0]))
    show(turn=turn[-1] - turn[0])
    for n in (1, 10, 100):
        apart = max(np.abs(a - b).max() for a, b in zip(ways[n], ways[0])) / EDGE
        show(**{f"triangles_{2 * n * n}_from_plane": apart})
        assert apart < 1e-6
    between = max(np.abs(a - b).max() for n in (1, 10) for a, b in zip(ways[n], ways[100])) / EDGE
    show(between_triangulations=between)
    assert between < 1e-6
    assert np.linalg.norm(ways[0][0][-1] - ways[0][0][0]) > EDGE
    assert abs(turn[-1] - turn[0]) > 0.1


# two fixed blocks of 0.2 x 0.2 x 0.1 with the border between them at x = 0, or one as long as both
GROUNDS = {
    "tiny": "create_polyhedra 2 at -0.10000005 0 -0.05\ncreate_polyhedra 2 at 0.10000005 0 -0.05",
    "gbar": "create_polyhedra 2 at -0.1005 0 -0.05\ncreate_polyhedra 2 at 0.1005 0 -0.05",
    "none": "create_polyhedra 3 at 0 0 -0.05\ncreate_polyhedra 2 at 0 0 -0.5",
}
SMOOTH = 0.1  # coefficient of friction here: the block has to come across


def cross(lammps, between: str, dt: float):
    """A block slides over the border: forces on it and its motion at every step."""
    steps = round(0.25 / dt)
    result = lammps(
        scene(
            types=3,
            box="block -1 1 -1 1 -0.7 0.5",
            shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.2 0.2 0.1 density 1000 "
            "3 box 0.4 0.2 0.1 density 1000",
            bodies=f"{GROUNDS[between]}\ncreate_polyhedra 1 at -0.07 0.02 {REST}\n"
            "group top id 3\nvelocity top set 0.6 0 0\n"
            f"variable fx equal fcm(top,x)\nvariable fz equal fcm(top,z)+{WEIGHT}\n"
            "variable x equal x[3]\nvariable z equal z[3]\nvariable vx equal vx[3]\n"
            "compute rows all polyhedron/contact/local\n" + reduce_local("friction", "sum", "c_rows[12]"),
            law=LAW.replace(f"{MU} {MU}", f"{SMOOTH} {SMOOTH}"),
            walls="",
            gravity=0,
            motion="fix motion top implicit/polyhedron scheme newmark substeps 1 tol 1e-10",
            dt=dt,
            thermo="v_fx v_fz v_x v_z v_vx c_friction",
            extra="fix g top gravity 9.81 vector 0 0 -1\nthermo 1",
            run=f"run {steps}",
        )
    )
    return result.thermo()


@pytest.mark.parametrize("between", ["tiny", "gbar", "none"])
def test_friction_goes_over_from_block_to_block(lammps, between):
    """No jump at the border of two aligned fixed blocks: the largest change of the friction force
    in a step shrinks with the step. What is felt is the bump of the two skins, on both of which the
    block stands there: it is lifted by half of what it has sunk into one. The control is one block
    in place of the two."""
    jumps = []
    for dt in (2e-4, 5e-5, 1.25e-5):
        t = cross(lammps, between, dt)
        late = t["Time"] > 0.02  # the springs are loaded
        friction = t["c_friction"][late] / WEIGHT
        jumps.append(np.abs(np.diff(friction)).max())
        show(
            **{
                f"jump_{dt:g}": jumps[-1],
                f"friction_low_{dt:g}": friction.min(),
                f"friction_high_{dt:g}": friction.max(),
                f"normal_high_{dt:g}": t["v_fz"][late].max() / WEIGHT,
                f"whole_fx_{dt:g}": np.abs(t["v_fx"][late]).max() / WEIGHT,
                f"lift_{dt:g}": t["v_z"].max() - t["v_z"][0],
                f"end_{dt:g}": t["v_x"][-1],
                f"speed_{dt:g}": t["v_vx"][-1],
            }
        )
        assert t["v_x"][-1] > 0.0
        assert t["v_z"].max() - t["v_z"][0] < 0.6 * PRESS
        if between == "none":
            assert np.abs(friction / SMOOTH - 1.0).max() < 1e-4
    ratio = jumps[-1] / jumps[0]
    show(jump_ratio=ratio)
    if between != "none":
        assert ratio < 1.5 / 16
        assert jumps[-1] < 0.02


# two cubes stick to each other and to a slope, a third one lies elsewhere: its ID comes first, the upper one's second
SLOPE = dict(
    bodies=f"create_polyhedra 1 at 0.5 0 {REST}\ncreate_polyhedra 1 at 0 0.002 {REST + 0.1 + GBAR - PRESS / 2}\n"
    f"create_polyhedra 1 at 0 0 {REST}\ngroup far id 1",
    law=f"normal {10 * STIFFNESS} 1 gap {GBAR} barrier 0.1 -1 {FRICTION}",
    gravity=0,
    extra="fix slope all gravity 9.81 vector 3 0 -10",
    motion="scheme em",
    thermo="f_motion[8]",
    every=20,
    dt=2e-3,
)


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("how", ["compress yes", "compress no\n{reset}"], ids=["delete_atoms", "reset_ids"])
def test_memory_follows_new_tags(lammps, version, ranks, how):
    """Bodies that get other tags between runs, in another order, stick by the same springs."""
    how = how.format(reset="reset_atoms id" if version > 20240000 else "reset_atom_ids")
    ends = []
    for compress in ("compress no", how):
        r = lammps(scene(**SLOPE, run=f"run 60\ndelete_atoms group far {compress}\nrun 20"), ranks=ranks,
                   may_warn="closer than contact begins")
        last = r.frames()[-1]
        ends.append((last.columns["id"], last.vectors("x", "y", "z", "vx", "vy", "vz")[np.argsort(last.columns["z"])]))
    show(tags=[list(e[0]) for e in ends], difference=np.abs(ends[0][1] - ends[1][1]).max(), moved=ends[0][1][0, 0])
    assert list(ends[0][0]) == [2, 3] and list(ends[1][0]) == [1, 2]
    assert np.allclose(*(e[1] for e in ends), rtol=0, atol=1e-13)


# a ball on two others, or a box that slides on another one; a body elsewhere has the first ID, the upper one the second
PILES = {
    "balls": ("1 sphere 0.1 density 2600", "0.12 0 0.2615", ("0 0 0.1001", "0.24 0 0.1001"), "0.9 0.9", "run 300"),
    "rounded": ("1 box 0.18 0.18 0.18 round 0.01 density 2600", "0.05 0.02 0.304", ("0 0 0.102",), "0.5 0.5", "run 300"),
    "stones": ("1 box 0.14 0.1 0.1 round 0.05 density 2600", "0.12 0.03 0.304", ("-0.01 0 0.102", "0.25 0 0.102"), "0.9 0.9", "run 300"),
    "slide": ("1 box 0.2 0.2 0.2 density 2600", "0 0 0.304", ("0 0 0.102",), "0.5 0.5", "run 50\ngroup top id 2\nvelocity top set 0.3 0 0 sum yes\nrun 10"),
}


@pytest.mark.parametrize("pile, scheme", [("balls", "em"), ("balls", "euler"), ("rounded", "em"), ("rounded", "newmark"), ("stones", "em"), ("slide", "em"), ("slide", "newmark"), ("slide", "euler")])
def test_friction_follows_new_tags(lammps, pile, scheme):
    """The order of two bodies turns round: contacts of two vertices are known by the other one, dashpots have their sign."""
    shape, top, below, friction, run = PILES[pile]
    loss = "damping 0.7" if scheme == "newmark" else "restitution 0"  # which it does not know: bodies would hop
    ends = []
    for compress in ("no", "yes"):
        r = lammps(scene(shapes=shape, bodies="\n".join(f"create_polyhedra 1 at {x}" for x in ("-0.8 -0.8 1.5", top, *below)) + "\ngroup far id 1",
                         law=f"auto {loss} friction {friction}", motion=f"scheme {scheme}", gravity=9.81, skin=0.03, dt=2e-3, every=1000,
                         extra="compute n all polyhedron/contact/atom",
                         run=f"{run}\ndelete_atoms group far compress {compress}\ndump n all custom 1 last id x z c_n[4] c_n[5] c_n[6]\n"
                         "dump_modify n format float %.17g\nrun 0"))
        rows = np.loadtxt(r.dir / "last", skiprows=9)[:, 1:]
        ends.append(rows[np.argsort(np.round(rows[:, 0] + 10 * rows[:, 1], 6))])
    show(largest=np.abs(ends[0][:, 2:]).max(), difference=np.abs(ends[0] - ends[1]).max())
    assert np.abs(ends[0][:, 2:]).max() > 50
    assert np.allclose(*ends, rtol=1e-9, atol=1e-7)


@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_corners_on_corners_follow_new_tags(lammps, scheme):
    """Two equal cubes stand exactly on each other and lean: springs stretch by 91 um, and corners that were one's become the other's. It went on by 65 to 73 um."""
    ways, energies = [], []
    for compress in ("no", "yes"):
        r = lammps(scene(bodies="create_polyhedra 1 at -0.3 0 0.0515\ncreate_polyhedra 1 at 0.2 0 0.0515\ncreate_polyhedra 1 at 0.2 0 0.153\ngroup far id 1\ngroup up id 3",
                         law="normal 1e6 1.5 gap 0.002 damping 0.5 friction 0.8 0.8 1e4 10", motion=f"fix motion all implicit/polyhedron scheme {scheme}\ncompute x up reduce ave x",
                         gravity=0, extra="fix g all gravity 9.81 vector 0.4 0 -1", dt=2e-3, thermo="f_motion[20] c_x",
                         run=f"thermo 500\nrun 1500\ndelete_atoms group far compress {compress}\nthermo 1\nrun 3\nthermo 100\nrun 497"), may_warn="closer than contact begins")
        table = r.tables()[-1]
        after = r.tables()[-2]
        ways.append(table["c_x"][-1] - after["c_x"][0])
        energies.append(after["f_motion[20]"][1] / after["f_motion[20]"][0])
    show(ways=ways, energies=energies)
    assert abs(ways[0]) < 1e-9 and abs(ways[1]) < 1e-5
    assert energies[0] == pytest.approx(1.0, abs=1e-6) and energies[1] == pytest.approx(1.0, abs=3e-3)
