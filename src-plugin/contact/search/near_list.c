/* SPDX-License-Identifier: MIT
 * Near pairs of features of two bodies, kept from one search to the next (Verlet list).
 *
 * A list made for the distance c holds every pair of features nearer than c, each with its distance
 * then. What the bodies have moved against each other since, m, bounds the change of every
 * distance: the list is complete for all distances up to c - m, and a pair whose distance was d is
 * further apart than d - m. m is seen from the body with the larger radius, so that what both do
 * together does not count: |change of the other's centre| + |change of its rotation| times its
 * radius.
 *
 * The order is that of the search without a list, so that sums over the pairs are the same bits. */
#include "base/memory.h"
#include "geometry/distance.h"
#include "contact/pair_internal.h"

/* a list is made for the distance wanted times ROOM, as far as it fits */
static const double ROOM = 2.0;

/* where the features do not fit, the next try is made after so many searches */
enum { PATIENCE = 64 };

/* features of a shape are numbered by 15 bits */
enum { FEATURES = 1 << 15 };

static int numbered(const pd_shape *s)
{
  return s->nv <= FEATURES && s->nt <= FEATURES && s->ne <= FEATURES;
}

/* the body with the smaller radius as the other one sees it; returns that radius */
static double relate(const pd_pose *a, const pd_pose *b, pd_vec3 r, pd_vec3 *at, pd_mat3 *rot)
{
  const int from_a = a->shape->radius >= b->shape->radius;
  const pd_mat3 frame = from_a ? a->rot : b->rot;
  *at = pd_mtv(frame, from_a ? r : pd_neg(r));
  *rot = pd_m_mul(pd_m_transpose(frame), from_a ? b->rot : a->rot);
  return from_a ? b->shape->radius : a->shape->radius;
}

/* no distance has changed more since the list was made; |R - R0| = |R - R0|_F / sqrt 2 */
static double moved_since(const pd_near *near, const pd_pose *a, const pd_pose *b, pd_vec3 r)
{
  pd_vec3 at;
  pd_mat3 rot;
  double turn2 = 0.0;
  const double radius = relate(a, b, r, &at, &rot);
  for (int i = 0; i < 9; i++) {
    const double d = rot.m[i / 3][i % 3] - near->rot.m[i / 3][i % 3];
    turn2 += d * d;
  }
  return pd_norm(pd_sub(at, near->at)) + radius * (sqrt(0.5 * turn2) + 1e-9);
}

/* ---- making a list ---- */

typedef struct gathering {
  const pd_pose *pose[2];
  pd_pair_work *work;
  double c2;
} gathering;

static pd_status reserve_list(pd_pair_work *w, int n)
{
  if (n <= w->cap_list) return PD_OK;
  const int cap = n + w->cap_list + PD_NEAR_MAX;
  pd_near_item *list = (pd_near_item *)pd_realloc(w->list, (size_t)cap * sizeof *list);
  if (!list) return PD_ENOMEM;
  w->list = list;
  w->cap_list = cap;
  return PD_OK;
}

static pd_status note(const gathering *g, int kind, int p, int q, double d2)
{
  pd_pair_work *w = g->work;
  const pd_status status = reserve_list(w, w->nitem + 1);
  if (status) return status;
  pd_near_item *o = &w->list[w->nitem++];
  o->kind = (unsigned)kind & 3u;
  o->p = (unsigned)p & (FEATURES - 1u);
  o->q = (unsigned)q & (FEATURES - 1u);
  o->d = (float)((1.0 - 1e-6) * sqrt(d2)); /* rounding up is taken back */
  return PD_OK;
}

/* triangles near a vertex of side ip; edges and vertices as well if it is sampled */
static pd_status gather_about(const gathering *g, int ip, int vertex)
{
  const pd_side *ss = &g->work->side[1 - ip];
  const pd_shape *own = g->pose[ip]->shape, *shape = g->pose[1 - ip]->shape;
  const pd_vec3 p = g->work->side[ip].x[vertex];
  pd_status status = PD_OK;
  double d2;
  for (int i = 0; i < ss->nt && !status; i++) {
    const int *t = shape->t[ss->t[i]];
    if (pd_point_box2(p, ss->tbox[i]) >= g->c2) continue;
    pd_point_triangle(p, ss->x[t[0]], ss->x[t[1]], ss->x[t[2]], &d2);
    if (!(d2 >= g->c2)) status = note(g, PD_NEAR_TRIANGLE, vertex, ss->t[i], d2);
  }
  if (!own->sample[vertex]) return status;
  for (int i = 0; i < ss->ne && !status; i++) {
    const pd_edge *e = &shape->e[ss->e[i]];
    if (e->weight == 0 || pd_point_box2(p, ss->ebox[i]) >= g->c2) continue;
    pd_point_segment(p, ss->x[e->v[0]], ss->x[e->v[1]], &d2);
    if (!(d2 >= g->c2)) status = note(g, PD_NEAR_EDGE, vertex, ss->e[i], d2);
  }
  for (int i = 0; i < ss->nv && !status; i++) {
    d2 = pd_norm2(pd_sub(p, ss->x[ss->v[i]]));
    if (!(d2 >= g->c2)) status = note(g, PD_NEAR_VERTEX, vertex, ss->v[i], d2);
  }
  return status;
}

static pd_status gather_edge_pairs(const gathering *g)
{
  const pd_side *sa = &g->work->side[0], *sb = &g->work->side[1];
  pd_status status = PD_OK;
  for (int i = 0; i < sa->ne; i++) {
    const pd_edge *p = &g->pose[0]->shape->e[sa->e[i]];
    if (!p->sharp) continue;
    for (int j = 0; j < sb->ne && !status; j++) {
      const pd_edge *q = &g->pose[1]->shape->e[sb->e[j]];
      int fa, fb;
      if (!q->sharp || pd_box_box2(sa->ebox[i], sb->ebox[j]) >= g->c2) continue;
      const double d2 = pd_segment_segment(sa->x[p->v[0]], sa->x[p->v[1]], sb->x[q->v[0]],
                                           sb->x[q->v[1]], &fa, &fb);
      if (!(d2 >= g->c2)) status = note(g, PD_NEAR_EDGES, sa->e[i], sb->e[j], d2);
    }
  }
  return status;
}

/* all pairs of features of work's sides nearer than c, into work's list */
static pd_status gather(const gathering *g)
{
  pd_pair_work *w = g->work;
  w->nitem = 0;
  for (int ip = 0; ip < 2; ip++) {
    w->from[ip] = w->nitem;
    for (int i = 0; i < w->side[ip].nv; i++) {
      const pd_status status = gather_about(g, ip, w->side[ip].v[i]);
      if (status) return status;
    }
  }
  w->from[2] = w->nitem;
  return gather_edge_pairs(g);
}

/* Keeps those of work's list that were nearer than c; returns 0, and keeps none, if they are too
 * many. */
static int keep_nearer(pd_near *near, const pd_pair_work *w, double c)
{
  int n = 0;
  for (int i = 0, s = 0; i <= w->nitem; i++) {
    while (s < 3 && w->from[s] == i) near->from[s++] = n;
    if (i == w->nitem || w->list[i].d >= c) continue;
    if (n == PD_NEAR_MAX) return 0;
    near->item[n++] = w->list[i];
  }
  near->n = n;
  near->cut = c;
  return 1;
}

/* Makes the list of two bodies for at least the distance cut; near->cut is 0 after it if that does
 * not fit. */
static pd_status make_list(pd_near *near, const pd_pose *a, const pd_pose *b, pd_vec3 r0,
                           pd_vec3 ru, double cut, pd_pair_work *work)
{
  int any;
  double c = ROOM * cut;
  const gathering g = {{a, b}, work, c * c};
  near->cut = 0.0;
  pd_status status = pd_pair_candidates(a, b, r0, ru, c, work, &any);
  if (status) return status;
  work->nitem = work->from[0] = work->from[1] = work->from[2] = 0;
  if (any) status = gather(&g);
  if (status) return status;
  while (c > cut && !keep_nearer(near, work, c)) c = 0.9 * c;
  if (!(near->cut > 0.0)) near->wait = PATIENCE;
  relate(a, b, pd_add(r0, ru), &near->at, &near->rot);
  return PD_OK;
}

/* ---- using it ---- */

static void position_vertices(pd_side *s, const pd_pose *p, pd_vec3 r0, pd_vec3 ru, const int *v,
                              int n, long stamp)
{
  for (int i = 0; i < n; i++) pd_side_position(s, p, r0, ru, v[i], stamp);
}

static const int *vertices_of(const pd_shape *s, int kind, const int *id, int *n)
{
  *n = kind == PD_NEAR_TRIANGLE ? 3 : kind == PD_NEAR_VERTEX ? 1 : 2;
  return kind == PD_NEAR_TRIANGLE ? s->t[*id] : kind == PD_NEAR_VERTEX ? id : s->e[*id].v;
}

/* Those of the list that can be nearer than reach - m now, into work's, with their vertices. */
static pd_status pick(const pd_near *near, const pd_pose *a, const pd_pose *b, pd_vec3 r0,
                      pd_vec3 ru, double reach, pd_pair_work *work)
{
  const pd_pose *const place[2] = {a, b};
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0), from[2] = {zero, r0}, by[2] = {zero, ru};
  pd_status status = pd_pair_reserve(work, a->shape, b->shape);
  if (!status) status = reserve_list(work, near->n); /* another thread may have made the list */
  if (status) return status;
  work->stamp++;
  work->nitem = 0;
  for (int i = 0, s = 0; i <= near->n; i++) {
    while (s < 3 && near->from[s] == i) work->from[s++] = work->nitem;
    if (i == near->n || near->item[i].d >= reach) continue;
    const pd_near_item o = work->list[work->nitem++] = near->item[i];
    const int edges = o.kind == PD_NEAR_EDGES, ip = !edges && i >= near->from[1], iq = 1 - ip;
    const int p = (int)o.p, q = (int)o.q;
    int n;
    const int *v = vertices_of(place[ip]->shape, edges ? PD_NEAR_EDGES : PD_NEAR_VERTEX, &p, &n);
    position_vertices(&work->side[ip], place[ip], from[ip], by[ip], v, n, work->stamp);
    v = vertices_of(place[iq]->shape, (int)o.kind, &q, &n);
    position_vertices(&work->side[iq], place[iq], from[iq], by[iq], v, n, work->stamp);
  }
  return PD_OK;
}

void pd_pair_keep(pd_pair_work *work, pd_near *near) { work->near = near; }

pd_status pd_pair_search(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru, double cut,
                         pd_pair_work *work, pd_found *found)
{
  pd_near *near = work->near;
  int any;
  if (near && near->wait > 0) near->wait--;
  if (near && near->wait == 0 && numbered(a->shape) && numbered(b->shape)) {
    double moved = near->cut > 0.0 ? moved_since(near, a, b, pd_add(r0, ru)) : 0.0;
    if (!(cut + moved <= near->cut)) {
      const pd_status status = make_list(near, a, b, r0, ru, cut, work);
      if (status) return status;
      moved = 0.0;
    }
    *found = PD_LISTED;
    if (near->cut > 0.0) return pick(near, a, b, r0, ru, cut + moved, work);
  }
  const pd_status status = pd_pair_candidates(a, b, r0, ru, cut, work, &any);
  *found = any ? PD_SIDES : PD_APART;
  return status;
}
