/* SPDX-License-Identifier: MIT
 * From triangles as they come out of a file to an oriented indexed surface.
 * All work is done on copies; the caller's mesh changes on success only. */
#include <string.h>

#include "base/memory.h"
#include "geometry/coplanar.h"
#include "geometry/crossing.h"
#include "geometry/mesh_internal.h"

typedef struct repair {
  pd_mesh mesh;       /* the mesh under repair */
  int *source;        /* nt: number of each triangle in the file */
  pd_half_edge *half; /* 3 nt, sorted */
  int *twin;          /* 3 nt: half edge 3 t + side over the edge, -1 if there is not just one */
  signed char *flip;  /* nt: 1 to be turned round, 0 not, -1 not visited yet */
  int *list;          /* nt: work space */
  pd_mesh_report *report;
  pd_fault *fault;
} repair;

/* ---------------------------------------------------------------------- welding */

/* Spatial hash of the vertices that stay. Cells are at least twice the welding radius wide, so a
 * ball touches at most eight; as no two vertices that stay are closer than the radius, few share a
 * cell. */
typedef struct grid {
  const pd_vec3 *v;
  pd_vec3 lo;
  double radius, cell;
  size_t mask; /* number of buckets - 1, a power of two - 1 */
  int *head;   /* first vertex of each bucket, -1 if empty */
  int *next;   /* per vertex: the next one of its bucket */
} grid;

static size_t bucket_of(const grid *g, double i, double j, double k)
{
  /* -0.0 + 0.0 is 0.0, one bucket for both zeros; |i| < 1e13, exact in long long */
  unsigned long long h = (unsigned long long)(long long)i * 0x9E3779B97F4A7C15ull;
  h = (h ^ (h >> 29)) + (unsigned long long)(long long)j * 0xBF58476D1CE4E5B9ull;
  h = (h ^ (h >> 31)) + (unsigned long long)(long long)k * 0x94D049BB133111EBull;
  h = (h ^ (h >> 30)) * 0x9E3779B97F4A7C15ull;
  return (size_t)(h ^ (h >> 32)) & g->mask;
}

/* Cell of a point. Subtraction, division and floor are monotonic in floating point too: a point
 * between two others lies in a cell between theirs, so nothing is lost at a border of cells. */
static pd_vec3 cell_of(const grid *g, pd_vec3 p)
{
  return pd_v(floor((p.x - g->lo.x) / g->cell), floor((p.y - g->lo.y) / g->cell),
              floor((p.z - g->lo.z) / g->cell));
}

static void grid_insert(grid *g, int i)
{
  const pd_vec3 c = cell_of(g, g->v[i]);
  const size_t b = bucket_of(g, c.x, c.y, c.z);
  g->next[i] = g->head[b];
  g->head[b] = i;
}

/* Of the vertices in a bucket takes the nearest to p within sqrt(*best), on a tie the lower. */
static void search_bucket(const grid *g, size_t bucket, pd_vec3 p, int *found, double *best)
{
  for (int i = g->head[bucket]; i >= 0; i = g->next[i]) {
    const double d2 = pd_norm2(pd_sub(g->v[i], p));
    if (d2 < *best || (d2 == *best && (*found < 0 || i < *found))) {
      *best = d2;
      *found = i;
    }
  }
}

static int grid_find(const grid *g, pd_vec3 p)
{
  const double r = 1.001 * g->radius; /* a margin over rounding of the distance */
  const pd_vec3 a = cell_of(g, pd_sub(p, pd_v(r, r, r)));
  const pd_vec3 b = cell_of(g, pd_add(p, pd_v(r, r, r)));
  double best = g->radius * g->radius;
  int found = -1;
  for (double i = a.x; i <= b.x; i += 1.0)
    for (double j = a.y; j <= b.y; j += 1.0)
      for (double k = a.z; k <= b.z; k += 1.0)
        search_bucket(g, bucket_of(g, i, j, k), p, &found, &best);
  return found;
}

static pd_status grid_create(const pd_mesh *used, double tol, grid *g)
{
  pd_vec3 hi;
  size_t n = 1;
  pd_mesh_bounds(used, &g->lo, &hi);
  const double diagonal = pd_norm(pd_sub(hi, g->lo));
  g->v = used->v;
  g->radius = tol * diagonal;
  g->cell = fmax(2.0 * g->radius, 1e-12 * diagonal);
  if (!(g->cell > 0.0)) g->cell = 1.0;
  while (n < 2 * (size_t)used->nv) n *= 2;
  g->mask = n - 1;
  g->head = pd_alloc_array(n, sizeof *g->head);
  g->next = pd_alloc_array((size_t)used->nv, sizeof *g->next);
  if (!g->head || !g->next) return PD_ENOMEM;
  for (size_t i = 0; i < n; i++) g->head[i] = -1;
  return PD_OK;
}

/* Goes through the vertices in their order: each is merged with the nearest that stays within the
 * radius, or stays itself. So none moves by more than the radius, and those that stay are further
 * apart than it. */
static void merge_vertices(repair *r, grid *g, int *map)
{
  for (int i = 0; i < r->mesh.nv; i++) {
    const int other = grid_find(g, r->mesh.v[i]);
    map[i] = other < 0 ? i : other;
    if (other < 0)
      grid_insert(g, i);
    else
      r->report->welded++;
  }
  for (int i = 0; i < 3 * r->mesh.nt; i++) r->mesh.t[i / 3][i % 3] = map[r->mesh.t[i / 3][i % 3]];
}

static void drop_vanished(repair *r)
{
  int n = 0;
  for (int i = 0; i < r->mesh.nt; i++) {
    const int *t = r->mesh.t[i];
    r->source[n] = i;
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    if (n < i) memcpy(r->mesh.t[n], t, sizeof r->mesh.t[n]);
    n++;
  }
  r->report->dropped = r->mesh.nt - n;
  r->mesh.nt = n;
}

static pd_status weld(repair *r, double tol)
{
  grid g = {0};
  int *map = pd_alloc_array((size_t)r->mesh.nv, sizeof *map);
  pd_status status = map ? PD_OK : PD_ENOMEM;
  if (!status) {
    pd_mesh_drop_unused(&r->mesh, map);
    status = grid_create(&r->mesh, tol, &g);
  }
  if (!status) {
    merge_vertices(r, &g, map);
    drop_vanished(r);
    pd_mesh_drop_unused(&r->mesh, map);
  }
  pd_free(g.head);
  pd_free(g.next);
  pd_free(map);
  return status;
}

/* ---------------------------------------------------------------------- checks */

/* Counts a fault of triangle t; the lowest one is named. */
static void count_fault(repair *r, int t)
{
  if (r->fault->count == 0 || r->source[t] < r->fault->item) r->fault->item = r->source[t];
  r->fault->count++;
}

static pd_status check_areas(repair *r)
{
  for (int i = 0; i < r->mesh.nt; i++) {
    if (!pd_triangle_is_thin(&r->mesh, i)) continue;
    if (r->fault->count == 0) r->fault->value = pd_triangle_slenderness(&r->mesh, i);
    count_fault(r, i);
  }
  return r->fault->count ? PD_EDEGENERATE : PD_OK;
}

/* ---------------------------------------------------------------------- topology */

/* Counts the edges with one triangle (open != 0) or with more than two as faults. */
static void count_bad_edges(repair *r, int open)
{
  for (int i = 0, end; i < 3 * r->mesh.nt; i = end) {
    end = pd_half_edge_run(r->half, 3 * r->mesh.nt, i);
    if (open ? end - i == 1 : end - i > 2) count_fault(r, r->half[i].tri);
  }
}

static int half_index(const pd_half_edge *h) { return 3 * h->tri + h->side; }

static void find_twins(repair *r)
{
  for (int i = 0, end; i < 3 * r->mesh.nt; i = end) {
    const pd_half_edge *h = r->half + i;
    end = pd_half_edge_run(r->half, 3 * r->mesh.nt, i);
    if (end - i == 1) r->report->borders++;
    for (int k = i; k < end; k++) r->twin[half_index(r->half + k)] = -1;
    if (end - i != 2) continue;
    r->twin[half_index(h)] = half_index(h + 1);
    r->twin[half_index(h + 1)] = half_index(h);
  }
}

/* Parts are connected over edges, also non-manifold ones. */
static void count_parts(repair *r)
{
  const int n = 3 * r->mesh.nt;
  for (int i = 0; i < r->mesh.nt; i++) r->list[i] = i;
  for (int i = 0, end; i < n; i = end) {
    end = pd_half_edge_run(r->half, n, i);
    for (int k = i + 1; k < end; k++) {
      const int a = pd_find_root(r->list, r->half[i].tri),
                b = pd_find_root(r->list, r->half[k].tri);
      /* the lower root stays, so the root of a part is its first triangle */
      r->list[a > b ? a : b] = a < b ? a : b;
    }
  }
  for (int i = 0; i < r->mesh.nt; i++) r->report->parts += r->list[i] == i;
}

static pd_status check_manifold(repair *r)
{
  if (r->report->borders > 0) {
    count_bad_edges(r, 1);
    return PD_EOPENSURFACE;
  }
  count_bad_edges(r, 0);
  return r->fault->count ? PD_ENONMANIFOLD : PD_OK;
}

static pd_status check_parts(repair *r)
{
  if (r->report->parts == 1) return PD_OK;
  int second = 1;
  while (r->list[second] != second) second++;
  r->fault->item = r->source[second];
  r->fault->count = r->report->parts;
  return PD_EPARTS;
}

/* ---------------------------------------------------------------------- orientation */

/* 1 if the triangle goes along its side from the lower to the higher vertex */
static int direction(const repair *r, int half)
{
  const int *t = r->mesh.t[half / 3], k = half % 3;
  return t[k] < t[(k + 1) % 3];
}

/* Visits the neighbours of triangle t: two triangles must go along their edge in opposite
 * directions. Appends those seen first to the list of n and returns its new length. */
static int visit_neighbours(repair *r, int t, int *list, int n)
{
  for (int k = 0; k < 3; k++) {
    const int h = 3 * t + k, twin = r->twin[h];
    if (twin < 0) continue;
    const int other = twin / 3, want = r->flip[t] ^ (direction(r, h) == direction(r, twin));
    if (r->flip[other] < 0) {
      r->flip[other] = (signed char)want;
      list[n++] = other;
    } else if (r->flip[other] != want && t < other) {
      count_fault(r, t);
    }
  }
  return n;
}

/* Floods one patch from a seed; what is right for the majority is right. */
static void orient_patch(repair *r, int seed)
{
  int n = 1, flips = 0;
  r->list[0] = seed;
  r->flip[seed] = 0;
  for (int i = 0; i < n; i++) n = visit_neighbours(r, r->list[i], r->list, n);
  for (int i = 0; i < n; i++) flips += r->flip[r->list[i]];
  if (2 * flips > n)
    for (int i = 0; i < n; i++) r->flip[r->list[i]] ^= 1;
}

static void turn_round(int *t)
{
  const int swap = t[1];
  t[1] = t[2];
  t[2] = swap;
}

static pd_status orient(repair *r)
{
  memset(r->flip, -1, (size_t)r->mesh.nt);
  for (int i = 0; i < r->mesh.nt; i++)
    if (r->flip[i] < 0) orient_patch(r, i);
  if (r->fault->count) return PD_EORIENT;
  for (int i = 0; i < r->mesh.nt; i++) {
    if (!r->flip[i]) continue;
    turn_round(r->mesh.t[i]);
    r->report->flipped++;
  }
  return PD_OK;
}

/* Turns an inside-out surface round; what encloses nothing beyond round-off is refused. */
static pd_status orient_outwards(repair *r)
{
  double size;
  const double volume = pd_mesh_volume(&r->mesh, &size);
  if (!(fabs(volume) > PD_VOLUME_ROUNDOFF * size)) {
    r->fault->value = volume;
    return PD_EVOLUME;
  }
  if (volume > 0.0) return PD_OK;
  r->report->inverted = 1;
  for (int i = 0; i < r->mesh.nt; i++) turn_round(r->mesh.t[i]);
  return PD_OK;
}

/* ---------------------------------------------------------------------- the whole */

static pd_status allocate(repair *r, const pd_mesh *mesh)
{
  const size_t n = (size_t)mesh->nt;
  const int(*t)[3] = (const int(*)[3])mesh->t;
  const pd_status status = pd_mesh_create(mesh->nv, mesh->v, mesh->nt, t, &r->mesh);
  if (status) return status;
  r->source = pd_alloc_array(n, sizeof *r->source);
  return r->source ? PD_OK : PD_ENOMEM;
}

static pd_status allocate_topology(repair *r)
{
  const size_t n = (size_t)r->mesh.nt;
  r->twin = pd_alloc_array(3 * n, sizeof *r->twin);
  r->flip = pd_alloc_array(n, sizeof *r->flip);
  r->list = pd_alloc_array(n, sizeof *r->list);
  return r->twin && r->flip && r->list ? PD_OK : PD_ENOMEM;
}

/* which triangles cross, or lie on each other, numbered as in the file */
static pd_status find_pairs(repair *r, double tol, int closed)
{
  pd_triangle_pairs *found = closed ? &r->report->crossings : &r->report->doubled;
  const pd_status status =
      closed ? pd_mesh_crossings(&r->mesh, found)
             : pd_mesh_coplanar(&r->mesh, tol * pd_mesh_diagonal(&r->mesh), found);
  if (status || found->pairs == 0) return status;
  const int *t = r->mesh.t[found->first[0]];
  const pd_vec3 *v = r->mesh.v;
  r->report->middle = pd_scale(1.0 / 3.0, pd_add(v[t[0]], pd_add(v[t[1]], v[t[2]])));
  for (int k = 0; k < 2; k++) found->first[k] = r->source[found->first[k]];
  return PD_OK;
}

static pd_status topology(repair *r, double tol, int closed)
{
  pd_status status = allocate_topology(r);
  if (!status) status = pd_half_edges(&r->mesh, &r->half);
  if (status) return status;
  find_twins(r);
  count_parts(r);
  if (closed) status = check_manifold(r);
  if (!status && closed) status = check_parts(r);
  if (!status) status = orient(r);
  if (!status && closed) status = orient_outwards(r);
  if (!status) status = find_pairs(r, tol, closed);
  return status;
}

/* What triangles are divided into may be there twice as well. */
static pd_status clean(repair *r, double tol, int closed)
{
  pd_status status = closed ? check_areas(r) : pd_mesh_clean(&r->mesh, r->source, r->report);
  if (!status) status = pd_mesh_divide(&r->mesh, &r->source, tol, &r->report->divided);
  if (status || closed || r->report->divided == 0) return status;
  return pd_mesh_clean(&r->mesh, r->source, r->report);
}

static pd_status run(repair *r, const pd_mesh *mesh, double tol, int closed)
{
  pd_status status = allocate(r, mesh);
  if (!status) status = weld(r, tol);
  if (!status && r->mesh.nt > 0) status = clean(r, tol, closed);
  if (!status && r->mesh.nt == 0) status = PD_EEMPTY;
  if (!status) status = topology(r, tol, closed);
  return status;
}

pd_status pd_mesh_repair(pd_mesh *mesh, double tol, int closed, pd_mesh_report *report,
                         pd_fault *fault)
{
  pd_mesh_report no_report;
  pd_fault no_fault;
  repair r = {0};
  r.report = report ? report : &no_report;
  r.fault = fault ? fault : &no_fault;
  memset(r.report, 0, sizeof *r.report);
  memset(r.fault, 0, sizeof *r.fault);
  if (!(tol >= 0.0 && tol <= 1.0)) return PD_ERANGE;
  const pd_status status = run(&r, mesh, tol, closed);
  if (!status) {
    pd_mesh_free(mesh);
    *mesh = r.mesh;
    memset(&r.mesh, 0, sizeof r.mesh);
  }
  pd_mesh_free(&r.mesh);
  pd_free(r.source);
  pd_free(r.half);
  pd_free(r.twin);
  pd_free(r.flip);
  pd_free(r.list);
  return status;
}
