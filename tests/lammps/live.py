"""Two runs in one process through LAMMPS's Python module; prints what test_python.py looks at."""

import sys

import numpy as np
from lammps import lammps

import lammps_polyhedra as poly

script = sys.argv[1]
one, two = (lammps(cmdargs=["-screen", "none", "-log", "none"]) for _ in range(2))
for lmp, steps in ((one, 0), (two, 200)):
    lmp.commands_string(open(script).read() + f"\nrun {steps}")
first, now = (poly.bodies(lmp, "shapes.txt") for lmp in (one, two))
assert len(first) == len(now) == 8 and np.array_equal(first.id, now.id)
vertices, triangles, owner = now.surfaces()
print("fallen", float((first.x - now.x)[:, 2].min()))
print("lowest", float(vertices[:, 2].min()))
print("triangles", len(triangles), int(owner.max()) + 1)
found = poly.contacts(two)
order = np.argsort(two.numpy.extract_atom("id")[: len(now)])
total, mass = (np.array(two.numpy.extract_atom(name))[: len(now)][order] for name in ("f", "rmass"))
force = total + 9.81 * np.outer(mass, [0, 0, 1])  # without the weight
print("contacts", len(poly.contacts(one)), len(found), float(found["gap"].min()))
print("difference", float(np.abs(found.force_on(now.id) - force).max() / np.abs(force).max()))
two.command("compute late all polyhedron/contact/atom")  # no run since
sums = np.array(two.numpy.extract_compute("late", 1, 2))[: len(now), 3:6][order]
print("late", float(np.abs(sums - force).max() / np.abs(force).max()))
two.command("displace_atoms all move 0 0 0.01")  # in the same step
print("lifted", len(poly.contacts(two)), float(poly.contacts(two)["gap"].min()))
sums = np.array(two.numpy.extract_compute("late", 1, 2))[: len(now), 3:6][order]
print("raised", float(np.abs(sums - poly.contacts(two).force_on(now.id)).max() / np.abs(force).max()))
try:
    poly.bodies(two, "shapes.txt")
    print("moved", "none")
except ValueError as error:
    print("moved", error)
two.command("displace_atoms all move 0 0 -0.01")
print("box", now.shapes[1].volume, now.shapes[1].area, now.shapes[1].sphericity)
try:
    print("nodes", found.networkx().number_of_nodes(), "rows", len(found.pandas()))
except ImportError as missing:
    print("without", missing.name)
try:
    two.command("pair_coeff * * normal -1 1.5 gap 0.001")
    print("error none")
except Exception as error:
    print("error", str(error).replace("\n", " "))
