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

/* A triangle goes up by so much of the tolerance more than what it has to clear. Where it crosses
 * what was there all the same, between the points that are remembered, it goes up by this factor
 * and the same once more, so often. Estimates. */
#define CLEAR 0.002
#define HIGHER 1.25
#define RAISES 24

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
  char *crosses; /* of the simple mesh, room for all triangles of the mesh */
  pd_mesh simple;
} attempt;

/* *sound: whether the simple mesh is the surface of a body; *good: it encloses the other, too */
static pd_status check_enclosure(attempt *a, int *sound, int *good)
{
  pd_mesh_report report;
  pd_fault fault;
  *sound = *good = 0;
  const pd_status status = pd_mesh_repair(&a->simple, 0.0, 1, &report, &fault);
  if (status) return status == PD_ENOMEM ? status : PD_OK;
  *sound = !report.flipped && !report.inverted && report.crossings.pairs <= a->crossings;
  if (!*sound) return PD_OK;
  return pd_mesh_encloses(&a->simple, a->mesh, a->crosses, good);
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
  const double clear = CLEAR * a->tolerance;
  int sound = 1;
  *good = 0;
  pd_collapse_find_rises(c, clear);
  for (int i = 0; i < RAISES && sound && !*good; i++) {
    if (i) pd_collapse_raise(c, a->crosses, HIGHER, clear);
    pd_mesh_free(&a->simple);
    pd_status status = pd_collapse_lifted(c, &a->simple);
    if (!status) status = check_enclosure(a, &sound, good);
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

static pd_status search(attempt *a, int *good)
{
  double aim = FIRST_AIM * a->tolerance;
  for (int i = 0; i < ATTEMPTS && !*good; i++, aim *= LESS) {
    const pd_status status = try_aim(a, aim, good);
    if (status) return status;
    if (a->simple.nt == a->mesh->nt) break;
  }
  return PD_OK;
}

pd_status pd_mesh_simplify(const pd_mesh *mesh, int crossings, double tolerance, pd_mesh *simple)
{
  attempt a = {mesh, crossings, tolerance, NULL, {0, 0, NULL, NULL}};
  int good = 0;
  memset(simple, 0, sizeof *simple);
  if (!(tolerance > 0.0)) return PD_ERANGE;
  a.crosses = pd_alloc_array((size_t)mesh->nt, sizeof *a.crosses);
  const pd_status status = a.crosses ? search(&a, &good) : PD_ENOMEM;
  pd_free(a.crosses);
  if (good && a.simple.nt < mesh->nt) {
    *simple = a.simple;
    return PD_OK;
  }
  pd_mesh_free(&a.simple);
  return status ? status : copy(mesh, simple);
}
