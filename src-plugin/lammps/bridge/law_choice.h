/* SPDX-License-Identifier: GPL-2.0-or-later
 * Keyword auto: the choice of a law, from masses, sizes and the gravity of the host's fixes. */
#ifndef POLYHEDRA_LAW_CHOICE_H
#define POLYHEDRA_LAW_CHOICE_H

#include "lammps/options/contact_law.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

/* Which of the types have bodies of a group whose centres forces move, or none at all yet: the
 * others are obstacles, which no law has to stop, or not of the group. All of them, if none is
 * moved. */
std::vector<bool> types_that_move(LAMMPS *lmp, int groupbit = 1);

/* The bodies that a law is for. */
struct LawBodies {
  double heaviest, lightest; /* masses */
  double size;               /* the smallest (ShapeOfType) */
};

/* Of two types. The heavier one may be stopped by a body of the lighter type that is held by
 * others; of a type that does not move, beside one that does, the mass does not count. */
LawBodies bodies_of_types(const struct ShapeOfType &a, bool a_moves, const ShapeOfType &b,
                          bool b_moves);

/* Whether pairs of this law, which auto has just chosen and which is open to that, begin so close
 * that its gap has to be smaller; then it is again what was asked for, to be chosen with that gap.
 * nearest: the smallest gap of those of this process that hold too much energy. Asked of all
 * processes together, once. */
bool opens_law(LAMMPS *lmp, double nearest, const LawNumbers &asked, pd_law *law, AutoLaw *wish);

/* Chooses what is open in a law, and says so on screen and in the log file. name: start of that
 * line. */
void choose_law(LAMMPS *lmp, const std::string &name, const LawBodies &bodies, pd_law *law,
                AutoLaw *wish);

} // namespace LAMMPS_NS

#endif
