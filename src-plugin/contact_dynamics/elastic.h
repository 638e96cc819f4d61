/* SPDX-License-Identifier: MIT
 * Power law of a contact without tension, w(c) = k/p c^p for an overlap c > 0, else 0: Hooke p = 2,
 * Hertz p = 5/2. k = 0 stands for a contact that is open for good.
 * Equation numbers: Olsen & Kamrin (2018). */
#ifndef PD_CD_ELASTIC_H
#define PD_CD_ELASTIC_H

#include "base/status.h"

/* strain energy, eq. (29) */
PD_KERNEL double pd_cd_energy(double p, double k, double c)
{
  if (!(c > 0.0)) return 0.0;
  return p == 2.0 ? 0.5 * k * c * c : k / p * pow(c, p);
}

/* force, eq. (31) */
PD_KERNEL double pd_cd_force(double p, double k, double c)
{
  if (!(c > 0.0)) return 0.0;
  if (p == 2.0) return k * c;
  return p == 2.5 ? k * c * sqrt(c) : k * pow(c, p - 1.0);
}

/* df/dc where the force is f */
PD_KERNEL double pd_cd_tangent(double p, double k, double f)
{
  if (p == 2.0) return k;
  return k > 0.0 && f > 0.0 ? (p - 1.0) * f / pow(f / k, 1.0 / (p - 1.0)) : 0.0;
}

/* complementary energy w*, eq. (34) */
PD_KERNEL double pd_cd_complementary(double p, double k, double f)
{
  if (!(k > 0.0 && f > 0.0)) return 0.0;
  return (p - 1.0) / p * f * pow(f / k, 1.0 / (p - 1.0));
}

/* x^e, for Hertz's law without the general power, which costs ten times a root */
PD_KERNEL double pd_cd_power(double x, double e)
{
  return e == 1.5 ? x * sqrt(x) : e == 0.5 ? sqrt(x) : e == 2.0 / 3.0 ? cbrt(x * x) : pow(x, e);
}

/* Solves y^e + a y = z or y + a y^e = z (linear = 1) for y >= 0, with e >= 1, a >= 0, z > 0. The
 * left side is convex and the start is not below the root: Newton's method descends to it. */
PD_KERNEL double pd_cd_power_root(double e, double a, double z, int linear)
{
  const double p = linear ? a : 1.0, q = linear ? 1.0 : a; /* p y^e + q y = z */
  double y = q > 0.0 ? z / q : DBL_MAX;
  if (p > 0.0) y = fmin(y, pd_cd_power(z / p, 1.0 / e));
  for (int it = 0; it < 60; it++) {
    const double t = p * pd_cd_power(y, e - 1.0), d = (t * y + q * y - z) / (e * t + q);
    if (!(d > 4e-16 * y)) break;
    y -= d;
  }
  return y;
}

/* Proximal map of w* on f >= 0: argmin of w*(f) + (f - z)^2 / (2 step), that is
 * f + step (f/k)^(1/(p-1)) = z */
PD_KERNEL double pd_cd_prox(double p, double k, double step, double z)
{
  if (!(z > 0.0 && k > 0.0)) return 0.0;
  if (step == 0.0) return z;
  if (p == 2.0) return z / (1.0 + step / k);
  const double e = p - 1.0, a = step / pd_cd_power(k, 1.0 / e);
  return p > 2.0 ? pd_cd_power(pd_cd_power_root(e, a, z, 0), e)
                 : pd_cd_power_root(1.0 / e, a, z, 1);
}

#endif
