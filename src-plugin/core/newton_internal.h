/* SPDX-License-Identifier: MIT
 * Shared by newton.c and newton_iterate.c. */
#ifndef PD_NEWTON_INTERNAL_H
#define PD_NEWTON_INTERNAL_H

#include "newton.h"

/* a substep under way */
typedef struct solve_state {
  pd_system *sys;
  const pd_env *env;
  const pd_newton_options *opt;
  pd_substep *out;
  double total[PD_NSUM]; /* sums over all islands of all processes */
  int starved;           /* an evaluation here has run out of memory */
} solve_state;

PD_KERNEL void pd_global_sum(const pd_env *env, double *x, int n)
{
  if (env->sum) env->sum(env->ctx, x, n);
}

PD_KERNEL void pd_global_max(const pd_env *env, double *x, int n)
{
  if (env->max) env->max(env->ctx, x, n);
}

PD_KERNEL int pd_moves(const pd_body *b) { return b->owned && b->mobile; }

/* increments = saved ones + t step, for one body */
PD_KERNEL void pd_go(pd_system *sys, int i, double t)
{
  pd_body *b = &sys->body[i];
  const double *base = sys->save + 6 * i, *d = sys->step + 6 * i;
  b->u = pd_axpy(pd_v_load(base), t, pd_v_load(d));
  b->alpha = pd_axpy(pd_v_load(base + 3), t, pd_v_load(d + 3));
  sys->stir[i] = 1;
}

/* Notes the increments, as those from which steps start. */
void pd_save_increments(pd_system *sys);

/* Newton's iteration from the first guess, at which all bodies stand. sure: that is likely to be
 * the solution. Errors: those of pd_substep_solve. */
pd_status pd_newton_iterate(solve_state *z, int sure);

#endif
