/* SPDX-License-Identifier: GPL-2.0-or-later
 * The host's clock. */
#ifndef POLYHEDRA_CLOCK_H
#define POLYHEDRA_CLOCK_H

#include "update.h"

namespace LAMMPS_NS
{

/* Simulated time, also after steps of other lengths: what thermo keyword time prints. */
inline double simulated_time(const Update *update)
{
  return update->atime + (double)(update->ntimestep - update->atimestep) * update->dt;
}

} // namespace LAMMPS_NS

#endif
