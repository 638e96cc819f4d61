/* SPDX-License-Identifier: GPL-2.0-or-later
 * What fix implicit/polyhedron keeps of every atom beside the host's own arrays: accelerations at
 * the end of the last substep, external forces, mean forces of contacts and loads in the last step.
 */
#ifndef POLYHEDRA_ATOM_STATES_H
#define POLYHEDRA_ATOM_STATES_H

#include "lammps/bridge/atom_rows.h"
#include "lammps/bridge/support_motion.h"

#include "dynamics/system.h"

#include <vector>

namespace LAMMPS_NS
{

class LoadSet;
class OtherFixes;
class StepCommunication;

class AtomStates : public AtomRows<53>
{
public:
  enum { NOUTPUT = 12 }; /* those of output: mean force, torque and stress, the first of them */

  using AtomRows::AtomRows;

  /* Reads the external forces: f and torque hold what the other fixes and pair styles gave. */
  void capture_external();

  /* At the start of a run: accelerations follow forces that have changed since they were read, as
   * by fixes that have come or gone. */
  void follow_external(const pd_system &sys);

  /* Notes by how much those on bodies that the step moves have changed since they were read, and by
   * how much loads have become others than was thought: the part of it that is to be corrected
   * (pd_scheme_corrected_part). */
  void note_change(const OtherFixes &others, const std::vector<LoadSet *> &loads, double part);

  /* Keeps that back for bodies that rest in contact in the last evaluation, which holds them, as
   * seen from what they rest on; dt: length of the step. At the end of the next step: as much of it
   * is left to be corrected as the bodies have moved by it after all. All processes. */
  void keep_back(const pd_system &sys, double dt, StepCommunication *processes);
  void give_back(const pd_system &sys, double dt, StepCommunication *processes);

  /* Whether any on an owned body have, in the last step. */
  bool external_changed() const;

  /* Corrects owned bodies and their atoms for that, once; dt: length of the step in which they have
   * (pd_correct). Returns the work done. */
  double correct(pd_system *sys, double dt);

  /* From the rows to the owned bodies; accelerations to the ghosts as well. */
  void load(pd_system *sys, StepCommunication *processes) const;

  /* accelerations back to the rows */
  void store(const pd_system &sys);

  /* Whether an owned body has just been created, or has just come to be moved by the step, and then
   * has no accelerations yet, and those accelerations. */
  bool any_new(const OtherFixes &others) const;
  std::vector<bool> new_ones(int nbody, StepCommunication *processes) const; /* ghosts included */
  void start_new(const pd_system &sys);

  /* At the end of a run; where rows come from a restart file they have been noted. */
  void note_velocities();
  void take_velocities_as_noted() { noted = true; }

  /* Before the next run, also one that goes on from a restart file: bodies that have got another
   * velocity since have that of the instant, and what was to be added to the one before is not. */
  void forget_other_velocities();

  /* Around a step of length dt: what contacts and loads have done to the momentum of owned bodies
   * that it moves, over dt. The stress of all owned ones: by a substep that is a part of the step,
   * once it has been solved. */
  void begin_mean();
  void add_stress(const pd_system &sys, double part);
  void end_mean(double dt, const OtherFixes &others);

  /* The velocities of owned bodies have changed by so much, and no force has done it. Returns what
   * that has added to the kinetic energy of those that the step moves. */
  double take_change(const std::vector<pd_vec3> &change, const OtherFixes &others);

  /* Adds the forces of contacts and loads in the last evaluation of the bodies at their present
   * state to f and torque of those that the step moves. */
  void add_contact_forces(const pd_system &sys) const;

  /* The other bodies get the mean contact force of the step, in f and torque like that of a pair
   * style: forgets that of the step before, takes the part of a substep in it, adds the sum. */
  void forget_reactions(const OtherFixes &others);
  void keep_reactions(const pd_system &sys, double part);
  void add_reactions(const OtherFixes &others) const;

  /* the columns of output of every atom */
  double **output() const { return row; }

  /* rows in restart files */
  int size_restart() const { return NCOL + 1; }
  int pack_restart(int i, double *buf) const;
  void unpack_restart(int i, int nth);

private:
  /* columns; DF, DT: change of the external ones, P, L: momentum and angular momentum as the step
   * began, between runs as the last one ended, KNOWN: the accelerations are known, 1 of a body that
   * the step moves, 2 of another one, HELD: the change is kept back, MEAN_OVER to BORNE_BY: those
   * of the body, REACTION: of bodies that the step does not move, what holds them against their
   * contacts at the end of the last substep
   */
  enum {
    FMEAN = 0,
    TMEAN = 3,
    STRESS = 6,
    ACC = 12,
    WDOT = 15,
    FEXT = 18,
    TEXT = 21,
    DF = 24,
    DT = 27,
    P = 30,
    L = 33,
    KNOWN = 36,
    HELD = 37,
    MEAN_OVER = 38,
    MEAN_ACC = 39,
    MEAN_WDOT = 42,
    RESTED = 45,
    BORNE_BY = 46,
    REACTION = 47
  };
  static_assert(REACTION + 6 == NCOL, "columns of a row");

  bool noted = false; /* columns P, L are those of the end of a run, or of a restart file */

  void forget_velocity(int i);

  std::vector<char> touches;  /* of every body; scratch of keep_back */
  SupportMotion support;      /* scratch of keep_back and give_back */
  std::vector<double> stress; /* 6 of every body; scratch of add_stress */

  /* squares and product, by mass and inertia, of the velocities of a body past what moves as given
   * and of what a change of force and torque does to its accelerations */
  struct Response {
    double now, along, given;
  };
  Response response(int i, const pd_body &b, const SupportMotion::Motion &past) const;
  double largest_response(const pd_system &sys, StepCommunication *processes) const;

  void add_forces(int i, const double *force) const;
  void keep_momentum(int i, double *columns) const;
};

} // namespace LAMMPS_NS

#endif
