/* SPDX-License-Identifier: GPL-2.0-or-later
 * Warns once in a run when explicit steps are too long for friction: bodies that should stick creep
 * or slide, and nothing else tells. */
#ifndef POLYHEDRA_FRICTION_STEP_H
#define POLYHEDRA_FRICTION_STEP_H

#include "pointers.h"

#include "dynamics/explicit_step.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

class FrictionStep : protected Pointers
{
public:
  explicit FrictionStep(class LAMMPS *lmp) : Pointers(lmp), warned(false) {}

  /* At set-up and in every hundredth step: bodies that integrators of rotation move, in a system
   * that stands as the atoms do. who: the command, for messages. All processes. */
  void look(pd_system *sys, const std::string &who);

private:
  bool warned;
  std::vector<pd_sticking> of;

  int moving_bits() const;
  std::string shortest(const pd_system &sys, double *from) const;
  void warn(const std::string &who, const std::string &text, double from);
};

} // namespace LAMMPS_NS

#endif
