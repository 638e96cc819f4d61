/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/shape_table.h"

using namespace LAMMPS_NS;

std::vector<ShapeOfType> LAMMPS_NS::collect_shapes(LAMMPS *lmp)
{
  std::vector<ShapeOfType> all(lmp->atom->ntypes + 1, ShapeOfType());
  for (Fix *fix : Compat::fixes_of_style(lmp->modify, "polyhedron/shape")) {
    auto *shapes = dynamic_cast<ShapeSource *>(fix);
    for (int t = 1; shapes && t <= lmp->atom->ntypes; t++) {
      const ShapeOfType *s = shapes->of_type(t);
      if (!s) continue;
      if (all[t].shape)
        lmp->error->all(
            FLERR,
            fmt::format("Fix polyhedron/shape {} gives atom type {} a second shape", fix->id, t));
      all[t] = *s;
    }
  }
  return all;
}
