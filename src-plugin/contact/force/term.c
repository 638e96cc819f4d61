/* SPDX-License-Identifier: MIT
 * One signed term of the contact set and the sums over the terms of a sample. */
#include <string.h>

#include "base/memory.h"
#include "contact/pair_internal.h"

void pd_sample_clear(pd_sample_sum *sum)
{
  const pd_sample_sum zero = {0};
  *sum = zero;
  sum->mingap = DBL_MAX;
}

void pd_result_clear(pd_pair_result *result, int tangent)
{
  memset(result, 0, tangent ? sizeof *result : offsetof(pd_pair_result, k));
  result->mingap = DBL_MAX;
}

static pd_contact_kind term_kind(int na, int nb)
{
  if (na == 2 && nb == 2) return PD_EE;
  return na + nb == 4 ? PD_VF : na + nb == 3 ? PD_VE : PD_VV;
}

/* dn = sum_m m (J^T m)^T / d - sum_j D_j e_j^T */
void pd_add_normal_gradient(const pd_gap *g, double s, pd_grad *out)
{
  double x[12];
  pd_vec3 m[2];
  const int nm = pd_gap_complement(g, m);
  for (int i = 0; i < nm; i++) {
    pd_gap_jt(g, m[i], x);
    pd_g_rank1(out, s / g->d, m[i], x);
  }
  for (int j = 0; j < g->s; j++) {
    int at;
    const pd_vec3 e = pd_gap_carrier(g, j, &at);
    pd_g_add_block(out, at, -s, pd_outer(g->dual[j], e));
  }
}

/* dc_j = -D_j . sum_i D_i (J^T t_i + d e_i)^T */
void pd_point_drift_slopes(const pd_gap *g, double (*c)[12])
{
  double slope[2][12];
  for (int i = 0; i < g->s; i++) {
    int at;
    const pd_vec3 e = pd_gap_carrier(g, i, &at);
    pd_gap_jt(g, g->t[i], slope[i]);
    slope[i][at] += g->d * e.x;
    slope[i][at + 1] += g->d * e.y;
    slope[i][at + 2] += g->d * e.z;
  }
  for (int j = 0; j < g->s; j++) {
    const double to = -pd_dot(g->dual[j], g->dual[0]);
    for (int m = 0; m < 12; m++) c[j][m] = to * slope[0][m];
    if (g->s < 2) continue;
    const double too = -pd_dot(g->dual[j], g->dual[1]);
    for (int m = 0; m < 12; m++) c[j][m] += too * slope[1][m];
  }
}

/* A's point goes along t_j, B's against it */
void pd_add_point_drift(const pd_gap *g, double s, pd_grad *on_a, pd_grad *on_b)
{
  double c[2][12];
  pd_point_drift_slopes(g, c);
  for (int j = 0; j < g->s; j++)
    pd_g_rank1(g->on_b[j] ? on_b : on_a, g->on_b[j] ? -s : s, g->t[j], c[j]);
}

/* tangent of w N J^T n with its sign turned: -w [N Hess d + d_q (N_d d_q + N_gdot gdot_q)^T] */
static void term_tangent(const pd_pair_state *p, const pd_gap *g, pd_vec3 rel, double w,
                         pd_normal_force f, const double *dq, pd_sample_sum *sum, double (*k)[12])
{
  double row[12];
  pd_gap_add_hessian(g, -w * f.n, k);
  for (int m = 0; m < 12; m++) row[m] = f.dn_dg * dq[m];
  if (f.dn_dgd != 0.0) {
    double rate[12];
    pd_gap_rate_gradient(g, &p->a->velocity, &p->b->velocity, rel, rate);
    for (int m = 0; m < 12; m++) row[m] += f.dn_dgd * rate[m];
  }
  pd_k_rank1(k, -w, dq, row);
  if (!p->memory) return;
  pd_g_rank1(&sum->dr, w, g->n, row);
  pd_add_normal_gradient(g, w * f.n, &sum->dr);
}

/* what tells contacts at rest from impacts */
static void note_speeds(const pd_pair_state *p, const pd_gap *g, pd_law_value v, double w,
                        pd_sample_sum *sum)
{
  const double now = pd_dot(g->n, pd_gap_velocity(g, &p->a->velocity, &p->b->velocity));
  const double then = pd_dot(g->n, pd_gap_velocity(g, &p->a->before, &p->b->before));
  sum->vn = fmax(sum->vn, fabs(now));
  sum->vp = fmax(sum->vp, fabs(then));
  sum->dv = fmax(sum->dv, fabs(now - then));
  sum->stiff -= w * v.df;
}

/* velocities as the motion has them */
static pd_normal_force plain_term(const pd_pair_state *p, const pd_gap *g, pd_law_value v, double w,
                                  pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_vec3 rel = pd_gap_velocity(g, &p->a->velocity, &p->b->velocity);
  const double gdot = pd_dot(g->n, rel);
  const pd_normal_force f = pd_law_damped(p->law, v, g->d, gdot, p->mred);
  double dq[12];
  pd_gap_jt(g, g->n, dq);
  for (int m = 0; m < 12; m++) {
    sum->force[m] += w * f.n * dq[m];
    sum->elastic[m] += w * v.fn * dq[m];
  }
  if (p->state) {
    sum->ta = pd_m_add(sum->ta, pd_m_scale(w * v.fn, pd_outer(g->n, g->pa)));
    sum->tb = pd_m_add(sum->tb, pd_m_scale(-w * v.fn, pd_outer(g->n, g->pb)));
  }
  sum->power -= w * (f.n - v.fn) * gdot;
  if (k) term_tangent(p, g, rel, w, f, dq, sum, k->k);
  return f;
}

pd_status pd_term_eval(const pd_pair_state *p, int na, const pd_vec3 *a, int nb, const pd_vec3 *b,
                       double w, pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_gap g = pd_gap_solve(na, a, nb, b, p->r);
  if (!(g.d > 0.0) || !(g.d <= DBL_MAX)) return PD_ENAN;
  if (g.d >= p->law->gbar) return PD_OK;
  const pd_law_value v = pd_law_eval(p->law, g.d);
  const pd_normal_force f =
      p->em > 0.0 ? pd_em_term(p, &g, v, w, sum, k) : plain_term(p, &g, v, w, sum, k);
  const double share = fabs(w) * v.fn;
  if (p->state) note_speeds(p, &g, v, w, sum);
  sum->energy += w * v.phi;
  sum->resultant = pd_axpy(sum->resultant, w * f.n, g.n);
  sum->point = pd_axpy(sum->point, share, pd_axpy(g.pa, -0.5 * g.d, g.n));
  sum->weight += share;
  if (share > sum->best) sum->best = share, sum->kind = term_kind(na, nb);
  if (w > 0.0 && g.d < sum->mingap) sum->mingap = g.d;
  sum->active = 1;
  return PD_OK;
}
static pd_status append(pd_contact_list *list, const pd_contact *c)
{
  if (list->n == list->cap) {
    const int cap = list->cap ? 2 * list->cap : 64;
    pd_contact *p = (pd_contact *)pd_realloc(list->c, (size_t)cap * sizeof(pd_contact));
    if (!p) return PD_ENOMEM;
    list->c = p;
    list->cap = cap;
  }
  list->c[list->n++] = *c;
  return PD_OK;
}

static void add_state(const pd_sample_sum *sum, pd_pair_result *result)
{
  pd_em_state *s = &result->state;
  for (int m = 0; m < 12; m++) result->true_lever_force[m] += sum->elastic[m];
  s->active = 1;
  s->energy += sum->energy;
  s->f = pd_add(s->f, pd_v_load(sum->elastic));
  s->ta = pd_m_add(s->ta, sum->ta);
  s->tb = pd_m_add(s->tb, sum->tb);
  s->vn = fmax(s->vn, sum->vn);
  s->vp = fmax(s->vp, sum->vp);
  s->dv = fmax(s->dv, sum->dv);
  s->stiff += sum->stiff;
}

pd_status pd_sample_finish(const pd_sample_sum *sum, int on_b, int s0, int s1, int em,
                           pd_pair_result *result, pd_contact_list *list)
{
  if (!sum->active) return PD_OK;
  result->energy += sum->energy;
  for (int m = 0; m < 12; m++) {
    result->force[m] += em ? sum->mean[m] : sum->force[m];
    result->loss[PD_DAMPING][m] += em ? sum->damp[m] : sum->force[m] - sum->elastic[m];
  }
  add_state(sum, result);
  result->power += sum->power;
  result->scale2 += pd_norm2(sum->resultant);
  if (sum->mingap < result->mingap) result->mingap = sum->mingap;
  result->ncontact++;
  /* terms that cancel, as those of parallel edges, make no row */
  if (!list || pd_norm(sum->resultant) <= 1e-12 * sum->weight) return PD_OK;
  pd_contact c;
  c.kind = sum->kind;
  c.on_b = on_b;
  c.sample[0] = s0;
  c.sample[1] = s1;
  c.point = pd_scale(1.0 / sum->weight, sum->point);
  c.normal = pd_unit(sum->resultant);
  c.gap = sum->mingap;
  c.force = pd_norm(sum->resultant);
  c.friction = sum->friction;
  c.history = sum->history;
  return append(list, &c);
}

void pd_contact_list_free(pd_contact_list *list)
{
  pd_free(list->c);
  list->c = NULL;
  list->n = list->cap = 0;
}
