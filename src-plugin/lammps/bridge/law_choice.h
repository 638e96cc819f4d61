/* SPDX-License-Identifier: GPL-2.0-or-later
 * Keyword auto: the choice of a law, from masses, sizes and the gravity of the host's fixes. */
#ifndef POLYHEDRA_LAW_CHOICE_H
#define POLYHEDRA_LAW_CHOICE_H

#include "lammps/options/contact_law.h"

#include <string>

namespace LAMMPS_NS
{

/* Chooses what is open in a law, for the heaviest body and the smallest size (pd_shape_size) that
 * it is for, and says so on screen and in the log file. name: start of that line. */
void choose_law(LAMMPS *lmp, const std::string &name, double mass, double size, pd_law *law,
                AutoLaw *wish);

} // namespace LAMMPS_NS

#endif
