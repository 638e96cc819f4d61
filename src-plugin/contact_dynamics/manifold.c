/* SPDX-License-Identifier: MIT */
#include "contact_dynamics/manifold.h"

#include "base/array.h"
#include "base/memory.h"
#include "contact/pair_work_internal.h"
#include "contact_dynamics/manifold_internal.h"
#include "contact_dynamics/manifold_side.h"

static const double PARALLEL = 1e-3; /* sine of the angle of edges that do not cross */

/* room of a list at first: a face on a face */
enum { FIRST = 16 };

typedef struct manifold {
  const pd_pose *pose[2];
  const pd_side *side[2];
  const pd_pair_geometry *start;
  pd_vec3 r;
  double reach, border;
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

/* Whether p lies over the triangle, its border inclusive. */
static int over(const manifold *m, int side, int t, pd_vec3 n, pd_vec3 p)
{
  for (int k = 0; k < 3; k++) {
    const pd_vec3 c = *corner(m, side, t, k), u = pd_sub(*corner(m, side, t, (k + 1) % 3), c);
    if (pd_dot(pd_cross(n, u), pd_sub(p, c)) < -m->border * pd_norm(u)) return 0;
  }
  return 1;
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

/* Whether the vertex lies over triangle t and near it. */
static int near_face(const manifold *m, pd_cd_before *o, int t, face *f)
{
  const int other = 1 - o->side;
  const pd_vec3 n = face_normal(m, other, t), x = m->side[o->side]->x[o->v];
  const double h = pd_dot(n, pd_sub(x, *corner(m, other, t, 0)));
  if (!(fabs(h) <= m->reach) || !over(m, other, t, n, x)) return 0;
  const double facing = m->pose[other]->shape->closed ? 1.0 : pd_cd_facing(o, t);
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

/* In a convex place a vertex inside has come through the face it is nearest to: the others, which
 * it seems to have gone through deeper, do not count. */
static int outdone(const manifold *m, pd_cd_before *v, const face *f)
{
  const int other = 1 - v->side;
  const pd_side *o = m->side[other];
  face g;
  if (f->h >= 0.0 || m->convex) return 0;
  for (int i = 0; i < o->nt; i++) {
    if (o->t[i] == f->t || !near_face(m, v, o->t[i], &g) || !(g.h > f->h + m->border)) continue;
    if (behind(m, other, f, &g) && behind(m, other, &g, f)) return 1;
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
  const pd_vec3 *x = m->side[side]->x, p = x[e->v[0]];
  const pd_vec3 u = pd_scale(1.0 / e->length, pd_sub(x[e->v[1]], p));
  const double turn = e->nt == 2 ? turn_seen(s, e, pd_mtv(pose->rot, n)) : PD_PI;
  if (!(turn > 0.0)) return 0;
  for (int k = 0; k < e->nt && k < 2; k++) {
    const int *t = s->t[e->t[k]];
    const int third = t[0] + t[1] + t[2] - e->v[0] - e->v[1];
    pd_vec3 w = pd_sub(x[third], p);
    w = pd_axpy(w, -pd_dot(w, u), u);
    const double l = pd_norm(w);
    if (pd_dot(n, w) > fmin(pd_cd_lean(m->reach, l), sin(0.5 * turn)) * l) return 0;
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

/* How far a crossing is from the ends of an edge, < 0 beyond them. What lies along a valley crosses
 * edges at the very end of them, before or beyond it by rounding, or beyond it by about as much as
 * it overlaps the other side of the valley. */
static double reaches_past(const manifold *m, const crossed *o, double gap)
{
  const pd_edge *e = &m->pose[o->side]->shape->e[o->edge];
  const double way = fmin(o->at, 1.0 - o->at) * e->length;
  if (fabs(way) > valley_width(m, gap) || !ends_in_valley(m, o, e->v[o->at > 0.5])) return way;
  return fmax(o->at, 1.0 - o->at) * e->length;
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
  /* edges that overlap further than they reach past each other only pass: a face is nearer */
  const crossed of_a = {0, ea, s, pd_neg(o.n), pd_scale(1.0 / g->length, v)},
                of_b = {1, eb, t, o.n, pd_scale(1.0 / e->length, u)};
  const double past = fmin(reaches_past(m, &of_a, o.gap), reaches_past(m, &of_b, o.gap));
  const double deepest = m->convex ? m->reach : fmin(m->reach, 2.0 * past);
  *found = past > 0.0 && o.gap <= m->reach && o.gap >= -deepest;
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
  manifold m = {{a, b},
                {&work->search.candidates.side[0], &work->search.candidates.side[1]},
                start,
                pd_centre_to_centre(at),
                reach,
                PD_CD_BORDER * size,
                list,
                list->n,
                pd_cd_is_convex(a->shape) && pd_cd_is_convex(b->shape)};
  for (int side = 0; side < 2; side++) {
    const pd_side *s = m.side[side];
    for (int i = 0; i < s->nv && !status; i++)
      if (m.pose[side]->shape->sample[s->v[i]]) status = vertex(&m, side, s->v[i]);
  }
  return status ? status : edges(&m);
}

/* vertex v of body a over triangle t of b, b's centre at r from a's */
static void move_vertex(const pd_pose *a, int v, const pd_pose *b, int t, pd_vec3 r, pd_cd_point *p)
{
  const pd_vec3 n = pd_mv(b->rot, b->shape->tn[t]);
  p->n = b->shape->closed || pd_dot(n, p->n) > 0.0 ? n : pd_neg(n);
  const pd_vec3 under = pd_add(r, pd_pose_lever(b, b->shape->t[t][0]));
  p->gap = pd_dot(p->n, pd_sub(pd_pose_lever(a, v), under));
  p->ra = pd_axpy(pd_pose_lever(a, v), -0.5 * p->gap, p->n);
  p->rb = pd_sub(p->ra, r);
}

static double clamp(double x) { return fmin(1.0, fmax(0.0, x)); }

static void move_crossing(const pd_pose *a, const pd_pose *b, pd_vec3 r, pd_cd_point *o)
{
  const int *e = a->shape->e[o->sample[0]].v, *g = b->shape->e[o->sample[1]].v;
  const pd_vec3 p = pd_pose_lever(a, e[0]), u = pd_sub(pd_pose_lever(a, e[1]), p);
  const pd_vec3 q = pd_add(r, pd_pose_lever(b, g[0])),
                v = pd_sub(pd_pose_lever(b, g[1]), pd_pose_lever(b, g[0])), w = pd_sub(q, p);
  const pd_vec3 c = pd_cross(u, v);
  const double c2 = pd_norm2(c), sign = pd_dot(c, o->n) < 0.0 ? -1.0 : 1.0;
  if (!(c2 > 0.0)) return; /* parallel for once: what is known of the point is near enough */
  const double s = clamp(pd_dot(pd_cross(w, v), c) / c2), t = clamp(pd_dot(pd_cross(w, u), c) / c2);
  const pd_vec3 at = pd_axpy(p, s, u), bt = pd_axpy(q, t, v);
  o->n = pd_scale(sign / sqrt(c2), c);
  o->gap = pd_dot(o->n, pd_sub(at, bt));
  o->ra = pd_scale(0.5, pd_add(at, bt));
  o->rb = pd_sub(o->ra, r);
}

void pd_cd_manifold_move(const pd_pose *a, const pd_pose *b, pd_vec3 r, pd_cd_point *p)
{
  if (p->sample[1] < 0) {
    move_vertex(a, p->sample[0], b, -1 - p->sample[1], r, p);
  } else if (p->sample[0] < 0) {
    const pd_vec3 swap = pd_neg(r);
    p->n = pd_neg(p->n);
    move_vertex(b, p->sample[1], a, -1 - p->sample[0], swap, p);
    const pd_vec3 ra = p->rb;
    p->rb = p->ra;
    p->ra = ra;
    p->n = pd_neg(p->n);
  } else {
    move_crossing(a, b, r, p);
  }
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
