/* SPDX-License-Identifier: GPL-2.0-or-later
 * Whether the host's neighbour list shows all pairs that can meet in a time step. */
#ifndef POLYHEDRA_CD_RANGE_H
#define POLYHEDRA_CD_RANGE_H

#include "lammps/bridge/cd_bodies.h"

namespace LAMMPS_NS
{

/* Stops, naming the two, if bodies further apart than the pair cutoff come within reach of each
 * other when all go on at the velocities v (six) for the time dt. room: the cutoff less two radii
 * and reach, the smallest of all pairs of types. */
void check_range(class LAMMPS *lmp, const RigidBodies &bodies, const double *v, double dt,
                 double reach, double room, const char *who);

} // namespace LAMMPS_NS

#endif
