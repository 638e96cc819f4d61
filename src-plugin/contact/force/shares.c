/* SPDX-License-Identifier: MIT
 * Shares of contacts in a term that corrects them. */
#include "contact/force/shares.h"

#include "base/numbers.h"

/* Normals m_i of up to three contacts that span a cone about a direction, and d_i . m_j = 1 if i =
 * j, else 0, in their span. */
typedef struct cone {
  int n, of[3];
  pd_vec3 dual[3];
} cone;

/* ---- cones ---- */

/* Returns 0 where the normals are so nearly opposite that nothing is between them. */
static int span_two(const pd_vec3 *m, cone *c)
{
  const pd_vec3 a = m[c->of[0]], b = m[c->of[1]];
  const double cosine = pd_dot(a, b), s = 1.0 / (1.0 - cosine * cosine);
  if (!(fabs(cosine) < PD_PATCH_COSINE)) return 0;
  c->n = 2;
  c->dual[0] = pd_scale(s, pd_axpy(a, -cosine, b));
  c->dual[1] = pd_scale(s, pd_axpy(b, -cosine, a));
  return 1;
}

/* returns 0 where they lie nearly in a plane */
static int span_three(const pd_vec3 *m, cone *c)
{
  const pd_vec3 a = m[c->of[0]], b = m[c->of[1]], d = m[c->of[2]];
  const double volume = pd_dot(a, pd_cross(b, d));
  if (!(fabs(volume) > 1.0 - PD_PATCH_COSINE)) return 0;
  c->n = 3;
  c->dual[0] = pd_scale(1.0 / volume, pd_cross(b, d));
  c->dual[1] = pd_scale(1.0 / volume, pd_cross(d, a));
  c->dual[2] = pd_scale(1.0 / volume, pd_cross(a, b));
  return 1;
}

/* what of x is beside the span */
static pd_vec3 beside(const pd_vec3 *m, const cone *c, pd_vec3 x)
{
  pd_vec3 rest = x;
  for (int i = 0; i < c->n; i++) rest = pd_axpy(rest, -pd_dot(c->dual[i], x), m[c->of[i]]);
  return rest;
}

static int is_inside(const cone *c, pd_vec3 n)
{
  for (int i = 0; i < c->n; i++)
    if (!(pd_dot(c->dual[i], n) > 0.0)) return 0;
  return 1;
}

/* the normal that is most along x; it must not be one of the cone's, and along x at all */
static int next_normal(const pd_share_directions *to, const cone *c, pd_vec3 x)
{
  int best = -1;
  for (int i = 0; i < to->n; i++) {
    int taken = 0;
    for (int k = 0; k < c->n; k++) taken |= c->of[k] == i;
    if (taken || (c->n > 0 && !(pd_dot(x, to->normal[i]) > PD_CANCELLED))) continue;
    if (best < 0 || pd_dot(x, to->normal[i]) > pd_dot(x, to->normal[best])) best = i;
  }
  return best;
}

/* The cone grows by the normal along which what is beside it lies, as long as n stays inside. */
static cone cone_of(const pd_share_directions *to, pd_vec3 n)
{
  const pd_vec3 *m = to->normal;
  cone c;
  c.n = 0;
  c.of[0] = next_normal(to, &c, n);
  c.n = 1;
  c.dual[0] = m[c.of[0]];
  while (c.n < 3) {
    cone wider = c;
    wider.of[c.n] = next_normal(to, &c, beside(m, &c, n));
    if (wider.of[c.n] < 0) break;
    if (!(c.n == 1 ? span_two(m, &wider) : span_three(m, &wider)) || !is_inside(&wider, n)) break;
    c = wider;
  }
  return c;
}

/* ---- parts of a vector ---- */

/* x = sum of c_i m_i + rest, with derivatives */
typedef struct parts {
  double c[3], dc[3][12];
  pd_vec3 rest;
  pd_grad drest;
} parts;

/* dc_i = d_i . dx - sum_j c_j d_i . dm_j + sum_j (d_i . d_j) rest . dm_j */
static void differentiate(const pd_share_directions *to, const cone *e, const pd_grad *dx, parts *p)
{
  double row[12];
  p->drest = *dx;
  for (int i = 0; i < e->n; i++) {
    pd_g_row(dx, e->dual[i], p->dc[i]);
    for (int j = 0; j < e->n; j++) {
      const double s = pd_dot(e->dual[i], e->dual[j]);
      pd_g_row(&to->dnormal[e->of[j]], pd_axpy(pd_scale(-p->c[j], e->dual[i]), s, p->rest), row);
      for (int m = 0; m < 12; m++) p->dc[i][m] += row[m];
    }
    pd_g_rank1(&p->drest, -1.0, to->normal[e->of[i]], p->dc[i]);
    pd_g_axpy(&p->drest, -p->c[i], &to->dnormal[e->of[i]]);
  }
}

static void take_apart(const pd_share_directions *to, const cone *e, pd_vec3 x, const pd_grad *dx,
                       parts *p)
{
  for (int i = 0; i < e->n; i++) p->c[i] = pd_dot(e->dual[i], x);
  p->rest = beside(to->normal, e, x);
  if (to->dnormal) differentiate(to, e, dx, p);
}

/* share of a contact in what is beside the cone */
typedef struct share {
  double s, ds[12];
} share;

static share share_of(const parts *p, const cone *e, int i, int tangent)
{
  double sum = 0.0;
  share o;
  for (int j = 0; j < e->n; j++) sum += p->c[j];
  o.s = p->c[i] / sum;
  for (int m = 0; m < 12 && tangent; m++) {
    double dsum = 0.0;
    for (int j = 0; j < e->n; j++) dsum += p->dc[j][m];
    o.ds[m] = (p->dc[i][m] - o.s * dsum) / sum;
  }
  return o;
}

static void add_gradient(const pd_share_directions *to, const cone *e, const parts *p, int i,
                         const share *o, pd_grad *df)
{
  const int k = e->of[i];
  pd_g_rank1(df, 1.0, to->normal[k], p->dc[i]);
  pd_g_axpy(df, p->c[i], &to->dnormal[k]);
  pd_g_rank1(df, 1.0, p->rest, o->ds);
  pd_g_axpy(df, o->s, &p->drest);
}

static pd_vec3 part_of(const pd_share_directions *to, const cone *e, const parts *p, int i,
                       const share *o)
{
  return pd_axpy(pd_scale(p->c[i], to->normal[e->of[i]]), o->s, p->rest);
}

/* ---- shares ---- */

static void add_whole(const pd_share_directions *to, const pd_sample_sum *one,
                      pd_sample_sum *contact)
{
  contact->resultant = pd_add(contact->resultant, one->resultant);
  for (int m = 0; m < 3; m++) contact->damping[m] += one->damping[m];
  if (!to->dnormal) return;
  pd_g_axpy(&contact->dresultant, 1.0, &one->dresultant);
  pd_g_axpy(&contact->ddamping, 1.0, &one->ddamping);
}

void pd_share_out(const pd_share_directions *to, const pd_sample_sum *one, double w,
                  pd_sample_sum *contact)
{
  if (!(pd_norm2(one->resultant) > 0.0)) return;
  const pd_vec3 n = pd_unit(w > 0.0 ? one->resultant : pd_neg(one->resultant));
  const cone e = cone_of(to, n);
  if (e.n == 1) {
    add_whole(to, one, &contact[e.of[0]]);
    return;
  }
  parts normal, damping;
  take_apart(to, &e, one->resultant, &one->dresultant, &normal);
  take_apart(to, &e, pd_v_load(one->damping), &one->ddamping, &damping);
  for (int i = 0; i < e.n; i++) {
    pd_sample_sum *sum = &contact[e.of[i]];
    const share o = share_of(&normal, &e, i, to->dnormal != NULL);
    sum->resultant = pd_add(sum->resultant, part_of(to, &e, &normal, i, &o));
    const pd_vec3 damped = part_of(to, &e, &damping, i, &o);
    pd_v_store(sum->damping, pd_add(pd_v_load(sum->damping), damped));
    if (!to->dnormal) continue;
    add_gradient(to, &e, &normal, i, &o, &sum->dresultant);
    add_gradient(to, &e, &damping, i, &o, &sum->ddamping);
  }
}
