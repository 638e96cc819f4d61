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
  /* Where no substep is possible from one fraction of the step to another: in words, on all
   * processes, the deepest contact in a barrier at its start or, if there is none, where the last
   * iteration in the system tried has led to an impact that the penalty part cannot hold; empty if
   * there is neither. */
  std::string deepest(NeighList *list, double s0, double s1, const pd_system &tried);

private:
  const ContactLaws *laws;
  std::vector<WallSet *> walls;
  double below; /* smallest gaps from here on are looked at */

  /* the two sides of a contact, along its normal */
  struct Encounter {
    double inverse{0.0}; /* of the mass */
    double speed{0.0};   /* at which they part */
    double way{0.0};     /* by which they have parted in the substep tried */
    double energy{0.0};  /* what the contact holds, and what still moves */
  };

  /* the deepest contact */
  struct Worst {
    double depth{1.0}; /* gap over f gbar */
    std::string text;
  };
  std::unique_ptr<BodyScene> scene;
  const pd_system *tried; /* whose increments the bodies of the scene have gone; nullptr: none */
  Worst worst;

  void find(NeighList *list, double s, const pd_system *tried);
  int share();
  static void visit(void *ctx, const pd_contact_pair *pair, const pd_contact *c);
  void add(const pd_contact_pair *pair, const pd_contact *c);
  Encounter encounter(const pd_contact_pair *pair, const pd_contact *c) const;
  std::string describe(const pd_contact_pair *pair, const pd_contact *c, const Encounter &e) const;
};

} // namespace LAMMPS_NS

#endif
