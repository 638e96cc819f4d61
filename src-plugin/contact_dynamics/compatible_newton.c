/* SPDX-License-Identifier: MIT
 * Compatible forces by a semismooth Newton method in the displacements, with a proximal term: every
 * step goes towards the minimum of
 *   sum w((-B u)_+) + load.u + shift/2 |u - u_k|^2,
 * u_k being where it starts, solved by conjugate gradients, with a line search on this very
 * function. Motions that no contact resists then stay where they are, and those that contacts
 * hardly resist, such as the slide of a brick over another whose face leans by rounding alone, go
 * no further than the load that is left along them, over the shift, moves them. */
#include "contact_dynamics/compatible_internal.h"

#include <float.h>

static const double least_shift = 1e-13; /* of a stiffness of 1 */
enum {
  PATIENCE = 4, /* steps at the least shift that may fail to halve the residual */
  HALVINGS = 6  /* of a step whose slope is lost in rounding */
};

typedef struct newton {
  pd_cd_truss t;
  pd_cd_cg cg;
  double *g;        /* six: gradient of the energy, load - B^T f */
  double *d, *rate; /* six: direction; per contact: c changes by -rate */
  double *h;        /* per contact: stiffness in the Newton matrix */
  double *terms;    /* per contact: sum of the sizes of what its rate is made of */
  double shift;     /* of the proximal term; falls with the residual */
  double pull;      /* load.d */
  double drag;      /* shift d.d */
  double residual;
  int hidden; /* the slope of the last step was lost in rounding */
} newton;

/* forces of the overlaps, and the gradient */
static void evaluate(newton *z)
{
  pd_cd_truss *t = &z->t;
  for (int i = 0; i < t->op.n; i++) t->f[i] = pd_cd_force(t->opt->p, t->k[i], t->c[i]);
  z->residual = pd_cd_truss_unbalance(t, t->f, z->g);
}

/* In the first step no overlap is known and all contacts count as closed under the unit of force.
 */
static void find_stiffness(newton *z, int first)
{
  const pd_cd_truss *t = &z->t;
  const double p = t->opt->p;
  for (int i = 0; i < t->op.n; i++) {
    const double tangent = pd_cd_tangent(p, t->k[i], first ? 1.0 : t->f[i]);
    z->h[i] = t->c[i] > 0.0 || first ? fmin(tangent, 1e8 * t->k[i]) : 0.0;
  }
}

static double sum_terms(const pd_cd_row *row, const double *d)
{
  double sum = 0.0;
  for (int c = 0; c < 6; c++) {
    if (row->a >= 0) sum += fabs(row->ja[c] * d[6 * (size_t)row->a + c]);
    if (row->b >= 0) sum += fabs(row->jb[c] * d[6 * (size_t)row->b + c]);
  }
  return sum;
}

/* Without its lower bound the rounding of the load along free motions, over a shift that vanishes,
 * would outgrow all that is left to be done. */
static void find_direction(newton *z, int first, int *inner)
{
  const pd_cd_truss *t = &z->t;
  const double r = fmin(1.0, z->residual), aim = 0.1 * t->opt->tol / z->residual;
  const size_t n = 6 * (size_t)t->net->nowned;
  find_stiffness(z, first);
  z->shift = fmax(1e-2 * r * sqrt(r), least_shift);
  for (size_t i = 0; i < n; i++) z->g[i] = -z->g[i];
  const pd_cd_cg_task task = {z->h, z->shift, z->g, fmax(aim, fmin(0.1, r)), t->opt->maxit_inner};
  *inner += pd_cd_cg_solve(&z->cg, t, &task, z->d);
  for (size_t i = 0; i < n; i++) z->g[i] = -z->g[i];
  pd_forward(t->net->communication, z->d);
  pd_cd_rates(&t->op, z->d, z->rate);
  for (int i = 0; i < t->op.n; i++) z->terms[i] = sum_terms(&t->op.row[i], z->d);
  z->pull = pd_cd_dot_six(t->net, t->load, z->d);
  z->drag = z->shift * pd_cd_dot_six(t->net, z->d, z->d);
}

/* Slope of the function along the direction after the part t of the step, from the overlaps alone;
 * into *noise how far rounding may make it wrong: that of rates that are small sums of large terms,
 * as motions have that contacts hardly resist. */
static double slope_at(const newton *z, double t, double *noise)
{
  const pd_cd_truss *q = &z->t;
  double s[2] = {0.0, 0.0};
  for (int i = 0; i < q->op.n; i++) {
    const double f = pd_cd_force(q->opt->p, q->k[i], q->c[i] - t * z->rate[i]);
    s[0] -= f * z->rate[i];
    s[1] += f * z->terms[i];
  }
  pd_global_sum(q->net->communication, s, 2);
  *noise = DBL_EPSILON * s[1];
  return s[0] + z->pull + t * z->drag;
}

/* Part of the step at which the slope, slope0 < 0 at its start, has all but vanished. It rises
 * along the way, for the function is convex; a point where it is still negative lies lower than the
 * start. */
static double search(const newton *z, double slope0)
{
  double noise, lo = 0.0, hi = 0.0, t = 1.0;
  double slo = slope0, shi = 0.0;
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

static void step_by(newton *z, double t)
{
  for (size_t i = 0; i < 6 * (size_t)z->t.net->nowned; i++) z->t.u[i] += t * z->d[i];
  pd_cd_truss_overlaps(&z->t, z->t.u); /* anew, so that no rounding adds up */
  evaluate(z);
}

/* nothing is known at the start */
static int starts_cold(const newton *z)
{
  int moved = 0;
  for (int i = 0; i < z->t.op.n; i++) moved |= z->t.c[i] > 0.0;
  return !(pd_cd_max1(z->t.net->communication, moved) > 0.0);
}

/* Where rounding hides the slope the residual judges: goes the part of the step, halved a few
 * times, at which it is smaller. Returns it; 0 if there is none. */
static double try_parts(newton *z)
{
  const double before = z->residual;
  double t = 1.0, gone = 0.0;
  for (int k = 0; k < HALVINGS; k++, t *= 0.5) {
    step_by(z, t - gone);
    gone = t;
    if (z->residual < before) return t;
  }
  step_by(z, -gone);
  return 0.0;
}

/* one step; 0 if there is none that leads down */
static int advance(newton *z, int first, int *idle, pd_cd_compatible_report *report)
{
  find_direction(z, first, &report->inner);
  double noise, part;
  const double slope0 = slope_at(z, 0.0, &noise);
  z->hidden = !(slope0 < -noise);
  if (z->hidden)
    part = try_parts(z);
  else
    step_by(z, part = search(z, slope0));
  *idle += (part == 1.0 || z->hidden) && z->shift == least_shift;
  return part > 0.0;
}

static pd_status iterate(newton *z, pd_cd_compatible_report *report)
{
  const pd_cd_compatible_options *opt = z->t.opt;
  const int cold = starts_cold(z);
  double halve = DBL_MAX; /* residual that is to be halved */
  int idle = 0;
  for (int it = 0;; it++) {
    report->iterations = it;
    if (!isfinite(z->residual)) return PD_ENAN;
    report->converged = z->residual <= opt->tol;
    if (report->converged || it == opt->maxit) return PD_OK;
    if (z->residual <= 0.5 * halve) halve = z->residual, idle = 0;
    if (idle == PATIENCE)
      report->ending = z->hidden ? PD_CD_ROUNDING : PD_CD_ALL_BUT_FREE;
    else if (!advance(z, cold && it == 0, &idle, report))
      report->ending = PD_CD_ROUNDING;
    if (report->ending != PD_CD_STEPS_SPENT) return PD_OK;
  }
}

static int take_arrays(newton *z, pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)z->t.net->nbody, n = (size_t)z->t.op.n;
  z->g = pd_cd_take(pool, n6);
  z->d = pd_cd_take(pool, n6);
  z->rate = pd_cd_take(pool, n);
  z->h = pd_cd_take(pool, n);
  z->terms = pd_cd_take(pool, n);
  return pd_cd_cg_take(&z->cg, &z->t, pool) && !pool->failed;
}

pd_status pd_cd_compatible_newton(const pd_cd_network *net, const pd_cd_compatible_options *opt,
                                  const double *load, pd_cd_pool *pool, double *f, double *u,
                                  pd_cd_compatible_report *report)
{
  const int mark = pd_cd_pool_open(pool);
  const pd_cd_compatible_report none = {0, 0, 0, 0, PD_CD_STEPS_SPENT, 0.0, 0.0, 0.0, 0.0};
  newton z;
  z.hidden = 0;
  z.t.net = net;
  z.t.opt = opt;
  z.t.stride = 1;
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
