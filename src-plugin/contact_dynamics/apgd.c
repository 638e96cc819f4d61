/* SPDX-License-Identifier: MIT
 * Nesterov's method with adaptive restart. */
#include "contact_dynamics/apgd.h"

enum {
  CHECK = 10
}; /* iterations between two looks at the residual, which costs about one of them */

typedef struct state {
  const pd_cd_smooth *q;
  double *x, *old;       /* iterates */
  double *y, *g;         /* where the gradient is taken, and the gradient */
  double *ylast, *glast; /* the same of the last iteration */
  double theta, lipschitz;
  int fresh; /* there is no last gradient to compare with */
} state;

/* <g - glast, y - ylast> over |y - ylast|^2: a lower bound of the curvature along the way */
static double observed_curvature(const state *s)
{
  double d[2] = {0.0, 0.0};
  for (int i = 0; i < s->q->n; i++) {
    const double dy = s->y[i] - s->ylast[i];
    d[0] += dy * (s->g[i] - s->glast[i]);
    d[1] += dy * dy;
  }
  pd_global_sum(s->q->net->communication, d, 2);
  return d[1] > 0.0 ? d[0] / d[1] : 0.0;
}

/* The power iteration may have met too small an eigenvalue: correct it where that shows. The margin
 * keeps rounding, when y hardly moves any more, from counting. */
static void guard_step(state *s)
{
  const double seen = s->fresh ? 0.0 : observed_curvature(s);
  if (seen > 1.1 * s->lipschitz && seen < 10.0 * s->lipschitz) s->lipschitz = 1.1 * seen;
  for (int i = 0; i < s->q->n; i++) s->ylast[i] = s->y[i], s->glast[i] = s->g[i];
  s->fresh = 0;
}

/* x = prox(y - g / L) */
static void descend(state *s)
{
  s->q->gradient(s->q->ctx, s->y, s->g);
  guard_step(s);
  const double step = 1.0 / s->lipschitz;
  for (int i = 0; i < s->q->n; i++) {
    s->old[i] = s->x[i];
    s->x[i] = s->y[i] - step * s->g[i];
  }
  s->q->prox(s->q->ctx, step, s->x);
}

/* The momentum is of no use once it points uphill: (y - x_new).(x_new - x_old) > 0, where y - x_new
 * is the step's generalised gradient. */
static int uphill(const state *s)
{
  double d = 0.0;
  for (int i = 0; i < s->q->n; i++) d += (s->y[i] - s->x[i]) * (s->x[i] - s->old[i]);
  return pd_cd_sum1(s->q->net->communication, d) > 0.0;
}

static void extrapolate(state *s)
{
  const double t = s->theta, t1 = 0.5 * (1.0 + sqrt(1.0 + 4.0 * t * t));
  const int restart = uphill(s);
  const double beta = restart ? 0.0 : (t - 1.0) / t1;
  s->theta = restart ? 1.0 : t1;
  for (int i = 0; i < s->q->n; i++) s->y[i] = s->x[i] + beta * (s->x[i] - s->old[i]);
}

static pd_status iterate(state *s, double tol, int maxit, pd_cd_report *report)
{
  for (int it = 0;; it++) {
    report->iterations = it;
    if (it % CHECK == 0 || it == maxit) {
      report->residual = s->q->residual(s->q->ctx, s->x);
      if (!isfinite(report->residual)) return PD_ENAN;
      report->converged = report->residual <= tol;
    }
    if (report->converged || it == maxit) return PD_OK;
    descend(s);
    extrapolate(s);
  }
}

static int take_arrays(state *s, pd_cd_pool *pool)
{
  const size_t n = (size_t)s->q->n;
  s->old = pd_cd_take(pool, n);
  s->y = pd_cd_take(pool, n);
  s->g = pd_cd_take(pool, n);
  s->ylast = pd_cd_take(pool, n);
  s->glast = pd_cd_take(pool, n);
  return !pool->failed;
}

pd_status pd_cd_apgd(const pd_cd_smooth *problem, double tol, int maxit, double *lipschitz,
                     pd_cd_pool *pool, double *x, pd_cd_report *report)
{
  const int mark = pd_cd_pool_open(pool);
  state s = {problem, x, NULL, NULL, NULL, NULL, NULL, 1.0, *lipschitz > 0.0 ? *lipschitz : 1.0, 1};
  pd_status status = take_arrays(&s, pool) ? PD_OK : PD_ENOMEM;
  if (!status) {
    problem->prox(problem->ctx, 0.0, x); /* a step of no length: into the domain of h */
    for (int i = 0; i < problem->n; i++) s.y[i] = x[i];
    status = iterate(&s, tol, maxit, report);
    *lipschitz = s.lipschitz;
  }
  pd_cd_pool_close(pool, mark);
  return status;
}
