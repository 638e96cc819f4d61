/* SPDX-License-Identifier: GPL-2.0-or-later
 * How many force components of a contact network equilibrium leaves open. */
#ifndef POLYHEDRA_CD_RANK_H
#define POLYHEDRA_CD_RANK_H

#include "lammps/bridge/cd_network.h"

namespace LAMMPS_NS
{

/* Number of closed contacts of all processes less the rank of their rows of B. Every process makes
 * the whole matrix: for small networks. Stops with an error that begins with who if the rank cannot
 * be found. */
double network_indeterminacy(LAMMPS *lmp, const ContactNetwork &network, const char *who);

} // namespace LAMMPS_NS

#endif
