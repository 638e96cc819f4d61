/* SPDX-License-Identifier: GPL-2.0-or-later
 * How wide the host's cell is between opposite boundaries, also where it is tilted. */
#ifndef POLYHEDRA_CELL_WIDTH_H
#define POLYHEDRA_CELL_WIDTH_H

#include "base/vec3.h"

#include "domain.h"

namespace LAMMPS_NS
{

/* normal of the boundaries along edge k, over the distance of the two */
inline pd_vec3 cell_normal(const Domain *cell, int k)
{
  const double *h = cell->h_inv;
  const pd_vec3 normal[3] = {pd_v(h[0], h[5], h[4]), pd_v(0.0, h[1], h[3]), pd_v(0.0, 0.0, h[2])};
  return normal[k];
}

/* distance of the two boundaries along edge k */
inline double cell_width(const Domain *cell, int k) { return 1.0 / pd_norm(cell_normal(cell, k)); }

} // namespace LAMMPS_NS

#endif
