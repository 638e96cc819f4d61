/* SPDX-License-Identifier: MIT
 * Edge against edge (doc/theory.md, 7.3): the contact of the closest features, of potential P, as
 * far as it is one of the two interiors, which the bracket tells:
 *
 *   W = phi(d(e_A, e_B)) - sum_k phi(d(e_A, b_k)) - sum_k phi(d(a_k, e_B)) + sum_kl phi(|a_k -
 * b_l|)
 *
 * W = P where edges cross with their ends out of reach. W fades to zero where the closest points
 * reach an end, and is negative where both edges have an end near the other. The potential is P
 * s(W/P), which is never negative, times what the two edges count. */
#include <string.h>

#include "contact/force/friction.h"
#include "contact/force/scheme.h"
#include "contact/force/term.h"
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
  double bracket;     /* W, to rounding */
} edge_pair;

/* a term of the bracket */
static void count(edge_pair *e, int fa, int fb, double d2, int w)
{
  const pd_evaluation *pair = e->pair;
  if (d2 >= pair->reach2) return;
  e->w[fa][fb] += w;
  e->bracket += w * pd_law_eval(pair->law, sqrt(d2) - pair->rounds).phi;
}

static void count_bracket(edge_pair *e)
{
  double d2;
  for (int k = 0; k < 2; k++) {
    int f = pd_point_segment(e->a[k], e->b[0], e->b[1], &d2);
    count(e, k, f, d2, -1);
    f = pd_point_segment(e->b[k], e->a[0], e->a[1], &d2);
    count(e, f, k, d2, -1);
    for (int l = 0; l < 2; l++) count(e, k, l, pd_norm2(pd_sub(e->a[k], e->b[l])), 1);
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

/* the closest features alone, as one contact */
static pd_status add_closest(const edge_pair *e, pd_sample_sum *sum, const pd_tangent *k)
{
  return add_term(e, e->closest[0], e->closest[1], 1.0, sum, k);
}

/* sums with tangents of their own */
typedef struct part {
  pd_sample_sum sum;
  double array[24][12];
  pd_tangent k;
  const pd_tangent *wanted; /* k, or NULL */
} part;

static void begin(part *p, const edge_pair *e)
{
  const pd_evaluation *pair = e->pair;
  const int apart = pair->scheme->damping_apart;
  p->k.force = p->array;
  p->k.damping = apart ? p->array + 12 : NULL;
  p->wanted = pair->tangent ? &p->k : NULL;
  if (pair->tangent) memset(p->array, 0, (apart ? 288 : 144) * sizeof(double));
  pd_sample_begin(e->ea, e->eb, &p->sum);
}

/* Tangents of a part times f, of derivative c row, into the result's; then the part itself. */
static void weigh(part *p, double f, double c, const double *row, const pd_tangent *total)
{
  if (p->wanted) pd_sample_add_tangent(&p->sum, f, c, row, &p->k, total);
  pd_sample_scale(&p->sum, f);
}

/* the pair without damping, which has to live as long */
typedef struct undamped {
  pd_law law;
  pd_evaluation pair;
  edge_pair edges;
} undamped;

static void without_damping(const edge_pair *e, undamped *out)
{
  out->law = *e->pair->law;
  out->law.zeta = 0.0;
  out->pair = *e->pair;
  out->pair.law = &out->law;
  out->pair.em.stiffness_damping = 0.0;
  out->edges = *e;
  out->edges.pair = &out->pair;
}

/* s(x) = x^2 (2 - x) up to s(1) = 1, then x: of slope one there, and zero with its slope at x = 0
 */
typedef struct weight {
  double x, s, ds, dds;
} weight;

static weight weight_of(double x)
{
  const weight faded = {x, x * x * (2.0 - x), x * (4.0 - 3.0 * x), 4.0 - 6.0 * x};
  const weight whole = {x, x, 1.0, 0.0};
  return x < 1.0 ? faded : whole;
}

/* The closest features as a contact of weight s = s(x), x = W/P. Of c P s, c what the edges count,
 * with the gradients F_P of P and F_W of W the gradient is c (s F_P + s' (F_W - x F_P)). Damping is
 * that of the closest features with the same weight: so it never gives energy. */
static pd_status add_weighed(const edge_pair *e, pd_sample_sum *sum)
{
  const pd_tangent total = pd_result_tangent(e->pair);
  undamped elastic;
  part damped, bracket, closest;
  double row[12];
  without_damping(e, &elastic);
  begin(&damped, e);
  begin(&bracket, e);
  begin(&closest, e);
  pd_status status = add_closest(e, &damped.sum, damped.wanted);
  if (!status) status = add_terms(&elastic.edges, 1.0, &bracket.sum, bracket.wanted);
  if (!status) status = add_closest(&elastic.edges, &closest.sum, closest.wanted);
  const double p = closest.sum.energy, c = e->weight;
  const weight o = weight_of(bracket.sum.energy / p);
  if (status || !(p > 0.0) || o.x <= 0.0) return status;
  for (int m = 0; m < 12; m++) row[m] = bracket.sum.elastic[m] - o.x * closest.sum.elastic[m];
  weigh(&damped, c * o.s, -c * o.ds / p, row, &total);
  weigh(&bracket, c * o.ds, -c * o.dds / p, row, &total);
  weigh(&closest, -c * o.x * o.ds, c * (o.ds + o.x * o.dds) / p, row, &total);
  pd_sample_add(&bracket.sum, &damped.sum);
  pd_sample_add(&closest.sum, &damped.sum);
  *sum = damped.sum;
  return PD_OK;
}

/* acts midway between the closest points of the edges, ends included: there is no jump at an end */
static pd_status add_friction(const edge_pair *e, pd_sample_sum *sum)
{
  const pd_evaluation *pair = e->pair;
  if (!pair->memory) return PD_OK;
  const pd_gap g = pd_gap_of_edges(e->a, e->closest[0], e->b, e->closest[1], pair->r);
  pd_grad dn;
  pd_friction_point at =
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

/* also of edges that count nothing */
static void count_gap(const pd_evaluation *pair, double d)
{
  pair->result->mingap = fmin(pair->result->mingap, d - pair->rounds);
}

/* Edges that cross with their ends out of reach are a plain sum of terms, one. */
static pd_status sample_edges(const edge_pair *e)
{
  const pd_evaluation *pair = e->pair;
  const int sign = sign_of(e);
  if (sign == 0 || e->bracket <= 0.0) return PD_OK;
  const pd_tangent total = pd_result_tangent(pair), *k = pair->tangent ? &total : NULL;
  pd_sample_sum sum;
  pd_sample_begin(e->ea, e->eb, &sum);
  pd_status status = sign > 0 ? add_terms(e, e->weight, &sum, k) : add_weighed(e, &sum);
  if (status || !sum.active) return status;
  status = add_friction(e, &sum);
  return status ? status : pd_sample_finish(pair, &sum, 0, e->ea, e->eb);
}

pd_status pd_set_edge_pair(const pd_evaluation *pair, int ea, int eb)
{
  const pd_side *sa = &pair->search->candidates.side[0], *sb = &pair->search->candidates.side[1];
  const int *p = pair->a->shape->e[ea].v, *q = pair->b->shape->e[eb].v;
  edge_pair e = {pair,   ea,  eb, {sa->x[p[0]], sa->x[p[1]]}, {sb->x[q[0]], sb->x[q[1]]}, {{0}},
                 {0, 0}, 1.0, 0.0};
  int fa, fb;
  const double d2 = pd_segment_segment(e.a[0], e.a[1], e.b[0], e.b[1], &fa, &fb);
  if (d2 >= pair->reach2) return PD_OK;
  const int literal = pair->set != PD_SET_CONTINUOUS;
  if (literal && (fa != PD_INSIDE || fb != PD_INSIDE)) return PD_OK;
  count_gap(pair, sqrt(d2));
  e.closest[0] = fa;
  e.closest[1] = fb;
  count(&e, fa, fb, d2, 1);
  if (!literal) {
    const double gbar = pair->law->gbar;
    e.weight = pd_ridge_weight(pair->a->shape->e[ea].ridge, gbar) *
               pd_ridge_weight(pair->b->shape->e[eb].ridge, gbar);
    count_bracket(&e);
  }
  return sample_edges(&e);
}
