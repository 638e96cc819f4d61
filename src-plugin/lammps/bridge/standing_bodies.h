/* SPDX-License-Identifier: GPL-2.0-or-later
 * Tells of bodies that have a velocity but that nothing moves: to the steps of this plugin they are
 * at rest, while with the host's integrators they drag others along. */
#ifndef POLYHEDRA_STANDING_BODIES_H
#define POLYHEDRA_STANDING_BODIES_H

#include "lammps/bridge/other_fixes.h"

namespace LAMMPS_NS
{

class StandingBodies : protected Pointers
{
public:
  StandingBodies(class LAMMPS *lmp, const Fix *by) : Pointers(lmp), owner(by), told(false) {}

  /* Warns of the first one, once. but: bits of groups that are meant to stand. All processes. */
  void warn(const OtherFixes &others, int but = 0);

private:
  const Fix *owner;
  bool told;

  tagint first(const OtherFixes &others, int but) const;
};

} // namespace LAMMPS_NS

#endif
