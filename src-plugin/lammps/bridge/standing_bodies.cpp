/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/standing_bodies.h"

#include "lammps/bridge/shape_table.h"

using namespace LAMMPS_NS;

/* the smallest tag of this process, MAXTAGINT if there is none */
tagint StandingBodies::first(const OtherFixes &others, int but) const
{
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  double *const *spin = atom->angmom ? atom->angmom : atom->omega;
  tagint least = MAXTAGINT;
  for (int i = 0; i < atom->nlocal; i++) {
    if (others.moves(i) || others.drives(i) || (atom->mask[i] & but)) continue;
    if (atom->ellipsoid_flag && !shapes[atom->type[i]].shape) continue;
    const double speed = pd_norm(pd_v_load(atom->v[i])) + pd_norm(pd_v_load(spin[i]));
    if (speed > 0.0 && atom->tag[i] < least) least = atom->tag[i];
  }
  return least;
}

void StandingBodies::warn(const OtherFixes &others, int but)
{
  if (told) return;
  const tagint mine = first(others, but);
  tagint least;
  MPI_Allreduce(&mine, &least, 1, MPI_LMP_TAGINT, MPI_MIN, world);
  told = least != MAXTAGINT;
  if (told && comm->me == 0)
    error->warning(
        FLERR, fmt::format("Fix {} of style {}: body {} has a velocity, but no fix moves it: it "
                           "stands still. For a belt or a drum use fix move, or a wall of fix "
                           "wall/polyhedron with keyword move; else set its velocity to 0",
                           owner->id, owner->style, least));
}
