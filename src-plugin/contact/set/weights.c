/* SPDX-License-Identifier: MIT
 * Weights of the continuous set, vertex against surface (doc/theory.md, 7.2): every closed triangle
 * counts 1, every edge c_e = 1 - n_T(e), every vertex c_v = 1 - n_T(v) - sum c_e, each for the
 * sub-feature of it that is closest. What is left of the sums is one term over a face, an edge or a
 * corner: inclusion-exclusion. */
#include "contact/search/boxes.h"
#include "contact/set/vertex_sample.h"
#include "geometry/distance.h"

static pd_status count_triangle(pd_vertex_sample *s, int id)
{
  const pd_vec3 *x = s->surface->x;
  const int *t = s->shape->t[id];
  double d2;
  const int k = pd_point_triangle(s->at, x[t[0]], x[t[1]], x[t[2]], &d2);
  if (d2 >= s->pair->reach2) return PD_OK;
  if (k == PD_TRI_FACE) return pd_count_met(s, PD_FACE, id);
  if (k >= PD_TRI_EDGE) return pd_count_met(s, PD_EDGE, s->shape->te[id][k - PD_TRI_EDGE]);
  return pd_count_met(s, PD_VERTEX, t[k]);
}

static pd_status count_edge(pd_vertex_sample *s, int id)
{
  const pd_vec3 *x = s->surface->x;
  const pd_edge *e = &s->shape->e[id];
  double d2;
  const int k = pd_point_segment(s->at, x[e->v[0]], x[e->v[1]], &d2);
  if (d2 >= s->pair->reach2) return PD_OK;
  return k == PD_INSIDE ? pd_count_correction(s, PD_EDGE, id, e->weight)
                        : pd_count_correction(s, PD_VERTEX, e->v[k], e->weight);
}

/* the vertex pairs (a, b) are in U_a(B) and in U_b(A): they are taken off once, at B's sample, as
 * much of them as both have */
static pd_status take_off_vertices(pd_vertex_sample *s)
{
  const pd_side *surface = s->surface;
  pd_status status = PD_OK;
  for (int i = 0; i < surface->nv && !status; i++) {
    const int id = surface->v[i];
    if (s->shape->sample[id] && pd_reaches_vertex(s, id))
      status = pd_count_correction(s, PD_VERTEX, id, -pd_vertex_weight(s->pair, s->shape, id));
  }
  return status;
}

/* from all candidates */
pd_status pd_count_surface(pd_vertex_sample *s)
{
  const pd_side *surface = s->surface;
  const double reach2 = s->pair->reach2;
  pd_status status = PD_OK;
  for (int i = 0; i < surface->nt && !status; i++)
    if (pd_point_box2(s->at, surface->tbox[i]) < reach2) status = count_triangle(s, surface->t[i]);
  for (int i = 0; i < surface->ne && !status; i++)
    if (s->shape->e[surface->e[i]].weight != 0 && pd_point_box2(s->at, surface->ebox[i]) < reach2)
      status = count_edge(s, surface->e[i]);
  for (int i = 0; i < surface->nv && !status; i++) {
    const int id = surface->v[i];
    if (s->shape->vweight[id] && pd_reaches_vertex(s, id))
      status = pd_count_correction(s, PD_VERTEX, id, s->shape->vweight[id]);
  }
  return status || !s->on_b ? status : take_off_vertices(s);
}

/* The same from the n near pairs of the vertex. A vertex of the surface counts with its weight and,
 * where it is to be taken off, once more: after all weights as above. */
pd_status pd_count_listed(pd_vertex_sample *s, const pd_near_item *item, int n)
{
  pd_status status = PD_OK;
  int i = 0;
  for (; i < n && item[i].kind == PD_NEAR_TRIANGLE && !status; i++)
    status = count_triangle(s, (int)item[i].q);
  for (; i < n && item[i].kind == PD_NEAR_EDGE && !status; i++)
    status = count_edge(s, (int)item[i].q);
  for (int taken_off = 0; taken_off <= s->on_b; taken_off++)
    for (int k = i; k < n && !status; k++) {
      const int id = (int)item[k].q;
      const double w = taken_off ? -pd_vertex_weight(s->pair, s->shape, id) : s->shape->vweight[id];
      if (w != 0.0 && pd_reaches_vertex(s, id)) status = pd_count_correction(s, PD_VERTEX, id, w);
    }
  return status;
}
