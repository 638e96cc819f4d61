/* SPDX-License-Identifier: MIT
 * What the energy-momentum scheme chooses for a substep, the same on all processes. */
#include "solve/newton_internal.h"

/* ghosts have the parameters a of their owners, and rest as they do */
static void forward_choice(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  double *a = solver->work.exchange; /* 6 per body, the first five count */
  if (!solver->processes->forward) return;
  for (int i = 0; i < sys->nbody; i++) {
    a[6 * i] = sys->body[i].scheme_a;
    a[6 * i + 1] = sys->body[i].rest.by_friction;
    a[6 * i + 2] = sys->body[i].rest.rests;
    a[6 * i + 3] = (double)sys->body[i].rest.on_prescribed;
    a[6 * i + 4] = sys->body[i].rest.supported;
  }
  pd_forward(solver->processes, a);
  for (int i = 0; i < sys->nbody; i++) {
    sys->body[i].scheme_a = a[6 * i];
    sys->body[i].rest.by_friction = a[6 * i + 1] != 0.0;
    sys->body[i].rest.rests = a[6 * i + 2] != 0.0;
    sys->body[i].rest.on_prescribed = (long)a[6 * i + 3];
    sys->body[i].rest.supported = a[6 * i + 4] != 0.0;
  }
}

void pd_choose(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  pd_system_forward_forces(sys, solver->processes, solver->work.exchange);
  pd_em_choose(sys, pd_is_rated(solver), solver->opt->resolve, solver->opt->longest);
  pd_em_choose_walls(sys, solver->processes);
  forward_choice(solver);
  while (pd_global_any(solver->processes, pd_em_spread_support(sys, solver->processes)))
    forward_choice(solver);
  if (pd_global_any(solver->processes, pd_em_let_float(sys))) forward_choice(solver);
  while (pd_global_any(solver->processes, pd_em_join_rest(sys, solver->processes)))
    forward_choice(solver);
  pd_em_mix_floating(sys);
  if (pd_global_any(solver->processes, pd_anything_is_prescribed(sys)))
    while (pd_global_any(solver->processes, pd_em_spread_prescribed(sys))) forward_choice(solver);
  pd_em_refer_velocities(sys);
}
