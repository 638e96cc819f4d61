"""fix contact/dynamics among what the rest of a scene says: bonds, laws of walls, motions by variables."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import show
from test_contact_dynamics import FLOOR, G, at, column, polyhedra, spheres

BONDED = """bond_style harmonic
bond_coeff 1 10 1.01
{special}"""


def bonded(special: str, **parts) -> str:
    """A cube on the floor and one that falls on it, bonded."""
    text = polyhedra(bodies="create_polyhedra 1 at 0 0 0.5\ncreate_polyhedra 1 at 0.1 0.1 1.5", cd="friction 0.5",
                     extra=f"{BONDED.format(special=special)}\ncreate_bonds single/bond 1 1 2", every=50, **parts)
    return text.replace("atom_style ellipsoid", "atom_style hybrid ellipsoid bond").replace(
        "create_box 1 box", "create_box 1 box bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 4"
    )


def test_bonds(lammps):
    """Weights that take the contact off bonded bodies are refused; with others the upper cube stays on the lower one."""
    for special in ("", "special_bonds lj 0 1 1"):
        lammps(bonded(special, run="run 10"), fail="Fix contact/dynamics: special_bonds lj .* takes the contact off bonded bodies: "
               "use special_bonds lj 1 1 1")
    z = lammps(bonded("special_bonds lj 1 1 1", run="run 200"), may_warn="per-type and per-atom masses").frames()[-1].columns["z"]
    show(z=z)
    assert z == pytest.approx([0.5, 1.5], abs=1e-3)
