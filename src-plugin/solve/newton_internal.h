/* SPDX-License-Identifier: MIT
 * Shared by the newton_*.c files. */
#ifndef PD_NEWTON_INTERNAL_H
#define PD_NEWTON_INTERNAL_H

#include "solve/newton.h"

/* a substep under way */
typedef struct solve_state {
  pd_system *sys;
  const pd_services *services;
  const pd_newton_options *opt;
  pd_substep *out;
  double total[PD_NSUM]; /* sums over all islands of all processes */
  int out_of_memory;     /* an evaluation here has run out of memory */
} solve_state;

PD_KERNEL void pd_global_sum(const pd_services *services, double *x, int n)
{
  if (services->sum) services->sum(services->ctx, x, n);
}

PD_KERNEL void pd_global_max(const pd_services *services, double *x, int n)
{
  if (services->max) services->max(services->ctx, x, n);
}

PD_KERNEL int pd_moves(const pd_body *b) { return b->owned && b->mobile; }

/* squared residual f of a body, its moments divided by the bounding radius */
PD_KERNEL double pd_body_residual2(const pd_body *b, const double *f)
{
  const double r = b->shape->radius;
  return pd_norm2(pd_v_load(f)) + pd_norm2(pd_v_load(f + 3)) / (r * r);
}

/* increments = saved ones + t step, for one body */
PD_KERNEL void pd_apply_step(pd_system *sys, int i, double t)
{
  pd_body *b = &sys->body[i];
  const double *base = sys->save + 6 * i, *d = sys->step + 6 * i;
  b->u = pd_axpy(pd_v_load(base), t, pd_v_load(d));
  b->alpha = pd_axpy(pd_v_load(base + 3), t, pd_v_load(d + 3));
  sys->moved[i] = 1;
}

/* the k-th island */
PD_KERNEL pd_island *pd_island_nth(const pd_islands *s, int k) { return &s->of[s->root[k]]; }

PD_KERNEL pd_island *pd_island_of(const solve_state *z, int body)
{
  pd_islands *s = &z->sys->islands;
  return &s->of[pd_island_find(s, body)];
}

/* a pair's body that the step moves */
PD_KERNEL int pd_mover(const pd_system *sys, const pd_contact_pair *pair)
{
  return sys->body[pair->a].mobile || pair->wall ? pair->a : pair->b;
}

/* whether anything is true of any process */
PD_KERNEL int pd_anywhere(const solve_state *z, int here)
{
  double x = here;
  pd_global_max(z->services, &x, 1);
  return x > 0.0;
}

/* whether the body has unknowns in this iteration */
PD_KERNEL int pd_is_free(const solve_state *z, int i)
{
  const pd_island *o = pd_island_of(z, i);
  return o->active && (!o->local || z->sys->in_local_step[i]);
}

/* ---- islands ---- */

/* Makes islands of the pairs with forces; whether any have joined. */
int pd_islands_join_active(const solve_state *z);

/* All processes see the same islands, after some have joined some. Errors: PD_ENOMEM. */
pd_status pd_islands_agree(const solve_state *z);

/* Maxima over the processes of the parts of shared islands; the numbers of their bodies of local
 * steps. */
void pd_islands_reduce_tops(const solve_state *z);
void pd_islands_reduce_local(const solve_state *z);

/* Sums of all islands, and over all of them, from the last evaluation. */
void pd_islands_sum_up(solve_state *z);

/* What an island's residual is judged by: its own forces or its share of those of all; for all of
 * them together the latter makes half of what is allowed. */
double pd_island_scale(const solve_state *z, const pd_island *o);

/* Whether an island's residual is small enough. */
int pd_island_converged(const solve_state *z, const pd_island *o);

/* whether that of all of them is */
int pd_all_converged(const solve_state *z);

/* ---- iterations ---- */

/* Evaluates moved bodies and their pairs; all of them at first. A lack of memory is noted in
 * z->starved. */
void pd_newton_evaluate(solve_state *z, int all, int tangent);

/* Finds where the active islands are to go, into sys->step and their factors. Errors: PD_ENOMEM,
 * PD_ESINGULAR. */
pd_status pd_newton_direction(solve_state *z);

/* Notes the increments, as those from which steps start. */
void pd_save_increments(pd_system *sys);

/* Newton's iteration from the first guess, at which all bodies stand. sure: that is likely to be
 * the solution. Errors: those of pd_substep_solve. */
pd_status pd_newton_iterate(solve_state *z, int sure);

#endif
