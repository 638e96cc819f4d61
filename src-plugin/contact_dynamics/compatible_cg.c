/* SPDX-License-Identifier: MIT
 * Matrix-free conjugate gradients for the Newton steps of the compatible forces. */
#include "contact_dynamics/compatible_internal.h"

int pd_cd_cg_take(pd_cd_cg *cg, const pd_cd_truss *t, pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)t->net->nbody;
  cg->r = pd_cd_take(pool, n6);
  cg->z = pd_cd_take(pool, n6);
  cg->d = pd_cd_take(pool, n6);
  cg->q = pd_cd_take(pool, n6);
  return pd_cd_blocks_take(&cg->blocks, t, pool) && !pool->failed;
}

/* q = (B^T diag(h) B + shift) d; forwards d */
static void multiply(pd_cd_cg *cg, const pd_cd_truss *t, const double *h, double shift)
{
  pd_forward(t->net->communication, cg->d);
  pd_cd_stiffness_product(&t->op, h, cg->d, cg->q);
  for (size_t i = 0; i < 6 * (size_t)t->net->nowned; i++) cg->q[i] += shift * cg->d[i];
}

/* z, of which the entries beyond the width stay as they are, zero; returns r.z */
static double precondition(pd_cd_cg *cg, const pd_cd_truss *t)
{
  pd_cd_blocks_apply(&cg->blocks, t, cg->r, cg->z);
  return pd_cd_dot_six(t->net, cg->r, cg->z);
}

int pd_cd_cg_solve(pd_cd_cg *cg, const pd_cd_truss *t, const pd_cd_cg_task *task, double *x)
{
  const size_t n = 6 * (size_t)t->net->nowned;
  pd_cd_blocks_make(&cg->blocks, t, task->h, task->shift);
  for (size_t i = 0; i < n; i++) x[i] = cg->z[i] = 0.0, cg->r[i] = task->rhs[i];
  double rz = precondition(cg, t);
  const double stop = task->rtol * task->rtol * pd_cd_dot_six(t->net, cg->r, cg->r);
  for (size_t i = 0; i < n; i++) cg->d[i] = cg->z[i];
  for (int it = 0; it < task->maxit; it++) {
    if (!(rz > 0.0) || pd_cd_dot_six(t->net, cg->r, cg->r) <= stop) return it;
    multiply(cg, t, task->h, task->shift);
    const double curvature = pd_cd_dot_six(t->net, cg->d, cg->q);
    if (!(curvature > 0.0)) return it;
    const double step = rz / curvature, before = rz;
    for (size_t i = 0; i < n; i++) x[i] += step * cg->d[i], cg->r[i] -= step * cg->q[i];
    rz = precondition(cg, t);
    for (size_t i = 0; i < n; i++) cg->d[i] = cg->z[i] + rz / before * cg->d[i];
  }
  return task->maxit;
}
