/* SPDX-License-Identifier: MIT */
#include "contact_dynamics/manifold.h"

#include "base/array.h"
#include "base/memory.h"
#include "contact/pair_work_internal.h"
#include "contact_dynamics/manifold_internal.h"
#include "contact_dynamics/manifold_side.h"

static const double PARALLEL = 1e-3; /* sine of the angle of edges that do not cross */
/* Of the smaller body's radius: how deep vertices are looked for in a valley, and how far beyond
 * the border of its sides, more than turning makes of gaps at the end of a step, and less than what
 * is thin; how deep a crossing may be at an end that no face can part. */
static const double VALLEY = 1e-3, END = 1e-2;
static const double GOES_ON = 0.1; /* cosine of that between an edge and one that goes on from it */

/* room of a list at first: a face on a face */
enum { FIRST = 16 };

typedef struct manifold {
  const pd_pose *pose[2];
  const pd_side *side[2];
  const pd_pair_geometry *start;
  pd_vec3 r;
  double reach, border;
  double size; /* the smaller radius */
  pd_cd_point_list *list;
  int first;  /* in the list, of this pair */
  int convex; /* both bodies: what does not count is then found by pruning */
} manifold;

void pd_cd_points_free(pd_cd_point_list *list)
{
  pd_free(list->p);
  list->p = NULL;
  list->n = list->cap = 0;
}

static pd_status append(pd_cd_point_list *list, pd_cd_point p)
{
  const pd_status status = PD_ARRAY_RESERVE(list->p, list->cap, list->n + 1, FIRST);
  if (status) return status;
  list->p[list->n++] = p;
  return PD_OK;
}

/* one point where the bodies meet counts once, whatever features show it */
static int known(const manifold *m, pd_vec3 n, pd_vec3 at)
{
  for (int i = m->first; i < m->list->n; i++) {
    const pd_cd_point *p = &m->list->p[i];
    if (pd_dot(p->n, n) > 1.0 - PD_CD_SAME && pd_norm(pd_sub(p->ra, at)) <= 10.0 * m->border)
      return 1;
  }
  return 0;
}

static pd_status add(manifold *m, pd_vec3 n, pd_vec3 at, double gap, int s0, int s1)
{
  if (known(m, n, at)) return PD_OK;
  const pd_cd_point p = {n, at, pd_sub(at, m->r), gap, {s0, s1}};
  return append(m->list, p);
}

static const pd_vec3 *corner(const manifold *m, int side, int t, int k)
{
  return &m->side[side]->x[m->pose[side]->shape->t[t][k]];
}

static pd_vec3 face_normal(const manifold *m, int side, int t)
{
  return pd_mv(m->pose[side]->rot, m->pose[side]->shape->tn[t]);
}

/* place of any vertex of a side, in the common region or not */
static pd_vec3 place(const manifold *m, int side, int v)
{
  const pd_vec3 lever = pd_pose_lever(m->pose[side], v);
  return side ? pd_add(m->r, lever) : lever;
}

/* how far p is from edge k of the triangle, < 0 beyond it */
static double within(const manifold *m, int side, int t, int k, pd_vec3 n, pd_vec3 p)
{
  const int *v = m->pose[side]->shape->t[t];
  const pd_vec3 c = place(m, side, v[k]), u = pd_sub(place(m, side, v[(k + 1) % 3]), c);
  return pd_dot(pd_cross(n, u), pd_sub(p, c)) / pd_norm(u);
}

/* Whether all edges of a body at its vertex v lead away along n: only then n can part it there. */
static int leads(const manifold *m, int side, int v, pd_vec3 n)
{
  const pd_side *s = m->side[side];
  const pd_shape *shape = m->pose[side]->shape;
  const pd_vec3 d = pd_mtv(m->pose[side]->rot, n);
  for (int i = 0; i < s->ne; i++)
    if (!pd_cd_leads_away(shape, &shape->e[s->e[i]], v, d, m->reach)) return 0;
  return 1;
}

/* a face on the side of it that the vertex is on */
typedef struct face {
  int t;
  pd_vec3 n;
  double h; /* of the vertex over it */
} face;

/* Whether the vertex is beside triangle t over or under triangle u, but for their common edge. */
static int beside(const manifold *m, const pd_cd_before *o, int edge, int u)
{
  const int other = 1 - o->side;
  const pd_shape *s = m->pose[other]->shape;
  const pd_vec3 n = face_normal(m, other, u), x = m->side[o->side]->x[o->v];
  for (int k = 0; k < 3; k++)
    if (s->te[u][k] != edge && within(m, other, u, k, n, x) < -m->border) return 0;
  return 1;
}

/* Whether the vertex is between the ends of an edge. */
static int along(const manifold *m, const pd_cd_before *o, const pd_edge *e)
{
  const pd_vec3 p = place(m, 1 - o->side, e->v[0]), q = place(m, 1 - o->side, e->v[1]);
  const double at = pd_dot(pd_sub(m->side[o->side]->x[o->v], p), pd_sub(q, p)) / e->length;
  return at >= -VALLEY * m->size && at <= e->length + VALLEY * m->size;
}

/* Whether edge k of triangle t is a valley on the side that faces the vertex, and the vertex in
 * what rises there. It overlaps both, and so is beyond the border of each by what it overlaps the
 * other. Deeper it would be on the other side of what is thin. */
static int overlaps_valley(const manifold *m, const pd_cd_before *o, int t, int k, double facing)
{
  const int other = 1 - o->side;
  const pd_shape *s = m->pose[other]->shape;
  const int edge = s->te[t][k];
  const pd_edge *e = &s->e[edge];
  for (int i = 0; i < e->nt; i++) {
    const int u = s->fan[e->first + i];
    if (u == t || !(facing * pd_cd_height_over(s, e, t, u) > m->border)) continue;
    const pd_vec3 up = pd_sub(m->side[o->side]->x[o->v], place(m, other, s->t[u][0]));
    const double side = pd_cd_height_over(s, e, u, t) > 0.0 ? 1.0 : -1.0;
    const double h = side * pd_dot(face_normal(m, other, u), up);
    if (h <= m->border && h >= -VALLEY * m->size && along(m, o, e) && beside(m, o, edge, u))
      return 1;
  }
  return 0;
}

/* Whether the vertex lies over triangle t, its border inclusive, or overlaps a valley at its
 * border, and near it. */
static int near_face(const manifold *m, pd_cd_before *o, int t, face *f)
{
  const int other = 1 - o->side;
  const pd_vec3 n = face_normal(m, other, t), x = m->side[o->side]->x[o->v];
  const double h = pd_dot(n, pd_sub(x, *corner(m, other, t, 0)));
  double d[3];
  if (!(fabs(h) <= m->reach)) return 0;
  for (int k = 0; k < 3; k++) /* before the side is asked for, which is dear */
    if ((d[k] = within(m, other, t, k, n, x)) < -VALLEY * m->size) return 0;
  const double facing = m->pose[other]->shape->closed ? 1.0 : pd_cd_facing(o, t);
  for (int k = 0; k < 3; k++)
    if (d[k] < -m->border && !(facing * h <= m->border && overlaps_valley(m, o, t, k, facing)))
      return 0;
  f->t = t;
  f->n = pd_scale(facing, n);
  f->h = facing * h;
  return 1;
}

/* Whether face f lies behind the plane of face g, of the same body. */
static int behind(const manifold *m, int side, const face *f, const face *g)
{
  const pd_vec3 p = *corner(m, side, g->t, 0);
  for (int k = 0; k < 3; k++)
    if (pd_dot(g->n, pd_sub(*corner(m, side, f->t, k), p)) > m->border) return 0;
  return 1;
}

/* In a convex place a vertex inside has come through the face it is nearest to, of those that can
 * part it: the others, which it seems to have gone through deeper, do not count. */
static int outdone(const manifold *m, pd_cd_before *v, const face *f)
{
  const int other = 1 - v->side;
  const pd_side *o = m->side[other];
  face g;
  if (f->h >= 0.0 || m->convex) return 0;
  for (int i = 0; i < o->nt; i++) {
    if (o->t[i] == f->t || !near_face(m, v, o->t[i], &g) || !(g.h > f->h + m->border)) continue;
    if (behind(m, other, f, &g) && behind(m, other, &g, f) && leads(m, v->side, v->v, g.n))
      return 1;
  }
  return 0;
}

static pd_status vertex(manifold *m, int side, int v)
{
  const pd_side *o = m->side[1 - side];
  pd_cd_before before = {m->start, side, v, -1, 1.0};
  for (int i = 0; i < o->nt; i++) {
    face f;
    if (!near_face(m, &before, o->t[i], &f) || !leads(m, side, v, f.n) || outdone(m, &before, &f))
      continue;
    const pd_vec3 at = pd_axpy(m->side[side]->x[v], -0.5 * f.h, f.n);
    const pd_status status =
        side ? add(m, pd_neg(f.n), at, f.h, -1 - f.t, v) : add(m, f.n, at, f.h, v, -1 - f.t);
    if (status) return status;
  }
  return PD_OK;
}

/* Turn of an edge between two faces as it is seen from where n leads: > 0 if it stands out there. A
 * body has its edges on the outside alone. */
static double turn_seen(const pd_shape *s, const pd_edge *e, pd_vec3 n)
{
  const double facing = pd_dot(n, pd_add(s->tn[e->t[0]], s->tn[e->t[1]]));
  if (s->closed) return facing > 0.0 ? e->turn : 0.0;
  return facing > 0.0 ? e->turn : -e->turn;
}

/* Whether n leads out of the wedge of a convex edge: no face rises along it. By half of its turn
 * the edge may lean, lest n lead out of both sides of it. */
static int leads_out(const manifold *m, int side, int edge, pd_vec3 n)
{
  const pd_pose *pose = m->pose[side];
  const pd_shape *s = pose->shape;
  const pd_edge *e = &s->e[edge];
  const pd_vec3 d = pd_mtv(pose->rot, n), p = s->v[e->v[0]];
  const pd_vec3 u = pd_scale(1.0 / e->length, pd_sub(s->v[e->v[1]], p));
  const double turn = e->nt == 2 ? turn_seen(s, e, d) : PD_PI;
  if (!(turn > 0.0)) return 0;
  for (int k = 0; k < e->nt && k < 2; k++) {
    const int *t = s->t[e->t[k]];
    const int third = t[0] + t[1] + t[2] - e->v[0] - e->v[1];
    pd_vec3 w = pd_sub(s->v[third], p);
    w = pd_axpy(w, -pd_dot(w, u), u);
    const double l = pd_norm(w);
    if (pd_dot(d, w) > fmin(pd_cd_lean(m->reach, l), sin(0.5 * turn)) * l) return 0;
  }
  return 1;
}

/* Within this distance of the end of an edge a crossing may be one with the valley in which the
 * edge ends. Sides at 60 degrees that are both overlapped by d are crossed 1.7 d beyond their
 * common end.
 */
static double valley_width(const manifold *m, double gap)
{
  return m->border + 2.0 * fmax(0.0, -gap);
}

/* an edge of one side that an edge of the other one crosses */
typedef struct crossed {
  int side, edge;
  double at;     /* part of the edge */
  pd_vec3 n;     /* from this side to the other one */
  pd_vec3 along; /* unit vector of the other edge */
} crossed;

/* Whether the edge runs at vertex v into a valley of its body along which the other one lies:
 * beyond is the body itself, not its end. */
static int ends_in_valley(const manifold *m, const crossed *o, int v)
{
  const pd_side *s = m->side[o->side];
  const pd_shape *shape = m->pose[o->side]->shape;
  const pd_vec3 d = pd_mtv(m->pose[o->side]->rot, o->n);
  for (int i = 0; i < s->ne; i++) {
    const pd_edge *e = &shape->e[s->e[i]];
    if (s->e[i] == o->edge || e->nt != 2 || (e->v[0] != v && e->v[1] != v)) continue;
    const pd_vec3 way = pd_sub(s->x[e->v[1]], s->x[e->v[0]]);
    const double off = pd_norm(pd_cross(way, o->along));
    if (off > pd_cd_lean(m->reach, e->length) * e->length) continue;
    if (turn_seen(shape, e, d) < -PD_FLAT_TURN) return 1;
  }
  return 0;
}

/* Whether another edge that stands out goes on from an edge's end v. */
static int goes_on(const manifold *m, const crossed *o, int v)
{
  const pd_side *s = m->side[o->side];
  const pd_shape *shape = m->pose[o->side]->shape;
  const pd_vec3 d = pd_mtv(m->pose[o->side]->rot, o->n);
  const pd_edge *e = &shape->e[o->edge];
  const pd_vec3 on = pd_sub(shape->v[v], shape->v[e->v[0] == v ? e->v[1] : e->v[0]]);
  for (int i = 0; i < s->ne; i++) {
    const pd_edge *g = &shape->e[s->e[i]];
    if (s->e[i] == o->edge || !g->sharp || (g->v[0] != v && g->v[1] != v)) continue;
    if (g->nt == 2 && !(turn_seen(shape, g, d) > 0.0)) continue;
    const pd_vec3 next = pd_sub(shape->v[g->v[0] == v ? g->v[1] : g->v[0]], shape->v[v]);
    if (pd_dot(on, next) > GOES_ON * e->length * g->length) return 1;
  }
  return 0;
}

/* How far a crossing is from the ends of an edge, < 0 beyond them. Where another edge goes on there
 * is no end. What lies along a valley crosses edges at the very end of them, before or beyond it by
 * rounding, or beyond it by about as much as it overlaps the other side of the valley. */
static double reaches_past(const manifold *m, const crossed *o, double gap)
{
  const pd_edge *e = &m->pose[o->side]->shape->e[o->edge];
  const double way = fmin(o->at, 1.0 - o->at) * e->length;
  const int v = e->v[o->at > 0.5];
  const int endless = (fabs(way) <= m->border && goes_on(m, o, v)) ||
                      (fabs(way) <= valley_width(m, gap) && ends_in_valley(m, o, v));
  return endless ? fmax(o->at, 1.0 - o->at) * e->length : way;
}

/* Whether a face at the edge of the other side can part an edge's nearer end from it. */
static int face_is_nearer(const manifold *m, const crossed *o, int edge_of_other)
{
  const pd_shape *s = m->pose[1 - o->side]->shape;
  const pd_edge *g = &s->e[edge_of_other];
  const int v = m->pose[o->side]->shape->e[o->edge].v[o->at > 0.5];
  for (int i = 0; i < g->nt; i++) {
    const pd_vec3 n = face_normal(m, 1 - o->side, s->fan[g->first + i]);
    if (leads(m, o->side, v, n) || (!s->closed && leads(m, o->side, v, pd_neg(n)))) return 1;
  }
  return 0;
}

/* How deep a crossing may be. Edges of bodies that are not convex which overlap further than they
 * reach past each other only pass if a face can part them there: it is nearer. */
static double deepest_of(const manifold *m, const crossed *a, const crossed *b,
                         const double past[2], double gap)
{
  if (m->convex || gap >= -2.0 * fmin(past[0], past[1])) return m->reach;
  const int nearer = (gap < -2.0 * past[0] && face_is_nearer(m, a, b->edge)) ||
                     (gap < -2.0 * past[1] && face_is_nearer(m, b, a->edge));
  return nearer ? 0.0 : fmin(0.1 * m->reach, END * m->size);
}

/* crossing of two edges; *found = 0 if it is no contact */
static pd_cd_point crossing(const manifold *m, int ea, int eb, int *found)
{
  const pd_edge *e = &m->pose[0]->shape->e[ea], *g = &m->pose[1]->shape->e[eb];
  const pd_vec3 *xa = m->side[0]->x, *xb = m->side[1]->x;
  const pd_vec3 p = xa[e->v[0]], u = pd_sub(xa[e->v[1]], p);
  const pd_vec3 q = xb[g->v[0]], v = pd_sub(xb[g->v[1]], q), w = pd_sub(q, p);
  const pd_vec3 c = pd_cross(u, v);
  const double c2 = pd_norm2(c);
  pd_cd_point o = {c, p, q, 0.0, {ea, eb}};
  *found = 0;
  if (c2 <= PARALLEL * PARALLEL * pd_norm2(u) * pd_norm2(v)) return o;
  const double s = pd_dot(pd_cross(w, v), c) / c2, t = pd_dot(pd_cross(w, u), c) / c2;
  const pd_vec3 n = pd_scale(1.0 / sqrt(c2), c);
  const double end = fmin(fmin(s, 1.0 - s) * e->length, fmin(t, 1.0 - t) * g->length);
  if (!(end > -valley_width(m, -fabs(pd_dot(n, w))))) return o;
  const int forth = leads_out(m, 1, eb, n) && leads_out(m, 0, ea, pd_neg(n));
  const int back = leads_out(m, 1, eb, pd_neg(n)) && leads_out(m, 0, ea, n);
  if (forth == back) return o;
  o.n = forth ? n : pd_neg(n);
  o.gap = -pd_dot(o.n, w);
  o.ra = pd_scale(0.5, pd_add(pd_axpy(p, s, u), pd_axpy(q, t, v)));
  const crossed of_a = {0, ea, s, pd_neg(o.n), pd_scale(1.0 / g->length, v)},
                of_b = {1, eb, t, o.n, pd_scale(1.0 / e->length, u)};
  const double past[2] = {reaches_past(m, &of_a, o.gap), reaches_past(m, &of_b, o.gap)};
  *found = fmin(past[0], past[1]) > 0.0 && o.gap <= m->reach &&
           o.gap >= -deepest_of(m, &of_a, &of_b, past, o.gap);
  return o;
}

static pd_status edges(manifold *m)
{
  const pd_side *a = m->side[0], *b = m->side[1];
  for (int i = 0; i < a->ne; i++) {
    if (!m->pose[0]->shape->e[a->e[i]].sharp) continue;
    const pd_box box = pd_box_inflate(a->ebox[i], m->reach);
    for (int j = 0; j < b->ne; j++) {
      int found;
      if (!m->pose[1]->shape->e[b->e[j]].sharp || !pd_box_overlap(box, b->ebox[j])) continue;
      const pd_cd_point p = crossing(m, a->e[i], b->e[j], &found);
      if (!found) continue;
      const pd_status status = add(m, p.n, p.ra, p.gap, p.sample[0], p.sample[1]);
      if (status) return status;
    }
  }
  return PD_OK;
}

pd_status pd_cd_manifold(const pd_pair_geometry *at, const pd_pair_geometry *start, double reach,
                         pd_pair_work *work, pd_cd_point_list *list)
{
  int any;
  const pd_pose *a = at->a, *b = at->b;
  pd_status status = pd_find_candidates(at, reach, &work->search.candidates, &any);
  if (status || !any) return status;
  const double size = fmin(a->shape->radius, b->shape->radius);
  manifold m = {{a, b},  {&work->search.candidates.side[0], &work->search.candidates.side[1]},
                start,   pd_centre_to_centre(at),
                reach,   PD_CD_BORDER * size,
                size,    list,
                list->n, pd_cd_is_convex(a->shape) && pd_cd_is_convex(b->shape)};
  for (int side = 0; side < 2; side++) {
    const pd_side *s = m.side[side];
    for (int i = 0; i < s->nv && !status; i++)
      if (m.pose[side]->shape->sample[s->v[i]]) status = vertex(&m, side, s->v[i]);
  }
  return status ? status : edges(&m);
}

static pd_cd_point plane_point(const pd_pose *a, int v, double height, pd_vec3 n)
{
  const double h = height + pd_dot(n, pd_pose_lever(a, v));
  const pd_cd_point p = {
      n, pd_axpy(pd_pose_lever(a, v), -0.5 * h, n), pd_v(0.0, 0.0, 0.0), h, {v, -1}};
  return p;
}

void pd_cd_manifold_plane_move(const pd_pose *a, double height, pd_vec3 n, pd_cd_point *p)
{
  *p = plane_point(a, p->sample[0], height, n);
}

pd_status pd_cd_manifold_plane(const pd_pose *a, double height, pd_vec3 n, double reach,
                               pd_cd_point_list *list)
{
  for (int v = 0; v < a->shape->nv; v++) {
    const pd_cd_point p = plane_point(a, v, height, n);
    if (!a->shape->sample[v] || p.gap > reach) continue;
    const pd_status status = append(list, p);
    if (status) return status;
  }
  return PD_OK;
}
