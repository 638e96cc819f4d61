/* SPDX-License-Identifier: MIT
 * Ears, that is corners whose triangle with their neighbours lies inside, are cut off one by one:
 * every simple polygon has two (Meisters 1975). Which one is cut decides how slender the triangles
 * become, so an ear is judged by its clearance and not by signs alone. */
#include "geometry/polygon.h"

#include <string.h>

#include "base/memory.h"

/* corners that leave their plane by more than this times the size are no polygon: a square folded
 * by some 75 degrees along its diagonal */
#define WARPED 0.2

/* clearance of an ear, over its longest side, above which one is as good as another */
#define CLEAR 1e-3

/* what round-off makes of zero, the size being 1 */
#define ROUNDOFF 1e-13

typedef struct point {
  double x, y;
} point;

typedef struct polygon {
  int left;    /* corners that are left */
  int *corner; /* their numbers, in their order */
  point *p;    /* all corners in the plane, about the first, over the size: counter-clockwise */
} polygon;

static double orient(point a, point b, point c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double distance(point a, point b) { return hypot(b.x - a.x, b.y - a.y); }

static int is_same(point a, point b) { return a.x == b.x && a.y == b.y; }

/* ---- into the plane ---- */

/* twice the area as a vector, and the largest distance from the first corner */
static pd_vec3 measure(int n, const pd_vec3 *x, double *size)
{
  pd_vec3 area = pd_v(0.0, 0.0, 0.0);
  double d2 = 0.0;
  for (int i = 1; i < n; i++) {
    const pd_vec3 d = pd_sub(x[i], x[0]);
    d2 = fmax(d2, pd_norm2(d));
    if (i + 1 < n) area = pd_add(area, pd_cross(d, pd_sub(x[i + 1], x[0])));
  }
  *size = sqrt(d2);
  return area;
}

static int is_straight(int n, const pd_vec3 *x, double size)
{
  double wide = 0.0;
  int far = 0;
  for (int i = 1; i < n; i++)
    if (pd_norm2(pd_sub(x[i], x[0])) > pd_norm2(pd_sub(x[far], x[0]))) far = i;
  for (int i = 1; i < n; i++)
    wide = fmax(wide, pd_norm(pd_cross(pd_sub(x[i], x[0]), pd_sub(x[far], x[0]))));
  return wide <= ROUNDOFF * size * size;
}

/* Along the coordinate axis nearest to the normal: corners keep the coordinates of the file, so
 * that what is straight there stays straight. */
static void project(int n, const pd_vec3 *x, pd_vec3 normal, double size, point *p)
{
  const pd_vec3 a = pd_v(fabs(normal.x), fabs(normal.y), fabs(normal.z));
  const int axis = pd_longest_axis(a);
  const double along[3] = {normal.x, normal.y, normal.z};
  for (int i = 0; i < n; i++) {
    const double d[3] = {(x[i].x - x[0].x) / size, (x[i].y - x[0].y) / size,
                         (x[i].z - x[0].z) / size};
    const double u = d[(axis + 1) % 3], v = d[(axis + 2) % 3];
    p[i].x = along[axis] > 0.0 ? u : v;
    p[i].y = along[axis] > 0.0 ? v : u;
  }
}

/* how far the corners leave the plane through their mean, over the size */
static double warp(int n, const pd_vec3 *x, pd_vec3 normal, double size)
{
  double mean = 0.0, off = 0.0;
  for (int i = 0; i < n; i++) mean += pd_dot(normal, pd_sub(x[i], x[0])) / n;
  for (int i = 0; i < n; i++) off = fmax(off, fabs(pd_dot(normal, pd_sub(x[i], x[0])) - mean));
  return off / size;
}

/* whether two sides cross in their interiors */
static int crosses(int n, const point *p)
{
  for (int i = 0; i < n; i++)
    for (int j = i + 2; j < n; j++) {
      const point a = p[i], b = p[i + 1], c = p[j], d = p[(j + 1) % n];
      const double s[4] = {orient(a, b, c), orient(a, b, d), orient(c, d, a), orient(c, d, b)};
      const double least = fmin(fmin(fabs(s[0]), fabs(s[1])), fmin(fabs(s[2]), fabs(s[3])));
      if (least > ROUNDOFF && (s[0] > 0.0) != (s[1] > 0.0) && (s[2] > 0.0) != (s[3] > 0.0))
        return 1;
    }
  return 0;
}

/* ---- ears ---- */

/* corner k of those left, counted round */
static point at(const polygon *g, int k) { return g->p[g->corner[(k + g->left) % g->left]]; }

static double from_segment(point q, point a, point b)
{
  const double l2 = (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
  double s = l2 > 0.0 ? ((q.x - a.x) * (b.x - a.x) + (q.y - a.y) * (b.y - a.y)) / l2 : 0.0;
  s = fmin(1.0, fmax(0.0, s));
  const point foot = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y)};
  return distance(q, foot);
}

/* distance of q from the closed triangle, which turns counter-clockwise */
static double from_triangle(point q, point a, point b, point c)
{
  if (orient(a, b, q) >= 0.0 && orient(b, c, q) >= 0.0 && orient(c, a, q) >= 0.0) return 0.0;
  return fmin(from_segment(q, a, b), fmin(from_segment(q, b, c), from_segment(q, c, a)));
}

/* Height of the ear with tip k and distance of the other corners from it, whichever is less, over
 * its longest side; not more than 0 if it is none. Exact only where it exceeds best. */
static double clearance(const polygon *g, int k, double best)
{
  const point a = at(g, k - 1), b = at(g, k), c = at(g, k + 1);
  const double side = fmax(distance(a, b), fmax(distance(b, c), distance(c, a)));
  double least = side > 0.0 ? orient(a, b, c) / (side * side) : 0.0;
  for (int i = 2; i < g->left - 1 && least > best; i++) {
    const point q = at(g, k + i);
    if (is_same(q, a) || is_same(q, b) || is_same(q, c)) continue;
    least = fmin(least, from_triangle(q, a, b, c) / side);
  }
  return least;
}

/* The first ear after corner 0 that is clear enough, else the best; -1 if there is none. */
static int find_ear(const polygon *g)
{
  double best = ROUNDOFF;
  int found = -1;
  for (int i = 1; i <= g->left && best < CLEAR; i++) {
    const double c = clearance(g, i, best);
    if (!(c > best)) continue;
    best = c;
    found = i % g->left;
  }
  return found;
}

static double area_left(const polygon *g)
{
  double sum = 0.0;
  for (int k = 1; k + 1 < g->left; k++) sum += orient(at(g, 0), at(g, k), at(g, k + 1));
  return sum;
}

static void cut(polygon *g, int k, int *t)
{
  t[0] = g->corner[(k + g->left - 1) % g->left];
  t[1] = g->corner[k];
  t[2] = g->corner[(k + 1) % g->left];
  g->left--;
  memmove(g->corner + k, g->corner + k + 1, (size_t)(g->left - k) * sizeof *g->corner);
}

static pd_status cut_ears(polygon *g, int (*t)[3])
{
  int n = 0;
  while (g->left > 2) {
    const int ear = find_ear(g);
    if (ear >= 0) {
      cut(g, ear, t[n++]);
      continue;
    }
    if (fabs(area_left(g)) > g->left * ROUNDOFF) return PD_ECROSSED;
    for (; g->left > 2; g->left--, n++) t[n][0] = t[n][1] = t[n][2] = g->corner[0];
  }
  return PD_OK;
}

/* ---- the whole ---- */

static void fan(int n, int (*t)[3])
{
  for (int i = 0; i < n - 2; i++) {
    t[i][0] = 0;
    t[i][1] = i + 1;
    t[i][2] = i + 2;
  }
}

static int is_same_place(pd_vec3 a, pd_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Of corners that follow one another at one place the first stays: none would be the tip of an ear
 * if all were there twice. */
static void drop_repeated(int n, const pd_vec3 *x, polygon *g)
{
  g->left = 0;
  for (int i = 0; i < n; i++)
    if (!is_same_place(x[i], x[(i + n - 1) % n])) g->corner[g->left++] = i;
}

static pd_status triangulate(int n, const pd_vec3 *x, polygon *g, int (*t)[3], double *value)
{
  double size;
  const pd_vec3 area = measure(n, x, &size);
  if (is_straight(n, x, size)) {
    fan(n, t);
    return PD_OK;
  }
  if (!(pd_norm(area) > ROUNDOFF * size * size)) return PD_ECROSSED;
  const pd_vec3 normal = pd_unit(area);
  *value = warp(n, x, normal, size);
  if (*value > WARPED) return PD_EWARPED;
  project(n, x, normal, size, g->p);
  if (crosses(n, g->p)) return PD_ECROSSED;
  drop_repeated(n, x, g);
  /* each of those dropped is a triangle without area */
  for (int i = g->left - 2; i < n - 2; i++) t[i][0] = t[i][1] = t[i][2] = g->corner[0];
  return cut_ears(g, t);
}

pd_status pd_polygon_triangulate(int n, const pd_vec3 *x, int (*t)[3], double *value)
{
  *value = 0.0;
  if (n == 3) {
    fan(n, t);
    return PD_OK;
  }
  polygon g = {n, pd_alloc_array((size_t)n, sizeof *g.corner),
               pd_alloc_array((size_t)n, sizeof *g.p)};
  const pd_status status = g.corner && g.p ? triangulate(n, x, &g, t, value) : PD_ENOMEM;
  pd_free(g.corner);
  pd_free(g.p);
  return status;
}
