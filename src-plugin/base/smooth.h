/* SPDX-License-Identifier: MIT
 * Smooth steps. */
#ifndef PD_SMOOTH_H
#define PD_SMOOTH_H

#include "base/status.h"

/* 0 up to low, 1 from high on, smooth in between; slope: its derivative, or NULL. */
PD_KERNEL double pd_rise(double x, double low, double high, double *slope)
{
  const double y = fmin(1.0, fmax(0.0, (x - low) / (high - low)));
  if (slope) *slope = 6.0 * y * (1.0 - y) / (high - low);
  return y * y * (3.0 - 2.0 * y);
}

#endif
