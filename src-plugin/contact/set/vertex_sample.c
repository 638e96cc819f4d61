/* SPDX-License-Identifier: MIT
 * A vertex sampled against a surface: sums of integer weights, then the terms. */
#include "contact/set/vertex_sample.h"

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
  s->n = 0;
  pd_sample_begin(pair, vertex, on_b ? -2 : -1, &s->sum);
}

/* vertices of a sub-feature of a surface; their number is the kind */
static const int *feature_vertices(const pd_shape *s, const pd_feature_weight *f)
{
  if (f->kind == PD_VERTEX) return &f->id;
  return f->kind == PD_EDGE ? s->e[f->id].v : s->t[f->id];
}

/* one term: the vertex against a sub-feature of the surface */
static pd_status add_term(pd_vertex_sample *s, pd_feature_weight f)
{
  const pd_evaluation *pair = s->pair;
  pd_vec3 x[3];
  const int *v = feature_vertices(s->shape, &f);
  for (int i = 0; i < (int)f.kind; i++) x[i] = s->surface->x[v[i]];
  const pd_simplex vertex = {1, &s->at}, feature = {(int)f.kind, x};
  const pd_tangent total = pd_response_tangent(pair), *k = pair->tangent ? &total : NULL;
  const double w = s->weight * f.w;
  return s->on_b ? pd_term_add(pair, feature, vertex, w, &s->sum, k)
                 : pd_term_add(pair, vertex, feature, w, &s->sum, k);
}

/* evaluates the terms counted so far */
static pd_status flush(pd_vertex_sample *s)
{
  for (int i = 0; i < s->n; i++) {
    if (s->count[i].w == 0.0) continue;
    const pd_status status = add_term(s, s->count[i]);
    if (status) return status;
  }
  s->n = 0;
  return PD_OK;
}

/* returns 0 if there is no room */
static int add_weight(pd_vertex_sample *s, pd_feature_kind kind, int id, double w)
{
  for (int i = s->n - 1; i >= 0; i--)
    if (s->count[i].id == id && s->count[i].kind == kind) {
      s->count[i].w += w;
      return 1;
    }
  if (s->n == PD_FEATURES_MAX) return 0;
  const pd_feature_weight first = {kind, id, w};
  s->count[s->n++] = first;
  return 1;
}

pd_status pd_count_feature(pd_vertex_sample *s, pd_feature_kind kind, int id, double w)
{
  if (w == 0.0 || add_weight(s, kind, id, w)) return PD_OK;
  const pd_status status = flush(s);
  if (!status) add_weight(s, kind, id, w);
  return status;
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
    const pd_friction_point at = pd_vertex_friction_point(pair, s->vertex, s->on_b, s->at,
                                                          pd_sample_direction(pair, &s->sum, &dn));
    status = pd_sample_friction(pair, &at, &s->sum);
  }
  return status ? status : pd_sample_finish(pair, &s->sum, s->on_b, s->vertex, -1);
}
