/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the host says of the end of a step that has not begun. */
#ifndef POLYHEDRA_NEXT_STEP_H
#define POLYHEDRA_NEXT_STEP_H

#include "lammps/host/lmp_compat.h"

#include "update.h"

namespace LAMMPS_NS
{

/* While one of these lives, the host's clock is a step ahead. Computes are asked anew then, and
 * again after it. */
class NextStep : protected Pointers
{
public:
  explicit NextStep(LAMMPS *lmp) : Pointers(lmp)
  {
    modify->clearstep_compute();
    update->ntimestep++;
  }

  ~NextStep() override
  {
    modify->clearstep_compute();
    update->ntimestep--;
  }

  NextStep(const NextStep &) = delete;
  NextStep &operator=(const NextStep &) = delete;
};

} // namespace LAMMPS_NS

#endif
