/* SPDX-License-Identifier: GPL-2.0-or-later
 * Warns once in a run when explicit steps are too long for contacts: bodies creep, shake or slide,
 * and nothing else tells. */
#ifndef POLYHEDRA_STABILITY_WATCH_H
#define POLYHEDRA_STABILITY_WATCH_H

#include "lmptype.h"
#include "pointers.h"

#include "dynamics/explicit_step.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

class ContactLaws;
class ExplicitContacts;
class NeighList;

class StabilityWatch : protected Pointers
{
public:
  explicit StabilityWatch(class LAMMPS *lmp) : Pointers(lmp), warned(false), seen(0.0) {}

  /* At set-up, in every hundredth step, and where a contact is much stiffer than any before, as in
   * the midst of an impact: bodies that integrators of rotation move, by the contacts with others
   * and with all walls. list: of all pairs; contacts: as they were evaluated last. All processes.
   */
  void look(const ContactLaws *laws, NeighList *list,
            const std::vector<ExplicitContacts *> &contacts, const std::string &who);

private:
  bool warned;
  double seen; /* the largest ratio of the step that has been looked at, of a contact by itself */

  bool is_due(const std::vector<ExplicitContacts *> &contacts);

  int moving_bits() const;
  std::vector<int> held(int nbody) const;
  double unstable_from(const ContactLaws *laws, NeighList *list, const std::string &who,
                       tagint *body);
  void warn(const std::string &who, tagint body, double from);
};

} // namespace LAMMPS_NS

#endif
