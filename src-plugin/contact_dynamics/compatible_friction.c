/* SPDX-License-Identifier: MIT
 * Compatible forces with Coulomb friction by a semismooth Newton method in the displacements, with
 * a proximal term as the one without friction has it. Slipping contacts make Newton's matrix
 * unsymmetric, and there is no function that falls: the residual judges a step, and one that does
 * not lower it is tried anew with a larger term, until that is as stiff as the contacts. Then the
 * step is taken: with such a term it is a short time of a motion of overdamped bodies, which leads
 * out of where the residual alone would stay. Motions that no contact resists stay where they are.
 */
#include "contact_dynamics/compatible_internal.h"

static const double least_shift = 1e-13;       /* of a stiffness of 1 */
static const double most_shift = 1.0;          /* and with it any step is taken */
static const double raise = 10.0, lower = 3.0; /* the shift, by so much, as steps fail or succeed */
enum {
  HALVINGS = 6,
  FLOWS = 50, /* steps taken whatever the residual, at most */
  INNER = 10  /* times the limit of products: high walls take more of them than without friction */
};

typedef struct newton {
  pd_cd_truss t;
  pd_cd_blocks blocks;
  pd_cd_idr idr;
  pd_cd_coulomb_tangent *a; /* per contact: derivative of its law */
  double *h;                /* per row: diagonal of it */
  double *g, *rhs, *d;      /* six: load - B^T f; -g; direction */
  double *kept;             /* six: displacements that a step starts from */
  double shift;             /* of the proximal term */
  double boost;             /* over what the residual alone asks for */
  int flows;                /* steps taken whatever the residual */
  double residual, size;    /* largest entry of g, and its Euclidean norm */
  int slipping;
} newton;

static void evaluate(newton *z)
{
  pd_cd_truss *t = &z->t;
  pd_cd_truss_overlaps(t, t->u); /* anew, so that no rounding adds up */
  z->slipping = 0;
  for (int i = 0; i < t->net->ncontact; i++) {
    const pd_cd_coulomb law = pd_cd_truss_coulomb(t, i);
    const size_t at = 3 * (size_t)i;
    z->slipping += pd_cd_coulomb_force(&law, t->c + at, t->f + at);
  }
  z->residual = pd_cd_truss_unbalance(t, t->f, z->g);
  z->size = sqrt(pd_cd_dot_six(t->net, z->g, z->g));
}

/* All contacts closed under the unit of force, and none slips but those that slide: the first step,
 * in which no displacement is known. */
static void first_tangent(const pd_cd_coulomb *law, pd_cd_coulomb_tangent *a)
{
  const double s[2] = {pd_cd_slides(law) ? law->slide[0] : 0.0,
                       pd_cd_slides(law) ? law->slide[1] : 0.0};
  a->nn = pd_cd_tangent(law->p, law->k, 1.0);
  a->slips = pd_cd_slides(law);
  a->tn[0] = law->mu * a->nn * s[0], a->tn[1] = law->mu * a->nn * s[1];
  a->tt[1] = 0.0;
  a->tt[0] = a->tt[2] = a->slips || !(law->mu > 0.0) ? 0.0 : law->ratio * a->nn;
}

static void find_tangents(newton *z, int first)
{
  const pd_cd_truss *t = &z->t;
  for (int i = 0; i < t->net->ncontact; i++) {
    const pd_cd_coulomb law = pd_cd_truss_coulomb(t, i);
    const size_t at = 3 * (size_t)i;
    if (first)
      first_tangent(&law, &z->a[i]);
    else
      z->a[i] = pd_cd_coulomb_derivative(&law, t->c + at, t->f + at);
    z->h[at] = z->a[i].nn, z->h[at + 1] = z->a[i].tt[0], z->h[at + 2] = z->a[i].tt[2];
  }
}

/* out = (B^T A B + shift) x, A the derivatives of the laws; forwards x */
static void multiply(void *ctx, double *x, double *out)
{
  newton *z = (newton *)ctx;
  const pd_cd_truss *t = &z->t;
  pd_forward(t->net->communication, x);
  for (size_t i = 0; i < 6 * (size_t)t->net->nbody; i++) out[i] = 0.0;
  for (int i = 0; i < t->net->ncontact; i++) {
    const pd_cd_coulomb_tangent *a = &z->a[i];
    const pd_cd_row *row = t->op.row + 3 * (size_t)i;
    if (a->nn == 0.0) continue;
    const double n = pd_cd_row_rate(row, x), s = pd_cd_row_rate(row + 1, x),
                 q = pd_cd_row_rate(row + 2, x);
    pd_cd_row_force(row, a->nn * n, out);
    pd_cd_row_force(row + 1, a->tn[0] * n + a->tt[0] * s + a->tt[1] * q, out);
    pd_cd_row_force(row + 2, a->tn[1] * n + a->tt[1] * s + a->tt[2] * q, out);
  }
  pd_reverse(t->net->communication, out);
  for (size_t i = 0; i < 6 * (size_t)t->net->nowned; i++) out[i] += z->shift * x[i];
}

static void precondition(void *ctx, const double *r, double *out)
{
  const newton *z = (const newton *)ctx;
  pd_cd_blocks_apply(&z->blocks, &z->t, r, out);
}

static void find_direction(newton *z, int first, int *inner)
{
  const pd_cd_truss *t = &z->t;
  const double r = fmin(1.0, z->residual), aim = 0.1 * t->opt->tol / z->residual;
  find_tangents(z, first);
  z->shift = fmin(z->boost * fmax(1e-2 * r * sqrt(r), least_shift), most_shift);
  pd_cd_blocks_make(&z->blocks, t, z->h, z->shift);
  for (size_t i = 0; i < 6 * (size_t)t->net->nowned; i++) z->rhs[i] = -z->g[i];
  const pd_cd_linear task = {t->net,
                             z,
                             multiply,
                             precondition,
                             z->rhs,
                             fmax(aim, fmin(1e-2, r)),
                             INNER * t->opt->maxit_inner};
  *inner += pd_cd_idr_solve(&z->idr, &task, z->d);
}

/* to the part p of the step */
static void step_by(newton *z, double p)
{
  double *u = z->t.u;
  for (size_t i = 0; i < 6 * (size_t)z->t.net->nowned; i++) u[i] = z->kept[i] + p * z->d[i];
  evaluate(z);
}

/* The largest part of the step, halved a few times, that lowers the residual. free: all of it,
 * whatever the residual. Returns 0 if there is none. */
static int search(newton *z, int free)
{
  const double before = z->size;
  double p = 1.0;
  for (int k = 0; k < HALVINGS; k++, p *= 0.5) {
    step_by(z, p);
    if (free || z->size < (1.0 - 1e-4 * p) * before) return 1;
  }
  step_by(z, 0.0);
  return 0;
}

static int starts_cold(const newton *z)
{
  int closed = 0;
  for (int i = 0; i < z->t.net->ncontact; i++) closed |= z->t.c[3 * (size_t)i] > 0.0;
  return !(pd_cd_max1(z->t.net->communication, closed) > 0.0);
}

/* first: nothing is known, and at the start no contact is closed, so the step goes all the way */
static void advance(newton *z, int first, pd_cd_compatible_report *report)
{
  const double before = z->size;
  find_direction(z, first, &report->inner);
  for (size_t i = 0; i < 6 * (size_t)z->t.net->nowned; i++) z->kept[i] = z->t.u[i];
  const int flows = z->shift >= most_shift;
  z->flows += flows;
  if (!search(z, first || flows))
    z->boost *= raise;
  else if (z->size < before)
    z->boost = fmax(1.0, z->boost / lower);
}

static pd_status iterate(newton *z, pd_cd_compatible_report *report)
{
  const pd_cd_compatible_options *opt = z->t.opt;
  const int cold = starts_cold(z);
  for (int it = 0;; it++) {
    report->iterations = it;
    if (!isfinite(z->residual)) return PD_ENAN;
    report->converged = z->residual <= opt->tol;
    if (report->converged || it == opt->maxit) return PD_OK;
    if (z->flows > FLOWS) {
      report->ending = PD_CD_NO_DESCENT;
      return PD_OK;
    }
    advance(z, cold && it == 0, report);
  }
}

static int take_arrays(newton *z, pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)z->t.net->nbody, n = (size_t)z->t.net->ncontact;
  z->a = (pd_cd_coulomb_tangent *)(void *)pd_cd_take(
      pool, n * sizeof(pd_cd_coulomb_tangent) / sizeof(double) + 1);
  z->h = pd_cd_take(pool, 3 * n);
  z->g = pd_cd_take(pool, n6);
  z->rhs = pd_cd_take(pool, n6);
  z->d = pd_cd_take(pool, n6);
  z->kept = pd_cd_take(pool, n6);
  return pd_cd_blocks_take(&z->blocks, &z->t, pool) && pd_cd_idr_take(&z->idr, z->t.net, pool) &&
         !pool->failed;
}

pd_status pd_cd_compatible_friction(const pd_cd_network *net, const pd_cd_compatible_options *opt,
                                    const double *load, pd_cd_pool *pool, double *f, double *u,
                                    pd_cd_compatible_report *report)
{
  const int mark = pd_cd_pool_open(pool);
  const pd_cd_compatible_report none = {0, 0, 0, 0, PD_CD_STEPS_SPENT, 0.0, 0.0, 0.0, 0.0};
  newton z;
  z.t.net = net;
  z.t.opt = opt;
  z.t.stride = 3;
  z.boost = 1.0;
  z.flows = 0;
  *report = none;
  pd_status status = opt->ratio > 0.0 ? pd_cd_truss_setup(&z.t, load, f, u, pool) : PD_ERANGE;
  if (!status && !take_arrays(&z, pool)) status = PD_ENOMEM;
  if (!status) {
    evaluate(&z);
    status = iterate(&z, report);
    pd_cd_truss_finish(&z.t, u, report);
    report->slipping = z.slipping;
  }
  pd_cd_pool_close(pool, mark);
  return status;
}
