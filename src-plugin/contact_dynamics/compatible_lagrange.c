/* SPDX-License-Identifier: MIT
 * Compatible forces by the augmented Lagrangian of problem (36),
 *   sum w*(f) + u.(B^T f - F~) + rho/2 |B^T f - F~|^2 over f >= 0.
 * Its multipliers u are displacements: w*'(f) = -B u where f > 0. */
#include "contact_dynamics/compatible_internal.h"

typedef struct lagrange {
  pd_cd_truss t;
  double rho;
  double *m; /* six: u + rho (B^T f - F~), multipliers that the forces f would lead to */
  double *r; /* six: F~ - B^T f */
} lagrange;

/* m of the forces f, and c = -B m; returns the largest entry of B^T f - F~ */
static double find_multipliers(lagrange *z, const double *f)
{
  const double worst = pd_cd_truss_unbalance(&z->t, f, z->r);
  for (size_t i = 0; i < 6 * (size_t)z->t.net->nowned; i++) z->m[i] = z->t.u[i] - z->rho * z->r[i];
  pd_cd_truss_overlaps(&z->t, z->m);
  return worst;
}

static void gradient(void *ctx, const double *f, double *g)
{
  lagrange *z = (lagrange *)ctx;
  find_multipliers(z, f);
  for (int i = 0; i < z->t.op.n; i++) g[i] = -z->t.c[i];
}

/* w* is not smooth at f = 0 for p > 2, so it is left to the proximal map, which knows it exactly */
static void prox(void *ctx, double step, double *f)
{
  const lagrange *z = (const lagrange *)ctx;
  for (int i = 0; i < z->t.op.n; i++) f[i] = pd_cd_prox(z->t.opt->p, z->t.k[i], step, f[i]);
}

static double residual(void *ctx, const double *f)
{
  lagrange *z = (lagrange *)ctx;
  find_multipliers(z, f);
  return pd_cd_truss_constitutive(&z->t, f);
}

/* B B^T, whose largest eigenvalue times rho bounds the curvature of the smooth part */
static void apply(void *ctx, const double *x, double *out)
{
  lagrange *z = (lagrange *)ctx;
  pd_cd_resultants(&z->t.op, x, z->m);
  pd_forward(z->t.net->communication, z->m);
  pd_cd_rates(&z->t.op, z->m, out);
}

/* minimum over f for the present multipliers; *done: it was found to the tolerance */
static pd_status solve_subproblem(lagrange *z, double *largest, double tol, pd_cd_pool *pool,
                                  pd_cd_compatible_report *report, int *done)
{
  const pd_cd_smooth problem = {z->t.net, z, z->t.op.n, gradient, prox, residual};
  pd_cd_report inner = {0};
  double lipschitz = z->rho * *largest;
  const pd_status status =
      pd_cd_apgd(&problem, tol, z->t.opt->maxit_inner, &lipschitz, pool, z->t.f, &inner);
  *largest = lipschitz / z->rho;
  report->inner += inner.iterations;
  *done = inner.converged;
  return status;
}

enum { STIFFER = 4 };
static const double stiffest =
    1e4; /* rho times the rounding of the forces is left in the overlaps */

static pd_status iterate(lagrange *z, double largest, pd_cd_pool *pool,
                         pd_cd_compatible_report *report)
{
  const double tol = z->t.opt->tol;
  double before = DBL_MAX, now = find_multipliers(z, z->t.f);
  int done = 1;
  for (int it = 0;; it++) {
    report->iterations = it;
    const double off = residual(z, z->t.f);
    if (!isfinite(off) || !isfinite(now)) return PD_ENAN;
    report->converged = it > 0 && fmax(now, off) <= tol;
    if (it >
        0) /* u follows the forces: the constitutive residual just found is that of the new u */
      for (size_t i = 0; i < 6 * (size_t)z->t.net->nowned; i++) z->t.u[i] = z->m[i];
    if (report->converged || it == z->t.opt->maxit) return PD_OK;
    if (now <= tol && !done) { /* rounding is left, and further updates leave it */
      report->ending = PD_CD_ROUNDING;
      return PD_OK;
    }
    if (now > fmax(tol, before / STIFFER)) z->rho = fmin(STIFFER * z->rho, stiffest);
    before = now;
    const double aim = fmax(0.5 * tol, 0.1 * fmin(now, 1.0));
    const pd_status status = solve_subproblem(z, &largest, aim, pool, report, &done);
    if (status) return status;
    now = find_multipliers(z, z->t.f);
  }
}

static int take_arrays(lagrange *z, pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)z->t.net->nbody;
  z->m = pd_cd_take(pool, n6);
  z->r = pd_cd_take(pool, n6);
  return !pool->failed;
}

pd_status pd_cd_compatible_lagrange(const pd_cd_network *net, const pd_cd_compatible_options *opt,
                                    const double *load, pd_cd_pool *pool, double *f, double *u,
                                    pd_cd_compatible_report *report)
{
  const int mark = pd_cd_pool_open(pool);
  const pd_cd_compatible_report none = {0, 0, 0, 0, PD_CD_STEPS_SPENT, 0.0, 0.0, 0.0, 0.0};
  double largest = 0.0;
  lagrange z;
  z.t.net = net;
  z.t.opt = opt;
  z.t.stride = 1;
  z.rho = 1.0;
  *report = none;
  pd_status status = pd_cd_truss_setup(&z.t, load, f, u, pool);
  if (!status && !take_arrays(&z, pool)) status = PD_ENOMEM;
  if (!status) status = pd_cd_largest_eigenvalue(net, &z, z.t.op.n, apply, pool, &largest);
  if (!status) {
    status = iterate(&z, largest, pool, report);
    pd_cd_truss_finish(&z.t, u, report);
  }
  pd_cd_pool_close(pool, mark);
  return status;
}
