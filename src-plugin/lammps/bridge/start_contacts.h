/* SPDX-License-Identifier: GPL-2.0-or-later
 * Warns where bodies have been placed closer than contact begins, so that they start with energy
 * that nobody has given them. */
#ifndef POLYHEDRA_START_CONTACTS_H
#define POLYHEDRA_START_CONTACTS_H

#include "lammps/host/lmp_compat.h"

namespace LAMMPS_NS
{

class BodyScene;

/* After an evaluation of the scene at its start, with the external forces in it; all processes. */
void warn_of_start_contacts(LAMMPS *, BodyScene *scene);

} // namespace LAMMPS_NS

#endif
