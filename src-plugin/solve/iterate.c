/* SPDX-License-Identifier: MIT
 * Newton's iteration by islands. Every island has its own line search and is left alone, its rows
 * of the matrix the identity, once it has converged; pairs whose bodies have not moved are not
 * evaluated again. Islands that come to have forces on each other become one. */
#include <string.h>

#include "solve/newton_internal.h"

/* an iteration may leave this fraction of its virtual work, or overshoot by it */
static const double SLOPE = 0.9;

/* ---- evaluation ---- */

/* ghosts get the increments of their owners */
static void forward_increments(const solve_state *z)
{
  pd_system *sys = z->sys;
  if (!z->services->forward) return;
  for (int i = 0; i < sys->nbody; i++) {
    pd_v_store(sys->buffer + 6 * i, sys->body[i].u);
    pd_v_store(sys->buffer + 6 * i + 3, sys->body[i].alpha);
  }
  z->services->forward(z->services->ctx, sys->buffer);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (b->owned) continue;
    const pd_vec3 u = pd_v_load(sys->buffer + 6 * i), alpha = pd_v_load(sys->buffer + 6 * i + 3);
    if (memcmp(&u, &b->u, sizeof u) || memcmp(&alpha, &b->alpha, sizeof alpha)) sys->moved[i] = 1;
    b->u = u;
    b->alpha = alpha;
  }
}

void pd_newton_evaluate(solve_state *z, int all, int tangent)
{
  pd_system *sys = z->sys;
  pd_totals t;
  z->out->evaluations++;
  forward_increments(z);
  const pd_status status =
      all ? pd_system_eval(sys, PD_AT_TRIAL, tangent, &t) : pd_system_eval_moved(sys, tangent);
  if (status == PD_ENOMEM) z->out_of_memory = 1;
}

/* ---- line search ---- */

/* Whether a trial is good enough. Judged by the virtual work along the direction, as the slope of
 * an energy would be: unlike a norm, it is not misled by a contact that has just begun somewhere.
 * Where the direction is not one of descent, the norm has to fall. */
static int good(const solve_state *z, const pd_island *o)
{
  if (o->top[PD_BAD] > 0.0) return 0;
  if (pd_island_converged(z, o)) return 1;
  if (o->slope < 0.0) return o->sum[PD_SLOPE] <= -SLOPE * o->slope;
  return sqrt(o->sum[PD_MERIT2]) <= (1.0 - 2e-4 * o->factor) * o->merit;
}

static void begin_search(solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  pd_islands_sum_up(z);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    o->merit = sqrt(o->sum[PD_MERIT2]);
    o->slope = o->sum[PD_SLOPE];
    o->best = DBL_MAX;
    o->best_factor = o->factor;
    o->search = o->active ? PD_TRYING : PD_FOUND;
  }
}

/* the next trial of an island, if it needs one */
static void try_next(const solve_state *z, pd_island *o, int last)
{
  const double merit = sqrt(o->sum[PD_MERIT2]), now = o->factor;
  if (o->search == PD_SETTLING || good(z, o)) {
    o->search = PD_FOUND;
    return;
  }
  if (o->top[PD_BAD] == 0.0 && merit < o->best) {
    o->best = merit;
    o->best_factor = now;
  }
  o->search = last ? PD_SETTLING : PD_TRYING;
  o->factor = last ? o->best_factor : 0.5 * now;
  if (last && now == o->best_factor) o->search = PD_FOUND;
}

static void try_all(solve_state *z, int tangent)
{
  pd_system *sys = z->sys;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_island *o = pd_island_of(z, i);
    if (pd_moves(&sys->body[i]) && o->search != PD_FOUND && pd_is_free(z, i))
      pd_apply_step(sys, i, o->factor);
  }
  pd_newton_evaluate(z, 0, tangent);
  pd_islands_sum_up(z);
}

/* whether the next full step of all islands is likely to converge: it about squares the residual */
static int nearly_there(const solve_state *z)
{
  const pd_islands *s = &z->sys->islands;
  int all = 1;
  for (int k = 0; k < s->nroot && all; k++) {
    const pd_island *o = pd_island_nth(s, k);
    if (o->active)
      all = o->factor >= 1.0 && o->sum[PD_RESIDUAL2] <= 0.1 * z->opt->tol * o->sum[PD_SCALE2];
  }
  return all;
}

/* Halves the steps of islands until they are good; else keeps the one of the smallest residual. The
 * first trial, which mostly is the last, is evaluated with its tangent, but for the last iteration.
 */
static pd_status line_search(solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  pd_save_increments(z->sys);
  begin_search(z);
  const int last = nearly_there(z);
  for (int k = 0;; k++) {
    double any[2] = {0.0, 0.0};
    try_all(z, k == 0 && !last);
    for (int i = 0; i < s->nroot; i++) {
      pd_island *o = pd_island_nth(s, i);
      if (o->search == PD_FOUND) continue;
      try_next(z, o, k >= z->opt->lsmax);
      if (o->search != PD_FOUND) any[0] = 1.0;
    }
    any[1] = z->out_of_memory;
    pd_global_max(z->services, any, 2);
    if (any[1] > 0.0) return PD_ENOMEM;
    if (any[0] == 0.0) return PD_OK;
  }
}

/* ---- the iteration ---- */

/* the history is that of the islands at work */
static void record(const solve_state *z, int it)
{
  pd_substep *out = z->out;
  const double *t = z->total;
  out->iterations = it;
  out->residual = sqrt(t[PD_RESIDUAL2]);
  out->scale = sqrt(t[PD_SCALE2]);
  if (it < PD_HISTORY)
    out->history[it] = t[PD_SCALE2] > 0.0 ? sqrt(t[PD_AT_WORK] / t[PD_SCALE2]) : 0.0;
}

/* progress over the last iterations is too small to hope for convergence */
static int stagnates(const pd_island *o)
{
  return o->top[PD_AGE] >= 15.0 && -o->top[PD_NEW] >= PD_PAST && o->past[0] > 0.5 * o->past[5];
}

/* notes the merit of this iteration */
static void remember(pd_island *o)
{
  memmove(o->past + 1, o->past, (PD_PAST - 1) * sizeof(double));
  o->past[0] = sqrt(o->sum[PD_MERIT2]);
  o->top[PD_NEW] = fmax(o->top[PD_NEW] - 1.0, -(double)PD_PAST);
}

/* Which islands go on; *more: there is one. Errors: PD_ENEWTON, PD_ESTALL, PD_ENAN. */
static pd_status check_convergence(const solve_state *z, int *more)
{
  pd_islands *s = &z->sys->islands;
  double worst = PD_OK;
  int open = 0;
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    o->active = 0;
    if (o->sum[PD_NBODIES] == 0.0) continue;
    worst = fmax(worst, o->top[PD_BAD]);
    if (pd_island_converged(z, o)) continue;
    o->active = open = 1;
    remember(o);
  }
  for (int k = 0; k < s->nroot && !pd_all_converged(z); k++) {
    pd_island *o = pd_island_nth(s, k);
    if (!o->active) continue;
    if (o->top[PD_AGE] >= z->opt->maxit) worst = fmax(worst, PD_ENEWTON);
    if (stagnates(o)) worst = fmax(worst, PD_ESTALL);
    o->top[PD_AGE] += 1.0;
  }
  double any[2] = {worst, open};
  pd_global_max(z->services, any, 2);
  *more = any[1] > 0.0 && !pd_all_converged(z);
  return (pd_status)(int)any[0];
}

/* what the substep has cost, in iterations of the slowest island */
static double effort_of(const solve_state *z)
{
  const pd_islands *s = &z->sys->islands;
  double most = 0.0;
  for (int k = 0; k < s->nroot; k++) most = fmax(most, pd_island_nth(s, k)->top[PD_AGE]);
  pd_global_max(z->services, &most, 1);
  return most;
}

static void note_totals(const solve_state *z)
{
  pd_totals t;
  pd_system_sum(z->sys, &t);
  double sum[3] = {t.energy, t.spring, t.ncontact}, low = -t.mingap;
  pd_global_sum(z->services, sum, 3);
  pd_global_max(z->services, &low, 1);
  z->out->energy = sum[0];
  z->out->spring = sum[1];
  z->out->ncontact = sum[2];
  z->out->mingap = -low;
}

/* islands at the first guess */
static pd_status begin(solve_state *z, int sure)
{
  pd_status status = pd_islands_reset(&z->sys->islands, z->sys->nbody);
  if (pd_anywhere(z, status)) return PD_ENOMEM;
  pd_newton_evaluate(z, 1, !sure);
  if (pd_anywhere(z, z->out_of_memory)) return PD_ENOMEM;
  pd_islands_join_active(z);
  status = pd_islands_agree(z);
  if (!status) pd_islands_sum_up(z);
  return status;
}

static pd_status iterations(solve_state *z, int sure)
{
  pd_status status = begin(z, sure);
  for (int it = 0; !status; it++) {
    int more;
    record(z, it);
    status = check_convergence(z, &more);
    if (status || !more) return status;
    status = pd_newton_direction(z);
    if (!status) status = line_search(z);
    if (status) return status;
    if (!pd_anywhere(z, pd_islands_join_active(z))) continue;
    status = pd_islands_agree(z);
    if (!status) pd_islands_sum_up(z);
  }
  return status;
}

pd_status pd_newton_iterate(solve_state *z, int sure)
{
  const pd_status status = iterations(z, sure);
  if (status == PD_ENOMEM) return status;
  note_totals(z);
  z->out->effort = effort_of(z);
  return status;
}
