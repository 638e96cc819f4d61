/* SPDX-License-Identifier: GPL-2.0-or-later
 * Bodies that are not moved by the implicit step but by other fixes: over a time step they go from
 * where they were to where those have put them, evenly. */
#ifndef POLYHEDRA_PRESCRIBED_BODIES_H
#define POLYHEDRA_PRESCRIBED_BODIES_H

#include "lammps/bridge/atom_rows.h"

#include "dynamics/system.h"

namespace LAMMPS_NS
{

class OtherFixes;
class StepCommunication;

class PrescribedBodies : public AtomRows<14>
{
public:
  explicit PrescribedBodies(class LAMMPS *lmp) : AtomRows(lmp), moving(false) {}

  /* Notes where the owned bodies are, at the end of a step and at set-up. */
  void note();

  /* Finds the ways of the bodies that the step does not move, and puts them back to where they were
   * noted. Returns the largest angle that one of them turns through, on any process. */
  double begin_step(const OtherFixes &others);

  /* Whether a body has moved in the last step, on any process. */
  bool any() const { return moving; }

  /* Tells a scene of the step which bodies move, and how fast. dt: length of the step. */
  void load(pd_system *sys, StepCommunication *processes, double dt);

  /* Prescribes a part of their ways, for a substep of length h. */
  void prescribe(pd_system *sys, double part, double h) const;

private:
  /* columns; KNOWN: the place is noted; WAY, TURN: displacement and rotation vector of the step */
  enum { X = 0, Q = 3, KNOWN = 7, WAY = 8, TURN = 11 };
  bool moving;              /* a body does, on any process */
  std::vector<double> ways; /* WAY and TURN of every body of the scene */
};

} // namespace LAMMPS_NS

#endif
