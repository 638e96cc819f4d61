"""fix contact/dynamics: a scene that is turned as a whole does the same."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from test_contact_dynamics import polyhedra, spheres


def turns() -> list[np.ndarray]:
    """Matrices: none, one that spreads the axis x evenly over all three, and three at random."""
    x, y, z = np.array([1.0, 1.0, 1.0]), np.array([1.0, -1.0, 0.0]), np.array([1.0, 1.0, -2.0])
    even = np.array([w / np.linalg.norm(w) for w in (x, z, y)]).T
    draw = np.random.default_rng(3)
    all_ = [np.eye(3), even, *(np.linalg.qr(draw.normal(size=(3, 3)))[0] for _ in range(3))]
    return [m * np.linalg.det(m) for m in all_]


def digits(x) -> str:
    return " ".join(f"{w:.17g}" for w in np.asarray(x, float).tolist())


def axis_and_angle(m: np.ndarray) -> tuple[np.ndarray, float]:
    """The turn that a matrix is: half of its skew part and its trace give the angle, in degrees."""
    skew = 0.5 * np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])
    sine, cosine = np.linalg.norm(skew), 0.5 * (np.trace(m) - 1.0)
    return (skew / sine if sine > 0 else np.array([0.0, 0.0, 1.0])), np.degrees(np.arctan2(sine, cosine))


def matrix(axis, angle) -> np.ndarray:
    """Rodrigues."""
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + np.sin(np.radians(angle)) * k + (1 - np.cos(np.radians(angle))) * (k @ k)


def velocities(v: np.ndarray) -> str:
    return "\n".join(f"group g id {i}\nvelocity g set {digits(w)}\ngroup g delete" for i, w in enumerate(v, 1))


def weight(m: np.ndarray) -> str:
    return f"fix g all gravity 9.81 vector {digits(m @ [1.0, 0.0, 0.0])}"


def turned_back(result, m: np.ndarray) -> np.ndarray:
    return result.frames()[-1].vectors("vx", "vy", "vz") @ m


def test_blow_on_a_contact_that_opens(lammps):
    """Three spheres in a row under gravity along it. One is struck from behind and parts from the next with 1.5 times
    the speed that gravity gives in a step: that contact takes part, by the length of what gravity gives. By the largest
    component of it, it did where the row lies along an axis alone."""
    found = []
    for m in turns():
        x = np.array([[-1.0 + 1e-6, 0, 0], [0, 0, 0], [1.0 - 1e-6, 0, 0]]) @ m.T
        v = np.array([[1.0, 0, 0], [0, 0, 0], [1.5 * 9.81e-3, 0, 0]]) @ m.T
        atoms = "\n".join(f"create_atoms 1 single {digits(p)}" for p in x)
        result = lammps(spheres(atoms, gravity=weight(m), extra=velocities(v), cd="restitution 0.5 tol 1e-14"))
        found.append(turned_back(result, m))
    show(velocities=found[0][:, 0], difference=max(np.abs(w - found[0]).max() for w in found))
    assert found[0][2, 0] - found[0][1, 0] >= -1e-9
    for w in found:
        assert w == pytest.approx(found[0], abs=1e-9)


def test_polyhedra(lammps):
    """Blocks that fall on a slope and on each other, as rotations of the scene."""
    draw = np.random.default_rng(11)
    place = np.array([[-0.9, 0, 0], [-2.5, 0.2, 0.1], [-1.0, 1.8, 0.2], [-2.7, 1.7, -0.3]])
    speed = np.array([[0.1, 0.6, 0], [2.0, 0.3, -0.4], [1.2, -1.0, 0.1], [1.5, 0.0, 0.5]])
    poses = [matrix(draw.normal(size=3), a) for a in (20, 50, 80, 140)]
    found = []
    for m in turns():
        bodies = ""
        for x, pose in zip(place @ m.T, poses):
            axis, angle = axis_and_angle(m @ pose)
            bodies += f"create_polyhedra 1 at {digits(x)} rotate {angle:.17g} {digits(axis)}\n"
        walls = f"fix floor all wall/polyhedron plane 0 0 0 {digits(m @ [-1.0, 0.1, 0.05])}"
        result = lammps(polyhedra("1 box 1.1 1 0.9 density 1", bodies, walls, weight(m), extra=velocities(speed @ m.T), dt=2e-3,
                                  cd="friction 0 restitution 0.3 tol 1e-12", box="-9 9 -9 9 -9 9", run="run 200", every=200))
        found.append(turned_back(result, m))
    show(difference=[np.abs(w - found[0]).max() for w in found])
    for w in found:
        assert w == pytest.approx(found[0], abs=1e-9)


@pytest.mark.parametrize("edge", [0.125, 0.1, 0.3])
@pytest.mark.parametrize("body", ["cubes", "spheres", "spheres gap 0"])
def test_row_that_touches(lammps, body, edge):
    """Five bodies that touch, but for rounding, in a row along any direction; the first one is struck, restitution 1:
    Newton's law for all contacts at once. Which of them acted was decided by the sign of gaps of 1e-17."""
    for m in turns():
        at = (np.arange(5.0) * edge)[:, None] @ m[:, :1].T
        at[0] -= 0.03 * m[:, 0]
        v = velocities(m[:, :1].T)
        cd = "restitution 1" + body.partition("spheres")[2]
        if body == "cubes":
            axis, angle = axis_and_angle(m)
            bodies = "\n".join(f"create_polyhedra 1 at {digits(x)} rotate {angle:.17g} {digits(axis)}" for x in at)
            script = polyhedra(f"1 box {edge} {edge} {edge} density 1000", bodies, walls="", gravity="", extra=v, cd=cd, run="run 60", every=60)
        else:
            atoms = "\n".join(f"create_atoms 1 single {digits(x)}" for x in at)
            script = spheres(atoms, extra=f"set group all diameter {edge}\n{v}", cd=cd, run="run 60", every=60)
        after = turned_back(lammps(script), m)
        assert after[:, 0] == pytest.approx([-0.6, 0.4, 0.4, 0.4, 0.4], abs=1e-6)
        assert np.abs(after[:, 1:]).max() < 1e-6


def test_tower_that_falls(lammps):
    """Three cubes on each other fall on their floor, restitution 0.5, with the slope turned along: they rebound as one. The top jumped, or not, by rounding."""
    found = []
    for m in turns():
        axis, angle = axis_and_angle(m)
        bodies = "\n".join(f"create_polyhedra 1 at {digits(m @ [-z, 0, 0])} rotate {angle:.17g} {digits(axis)}" for z in (0.1, 0.2, 0.3))
        walls = f"fix floor all wall/polyhedron plane 0 0 0 {digits(m @ [-1.0, 0, 0])}"
        found.append(turned_back(lammps(polyhedra("1 box 0.1 0.1 0.1 density 1000", bodies, walls=walls, gravity=weight(m), cd="restitution 0.5", run="run 130", every=130)), m))
    show(velocities=found[0][:, 0])
    assert found[0][:, 0] == pytest.approx(found[0][0, 0], abs=1e-6)
    assert -0.5 * np.sqrt(2 * 9.81 * 0.05) <= found[0][0, 0] < -0.1
    for w in found:
        assert w == pytest.approx(found[0], abs=1e-6)
