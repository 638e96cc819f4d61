/* SPDX-License-Identifier: MIT
 * Largest eigenvalue by power iteration. */
#include "contact_dynamics/apgd.h"

/* numbers without order, so that no symmetry of the network hides the eigenvector sought */
static void scatter(int n, double *x)
{
  unsigned s = 12345u;
  for (int i = 0; i < n; i++) {
    s = 1664525u * s + 1013904223u;
    x[i] = 0.25 + (s >> 8) * (1.0 / 16777216.0);
  }
}

static double iterate(const pd_cd_network *net, void *ctx, int n,
                      void (*apply)(void *ctx, const double *x, double *out), double *x, double *y)
{
  double value = 0.0;
  for (int it = 0; it < 100; it++) {
    const double norm = sqrt(pd_cd_dot(net, n, x, x)), before = value;
    if (!(norm > 0.0)) return 0.0;
    for (int i = 0; i < n; i++) x[i] /= norm;
    apply(ctx, x, y);
    value = sqrt(pd_cd_dot(net, n, y, y));
    for (int i = 0; i < n; i++) x[i] = y[i];
    if (fabs(value - before) <= 1e-3 * value) break;
  }
  return value;
}

pd_status pd_cd_largest_eigenvalue(const pd_cd_network *net, void *ctx, int n,
                                   void (*apply)(void *ctx, const double *x, double *out),
                                   pd_cd_pool *pool, double *value)
{
  const int mark = pd_cd_pool_open(pool);
  double *x = pd_cd_take(pool, (size_t)n), *y = pd_cd_take(pool, (size_t)n);
  if (!pool->failed) {
    scatter(n, x);
    *value =
        1.02 * iterate(net, ctx, n, apply, x, y); /* the iteration stops below the eigenvalue */
  }
  pd_cd_pool_close(pool, mark);
  return pool->failed ? PD_ENOMEM : PD_OK;
}
