/* SPDX-License-Identifier: MIT */
#include "geometry/builtin.h"

#include "geometry/builtin_internal.h"

#include <string.h>

/* value: edge lengths a, b, c > 0; about the origin */
static pd_status box(const double *value, pd_mesh *mesh)
{
  const double a = value[0], b = value[1], c = value[2];
  /* corner i has the sign of bit k of i along axis k */
  static const int face[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                  {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  pd_vec3 v[8];
  if (!(a > 0.0 && b > 0.0 && c > 0.0)) return PD_ERANGE;
  for (int i = 0; i < 8; i++)
    v[i] = pd_v(i & 1 ? 0.5 * a : -0.5 * a, i & 2 ? 0.5 * b : -0.5 * b, i & 4 ? 0.5 * c : -0.5 * c);
  return pd_mesh_create(8, v, 12, face, mesh);
}

/* tip and sides of leg i: vertices 4 + 3 i .. 6 + 3 i, triangles 7 i .. 7 i + 6 */
static void leg(int i, pd_vec3 dir, double reach, double taper, pd_vec3 *v, int (*t)[3])
{
  int o[3], n = 0;
  for (int j = 0; j < 4; j++)
    if (j != i) o[n++] = j;
  const pd_vec3 normal = pd_cross(pd_sub(v[o[1]], v[o[0]]), pd_sub(v[o[2]], v[o[0]]));
  if (pd_dot(normal, dir) < 0.0) {
    const int swap = o[1];
    o[1] = o[2];
    o[2] = swap;
  }
  const pd_vec3 mid = pd_scale(1.0 / 3.0, pd_add(v[o[0]], pd_add(v[o[1]], v[o[2]])));
  const int tip = 4 + 3 * i;
  for (int k = 0; k < 3; k++)
    v[tip + k] = pd_axpy(pd_scale(reach, dir), taper, pd_sub(v[o[k]], mid));
  int(*q)[3] = t + 7 * i;
  q[0][0] = tip, q[0][1] = tip + 1, q[0][2] = tip + 2;
  for (int k = 0; k < 3; k++) {
    const int a = o[k], b = o[(k + 1) % 3], c = tip + k, d = tip + (k + 1) % 3;
    q[1 + 2 * k][0] = a, q[1 + 2 * k][1] = b, q[1 + 2 * k][2] = d;
    q[2 + 2 * k][0] = a, q[2 + 2 * k][1] = d, q[2 + 2 * k][2] = c;
  }
}

/* value: reach, r0, taper. A regular core tetrahedron about the origin, of circumradius r0 > 0,
 * whose four faces carry prismatic legs that reach to the distance reach > r0/3 and taper to the
 * fraction taper > 0 of the face at their blunt tips. */
static pd_status tetrapod(const double *value, pd_mesh *mesh)
{
  const double reach = value[0], r0 = value[1], taper = value[2];
  static const double sign[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  pd_vec3 v[16], dir[4];
  int t[28][3];
  if (!(r0 > 0.0 && reach > r0 / 3.0 && taper > 0.0)) return PD_ERANGE;
  for (int i = 0; i < 4; i++) {
    dir[i] = pd_unit(pd_v(sign[i][0], sign[i][1], sign[i][2]));
    v[i] = pd_scale(-r0, dir[i]);
  }
  for (int i = 0; i < 4; i++) leg(i, dir[i], reach, taper, v, t);
  return pd_mesh_create(16, v, 28, (const int(*)[3])t, mesh);
}

/* value: radius > 0; a point */
static pd_status sphere(const double *value, pd_mesh *mesh)
{
  static const int t[1][3] = {{0, 0, 0}};
  const pd_vec3 v = {0.0, 0.0, 0.0};
  return value[0] > 0.0 ? pd_mesh_create(1, &v, 1, t, mesh) : PD_ERANGE;
}

/* value: radius, length of the axis between the centres of its ends, > 0; a segment along z */
static pd_status capsule(const double *value, pd_mesh *mesh)
{
  static const int t[1][3] = {{0, 1, 1}};
  const double half = 0.5 * value[1];
  const pd_vec3 v[2] = {{0.0, 0.0, -half}, {0.0, 0.0, half}};
  return value[0] > 0.0 && half > 0.0 ? pd_mesh_create(2, v, 1, t, mesh) : PD_ERANGE;
}

static const pd_builtin builtins[] = {
    {"box", 3, box, 0, 0, NULL},
    {"tetrapod", 3, tetrapod, 0, 0, "reach > r0/3"},
    {"tetrapod/legs", 4, pd_make_legs, 0, 0, "L > r/sqrt(2), n a multiple of 3"},
    {"hexapod", 3, pd_make_hexapod, 0, 0, "s > w >= t"},
    {"dolos", 3, pd_make_dolos, 0, 0, "s > 2 w, w >= t"},
    {"dolos/octagonal", 3, pd_make_dolos_octagonal, 0, 0, "s > 2 w, w >= t"},
    {"coreloc", 3, pd_make_coreloc, 0, 0, "s > 3 w, w >= t"},
    {"antifer", 4, pd_make_antifer, 0, 0, "r < B/sqrt(8)"},
    {"prism", 3, pd_make_prism, 0, 0, NULL},
    {"tetrahedron", 1, pd_make_tetrahedron, 0, 0, NULL},
    {"octahedron", 1, pd_make_octahedron, 0, 0, NULL},
    {"dodecahedron", 1, pd_make_dodecahedron, 0, 0, NULL},
    {"icosahedron", 1, pd_make_icosahedron, 0, 0, NULL},
    {"rock", 5, pd_make_rock, 0, 0, NULL},
    {"voronoi", 5, pd_make_voronoi, 0, 1, "a gap that leaves something of every cell"},
    {"sphere", 1, sphere, 1, 0, NULL},
    {"capsule", 2, capsule, 1, 0, NULL},
};

const pd_builtin *pd_find_builtin(const char *name)
{
  for (size_t i = 0; i < sizeof(builtins) / sizeof(*builtins); i++)
    if (strcmp(builtins[i].name, name) == 0) return builtins + i;
  return NULL;
}
