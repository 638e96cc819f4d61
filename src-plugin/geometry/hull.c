/* SPDX-License-Identifier: MIT */
#include "geometry/hull.h"

#include "base/memory.h"

#include <math.h>

/* A point no further than this, over the size of the hull, from the plane of a triangle lies in it:
 * points in one plane are to be told apart by no rounding. */
#define FLAT 1e-12

typedef struct hull {
  int n;
  const pd_vec3 *p;
  double flat2; /* square of that distance */
  int nt;
  int (*t)[3]; /* a hull of n points has at most 2 n - 4 triangles */
  int *seen;   /* n x n: 1 + the last point that saw a triangle with this side */
} hull;

/* six times the signed volume below a point: > 0 where it lies outside of the triangle's plane */
static double height(const hull *h, const int *t, pd_vec3 x)
{
  const pd_vec3 a = h->p[t[0]];
  const pd_vec3 normal = pd_cross(pd_sub(h->p[t[1]], a), pd_sub(h->p[t[2]], a));
  return pd_dot(normal, pd_sub(x, a));
}

/* whether a point lies before a triangle */
static int sees(const hull *h, pd_vec3 x, const int *t)
{
  const pd_vec3 a = h->p[t[0]];
  const pd_vec3 normal = pd_cross(pd_sub(h->p[t[1]], a), pd_sub(h->p[t[2]], a));
  const double high = pd_dot(normal, pd_sub(x, a));
  return high > 0.0 && high * high > h->flat2 * pd_norm2(normal);
}

static void put(hull *h, int a, int b, int c)
{
  int *t = h->t[h->nt++];
  t[0] = a;
  t[1] = b;
  t[2] = c;
}

/* Corner number k of a first tetrahedron: the point farthest from the k that are there. */
static int farthest(const hull *h, int k, const int *corner)
{
  const pd_vec3 *p = h->p;
  const pd_vec3 a = p[corner[0]];
  const pd_vec3 u = k > 1 ? pd_unit(pd_sub(p[corner[1]], a)) : pd_v(0.0, 0.0, 0.0);
  const pd_vec3 n = k > 2 ? pd_unit(pd_cross(u, pd_sub(p[corner[2]], a))) : pd_v(0.0, 0.0, 0.0);
  double most = -1.0;
  int best = 0;
  for (int i = 0; i < h->n; i++) {
    const pd_vec3 d = pd_sub(p[i], a);
    const double far = k == 3 ? fabs(pd_dot(n, d)) : k == 2 ? pd_norm(pd_cross(u, d)) : pd_norm(d);
    if (far > most) {
      most = far;
      best = i;
    }
  }
  return best;
}

static pd_status start(hull *h, int *corner)
{
  corner[0] = 0;
  for (int k = 1; k < 4; k++) corner[k] = farthest(h, k, corner);
  const double size = pd_norm(pd_sub(h->p[corner[1]], h->p[corner[0]]));
  h->flat2 = FLAT * FLAT * size * size;
  const double volume = height(h, corner, h->p[corner[3]]);
  if (!(fabs(volume) > 0.0)) return PD_EVOLUME;
  if (volume > 0.0) { /* the fourth one has to lie inside of the first three */
    const int swap = corner[1];
    corner[1] = corner[2];
    corner[2] = swap;
  }
  const int *c = corner;
  put(h, c[0], c[1], c[2]);
  put(h, c[0], c[3], c[1]);
  put(h, c[1], c[3], c[2]);
  put(h, c[2], c[3], c[0]);
  return PD_OK;
}

/* Takes away the triangles that point i sees, with a mark at their sides. */
static void open_up(hull *h, int i)
{
  int n = 0;
  for (int k = 0; k < h->nt; k++) {
    int *t = h->t[k];
    if (sees(h, h->p[i], t)) {
      for (int s = 0; s < 3; s++) h->seen[t[s] * h->n + t[(s + 1) % 3]] = i + 1;
      continue;
    }
    for (int s = 0; s < 3; s++) h->t[n][s] = t[s];
    n++;
  }
  h->nt = n;
}

/* The border are sides that are marked one way round: the triangle on their other side is there. */
static void close_up(hull *h, int i)
{
  const int there = h->nt;
  for (int k = 0; k < there; k++)
    for (int s = 0; s < 3; s++) {
      const int a = h->t[k][s], b = h->t[k][(s + 1) % 3];
      if (h->seen[b * h->n + a] == i + 1) put(h, b, a, i);
    }
}

static pd_status build(hull *h)
{
  int corner[4];
  const pd_status status = start(h, corner);
  if (status) return status;
  for (int i = 0; i < h->n; i++) {
    if (i == corner[0] || i == corner[1] || i == corner[2] || i == corner[3]) continue;
    open_up(h, i);
    close_up(h, i);
  }
  return PD_OK;
}

pd_status pd_hull(int n, const pd_vec3 *points, pd_mesh *mesh)
{
  if (n < 4) return PD_EVOLUME;
  hull h = {n, points, 0.0, 0, NULL, NULL};
  h.t = (int(*)[3])pd_alloc_array(2 * (size_t)n, sizeof *h.t);
  h.seen = (int *)pd_alloc_array((size_t)n * (size_t)n, sizeof *h.seen);
  pd_status status = PD_ENOMEM;
  if (h.t && h.seen) {
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++) h.seen[i] = 0;
    status = build(&h);
  }
  if (!status) status = pd_mesh_create(n, points, h.nt, (const int(*)[3])h.t, mesh);
  pd_free(h.t);
  pd_free(h.seen);
  return status;
}
