/* SPDX-License-Identifier: GPL-2.0-or-later
 * Keyword grammar of the contact law, shared by pair_coeff and fix wall/polyhedron. */
#ifndef POLYHEDRA_CONTACT_LAW_H
#define POLYHEDRA_CONTACT_LAW_H

#include "lammps/host/lmp_compat.h"

#include "contact/law/normal.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

class LAMMPS;

/* Keyword auto: what the user says of impacts and loads. The law follows from it when masses and
 * sizes are known, at initialisation. */
struct AutoLaw {
  bool wanted;                                      /* the law is still to be chosen */
  double velocity, height, gravity, load, fraction; /* NaN: not given */
  bool open;      /* gbar is that of the sizes; bodies placed nearer may still make it smaller */
  double nearest; /* gap of the bodies that have, NaN: none */
};

AutoLaw no_auto();

/* Parameters not given yet are NaN. */
pd_law empty_law();

/* Parses one keyword at arg[iarg] into law and wish and returns the index of the next argument, or
 * iarg if it is not a keyword of the law. who: start of error messages. */
int parse_law_keyword(LAMMPS *lmp, const char *who, int iarg, int narg, char **arg, pd_law *law,
                      AutoLaw *wish);

/* Checks, derives the constants, stops with an error that names the parameter. Of a law that is to
 * be chosen, it checks what is given. */
void finish_law(LAMMPS *lmp, const char *who, pd_law *law, const AutoLaw &wish);

/* the keywords that give this law */
std::string law_keywords(const pd_law &law);

/* A law and what was asked of it as numbers, for restart files and to compare: the same count for
 * every law. */
typedef std::vector<double> LawNumbers;
LawNumbers law_numbers(pd_law law, AutoLaw wish);
void law_of_numbers(const LawNumbers &list, pd_law *law, AutoLaw *wish);

/* not given is the same as not given */
bool same_numbers(const LawNumbers &a, const LawNumbers &b);

} // namespace LAMMPS_NS

#endif
