/* SPDX-License-Identifier: MIT
 * Evaluation of a trial of Newton's iteration, on all processes. */
#include <string.h>

#include "solve/newton_internal.h"

/* ghosts get the increments of their owners */
static void forward_increments(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  double *increments = solver->work.exchange;
  if (!solver->processes->forward) return;
  for (int i = 0; i < sys->nbody; i++) {
    pd_v_store(increments + 6 * i, sys->body[i].u);
    pd_v_store(increments + 6 * i + 3, sys->body[i].alpha);
  }
  pd_forward(solver->processes, increments);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (b->owned) continue;
    const pd_vec3 u = pd_v_load(increments + 6 * i), alpha = pd_v_load(increments + 6 * i + 3);
    if (memcmp(&u, &b->u, sizeof u) != 0 || memcmp(&alpha, &b->alpha, sizeof alpha) != 0)
      sys->trial.to_evaluate[i] = 1;
    b->u = u;
    b->alpha = alpha;
  }
}

void pd_newton_evaluate(pd_substep_solver *solver, int all, int tangent)
{
  pd_system *sys = solver->sys;
  pd_totals t;
  solver->out->evaluations++;
  forward_increments(solver);
  const pd_status status =
      all ? pd_system_eval(sys, PD_AT_TRIAL, tangent, &t) : pd_system_eval_moved(sys, tangent);
  pd_system_join_walls(sys, solver->processes, PD_AT_TRIAL);
  if (status == PD_ENOMEM) solver->out_of_memory = 1;
}
