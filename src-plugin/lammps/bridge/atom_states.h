/* SPDX-License-Identifier: GPL-2.0-or-later
 * What fix implicit/polyhedron keeps of every atom beside the host's own arrays: accelerations at
 * the end of the last substep, external forces, contact forces of the last step. */
#ifndef POLYHEDRA_ATOM_STATES_H
#define POLYHEDRA_ATOM_STATES_H

#include "lammps/host/lmp_compat.h"

#include "dynamics/system.h"

namespace LAMMPS_NS
{

class OtherFixes;
class StepCommunication;

class AtomStates : protected Pointers
{
public:
  enum { NCOL = 19 }; /* doubles of an atom */

  explicit AtomStates(class LAMMPS *lmp) : Pointers(lmp), row(nullptr) {}
  ~AtomStates() override;

  /* Reads the external forces: f and torque hold what the other fixes and pair styles gave. */
  void capture_external();

  /* From the rows to the owned bodies; accelerations to the ghosts as well. */
  void load(pd_system *sys, StepCommunication *processes) const;

  /* accelerations back to the rows */
  void store(const pd_system &sys);

  /* Whether an owned body has just been created, which then has no accelerations yet, and those
   * accelerations. */
  bool any_new() const;
  void start_new(const pd_system &sys);

  /* Keeps what contact did to the owned bodies by the end of the step, and adds it to f and torque
   * of those that the step moves. */
  void keep_contact_forces(const pd_system &sys);
  void add_contact_forces(const OtherFixes &others) const;

  /* The other bodies get the mean contact force of the step, in f and torque like that of a pair
   * style: forgets that of the step before, takes the part of a substep in it, adds the sum. */
  void forget_reactions(const OtherFixes &others);
  void keep_reactions(const pd_system &sys, double part);
  void add_reactions(const OtherFixes &others) const;

  /* what a fix does for its callbacks of these names */
  void grow(int nmax);
  void copy(int i, int j);
  void clear(int i);
  int pack_exchange(int i, double *buf) const;
  int unpack_exchange(int i, const double *buf);
  int size_restart() const { return NCOL + 1; }
  int pack_restart(int i, double *buf) const;
  void unpack_restart(int i, int nth);
  double memory_usage() const;

private:
  /* columns; KNOWN: the accelerations are known */
  enum { ACC = 0, WDOT = 3, FEXT = 6, TEXT = 9, FCON = 12, TCON = 15, KNOWN = 18 };
  double **row; /* of every atom; only those of owned ones hold something */

  void add_forces_of(int i) const;
};

} // namespace LAMMPS_NS

#endif
