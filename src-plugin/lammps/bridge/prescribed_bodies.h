/* SPDX-License-Identifier: GPL-2.0-or-later
 * Bodies that are not moved by the implicit step but by other fixes: over a time step they go from
 * where they were to where those have put them. They turn evenly; those of fix move go by the cubic
 * through positions and velocities at both ends of the step, others evenly. */
#ifndef POLYHEDRA_PRESCRIBED_BODIES_H
#define POLYHEDRA_PRESCRIBED_BODIES_H

#include "lammps/bridge/atom_rows.h"

#include "dynamics/system.h"

namespace LAMMPS_NS
{

class OtherFixes;
class StepCommunication;

class PrescribedBodies : public AtomRows<29>
{
public:
  explicit PrescribedBodies(class LAMMPS *lmp)
      : AtomRows(lmp), moving(false), under_way(false), dt(0.0)
  {
  }

  /* Notes where the owned bodies are and how fast, at set-up: as fast as at the end of the step
   * before if nothing has changed since, else as their atoms say. */
  void note_start();

  /* The same at the end of a step. */
  void note_end();

  /* Finds the ways of the bodies that the step of this length does not move, and puts them back to
   * where they were noted. Returns the largest angle that one of them turns through, on any
   * process. */
  double begin_step(const OtherFixes &others, double length);

  /* Whether a body has moved in the last step, or does now, on any process. */
  bool any() const { return moving; }

  /* Tells a scene which bodies move, and how fast after the fraction s of the step that is under
   * way; between two steps as they were noted. */
  void load(pd_system *sys, StepCommunication *processes, double s);

  /* Prescribes their ways from the fraction s0 of the step to s1, for a substep of length h. */
  void prescribe(pd_system *sys, double s0, double s1, double h) const;

private:
  /* columns; KNOWN: place and the atom's velocity V are noted. Of the step: displacement, rotation
   * vector, velocities at its start and end. Between steps: velocity and angular velocity. */
  enum {
    X = 0,
    Q = 3,
    V = 7,
    KNOWN = 10,
    WAY = 11,
    TURN = 14,
    V0 = 17,
    V1 = 20,
    NOW = 23,
    SPIN = 26
  };
  bool moving;    /* a body does, on any process */
  bool under_way; /* a step is: its ways are known */
  double dt;      /* length of the step */
  /* of every body of the scene: WAY and TURN; V0 and V1 */
  std::vector<double> ways, speeds;

  void note(int i);
  bool is_as_noted(int i) const;
  void tell_of_step(pd_system *sys, StepCommunication *processes, double s);
  void tell_of_now(pd_system *sys, StepCommunication *processes);
  double long_way(int i) const;
  void refuse_long_way(const OtherFixes &others) const;
  void take_velocities(int i, int by_force);
  pd_vec3 place(int i, double s) const;
  pd_vec3 velocity(int i, double s) const;
};

} // namespace LAMMPS_NS

#endif
