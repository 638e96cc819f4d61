/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_polyhedron_setup.h"

#include "lammps/styles/fix_implicit_polyhedron.h"

using namespace LAMMPS_NS;

void FixPolyhedronSetup::setup(int)
{
  for (Fix *f : Compat::fixes_of_style(modify, "implicit/polyhedron"))
    dynamic_cast<FixImplicitPolyhedron *>(f)->complete_setup();
}

void FixPolyhedronSetup::stand_last(LAMMPS *lmp)
{
  Modify *modify = lmp->modify;
  const std::vector<Fix *> found = Compat::fixes_of_style(modify, "polyhedron/setup");
  if (!found.empty() && modify->fix[modify->nfix - 1] == found[0]) return;
  if (!found.empty()) modify->delete_fix("POLYHEDRON_SETUP");
  modify->add_fix("POLYHEDRON_SETUP all polyhedron/setup");
}
