/* SPDX-License-Identifier: MIT */
#include "geometry/sieve.h"

#include <float.h>
#include <math.h>

/* angles that are tried in a quarter of a turn, and steps of the refinement about the best one */
enum { ANGLES = 90, STEPS = 40 };

static double width(const pd_shape *shape, pd_vec3 n)
{
  double lo = DBL_MAX, hi = -DBL_MAX;
  for (int i = 0; i < shape->nv; i++) {
    const double h = pd_dot(n, shape->v[i]);
    lo = fmin(lo, h);
    hi = fmax(hi, h);
  }
  return hi - lo;
}

/* side of the square about the body seen along u x w, turned by an angle from u */
static double square(const pd_shape *shape, pd_vec3 u, pd_vec3 w, double angle)
{
  const double c = cos(angle), s = sin(angle);
  return fmax(width(shape, pd_axpy(pd_scale(c, u), s, w)),
              width(shape, pd_axpy(pd_scale(-s, u), c, w)));
}

/* The best of the angles, then ever smaller steps from it. */
static double smallest_square(const pd_shape *shape, pd_vec3 u, pd_vec3 w)
{
  double step = 0.5 * PD_PI / ANGLES, at = 0.0, best = square(shape, u, w, at);
  for (int i = 1; i < ANGLES; i++) {
    const double side = square(shape, u, w, i * step);
    if (side < best) at = i * step;
    best = fmin(best, side);
  }
  for (int i = 0; i < STEPS; i++) {
    const double less = square(shape, u, w, at - step), more = square(shape, u, w, at + step);
    if (fmin(less, more) < best)
      at += less < more ? -step : step;
    else
      step *= 0.6;
    best = fmin(best, fmin(less, more));
  }
  return best;
}

double pd_sieve_size(const pd_shape *shape)
{
  const pd_vec3 x = pd_v(1.0, 0.0, 0.0), y = pd_v(0.0, 1.0, 0.0), z = pd_v(0.0, 0.0, 1.0);
  const double along_x = smallest_square(shape, y, z), along_y = smallest_square(shape, z, x);
  return fmin(fmin(along_x, along_y), smallest_square(shape, x, y)) + 2.0 * shape->round;
}
