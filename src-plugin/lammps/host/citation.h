/* SPDX-License-Identifier: GPL-2.0-or-later
 * The papers behind the styles, in the host's list of what a run should cite. */
#ifndef POLYHEDRA_CITATION_H
#define POLYHEDRA_CITATION_H

namespace LAMMPS_NS
{
class LAMMPS;

/* Each adds its paper to the host's citations, once in a run; with the switch -nocite nothing. */
void cite_polyhedra(LAMMPS *lmp);
void cite_compatible_forces(LAMMPS *lmp);
} // namespace LAMMPS_NS

#endif
