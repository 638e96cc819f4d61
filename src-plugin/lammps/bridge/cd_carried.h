/* SPDX-License-Identifier: GPL-2.0-or-later
 * Bodies that fix move carries, as contact dynamics has to know them: by their paths in the step to
 * come. */
#ifndef POLYHEDRA_CD_CARRIED_H
#define POLYHEDRA_CD_CARRIED_H

#include "lammps/host/lmp_compat.h"

namespace LAMMPS_NS
{

/* Velocities (six) of the owned bodies of all fixes move, over the step of length dt that is to
 * come; others, and those of the groups that stand, keep theirs. Spheres keep their angular
 * velocity. */
void set_carried_velocities(class LAMMPS *lmp, double dt, int stand, double *v);

} // namespace LAMMPS_NS

#endif
