/* SPDX-License-Identifier: GPL-2.0-or-later
 * What one fix lock/polyhedron holds, as the bridge sees it. The fix is one of these. */
#ifndef POLYHEDRA_LOCK_SET_H
#define POLYHEDRA_LOCK_SET_H

#include "lammps/host/lmp_compat.h"

#include "dynamics/body.h"

namespace LAMMPS_NS
{

class LockSet
{
public:
  /* those of all fixes, in the order of the input script */
  static std::vector<LockSet *> all(Modify *modify)
  {
    return Compat::fixes_seen_as<LockSet>(modify, "lock/polyhedron");
  }

  std::string name; /* ID of the fix */
  int bodies;       /* bit of its group */

  /* axes of space along which it holds the centres of its bodies, in any state */
  virtual int held_translation() const = 0;

  /* what it holds of a body of the group in this state */
  virtual pd_constraint constraint(int i, const pd_state &start) const = 0;

  /* Takes over with which forces and moments this process's bodies are held. */
  virtual void set_reaction(const double *sum) = 0;

protected:
  LockSet() : bodies(0) {}
  ~LockSet() = default; /* nobody deletes a style by what the bridge sees of it */
};

} // namespace LAMMPS_NS

#endif
