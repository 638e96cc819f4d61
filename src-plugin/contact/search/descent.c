/* SPDX-License-Identifier: MIT */
#include "contact/search/descent.h"

void pd_descent_begin(pd_descent *q, const pd_pair_geometry *pair)
{
  const pd_pose *a = pair->a, *b = pair->b;
  const pd_vec3 r = pd_mtv(a->rot, pd_centre_to_centre(pair));
  q->a = a->shape;
  q->b = b->shape;
  q->place = pd_bvh_place(r, pd_m_mul(pd_m_transpose(a->rot), b->rot));
  pd_descent_look_along(q, pd_norm2(r) > 0.0 ? pd_unit(r) : pd_v(1.0, 0.0, 0.0));
}

void pd_descent_look_along(pd_descent *q, pd_vec3 axis)
{
  q->axis = axis;
  q->back = pd_mtv(q->place.rot, axis);
  q->offset = pd_dot(axis, q->place.r);
}

/* ---- leaves ---- */

static void owned_vertices(pd_descent *q, int on_b, int owner, int t)
{
  const pd_shape *own = on_b ? q->b : q->a;
  for (int i = own->first_vertex[owner]; i < own->first_vertex[owner + 1]; i++)
    q->vertex(q, on_b, own->own_vertex[i], t);
}

static void owned_edges(pd_descent *q, int s, int t)
{
  const pd_shape *a = q->a, *b = q->b;
  for (int i = a->first_edge[s]; i < a->first_edge[s + 1]; i++) {
    const pd_edge *e = &a->e[a->own_edge[i]];
    if (!e->sharp) continue;
    for (int j = b->first_edge[t]; j < b->first_edge[t + 1]; j++) {
      const pd_edge *f = &b->e[b->own_edge[j]];
      if (f->sharp) q->edges(q, e, f);
    }
  }
}

void pd_descent_visit(pd_descent *q, int s, int t)
{
  q->at[0] = s;
  q->at[1] = t;
  owned_vertices(q, 0, s, t);
  owned_vertices(q, 1, t, s);
  owned_edges(q, s, t);
}

static double lowest_of(const pd_shape *s, const int *t, pd_vec3 n)
{
  const double x = pd_dot(n, s->v[t[0]]), y = pd_dot(n, s->v[t[1]]), z = pd_dot(n, s->v[t[2]]);
  const double low = x < y ? x : y;
  return z < low ? z : low;
}

/* gap between two triangles along the axis */
static double gap_of_triangles(const pd_descent *q, int s, int t)
{
  return lowest_of(q->b, q->b->t[t], q->back) + q->offset +
         lowest_of(q->a, q->a->t[s], pd_neg(q->axis));
}

static pd_box_pair box_pair(pd_box a, pd_box b)
{
  const pd_box_pair p = {pd_scale(0.5, pd_add(a.lo, a.hi)), pd_scale(0.5, pd_add(b.lo, b.hi)),
                         pd_scale(0.5, pd_sub(a.hi, a.lo)), pd_scale(0.5, pd_sub(b.hi, b.lo))};
  return p;
}

/* gap between two nodes */
static double gap_of_nodes(const pd_descent *q, int a, int b)
{
  return sqrt(pd_fit_gap2(&q->place, &q->a->tree.fit[a], &q->b->tree.fit[b]));
}

/* and as seen along the axis */
static double gap_along_axis(const pd_descent *q, int a, int b)
{
  const pd_oriented_box *u = &q->a->tree.fit[a], *v = &q->b->tree.fit[b];
  return q->offset + pd_dot(q->back, v->centre) - pd_dot(q->axis, u->centre) -
         pd_fit_reach(q->axis, u) - pd_fit_reach(q->back, v);
}

static double bound_along(const pd_descent *q, const pd_box_pair *boxes, double along)
{
  return q->bound_along ? q->bound_along(q, boxes, along) : along;
}

static double bound_by_gap(const pd_descent *q, const pd_box_pair *boxes, double gap)
{
  return q->bound_by_gap ? q->bound_by_gap(q, boxes, gap) : gap;
}

/* ---- descent ---- */

typedef struct waiting {
  int a, b;     /* nodes */
  double bound; /* at least the one by their gap, where it is below the limit */
  double by_gap;
} waiting;

/* The gap costs more than what is seen along the axis: only where that does not settle it. */
static waiting wait_at(const pd_descent *q, int a, int b)
{
  const pd_box_pair boxes = box_pair(q->a->tree.node[a].box, q->b->tree.node[b].box);
  waiting w = {a, b, bound_along(q, &boxes, gap_along_axis(q, a, b)), 0.0};
  if (w.bound >= q->limit) return w;
  w.by_gap = bound_by_gap(q, &boxes, gap_of_nodes(q, a, b));
  if (w.by_gap > w.bound) w.bound = w.by_gap;
  return w;
}

/* Whether what waits cannot matter any more, as seen along the present axis, too. */
static int is_settled(const pd_descent *q, const waiting *w)
{
  return w->bound >= q->limit || (!q->bound_along && gap_along_axis(q, w->a, w->b) >= q->limit);
}

static void visit_leaves(pd_descent *q, const waiting *w)
{
  const pd_bvh_node *u = &q->a->tree.node[w->a], *v = &q->b->tree.node[w->b];
  const pd_box_pair boxes = box_pair(u->box, v->box);
  for (int i = 0; i < u->count; i++)
    for (int j = 0; j < v->count; j++) {
      const int s = q->a->tree.item[u->first + i], t = q->b->tree.item[v->first + j];
      if (w->by_gap >= q->limit) return;
      if (bound_along(q, &boxes, gap_of_triangles(q, s, t)) >= q->limit) continue;
      pd_descent_visit(q, s, t);
    }
}

/* the children of the larger node that is not a leaf, with the other one */
static void open_node(const pd_descent *q, const waiting *w, waiting *child)
{
  const pd_bvh_node *u = &q->a->tree.node[w->a], *v = &q->b->tree.node[w->b];
  const int first = pd_bvh_opens_a(u->box, u->count > 0, v->box, v->count > 0);
  child[0] = first ? wait_at(q, w->a + 1, w->b) : wait_at(q, w->a, w->b + 1);
  child[1] = first ? wait_at(q, u->first, w->b) : wait_at(q, w->a, v->first);
}

void pd_descend(pd_descent *q)
{
  waiting stack[PD_BVH_WAITING];
  int depth = 0;
  if (q->a->tree.nnodes == 0 || q->b->tree.nnodes == 0) return;
  stack[depth++] = wait_at(q, 0, 0);
  while (depth > 0) {
    const waiting w = stack[--depth];
    const pd_bvh_node *u = &q->a->tree.node[w.a], *v = &q->b->tree.node[w.b];
    if (is_settled(q, &w)) continue;
    if (u->count && v->count) {
      visit_leaves(q, &w);
      continue;
    }
    waiting child[2];
    open_node(q, &w, child);
    const int nearer = child[1].bound < child[0].bound;
    stack[depth++] = child[!nearer];
    stack[depth++] = child[nearer];
  }
}
