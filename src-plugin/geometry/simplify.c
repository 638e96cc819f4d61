/* SPDX-License-Identifier: MIT
 * Vertices are taken out, those first whose loss is least, as long as what was there stays near.
 * The triangles that are left are moved outwards until they enclose it. What that makes of the
 * distance is measured, and vertices are taken out anew, fewer where it is too far. */
#include "geometry/simplify.h"

#include <string.h>

#include "base/memory.h"
#include "geometry/collapse.h"
#include "geometry/enclose.h"
#include "geometry/near_points.h"
#include "geometry/queue.h"

/* What is aimed at over the tolerance, since moving outwards adds to it, and by how much less
 * about the places that are too far after an attempt, or if the whole is no surface. Estimates. */
#define FIRST_AIM 0.85
#define LESS 0.7
#define ATTEMPTS 24

/* A triangle goes up by so much of the tolerance more than what it has to clear. Where it crosses
 * what was there all the same, between the points that are remembered, it goes up by this factor
 * and the same once more, up to the tolerance. Estimates. */
#define CLEAR 0.002
#define HIGHER 1.25

typedef struct thinning {
  pd_collapse c;
  pd_queue queue; /* vertices, by distance squared */
  int *to;        /* nv: where a vertex of the queue would go to, -1: not known any more */
} thinning;

static pd_status begin(const pd_mesh *mesh, const double *most, thinning *s)
{
  pd_status status = pd_collapse_begin(mesh, most, &s->c);
  if (!status) status = pd_queue_begin(mesh->nv, &s->queue);
  if (status) return status;
  s->to = pd_alloc_array((size_t)mesh->nv, sizeof *s->to);
  return s->to ? PD_OK : PD_ENOMEM;
}

/* Finds where a vertex goes best; DBL_MAX if nowhere. */
static double find_target(thinning *s, int u)
{
  pd_fan fan;
  double least = DBL_MAX;
  s->to[u] = -1;
  if (!pd_collapse_fan(&s->c, u, &fan)) return DBL_MAX;
  for (int i = 0; i < fan.n; i++) {
    const int *t = s->c.t[fan.t[i]];
    for (int k = 0; k < 3; k++) {
      if (t[k] != u) continue;
      /* every neighbour once: the one behind it */
      const int v = t[(k + 1) % 3];
      const double cost = pd_collapse_cost(&s->c, &fan, u, v, least);
      if (cost < least) least = cost, s->to[u] = v;
    }
  }
  return least;
}

/* Those about a vertex have to be looked at again, no sooner than the present ones. */
static void forget_about(thinning *s, int v, double now)
{
  pd_fan fan;
  pd_collapse_fan(&s->c, v, &fan);
  for (int i = 0; i < fan.n; i++)
    for (int k = 0; k < 3; k++) {
      const int w = s->c.t[fan.t[i]][k];
      s->to[w] = -1;
      if (s->queue.place[w] < 0) pd_queue_put(&s->queue, w, now);
    }
}

static void take_out(thinning *s, int u, double cost)
{
  const int v = s->to[u];
  pd_fan fan;
  pd_collapse_fan(&s->c, u, &fan);
  pd_collapse_do(&s->c, &fan, u, v);
  forget_about(s, v, cost);
}

/* A place that has been found holds as long as nothing changes about the vertex, but for the fans
 * of its neighbours, on which it depends whether a surface is left. */
static void thin(thinning *s)
{
  for (int u = 0; u < s->c.nv; u++) {
    s->to[u] = -1;
    pd_queue_put(&s->queue, u, 0.0);
  }
  for (int u; (u = pd_queue_take(&s->queue)) >= 0;) {
    const double then = s->queue.key[u];
    const int to = s->to[u];
    const double cost = find_target(s, u);
    if (s->to[u] < 0) continue;
    if (to == s->to[u] && cost <= then)
      take_out(s, u, cost);
    else
      pd_queue_put(&s->queue, u, cost);
  }
}

/* ---- attempts ---- */

typedef struct attempt {
  const pd_mesh *mesh;
  int crossings; /* pairs of its triangles that cross */
  double tolerance;
  double *most;     /* of the points of the mesh: how far they may be, squared */
  char *far;        /* of the same: they are too far */
  char *far_corner; /* of the points of the simple mesh, as many */
  char *marked;     /* of the triangles of the simple mesh, room for all of the mesh */
  pd_mesh simple;
} attempt;

static int points_of(const pd_mesh *mesh) { return mesh->nv + 3 * mesh->nt / 2; }

/* Moves what is left outwards. *good: it encloses the mesh then; else triangles that do not are
 * marked. */
static pd_status enclose(attempt *a, pd_collapse *c, int *good)
{
  const double clear = CLEAR * a->tolerance;
  double top = 0.0;
  *good = 0;
  pd_collapse_find_rises(c, clear);
  while (top <= a->tolerance) {
    pd_mesh_free(&a->simple);
    pd_status status = pd_collapse_lifted(c, &a->simple);
    if (!status) status = pd_mesh_encloses(&a->simple, a->mesh, a->marked, good);
    if (status || *good) return status;
    top = pd_collapse_raise(c, a->marked, HIGHER, clear);
  }
  return PD_OK;
}

/* the ends of edges of the simple mesh whose middles are too far */
static void take_in_ends(attempt *a)
{
  int n = a->simple.nv;
  for (int i = 0; i < 3 * a->simple.nt; i++) {
    const int p = a->simple.t[i / 3][i % 3], q = a->simple.t[i / 3][(i % 3 + 1) % 3];
    if (p < q && a->far_corner[n++]) a->far_corner[p] = a->far_corner[q] = 1;
  }
}

/* *good: either mesh is near to the other; else triangles where they are not are marked. */
static pd_status check_distance(attempt *a, const pd_collapse *c, int *good)
{
  int far = 0, far_corner = 0;
  pd_status status = pd_mesh_far_points(a->mesh, &a->simple, a->tolerance, a->far, &far);
  if (!status)
    status = pd_mesh_far_points(&a->simple, a->mesh, a->tolerance, a->far_corner, &far_corner);
  if (status) return status;
  take_in_ends(a);
  pd_collapse_mark(c, a->far_corner, a->far, a->marked);
  *good = !far && !far_corner;
  return PD_OK;
}

/* *good: the simple mesh is the surface of a body, with no more crossings than the other; else all
 * of its triangles are marked */
static pd_status check_surface(attempt *a, int *good)
{
  pd_mesh_report report;
  pd_fault fault;
  const pd_status status = pd_mesh_repair(&a->simple, 0.0, 1, &report, &fault);
  *good = !status && !report.flipped && !report.inverted && report.crossings.pairs <= a->crossings;
  memset(a->marked, !*good, (size_t)a->mesh->nt);
  return status == PD_ENOMEM ? status : PD_OK;
}

static pd_status check(attempt *a, pd_collapse *c, int *good)
{
  pd_status status = enclose(a, c, good);
  if (!status && *good) status = check_distance(a, c, good);
  if (!status && *good) status = check_surface(a, good);
  return status;
}

/* Thins the mesh as far as its points may be away. *good: what is left encloses it within the
 * tolerance; else they have to be nearer where it does not. */
static pd_status try_once(attempt *a, int *good)
{
  thinning s;
  memset(&s, 0, sizeof s);
  pd_status status = begin(a->mesh, a->most, &s);
  if (!status) {
    thin(&s);
    status = check(a, &s.c, good);
  }
  if (!status && !*good) pd_collapse_tighten(&s.c, a->marked, LESS * LESS, a->most);
  pd_collapse_free(&s.c);
  pd_queue_free(&s.queue);
  pd_free(s.to);
  return status;
}

static pd_status copy(const pd_mesh *mesh, pd_mesh *to)
{
  return pd_mesh_create(mesh->nv, mesh->v, mesh->nt, (const int(*)[3])mesh->t, to);
}

static pd_status search(attempt *a, int *good)
{
  const double aim = FIRST_AIM * a->tolerance;
  for (int i = 0; i < points_of(a->mesh); i++) a->most[i] = aim * aim;
  for (int i = 0; i < ATTEMPTS && !*good; i++) {
    const pd_status status = try_once(a, good);
    if (status) return status;
    if (a->simple.nt == a->mesh->nt) break;
  }
  return PD_OK;
}

static pd_status begin_search(const pd_mesh *mesh, attempt *a)
{
  const size_t points = (size_t)points_of(mesh);
  a->most = pd_alloc_array(points, sizeof *a->most);
  a->far = pd_alloc_array(points, sizeof *a->far);
  a->far_corner = pd_alloc_array(points, sizeof *a->far_corner);
  a->marked = pd_alloc_array((size_t)mesh->nt, sizeof *a->marked);
  return a->most && a->far && a->far_corner && a->marked ? PD_OK : PD_ENOMEM;
}

static void end_search(attempt *a)
{
  pd_free(a->most);
  pd_free(a->far);
  pd_free(a->far_corner);
  pd_free(a->marked);
}

pd_status pd_mesh_simplify(const pd_mesh *mesh, int crossings, double tolerance, pd_mesh *simple)
{
  attempt a = {mesh, crossings, tolerance, NULL, NULL, NULL, NULL, {0, 0, NULL, NULL}};
  int good = 0;
  memset(simple, 0, sizeof *simple);
  if (!(tolerance > 0.0)) return PD_ERANGE;
  pd_status status = begin_search(mesh, &a);
  if (!status) status = search(&a, &good);
  end_search(&a);
  if (good && a.simple.nt < mesh->nt) {
    *simple = a.simple;
    return PD_OK;
  }
  pd_mesh_free(&a.simple);
  return status ? status : copy(mesh, simple);
}
