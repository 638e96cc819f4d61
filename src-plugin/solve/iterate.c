/* SPDX-License-Identifier: MIT
 * Newton's iteration by islands. Every island has its own line search and is left alone, its rows
 * of the matrix the identity, once it has converged; pairs whose bodies have not moved are not
 * evaluated again. Islands that come to have forces on each other become one. */

#include <string.h>

#include "solve/newton_internal.h"

/* the history is that of the islands at work */
static void record(const pd_substep_solver *solver, int iteration)
{
  pd_substep *out = solver->out;
  const pd_island_sums *t = &solver->total;
  out->iterations = iteration;
  out->residual = sqrt(t->residual2);
  out->scale = sqrt(t->scale2);
  if (iteration < PD_HISTORY)
    out->history[iteration] = t->scale2 > 0.0 ? sqrt(t->at_work / t->scale2) : 0.0;
}

/* notes the merit of this iteration */
static void remember(pd_island *island)
{
  island->past[1] = island->past[0];
  island->past[0] = sqrt(island->sum.merit2);
  island->min.nmerits = fmin(island->min.nmerits + 1.0, 2.0);
}

/* Which islands here go on; *more: there is one. Returns their worst status. */
static pd_status find_open(pd_substep_solver *solver, int *more)
{
  const pd_islands *s = &solver->work.islands;
  pd_status worst = PD_OK;
  *more = 0;
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    island->active = 0;
    if (island->sum.nbodies == 0.0) continue;
    worst = pd_worse(worst, pd_island_status(island));
    if (pd_island_converged(solver, island)) continue;
    island->active = *more = 1;
    remember(island);
  }
  return worst;
}

/* They become an iteration older. Errors: PD_ENEWTON. */
static pd_status grow_older(pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  pd_status worst = PD_OK;
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    if (!island->active) continue;
    if (island->max.age >= solver->opt->maxit) worst = pd_worse(worst, PD_ENEWTON);
    island->max.age += 1.0;
  }
  return worst;
}

/* Which islands go on; *more: there is one on any process. Errors: PD_ENEWTON, PD_ENAN. */
static pd_status check_convergence(pd_substep_solver *solver, int *more)
{
  const int done = pd_all_converged(solver);
  pd_status worst = find_open(solver, more);
  if (!done) worst = pd_worse(worst, grow_older(solver));
  worst = pd_agree(solver->processes, worst, more);
  *more = *more && !done;
  return worst;
}

/* what the substep has cost, in iterations of the slowest island */
static double effort_of(const pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  double most = 0.0;
  for (int k = 0; k < s->nroot; k++) most = fmax(most, pd_island_nth(s, k)->max.age);
  pd_global_max(solver->processes, &most, 1);
  return most;
}

static void note_totals(const pd_substep_solver *solver)
{
  pd_substep *out = solver->out;
  pd_totals t;
  pd_system_sum(solver->sys, &t);
  double sum[] = {t.energy, t.spring, t.ncontact};
  pd_global_sum(solver->processes, sum, 3);
  out->energy = sum[0];
  out->spring = sum[1];
  out->ncontact = sum[2];
  out->mingap = t.mingap;
  pd_global_min(solver->processes, &out->mingap, 1);
}

/* whether an island is to have tangents from afar; one or two bodies fail for little, and are the
 * better for a shorter substep */
static int is_far(const pd_substep_solver *solver, const pd_island *island)
{
  const double limit = PD_FAR * pd_island_scale(solver, island);
  return island->sum.nbodies > 2.0 && island->sum.residual2 > limit * limit;
}

/* Marks the bodies of islands far from their solution: there Newton's tangent of friction, which
 * does not hold back a sample that slips, leads from one direction of slip to the other and back.
 * Nearer to it they need Newton's again. */
static void mark_far(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_island *island = pd_island_of(&solver->work.islands, i);
    const int far = sys->body[i].mobile && is_far(solver, island);
    if (sys->trial.far[i] != far) sys->assembly.tangent_current[i] = 0;
    sys->trial.far[i] = (char)far;
  }
}

/* islands at the first guess */
static pd_status begin(pd_substep_solver *solver, int sure)
{
  memset(solver->sys->trial.far, 0, (size_t)solver->sys->nbody);
  pd_status status = pd_islands_reset(&solver->work.islands, solver->sys->nbody);
  status = pd_agree_status(solver->processes, status);
  if (status) return status;
  pd_newton_evaluate(solver, 1, !sure);
  if (pd_global_any(solver->processes, solver->out_of_memory)) return PD_ENOMEM;
  pd_islands_join_active(solver);
  status = pd_islands_agree(solver);
  if (!status) pd_islands_sum_up(solver);
  return status;
}

static pd_status iterations(pd_substep_solver *solver, int sure)
{
  pd_status status = begin(solver, sure);
  for (int it = 0; !status; it++) {
    int more;
    record(solver, it);
    status = check_convergence(solver, &more);
    if (status || !more) return status;
    mark_far(solver);
    status = pd_newton_direction(solver);
    if (!status) status = pd_newton_line_search(solver);
    if (status) return status;
    if (!pd_global_any(solver->processes, pd_islands_join_active(solver))) continue;
    status = pd_islands_agree(solver);
    if (!status) pd_islands_sum_up(solver);
  }
  return status;
}

pd_status pd_newton_iterate(pd_substep_solver *solver, int sure)
{
  const pd_status status = iterations(solver, sure);
  if (status == PD_ENOMEM) return status;
  note_totals(solver);
  solver->out->effort = effort_of(solver);
  return status;
}
