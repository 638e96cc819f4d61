/* SPDX-License-Identifier: MIT
 * Distance of two surfaces: what is further apart than the nearest features found so far is left
 * out. */
#include "contact/search/surface_distance.h"

#include "base/numbers.h"
#include "contact/gap.h"
#include "contact/search/descent.h"
#include "geometry/distance.h"

static pd_vec3 position(const pd_descent *q, int on_b, int v)
{
  return on_b ? pd_add(q->place.r, pd_mv(q->place.rot, q->b->v[v])) : q->a->v[v];
}

/* The nearest features found so far. What is found in the end must not depend on where the search
 * began, to the last bit: a run from a restart file begins elsewhere. */
typedef struct nearest_features {
  double d2;
  pd_nearest at;
  pd_vec3 axis, between; /* theirs; that of the centres, where they have none */
  double rounding;       /* of bounds: what is further than the nearest by less is looked at */
} nearest_features;

/* Nearer, or as near and of triangles that come first. */
static int is_nearer(const pd_descent *q, double d2)
{
  const nearest_features *found = (const nearest_features *)q->of;
  if (d2 != found->d2) return d2 < found->d2;
  return q->at[0] != found->at.a ? q->at[0] < found->at.a : q->at[1] < found->at.b;
}

/* Nearer features than before; sign: 1 if n points from B's to A's. Any unit vector is an axis, but
 * those of parallel edges have none. */
static void take(pd_descent *q, double d2, pd_gap g, double sign)
{
  nearest_features *found = (nearest_features *)q->of;
  const int has_axis = fabs(pd_norm2(g.n) - 1.0) < 1e-9;
  found->d2 = d2;
  found->at.a = q->at[0];
  found->at.b = q->at[1];
  found->axis = has_axis ? pd_scale(-sign, g.n) : found->between;
  q->limit = sqrt(d2) + found->rounding;
  if (has_axis) pd_descent_look_along(q, found->axis);
}

static void vertex(pd_descent *q, int on_b, int v, int t)
{
  const int *corner = (on_b ? q->a : q->b)->t[t];
  const pd_vec3 p = position(q, on_b, v);
  const pd_vec3 x[3] = {position(q, !on_b, corner[0]), position(q, !on_b, corner[1]),
                        position(q, !on_b, corner[2])};
  double d2;
  const int k = pd_point_triangle(p, x[0], x[1], x[2], &d2);
  if (is_nearer(q, d2)) take(q, d2, pd_gap_of_triangle(p, x, k), on_b ? -1.0 : 1.0);
}

static void edges(pd_descent *q, const pd_edge *e, const pd_edge *f)
{
  const pd_vec3 a[2] = {position(q, 0, e->v[0]), position(q, 0, e->v[1])};
  const pd_vec3 b[2] = {position(q, 1, f->v[0]), position(q, 1, f->v[1])};
  int fa, fb;
  const double d2 = pd_segment_segment(a[0], a[1], b[0], b[1], &fa, &fb);
  if (is_nearer(q, d2)) take(q, d2, pd_gap_of_edges(a, fa, b, fb, pd_v(0.0, 0.0, 0.0)), 1.0);
}

/* What was nearest last is near, and parts well what is further than the cut, too. */
static void begin_with(pd_descent *q, const pd_nearest *last)
{
  if (last->a >= q->a->nt || last->b >= q->b->nt) return;
  pd_descent_visit(q, last->a, last->b);
}

static nearest_features none_yet(const pd_pair_geometry *pair, const pd_descent *q)
{
  const double size = pair->a->shape->radius + pair->b->shape->radius;
  const nearest_features none = {
      DBL_MAX, {0, 0, q->axis}, q->axis, q->axis, PD_NEAREST_ROUNDING * size};
  return none;
}

double pd_pair_nearest(const pd_pair_geometry *pair, double cut, pd_vec3 *axis)
{
  pd_descent q = {0};
  q.vertex = vertex;
  q.edges = edges;
  q.limit = DBL_MAX;
  pd_descent_begin(&q, pair);
  nearest_features found = none_yet(pair, &q);
  const double rounds = pd_rounds(pair), far = cut + rounds;
  q.of = &found;
  if (pair->nearest) begin_with(&q, pair->nearest);
  q.limit = fmin(q.limit, far + found.rounding);
  pd_descend(&q);
  *axis = found.axis;
  if (!(found.d2 < far * far)) return cut;
  if (pair->nearest) {
    *pair->nearest = found.at;
    pair->nearest->axis = found.axis;
  }
  return sqrt(found.d2) - rounds;
}

double pd_pair_distance(const pd_pair_geometry *pair, double cut)
{
  pd_vec3 axis;
  return pd_pair_nearest(pair, cut, &axis);
}
