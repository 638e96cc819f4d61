/* SPDX-License-Identifier: GPL-2.0-or-later
 * Keyword grammar of the contact law, shared by pair_coeff and fix wall/polyhedron. */
#ifndef POLYHEDRA_CONTACT_LAW_H
#define POLYHEDRA_CONTACT_LAW_H

#include "lmp_compat.h"

#include "../core/law.h"

namespace LAMMPS_NS
{

/* Parses one keyword at arg[iarg] into law and returns the index of the next argument, or iarg if
 * it is not a keyword of the law. who: start of error messages. */
int parse_law_keyword(LAMMPS *lmp, const char *who, int iarg, int narg, char **arg, pd_law *law);

/* Parameters not given yet are NaN. */
pd_law empty_law();

/* Checks, derives the constants, stops with an error that names the parameter. */
void finish_law(LAMMPS *lmp, const char *who, pd_law *law);

} // namespace LAMMPS_NS

#endif
