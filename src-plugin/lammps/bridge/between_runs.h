/* SPDX-License-Identifier: GPL-2.0-or-later
 * What commands between two runs may not change if the second one has no set-up. */
#ifndef POLYHEDRA_BETWEEN_RUNS_H
#define POLYHEDRA_BETWEEN_RUNS_H

#include "lammps/bridge/other_fixes.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

class BetweenRuns : protected Pointers
{
public:
  explicit BetweenRuns(LAMMPS *lmp) : Pointers(lmp), noted(false) {}

  /* The bodies that no other fix moves, at the end of a run. */
  void note(const OtherFixes &others);

  /* A set-up has looked at them again. */
  void forget() { noted = false; }

  /* In the first step of a run: stops if one of them is elsewhere, turned, or of another type or
   * mass since they were noted, or if some have come or gone. Collective. */
  void check(const OtherFixes &others, const std::string &who);

private:
  struct Body {
    tagint tag;
    int type;
    double mass, x[3], q[4];
  };

  std::vector<Body> bodies;
  bool noted;

  Body body(int i) const;
  std::vector<Body> all(const OtherFixes &others) const;
};

} // namespace LAMMPS_NS

#endif
