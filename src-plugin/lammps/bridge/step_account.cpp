/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/step_account.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

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
           &rise,
           &cell_work}};
}

void StepAccount::describe(const pd_totals &t, const pd_services *services, double no_gap)
{
  double least = t.mingap;
  contacts = t.ncontact;
  pd_global_sum(&services->communication, &contacts, 1);
  pd_global_min(&services->communication, &least, 1);
  min_gap = least < DBL_MAX ? least : no_gap;
  kinetic = energy.kinetic;
  potential = energy.potential;
  spring = energy.spring;
}

void StepAccount::add(const pd_substep &s)
{
  const double before = energy.kinetic + energy.potential + energy.spring;
  if (s.rise > s.noise)
    rise = std::max(rise, s.rise / (before + std::fabs(s.work) + std::fabs(s.wall_work) +
                                    std::fabs(s.cell_work)));
  energy.kinetic = s.kinetic;
  energy.potential = s.energy;
  energy.spring = s.spring;
  residual = s.scale > 0.0 ? s.residual / s.scale : 0.0;
  work += s.work;
  wall_work += s.wall_work;
  cell_work += s.cell_work;
  by_damping += s.dissipated[PD_DAMPING];
  by_friction += s.dissipated[PD_FRICTION];
  by_scheme += s.numerical;
  error += s.error;
  for (int k = 0; k < 3; k++) {
    const int it = s.iterations - 2 + k;
    history[k] = it >= 0 && it < PD_HISTORY ? s.history[it] : 0.0;
  }
}

std::vector<double> StepAccount::state(RestartHead head)
{
  std::vector<double> list = {head.step,     head.failed, head.time,
                              head.timestep, head.before, head.length};
  for (const double *value : table()) list.push_back(*value);
  return list;
}

RestartHead StepAccount::restore(const std::vector<double> &list)
{
  std::vector<double>::const_iterator next = list.begin() + NHEAD;
  for (double *value : table()) *value = *next++;
  return {list[0], list[1], list[2], list[3], list[4], list[5]};
}
