/* SPDX-License-Identifier: GPL-2.0-or-later
 * Atoms for new bodies: on the process whose part of the box they are in, dressed, with IDs that do
 * not depend on the number of processes. */
#ifndef POLYHEDRA_NEW_BODIES_H
#define POLYHEDRA_NEW_BODIES_H

#include "lammps/bridge/shape_table.h"

#include "base/rotation.h"

namespace LAMMPS_NS
{

struct NewBody {
  int type;
  pd_vec3 x; /* centre of mass */
  pd_quat q; /* of the shape's frame, its principal axes */
};

/* how they begin */
struct NewBodyState {
  pd_vec3 v;
  int groups; /* bits, besides that of all */
};

/* The orientation of a body whose source is turned by a rotation. */
pd_quat orientation_of(const ShapeOfType &shape, pd_quat rotation);

/* Called by all processes with the same list. IDs go on from the largest one in use, in the order
 * of the list. Centres are wrapped into the box; one outside of a box that is not periodic is an
 * error. */
void create_bodies(LAMMPS *lmp, const char *who, const std::vector<ShapeOfType> &shapes,
                   const std::vector<NewBody> &list, const NewBodyState &state);

} // namespace LAMMPS_NS

#endif
