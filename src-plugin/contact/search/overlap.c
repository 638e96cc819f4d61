/* SPDX-License-Identifier: MIT
 * Overlap of two surfaces. */
#include "contact/search/overlap.h"

#include "base/numbers.h"
#include "contact/pair_work_internal.h"
#include "contact/search/parting.h"
#include "contact/search/surface_distance.h"
#include "geometry/distance.h"
#include "geometry/pseudonormal.h"

/* whether segment pq crosses triangle abc (touching counts) */
static int segment_crosses(pd_vec3 p, pd_vec3 q, pd_vec3 a, pd_vec3 b, pd_vec3 c)
{
  const pd_vec3 n = pd_cross(pd_sub(b, a), pd_sub(c, a));
  const double sp = pd_dot(n, pd_sub(p, a)), sq = pd_dot(n, pd_sub(q, a));
  if (sp * sq > 0.0 || sp == sq) return 0;
  const pd_vec3 x = pd_axpy(p, sp / (sp - sq), pd_sub(q, p));
  const double u = pd_dot(n, pd_cross(pd_sub(b, a), pd_sub(x, a)));
  const double v = pd_dot(n, pd_cross(pd_sub(c, b), pd_sub(x, b)));
  const double w = pd_dot(n, pd_cross(pd_sub(a, c), pd_sub(x, c)));
  return u >= 0.0 && v >= 0.0 && w >= 0.0;
}

/* solid angle of the closed surface seen from p, over 4 pi: 1 inside, 0 outside */
static double winding(const pd_pose *b, pd_vec3 r, pd_vec3 p)
{
  double sum = 0.0;
  for (int i = 0; i < b->shape->nt; i++) {
    const int *t = b->shape->t[i];
    const pd_vec3 x = pd_sub(pd_add(r, pd_pose_lever(b, t[0])), p);
    const pd_vec3 y = pd_sub(pd_add(r, pd_pose_lever(b, t[1])), p);
    const pd_vec3 z = pd_sub(pd_add(r, pd_pose_lever(b, t[2])), p);
    sum += pd_half_solid_angle(x, y, z);
  }
  return sum / 6.283185307179586;
}

/* distance of p from the triangles of a side */
static double distance_from(const pd_side *facing, const pd_shape *surface, pd_vec3 p)
{
  double best = DBL_MAX, d2;
  for (int j = 0; j < facing->nt; j++) {
    const int *t = surface->t[facing->t[j]];
    pd_point_triangle(p, facing->x[t[0]], facing->x[t[1]], facing->x[t[2]], &d2);
    if (d2 < best) best = d2;
  }
  return sqrt(best);
}

/* deepest vertex of side ip inside the other body, whose centre is at r from A's */
static double deepest_vertex(const pd_candidates *c, int ip, const pd_pose *other, pd_vec3 r)
{
  const pd_side *own = &c->side[ip], *facing = &c->side[1 - ip];
  double deepest = 0.0;
  if (!other->shape->closed || !facing->nt) return 0.0;
  for (int i = 0; i < own->nv; i++) {
    const pd_vec3 p = own->x[own->v[i]];
    if (fabs(winding(other, r, p)) < 0.5) continue;
    deepest = fmax(deepest, distance_from(facing, other->shape, p));
  }
  return deepest;
}

/* distance of an edge from the sharp ones of a surface */
static double edge_distance(const pd_side *facing, const pd_shape *surface, pd_vec3 p, pd_vec3 q)
{
  double best = DBL_MAX;
  for (int i = 0; i < facing->ne; i++) {
    const pd_edge *e = &surface->e[facing->e[i]];
    int fa, fb;
    if (!e->sharp) continue;
    best = fmin(best, pd_segment_segment(p, q, facing->x[e->v[0]], facing->x[e->v[1]], &fa, &fb));
  }
  return sqrt(best);
}

/* how far a crossing edge lies inside, by its distance from the edges of the crossed surface */
static double edge_depth(const pd_side *facing, const pd_shape *surface, pd_vec3 p, pd_vec3 q)
{
  const double d = edge_distance(facing, surface, p, q);
  return d < sqrt(DBL_MAX) ? d : 0.0;
}

/* how far a crossing edge has to go until it crosses no more: so far, or until an end is out */
static double edge_way(const pd_side *facing, const pd_shape *surface, pd_vec3 p, pd_vec3 q)
{
  const double ends = fmin(distance_from(facing, surface, p), distance_from(facing, surface, q));
  return fmin(edge_distance(facing, surface, p, q), ends);
}

/* a measure of a crossing edge pq */
typedef double edge_measure(const pd_side *facing, const pd_shape *surface, pd_vec3 p, pd_vec3 q);

static int crossing_edges(const pd_candidates *c, int ip, const pd_shape *edges,
                          const pd_shape *surface, edge_measure *measure, double *depth)
{
  const pd_side *own = &c->side[ip], *facing = &c->side[1 - ip];
  int n = 0;
  for (int i = 0; i < own->ne; i++) {
    const pd_edge *e = &edges->e[own->e[i]];
    const pd_vec3 p = own->x[e->v[0]], q = own->x[e->v[1]];
    for (int j = 0; j < facing->nt; j++) {
      const int *t = surface->t[facing->t[j]];
      if (!segment_crosses(p, q, facing->x[t[0]], facing->x[t[1]], facing->x[t[2]])) continue;
      n++;
      *depth = fmax(*depth, measure(facing, surface, p, q));
      break;
    }
  }
  return n;
}

/* whether any edge of side ip crosses the other surface */
static int any_crossing(const pd_candidates *c, int ip, const pd_shape *edges,
                        const pd_shape *surface)
{
  const pd_side *own = &c->side[ip], *facing = &c->side[1 - ip];
  for (int i = 0; i < own->ne; i++) {
    const pd_edge *e = &edges->e[own->e[i]];
    const pd_vec3 p = own->x[e->v[0]], q = own->x[e->v[1]];
    for (int j = 0; j < facing->nt; j++) {
      const int *t = surface->t[facing->t[j]];
      if (segment_crosses(p, q, facing->x[t[0]], facing->x[t[1]], facing->x[t[2]])) return 1;
    }
  }
  return 0;
}

/* one body wholly inside the other: then their surfaces may have no common region */
static int swallowed(const pd_pose *a, const pd_pose *b, pd_vec3 r)
{
  if (b->shape->closed && fabs(winding(b, r, pd_pose_lever(a, 0))) > 0.5) return 1;
  return a->shape->closed &&
         fabs(winding(a, pd_v(0.0, 0.0, 0.0), pd_add(r, pd_pose_lever(b, 0)))) > 0.5;
}

/* shortest way along a face normal of a that parts b's hull from a's */
static double parting(const pd_pose *a, const pd_pose *b, pd_vec3 r)
{
  double least = DBL_MAX;
  for (int i = 0; i < a->shape->nt; i++) {
    const pd_vec3 n = pd_mv(a->rot, a->shape->tn[i]);
    double top = -DBL_MAX, low = DBL_MAX;
    for (int j = 0; j < a->shape->nv; j++) top = fmax(top, pd_dot(n, pd_pose_lever(a, j)));
    for (int j = 0; j < b->shape->nv; j++)
      low = fmin(low, pd_dot(n, pd_add(r, pd_pose_lever(b, j))));
    least = fmin(least, top - low);
  }
  return least;
}

static int boxes_overlap(const pd_pose *a, const pd_pose *b, pd_vec3 r)
{
  const pd_box box = pd_pose_box(b), moved = {pd_add(box.lo, r), pd_add(box.hi, r)};
  return pd_box_overlap(pd_pose_box(a), moved);
}

static double hull_depth(const pd_pose *a, const pd_pose *b, pd_vec3 r)
{
  return fmin(parting(a, b, r), parting(b, a, pd_neg(r)));
}

/* the same where the surfaces have a common region */
static void overlap_of_surfaces(const pd_pair_geometry *pair, const pd_candidates *c, int *overlap,
                                double *depth)
{
  const pd_pose *a = pair->a, *b = pair->b;
  const pd_vec3 r = pd_centre_to_centre(pair), zero = pd_v(0.0, 0.0, 0.0);
  double by_edge = 0.0;
  int crossings = crossing_edges(c, 0, a->shape, b->shape, edge_depth, &by_edge);
  crossings += crossing_edges(c, 1, b->shape, a->shape, edge_depth, &by_edge);
  *depth = fmax(deepest_vertex(c, 0, b, r), deepest_vertex(c, 1, a, zero));
  *overlap = crossings > 0 || *depth > 0.0 || swallowed(a, b, r);
  if (*depth == 0.0) *depth = by_edge;
  /* aligned bodies cross without a vertex or edge of one inside the other */
  const double rounding = PD_OVERLAP_ROUNDING * fmin(a->shape->radius, b->shape->radius);
  if (*overlap && *depth < rounding && a->shape->closed && b->shape->closed)
    *depth = hull_depth(a, b, r);
}

/* how deep p lies inside a body, 0 outside */
static double depth_in(const pd_pose *b, pd_vec3 r, pd_vec3 p)
{
  double best = DBL_MAX, d2;
  if (!b->shape->closed || fabs(winding(b, r, p)) < 0.5) return 0.0;
  for (int i = 0; i < b->shape->nt; i++) {
    const int *t = b->shape->t[i];
    pd_point_triangle(p, pd_add(r, pd_pose_lever(b, t[0])), pd_add(r, pd_pose_lever(b, t[1])),
                      pd_add(r, pd_pose_lever(b, t[2])), &d2);
    best = fmin(best, d2);
  }
  return sqrt(best);
}

/* deepest point of a inside b: of the vertices, those halfway through from there, and the middles
 * of the triangles, which are inside where aligned bodies have their vertices on each other's faces
 */
static double deepest_point(const pd_pose *a, const pd_pose *b, pd_vec3 r)
{
  const pd_shape *s = a->shape;
  double deepest = 0.0;
  if (!s->closed || !b->shape->closed) return 0.0;
  for (int i = 0; i < s->nv; i++) {
    deepest = fmax(deepest, depth_in(b, r, pd_pose_lever(a, i)));
    deepest = fmax(deepest, depth_in(b, r, pd_mv(a->rot, pd_inner_point(s, i))));
  }
  for (int i = 0; i < s->nt; i++) {
    const pd_vec3 sum = pd_add(pd_add(s->v[s->t[i][0]], s->v[s->t[i][1]]), s->v[s->t[i][2]]);
    deepest = fmax(deepest, depth_in(b, r, pd_mv(a->rot, pd_scale(1.0 / 3.0, sum))));
  }
  return deepest;
}

/* the same of the cores of rounded bodies */
static pd_status cores_overlap(const pd_pair_geometry *pair, pd_pair_work *work, int *overlap,
                               double *depth)
{
  const pd_vec3 r = pd_centre_to_centre(pair);
  int any;
  *overlap = 0;
  *depth = 0.0;
  if (!boxes_overlap(pair->a, pair->b, r)) return PD_OK;
  const pd_status status = pd_find_candidates(pair, 0.0, &work->search.candidates, &any);
  if (status) return status;
  if (any) {
    overlap_of_surfaces(pair, &work->search.candidates, overlap, depth);
    return PD_OK;
  }
  *overlap = swallowed(pair->a, pair->b, r);
  if (*overlap) *depth = hull_depth(pair->a, pair->b, r);
  return PD_OK;
}

pd_status pd_pair_overlap(const pd_pair_geometry *pair, pd_pair_work *work, int *overlap,
                          double *depth)
{
  const double rounds = pd_rounds(pair);
  const pd_status status = cores_overlap(pair, work, overlap, depth);
  if (status || rounds == 0.0) return status;
  *depth = *overlap ? *depth + rounds : -pd_pair_distance(pair, rounds);
  *overlap = *depth >= 0.0;
  if (!*overlap) *depth = 0.0;
  return status;
}

pd_status pd_pair_penetration(const pd_pair_geometry *pair, pd_pair_work *work, double cut,
                              double *depth)
{
  const pd_pose *a = pair->a, *b = pair->b;
  const pd_vec3 r = pd_centre_to_centre(pair);
  pd_candidates *c = &work->search.candidates;
  int any;
  *depth = 0.0;
  const pd_status status = pd_find_candidates(pair, cut, c, &any);
  if (status) return status;
  if (any) {
    crossing_edges(c, 0, a->shape, b->shape, edge_way, depth);
    crossing_edges(c, 1, b->shape, a->shape, edge_way, depth);
    *depth = fmax(*depth, deepest_vertex(c, 1, a, pd_v(0.0, 0.0, 0.0)));
  }
  *depth = fmax(*depth, fmax(deepest_point(a, b, r), deepest_point(b, a, pd_neg(r))));
  return PD_OK;
}

double pd_pair_hull_depth(const pd_pair_geometry *pair)
{
  return hull_depth(pair->a, pair->b, pd_centre_to_centre(pair));
}

/* Crossing surfaces are found sooner than their distance. */
pd_status pd_pair_clear(const pd_pair_geometry *pair, pd_pair_work *work, double gap, int *clear)
{
  const pd_pose *a = pair->a, *b = pair->b;
  const pd_vec3 r = pd_centre_to_centre(pair);
  pd_candidates *c = &work->search.candidates;
  const double apart = pd_pair_parted(pair);
  *clear = apart > 0.0 && apart >= gap;
  if (*clear) return PD_OK;
  if (boxes_overlap(a, b, r)) {
    int any;
    const pd_status status = pd_find_candidates(pair, 0.0, c, &any);
    if (status) return status;
    if (any && any_crossing(c, 0, a->shape, b->shape)) return PD_OK;
    if (any && any_crossing(c, 1, b->shape, a->shape)) return PD_OK;
  }
  *clear = !(pd_pair_distance(pair, gap) < gap) && !(boxes_overlap(a, b, r) && swallowed(a, b, r));
  return PD_OK;
}

int pd_surface_is_closed(const pd_shape *surface)
{
  for (int i = 0; i < surface->ne; i++)
    if (surface->e[i].t[1] < 0) return 0;
  return surface->nt > 0;
}

/* Whether edge ab, seen from above, is met by the ray from p along x: one of its ends counts, and
 * either order of them gives the same. So a ray upwards through an edge goes through one of the
 * triangles that share it. */
static int is_met_along_x(pd_vec3 p, pd_vec3 a, pd_vec3 b)
{
  if ((a.y > p.y) == (b.y > p.y)) return 0;
  const pd_vec3 low = a.y < b.y ? a : b, high = a.y < b.y ? b : a;
  return (high.x - low.x) * (p.y - low.y) > (p.x - low.x) * (high.y - low.y);
}

/* whether triangle abc is right above p */
static int is_above(pd_vec3 p, pd_vec3 a, pd_vec3 b, pd_vec3 c)
{
  const pd_vec3 n = pd_cross(pd_sub(b, a), pd_sub(c, a));
  const int over = is_met_along_x(p, a, b) ^ is_met_along_x(p, b, c) ^ is_met_along_x(p, c, a);
  return over && pd_dot(n, pd_sub(a, p)) * n.z > 0.0;
}

int pd_surface_encloses(const pd_shape *surface, pd_vec3 p, int *near)
{
  const pd_box ray = {p, pd_v(p.x, p.y, surface->box.hi.z + surface->radius)};
  int within = 0;
  if (!(p.z < ray.hi.z)) return 0;
  const int n = pd_bvh_query(&surface->tree, ray, near);
  for (int i = 0; i < n; i++) {
    const int *t = surface->t[near[i]];
    within ^= is_above(p, surface->v[t[0]], surface->v[t[1]], surface->v[t[2]]);
  }
  return within;
}
