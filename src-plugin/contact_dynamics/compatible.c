/* SPDX-License-Identifier: MIT
 * The problem of compatible forces in units of its own, and what measures a solution. */
#include "contact_dynamics/compatible_internal.h"

pd_cd_compatible_options pd_cd_compatible_defaults(double p)
{
  const pd_cd_compatible_options opt = {p, 2.0 / 7.0, NULL, 1e-10, 300, 2000};
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

static void scale_moments(double s, int n, double *six)
{
  for (int i = 0; i < n; i++)
    for (int c = 3; c < 6; c++) six[6 * (size_t)i + c] *= s;
}

/* entries of bodies that contacts cannot move would count as unbalanced */
static void copy_load(pd_cd_truss *t, const double *load)
{
  for (int i = 0; i < t->net->nowned; i++)
    pd_cd_free_load(&t->net->body[i], load + 6 * (size_t)i, t->load + 6 * (size_t)i);
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
  t->length = longest_lever(&t->op);
  t->width = t->length > 0.0 ? 6 : 3;
  if (!(t->length > 0.0)) t->length = 1.0;
  copy_load(t, load);
  t->force = pd_cd_largest(net, 6 * (size_t)net->nowned, t->load);
  if (!isfinite(t->force)) return PD_ENAN;
  if (!(t->force > 0.0)) t->force = 1.0;
  t->move = pow(t->force / t->stiffness, 1.0 / (t->opt->p - 1.0));
  return PD_OK;
}

static void make_rows(const pd_cd_truss *t, pd_cd_row *row)
{
  for (int i = 0; i < t->net->ncontact; i++, row += t->stride) {
    pd_vec3 t1, t2;
    row[0] = t->net->row[i];
    if (t->stride == 1) continue;
    pd_cd_tangents(t->net->contact[i].n, &t1, &t2);
    row[1] = pd_cd_tangent_row(t->net, &t->net->contact[i], t1);
    row[2] = pd_cd_tangent_row(t->net, &t->net->contact[i], t2);
  }
}

static void scale_rows(const pd_cd_truss *t, pd_cd_row *row)
{
  for (int i = 0; i < t->op.n; i++)
    for (int c = 3; c < 6; c++) row[i].ja[c] /= t->length, row[i].jb[c] /= t->length;
}

static void scale_vectors(pd_cd_truss *t, const double *u)
{
  const pd_cd_network *net = t->net;
  for (size_t i = 0; i < 6 * (size_t)net->nowned; i++) t->load[i] /= t->force;
  for (size_t i = 0; i < 6 * (size_t)net->nowned; i++) t->u[i] = u[i] / t->move;
  scale_moments(t->length, net->nowned, t->u);
  for (int i = 0; i < net->ncontact; i++) {
    t->k[i] = net->contact[i].closed ? net->contact[i].k / t->stiffness : 0.0;
  }
  for (size_t i = 0; i < (size_t)t->stride * (size_t)net->ncontact; i++) t->f[i] /= t->force;
}

pd_status pd_cd_truss_setup(pd_cd_truss *t, const double *load, double *f, const double *u,
                            pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)t->net->nbody, n = (size_t)t->net->ncontact;
  if (!(t->opt->p > 1.0 && t->opt->tol > 0.0)) return PD_ERANGE;
  const size_t rows = (size_t)t->stride * n;
  pd_cd_row *row = pd_cd_take_rows(pool, rows);
  t->k = pd_cd_take(pool, n);
  t->c = pd_cd_take(pool, rows);
  t->load = pd_cd_take(pool, n6);
  t->u = pd_cd_take(pool, n6);
  t->buffer = pd_cd_take(pool, n6);
  if (pool->failed) return PD_ENOMEM;
  t->f = f;
  t->op.net = t->net;
  t->op.n = t->stride * t->net->ncontact;
  t->op.row = row;
  make_rows(t, row);
  const pd_status status = find_units(t, load);
  if (status) return status;
  scale_rows(t, row);
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

pd_cd_coulomb pd_cd_truss_coulomb(const pd_cd_truss *t, int i)
{
  const pd_cd_coulomb law = {t->opt->p, t->opt->ratio, t->k[i], t->net->contact[i].mu,
                             t->opt->slide ? t->opt->slide + 2 * (size_t)i : NULL};
  return law;
}

/* forces of contact i by the law */
static void lawful(const pd_cd_truss *t, int i, double *f)
{
  if (t->stride == 1) {
    f[0] = pd_cd_force(t->opt->p, t->k[i], t->c[i]);
    return;
  }
  const pd_cd_coulomb law = pd_cd_truss_coulomb(t, i);
  pd_cd_coulomb_force(&law, t->c + 3 * (size_t)i, f);
}

double pd_cd_truss_constitutive(const pd_cd_truss *t, const double *f)
{
  double worst = 0.0, law[3];
  const int parts = t->stride == 1 ? 1 : 3;
  for (int i = 0; i < t->net->ncontact; i++, f += parts) {
    lawful(t, i, law);
    for (int k = 0; k < parts; k++) worst = pd_cd_worse(worst, fabs(f[k] - law[k]));
  }
  return pd_cd_max1(t->net->communication, worst);
}

static double energy_of(const pd_cd_truss *t, int i)
{
  if (!t->net->contact[i].closed) return 0.0;
  const double *f = t->f + (size_t)t->stride * (size_t)i;
  if (t->stride == 1) return pd_cd_complementary(t->opt->p, t->net->contact[i].k, f[0]);
  pd_cd_coulomb law = pd_cd_truss_coulomb(t, i);
  law.k = t->net->contact[i].k;
  return pd_cd_coulomb_energy(&law, f);
}

void pd_cd_truss_finish(pd_cd_truss *t, double *u, pd_cd_compatible_report *report)
{
  const pd_cd_network *net = t->net;
  double objective = 0.0;
  report->equilibrium = t->force * pd_cd_truss_unbalance(t, t->f, t->buffer);
  pd_cd_truss_overlaps(t, t->u);
  report->constitutive = t->force * pd_cd_truss_constitutive(t, t->f);
  report->kkt = fmax(report->equilibrium, report->constitutive) / t->force;
  for (int i = 0; i < t->op.n; i++) t->f[i] *= t->force;
  for (int i = 0; i < net->ncontact; i++) objective += energy_of(t, i);
  report->objective = pd_cd_sum1(net->communication, objective);
  for (size_t i = 0; i < 6 * (size_t)net->nbody; i++) u[i] = t->u[i] * t->move;
  scale_moments(1.0 / t->length, net->nbody, u);
}
