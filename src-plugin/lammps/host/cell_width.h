/* SPDX-License-Identifier: GPL-2.0-or-later
 * How wide the host's cell is between opposite boundaries, also where it is tilted. */
#ifndef POLYHEDRA_CELL_WIDTH_H
#define POLYHEDRA_CELL_WIDTH_H

#include "domain.h"

#include <cmath>

namespace LAMMPS_NS
{

/* distance of the two boundaries along edge k */
inline double cell_width(const Domain *cell, int k)
{
  const double *h = cell->h_inv;
  const double square[3] = {h[0] * h[0] + h[5] * h[5] + h[4] * h[4], h[1] * h[1] + h[3] * h[3],
                            h[2] * h[2]};
  return 1.0 / std::sqrt(square[k]);
}

} // namespace LAMMPS_NS

#endif
