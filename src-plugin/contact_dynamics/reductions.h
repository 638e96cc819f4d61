/* SPDX-License-Identifier: MIT
 * Sums and maxima of single numbers over all processes, as the solvers of contact dynamics need
 * them. A body belongs to one process and may have ghosts on others; a contact is stored on exactly
 * one process, between any two bodies known there. */
#ifndef PD_CD_REDUCTIONS_H
#define PD_CD_REDUCTIONS_H

#include "base/communication.h"

PD_KERNEL double pd_cd_sum1(const pd_communication *communication, double x)
{
  pd_global_sum(communication, &x, 1);
  return x;
}

/* the larger of two, where a nan counts as largest: comparisons alone would lose it */
PD_KERNEL double pd_cd_worse(double worst, double x)
{
  return x <= worst || worst != worst ? worst : x;
}

/* global maximum; a nan of any process makes it infinite */
PD_KERNEL double pd_cd_max1(const pd_communication *communication, double x)
{
  if (x != x) x = INFINITY;
  pd_global_max(communication, &x, 1);
  return x;
}

#endif
