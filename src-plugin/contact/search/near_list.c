/* SPDX-License-Identifier: MIT
 * Near pairs of features of two bodies, kept from one search to the next (Verlet list).
 *
 * A list made for the distance c holds every pair of features nearer than c, each with its distance
 * then, rounded down. What the bodies have moved against each other since, m, bounds the change of
 * every distance: the list is complete for all distances up to c - m, and a pair whose distance was
 * d is further apart than d - m. m is seen from the body with the longer levers, so that what both
 * do together does not count: |change of the other's centre| + |change of its rotation| times its
 * longest lever.
 *
 * The order is that of the search without a list, so that sums over the pairs are the same bits. */
#include "contact/search/near_list.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "contact/search/boxes.h"
#include "geometry/distance.h"

enum {
  FEATURES = 1 << PD_NEAR_BITS, /* of a shape */
  RUN = 8                       /* candidates in a box: next to each other in the tree's order */
};

static int numbered(const pd_shape *s)
{
  return s->nv <= FEATURES && s->nt <= FEATURES && s->ne <= FEATURES;
}

/* pose of the body with the shorter levers as the other one sees it; returns the longest of them */
static double relative_pose(const pd_pair_geometry *pair, pd_vec3 *at, pd_mat3 *rot)
{
  const pd_pose *a = pair->a, *b = pair->b;
  const pd_vec3 r = pd_centre_to_centre(pair);
  const int from_a = a->shape->lever >= b->shape->lever;
  const pd_mat3 frame = from_a ? a->rot : b->rot;
  *at = pd_mtv(frame, from_a ? r : pd_neg(r));
  *rot = pd_m_mul(pd_m_transpose(frame), from_a ? b->rot : a->rot);
  return from_a ? b->shape->lever : a->shape->lever;
}

/* no distance has changed more since the list was made */
static double moved_since(const pd_near *near, const pd_pair_geometry *pair)
{
  pd_vec3 at;
  pd_mat3 rot;
  const double lever = relative_pose(pair, &at, &rot);
  return pd_norm(pd_sub(at, near->at)) +
         lever * (pd_turn_between(&rot, &near->rot) + PD_ROTATION_ROUNDING);
}

/* ---- making a list ---- */

typedef struct gathering {
  const pd_pair_geometry *pair;
  const pd_side *side; /* candidates of A and of B */
  pd_side_runs *runs;  /* and the boxes about them */
  pd_near_pairs *found;
  double c2;     /* squared distance, of the cores of rounded bodies */
  double rounds; /* their radii */
  double unit;   /* of a level */
} gathering;

/* ---- boxes about runs of candidates ---- */

static int count_runs(int n) { return (n + RUN - 1) / RUN; }

static int end_of_run(int run, int n) { return (run + 1) * RUN < n ? (run + 1) * RUN : n; }

/* n candidates with their boxes */
static pd_status box_runs(pd_runs *runs, const pd_box *box, int n)
{
  const pd_status status = PD_ARRAY_RESERVE(runs->box, runs->cap, count_runs(n), PD_CONTACTS_FIRST);
  for (int i = 0; !status && i < n; i++) {
    pd_box *run = &runs->box[i / RUN];
    *run = i % RUN ? pd_box_join(*run, box[i]) : box[i];
  }
  return status;
}

static pd_status box_vertices(pd_runs *runs, const pd_side *side)
{
  const pd_status status =
      PD_ARRAY_RESERVE(runs->box, runs->cap, count_runs(side->nv), PD_CONTACTS_FIRST);
  for (int i = 0; !status && i < side->nv; i++) {
    const pd_vec3 x = side->x[side->v[i]];
    const pd_box point = {x, x};
    pd_box *run = &runs->box[i / RUN];
    *run = i % RUN ? pd_box_join(*run, point) : point;
  }
  return status;
}

static pd_status box_side(pd_side_runs *runs, const pd_side *side)
{
  pd_status status = box_runs(&runs->t, side->tbox, side->nt);
  if (!status) status = box_runs(&runs->e, side->ebox, side->ne);
  return status ? status : box_vertices(&runs->v, side);
}

/* ---- pairs ---- */

static pd_status reserve_pairs(pd_near_pairs *found, int n)
{
  return PD_ARRAY_RESERVE(found->item, found->cap, n, PD_NEAR_FEW);
}

static pd_status note(const gathering *g, int kind, int p, int q, double d2)
{
  pd_near_pairs *found = g->found;
  const pd_status status = reserve_pairs(found, found->n + 1);
  if (status) return status;
  pd_near_item *o = &found->item[found->n++];
  o->kind = (unsigned)kind & 3u;
  o->p = (unsigned)p & (FEATURES - 1u);
  o->q = (unsigned)q & (FEATURES - 1u);
  const double gap = fmax(0.0, (1.0 - PD_NEAR_ROUNDING) * sqrt(d2) - g->rounds);
  o->level = (unsigned)(gap / g->unit) & (PD_NEAR_LEVELS - 1u);
  return PD_OK;
}

/* a vertex, sampled or not, whose neighbours are sought among a run of candidates */
typedef struct about {
  const gathering *g;
  const pd_side *surface;
  const pd_shape *shape; /* of the surface */
  int vertex;
  pd_vec3 p;
} about;

static pd_status note_triangles(const about *o, int begin, int end)
{
  const pd_side *surface = o->surface;
  pd_status status = PD_OK;
  double d2;
  for (int i = begin; i < end && !status; i++) {
    const int *t = o->shape->t[surface->t[i]];
    if (pd_point_box2(o->p, surface->tbox[i]) >= o->g->c2) continue;
    pd_point_triangle(o->p, surface->x[t[0]], surface->x[t[1]], surface->x[t[2]], &d2);
    if (!(d2 >= o->g->c2)) status = note(o->g, PD_NEAR_TRIANGLE, o->vertex, surface->t[i], d2);
  }
  return status;
}

static pd_status note_edges(const about *o, int begin, int end)
{
  const pd_side *surface = o->surface;
  pd_status status = PD_OK;
  double d2;
  for (int i = begin; i < end && !status; i++) {
    const pd_edge *e = &o->shape->e[surface->e[i]];
    if (e->weight == 0 || pd_point_box2(o->p, surface->ebox[i]) >= o->g->c2) continue;
    pd_point_segment(o->p, surface->x[e->v[0]], surface->x[e->v[1]], &d2);
    if (!(d2 >= o->g->c2)) status = note(o->g, PD_NEAR_EDGE, o->vertex, surface->e[i], d2);
  }
  return status;
}

static pd_status note_vertices(const about *o, int begin, int end)
{
  const pd_side *surface = o->surface;
  pd_status status = PD_OK;
  for (int i = begin; i < end && !status; i++) {
    const double d2 = pd_norm2(pd_sub(o->p, surface->x[surface->v[i]]));
    if (!(d2 >= o->g->c2)) status = note(o->g, PD_NEAR_VERTEX, o->vertex, surface->v[i], d2);
  }
  return status;
}

/* those of n candidates whose runs are near */
static pd_status search_runs(const about *o, const pd_runs *runs, int n,
                             pd_status (*notes)(const about *, int, int))
{
  pd_status status = PD_OK;
  for (int r = 0; r < count_runs(n) && !status; r++)
    if (!(pd_point_box2(o->p, runs->box[r]) >= o->g->c2))
      status = notes(o, r * RUN, end_of_run(r, n));
  return status;
}

/* triangles near a vertex; edges and vertices as well if it is sampled */
static pd_status gather_about(const gathering *g, int on_b, int vertex)
{
  const pd_side *surface = &g->side[1 - on_b];
  const pd_side_runs *runs = &g->runs[1 - on_b];
  const pd_pose *own = on_b ? g->pair->b : g->pair->a, *other = on_b ? g->pair->a : g->pair->b;
  const about o = {g, surface, other->shape, vertex, g->side[on_b].x[vertex]};
  pd_status status = search_runs(&o, &runs->t, surface->nt, note_triangles);
  if (status || !own->shape->sample[vertex]) return status;
  status = search_runs(&o, &runs->e, surface->ne, note_edges);
  return status ? status : search_runs(&o, &runs->v, surface->nv, note_vertices);
}

/* edge of A against a run of those of B */
static pd_status note_edge_pairs(const gathering *g, int i, int begin, int end)
{
  const pd_side *sa = &g->side[0], *sb = &g->side[1];
  const pd_edge *p = &g->pair->a->shape->e[sa->e[i]];
  pd_status status = PD_OK;
  for (int j = begin; j < end && !status; j++) {
    const pd_edge *q = &g->pair->b->shape->e[sb->e[j]];
    int fa, fb;
    if (!q->sharp || pd_box_box2(sa->ebox[i], sb->ebox[j]) >= g->c2) continue;
    const double d2 = pd_segment_segment(sa->x[p->v[0]], sa->x[p->v[1]], sb->x[q->v[0]],
                                         sb->x[q->v[1]], &fa, &fb);
    if (!(d2 >= g->c2)) status = note(g, PD_NEAR_EDGES, sa->e[i], sb->e[j], d2);
  }
  return status;
}

static pd_status gather_edge_pairs(const gathering *g)
{
  const pd_side *sa = &g->side[0];
  const pd_runs *runs = &g->runs[1].e;
  const int n = g->side[1].ne;
  pd_status status = PD_OK;
  for (int i = 0; i < sa->ne; i++) {
    if (!g->pair->a->shape->e[sa->e[i]].sharp) continue;
    for (int r = 0; r < count_runs(n) && !status; r++)
      if (!(pd_box_box2(sa->ebox[i], runs->box[r]) >= g->c2))
        status = note_edge_pairs(g, i, r * RUN, end_of_run(r, n));
  }
  return status;
}

/* all pairs of candidates nearer than the distance */
static pd_status gather(const gathering *g)
{
  pd_near_pairs *found = g->found;
  pd_status status = box_side(&g->runs[0], &g->side[0]);
  if (!status) status = box_side(&g->runs[1], &g->side[1]);
  if (status) return status;
  found->n = 0;
  for (int on_b = 0; on_b < 2; on_b++) {
    found->first[on_b] = found->n;
    for (int i = 0; i < g->side[on_b].nv; i++) {
      status = gather_about(g, on_b, g->side[on_b].v[i]);
      if (status) return status;
    }
  }
  found->first[2] = found->n;
  return gather_edge_pairs(g);
}

static int count_nearer(const pd_near_pairs *found, double unit, double c)
{
  int n = 0;
  for (int i = 0; i < found->n; i++) n += found->item[i].level * unit < c;
  return n;
}

/* How many pairs a list for a distance may hold that n of those found are nearer to. */
static int room_for(int n)
{
  const double most = PD_NEAR_SPARE * n;
  return most < PD_NEAR_FEW ? PD_NEAR_FEW : most < PD_NEAR_MAX ? (int)most : PD_NEAR_MAX;
}

/* Keeps those of the pairs found that were nearer than near->cut. */
static pd_status keep_nearer(pd_near *near, const pd_near_pairs *found, int n)
{
  const pd_array items = PD_ARRAY(near->item);
  const pd_status status = pd_arrays_reserve(&items, 1, &near->cap, (size_t)n);
  if (status) return status;
  near->n = 0;
  for (int i = 0, s = 0; i <= found->n; i++) {
    while (s < 3 && found->first[s] == i) near->first[s++] = near->n;
    if (i == found->n || found->item[i].level * near->unit >= near->cut) continue;
    near->item[near->n++] = found->item[i];
  }
  return PD_OK;
}

/* A list that is made anew after a search or two is made for bodies that move on: no larger than
 * these searches need it. One that lasts is made for more. */
static double room_of(const pd_near *near)
{
  if (!(near->room > 0.0)) return PD_NEAR_ROOM;
  return near->uses < PD_NEAR_LASTING ? fmax(PD_NEAR_ROOM_LEAST, near->room / PD_NEAR_ROOM_CHANGE)
                                      : fmin(PD_NEAR_ROOM, near->room * PD_NEAR_ROOM_CHANGE);
}

/* Makes the list of two bodies for at least the distance cut; near->cut is 0 after it if that does
 * not fit. */
static pd_status make_list(pd_near *near, const pd_pair_geometry *pair, double cut,
                           pd_feature_search *search)
{
  pd_near_pairs *found = &search->near_pairs;
  int any;
  near->room = room_of(near);
  near->uses = 0;
  double c = near->room * cut;
  const double unit = c / PD_NEAR_LEVELS, rounds = pd_rounds(pair), far = c + rounds;
  const gathering g = {pair, search->candidates.side, search->runs, found, far * far, rounds, unit};
  near->cut = 0.0;
  pd_status status = pd_find_near_candidates(pair, far, &search->candidates, &any);
  if (status) return status;
  found->n = found->first[0] = found->first[1] = found->first[2] = 0;
  if (any) status = gather(&g);
  if (status) return status;
  const int room = room_for(count_nearer(found, unit, cut));
  int n = found->n;
  while (n > room && c > cut) {
    c = fmax(cut, PD_NEAR_SHRINK * c);
    n = count_nearer(found, unit, c);
  }
  relative_pose(pair, &near->at, &near->rot);
  near->wait = n > room ? PD_NEAR_PATIENCE : 0;
  if (n > room) return PD_OK;
  near->unit = unit;
  near->cut = c;
  status = keep_nearer(near, found, n);
  if (status) near->cut = 0.0;
  return status;
}

/* ---- using it ---- */

typedef struct placing {
  pd_side *side;
  const pd_pose *pose;
  pd_vec3 r0, ru; /* from A's centre to the side's own */
  long stamp;
} placing;

static void position_vertices(const placing *at, const int *v, int n)
{
  for (int i = 0; i < n; i++) pd_side_position(at->side, at->pose, at->r0, at->ru, v[i], at->stamp);
}

static const int *vertices_of(const pd_shape *s, int kind, const int *id, int *n)
{
  *n = kind == PD_NEAR_TRIANGLE ? 3 : kind == PD_NEAR_VERTEX ? 1 : 2;
  return kind == PD_NEAR_TRIANGLE ? s->t[*id] : kind == PD_NEAR_VERTEX ? id : s->e[*id].v;
}

/* positions of the vertices of a near pair; on_b: its vertex is B's */
static void position_pair(const placing *at, pd_near_item o, int on_b)
{
  const placing *own = &at[on_b], *other = &at[1 - on_b];
  const int p = (int)o.p, q = (int)o.q;
  const int kind = o.kind == PD_NEAR_EDGES ? PD_NEAR_EDGES : PD_NEAR_VERTEX;
  int n;
  const int *v = vertices_of(own->pose->shape, kind, &p, &n);
  position_vertices(own, v, n);
  v = vertices_of(other->pose->shape, (int)o.kind, &q, &n);
  position_vertices(other, v, n);
}

/* Those of the list that can be nearer than reach - m now, into the search's, with their vertices.
 */
static pd_status pick(const pd_near *near, const pd_pair_geometry *pair, double reach,
                      pd_feature_search *search)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_candidates *c = &search->candidates;
  pd_near_pairs *found = &search->near_pairs;
  pd_status status = pd_candidates_reserve(c, pair->a->shape, pair->b->shape);
  if (!status) status = reserve_pairs(found, near->n); /* another thread may have made the list */
  if (status) return status;
  c->stamp++;
  found->n = 0;
  const placing at[2] = {{&c->side[0], pair->a, zero, zero, c->stamp},
                         {&c->side[1], pair->b, pair->r0, pair->ru, c->stamp}};
  for (int i = 0, s = 0; i <= near->n; i++) {
    while (s < 3 && near->first[s] == i) found->first[s++] = found->n;
    if (i == near->n || near->item[i].level * near->unit >= reach) continue;
    const pd_near_item o = found->item[found->n++] = near->item[i];
    position_pair(at, o, o.kind != PD_NEAR_EDGES && i >= near->first[1]);
  }
  return PD_OK;
}

pd_status pd_pair_search(const pd_pair_geometry *pair, double cut, pd_near *near,
                         pd_feature_search *search, pd_found *found)
{
  int any;
  if (near && near->wait > 0) near->wait--;
  if (near && near->wait == 0 && numbered(pair->a->shape) && numbered(pair->b->shape)) {
    double moved = near->cut > 0.0 ? moved_since(near, pair) : 0.0;
    if (!(cut + moved <= near->cut)) {
      const pd_status status = make_list(near, pair, cut, search);
      if (status) return status;
      moved = 0.0;
    }
    *found = PD_LISTED;
    near->uses++;
    if (near->cut > 0.0) return pick(near, pair, cut + moved, search);
  }
  const pd_status status =
      pd_find_near_candidates(pair, cut + pd_rounds(pair), &search->candidates, &any);
  *found = any ? PD_SIDES : PD_APART;
  return status;
}

void pd_near_free(pd_near *near)
{
  pd_free(near->item);
  near->item = NULL;
  near->cap = 0;
}

void pd_feature_search_free(pd_feature_search *search)
{
  pd_candidates_free(&search->candidates);
  for (int i = 0; i < 2; i++) {
    pd_free(search->runs[i].t.box);
    pd_free(search->runs[i].e.box);
    pd_free(search->runs[i].v.box);
  }
  pd_free(search->near_pairs.item);
}
