"""Bodies that other fixes move: forces, pressure and rows of contacts between two runs are those of the end of the first."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from scenes import reduce_local, scene

MOTIONS = {
    "along": "fix m disc move linear 0.2 0 0",
    "up": "fix m disc move linear 0 0 0.2",
    "turning": "fix m disc move rotate 0 0 0.3 0 0 1 4.0",
    "places alone": "variable o equal 0\nvariable d equal 0.2*step*dt\nfix m disc move variable v_d v_o v_o NULL NULL NULL",
    "places alone, up": "variable o equal 0\nvariable d equal 0.2*step*dt\nfix m disc move variable v_o v_o v_d NULL NULL NULL",
    "thrown": "velocity disc set 0.2 0 0.1\nfix m disc nve/noforce",
}
LAWS = {"rubs": "damping 0.5 friction 0.5 0.4 1e5 10", "smooth": "damping 0.5"}
SUMS = "\n".join(reduce_local(f"l{k}", "sum", f"c_loc[{k}]") for k in (12, 13, 14))


def riding(scheme: str, motion: str, law: str) -> str:
    return scene(
        types=2, shapes="1 box 0.1 0.1 0.1 density 1000 2 box 0.8 0.3 0.1 density 1000", box="block -1 1 -1 1 -1 1", dt=2e-3, skin=0.03,
        bodies="create_polyhedra 2 at 0 0 0\ncreate_polyhedra 1 at 0.04 0 0.1008\ngroup disc type 2\ngroup cube type 1",
        law=f"normal 1e7 1.5 gap 0.001 barrier 0.1 -2 {LAWS[law]}", motion=f"comm_modify vel yes\nfix motion cube implicit/polyhedron scheme {scheme}\n{MOTIONS[motion]}",
        thermo="press c_l12 c_l13 c_l14 c_f[1] c_f[2] c_f[3] c_t[1] c_t[2] c_t[3]",
        walls=f"compute loc all polyhedron/contact/local\n{SUMS}\ncompute f cube reduce sum fx fy fz\ncompute q all property/atom tqx tqy tqz\ncompute t cube reduce sum c_q[1] c_q[2] c_q[3]", run="run 300\nrun 0")


WITH_VELOCITIES = ["along", "up", "turning", "thrown"]


def explicitly(motion: str) -> str:
    return riding("em", motion, "rubs").replace("fix motion cube implicit/polyhedron scheme em", "fix motion cube nve/asphere").replace("timestep 0.002", "timestep 5e-5")


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("motion", ["places alone", "places alone, up"])
def test_explicit_contacts_need_velocities(lammps, motion, ranks):
    """They go by the velocities of atoms: a cube stayed where it was on a belt whose atom has none."""
    lammps(explicitly(motion), ranks=ranks, fail="a fix moves body 1 by .* in step 1, and leaves its velocity at 0")


@pytest.mark.parametrize("motion", [*WITH_VELOCITIES, "to and fro"])
def test_explicit_contacts_with_velocities(lammps, monkeypatch, motion):
    monkeypatch.setitem(MOTIONS, "to and fro", "fix m disc move wiggle 0.002 0.001 0 0.01")
    lammps(explicitly(motion), may_warn="begin step|does not turn bodies")


HELD = {"held": "fix h all setforce 0 0 0", "thrown": "velocity all set 0.1 0 0\nfix h all setforce 0 0 0"}


@pytest.mark.parametrize("what", HELD)
@pytest.mark.parametrize("remap", ["x", "v", "none"])
def test_explicit_bodies_that_a_cell_carries(lammps, remap, what):
    """Contacts know how fast a cell carries bodies of constant velocity; and what rounding does to their places is no motion."""
    lammps(scene(boundary="p p p", box="prism -0.3 0.3 -0.3 0.3 -0.3 0.3 0.07 0.05 0.03", walls="", gravity=0, dt=1e-3, skin=0.01,
                 bodies="create_polyhedra 1 at 0 0 0\ncreate_polyhedra 1 at 0.2 0.1 0.1", motion="comm_modify vel yes\nfix motion all nve/asphere",
                 extra=f"{HELD[what]}\nfix d all deform 1 x erate -0.1 remap {remap}\nneigh_modify every 1 delay 0 check no", run="run 50"))


def test_velocity_of_a_body_that_does_not_go(lammps):
    """Its atom has a velocity at set-up, and the first step shows that it stands: the cube on it does not begin to move."""
    script = riding("newmark", "along", "rubs").replace("move linear 0.2 0 0", "move linear 0 0 0").replace("run 300", "velocity disc set 0.2 0 0\nrun 300")
    forces = lammps(script, may_warn="begin step").tables()[0]["c_f[1]"]
    assert abs(forces[-1]) < 1e-9


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("scheme", ["newmark", "em", "euler"])
def test_set_up_changes_no_forces(lammps, scheme, motion, law):
    """The body that is moved was taken to stand at set-up and by the rows: friction of the whole limit where the end of the run had none."""
    result = lammps(riding(scheme, motion, law), may_warn="begin step|fix move leaves")
    first, second = (np.array([t[name][-1] for name in t.keys()]) for t in result.tables())
    show(change=abs(first - second).max())
    assert abs(first - second).max() < 1e-9 * abs(first).max()


@pytest.mark.parametrize("ranks", [1, 2])
@pytest.mark.parametrize("motion", ["along", "turning", "places alone"])
def test_rows_are_the_forces(lammps, motion, ranks):
    """Friction in the rows is what acts on the cube: with newmark it was of a body that stands."""
    t = lammps(riding("newmark", motion, "rubs"), ranks=ranks, may_warn="begin step").tables()[0]
    rows = np.array([t[f"c_l{k}"][-1] for k in (12, 13, 14)])
    force = np.array([t[f"c_f[{k}]"][-1] for k in (1, 2, 3)])
    show(rows=rows, force=force)
    assert abs(abs(rows[:2]) - abs(force[:2])).max() < 1e-9
