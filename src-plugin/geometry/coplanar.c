/* SPDX-License-Identifier: MIT
 * Two convex polygons in a plane overlap unless a side of one parts them. */
#include "geometry/coplanar.h"

#include "geometry/triangle_pairs.h"

static pd_vec3 normal_of(const pd_vec3 *p)
{
  return pd_unit(pd_cross(pd_sub(p[1], p[0]), pd_sub(p[2], p[0])));
}

static int is_in_plane(const pd_vec3 *p, pd_vec3 point, pd_vec3 normal, double tol)
{
  for (int k = 0; k < 3; k++)
    if (fabs(pd_dot(pd_sub(p[k], point), normal)) > tol) return 0;
  return 1;
}

/* by how much the pieces that two triangles cover of an axis overlap */
static double overlap_along(pd_vec3 axis, const pd_vec3 *p, const pd_vec3 *q)
{
  double p_low = 0.0, p_high = 0.0, q_low = INFINITY, q_high = -INFINITY;
  for (int k = 0; k < 3; k++) {
    const double x = pd_dot(axis, pd_sub(p[k], p[0])), y = pd_dot(axis, pd_sub(q[k], p[0]));
    p_low = fmin(p_low, x);
    p_high = fmax(p_high, x);
    q_low = fmin(q_low, y);
    q_high = fmax(q_high, y);
  }
  return fmin(p_high, q_high) - fmax(p_low, q_low);
}

/* whether a side of p parts them but for tol */
static int parts(const pd_vec3 *p, const pd_vec3 *q, pd_vec3 normal, double tol)
{
  for (int k = 0; k < 3; k++) {
    const pd_vec3 axis = pd_unit(pd_cross(normal, pd_sub(p[(k + 1) % 3], p[k])));
    if (overlap_along(axis, p, q) <= tol) return 1;
  }
  return 0;
}

/* p in the plane of q */
static int lies_on(const pd_vec3 *p, const pd_vec3 *q, double tol)
{
  const pd_vec3 normal = normal_of(q);
  return is_in_plane(p, q[0], normal, tol) && !parts(p, q, normal, tol) &&
         !parts(q, p, normal, tol);
}

int pd_triangles_lie_on_each_other(const pd_vec3 *p, const pd_vec3 *q, double tol)
{
  return lies_on(p, q, tol) || lies_on(q, p, tol);
}

/* ---- a whole mesh ---- */

static int test(const void *tol, const pd_vec3 *p, const pd_vec3 *q)
{
  return pd_triangles_lie_on_each_other(p, q, *(const double *)tol);
}

pd_status pd_mesh_coplanar(const pd_mesh *mesh, double tol, pd_triangle_pairs *found)
{
  return pd_mesh_find_pairs(mesh, tol, test, &tol, found);
}
