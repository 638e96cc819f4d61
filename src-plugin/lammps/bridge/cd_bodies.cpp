/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_bodies.h"

#include "lammps/bridge/cd_polyhedra.h"
#include "lammps/bridge/cd_spheres.h"

#include <algorithm>

using namespace LAMMPS_NS;

std::unique_ptr<RigidBodies> RigidBodies::create(LAMMPS *lmp, const char *who)
{
  const bool shapes = !Compat::fixes_of_style(lmp->modify, "polyhedron/shape").empty();
  const bool ellipsoid = lmp->atom->style_match("ellipsoid") != nullptr;
  const bool sphere = lmp->atom->style_match("sphere") != nullptr;
  if (ellipsoid && sphere)
    lmp->error->all(FLERR, fmt::format("{} does not work with spheres and ellipsoids in one atom "
                                       "style",
                                       who));
  if (ellipsoid && !shapes)
    lmp->error->all(FLERR,
                    fmt::format("{} with atom style ellipsoid requires fix polyhedron/shape", who));
  if (!ellipsoid && !sphere)
    lmp->error->all(FLERR, fmt::format("{} requires atom style sphere, or ellipsoid with fix "
                                       "polyhedron/shape",
                                       who));
  if (ellipsoid) return std::unique_ptr<RigidBodies>(new PolyhedronBodies(lmp));
  return std::unique_ptr<RigidBodies>(new SphereBodies(lmp));
}

std::vector<double> RigidBodies::largest_radii() const
{
  std::vector<double> mine(atom->ntypes + 1, 0.0), all(atom->ntypes + 1, 0.0);
  all_together(lmp, FLERR, [&] {
    for (int i = 0; i < atom->nlocal; i++)
      mine[atom->type[i]] = std::max(mine[atom->type[i]], radius(i));
  });
  MPI_Allreduce(mine.data(), all.data(), (int)all.size(), MPI_DOUBLE, MPI_MAX, world);
  return all;
}

void RigidBodies::force(int i, double *six) const
{
  for (int k = 0; k < 3; k++) {
    six[k] = atom->f[i][k];
    six[3 + k] = atom->torque[i][k];
  }
}
