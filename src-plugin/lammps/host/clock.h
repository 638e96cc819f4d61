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

/* Goes on at the time of a restart file of this step. Early hosts forget it; it is left alone where
 * it is known or the step was reset. */
inline void restore_time(Update *update, double time, double step)
{
  if (update->atime != 0.0 || (double)update->ntimestep != step) return;
  update->atime = time;
  update->atimestep = update->ntimestep;
}

} // namespace LAMMPS_NS

#endif
