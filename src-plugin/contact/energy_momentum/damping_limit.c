/* SPDX-License-Identifier: MIT
 * Damping with terms of either sign, in the energy-momentum scheme (doc/theory.md, 7.4). That of an
 * edge bracket fades with what it takes over half of what the closest features alone would take,
 * and is cut down to what they take. That of a pair fades with what it takes over what its samples
 * take. So it never gives energy. */
#include "contact/energy_momentum/damping_limit.h"

#include "base/numbers.h"
#include "contact/energy_momentum/forces.h"
#include "contact/pair_work_internal.h"

/* ---- a sample ---- */

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
    pd_g_scale(&s->ddamping, c);
    pd_g_rank1(&s->ddamping, 1.0, damping, d);
    for (int i = 0; i < 12; i++)
      for (int j = 0; j < 12; j++) k->damping[i][j] = c * k->damping[i][j] - s->damping[i] * d[j];
  }
  for (int m = 0; k && m < 12; m++) s->dpower[m] = c * s->dpower[m] + s->power * d[m];
  s->resultant = pd_axpy(s->resultant, c - 1.0, damping);
  for (int m = 0; m < 12; m++) s->damping[m] *= c;
  s->power *= c;
}

/* ---- a pair ---- */

/* the power that damping takes, its derivative by (u, spin) */
typedef struct net_power {
  double p, dp[12];
} net_power;

static net_power power_of(const pd_em_motion *motion, double h, int tangent,
                          const pd_pair_result *r)
{
  const double *d = r->loss[PD_DAMPING];
  net_power net;
  net.p = -pd_dot12(d, motion->dq) / h;
  if (!tangent) return net;
  pd_em_by_spin(motion, d, net.dp);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) net.dp[j] -= motion->dq[i] * r->kloss[i][j];
  for (int j = 0; j < 12; j++) net.dp[j] /= -h;
  return net;
}

/* damping in the normal forces of friction times c, of derivative dc */
static void scale_deferred(pd_deferred_list *list, double c, const double *dc, int tangent)
{
  for (int i = 0; i < list->n; i++) {
    pd_deferred_friction *sample = &list->item[i];
    if (tangent) {
      pd_g_axpy(&sample->dresultant, c - 1.0, &sample->ddamping);
      pd_g_rank1(&sample->dresultant, 1.0, sample->damping, dc);
      pd_g_scale(&sample->ddamping, c);
      pd_g_rank1(&sample->ddamping, 1.0, sample->damping, dc);
    }
    sample->resultant = pd_axpy(sample->resultant, c - 1.0, sample->damping);
    sample->damping = pd_scale(c, sample->damping);
  }
}

void pd_em_limit_pair_damping(const pd_em_motion *motion, double h, int tangent, pd_pair_work *work,
                              pd_pair_result *r)
{
  double *d = r->loss[PD_DAMPING], dc[12] = {0.0};
  const double whole = PD_PAIR_DAMPING_WHOLE * r->taken;
  if (r->power == 0.0 && r->taken == 0.0) return;
  pd_em_balance(motion, d, tangent ? r->kloss : NULL);
  const net_power net = power_of(motion, h, tangent, r);
  if (net.p >= whole && net.p > 0.0) return;
  const double x = whole > 0.0 ? fmax(0.0, net.p / whole) : 0.0, c = x * x * (3.0 - 2.0 * x);
  const double slope = x > 0.0 ? 6.0 * x * (1.0 - x) / whole : 0.0;
  for (int j = 0; tangent && j < 12; j++)
    dc[j] = slope * (net.dp[j] - PD_PAIR_DAMPING_WHOLE * x * r->dtaken[j]);
  for (int i = 0; tangent && i < 12; i++)
    for (int j = 0; j < 12; j++) r->kloss[i][j] = c * r->kloss[i][j] - d[i] * dc[j];
  for (int i = 0; i < 12; i++) d[i] *= c;
  scale_deferred(&work->deferred, c, dc, tangent);
}
