/* SPDX-License-Identifier: GPL-2.0-or-later
 * The set-up of the last run, which a run with pre no goes on with, and what has happened since
 * that only another one would take in. */
#ifndef POLYHEDRA_LAST_SETUP_H
#define POLYHEDRA_LAST_SETUP_H

#include "lmptype.h"
#include "pointers.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace LAMMPS_NS
{

class LastSetup : protected Pointers
{
public:
  /* what init of a style tells outdate: a run has its set-up next, these commands have none */
  static constexpr const char *INITIALIZED =
      "LAMMPS has been initialized, as by write_restart, write_data or write_coeff,";

  explicit LastSetup(LAMMPS *lmp);

  /* Something that needs a set-up; what it was, as the subject and verb of a sentence. Only the
   * first thing since the last set-up is kept. */
  void outdate(const std::string &what);

  /* By the set-up of a run. */
  void make();

  /* In a step: stops if anything is not as it was. Collective. */
  void check(const std::string &who) const;

  /* Stops and demands another one, because of what has happened: the subject and verb of a
   * sentence. Collective. */
  [[noreturn]] static void demand(LAMMPS *lmp, const std::string &who, const std::string &what);

private:
  std::string missed;                /* empty: nothing */
  std::map<std::string, long> scene; /* "ID of style S" of our fixes: which object it was */
  std::vector<long> objects;         /* these, in the order of the fixes */
  double skin;
  typedef std::set<std::array<int, 3>> Exclusions;
  Exclusions exclusions; /* of neigh_modify: pairs of types, of groups, groups of molecules */
  bigint begin, end;     /* of the run, in steps: over which fix deform goes its way */

  std::map<std::string, long> scene_now() const;
  std::vector<long> objects_now() const;
  Exclusions exclusions_now() const;
  std::string change_of_scene() const;
  std::string difference() const;
};

} // namespace LAMMPS_NS

#endif
