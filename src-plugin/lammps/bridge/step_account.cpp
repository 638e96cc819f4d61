/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/step_account.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

StepAccount::StepAccount(pd_substep_counts *c) : counts(c) { *counts = pd_substep_counts(); }

std::array<double *, StepAccount::SIZE> StepAccount::table()
{
  return {{&counts->accepted,
           &counts->iterations,
           &counts->rejected,
           &mean_substep,
           &residual,
           &min_gap,
           &contacts,
           &kinetic,
           &potential,
           &work,
           &by_damping,
           &error,
           &history[0],
           &history[1],
           &history[2],
           &counts->evaluations,
           &counts->limited,
           &lists,
           &counts->rejected_by_guard,
           &spring,
           &by_friction,
           &wall_work,
           &by_scheme,
           &rise}};
}

void StepAccount::describe(const pd_totals &t, const pd_services *services, double no_gap)
{
  double top = -t.mingap;
  contacts = t.ncontact;
  pd_global_sum(&services->communication, &contacts, 1);
  pd_global_max(&services->communication, &top, 1);
  min_gap = -top < DBL_MAX ? -top : no_gap;
  kinetic = energy.kinetic;
  potential = energy.potential;
  spring = energy.spring;
}

void StepAccount::add(const pd_substep &s)
{
  const double before = energy.kinetic + energy.potential + energy.spring;
  if (s.rise > s.noise)
    rise = std::max(rise, s.rise / (before + std::fabs(s.work) + std::fabs(s.wall_work)));
  energy.kinetic = s.kinetic;
  energy.potential = s.energy;
  energy.spring = s.spring;
  residual = s.scale > 0.0 ? s.residual / s.scale : 0.0;
  work += s.work;
  wall_work += s.wall_work;
  by_damping += s.dissipated[PD_DAMPING];
  by_friction += s.dissipated[PD_FRICTION];
  by_scheme += s.numerical;
  error += s.error;
  for (int k = 0; k < 3; k++) {
    const int it = s.iterations - 2 + k;
    history[k] = it >= 0 && it < PD_HISTORY ? s.history[it] : 0.0;
  }
}

/* the host wants the number of bytes first */
void StepAccount::write(FILE *fp, RestartHead head)
{
  const int size = sizeof head + SIZE * sizeof(double);
  fwrite(&size, sizeof(int), 1, fp);
  fwrite(&head, sizeof head, 1, fp);
  for (const double *value : table()) fwrite(value, sizeof(double), 1, fp);
}

/* buf may not be aligned */
RestartHead StepAccount::read(const char *buf)
{
  RestartHead head = RestartHead();
  memcpy(&head, buf, sizeof head);
  buf += sizeof head;
  for (double *value : table()) {
    memcpy(value, buf, sizeof(double));
    buf += sizeof(double);
  }
  return head;
}
