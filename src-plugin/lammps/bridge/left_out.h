/* SPDX-License-Identifier: GPL-2.0-or-later
 * Contacts that the host leaves out of its lists: of bonded bodies, of bodies of other groups, of
 * those of which it makes no ghosts. */
#ifndef POLYHEDRA_LEFT_OUT_H
#define POLYHEDRA_LEFT_OUT_H

namespace LAMMPS_NS
{

/* Stops if special_bonds, neigh_modify include or comm_modify group takes contacts out of the
 * lists. Bonds may be made in mid-run. who: start of the message. */
void check_left_out(class LAMMPS *lmp, const char *who);

} // namespace LAMMPS_NS

#endif
