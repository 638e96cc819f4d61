/* SPDX-License-Identifier: MIT
 * Vertices are taken out, those first whose loss is least, as long as what was there stays near.
 * The triangles that are left are moved outwards until they enclose it. What that makes of the
 * distance is measured, and vertices are taken out anew, fewer, if it is too far. */
#include "geometry/simplify.h"

#include <string.h>

#include "base/memory.h"
#include "geometry/collapse.h"
#include "geometry/enclose.h"
#include "geometry/near_points.h"
#include "geometry/queue.h"

/* What is aimed at over the tolerance, since moving outwards adds to it, and by how much less in
 * each of so many attempts. Estimates. */
#define FIRST_AIM 0.85
#define LESS 0.9
#define ATTEMPTS 12

/* Points that are remembered rise over a triangle by so much of the tolerance less than the
 * triangle will; others rise higher than these: what these do is enlarged step by step. Estimates.
 */
#define CLEAR 0.002
static const double enlarged[] = {1.0, 1.1, 1.3, 1.6, 2.0};
enum { ENLARGED = sizeof enlarged / sizeof *enlarged };

typedef struct thinning {
  pd_collapse c;
  pd_queue queue; /* vertices, by distance squared */
  int *to;        /* nv: where a vertex of the queue would go to, -1: not known any more */
  double most;    /* distance squared */
} thinning;

static pd_status begin(const pd_mesh *mesh, thinning *s)
{
  pd_status status = pd_collapse_begin(mesh, &s->c);
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
      const double cost = pd_collapse_cost(&s->c, &fan, u, v, fmin(least, s->most));
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
  pd_mesh simple;
} attempt;

/* *good: whether the simple mesh is the surface of a body, and encloses the other */
static pd_status check_enclosure(attempt *a, int *good)
{
  pd_mesh_report report;
  pd_fault fault;
  *good = 0;
  const pd_status sound = pd_mesh_repair(&a->simple, 0.0, 1, &report, &fault);
  if (sound) return sound == PD_ENOMEM ? sound : PD_OK;
  if (report.flipped || report.inverted || report.crossings.pairs > a->crossings) return PD_OK;
  return pd_mesh_encloses(&a->simple, a->mesh, a->crossings + report.crossings.pairs, good);
}

/* *good: either mesh is near to the other */
static pd_status check_distance(const attempt *a, int *good)
{
  const pd_status status = pd_mesh_points_are_near(&a->simple, a->mesh, a->tolerance, good);
  if (status || !*good) return status;
  return pd_mesh_points_are_near(a->mesh, &a->simple, a->tolerance, good);
}

/* Moves what is left outwards. *good: it encloses the mesh then. */
static pd_status enclose(attempt *a, pd_collapse *c, int *good)
{
  *good = 0;
  for (int i = 0; i < ENLARGED && !*good; i++) {
    pd_mesh_free(&a->simple);
    pd_status status = pd_collapse_lifted(c, enlarged[i], CLEAR * a->tolerance, &a->simple);
    if (!status) status = check_enclosure(a, good);
    if (status) return status;
  }
  return PD_OK;
}

/* Thins the mesh until what was there is off by the aim. *good: what is left encloses it within the
 * tolerance; the simple mesh has as many triangles as the mesh if none could be taken out. */
static pd_status try_aim(attempt *a, double aim, int *good)
{
  thinning s;
  memset(&s, 0, sizeof s);
  s.most = aim * aim;
  pd_status status = begin(a->mesh, &s);
  if (!status) {
    thin(&s);
    status = enclose(a, &s.c, good);
  }
  if (!status && *good) status = check_distance(a, good);
  pd_collapse_free(&s.c);
  pd_queue_free(&s.queue);
  pd_free(s.to);
  return status;
}

static pd_status copy(const pd_mesh *mesh, pd_mesh *to)
{
  return pd_mesh_create(mesh->nv, mesh->v, mesh->nt, (const int(*)[3])mesh->t, to);
}

pd_status pd_mesh_simplify(const pd_mesh *mesh, int crossings, double tolerance, pd_mesh *simple)
{
  attempt a = {mesh, crossings, tolerance, {0, 0, NULL, NULL}};
  pd_status status = PD_OK;
  double aim = FIRST_AIM * tolerance;
  memset(simple, 0, sizeof *simple);
  if (!(tolerance > 0.0)) return PD_ERANGE;
  for (int i = 0; i < ATTEMPTS; i++, aim *= LESS) {
    int good = 0;
    status = try_aim(&a, aim, &good);
    if (status || a.simple.nt == mesh->nt) break;
    if (!good) continue;
    *simple = a.simple;
    return PD_OK;
  }
  pd_mesh_free(&a.simple);
  return status ? status : copy(mesh, simple);
}
