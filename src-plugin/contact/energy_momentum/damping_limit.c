/* SPDX-License-Identifier: MIT
 * Damping with terms of either sign, in the energy-momentum scheme (doc/theory.md, 7.4): that of a
 * pair fades with what it takes over what its samples take. So it never gives energy. */
#include "contact/energy_momentum/damping_limit.h"

#include "base/numbers.h"
#include "contact/pair_work_internal.h"

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

/* damping's part in the limits of friction times c, of derivative dc */
static void scale_deferred(pd_deferred_list *list, double c, const double *dc, int tangent)
{
  for (int i = 0; i < list->n; i++) {
    pd_deferred_friction *sample = &list->item[i];
    if (tangent) {
      pd_g_scale(&sample->ddamping, c);
      pd_g_rank1(&sample->ddamping, 1.0, sample->damping, dc);
    }
    sample->damping = pd_scale(c, sample->damping);
  }
}

void pd_em_limit_pair_damping(const pd_em_motion *motion, double h, int tangent, pd_pair_work *work,
                              pd_pair_result *r)
{
  double *d = r->loss[PD_DAMPING], dc[12] = {0.0};
  const double whole = PD_PAIR_DAMPING_WHOLE * r->em.taken;
  if (r->power == 0.0 && r->em.taken == 0.0) return;
  pd_em_balance(motion, d, tangent ? r->kloss : NULL);
  const net_power net = power_of(motion, h, tangent, r);
  if (net.p >= whole && net.p > 0.0) return;
  const double x = whole > 0.0 ? fmax(0.0, net.p / whole) : 0.0, c = x * x * (3.0 - 2.0 * x);
  const double slope = x > 0.0 ? 6.0 * x * (1.0 - x) / whole : 0.0;
  for (int j = 0; tangent && j < 12; j++)
    dc[j] = slope * (net.dp[j] - PD_PAIR_DAMPING_WHOLE * x * r->em.dtaken[j]);
  for (int i = 0; tangent && i < 12; i++)
    for (int j = 0; j < 12; j++) r->kloss[i][j] = c * r->kloss[i][j] - d[i] * dc[j];
  for (int i = 0; i < 12; i++) d[i] *= c;
  scale_deferred(&work->deferred, c, dc, tangent);
}
