/* SPDX-License-Identifier: GPL-2.0-or-later
 * Warns where bodies begin a run closer than contact does, so that they start with energy that
 * nobody has given them. */
#ifndef POLYHEDRA_START_CONTACTS_H
#define POLYHEDRA_START_CONTACTS_H

#include "lammps/host/lmp_compat.h"

#include "contact/law/normal.h"

#include <map>
#include <vector>

namespace LAMMPS_NS
{

class BodyScene;

/* Smallest gap of the pairs that begin closer than they may, by their law; of this process, after
 * an evaluation of the scene at its start, with the external forces in it. */
std::map<const pd_law *, double> gaps_too_small(const BodyScene &scene);

/* After an evaluation of the scene at its start, with the external forces in it; all processes.
 * who: the command, for the message. fresh: by body, whether it has just been created; pairs
 * without such a body are not looked at: those may be in the middle of an impact. nullptr: all
 * are. */
void warn_of_start_contacts(LAMMPS *, const char *who, BodyScene *scene,
                            const std::vector<bool> *fresh = nullptr);

/* The same for all pairs of a run whose contacts hold more energy than those of the run before at
 * its end. */
void warn_of_more_energy(LAMMPS *, const char *who, BodyScene *scene, double before, double now);

} // namespace LAMMPS_NS

#endif
