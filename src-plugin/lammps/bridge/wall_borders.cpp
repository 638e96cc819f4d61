/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/wall_borders.h"

#include "lammps/host/cell_width.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* where a surface begins and ends along axis k, from 0 to 1 in the cell */
static void extent(Domain *cell, const pd_wall &w, int k, double *lo, double *hi)
{
  const pd_mat3 turn = pd_q_matrix(w.q);
  *lo = HUGE_VAL;
  *hi = -HUGE_VAL;
  for (int i = 0; i < w.shape->nv; i++) {
    const pd_vec3 at = pd_add(w.x, pd_mv(turn, w.shape->v[i]));
    double x[3] = {at.x, at.y, at.z}, fraction[3];
    cell->x2lamda(x, fraction);
    *lo = std::min(*lo, fraction[k]);
    *hi = std::max(*hi, fraction[k]);
  }
}

static bool ends_near(Domain *cell, const pd_wall &w, int k, double reach)
{
  const double near = reach / cell_width(cell, k);
  double lo, hi;
  extent(cell, w, k, &lo, &hi);
  return std::fabs(lo) < near || std::fabs(hi - 1.0) < near;
}

void LAMMPS_NS::warn_of_borders(LAMMPS *lmp, const std::string &who,
                                const std::vector<pd_wall> &walls, double reach)
{
  Domain *cell = lmp->domain;
  for (size_t n = 0; n < walls.size() && lmp->comm->me == 0; n++)
    for (int k = 0; k < 3; k++)
      if (cell->periodicity[k] && walls[n].kind == PD_SURFACE &&
          ends_near(cell, walls[n], k, reach))
        lmp->error->warning(
            FLERR, fmt::format("{}: surface {} ends near the periodic boundary {}, where it is not "
                               "repeated: what crosses may come into the wall; let it reach {:.3g} "
                               "beyond, or end {:.3g} before",
                               who, n + 1, "xyz"[k], reach, reach));
}
