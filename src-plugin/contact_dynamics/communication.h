/* SPDX-License-Identifier: MIT
 * What contact dynamics needs of other processes. A body belongs to one process and may have ghosts
 * on others; a contact is stored on exactly one process, between any two bodies known there. */
#ifndef PD_CD_ENV_H
#define PD_CD_ENV_H

#include "base/status.h"

/* services of the surroundings; a NULL function means a single process without ghosts */
typedef struct pd_cd_communication {
  void *ctx;
  void (*forward)(void *ctx, double *buffer); /* copies 6 doubles per body from owners to ghosts */
  void (*reverse)(void *ctx,
                  double *buffer); /* adds 6 doubles per body of the ghosts to the owners' */
  void (*sum)(void *ctx, double *x, int n); /* global sums, in place */
  void (*max)(void *ctx, double *x, int n); /* global maxima, in place */
} pd_cd_communication;

PD_KERNEL void pd_cd_forward(const pd_cd_communication *env, double *buffer)
{
  if (env && env->forward) env->forward(env->ctx, buffer);
}

PD_KERNEL void pd_cd_reverse(const pd_cd_communication *env, double *buffer)
{
  if (env && env->reverse) env->reverse(env->ctx, buffer);
}

PD_KERNEL void pd_cd_sum(const pd_cd_communication *env, double *x, int n)
{
  if (env && env->sum) env->sum(env->ctx, x, n);
}

PD_KERNEL double pd_cd_sum1(const pd_cd_communication *env, double x)
{
  pd_cd_sum(env, &x, 1);
  return x;
}

/* the larger of two, where a nan counts as largest: comparisons alone would lose it */
PD_KERNEL double pd_cd_worse(double worst, double x)
{
  return x <= worst || worst != worst ? worst : x;
}

/* global maximum; a nan of any process makes it infinite */
PD_KERNEL double pd_cd_max1(const pd_cd_communication *env, double x)
{
  if (x != x) x = INFINITY;
  if (env && env->max) env->max(env->ctx, &x, 1);
  return x;
}

#endif
