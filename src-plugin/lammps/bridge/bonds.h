/* SPDX-License-Identifier: GPL-2.0-or-later
 * Bonds whose bodies the host takes out of the lists of contacts. */
#ifndef POLYHEDRA_BONDS_H
#define POLYHEDRA_BONDS_H

namespace LAMMPS_NS
{

/* Stops if special_bonds takes the contact off bonded bodies. Bonds may be made in mid-run. who:
 * start of the message. */
void check_bonds(class LAMMPS *lmp, const char *who);

} // namespace LAMMPS_NS

#endif
