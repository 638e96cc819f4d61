/* SPDX-License-Identifier: GPL-2.0-or-later
 * Warns once in a run when explicit steps are too long for friction: bodies that should stick creep
 * or slide, and nothing else tells. */
#ifndef POLYHEDRA_FRICTION_STEP_H
#define POLYHEDRA_FRICTION_STEP_H

#include "lmptype.h"
#include "pointers.h"

#include "dynamics/explicit_step.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

class ContactLaws;
class NeighList;

class FrictionStep : protected Pointers
{
public:
  explicit FrictionStep(class LAMMPS *lmp) : Pointers(lmp), warned(false) {}

  /* At set-up and in every hundredth step: bodies that integrators of rotation move, by the
   * contacts with others and with all walls. list: of all pairs. All processes. */
  void look(const ContactLaws *laws, NeighList *list, const std::string &who);

private:
  bool warned;
  std::vector<pd_sticking> of;

  void find_contacts(const ContactLaws *laws, NeighList *list, const std::string &who);
  int moving_bits() const;
  std::vector<int> candidates() const;
  int shortest(const std::vector<int> &bodies, double *from);
  void warn(const std::string &who, tagint body, double from);
};

} // namespace LAMMPS_NS

#endif
