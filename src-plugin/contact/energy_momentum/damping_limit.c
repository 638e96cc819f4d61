/* SPDX-License-Identifier: MIT
 * Damping of a sample with terms of either sign, in the energy-momentum scheme: it fades with what
 * it takes over half of what the closest features alone would take, and is cut down to what they
 * take (doc/theory.md, 7.4). So it never gives energy. */
#include "base/numbers.h"
#include "contact/energy_momentum/forces.h"

/* factor on the damping of a sample, of power taken by its closest features; and its derivative */
static double fade(const pd_sample_sum *s, double power, const double *dpower, double *dfade)
{
  const double whole = PD_DAMPING_WHOLE * power;
  if (s->power <= 0.0 || power <= 0.0) return 0.0;
  if (s->power > power) {
    for (int m = 0; m < 12; m++)
      dfade[m] = (dpower[m] - power / s->power * s->dpower[m]) / s->power;
    return power / s->power;
  }
  if (s->power >= whole) return 1.0;
  const double x = s->power / whole, slope = 6.0 * x * (1.0 - x) / whole;
  for (int m = 0; m < 12; m++) dfade[m] = slope * (s->dpower[m] - PD_DAMPING_WHOLE * x * dpower[m]);
  return x * x * (3.0 - 2.0 * x);
}

void pd_em_limit_damping(pd_sample_sum *s, const pd_sample_sum *closest, const pd_tangent *k)
{
  double d[12] = {0.0};
  const double c = fade(s, closest->power, closest->dpower, d);
  const pd_vec3 damping = pd_v_load(s->damping);
  if (c == 1.0) return;
  if (k) {
    pd_g_axpy(&s->dresultant, c - 1.0, &s->ddamping);
    pd_g_rank1(&s->dresultant, 1.0, damping, d);
    pd_g_axpy(&s->ddamping, c - 1.0, &s->ddamping);
    pd_g_rank1(&s->ddamping, 1.0, damping, d);
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) k->damping[i][j] = c * k->damping[i][j] - s->damping[i] * d[j];
  }
  s->resultant = pd_axpy(s->resultant, c - 1.0, damping);
  for (int m = 0; m < 12; m++) s->damping[m] *= c;
  s->power *= c;
}
