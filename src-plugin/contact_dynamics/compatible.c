/* SPDX-License-Identifier: MIT
 * The problem of compatible forces in units of its own, and what measures a solution. */
#include "contact_dynamics/compatible_internal.h"

pd_cd_compatible_options pd_cd_compatible_defaults(double p)
{
  const pd_cd_compatible_options opt = {p, 1e-10, 300, 2000};
  return opt;
}

static double longest_lever(const pd_cd_operator *op)
{
  double m = 0.0;
  for (int i = 0; i < op->n; i++) {
    if (op->row[i].a >= 0) m = fmax(m, pd_norm2(pd_v_load(op->row[i].ja + 3)));
    if (op->row[i].b >= 0) m = fmax(m, pd_norm2(pd_v_load(op->row[i].jb + 3)));
  }
  return sqrt(pd_cd_max1(op->net->communication, m));
}

static void scale_moments(double s, int n, double *buffer)
{
  for (int i = 0; i < n; i++)
    for (int c = 3; c < 6; c++) buffer[6 * (size_t)i + c] *= s;
}

/* entries of bodies that contacts cannot move would count as unbalanced */
static void copy_load(pd_cd_truss *t, const double *load)
{
  for (int i = 0; i < t->net->nowned; i++) {
    const pd_cd_body *b = &t->net->body[i];
    for (int c = 0; c < 6; c++) {
      const size_t at = 6 * (size_t)i + c;
      t->load[at] = b->mobile && (c < 3 || b->turns) ? load[at] : 0.0;
    }
  }
  scale_moments(1.0 / t->length, t->net->nowned, t->load);
}

static pd_status find_units(pd_cd_truss *t, const double *load)
{
  const pd_cd_network *net = t->net;
  t->stiffness = 0.0;
  for (int i = 0; i < net->ncontact; i++)
    if (net->contact[i].closed) t->stiffness = fmax(t->stiffness, net->contact[i].k);
  t->stiffness = pd_cd_max1(net->communication, t->stiffness);
  if (!(t->stiffness > 0.0)) t->stiffness = 1.0;
  const pd_cd_operator normals = pd_cd_normals(net);
  t->length = longest_lever(&normals);
  t->width = t->length > 0.0 ? 6 : 3;
  if (!(t->length > 0.0)) t->length = 1.0;
  copy_load(t, load);
  t->force = pd_cd_largest(net, 6 * (size_t)net->nowned, t->load);
  if (!isfinite(t->force)) return PD_ENAN;
  if (!(t->force > 0.0)) t->force = 1.0;
  t->move = pow(t->force / t->stiffness, 1.0 / (t->opt->p - 1.0));
  return PD_OK;
}

static void scale_rows(const pd_cd_truss *t, pd_cd_row *row)
{
  for (int i = 0; i < t->net->ncontact; i++) {
    row[i] = t->net->row[i];
    for (int c = 3; c < 6; c++) row[i].ja[c] /= t->length, row[i].jb[c] /= t->length;
  }
}

static void scale_vectors(pd_cd_truss *t, const double *u)
{
  const pd_cd_network *net = t->net;
  for (size_t i = 0; i < 6 * (size_t)net->nowned; i++) t->load[i] /= t->force;
  for (size_t i = 0; i < 6 * (size_t)net->nowned; i++) t->u[i] = u[i] / t->move;
  scale_moments(t->length, net->nowned, t->u);
  for (int i = 0; i < net->ncontact; i++) {
    t->k[i] = net->contact[i].closed ? net->contact[i].k / t->stiffness : 0.0;
    t->f[i] /= t->force;
  }
}

pd_status pd_cd_truss_setup(pd_cd_truss *t, const double *load, double *f, const double *u,
                            pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)t->net->nbody, n = (size_t)t->net->ncontact;
  if (!(t->opt->p > 1.0 && t->opt->tol > 0.0)) return PD_ERANGE;
  pd_cd_row *row = pd_cd_take_rows(pool, n);
  t->k = pd_cd_take(pool, n);
  t->c = pd_cd_take(pool, n);
  t->load = pd_cd_take(pool, n6);
  t->u = pd_cd_take(pool, n6);
  t->buffer = pd_cd_take(pool, n6);
  if (pool->failed) return PD_ENOMEM;
  const pd_status status = find_units(t, load);
  if (status) return status;
  scale_rows(t, row);
  t->f = f;
  t->op.net = t->net;
  t->op.n = t->net->ncontact;
  t->op.row = row;
  scale_vectors(t, u);
  return PD_OK;
}

void pd_cd_truss_overlaps(pd_cd_truss *t, double *u)
{
  pd_forward(t->net->communication, u);
  pd_cd_rates(&t->op, u, t->c);
  for (int i = 0; i < t->op.n; i++) t->c[i] = -t->c[i];
}

double pd_cd_truss_unbalance(pd_cd_truss *t, const double *f, double *out)
{
  const size_t n = 6 * (size_t)t->net->nowned;
  pd_cd_resultants(&t->op, f, t->buffer);
  for (size_t i = 0; i < n; i++) out[i] = t->load[i] - t->buffer[i];
  return pd_cd_largest(t->net, n, out);
}

double pd_cd_truss_constitutive(const pd_cd_truss *t, const double *f)
{
  double worst = 0.0;
  for (int i = 0; i < t->op.n; i++)
    worst = pd_cd_worse(worst, fabs(f[i] - pd_cd_force(t->opt->p, t->k[i], t->c[i])));
  return pd_cd_max1(t->net->communication, worst);
}

void pd_cd_truss_finish(pd_cd_truss *t, double *u, pd_cd_compatible_report *report)
{
  const pd_cd_network *net = t->net;
  double objective = 0.0;
  report->equilibrium = t->force * pd_cd_truss_unbalance(t, t->f, t->buffer);
  pd_cd_truss_overlaps(t, t->u);
  report->constitutive = t->force * pd_cd_truss_constitutive(t, t->f);
  report->kkt = fmax(report->equilibrium, report->constitutive) / t->force;
  for (int i = 0; i < net->ncontact; i++) {
    t->f[i] *= t->force;
    if (net->contact[i].closed)
      objective += pd_cd_complementary(t->opt->p, net->contact[i].k, t->f[i]);
  }
  report->objective = pd_cd_sum1(net->communication, objective);
  for (size_t i = 0; i < 6 * (size_t)net->nbody; i++) u[i] = t->u[i] * t->move;
  scale_moments(1.0 / t->length, net->nbody, u);
}
