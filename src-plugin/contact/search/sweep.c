/* SPDX-License-Identifier: MIT
 * Distance of two bodies, and how far they may go along a path: every pair of near features is
 * parted by a plane square to its present distance, and the plane's slab shrinks linearly along the
 * path but for the bending of the rotation. Unlike a bound on speed alone this sees the direction
 * of motion: contacts that slide or open pass at once. */
#include "contact/search/sweep.h"

#include "base/array.h"
#include "base/numbers.h"
#include "contact/gap.h"
#include "contact/pair_work_internal.h"
#include "contact/search/boxes.h"
#include "contact/search/near_list.h"
#include "geometry/distance.h"

/* without an end only the distance is wanted */
typedef struct traversal {
  const pd_pair_geometry *pair;
  pd_pair_work *work;
  const pd_pair_end *end;
  double cut2, best2;
} traversal;

static pd_status record(pd_gap_changes *sweep, double now, double end)
{
  const pd_status status =
      PD_ARRAY_RESERVE(sweep->change, sweep->cap, sweep->n + 1, PD_CONTACTS_FIRST);
  if (status) return status;
  sweep->change[sweep->n].now = now;
  sweep->change[sweep->n].end = end;
  sweep->n++;
  return PD_OK;
}

static const pd_shape *shape_of(const traversal *c, int side)
{
  return (side ? c->pair->b : c->pair->a)->shape;
}

/* position of a vertex about A's centre at the end of the path */
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

/* notes features p (of side ip) and q (of the other), whose shortest distance is g, from q to p */
static pd_status note(traversal *c, int ip, const int *p, int np, const int *q, int nq, pd_vec3 g)
{
  const double d = pd_norm(g);
  const pd_vec3 dir = pd_scale(1.0 / d, g);
  return record(&c->work->sweep, d,
                lowest(c, ip, p, np, dir) + lowest(c, 1 - ip, q, nq, pd_neg(dir)));
}

/* whether a feature pair at squared distance d2 has to be noted; without a path only nearer ones
 * are of interest from now on */
static int matters(traversal *c, double d2)
{
  if (d2 >= c->cut2) return 0;
  if (d2 < c->best2) c->best2 = d2;
  if (!c->end) c->cut2 = c->best2;
  return c->end && d2 > 0.0;
}

/* vector from the triangle's point closest to p, to p */
static pd_vec3 from_triangle(pd_vec3 p, const pd_vec3 *x, int k)
{
  pd_vec3 b[3] = {x[0], x[1], x[2]};
  int n = 3;
  if (k < PD_TRI_FACE) {
    n = k >= PD_TRI_EDGE ? 2 : 1;
    b[0] = x[k % PD_TRI_EDGE];
    b[1] = x[(k + 1) % 3];
  }
  const pd_gap g = pd_gap_solve(1, &p, n, b, pd_v(0.0, 0.0, 0.0));
  return pd_scale(g.d, g.n);
}

static pd_status sweep_triangle(traversal *c, int ip, int vertex, int id)
{
  const pd_side *facing = &c->work->search.candidates.side[1 - ip];
  const int *t = shape_of(c, 1 - ip)->t[id];
  const pd_vec3 p = c->work->search.candidates.side[ip].x[vertex],
                x[3] = {facing->x[t[0]], facing->x[t[1]], facing->x[t[2]]};
  double d2;
  const int k = pd_point_triangle(p, x[0], x[1], x[2], &d2);
  if (!matters(c, d2)) return PD_OK;
  return note(c, ip, &vertex, 1, t, 3, from_triangle(p, x, k));
}

static pd_status sweep_vertices(traversal *c, int ip)
{
  const pd_side *own = &c->work->search.candidates.side[ip],
                *facing = &c->work->search.candidates.side[1 - ip];
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

static pd_status sweep_edge_pair(traversal *c, const int *p, const int *q)
{
  const pd_vec3 *xa = c->work->search.candidates.side[0].x,
                *xb = c->work->search.candidates.side[1].x;
  const pd_vec3 a[2] = {xa[p[0]], xa[p[1]]}, b[2] = {xb[q[0]], xb[q[1]]};
  int fa, fb;
  const double d2 = pd_segment_segment(a[0], a[1], b[0], b[1], &fa, &fb);
  if (!matters(c, d2)) return PD_OK;
  const pd_gap g = pd_gap_of_edges(a, fa, b, fb, pd_v(0.0, 0.0, 0.0));
  return note(c, 0, p, 2, q, 2, pd_scale(g.d, g.n));
}

static pd_status sweep_edges(traversal *c)
{
  const pd_side *sa = &c->work->search.candidates.side[0],
                *sb = &c->work->search.candidates.side[1];
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

static pd_status sweep_sides(traversal *c)
{
  pd_status status = sweep_vertices(c, 0);
  if (!status) status = sweep_vertices(c, 1);
  return status ? status : sweep_edges(c);
}

/* the near pairs of the search */
static pd_status sweep_listed(traversal *c)
{
  const pd_near_pairs *near = &c->work->search.near_pairs;
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

static pd_status traverse(traversal *c, pd_near *near, double *distance)
{
  pd_found found;
  const double cut = *distance;
  c->work->sweep.n = 0;
  c->cut2 = c->best2 = cut * cut;
  pd_status status = pd_pair_search(c->pair, cut, near, &c->work->search, &found);
  if (status || found == PD_APART) return status;
  status = found == PD_LISTED ? sweep_listed(c) : sweep_sides(c);
  if (!status && c->best2 < cut * cut) *distance = sqrt(c->best2);
  return status;
}

/* without the list: the cuts of one call and the next differ too much */
pd_status pd_pair_distance(const pd_pair_geometry *pair, double cut, pd_pair_work *work,
                           double *distance)
{
  traversal c = {pair, work, NULL, 0.0, 0.0};
  *distance = cut;
  return traverse(&c, NULL, distance);
}

pd_status pd_pair_sweep(const pd_pair_geometry *pair, const pd_pair_end *end, double cut,
                        pd_near *near, pd_pair_work *work, double *distance)
{
  traversal c = {pair, work, end, 0.0, 0.0};
  *distance = cut;
  return traverse(&c, near, distance);
}

pd_status pd_plane_sweep(const pd_pair_geometry *pair, const pd_pair_end *end, pd_pair_work *work,
                         double *distance)
{
  const pd_pose *a = pair->a;
  const double h_end = -pd_dot(end->plane, pair->r0) - pd_dot(end->plane, end->ru);
  pd_status status = PD_OK;
  double hu;
  const double h0 = pd_plane_height(pair, &hu);
  work->sweep.n = 0;
  *distance = DBL_MAX;
  for (int i = 0; i < a->shape->nv && !status; i++) {
    const double now = h0 + hu + pd_dot(*pair->plane, pd_pose_lever(a, i));
    if (now < *distance) *distance = now;
    status = record(&work->sweep, now, h_end + pd_dot(end->plane, pd_mv(end->a, a->shape->v[i])));
  }
  return status;
}

double pd_plane_distance(const pd_pair_geometry *pair)
{
  double low = DBL_MAX, hu;
  const double h0 = pd_plane_height(pair, &hu);
  for (int i = 0; i < pair->a->shape->nv; i++)
    low = fmin(low, pd_dot(*pair->plane, pd_pose_lever(pair->a, i)));
  return low + h0 + hu;
}

/* An arc that leaves its chord by at most bend leaves it by at most 4 t (1 - t) bend at the
 * fraction t: counted as a loss of 4 bend that grows with t. */
double pd_pair_sweep_limit(const pd_pair_work *work, double keep, double bend)
{
  double t = 1.0;
  for (int i = 0; i < work->sweep.n; i++) {
    const double now = work->sweep.change[i].now;
    const double loss = now - work->sweep.change[i].end + 4.0 * bend;
    if (now - keep < t * loss) t = now > keep ? (now - keep) / loss : 0.0;
  }
  return t;
}
