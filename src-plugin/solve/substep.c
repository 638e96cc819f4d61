/* SPDX-License-Identifier: MIT
 * One implicit substep, and the length of the next one. */
#include "solve/newton_internal.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

pd_newton_options pd_newton_defaults(void)
{
  pd_newton_options o = {0};
  o.tol = 1e-8;
  o.maxit = 25;
  o.lsmax = 6;
  o.filter = 1;
  o.eta = 0.5;
  o.guard = 3e-5;
  o.path = -1.0;
  o.off = PD_HEURISTICS_OFF;
  return o;
}

/* ---- the solver ---- */

pd_status pd_substep_solver_create(pd_substep_solver **solver)
{
  *solver = (pd_substep_solver *)pd_malloc(sizeof **solver);
  if (!*solver) return PD_ENOMEM;
  memset(*solver, 0, sizeof **solver);
  return PD_OK;
}

void pd_substep_solver_free(pd_substep_solver *solver)
{
  if (!solver) return;
  pd_newton_work *w = &solver->work;
  void *owned[] = {w->direction,    w->increments, w->fraction,     w->rhs,
                   w->solution,     w->residual2,  w->weight,       w->in_local_step,
                   w->in_next_ring, w->gbar,       w->drive_speed2, w->partners,
                   w->touches,      w->exchange,   w->meets,        w->on_way,
                   w->asked,        w->place,      w->by_wall,      w->wall_system};
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) pd_free(owned[i]);
  pd_islands_free(&w->islands);
  pd_free(solver);
}

pd_status pd_newton_reserve(pd_newton_work *w, const pd_system *sys)
{
  const pd_array bodies[] = {{&w->direction, 6 * sizeof(double)},
                             {&w->increments, 6 * sizeof(double)},
                             PD_ARRAY(w->fraction),
                             {&w->rhs, 6 * sizeof(double)},
                             {&w->solution, 6 * sizeof(double)},
                             PD_ARRAY(w->residual2),
                             PD_ARRAY(w->weight),
                             PD_ARRAY(w->in_local_step),
                             PD_ARRAY(w->in_next_ring),
                             PD_ARRAY(w->gbar),
                             {&w->drive_speed2, 2 * sizeof(double)},
                             PD_ARRAY(w->partners),
                             PD_ARRAY(w->touches),
                             {&w->exchange, 6 * sizeof(double)}};
  const pd_array pairs[] = {PD_ARRAY(w->meets), PD_ARRAY(w->on_way), PD_ARRAY(w->asked)};
  const pd_array place = PD_ARRAY(w->place), border = PD_ARRAY(w->by_wall),
                 ways = PD_ARRAY(w->wall_system);
  const size_t blocks = (size_t)sys->pattern.rowptr[sys->pattern.nlocal], n = (size_t)sys->nfree;
  /* a process without bodies has arrays, too */
  pd_status status = pd_arrays_reserve(bodies, sizeof bodies / sizeof bodies[0], &w->cap_body,
                                       sys->nbody > 0 ? (size_t)sys->nbody : 1);
  if (!status) status = pd_arrays_reserve(pairs, 3, &w->cap_pair, (size_t)sys->npair);
  if (!status) status = pd_arrays_reserve(&place, 1, &w->cap_block, blocks + 1);
  if (!status && n > 0)
    status = pd_arrays_reserve(&border, 1, &w->cap_border, 6 * n * (size_t)sys->nbody);
  if (!status && n > 0) status = pd_arrays_reserve(&ways, 1, &w->cap_wall, n * (n + 1));
  return status;
}

/* ---- the start ---- */

pd_status pd_energy_now(pd_system *sys, const pd_services *services, pd_energy *now,
                        pd_totals *totals)
{
  for (int i = 0; i < sys->nbody; i++) sys->body[i].u = sys->body[i].alpha = pd_v(0.0, 0.0, 0.0);
  const pd_status status = pd_system_eval(sys, PD_AT_START, 0, totals);
  pd_system_join_walls(sys, &services->communication, PD_AT_START);
  pd_system_sum_at_start(sys, totals);
  double sum[] = {pd_system_kinetic(sys), totals->energy, totals->spring};
  pd_global_sum(&services->communication, sum, 3);
  now->kinetic = sum[0];
  now->potential = sum[1];
  now->spring = sum[2];
  if (!status) pd_system_accept_forces(sys);
  if (!status && sys->scheme.kind == PD_NEWMARK) pd_system_note_change(sys);
  return pd_agree_status(&services->communication, status);
}

/* ---- the substep ---- */

/* who is furthest out of balance; a residual that is not a number is worse than any other */
static void find_worst(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  double mine = -1.0;
  long name = 0;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i])) continue;
    const double r = pd_body_residual2(&sys->body[i], sys->assembly.force + 6 * i);
    const double size = r <= DBL_MAX ? r : DBL_MAX; /* maxima over processes know no NaN */
    if (size > mine) mine = size, name = pd_body_name(&sys->body[i]);
  }
  double most = mine;
  pd_global_max(solver->processes, &most, 1);
  solver->out->worst = pd_agree_name(solver->processes, mine == most ? name : 0);
  solver->out->worst_residual = sqrt(fmax(most, 0.0));
}

/* Factor on the next substep. The energy-momentum scheme stays accurate where Newton's method has
 * to work: there long substeps of many iterations are cheaper than many short ones. */
static double growth(pd_scheme_kind kind, double effort)
{
  if (effort <= PD_EFFORT_EASY) return PD_GROWTH_EASY;
  if (kind == PD_EM && effort <= PD_EFFORT_EM_LONG)
    return effort <= PD_EFFORT_EM_FAIR ? PD_GROWTH_EM_FAIR : 1.0;
  return effort <= PD_EFFORT_FAIR ? 1.0 : PD_GROWTH_HARD;
}

static pd_status solve(pd_substep_solver *solver, const pd_energy *now)
{
  pd_system *sys = solver->sys;
  int sure;
  pd_status status = pd_newton_reserve(&solver->work, sys);
  status = pd_agree_status(solver->processes, status);
  if (status) return status;
  pd_system_set_start_poses(sys);
  pd_system_set_start_loads(sys);
  if (sys->scheme.kind == PD_EM) pd_choose(solver);
  if (pd_is_too_long(solver)) return PD_EIMPACT;
  status = pd_check_turns(solver, 0);
  if (status) return status;
  status = pd_predict(solver, &sure);
  if (!status) status = pd_newton_iterate(solver, sure);
  if (status) {
    find_worst(solver);
    return status;
  }
  status = pd_check_passage(solver);
  if (!status) status = pd_check_turns(solver, 1);
  if (!status && sys->scheme.kind == PD_EM) status = pd_check_pushes(solver);
  if (status) return status;
  pd_energy_balance(solver, now);
  solver->out->growth = growth(sys->scheme.kind, solver->out->effort);
  if (isnan(solver->out->excess)) return PD_ENAN; /* guard or not: by a place or a force */
  const int passes = solver->out->excess <= solver->out->allowed;
  return solver->opt->guard > 0.0 && !passes ? PD_EENERGY : PD_OK;
}

pd_status pd_substep_solve(pd_substep_solver *solver, pd_system *sys, const pd_services *services,
                           const pd_newton_options *opt, double h, const pd_energy *now,
                           pd_substep *out)
{
  const pd_substep zero = {0};
  const pd_island_sums nothing = {0};
  *out = zero;
  solver->sys = sys;
  solver->services = services;
  solver->processes = &services->communication;
  solver->opt = opt;
  solver->out = out;
  solver->total = nothing;
  solver->out_of_memory = 0;
  pd_scheme_set_step(&sys->scheme, h);
  return solve(solver, now);
}

/* factor on a substep for an energy error that grows with its cube */
static double by_error(const pd_substep *s)
{
  return s->excess > 0.0 ? cbrt(s->allowed / s->excess) : DBL_MAX;
}

double pd_substep_next(const pd_newton_options *opt, pd_status status, const pd_substep *s,
                       double h)
{
  const double safe = PD_GUARD_SAFETY * by_error(s);
  if (status == PD_EIMPACT || status == PD_ETURN || status == PD_EPULL) return s->longest;
  if (status == PD_EENERGY) return h * fmin(PD_CUT_FAILED, fmax(PD_CUT_GUARD_MOST, safe));
  if (status) return PD_CUT_FAILED * h;
  if (!(opt->guard > 0.0)) return h * s->growth;
  return h * fmin(s->growth, fmax(PD_CUT_GUARD_NEAR, safe));
}
