/* SPDX-License-Identifier: MIT
 * Two triangles that are not in one plane meet on the line that their planes share: they cross if
 * each has corners on both sides of the other's plane, and the pieces of the line inside them
 * overlap (Guigue and Devillers 2003). All is decided by signs of determinants; one that rounding
 * may have made counts as zero. */
#include "geometry/crossing.h"

#include "geometry/triangle_pairs.h"

/* Rounding of a 3x3 determinant of differences: less than 8 half units of the last place times its
 * permanent (Shewchuk 1997); and of a 2x2 one */
#define ROUNDOFF (16.0 * DBL_EPSILON)

static int certain_sign(double value, double size)
{
  return fabs(value) <= ROUNDOFF * size ? 0 : value > 0.0 ? 1 : -1;
}

static double absolute_product(double a, double b, double c, double d)
{
  return fabs(a * b) + fabs(c * d);
}

/* on which side of the plane (a, b, c) d lies: 1 where the three turn clockwise as seen from d */
static int side_of(pd_vec3 a, pd_vec3 b, pd_vec3 c, pd_vec3 d)
{
  const pd_vec3 u = pd_sub(a, d), v = pd_sub(b, d), w = pd_sub(c, d);
  const double size = fabs(u.x) * absolute_product(v.y, w.z, v.z, w.y) +
                      fabs(u.y) * absolute_product(v.z, w.x, v.x, w.z) +
                      fabs(u.z) * absolute_product(v.x, w.y, v.y, w.x);
  return certain_sign(pd_dot(u, pd_cross(v, w)), size);
}

static void sides_of(const pd_vec3 *plane, const pd_vec3 *p, int *sign)
{
  for (int k = 0; k < 3; k++) sign[k] = side_of(plane[0], plane[1], plane[2], p[k]);
}

/* whether corners lie on both sides */
static int is_cut(const int *sign)
{
  int low = 0, high = 0;
  for (int k = 0; k < 3; k++) {
    low |= sign[k] < 0;
    high |= sign[k] > 0;
  }
  return low && high;
}

/* The corner that lies on one side alone, the others being on the other side or in the plane. */
static int alone(const int *sign)
{
  for (int k = 0; k < 3; k++) {
    const int a = sign[k], b = sign[(k + 1) % 3], c = sign[(k + 2) % 3];
    if ((a > 0 && b <= 0 && c <= 0) || (a < 0 && b >= 0 && c >= 0)) return k;
  }
  return 0;
}

/* The two sides of p that its lonely corner i ends meet the common line in A_1, A_2, those of q in
 * B_1, B_2; the sign of four corners says which of A_k, B_l comes first. The pieces overlap unless
 * both A come before both B or after. */
static int pieces_overlap(const pd_vec3 *p, int i, const pd_vec3 *q, int j)
{
  int low = 0, high = 0;
  for (int k = 1; k < 3; k++)
    for (int l = 1; l < 3; l++) {
      const int sign = side_of(p[i], p[(i + k) % 3], q[j], q[(j + l) % 3]);
      low |= sign < 0;
      high |= sign > 0;
    }
  return low && high;
}

/* ---- in one plane ---- */

typedef struct point {
  double x, y;
} point;

static int turn_of(point a, point b, point c)
{
  const point u = {b.x - a.x, b.y - a.y}, v = {c.x - a.x, c.y - a.y};
  return certain_sign(u.x * v.y - u.y * v.x, absolute_product(u.x, v.y, u.y, v.x));
}

/* whether a side of p parts them: no corner of q is on p's side of it */
static int is_parted(const point *p, const point *q)
{
  const int inside = turn_of(p[0], p[1], p[2]);
  if (inside == 0) return 1;
  for (int k = 0; k < 3; k++) {
    int any = 0;
    for (int i = 0; i < 3; i++) any |= turn_of(p[k], p[(k + 1) % 3], q[i]) == inside;
    if (!any) return 1;
  }
  return 0;
}

/* seen along the axis nearest to p's normal */
static int overlap_in_plane(const pd_vec3 *p, const pd_vec3 *q)
{
  const pd_vec3 n = pd_cross(pd_sub(p[1], p[0]), pd_sub(p[2], p[0]));
  const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
  const int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  point a[3], b[3];
  for (int k = 0; k < 3; k++) {
    const double c[3] = {p[k].x, p[k].y, p[k].z}, d[3] = {q[k].x, q[k].y, q[k].z};
    a[k].x = c[(axis + 1) % 3];
    a[k].y = c[(axis + 2) % 3];
    b[k].x = d[(axis + 1) % 3];
    b[k].y = d[(axis + 2) % 3];
  }
  return !is_parted(a, b) && !is_parted(b, a);
}

int pd_triangles_cross(const pd_vec3 *p, const pd_vec3 *q)
{
  int of_p[3], of_q[3];
  sides_of(q, p, of_p);
  sides_of(p, q, of_q);
  if (is_cut(of_p) && is_cut(of_q)) return pieces_overlap(p, alone(of_p), q, alone(of_q));
  for (int k = 0; k < 3; k++)
    if (of_p[k] || of_q[k]) return 0;
  return overlap_in_plane(p, q);
}

/* ---- a whole mesh ---- */

static int cross(const void *nothing, const pd_vec3 *p, const pd_vec3 *q)
{
  (void)nothing;
  return pd_triangles_cross(p, q);
}

pd_status pd_mesh_crossings(const pd_mesh *mesh, pd_triangle_pairs *found)
{
  return pd_mesh_find_pairs(mesh, 0.0, cross, NULL, found);
}
