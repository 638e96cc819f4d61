/* SPDX-License-Identifier: MIT
 * A vertex sampled against a surface: sums of integer weights, then the terms. */
#include "contact/set/vertex_sample.h"

#include "base/smooth.h"
#include "contact/force/friction.h"
#include "contact/force/term.h"

double pd_vertex_weight(const pd_evaluation *pair, const pd_shape *shape, int id)
{
  if (pair->set != PD_SET_CONTINUOUS) return 1.0;
  return shape->sample[id] ? pd_ridge_weight(shape->ridge[id], pair->law->gbar) : 0.0;
}

void pd_vertex_sample_begin(pd_vertex_sample *s, const pd_evaluation *pair, int on_b, int vertex)
{
  const pd_side *side = pair->search->candidates.side;
  s->pair = pair;
  s->on_b = on_b;
  s->vertex = vertex;
  s->at = side[on_b].x[vertex];
  s->surface = &side[1 - on_b];
  s->shape = (on_b ? pair->a : pair->b)->shape;
  s->weight = pd_vertex_weight(pair, (on_b ? pair->b : pair->a)->shape, vertex);
  s->n = s->overflow = 0;
  pd_sample_begin(vertex, on_b ? -2 : -1, &s->sum);
}

/* vertices of a sub-feature of a surface; their number is the kind */
static const int *feature_vertices(const pd_shape *s, const pd_feature_weight *f)
{
  if (f->kind == PD_VERTEX) return &f->id;
  return f->kind == PD_EDGE ? s->e[f->id].v : s->t[f->id];
}

/* the two sides of a term, and the vertices of the surface's */
typedef struct term_sides {
  pd_simplex a, b;
  pd_vec3 x[3];
} term_sides;

static void set_sides(const pd_vertex_sample *s, const pd_feature_weight *f, term_sides *sides)
{
  const int *v = feature_vertices(s->shape, f);
  for (int i = 0; i < (int)f->kind; i++) sides->x[i] = s->surface->x[v[i]];
  const pd_simplex vertex = {1, &s->at}, feature = {(int)f->kind, sides->x};
  sides->a = s->on_b ? feature : vertex;
  sides->b = s->on_b ? vertex : feature;
}

/* how near the foot of the vertex on a face is to those of its edges at which the surface turns */
static pd_at_border border_of_face(const pd_vertex_sample *s, int face, const pd_vec3 *x)
{
  const double width = PD_BORDER * s->pair->law->gbar;
  const pd_vec3 e[2] = {pd_sub(x[1], x[0]), pd_sub(x[2], x[0])}, to = pd_sub(s->at, x[0]);
  const pd_vec3 n = pd_cross(e[0], e[1]);
  const double n2 = pd_norm2(n),
               c[2] = {pd_dot(pd_cross(to, e[1]), n) / n2, pd_dot(pd_cross(e[0], to), n) / n2};
  const double part[3] = {1.0 - c[0] - c[1], c[0], c[1]}; /* of the corners */
  pd_at_border b = {1.0, {0.0, 0.0}};                     /* for now: how far inside */
  for (int k = 0; k < 3; k++) {
    const pd_edge *edge = &s->shape->e[s->shape->te[face][k]];
    if (edge->nt == 2 && fabs(edge->turn) <= PD_FLAT_TURN) continue;
    const int corner = (k + 2) % 3; /* opposite */
    const double height = sqrt(n2) / edge->length;
    double slope;
    const double inside = pd_rise(part[corner] * height, 0.0, width, &slope);
    for (int j = 0; j < 2; j++) {
      const double by = corner == 0 ? -1.0 : corner == j + 1 ? 1.0 : 0.0;
      b.slope[j] = b.slope[j] * inside + b.near * slope * height * by;
    }
    b.near *= inside;
  }
  return (pd_at_border){1.0 - b.near, {-b.slope[0], -b.slope[1]}};
}

/* of a term that asks for it */
static pd_at_border border_of(const pd_vertex_sample *s, const pd_feature_weight *f,
                              const pd_vec3 *x)
{
  const pd_at_border none = {0.0, {0.0, 0.0}};
  return s->pair->em.bearing_filter && f->kind == PD_FACE ? border_of_face(s, f->id, x) : none;
}

pd_status pd_vertex_term_add(const pd_vertex_sample *s, pd_feature_weight f, pd_sample_sum *sum)
{
  const pd_evaluation *pair = s->pair;
  const pd_tangent total = pd_result_tangent(pair), *k = pair->tangent ? &total : NULL;
  term_sides sides;
  set_sides(s, &f, &sides);
  sum->at_border = border_of(s, &f, sides.x);
  return pd_term_add(pair, sides.a, sides.b, s->weight * f.w, sum, k);
}

pd_gap pd_vertex_term_gap(const pd_vertex_sample *s, pd_feature_weight f)
{
  term_sides sides;
  set_sides(s, &f, &sides);
  pd_gap g = pd_gap_solve(sides.a.n, sides.a.x, sides.b.n, sides.b.x, s->pair->r);
  g.gap = g.d - s->pair->rounds;
  return g;
}

/* evaluates the terms counted so far */
static pd_status flush(pd_vertex_sample *s)
{
  for (int i = 0; i < s->n; i++) {
    if (s->count[i].w == 0.0) continue;
    const pd_status status = pd_vertex_term_add(s, s->count[i], &s->sum);
    if (status) return status;
  }
  s->n = 0;
  return PD_OK;
}

/* returns 0 if there is no room */
static int add_weight(pd_vertex_sample *s, pd_feature_weight f)
{
  for (int i = s->n - 1; i >= 0; i--)
    if (s->count[i].id == f.id && s->count[i].kind == f.kind) {
      s->count[i].w += f.w;
      s->count[i].met += f.met;
      return 1;
    }
  if (s->n == PD_FEATURES_MAX) return 0;
  s->count[s->n++] = f;
  return 1;
}

static pd_status count_feature(pd_vertex_sample *s, pd_feature_weight f)
{
  if (f.w == 0.0 || add_weight(s, f)) return PD_OK;
  const pd_status status = flush(s);
  s->overflow = 1;
  if (!status) add_weight(s, f);
  return status;
}

pd_status pd_count_met(pd_vertex_sample *s, pd_feature_kind kind, int id)
{
  const pd_feature_weight f = {kind, id, 1.0, 1};
  return count_feature(s, f);
}

pd_status pd_count_correction(pd_vertex_sample *s, pd_feature_kind kind, int id, double w)
{
  const pd_feature_weight f = {kind, id, w, 0};
  return count_feature(s, f);
}

int pd_reaches_vertex(const pd_vertex_sample *s, int id)
{
  return pd_norm2(pd_sub(s->at, s->surface->x[id])) < s->pair->reach2;
}

pd_status pd_vertex_sample_end(pd_vertex_sample *s)
{
  const pd_evaluation *pair = s->pair;
  pd_status status = flush(s);
  if (!status && pair->memory && s->sum.active) {
    pd_grad dn;
    pd_friction_point at = pd_vertex_friction_point(pair, s->vertex, s->on_b, s->at,
                                                    pd_sample_direction(pair, &s->sum, &dn));
    status = pd_sample_friction(pair, &at, &s->sum);
  }
  return status ? status : pd_sample_finish(pair, &s->sum, s->on_b, s->vertex, -1);
}
