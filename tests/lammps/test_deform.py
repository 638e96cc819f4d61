"""Cells that fix deform changes under fix implicit/polyhedron."""

from __future__ import annotations

import re

import numpy as np
import pytest
from conftest import show
from scenes import EXPLICIT, ROUGH_HEAP, grid, scene

CUBES = "1 box 0.1 0.1 0.1 density 2000"
NAMES = ["v_p1", "v_p2", "v_p3", *(f"f_motion[{k}]" for k in (8, 9, 10, 11, 12, 20, 21, 22, 23, 25))]
MOMENTUM = "\n".join(f"variable p{k + 1} equal vcm(all,{d})*mass(all)" for k, d in enumerate("xyz"))
SQUEEZE = "x scale 0.72 y scale 0.72 z scale 0.72"


def cell(scheme: str, deform: str, run: str, *, box: str = "prism -0.27 0.27 -0.27 0.27 -0.27 0.27 0 0 0", **more) -> str:
    """27 cubes of drawn orientations in a cell, which `fix d all deform 1 ...` changes."""
    parts = dict(
        boundary="p p p",
        box=box,
        shapes=CUBES,
        bodies=grid(3, 3, 3, 0.18, (-0.18, -0.18, -0.18)),
        walls=MOMENTUM,
        gravity=0,
        law=ROUGH_HEAP,
        motion=f"scheme {scheme}",
        dt=2e-3,
        every=25,
        thermo=f"lx xy pxy {' '.join(NAMES)}",
        extra=f"fix d all deform 1 {deform}" if deform else "",
        run=run,
    )
    return scene(**{**parts, **more})


def last(result, *columns: str) -> np.ndarray:
    return result.frames()[-1].vectors(*(columns or ("x", "y", "z", "vx", "vy", "vz", "c_q[1]", "c_q[2]", "c_q[3]", "c_q[4]")))


def check_accounts(t, scheme: str) -> float:
    """The accounts, with the cell's work among them; returns the largest component of the momentum."""
    f = {k: t[f"f_motion[{k}]"] for k in (8, 9, 10, 11, 12, 20, 21, 22, 23, 25)}
    total = f[8] + f[9] + f[20] - f[10] - f[22] - f[25] + f[11] + f[21] + f[23]
    drift, error = np.ptp(total - f[12]) / abs(f[25]).max(), abs(f[12]).max() / abs(f[25]).max()
    show(cells_work=f[25][-1], drift=drift, error=error)
    assert drift < 1e-12 and error < {"em": 1e-6, "newmark": 1e-2, "euler": 1.0}[scheme]
    return max(abs(t[k]).max() for k in NAMES[:3])


@pytest.mark.parametrize(("scheme", "remap"), [("em", "none"), ("em", "x"), ("euler", "none"), ("euler", "x"), ("newmark", "none"), ("newmark", "x")])
def test_compression_and_shear(lammps, scheme, remap):
    """To 0.72 of the edge, and a shear of a half: nothing intersects."""
    shear = f"unfix d\nfix d all deform 1 xy erate 1.5 remap {remap}\nrun 160"
    result = lammps(cell(scheme, f"{SQUEEZE} remap {remap}", f"run 150\n{shear}"))
    t = result.thermo()
    momentum = check_accounts(t, scheme)
    show(momentum=momentum)
    assert momentum < 1e-10
    assert t["Lx"][-1] == pytest.approx(0.72 * 0.54, rel=1e-14) and t["Xy"][-1] == pytest.approx(0.48 * 0.72 * 0.54, rel=1e-12)
    assert lammps.intersections(result) == 0


@pytest.mark.parametrize("scheme", ["em", "euler"])
def test_flips_with_velocities_remapped(lammps, scheme):
    """A sheared cell flips; bodies that cross get the velocity of the boundary, which is work of the cell."""
    shear = "unfix d\nfix d all deform 1 xy erate 2.5 remap v\nrun 140"
    t = (result := lammps(cell(scheme, f"{SQUEEZE} remap none", f"velocity all set 0.1 0.6 0.2\nrun 150\n{shear}"))).thermo()
    assert np.diff(t["Xy"]).min() < -0.2 and t["Xy"].max() < 0.51 * t["Lx"].max()
    check_accounts(t, scheme)
    assert np.ptp(t["v_p1"]) > 1.0  # what leaves above comes in below slower
    assert abs(t["v_p2"] - t["v_p2"][0]).max() < 1e-9
    assert lammps.intersections(result) == 0


# two cubes that meet across the lower boundary of a cell, or with the image of the first one in the cube's place
PAIR = dict(bodies="create_polyhedra 1 at {0} {1} 0.003 rotate 3 0 0 1\ncreate_polyhedra 1 at 0.02 -0.0975 0", run="run 60", dt=1e-3, every=60)


@pytest.mark.parametrize("remap", ["none", "v"])
@pytest.mark.parametrize("scheme", ["em", "euler", "newmark"])
def test_pair_across_the_boundary(lammps, scheme, remap):
    """The same as two cubes in an open box, one of which has the velocity of the boundary besides: friction,
    damping and normal forces are those of the bodies' relative motion."""
    fast = np.array([0.3, 0.06, 0.0])  # of an image one step down
    box = "prism -0.4 0.4 -0.15 0.15 -0.4 0.4 0 0 0"
    top = PAIR["bodies"].format(0.0, 0.0975)
    shape = f"xy vel {-fast[0]} y vel {-fast[1]} remap {remap}"
    shift = "velocity all set 0 0 0.02"
    tol = 1e-10 if scheme == "em" else 1e-12  # em: less is rounding
    exact = f"{scheme} substeps 4 tol {tol} maxiter 50"
    periodic = lammps(cell(exact, shape, PAIR["run"], box=box, bodies=f"{top}\n{shift}", dt=1e-3, every=60))
    image = PAIR["bodies"].format(0.0, 0.0975 - 0.3)
    start = f"{shift}\ngroup one id 1\nvelocity one set {fast[0]} {fast[1]} 0.02"
    alone = lammps(cell(exact, "", PAIR["run"], box="prism -1 1 -1 1 -1 1 0 0 0", bodies=f"{image}\n{start}", dt=1e-3, every=60))
    a, b = last(periodic, "vx", "vy", "vz", "angmomx", "angmomy", "angmomz"), last(alone, "vx", "vy", "vz", "angmomx", "angmomy", "angmomz")
    b[0, :3] -= fast
    pushed = abs(b[1, :3]).max()
    show(difference=abs(a - b).max(), speed=pushed)
    assert pushed > 0.015
    assert abs(a - b).max() < (1e-6 if scheme == "em" else 1e-9)  # em looks ahead by the bodies' own speeds


def test_bodies_that_go_with_the_cell(lammps):
    """remap x moves free bodies as the host's own integrators see it moved, velocities apart."""
    parts = dict(bodies=grid(2, 2, 2, 0.27, (-0.135, -0.135, -0.135)) + "\nvelocity all set 0.1 -0.2 0.05", run="run 50")
    shape = "x erate 0.5 y scale 0.8 xy erate 0.7 remap x"
    ours = lammps(cell("em", shape, parts["run"], bodies=parts["bodies"]))
    hosts = lammps(cell("em", shape, parts["run"], bodies=parts["bodies"], motion=EXPLICIT, thermo=""))
    a, b = last(ours, "x", "y", "z", "vx", "vy", "vz"), last(hosts, "x", "y", "z", "vx", "vy", "vz")
    show(difference=abs(a - b).max())
    assert abs(a - b).max() < 2e-4  # of first order in the step: the host moves them at its end


@pytest.mark.parametrize("remap", ["v", "x"])
def test_processes(lammps, remap):
    shape = "x scale 0.72 y scale 0.75 z scale 0.72 xy erate 0.8"
    one, two = (lammps(cell("em", f"{shape} remap {remap}", "run 60"), ranks=n) for n in (1, 2))
    a, b = last(one), last(two)
    show(difference=abs(a - b).max())
    assert one.thermo()["f_motion[25]"][-1] > 0.1 and abs(a - b).max() < 1e-8


@pytest.mark.parametrize(("scheme", "remap"), [("newmark", "none"), ("em", "v"), ("euler", "x")])
def test_restart(lammps, scheme, remap):
    """In the middle of a deformation: the same digits, but for those of coordinates that are wrapped once more."""
    shape = f"x scale 0.72 y scale 0.72 z scale 0.72 xy erate 0.8 remap {remap}"
    first = lammps(cell(scheme, shape, "run 100 start 0 stop 200\nwrite_restart half\nrun 25 start 0 stop 200"))
    went_on, setup = last(first), cell(scheme, shape, "")
    after = setup[setup.index("pair_style") : setup.index("fix d all deform")]
    again = "\n".join(
        [
            "units si\natom_style ellipsoid\natom_modify map yes\nread_restart half",
            f"fix shapes all polyhedron/shape {CUBES} write shapes.txt",
            after,
            f"fix d all deform 1 {shape}\nrun 25 start 0 stop 200",
        ]
    )
    difference = abs(went_on - last(lammps(again, where=first.dir.name))).max()
    show(difference=difference)
    assert difference < 1e-10


def test_without_a_rate(lammps):
    """A cell that is asked to stay is one that is not deformed, but for the lists that the host makes."""
    result = [lammps(cell("em", shape, "velocity all set 0.3 0.1 0.2\nrun 50")) for shape in ("", "x scale 1 xy vel 0 remap v")]
    assert abs(last(result[0]) - last(result[1])).max() < 1e-12 and result[1].thermo()["f_motion[25]"][-1] == 0.0


REFUSED = {
    "N": ("fix d all deform 10 x scale 0.9", "Fix d of style deform and fix motion of style implicit/polyhedron: .*N = 1, not 10"),
    "lock": ("fix l all lock/polyhedron translation x\nfix d all deform 1 x scale 0.9", "remap x moves body \\d+, which another fix moves or locks"),
    "press/berendsen": (
        "fix d all press/berendsen iso 0 0 1",
        "Fix d of style press/berendsen changes the box in the middle of a run, which fix motion of style implicit/polyhedron cannot follow: use fix deform",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_is_refused(lammps, what):
    extra, fail = REFUSED[what]
    lammps(cell("em", "", "run 10", box="block -0.27 0.27 -0.27 0.27 -0.27 0.27", extra=extra), fail=fail)


def test_bodies_without_room(lammps):
    """Where the cell is squeezed more than bodies can bear the run stops and says so."""
    result = lammps(cell("euler minstep 1e-4", "x scale 0.3 y scale 0.3 z scale 0.3 remap none", "run 200"), fail="no substep is possible")
    assert re.search("moved through each other by fix deform|did not converge|through", result.text)
