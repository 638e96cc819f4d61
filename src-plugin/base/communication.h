/* SPDX-License-Identifier: MIT
 * What the mechanics needs of other processes, as a service of the surroundings. A body belongs to
 * one process and may have ghosts on others. The sums and maxima are those of every entry over all
 * processes; all of them call in the same order. */
#ifndef PD_COMMUNICATION_H
#define PD_COMMUNICATION_H

#include "base/status.h"

/* a NULL function means a single process without ghosts */
typedef struct pd_communication {
  void *ctx;
  void (*forward)(void *ctx, double *buffer); /* 6 doubles per body: copies from owners to ghosts */
  void (*reverse)(void *ctx, double *buffer); /* the same: adds those of ghosts to their owners' */
  void (*sum)(void *ctx, double *x, int n);   /* global sums, in place */
  void (*max)(void *ctx, double *x, int n);   /* global maxima, in place */
} pd_communication;

PD_KERNEL void pd_forward(const pd_communication *c, double *buffer)
{
  if (c && c->forward) c->forward(c->ctx, buffer);
}

PD_KERNEL void pd_reverse(const pd_communication *c, double *buffer)
{
  if (c && c->reverse) c->reverse(c->ctx, buffer);
}

PD_KERNEL void pd_global_sum(const pd_communication *c, double *x, int n)
{
  if (c && c->sum) c->sum(c->ctx, x, n);
}

PD_KERNEL void pd_global_max(const pd_communication *c, double *x, int n)
{
  if (c && c->max) c->max(c->ctx, x, n);
}

/* Maxima of the first nmax entries and minima of the nmin that follow, in one message. Minima are
 * maxima of what is negated: this is the one place where a figure is. */
PD_KERNEL void pd_global_extremes(const pd_communication *c, double *x, int nmax, int nmin)
{
  if (!c || !c->max) return;
  for (int i = nmax; i < nmax + nmin; i++) x[i] = -x[i];
  c->max(c->ctx, x, nmax + nmin);
  for (int i = nmax; i < nmax + nmin; i++) x[i] = -x[i];
}

PD_KERNEL void pd_global_min(const pd_communication *c, double *x, int n)
{
  pd_global_extremes(c, x, 0, n);
}

/* whether something is true on any process */
PD_KERNEL int pd_global_any(const pd_communication *c, int here)
{
  double x = here ? 1.0 : 0.0;
  pd_global_max(c, &x, 1);
  return x > 0.0;
}

/* Agrees on what all processes report: returns the most severe of their statuses; *flag: whether it
 * is set on any of them. Severities are small integers, which doubles hold exactly. */
PD_KERNEL pd_status pd_agree(const pd_communication *c, pd_status here, int *flag)
{
  double x[2] = {(double)pd_severity(here), *flag ? 1.0 : 0.0};
  pd_global_max(c, x, 2);
  *flag = x[1] > 0.0;
  return pd_status_of_severity((int)x[0]);
}

/* the same for a status alone */
PD_KERNEL pd_status pd_agree_status(const pd_communication *c, pd_status here)
{
  double x = (double)pd_severity(here);
  pd_global_max(c, &x, 1);
  return pd_status_of_severity((int)x);
}

#endif
