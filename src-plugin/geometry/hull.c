/* SPDX-License-Identifier: MIT */
#include "geometry/hull.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/exact.h"

/* Points are put on a grid of so many steps along each axis, 1.2e-10 of their extent: what is left
 * of two edges or planes that are one but for rounding is not too thin for a normal. */
#define STEPS 8589934592.0 /* 2^33 */
/* Points no further from a line or plane than this, over their distance, are in it: the grid has
 * moved them by less than 2 of its steps. */
#define FLAT (8.0 / STEPS)
/* Rounding of a 3x3 determinant of exact differences, over its permanent (Shewchuk 1997), and more
 */
#define ROUNDOFF (16.0 * DBL_EPSILON)

typedef struct hull {
  int n;
  const pd_vec3 *point; /* as they are */
  pd_vec3 *p;           /* on the grid; differences of two are exact */
  int nt;
  int (*t)[3]; /* a hull of n points has at most 2 n - 4 triangles */
  int *seen;   /* n x n: 1 + the last point that saw a triangle with this side */
} hull;

static int *side(const hull *h, int a, int b) { return h->seen + (size_t)a * (size_t)h->n + b; }

/* Whether a point lies before a triangle, without a doubt: were it decided by rounding, the
 * triangles that a point sees might have more than one border. */
static int sees(const hull *h, pd_vec3 x, const int *t)
{
  const pd_vec3 a = h->p[t[0]], u = pd_sub(h->p[t[1]], a), v = pd_sub(h->p[t[2]], a),
                w = pd_sub(x, a);
  const pd_vec3 normal = pd_cross(u, v);
  const double high = pd_dot(normal, w);
  const double permanent = fabs(w.x) * (fabs(u.y * v.z) + fabs(u.z * v.y)) +
                           fabs(w.y) * (fabs(u.z * v.x) + fabs(u.x * v.z)) +
                           fabs(w.z) * (fabs(u.x * v.y) + fabs(u.y * v.x));
  return fabs(high) > ROUNDOFF * permanent ? high > 0.0 : pd_exact_sign(u, v, w) > 0;
}

static void put(hull *h, int a, int b, int c)
{
  int *t = h->t[h->nt++];
  t[0] = a;
  t[1] = b;
  t[2] = c;
}

/* Corner number k of a first tetrahedron: the point farthest from the k that are there. *far: its
 * distance from them, their line or their plane. */
static int farthest(const hull *h, int k, const int *corner, double *far)
{
  const pd_vec3 *p = h->point;
  const pd_vec3 a = p[corner[0]];
  const pd_vec3 u = k > 1 ? pd_unit(pd_sub(p[corner[1]], a)) : pd_v(0.0, 0.0, 0.0);
  const pd_vec3 n = k > 2 ? pd_unit(pd_cross(u, pd_sub(p[corner[2]], a))) : pd_v(0.0, 0.0, 0.0);
  int best = 0;
  *far = -1.0;
  for (int i = 0; i < h->n; i++) {
    const pd_vec3 d = pd_sub(p[i], a);
    const double off = k == 3 ? fabs(pd_dot(n, d)) : k == 2 ? pd_norm(pd_cross(u, d)) : pd_norm(d);
    if (off > *far) {
      *far = off;
      best = i;
    }
  }
  return best;
}

static pd_status start(hull *h, int *corner)
{
  double size = 0.0, far;
  corner[0] = 0;
  for (int k = 1; k < 4; k++) {
    corner[k] = farthest(h, k, corner, &far);
    if (k == 1) size = far;
    if (!(far > FLAT * size)) return PD_EVOLUME;
  }
  if (sees(h, h->p[corner[3]], corner)) { /* it has to lie behind the first three */
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
      for (int s = 0; s < 3; s++) *side(h, t[s], t[(s + 1) % 3]) = i + 1;
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
      if (*side(h, b, a) == i + 1) put(h, b, a, i);
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

/* A map of each axis onto itself leaves hulls hulls. Errors: PD_EVOLUME. */
static pd_status put_on_grid(int n, const pd_vec3 *points, pd_vec3 *p)
{
  pd_vec3 lo = points[0], hi = points[0];
  for (int i = 1; i < n; i++) {
    lo = pd_min(lo, points[i]);
    hi = pd_max(hi, points[i]);
  }
  const pd_vec3 extent = pd_sub(hi, lo);
  if (!(extent.x > 0.0 && extent.y > 0.0 && extent.z > 0.0)) return PD_EVOLUME;
  for (int i = 0; i < n; i++) {
    const pd_vec3 d = pd_sub(points[i], lo);
    p[i] = pd_v(nearbyint(STEPS * (d.x / extent.x)), nearbyint(STEPS * (d.y / extent.y)),
                nearbyint(STEPS * (d.z / extent.z)));
  }
  return PD_OK;
}

pd_status pd_hull(int n, const pd_vec3 *points, pd_mesh *mesh)
{
  if (n < 4) return PD_EVOLUME;
  const size_t sides = (size_t)n * (size_t)n;
  hull h = {n, points, pd_alloc_array((size_t)n, sizeof *h.p), 0, NULL, NULL};
  h.t = pd_alloc_array(2 * (size_t)n, sizeof *h.t);
  h.seen = pd_alloc_array(sides, sizeof *h.seen);
  pd_status status = h.p && h.t && h.seen ? put_on_grid(n, points, h.p) : PD_ENOMEM;
  if (!status) {
    memset(h.seen, 0, sides * sizeof *h.seen);
    status = build(&h);
  }
  if (!status) status = pd_mesh_create(n, points, h.nt, (const int(*)[3])h.t, mesh);
  pd_free(h.p);
  pd_free(h.t);
  pd_free(h.seen);
  return status;
}
