/* SPDX-License-Identifier: MIT
 * Regular polyhedra and prisms. */
#include "geometry/builtin_internal.h"

#include <math.h>

#define GOLDEN 1.6180339887498948482 /* ratio */

/* vertices of the icosahedron of edge length 2, which point to the faces of the dodecahedron */
static const pd_vec3 ico[12] = {{0, 1, GOLDEN}, {0, 1, -GOLDEN}, {0, -1, GOLDEN}, {0, -1, -GOLDEN},
                                {1, GOLDEN, 0}, {1, -GOLDEN, 0}, {-1, GOLDEN, 0}, {-1, -GOLDEN, 0},
                                {GOLDEN, 0, 1}, {GOLDEN, 0, -1}, {-GOLDEN, 0, 1}, {-GOLDEN, 0, -1}};

/* A polygon's fan, outward from the origin. */
static void add_fan(const pd_vec3 *v, const int *corner, int n, int (*t)[3], int *nt)
{
  const pd_vec3 a = v[corner[0]];
  const pd_vec3 normal = pd_cross(pd_sub(v[corner[1]], a), pd_sub(v[corner[2]], a));
  const int out = pd_dot(normal, a) > 0.0;
  for (int k = 2; k < n; k++, ++*nt) {
    t[*nt][0] = corner[0];
    t[*nt][1] = corner[out ? k - 1 : k];
    t[*nt][2] = corner[out ? k : k - 1];
  }
}

/* Vertices given for the edge length unit; faces are three vertices that are edges apart. */
static pd_status deltahedron(int n, const pd_vec3 *vertex, double unit, const double *value,
                             pd_mesh *mesh)
{
  pd_vec3 v[12];
  int t[20][3], nt = 0;
  const double longest = 1.01 * unit;
  if (!(value[0] > 0.0)) return PD_ERANGE;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      for (int k = j + 1; k < n; k++) {
        const int corner[3] = {i, j, k};
        if (pd_norm(pd_sub(vertex[i], vertex[j])) < longest &&
            pd_norm(pd_sub(vertex[j], vertex[k])) < longest &&
            pd_norm(pd_sub(vertex[k], vertex[i])) < longest)
          add_fan(vertex, corner, 3, t, &nt);
      }
  for (int i = 0; i < n; i++) v[i] = pd_scale(value[0] / unit, vertex[i]);
  return pd_mesh_create(n, v, nt, (const int(*)[3])t, mesh);
}

pd_status pd_make_tetrahedron(const double *value, pd_mesh *mesh)
{
  static const pd_vec3 v[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  return deltahedron(4, v, sqrt(8.0), value, mesh);
}

pd_status pd_make_octahedron(const double *value, pd_mesh *mesh)
{
  static const pd_vec3 v[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  return deltahedron(6, v, sqrt(2.0), value, mesh);
}

pd_status pd_make_icosahedron(const double *value, pd_mesh *mesh)
{
  return deltahedron(12, ico, 2.0, value, mesh);
}

/* from 0 to 2 pi, round the axis from x to y */
static double angle_between(pd_vec3 axis, pd_vec3 x, pd_vec3 y)
{
  const pd_vec3 u = pd_cross(axis, pd_cross(x, axis)), w = pd_cross(axis, u);
  const double a = atan2(pd_dot(w, y) / pd_norm(axis), pd_dot(u, y));
  return a < 0.0 ? a + 2.0 * PD_PI : a;
}

/* The five vertices farthest along a direction, in their order round it from the first on. */
static void pentagon(const pd_vec3 *v, pd_vec3 axis, int *corner)
{
  double angle[5];
  const double least = 0.5 * pd_norm(axis) * pd_norm(v[0]); /* cosines are 0.795 and 0.188 */
  for (int i = 0, n = 0; i < 20; i++) {
    if (pd_dot(axis, v[i]) < least) continue;
    const double a = n ? angle_between(axis, v[corner[0]], v[i]) : 0.0;
    int at = n++;
    for (; at > 0 && angle[at - 1] > a; at--) {
      angle[at] = angle[at - 1];
      corner[at] = corner[at - 1];
    }
    angle[at] = a;
    corner[at] = i;
  }
}

pd_status pd_make_dodecahedron(const double *value, pd_mesh *mesh)
{
  pd_vec3 v[20];
  int t[36][3], nt = 0;
  const double s = 0.5 * GOLDEN * value[0]; /* of edge length 2 / GOLDEN without it */
  if (!(value[0] > 0.0)) return PD_ERANGE;
  for (int i = 0; i < 8; i++) v[i] = pd_v(i & 1 ? s : -s, i & 2 ? s : -s, i & 4 ? s : -s);
  for (int i = 0; i < 4; i++) {
    const double a = i & 1 ? s / GOLDEN : -s / GOLDEN, b = i & 2 ? s * GOLDEN : -s * GOLDEN;
    v[8 + i] = pd_v(0.0, a, b);
    v[12 + i] = pd_v(a, b, 0.0);
    v[16 + i] = pd_v(b, 0.0, a);
  }
  for (int i = 0; i < 12; i++) {
    int corner[5];
    /* its faces look where the icosahedron's vertices are if their long sides are swapped */
    pentagon(v, pd_v(ico[i].x, ico[i].z, ico[i].y), corner);
    add_fan(v, corner, 5, t, &nt);
  }
  return pd_mesh_create(20, v, nt, (const int(*)[3])t, mesh);
}

pd_status pd_make_prism(const double *value, pd_mesh *mesh)
{
  pd_vec3 v[2 * PD_MOST_SIDES];
  int t[4 * PD_MOST_SIDES][3], nt = 0;
  const int n = (int)value[0];
  const double r = value[1], half = 0.5 * value[2];
  if (!(n >= 3 && n <= PD_MOST_SIDES && r > 0.0 && half > 0.0)) return PD_ERANGE;
  int low[PD_MOST_SIDES], high[PD_MOST_SIDES];
  for (int i = 0; i < n; i++) {
    const double a = 2.0 * PD_PI * i / n;
    low[i] = i;
    high[i] = n + i;
    v[i] = pd_v(r * cos(a), r * sin(a), -half);
    v[n + i] = pd_v(r * cos(a), r * sin(a), half);
  }
  add_fan(v, low, n, t, &nt);
  add_fan(v, high, n, t, &nt);
  for (int i = 0; i < n; i++) {
    const int next = (i + 1) % n, side[4] = {low[i], low[next], high[next], high[i]};
    add_fan(v, side, 4, t, &nt);
  }
  return pd_mesh_create(2 * n, v, nt, (const int(*)[3])t, mesh);
}
