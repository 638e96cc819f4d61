/* SPDX-License-Identifier: MIT
 * Compatible forces by an inexact semismooth Newton method in the displacements. */
#include "contact_dynamics/compatible_internal.h"

typedef struct newton {
  pd_cd_truss t;
  pd_cd_cg cg;
  double *g;        /* six: gradient of the energy, load - B^T f */
  double *d, *rate; /* six: direction; per contact: c changes by -rate */
  double *h;        /* per contact: stiffness in the Newton matrix */
  double pull;      /* load.d */
  double residual;
} newton;

/* forces of the overlaps, and the gradient */
static void evaluate(newton *z)
{
  pd_cd_truss *t = &z->t;
  for (int i = 0; i < t->op.n; i++) t->f[i] = pd_cd_force(t->opt->p, t->k[i], t->c[i]);
  z->residual = pd_cd_truss_unbalance(t, t->f, z->g);
}

/* Open contacts keep a little stiffness, and so do those at the foot of their law, for without it a
 * body that has lost its contacts may go anywhere; it vanishes with the residual. In the first step
 * no overlap is known and all contacts count as closed under the unit of force. */
static void find_stiffness(newton *z, int first)
{
  const pd_cd_truss *t = &z->t;
  const double left = t->opt->open * fmin(1.0, z->residual), p = t->opt->p;
  for (int i = 0; i < t->op.n; i++) {
    const double tangent = pd_cd_tangent(p, t->k[i], first ? 1.0 : t->f[i]);
    const double closed = t->c[i] > 0.0 || first ? tangent : 0.0;
    z->h[i] = fmin(fmax(closed, left * t->k[i]), 1e8 * t->k[i]);
  }
}

/* The shift keeps modes that no contact resists small; without its lower bound the rounding of
 * their residual, over a shift that vanishes, would outgrow all that is left to be done. */
static void find_direction(newton *z, int first, int *inner)
{
  const pd_cd_truss *t = &z->t;
  const double r = fmin(1.0, z->residual), aim = 0.1 * t->opt->tol / z->residual;
  const size_t n = 6 * (size_t)t->net->nowned;
  find_stiffness(z, first);
  for (size_t i = 0; i < n; i++) z->g[i] = -z->g[i];
  const pd_cd_cg_task task = {z->h, fmax(1e-8 * r, 1e-13), z->g, fmax(aim, fmin(0.1, r)),
                              t->opt->maxit_inner};
  *inner += pd_cd_cg_solve(&z->cg, t, &task, z->d);
  for (size_t i = 0; i < n; i++) z->g[i] = -z->g[i];
  pd_forward(t->net->communication, z->d);
  pd_cd_rates(&t->op, z->d, z->rate);
}

/* Slope of the energy along the direction after the part t of the step, from the overlaps alone;
 * into *noise how far rounding may make it wrong. */
static double slope_at(const newton *z, double t, double *noise)
{
  const pd_cd_truss *q = &z->t;
  double s[2] = {0.0, 0.0};
  for (int i = 0; i < q->op.n; i++) {
    const double e = pd_cd_force(q->opt->p, q->k[i], z->t.c[i] - t * z->rate[i]) * z->rate[i];
    s[0] -= e;
    s[1] += fabs(e);
  }
  pd_global_sum(q->net->communication, s, 2);
  *noise = 1e-14 * (s[1] + fabs(z->pull));
  return s[0] + z->pull;
}

/* Part of the step at which the slope has all but vanished. It rises along the way, for the energy
 * is convex; a point where it is still negative lies lower than the start. Steps longer than
 * Newton's are needed where open contacts meet only far away. */
static double search(newton *z)
{
  double noise, lo = 0.0, hi = 0.0, t = 1.0;
  z->pull = pd_cd_dot_six(z->t.net, z->t.load, z->d);
  const double slope0 = slope_at(z, 0.0, &noise);
  double slo = slope0, shi = 0.0;
  if (!(slope0 < noise)) return 0.0;
  for (int it = 0; it < 60; it++) {
    const double s = slope_at(z, t, &noise);
    if (fabs(s) <= 0.1 * fabs(slope0) + noise) return t;
    if (s < 0.0)
      lo = t, slo = s;
    else
      hi = t, shi = s;
    const double secant = hi > 0.0 ? lo - slo * (hi - lo) / (shi - slo) : 4.0 * t;
    /* every third time the middle, for the secant may creep */
    t = hi > 0.0 && it % 3 == 2 ? 0.5 * (lo + hi) : secant;
  }
  return lo;
}

static void go(newton *z, double t)
{
  for (size_t i = 0; i < 6 * (size_t)z->t.net->nowned; i++) z->t.u[i] += t * z->d[i];
  pd_cd_truss_overlaps(&z->t, z->t.u); /* anew, so that no rounding adds up */
  evaluate(z);
}

static pd_status iterate(newton *z, pd_cd_compatible_report *report)
{
  pd_cd_truss *t = &z->t;
  int moved = 0; /* the first step is special only if nothing is known at the start */
  for (int i = 0; i < t->op.n; i++) moved |= t->c[i] > 0.0;
  moved = pd_cd_max1(t->net->communication, moved) > 0.0;
  for (int it = 0;; it++) {
    report->iterations = it;
    if (!isfinite(z->residual)) return PD_ENAN;
    report->converged = z->residual <= t->opt->tol;
    if (report->converged || it == t->opt->maxit) return PD_OK;
    find_direction(z, !moved, &report->inner);
    const double part = search(z);
    if (!(part > 0.0)) return PD_OK; /* no step makes progress any more */
    moved = 1;
    go(z, part);
  }
}

static int take_arrays(newton *z, pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)z->t.net->nbody, n = (size_t)z->t.op.n;
  z->g = pd_cd_take(pool, n6);
  z->d = pd_cd_take(pool, n6);
  z->rate = pd_cd_take(pool, n);
  z->h = pd_cd_take(pool, n);
  return pd_cd_cg_take(&z->cg, &z->t, pool) && !pool->failed;
}

pd_status pd_cd_compatible_newton(const pd_cd_network *net, const pd_cd_compatible_options *opt,
                                  const double *load, pd_cd_pool *pool, double *f, double *u,
                                  pd_cd_compatible_report *report)
{
  const int mark = pd_cd_pool_open(pool);
  const pd_cd_compatible_report none = {0, 0, 0, 0.0, 0.0, 0.0, 0.0};
  newton z;
  z.t.net = net;
  z.t.opt = opt;
  *report = none;
  pd_status status = pd_cd_truss_setup(&z.t, load, f, u, pool);
  if (!status && !take_arrays(&z, pool)) status = PD_ENOMEM;
  if (!status) {
    pd_cd_truss_overlaps(&z.t, z.t.u);
    evaluate(&z);
    status = iterate(&z, report);
    pd_cd_truss_finish(&z.t, u, report);
  }
  pd_cd_pool_close(pool, mark);
  return status;
}
