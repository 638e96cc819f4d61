/* SPDX-License-Identifier: MIT
 * Edge against edge (doc/theory.md, 7.3): the contact of the two interiors alone, as the bracket
 *
 *   W = phi(d(e_A, e_B)) - sum_k phi(d(e_A, b_k)) - sum_k phi(d(a_k, e_B)) + sum_kl phi(|a_k -
 * b_l|)
 *
 * which fades to zero at the ends, softened where it is negative, times the mollifier and what the
 * two edges count. */
#include <string.h>

#include "base/numbers.h"
#include "contact/force/friction.h"
#include "contact/force/term.h"
#include "contact/set/mollifier.h"
#include "contact/set/set.h"
#include "geometry/distance.h"

/* positions of an edge pair and the integer weights of its sub-features, numbered 0, 1: ends,
 * 2 = PD_INSIDE: interior */
typedef struct edge_pair {
  const pd_evaluation *pair;
  int ea, eb;
  pd_vec3 a[2], b[2]; /* ends */
  int w[3][3];        /* sub-feature of A by that of B */
  int closest[2];     /* sub-features of A and B */
  double weight;      /* of the pair */
} edge_pair;

static void count_bracket(edge_pair *e)
{
  const double reach2 = e->pair->reach2;
  double d2;
  for (int k = 0; k < 2; k++) {
    int f = pd_point_segment(e->a[k], e->b[0], e->b[1], &d2);
    if (d2 < reach2) e->w[k][f]--;
    f = pd_point_segment(e->b[k], e->a[0], e->a[1], &d2);
    if (d2 < reach2) e->w[f][k]--;
    for (int l = 0; l < 2; l++)
      if (pd_norm2(pd_sub(e->a[k], e->b[l])) < reach2) e->w[k][l]++;
  }
}

static pd_simplex sub_feature(const pd_vec3 *ends, int f)
{
  const pd_simplex s = {f == PD_INSIDE ? 2 : 1, f == 1 ? &ends[1] : ends};
  return s;
}

static pd_status add_term(const edge_pair *e, int fa, int fb, double w, pd_sample_sum *sum,
                          const pd_tangent *k)
{
  return pd_term_add(e->pair, sub_feature(e->a, fa), sub_feature(e->b, fb), w, sum, k);
}

/* all terms of the bracket, times f */
static pd_status add_terms(const edge_pair *e, double f, pd_sample_sum *sum, const pd_tangent *k)
{
  for (int fa = 0; fa < 3; fa++)
    for (int fb = 0; fb < 3; fb++) {
      if (e->w[fa][fb] == 0) continue;
      const pd_status status = add_term(e, fa, fb, f * e->w[fa][fb], sum, k);
      if (status) return status;
    }
  return PD_OK;
}

/* Damping is measured by that of the closest features alone, whatever their weight in the bracket.
 */
static pd_status limit_damping(const edge_pair *e, pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_force_scheme *scheme = e->pair->scheme;
  double array[24][12];
  const pd_tangent own = {array, array + 12};
  pd_sample_sum closest;
  if (!scheme->limit_damping || sum->power == 0.0) return PD_OK;
  pd_sample_clear(&closest);
  if (k) memset(array, 0, sizeof array);
  const pd_status status =
      add_term(e, e->closest[0], e->closest[1], 1.0, &closest, k ? &own : NULL);
  if (!status) scheme->limit_damping(sum, &closest, k);
  return status;
}

/* The bracket is negative where the ends of short or nearly parallel edges are closer together than
 * gbar, and would then take the barrier of the vertices away. There W is replaced by
 * h(W) = W / (1 - W / limit) > -limit, of slope one at zero. */
static void soften(pd_sample_sum *s, double limit, const pd_tangent *k)
{
  if (s->energy >= 0.0) return;
  const double slope = 1.0 / (1.0 - s->energy / limit), dh = slope * slope;
  const double ddh = 2.0 * dh * slope / limit;
  if (k) pd_sample_scale_tangent(s, dh, -ddh, s->elastic, k);
  pd_sample_scale(s, dh);
  s->energy *= slope;
}

/* acts midway between the closest points of the edges, ends included: there is no jump at an end */
static pd_status add_friction(const edge_pair *e, pd_sample_sum *sum)
{
  const pd_evaluation *pair = e->pair;
  if (!pair->memory) return PD_OK;
  const pd_gap g = pd_gap_of_edges(e->a, e->closest[0], e->b, e->closest[1], pair->r);
  pd_grad dn;
  const pd_friction_point at =
      pd_edge_friction_point(pair, e->ea, e->eb, &g, pd_sample_direction(pair, sum, &dn));
  return pd_sample_friction(pair, &at, sum);
}

/* sign of the bracket's terms: 0 all cancel, 1 none is negative, -1 some are */
static int sign_of(const edge_pair *e)
{
  int any = 0, low = 0;
  for (int i = 0; i < 9; i++) {
    const int w = e->w[i / 3][i % 3];
    any |= w != 0;
    if (w < low) low = w;
  }
  return low < 0 ? -1 : any;
}

/* the bracket softened and times the mollifier; its tangents are added to the response's */
static pd_status add_mollified(const edge_pair *e, const pd_mollifier *o, int sign,
                               pd_sample_sum *sum)
{
  const pd_evaluation *pair = e->pair;
  const pd_tangent total = pd_response_tangent(pair);
  double array[24][12];
  const pd_tangent own = {array, total.damping ? array + 12 : NULL};
  const pd_tangent *k = pair->tangent ? &own : NULL;
  if (k) memset(array, 0, (own.damping ? 288 : 144) * sizeof(double));
  pd_status status = add_terms(e, 1.0, sum, k);
  if (status || !sum->active) return status;
  if (sign < 0) status = limit_damping(e, sum, k);
  if (status) return status;
  soften(sum, PD_SOFTENING * pair->law->phib, k);
  if (k) pd_mollify_tangent(o, sum, k, &total);
  pd_mollify_sum(o, sum);
  return PD_OK;
}

/* Edges that cross well, with their ends out of reach, are a plain sum of terms. */
static pd_status sample_edges(const edge_pair *e)
{
  const pd_evaluation *pair = e->pair;
  const int sign = sign_of(e), literal = pair->set != PD_SET_CONTINUOUS;
  if (sign == 0) return PD_OK;
  const pd_tangent total = pd_response_tangent(pair), *k = pair->tangent ? &total : NULL;
  const pd_mollifier o =
      pd_mollify(pair, pd_sub(e->a[1], e->a[0]), pd_sub(e->b[1], e->b[0]), e->weight);
  pd_sample_sum sum;
  pd_sample_clear(&sum);
  pd_status status = literal || (sign > 0 && pd_mollifier_is_idle(&o))
                         ? add_terms(e, e->weight, &sum, k)
                         : add_mollified(e, &o, sign, &sum);
  if (status || !sum.active) return status;
  status = add_friction(e, &sum);
  return status ? status : pd_sample_finish(pair, &sum, 0, e->ea, e->eb);
}

pd_status pd_set_edge_pair(const pd_evaluation *pair, int ea, int eb)
{
  const pd_side *sa = &pair->search->candidates.side[0], *sb = &pair->search->candidates.side[1];
  const int *p = pair->a->shape->e[ea].v, *q = pair->b->shape->e[eb].v;
  edge_pair e = {pair,  ea,     eb, {sa->x[p[0]], sa->x[p[1]]}, {sb->x[q[0]], sb->x[q[1]]},
                 {{0}}, {0, 0}, 1.0};
  int fa, fb;
  const double d2 = pd_segment_segment(e.a[0], e.a[1], e.b[0], e.b[1], &fa, &fb);
  if (d2 >= pair->reach2) return PD_OK;
  const int literal = pair->set != PD_SET_CONTINUOUS;
  if (literal && (fa != PD_INSIDE || fb != PD_INSIDE)) return PD_OK;
  e.closest[0] = fa;
  e.closest[1] = fb;
  e.w[fa][fb] = 1;
  if (!literal) {
    const double gbar = pair->law->gbar;
    e.weight = pd_ridge_weight(pair->a->shape->e[ea].ridge, gbar) *
               pd_ridge_weight(pair->b->shape->e[eb].ridge, gbar);
    count_bracket(&e);
  }
  return sample_edges(&e);
}
