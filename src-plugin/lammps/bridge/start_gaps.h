/* SPDX-License-Identifier: GPL-2.0-or-later
 * How far new bodies have to stay from others and from walls, so that no contact acts on them at
 * the start. */
#ifndef POLYHEDRA_START_GAPS_H
#define POLYHEDRA_START_GAPS_H

#include "lammps/bridge/shape_table.h"
#include "lammps/bridge/wall_set.h"

namespace LAMMPS_NS
{

class StartGaps
{
public:
  /* given: the same for all; NaN: the distance where contact begins, or, where no coefficients say
   * so yet, that which keyword auto takes. Where no types have shapes the gap is 0. */
  void find(LAMMPS *lmp, const std::vector<ShapeOfType> &shapes, double given);

  double between(int itype, int jtype) const { return gap[itype][jtype]; }

  /* from the walls of a fix, i-th of WallSet::all */
  double from_walls(int i, int itype) const { return wall[i][itype]; }

  double largest() const { return most; }

private:
  std::vector<std::vector<double>> gap, wall;
  double most = 0.0;
};

} // namespace LAMMPS_NS

#endif
