/* SPDX-License-Identifier: GPL-2.0-or-later
 * The loads of one fix load/polyhedron as the bridge sees them. The fix is one of these. */
#ifndef POLYHEDRA_LOAD_SET_H
#define POLYHEDRA_LOAD_SET_H

#include "lammps/host/lmp_compat.h"

#include "dynamics/system.h"

namespace LAMMPS_NS
{

class LoadSet
{
public:
  /* those of all fixes, in the order of the input script */
  static std::vector<LoadSet *> all(Modify *modify)
  {
    return Compat::fixes_seen_as<LoadSet>(modify, "load/polyhedron");
  }

  /* Reads the variables for the end of the step that begins now. */
  virtual void begin_step() = 0;
  virtual void end_step() = 0;

  /* By how much force and moment about the centre on an owned body differ, at the end of the step,
   * from what they were read to become: false if they do not. After post_force. */
  virtual bool change_on(int i, pd_vec3 *force, pd_vec3 *moment) const = 0;

  /* Appends the loads on the owned bodies; a load changes evenly within a step: from the fraction
   * s0 of it to s1. */
  virtual void append(double s0, double s1, std::vector<pd_load> *loads) const = 0;

  /* Work done by this process's loads in a substep. */
  virtual void add_work(double work) = 0;

protected:
  ~LoadSet() = default; /* nobody deletes a style by what the bridge sees of it */
};

} // namespace LAMMPS_NS

#endif
