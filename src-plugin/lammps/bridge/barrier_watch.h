/* SPDX-License-Identifier: GPL-2.0-or-later
 * Warns once in a run when a contact gets into the barrier of its law: impacts or loads are harder
 * than the penalty part can carry. Names it where a run ends there. */
#ifndef POLYHEDRA_BARRIER_WATCH_H
#define POLYHEDRA_BARRIER_WATCH_H

#include "lammps/host/lmp_compat.h"

#include "contact/pair.h"
#include "dynamics/system.h"

#include <memory>

namespace LAMMPS_NS
{

class BodyScene;
class WallSet;
class ContactLaws;

class BarrierWatch : protected Pointers
{
public:
  BarrierWatch(class LAMMPS *, const ContactLaws *, const std::vector<WallSet *> &);
  ~BarrierWatch() override;

  /* After a substep that ends at the fraction s of the step with the given smallest gap, the same
   * on all processes, where all call it. Atoms hold the new state; list: of all pairs. */
  void look(NeighList *list, double mingap, double s);
  /* Where no substep is possible: the deepest contact in a barrier, in words, on all processes;
   * empty if there is none. */
  std::string deepest(NeighList *list, double s);

private:
  const ContactLaws *laws;
  std::vector<WallSet *> walls;
  double below; /* smallest gaps from here on are looked at */

  /* the deepest contact */
  struct Worst {
    double depth{1.0}; /* gap over f gbar */
    std::string text;
  };
  std::unique_ptr<BodyScene> scene;
  Worst worst;

  void find(NeighList *list, double s);
  int share();
  static void visit(void *ctx, const pd_contact_pair *link, const pd_contact *c);
  void add(const pd_contact_pair *link, const pd_contact *c);
  std::string describe(const pd_contact_pair *link, const pd_contact *c) const;
};

} // namespace LAMMPS_NS

#endif
