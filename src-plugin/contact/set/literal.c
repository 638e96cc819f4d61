/* SPDX-License-Identifier: MIT
 * The paper's set, eq. (37), vertex against surface: every sub-feature over whose interior the
 * vertex is counts once; and the hierarchy rules of the paper's sixth example (doc/theory.md, 7.5).
 */
#include "contact/set/vertex_sample.h"
#include "geometry/distance.h"

/* a vertex against the surface of the other body */
typedef struct view {
  pd_vec3 at;
  const pd_side *surface;
  const pd_shape *shape;
  double reach2;
} view;

static view view_of(const pd_evaluation *pair, int on_b, int vertex)
{
  const pd_side *side = pair->search->candidates.side;
  const view v = {side[on_b].x[vertex], &side[1 - on_b], (on_b ? pair->a : pair->b)->shape,
                  pair->reach2};
  return v;
}

static int over_triangle(const view *v, int id)
{
  const pd_vec3 *x = v->surface->x;
  const int *t = v->shape->t[id];
  double d2;
  const int k = pd_point_triangle(v->at, x[t[0]], x[t[1]], x[t[2]], &d2);
  return d2 < v->reach2 && k == PD_TRI_FACE;
}

static int over_edge(const view *v, int id)
{
  const pd_vec3 *x = v->surface->x;
  const int *end = v->shape->e[id].v;
  double d2;
  const int k = pd_point_segment(v->at, x[end[0]], x[end[1]], &d2);
  return d2 < v->reach2 && k == PD_INSIDE;
}

/* Hierarchy: an edge yields to its two faces if the vertex is in contact with both. */
static int yields_to_faces(const view *v, pd_contact_set set, int id)
{
  const pd_side *surface = v->surface;
  const pd_edge *e = &v->shape->e[id];
  int n = 0;
  if (set != PD_SET_HIERARCHY || e->nt != 2) return 0;
  for (int i = 0; i < surface->nt; i++)
    if (surface->t[i] == e->t[0] || surface->t[i] == e->t[1]) n += over_triangle(v, surface->t[i]);
  return n == 2;
}

/* whether the vertex is in contact with a face or an edge that the other vertex belongs to */
static int meets_neighbours(const view *v, int other)
{
  const pd_side *surface = v->surface;
  for (int i = 0; i < surface->nt; i++) {
    const int *t = v->shape->t[surface->t[i]];
    const int of = t[0] == other || t[1] == other || t[2] == other;
    if (of && over_triangle(v, surface->t[i])) return 1;
  }
  for (int i = 0; i < surface->ne; i++) {
    const int *end = v->shape->e[surface->e[i]].v;
    if ((end[0] == other || end[1] == other) && over_edge(v, surface->e[i])) return 1;
  }
  return 0;
}

/* Hierarchy: a pair of vertices yields to the faces and edges of either. */
static int yields_to_neighbours(const pd_evaluation *pair, int a, int b)
{
  if (pair->set != PD_SET_HIERARCHY) return 0;
  const view of_a = view_of(pair, 0, a), of_b = view_of(pair, 1, b);
  return meets_neighbours(&of_a, b) || meets_neighbours(&of_b, a);
}

pd_status pd_count_literal(pd_vertex_sample *s)
{
  const pd_evaluation *pair = s->pair;
  const view v = view_of(pair, s->on_b, s->vertex);
  const pd_side *surface = s->surface;
  pd_status status = PD_OK;
  for (int i = 0; i < surface->nt && !status; i++)
    if (over_triangle(&v, surface->t[i])) status = pd_count_met(s, PD_FACE, surface->t[i]);
  for (int i = 0; i < surface->ne && !status; i++)
    if (over_edge(&v, surface->e[i]) && !yields_to_faces(&v, pair->set, surface->e[i]))
      status = pd_count_met(s, PD_EDGE, surface->e[i]);
  for (int i = 0; !s->on_b && i < surface->nv && !status; i++)
    if (pd_reaches_vertex(s, surface->v[i]) &&
        !yields_to_neighbours(pair, s->vertex, surface->v[i]))
      status = pd_count_met(s, PD_VERTEX, surface->v[i]);
  return status;
}
