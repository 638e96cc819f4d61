/* SPDX-License-Identifier: MIT
 * One signed term of the contact set in the energy-momentum scheme: forces with mean levers,
 * damping by the increment of the gap. */
#include "pair_internal.h"

/* one body of a term: mean lever, and derivatives of it and of the displacement u + p - Q^T p */
typedef struct side {
  pd_vec3 mean;
  pd_grad dmean, dway;
} side;

static void differentiate(const pd_turn *t, int body, pd_vec3 p, const pd_grad *path, side *o)
{
  const pd_mat3 back = pd_m_transpose(t->dq), sp = pd_skew(p);
  o->dmean = o->dway = pd_g_zero();
  pd_g_add_mul(&o->dmean, 1.0, pd_mean_lever(back), path);
  pd_g_add_block(&o->dmean, 6 * body + 3, -0.5, sp);
  pd_g_add_mul(&o->dway, 1.0, pd_m_add(pd_m_identity(), pd_m_scale(-1.0, back)), path);
  pd_g_add_block(&o->dway, 6 * body, 1.0, pd_m_identity());
  pd_g_add_block(&o->dway, 6 * body + 3, -1.0, sp);
}

static void add_force(double *out, double s, pd_vec3 n, pd_vec3 la, pd_vec3 lb)
{
  const pd_vec3 part[4] = {n, pd_cross(la, n), pd_neg(n), pd_cross(n, lb)};
  for (int i = 0; i < 4; i++) {
    out[3 * i] += s * part[i].x;
    out[3 * i + 1] += s * part[i].y;
    out[3 * i + 2] += s * part[i].z;
  }
}

/* tangent of a force w f n at the two mean levers; row: derivative of f */
static void add_tangent(const pd_gap *g, double w, double f, const double *row, const side *a,
                        const side *b, double (*k)[12], pd_grad *dr)
{
  pd_grad df = pd_g_zero();
  const pd_vec3 force = pd_scale(w * f, g->n);
  pd_g_rank1(&df, w, g->n, row);
  pd_add_normal_gradient(g, w * f, &df);
  pd_add_rows(k, 0, 1.0, a->mean, force, &a->dmean, &df);
  pd_add_rows(k, 6, -1.0, b->mean, force, &b->dmean, &df);
  for (int i = 0; i < 36; i++) dr->m[i / 12][i % 12] += df.m[i / 12][i % 12];
}

/* derivative of the gap's increment over the step, divided by the step */
static void rate_gradient(const pd_pair_state *p, const pd_gap *g, pd_vec3 way, const side *a,
                          const side *b, double *rate)
{
  pd_grad dn = pd_g_zero();
  double x[12], y[12];
  pd_add_normal_gradient(g, 1.0, &dn);
  pd_g_row(&dn, way, rate);
  pd_g_row(&a->dway, g->n, x);
  pd_g_row(&b->dway, g->n, y);
  for (int m = 0; m < 12; m++) rate[m] = (rate[m] + x[m] - y[m]) / p->em;
}

pd_normal_force pd_em_term(const pd_pair_state *p, const pd_gap *g, pd_law_value v, double w,
                           pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_turn *ta = &p->a->turn, *tb = &p->b->turn;
  const pd_vec3 way =
      pd_sub(pd_add(ta->u, pd_turned(ta, g->pa)), pd_add(tb->u, pd_turned(tb, g->pb)));
  const double gdot = pd_dot(g->n, way) / p->em;
  const pd_normal_force f = pd_term_force(p, v, g->d, gdot, sum);
  double dq[12];
  side a, b;
  a.mean = pd_mv(pd_mean_lever(pd_m_transpose(ta->dq)), g->pa);
  b.mean = pd_mv(pd_mean_lever(pd_m_transpose(tb->dq)), g->pb);
  pd_gap_jt(g, g->n, dq);
  for (int m = 0; m < 12; m++) sum->elastic[m] += w * v.fn * dq[m];
  add_force(sum->mean, w * v.fn, g->n, a.mean, b.mean);
  add_force(sum->damp, w * (f.n - v.fn), g->n, a.mean, b.mean);
  sum->ta = pd_m_add(sum->ta, pd_m_scale(w * v.fn, pd_outer(g->n, g->pa)));
  sum->tb = pd_m_add(sum->tb, pd_m_scale(-w * v.fn, pd_outer(g->n, g->pb)));
  sum->power -= w * (f.n - v.fn) * gdot;
  if (!k) {
    if (sum->several) pd_note_dashpot(p, g, v, w, gdot, dq, NULL, sum);
    return f;
  }
  pd_grad on_a = pd_g_zero(), on_b = pd_g_zero();
  double row[12], rate[12];
  pd_add_wander(g, 1.0, &on_a, &on_b);
  differentiate(ta, 0, g->pa, &on_a, &a);
  differentiate(tb, 1, g->pb, &on_b, &b);
  for (int m = 0; m < 12; m++) row[m] = v.df * dq[m];
  add_tangent(g, w, v.fn, row, &a, &b, k->k, &sum->dr);
  if (!sum->several && f.n == v.fn && f.dn_dgd == 0.0) return f;
  rate_gradient(p, g, way, &a, &b, rate);
  if (sum->several) {
    pd_note_dashpot(p, g, v, w, gdot, dq, rate, sum);
    return f;
  }
  for (int m = 0; m < 12; m++) row[m] = (f.dn_dg - v.df) * dq[m] + f.dn_dgd * rate[m];
  add_tangent(g, w, f.n - v.fn, row, &a, &b, k->kloss, &sum->dr);
  return f;
}
