/* SPDX-License-Identifier: MIT
 * How far two bodies may go along a path: every pair of near features is parted by a plane square
 * to its present distance, and the plane's slab shrinks linearly along the path but for the bending
 * of the rotation. Unlike a bound on speed alone this sees the direction of motion: contacts that
 * slide or open pass at once. */
#include "contact/search/sweep.h"

#include "base/array.h"
#include "base/numbers.h"
#include "contact/gap.h"
#include "contact/pair_work_internal.h"
#include "contact/search/boxes.h"
#include "contact/search/descent.h"
#include "contact/search/near_list.h"
#include "contact/search/surface_distance.h"
#include "geometry/distance.h"

/* x: positions about A's centre that the search has found, NULL where the trees are descended */
typedef struct traversal {
  const pd_pair_geometry *pair;
  const pd_pair_end *end;
  pd_gap_changes *sweep;
  const pd_vec3 *x[2];
  double cut2, best2;
} traversal;

static pd_status record(pd_gap_changes *sweep, pd_gap_change change)
{
  const pd_status status =
      PD_ARRAY_RESERVE(sweep->change, sweep->cap, sweep->n + 1, PD_CONTACTS_FIRST);
  if (status) return status;
  sweep->change[sweep->n++] = change;
  return PD_OK;
}

static const pd_shape *shape_of(const traversal *c, int side)
{
  return (side ? c->pair->b : c->pair->a)->shape;
}

/* position of a vertex about A's centre */
static pd_vec3 position(const traversal *c, int side, int v)
{
  if (c->x[side]) return c->x[side][v];
  return side ? pd_add(pd_centre_to_centre(c->pair), pd_pose_lever(c->pair->b, v))
              : pd_pose_lever(c->pair->a, v);
}

/* and at the end of the path */
static pd_vec3 end_position(const traversal *c, int side, int v)
{
  const pd_vec3 lever = pd_mv(side ? c->end->b : c->end->a, shape_of(c, side)->v[v]);
  return side ? pd_add(lever, pd_add(c->pair->r0, c->end->ru)) : lever;
}

/* lowest of n end positions along dir */
static double lowest(const traversal *c, int side, const int *v, int n, pd_vec3 dir)
{
  double low = DBL_MAX;
  for (int i = 0; i < n; i++) {
    const double x = pd_dot(dir, end_position(c, side, v[i]));
    if (x < low) low = x;
  }
  return low;
}

/* of features p (of side ip) and q (of the other), whose shortest distance is g, from q to p */
static pd_gap_change change_of(const traversal *c, int ip, const int *p, int np, const int *q,
                               int nq, pd_vec3 g)
{
  const double d = pd_norm(g);
  const pd_vec3 dir = pd_scale(1.0 / d, g);
  const pd_gap_change change = {d,
                                lowest(c, ip, p, np, dir) + lowest(c, 1 - ip, q, nq, pd_neg(dir))};
  return change;
}

/* whether a feature pair at squared distance d2 has to be noted */
static int matters(traversal *c, double d2)
{
  if (d2 >= c->cut2) return 0;
  if (d2 < c->best2) c->best2 = d2;
  return d2 > 0.0;
}

/* Whether a vertex is near enough to a triangle, and how their gap changes. */
static int triangle_change(traversal *c, int ip, int vertex, int id, pd_gap_change *change)
{
  const int *t = shape_of(c, 1 - ip)->t[id];
  const pd_vec3 p = position(c, ip, vertex);
  const pd_vec3 x[3] = {position(c, 1 - ip, t[0]), position(c, 1 - ip, t[1]),
                        position(c, 1 - ip, t[2])};
  double d2;
  const int k = pd_point_triangle(p, x[0], x[1], x[2], &d2);
  if (!matters(c, d2)) return 0;
  const pd_gap g = pd_gap_of_triangle(p, x, k);
  *change = change_of(c, ip, &vertex, 1, t, 3, pd_scale(g.d, g.n));
  return 1;
}

/* the same for two edges by their ends */
static int edge_change(traversal *c, const int *p, const int *q, pd_gap_change *change)
{
  const pd_vec3 a[2] = {position(c, 0, p[0]), position(c, 0, p[1])},
                b[2] = {position(c, 1, q[0]), position(c, 1, q[1])};
  int fa, fb;
  const double d2 = pd_segment_segment(a[0], a[1], b[0], b[1], &fa, &fb);
  if (!matters(c, d2)) return 0;
  const pd_gap g = pd_gap_of_edges(a, fa, b, fb, pd_v(0.0, 0.0, 0.0));
  *change = change_of(c, 0, p, 2, q, 2, pd_scale(g.d, g.n));
  return 1;
}

/* ---- what a search has found ---- */

static pd_status sweep_triangle(traversal *c, int ip, int vertex, int id)
{
  pd_gap_change change;
  return triangle_change(c, ip, vertex, id, &change) ? record(c->sweep, change) : PD_OK;
}

static pd_status sweep_edge_pair(traversal *c, const int *p, const int *q)
{
  pd_gap_change change;
  return edge_change(c, p, q, &change) ? record(c->sweep, change) : PD_OK;
}

static pd_status sweep_vertices(traversal *c, const pd_candidates *found, int ip)
{
  const pd_side *own = &found->side[ip], *facing = &found->side[1 - ip];
  for (int i = 0; i < own->nv; i++) {
    const pd_vec3 p = own->x[own->v[i]];
    for (int j = 0; j < facing->nt; j++) {
      if (pd_point_box2(p, facing->tbox[j]) >= c->cut2) continue;
      const pd_status status = sweep_triangle(c, ip, own->v[i], facing->t[j]);
      if (status) return status;
    }
  }
  return PD_OK;
}

static pd_status sweep_edges(traversal *c, const pd_candidates *found)
{
  const pd_side *sa = &found->side[0], *sb = &found->side[1];
  for (int i = 0; i < sa->ne; i++) {
    const pd_edge *p = &c->pair->a->shape->e[sa->e[i]];
    if (!p->sharp) continue;
    for (int j = 0; j < sb->ne; j++) {
      const pd_edge *q = &c->pair->b->shape->e[sb->e[j]];
      if (!q->sharp || pd_box_box2(sa->ebox[i], sb->ebox[j]) >= c->cut2) continue;
      const pd_status status = sweep_edge_pair(c, p->v, q->v);
      if (status) return status;
    }
  }
  return PD_OK;
}

static pd_status sweep_sides(traversal *c, const pd_candidates *found)
{
  pd_status status = sweep_vertices(c, found, 0);
  if (!status) status = sweep_vertices(c, found, 1);
  return status ? status : sweep_edges(c, found);
}

/* the near pairs of the search */
static pd_status sweep_listed(traversal *c, const pd_near_pairs *near)
{
  const pd_edge *ea = c->pair->a->shape->e, *eb = c->pair->b->shape->e;
  pd_status status = PD_OK;
  for (int i = 0; i < near->n && !status; i++) {
    const pd_near_item o = near->item[i];
    if (o.kind == PD_NEAR_TRIANGLE)
      status = sweep_triangle(c, i >= near->first[1], (int)o.p, (int)o.q);
    else if (o.kind == PD_NEAR_EDGES)
      status = sweep_edge_pair(c, ea[o.p].v, eb[o.q].v);
  }
  return status;
}

static pd_status sweep_found(const pd_pair_geometry *pair, const pd_pair_end *end, double cut,
                             pd_near *near, pd_pair_work *work, double *distance)
{
  const pd_feature_search *search = &work->search;
  pd_found found;
  pd_status status = pd_pair_search(pair, cut, near, &work->search, &found);
  if (status || found == PD_APART) return status;
  const pd_candidates *sides = &search->candidates;
  const double far = cut + work->sweep.rounds, far2 = far * far;
  traversal c = {pair, end, &work->sweep, {sides->side[0].x, sides->side[1].x}, far2, far2};
  status = found == PD_LISTED ? sweep_listed(&c, &search->near_pairs) : sweep_sides(&c, sides);
  if (!status && c.best2 < far2) *distance = sqrt(c.best2) - work->sweep.rounds;
  return status;
}

/* ---- large shapes: not what is near, but what limits the way ---- */

typedef struct limiting_features {
  traversal c;
  /* changes of places over the path in the frame of A's shape: |more[0] x| at x of A,
   * |more[1] y + shift| at y of B, and the absolute values of both matrices */
  pd_mat3 more[2], size[2];
  pd_vec3 shift;
  double keep, bend;
  pd_vec3 across[2]; /* changes along the axis: |across[0] . x| at x of A, likewise at y of B */
} limiting_features;

/* fraction of the way that a pair of features allows */
static double fraction(pd_gap_change change, double keep, double bend)
{
  const double loss = change.now - change.end + 4.0 * bend;
  if (!(change.now - keep < loss)) return 1.0;
  return change.now > keep ? (change.now - keep) / loss : 0.0;
}

/* part of the way after which a gap that goes by `go` over the way has come down to what is kept */
static double part_of(double gap, double go, const limiting_features *l)
{
  const double left = gap - l->keep, loss = go + 4.0 * l->bend;
  if (!(left > 0.0)) return 0.0;
  return left < loss ? left / loss : 1.0;
}

/* how the place of the middle of a box of B changes as against that of one of A */
static pd_vec3 change_of_middles(const limiting_features *l, const pd_box_pair *at)
{
  return pd_sub(pd_mv(l->more[0], at->ma), pd_add(pd_mv(l->more[1], at->mb), l->shift));
}

/* Features in the boxes come no nearer to each other than the changes of their places let them, */
static double fraction_by_gap(const pd_descent *q, const pd_box_pair *at, double gap)
{
  const limiting_features *l = (const limiting_features *)q->of;
  const double any = pd_norm(change_of_middles(l, at)) + pd_norm(pd_mv(l->size[0], at->ha)) +
                     pd_norm(pd_mv(l->size[1], at->hb));
  return part_of(gap, any, l);
}

/* and stay parted by a plane as long as no point of the boxes has come to it. */
static double fraction_along(const pd_descent *q, const pd_box_pair *at, double along)
{
  const limiting_features *l = (const limiting_features *)q->of;
  const double across = pd_dot(q->axis, change_of_middles(l, at)) + pd_reach(l->across[0], at->ha) +
                        pd_reach(l->across[1], at->hb);
  return part_of(along, across, l);
}

static void limit_by(pd_descent *q, pd_gap_change change)
{
  const limiting_features *l = (const limiting_features *)q->of;
  q->limit = fmin(q->limit, fraction(change, l->keep, l->bend));
}

static void limit_vertex(pd_descent *q, int on_b, int v, int t)
{
  pd_gap_change change;
  if (triangle_change(&((limiting_features *)q->of)->c, on_b, v, t, &change)) limit_by(q, change);
}

static void limit_edges(pd_descent *q, const pd_edge *e, const pd_edge *f)
{
  pd_gap_change change;
  if (edge_change(&((limiting_features *)q->of)->c, e->v, f->v, &change)) limit_by(q, change);
}

/* how a rotation changes places in a frame */
static pd_mat3 turned_by(pd_mat3 frame, pd_mat3 from, pd_mat3 to)
{
  return pd_m_mul(frame, pd_m_add(to, pd_m_scale(-1.0, from)));
}

static limiting_features features_of(pd_gap_changes *sweep)
{
  const pd_pair_geometry *pair = &sweep->pair;
  const pd_pair_end *end = &sweep->end;
  const pd_mat3 frame = pd_m_transpose(pair->a->rot);
  const pd_mat3 a = turned_by(frame, pair->a->rot, end->a);
  const pd_mat3 b = turned_by(frame, pair->b->rot, end->b);
  const limiting_features l = {{pair, end, sweep, {NULL, NULL}, DBL_MAX, DBL_MAX},
                               {a, b},
                               {pd_m_abs(a), pd_m_abs(b)},
                               pd_mv(frame, pd_sub(end->ru, pair->ru)),
                               0.0,
                               0.0,
                               {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
  return l;
}

static double limit_by_trees(pd_gap_changes *sweep, double keep, double bend)
{
  limiting_features l = features_of(sweep);
  pd_descent q = {0};
  l.keep = keep;
  l.bend = bend;
  q.bound_by_gap = fraction_by_gap;
  q.bound_along = fraction_along;
  q.vertex = limit_vertex;
  q.edges = limit_edges;
  q.limit = 1.0;
  q.of = &l;
  pd_descent_begin(&q, &sweep->pair);
  pd_descent_look_along(&q, sweep->axis);
  l.across[0] = pd_mtv(l.more[0], q.axis);
  l.across[1] = pd_mtv(l.more[1], q.axis);
  pd_descend(&q);
  return q.limit;
}

/* Whether what is near is dearer to find than what limits the way. */
static int are_fine(const pd_pair_geometry *pair)
{
  return pair->a->shape->nt > PD_SWEEP_LISTS && pair->b->shape->nt > PD_SWEEP_LISTS;
}

pd_status pd_pair_sweep(const pd_pair_geometry *pair, const pd_pair_end *end, double cut,
                        pd_near *near, pd_pair_work *work, double *distance)
{
  pd_gap_changes *sweep = &work->sweep;
  sweep->n = 0;
  sweep->rounds = pd_rounds(pair);
  sweep->by_trees = are_fine(pair);
  *distance = cut;
  if (!sweep->by_trees) return sweep_found(pair, end, cut, near, work, distance);
  sweep->pair = *pair;
  sweep->end = *end;
  *distance = pd_pair_nearest(pair, cut, &sweep->axis);
  return PD_OK;
}

pd_status pd_plane_sweep(const pd_pair_geometry *pair, const pd_pair_end *end, double cut,
                         pd_pair_work *work, double *distance)
{
  const pd_pose *a = pair->a;
  const pd_side *low = &work->search.candidates.side[0];
  const double h_end = -pd_dot(end->plane, pair->r0) - pd_dot(end->plane, end->ru);
  double hu;
  const double h0 = pd_plane_height(pair, &hu);
  const double rounds = pd_rounds(pair);
  work->sweep.n = work->sweep.by_trees = 0;
  work->sweep.rounds = rounds;
  *distance = cut;
  pd_status status = pd_find_low_vertices(pair, cut, &work->search.candidates);
  for (int i = 0; !status && i < low->nv; i++) {
    const int v = low->v[i];
    const double now = h0 + hu + pd_dot(*pair->plane, pd_pose_lever(a, v));
    if (now - rounds >= cut) continue;
    if (now - rounds < *distance) *distance = now - rounds;
    const pd_gap_change change = {now, h_end + pd_dot(end->plane, pd_mv(end->a, a->shape->v[v]))};
    status = record(&work->sweep, change);
  }
  return status;
}

double pd_plane_distance(const pd_pair_geometry *pair)
{
  double low = DBL_MAX, hu;
  const double h0 = pd_plane_height(pair, &hu);
  for (int i = 0; i < pair->a->shape->nv; i++)
    low = fmin(low, pd_dot(*pair->plane, pd_pose_lever(pair->a, i)));
  return low + h0 + hu - pair->a->shape->round;
}

/* An arc that leaves its chord by at most bend leaves it by at most 4 t (1 - t) bend at the
 * fraction t: counted as a loss of 4 bend that grows with t. */
double pd_pair_sweep_limit(pd_pair_work *work, double keep, double bend)
{
  pd_gap_changes *sweep = &work->sweep;
  const double apart = keep + sweep->rounds;
  if (sweep->by_trees) return limit_by_trees(sweep, apart, bend);
  double t = 1.0;
  for (int i = 0; i < sweep->n; i++) t = fmin(t, fraction(sweep->change[i], apart, bend));
  return t;
}
