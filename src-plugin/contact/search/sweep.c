/* SPDX-License-Identifier: MIT
 * Distance of two bodies, and how far they may go along a path: every pair of near features is
 * parted by a plane square to its present distance, and the plane's slab shrinks linearly along the
 * path but for the bending of the rotation. Unlike a bound on speed alone this sees the direction
 * of motion: contacts that slide or open pass at once. */
#include "base/memory.h"
#include "geometry/distance.h"
#include "contact/pair_internal.h"

/* positions about A's centre at the end of the path; without ends only the distance is wanted */
typedef struct sweep_state {
  pd_pair_work *work;
  const pd_pose *pose[2];
  const pd_vec3 *end[2];
  pd_vec3 shift[2];
  double cut2, best2;
} sweep_state;

static pd_status record(pd_pair_work *w, double now, double end)
{
  if (w->nsweep == w->cap_sweep) {
    const int cap = 2 * w->cap_sweep + 64;
    pd_gap_change *s = (pd_gap_change *)pd_realloc(w->sweep, (size_t)cap * sizeof(pd_gap_change));
    if (!s) return PD_ENOMEM;
    w->sweep = s;
    w->cap_sweep = cap;
  }
  w->sweep[w->nsweep].now = now;
  w->sweep[w->nsweep].end = end;
  w->nsweep++;
  return PD_OK;
}

/* lowest of n end positions along dir */
static double lowest(const sweep_state *c, int side, const int *v, int n, pd_vec3 dir)
{
  double low = DBL_MAX;
  for (int i = 0; i < n; i++) {
    const double x = pd_dot(dir, pd_add(c->end[side][v[i]], c->shift[side]));
    if (x < low) low = x;
  }
  return low;
}

/* notes features p (of side ip) and q (of the other), whose shortest distance is g, from q to p */
static pd_status note(sweep_state *c, int ip, const int *p, int np, const int *q, int nq, pd_vec3 g)
{
  const double d = pd_norm(g);
  const pd_vec3 dir = pd_scale(1.0 / d, g);
  return record(c->work, d, lowest(c, ip, p, np, dir) + lowest(c, 1 - ip, q, nq, pd_neg(dir)));
}

/* whether a feature pair at squared distance d2 has to be noted; without a path only nearer ones
 * are of interest from now on */
static int matters(sweep_state *c, double d2)
{
  if (d2 >= c->cut2) return 0;
  if (d2 < c->best2) c->best2 = d2;
  if (!c->end[0]) c->cut2 = c->best2;
  return c->end[0] && d2 > 0.0;
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

static pd_status sweep_triangle(sweep_state *c, int ip, int vertex, int id)
{
  const pd_side *ss = &c->work->side[1 - ip];
  const int *t = c->pose[1 - ip]->shape->t[id];
  const pd_vec3 p = c->work->side[ip].x[vertex], x[3] = {ss->x[t[0]], ss->x[t[1]], ss->x[t[2]]};
  double d2;
  const int k = pd_point_triangle(p, x[0], x[1], x[2], &d2);
  if (!matters(c, d2)) return PD_OK;
  return note(c, ip, &vertex, 1, t, 3, from_triangle(p, x, k));
}

static pd_status sweep_vertices(sweep_state *c, int ip)
{
  const pd_side *sp = &c->work->side[ip], *ss = &c->work->side[1 - ip];
  for (int i = 0; i < sp->nv; i++) {
    const pd_vec3 p = sp->x[sp->v[i]];
    for (int j = 0; j < ss->nt; j++) {
      if (pd_point_box2(p, ss->tbox[j]) >= c->cut2) continue;
      const pd_status status = sweep_triangle(c, ip, sp->v[i], ss->t[j]);
      if (status) return status;
    }
  }
  return PD_OK;
}

static pd_status sweep_edge_pair(sweep_state *c, const int *p, const int *q)
{
  const pd_vec3 *xa = c->work->side[0].x, *xb = c->work->side[1].x;
  const pd_vec3 a[2] = {xa[p[0]], xa[p[1]]}, b[2] = {xb[q[0]], xb[q[1]]};
  int fa, fb;
  const double d2 = pd_segment_segment(a[0], a[1], b[0], b[1], &fa, &fb);
  if (!matters(c, d2)) return PD_OK;
  const pd_gap g = pd_gap_solve(fa == PD_INSIDE ? 2 : 1, fa == 1 ? &a[1] : a,
                                fb == PD_INSIDE ? 2 : 1, fb == 1 ? &b[1] : b, pd_v(0.0, 0.0, 0.0));
  return note(c, 0, p, 2, q, 2, pd_scale(g.d, g.n));
}

static pd_status sweep_edges(sweep_state *c)
{
  const pd_side *sa = &c->work->side[0], *sb = &c->work->side[1];
  for (int i = 0; i < sa->ne; i++) {
    const pd_edge *p = &c->pose[0]->shape->e[sa->e[i]];
    if (!p->sharp) continue;
    for (int j = 0; j < sb->ne; j++) {
      const pd_edge *q = &c->pose[1]->shape->e[sb->e[j]];
      if (!q->sharp || pd_box_box2(sa->ebox[i], sb->ebox[j]) >= c->cut2) continue;
      const pd_status status = sweep_edge_pair(c, p->v, q->v);
      if (status) return status;
    }
  }
  return PD_OK;
}

static pd_status sweep_sides(sweep_state *c)
{
  pd_status status = sweep_vertices(c, 0);
  if (!status) status = sweep_vertices(c, 1);
  return status ? status : sweep_edges(c);
}

/* the pairs of work's list */
static pd_status sweep_listed(sweep_state *c)
{
  const pd_pair_work *w = c->work;
  const pd_edge *ea = c->pose[0]->shape->e, *eb = c->pose[1]->shape->e;
  pd_status status = PD_OK;
  for (int i = 0; i < w->nitem && !status; i++) {
    const pd_near_item o = w->list[i];
    if (o.kind == PD_NEAR_TRIANGLE)
      status = sweep_triangle(c, i >= w->from[1], (int)o.p, (int)o.q);
    else if (o.kind == PD_NEAR_EDGES)
      status = sweep_edge_pair(c, ea[o.p].v, eb[o.q].v);
  }
  return status;
}

static pd_status traverse(sweep_state *c, pd_vec3 r0, pd_vec3 ru, double *distance)
{
  pd_found found;
  const double cut = *distance;
  c->work->nsweep = 0;
  c->cut2 = c->best2 = cut * cut;
  pd_status status = pd_pair_search(c->pose[0], c->pose[1], r0, ru, cut, c->work, &found);
  if (status || found == PD_APART) return status;
  status = found == PD_LISTED ? sweep_listed(c) : sweep_sides(c);
  if (!status && c->best2 < cut * cut) *distance = sqrt(c->best2);
  return status;
}

pd_status pd_pair_distance(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru, double cut,
                           pd_pair_work *work, double *distance)
{
  sweep_state c = {work, {a, b}, {NULL, NULL}, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, 0.0, 0.0};
  pd_near *near = work->near;
  *distance = cut;
  work->near = NULL; /* cuts differ too much */
  const pd_status status = traverse(&c, r0, ru, distance);
  work->near = near;
  return status;
}

pd_status pd_pair_sweep(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru,
                        const pd_vec3 *end_a, const pd_vec3 *end_b, pd_vec3 ru_end, double cut,
                        pd_pair_work *work, double *distance)
{
  sweep_state c = {work, {a, b}, {end_a, end_b}, {{0.0, 0.0, 0.0}, pd_add(r0, ru_end)}, 0.0, 0.0};
  *distance = cut;
  return traverse(&c, r0, ru, distance);
}

pd_status pd_plane_sweep(const pd_pose *a, double h0, double hu, pd_vec3 n, const pd_vec3 *end,
                         double h_end, pd_vec3 n_end, pd_pair_work *work, double *distance)
{
  pd_status status = PD_OK;
  work->nsweep = 0;
  *distance = DBL_MAX;
  for (int i = 0; i < a->shape->nv && !status; i++) {
    const double now = h0 + hu + pd_dot(n, a->s[i]);
    if (now < *distance) *distance = now;
    status = record(work, now, h_end + pd_dot(n_end, end[i]));
  }
  return status;
}

double pd_pair_sweep_limit(const pd_pair_work *work, double keep, double bend)
{
  double t = 1.0;
  for (int i = 0; i < work->nsweep; i++) {
    const double now = work->sweep[i].now, loss = now - work->sweep[i].end + 4.0 * bend;
    if (now - keep < t * loss) t = now > keep ? (now - keep) / loss : 0.0;
  }
  return t;
}
