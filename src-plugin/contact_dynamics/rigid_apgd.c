/* SPDX-License-Identifier: MIT
 * The quadratic program (22) of the rigid problem by accelerated projected gradient descent. */
#include "contact_dynamics/rigid_internal.h"

typedef struct lcp {
  pd_cd_rigid *z;
  double *g;
} lcp;

static void gradient(void *ctx, const double *f, double *g)
{
  pd_cd_rigid_gradient(((const lcp *)ctx)->z, f, g);
}

static void apply(void *ctx, const double *f, double *out)
{
  pd_cd_rigid_apply(((const lcp *)ctx)->z, f, out);
}

static void project(void *ctx, double step, double *f)
{
  const lcp *p = (const lcp *)ctx;
  (void)step;
  for (int i = 0; i < p->z->op.n; i++) f[i] = fmax(0.0, f[i]);
}

static double residual(void *ctx, const double *f)
{
  const lcp *p = (const lcp *)ctx;
  pd_cd_rigid_gradient(p->z, f, p->g);
  return pd_cd_rigid_residual(p->z, f, p->g);
}

pd_status pd_cd_rigid_apgd(pd_cd_rigid *z, pd_cd_pool *pool, pd_cd_report *report)
{
  const int mark = pd_cd_pool_open(pool);
  lcp p = {z, pd_cd_take(pool, (size_t)z->op.n)};
  const pd_cd_smooth problem = {z->net, &p, z->op.n, gradient, project, residual};
  double largest = 0.0;
  pd_status status = pool->failed ? PD_ENOMEM : PD_OK;
  if (!status) status = pd_cd_largest_eigenvalue(z->net, &p, z->op.n, apply, pool, &largest);
  if (!status)
    status = pd_cd_apgd(&problem, z->opt->tol, z->opt->maxit, &largest, pool, z->step->f, report);
  pd_cd_pool_close(pool, mark);
  return status;
}
