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

/* The mass that a law of two types is for: the heavier one, whose body may be stopped by one of the
 * lighter type that is held by others; that which moves, if one does not. */
double mass_to_stop(const struct ShapeOfType &a, bool a_moves, const ShapeOfType &b, bool b_moves);

/* Whether pairs of this law, which auto has just chosen and which is open to that, begin so close
 * that its gap has to be smaller; then it is again what was asked for, to be chosen with that gap.
 * nearest: the smallest gap of those of this process that hold too much energy. Asked of all
 * processes together, once. */
bool opens_law(LAMMPS *lmp, double nearest, const LawNumbers &asked, pd_law *law, AutoLaw *wish);

/* Chooses what is open in a law, for the heaviest body and the smallest size (of ShapeOfType) that
 * it is for, and says so on screen and in the log file. name: start of that line. */
void choose_law(LAMMPS *lmp, const std::string &name, double mass, double size, pd_law *law,
                AutoLaw *wish);

} // namespace LAMMPS_NS

#endif
