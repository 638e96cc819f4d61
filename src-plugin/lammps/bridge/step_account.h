/* SPDX-License-Identifier: GPL-2.0-or-later
 * What fix implicit/polyhedron reports: the global vector, which also goes to restart files. */
#ifndef POLYHEDRA_STEP_ACCOUNT_H
#define POLYHEDRA_STEP_ACCOUNT_H

#include "solve/substep_control.h"

#include <array>
#include <vector>

namespace LAMMPS_NS
{

/* what a restart file holds before the vector, as doubles */
struct RestartHead {
  double step;     /* length wanted of the next substep */
  double failed;   /* of substeps that fail, as the control remembers it */
  double time;     /* of the run */
  double timestep; /* at which the file was written */
  double before;   /* length of the last substep */
  double length;   /* of the last time step */
};

class StepAccount
{
public:
  enum { SIZE = 25 };

  /* of the last substep */
  double residual = 0.0;  /* relative */
  double history[3] = {}; /* relative residuals of the last iterations, the final one last */
  /* of the present state */
  double min_gap = 0.0, contacts = 0.0;
  double kinetic = 0.0, potential = 0.0, spring = 0.0;
  /* of the last step */
  double mean_substep = 0.0;
  /* sums since the fix was made or the run it goes on from began */
  double lists = 0.0; /* made within a step */
  double work = 0.0, wall_work = 0.0, cell_work = 0.0;
  double by_damping = 0.0, by_friction = 0.0, by_scheme = 0.0; /* dissipated */
  double error = 0.0;                                          /* energy gained out of nothing */
  double rise = 0.0; /* largest of a substep, over the energy */

  pd_energy energy = pd_energy(); /* at the start of the next substep; no output */

  /* counts: of the substeps, which are outputs too */
  explicit StepAccount(pd_substep_counts *counts);

  /* The vector: entry n - 1 is f_ID[n], and their order is that of restart files. */
  std::array<double *, SIZE> table();

  /* The present state: its energies, and contacts over all processes. no_gap: smallest gap where
   * there is no contact. */
  void describe(const pd_totals &totals, const pd_services *services, double no_gap);

  /* An accepted substep. */
  void add(const pd_substep &s);

  /* For a restart file: the head and the vector; and back. */
  enum { NHEAD = 6, NSTATE = NHEAD + SIZE };
  std::vector<double> state(RestartHead head);
  RestartHead restore(const std::vector<double> &list);

private:
  pd_substep_counts *counts;
};

} // namespace LAMMPS_NS

#endif
