/* SPDX-License-Identifier: MIT
 * How far along the direction of the iteration every island goes. */
#include "solve/newton_internal.h"

void pd_save_increments(pd_substep_solver *solver)
{
  double *increments = solver->work.increments;
  for (int i = 0; i < solver->sys->nbody; i++) {
    pd_v_store(increments + 6 * i, solver->sys->body[i].u);
    pd_v_store(increments + 6 * i + 3, solver->sys->body[i].alpha);
  }
}

void pd_apply_direction(pd_substep_solver *solver, int i, double t)
{
  pd_body *b = &solver->sys->body[i];
  const double *from = solver->work.increments + 6 * i, *d = solver->work.direction + 6 * i;
  b->u = pd_axpy(pd_v_load(from), t, pd_v_load(d));
  b->alpha = pd_axpy(pd_v_load(from + 3), t, pd_v_load(d + 3));
  solver->sys->trial.to_evaluate[i] = 1;
}

/* Whether a trial is good enough. Judged by the virtual work along the direction, as the slope of
 * an energy would be: unlike a norm, it is not misled by a contact that has just begun somewhere.
 * Where the direction is not one of descent, the norm has to fall. */
static int is_good(const pd_substep_solver *solver, const pd_island *island)
{
  if (island->max.severity > 0.0) return 0;
  if (pd_island_converged(solver, island)) return 1;
  if (island->slope < 0.0) return island->sum.slope <= -PD_SLOPE_LEFT * island->slope;
  return sqrt(island->sum.merit2) <= (1.0 - PD_ARMIJO * island->factor) * island->merit;
}

static void begin_search(pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  pd_islands_sum_up(solver);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    island->merit = sqrt(island->sum.merit2);
    island->slope = island->sum.slope;
    island->best = DBL_MAX;
    island->best_factor = island->factor;
    island->search = island->active ? PD_TRYING : PD_FOUND;
  }
}

/* the next trial of an island, if it needs one */
static void try_next(const pd_substep_solver *solver, pd_island *island, int last)
{
  const double merit = sqrt(island->sum.merit2), now = island->factor;
  if (island->search == PD_SETTLING || is_good(solver, island)) {
    island->search = PD_FOUND;
    return;
  }
  if (island->max.severity == 0.0 && merit < island->best) {
    island->best = merit;
    island->best_factor = now;
  }
  island->search = last ? PD_SETTLING : PD_TRYING;
  island->factor = last ? island->best_factor : 0.5 * now;
  if (last && now == island->best_factor) island->search = PD_FOUND;
}

static void try_all(pd_substep_solver *solver, int tangent)
{
  const pd_system *sys = solver->sys;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_island *island = pd_island_of(&solver->work.islands, i);
    if (pd_moves(&sys->body[i]) && island->search != PD_FOUND && pd_is_free(solver, i))
      pd_apply_direction(solver, i, island->factor);
  }
  pd_newton_evaluate(solver, 0, tangent);
  pd_islands_sum_up(solver);
}

/* Whether no tangents are likely to be needed at the end of the next full step of all islands: it
 * about squares the residual, and a second one with the same matrix leaves its third power. */
static int nearly_there(const pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  const double enough = PD_NEARLY_THERE * solver->opt->tol;
  if (!pd_uses(solver, PD_LAST_GUESS)) return 0;
  if (solver->simplified) return 1;
  for (int k = 0; k < s->nroot; k++) {
    const pd_island *island = pd_island_nth(s, k);
    if (!island->active) continue;
    const double r = sqrt(island->sum.residual2 / island->sum.scale2);
    if (!(island->factor >= 1.0 && r * r * r <= enough)) return 0;
  }
  return 1;
}

/* The first trial, which mostly is the last, is evaluated with its tangent, but for the last
 * iteration. */
pd_status pd_newton_line_search(pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  pd_save_increments(solver);
  begin_search(solver);
  const int last = nearly_there(solver);
  for (int k = 0;; k++) {
    int more = 0;
    try_all(solver, k == 0 && !last);
    for (int i = 0; i < s->nroot; i++) {
      pd_island *island = pd_island_nth(s, i);
      if (island->search == PD_FOUND) continue;
      try_next(solver, island, k >= solver->opt->lsmax);
      more |= island->search != PD_FOUND;
    }
    const pd_status here = solver->out_of_memory ? PD_ENOMEM : PD_OK;
    const pd_status status = pd_agree(solver->processes, here, &more);
    if (status || !more) return status;
  }
}
