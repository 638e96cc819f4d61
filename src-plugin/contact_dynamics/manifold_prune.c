/* SPDX-License-Identifier: MIT */
#include "contact_dynamics/manifold.h"
#include "contact_dynamics/manifold_internal.h"

/* A corner lies in the plane of a face that is nearer than this part of the reach; cosine of the
 * turn (15 degrees) from which on another normal is not of the same side of a body. */
static const double FLUSH = 0.01, SAME_SIDE = 0.966;

/* how far two convex bodies are apart along n */
static double separation(const pd_pose *a, const pd_pose *b, pd_vec3 r, pd_vec3 n)
{
  double lo = DBL_MAX, hi = -DBL_MAX;
  for (int i = 0; i < a->shape->nv; i++) lo = fmin(lo, pd_dot(n, pd_pose_lever(a, i)));
  for (int i = 0; i < b->shape->nv; i++) hi = fmax(hi, pd_dot(n, pd_pose_lever(b, i)));
  return lo - hi - pd_dot(n, r);
}

/* Whether a point is among the n kept so far: by its features, or by its place and normal, for a
 * vertex that slides over the edge between two triangles of a face has been over both. */
static int seen_before(const pd_cd_point *p, int n, const pd_cd_point *o, double border)
{
  for (int k = 0; k < n; k++) {
    if (p[k].sample[0] == o->sample[0] && p[k].sample[1] == o->sample[1]) return 1;
    const int same_way = pd_dot(p[k].n, o->n) > 1.0 - PD_CD_SAME;
    if (same_way && pd_norm(pd_sub(p[k].ra, o->ra)) <= 10.0 * border) return 1;
  }
  return 0;
}

/* two bodies in their places */
typedef struct pair {
  const pd_pose *pose[2];
  pd_vec3 centre[2];
  double reach, border;
} pair;

static pd_vec3 place(const pair *q, int side, int v)
{
  return pd_add(q->centre[side], pd_pose_lever(q->pose[side], v));
}

static int leads_along(const pair *q, int side, int v, pd_vec3 n)
{
  const pd_shape *s = q->pose[side]->shape;
  const pd_vec3 d = pd_mtv(q->pose[side]->rot, n);
  for (int i = 0; i < s->ne; i++)
    if (!pd_cd_leads_away(s, &s->e[i], v, d, q->reach)) return 0;
  return 1;
}

/* from the other side of the point to this one */
static pd_vec3 normal_to(const pd_cd_point *o, int side) { return side ? pd_neg(o->n) : o->n; }

/* outward normal of triangle t on the side that faces: 1, or -1 for the back of an open surface */
static pd_vec3 face_normal(const pd_pose *p, int t, double facing)
{
  return pd_scale(facing, pd_mv(p->rot, p->shape->tn[t]));
}

/* which side of a surface looks along n by its normal m; a body has one alone */
static double facing(const pd_pose *p, pd_vec3 m, pd_vec3 n)
{
  return p->shape->closed || pd_dot(pd_mv(p->rot, m), n) > 0.0 ? 1.0 : -1.0;
}

/* Whether vertex v of one side, with all that is behind it, lies in the plane of triangle t of the
 * other one, of normal n, which is another side of that body than the point's and nearer. */
static int flush(const pair *q, int side, int v, int t, pd_vec3 n, const pd_cd_point *o)
{
  const pd_pose *p = q->pose[1 - side];
  const double limit = fmax(fabs(o->gap), q->border);
  if (pd_dot(n, normal_to(o, side)) > SAME_SIDE) return 0;
  const double h = pd_dot(n, pd_sub(place(q, side, v), place(q, 1 - side, p->shape->t[t][0])));
  return fabs(h) < fmin(FLUSH * q->reach, limit) && leads_along(q, side, v, n);
}

/* Which side of triangle u, that lies behind t over an edge, is outside: over edges of two
 * triangles the side goes on, over others it is that which looks away from t. */
static double facing_beyond(const pd_shape *s, const pd_edge *e, int t, int u, double facing)
{
  if (e->nt == 2) return facing;
  return pd_cd_height_over(s, e, u, t) < 0.0 ? 1.0 : -1.0;
}

/* Whether vertex v over triangle t lies in the plane of a face beyond a convex edge of it. */
static int vertex_passes(const pair *q, int side, int v, int t, const pd_cd_point *o)
{
  const pd_pose *p = q->pose[1 - side];
  const pd_shape *s = p->shape;
  const double seen = facing(p, s->tn[t], normal_to(o, side));
  for (int k = 0; k < 3; k++) {
    const pd_edge *e = &s->e[s->te[t][k]];
    for (int i = 0; i < e->nt; i++) {
      const int u = s->fan[e->first + i];
      if (u == t || !(seen * pd_cd_height_over(s, e, t, u) < 0.0)) continue;
      const pd_vec3 n = face_normal(p, u, facing_beyond(s, e, t, u, seen));
      if (flush(q, side, v, u, n, o)) return 1;
    }
  }
  return 0;
}

static int end_is_flush(const pair *q, int side, const pd_edge *e, int t, pd_vec3 n,
                        const pd_cd_point *o)
{
  return flush(q, side, e->v[0], t, n, o) || flush(q, side, e->v[1], t, n, o);
}

/* Whether an end of a side's edge lies in the plane of a face at the edge that it crosses. The
 * border of a surface has both sides of it about. */
static int edge_passes(const pair *q, int side, const pd_cd_point *o)
{
  const pd_edge *e = &q->pose[side]->shape->e[o->sample[side]];
  const pd_pose *p = q->pose[1 - side];
  const pd_edge *g = &p->shape->e[o->sample[1 - side]];
  const int *t = &p->shape->fan[g->first], border = g->nt != 2;
  const pd_vec3 mean = pd_add(p->shape->tn[t[0]], p->shape->tn[t[border ? 0 : 1]]);
  const double seen = facing(p, mean, normal_to(o, side));
  for (int i = 0; i < g->nt; i++) {
    const pd_vec3 n = face_normal(p, t[i], seen);
    if (end_is_flush(q, side, e, t[i], n, o)) return 1;
    if (border && end_is_flush(q, side, e, t[i], pd_neg(n), o)) return 1;
  }
  return 0;
}

/* Whether a corner at this point touches another face, from which it passes over the edge. Where
 * two bodies are as high as each other, the one that slides from this to that touches the side of
 * that with its lower corner, but does not run against it. */
static int passes(const pair *q, const pd_cd_point *o)
{
  if (o->sample[1] < 0) return vertex_passes(q, 0, o->sample[0], -1 - o->sample[1], o);
  if (o->sample[0] < 0) return vertex_passes(q, 1, o->sample[1], -1 - o->sample[0], o);
  if (o->gap < -2.0 * FLUSH * q->reach) return 0; /* it has run against it */
  return edge_passes(q, 0, o) || edge_passes(q, 1, o);
}

void pd_cd_manifold_prune(const pd_pose *a, const pd_pose *b, pd_vec3 r, double reach,
                          pd_cd_point_list *list, int first)
{
  pd_cd_point *p = list->p;
  const double border = PD_CD_BORDER * fmin(a->shape->radius, b->shape->radius);
  const pair q = {{a, b}, {pd_v(0.0, 0.0, 0.0), r}, reach, border};
  double apart = -DBL_MAX, deepest = 0.0;
  for (int i = first; i < list->n; i++) deepest = fmin(deepest, p[i].gap);
  const int exact = deepest < -border && pd_cd_is_convex(a->shape) && pd_cd_is_convex(b->shape);
  for (int i = first; exact && i < list->n; i++) apart = fmax(apart, separation(a, b, r, p[i].n));
  const double limit = exact ? 2.0 * fmin(apart, 0.0) - border : -DBL_MAX;
  int n = first;
  for (int i = first; i < list->n; i++)
    if (p[i].gap >= limit && !seen_before(p + first, n - first, &p[i], border) &&
        !passes(&q, &p[i]))
      p[n++] = p[i];
  list->n = n;
}
