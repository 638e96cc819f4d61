/* SPDX-License-Identifier: MIT */
#include "shapes.h"

/* splitmix64 */
static unsigned long long next_bits(sc_random *random)
{
  unsigned long long z = random->state += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

double sc_uniform(sc_random *random, double lo, double hi)
{
  return lo + (hi - lo) * ((double)(next_bits(random) >> 11) / 9007199254740992.0);
}

int sc_below(sc_random *random, int n) { return (int)(next_bits(random) % (unsigned)n); }

pd_quat sc_rotation(sc_random *random)
{
  /* a point in the unit ball, not too near its centre, has a uniform direction */
  for (;;) {
    const double w = sc_uniform(random, -1.0, 1.0), x = sc_uniform(random, -1.0, 1.0);
    const double y = sc_uniform(random, -1.0, 1.0), z = sc_uniform(random, -1.0, 1.0);
    const double r2 = w * w + x * x + y * y + z * z;
    if (r2 > 0.01 && r2 < 1.0) return pd_q_normalize(pd_q(w, x, y, z));
  }
}

pd_status sc_box(double a, double b, double c, pd_mesh *mesh)
{
  static const int t[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                               {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  pd_vec3 v[8];
  for (int i = 0; i < 8; i++)
    v[i] = pd_v(i & 1 ? 0.5 * a : -0.5 * a, i & 2 ? 0.5 * b : -0.5 * b, i & 4 ? 0.5 * c : -0.5 * c);
  return pd_mesh_create(8, v, 12, t, mesh);
}

/* unit vectors to the faces of the regular tetrahedron whose vertices lie opposite them */
static pd_vec3 tetrahedral(int i)
{
  const double s = 1.0 / sqrt(3.0);
  return pd_v(i < 2 ? s : -s, i % 2 ? -s : s, i == 0 || i == 3 ? s : -s);
}

/* face i, counter-clockwise from outside, is opposite vertex i */
static const int tetrahedron_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

pd_status sc_tetrahedron(double r, pd_mesh *mesh)
{
  pd_vec3 v[4];
  for (int i = 0; i < 4; i++) v[i] = pd_scale(-r, tetrahedral(i));
  return pd_mesh_create(4, v, 4, tetrahedron_faces, mesh);
}

/* Leg i of the tetrapod: three end vertices, the end and six triangles of its sides. */
static void add_leg(int i, double R, double taper, pd_vec3 *v, int (*t)[3])
{
  const int *base = tetrahedron_faces[i], end = 4 + 3 * i;
  const pd_vec3 n = tetrahedral(i);
  const pd_vec3 sum = pd_add(v[base[0]], pd_add(v[base[1]], v[base[2]]));
  for (int k = 0; k < 3; k++)
    v[end + k] = pd_axpy(pd_scale(R, n), taper, pd_axpy(v[base[k]], -1.0 / 3.0, sum));
  for (int k = 0; k < 3; k++) {
    const int l = (k + 1) % 3;
    const int side[2][3] = {{base[k], base[l], end + l}, {base[k], end + l, end + k}};
    t[0][k] = end + k;
    for (int j = 0; j < 6; j++) t[1 + 2 * k + j / 3][j % 3] = side[j / 3][j % 3];
  }
}

pd_status sc_tetrapod(double R, double r0, double taper, pd_mesh *mesh)
{
  pd_vec3 v[16];
  int t[28][3];
  for (int i = 0; i < 4; i++) v[i] = pd_scale(-r0, tetrahedral(i));
  for (int i = 0; i < 4; i++) add_leg(i, R, taper, v, t + 7 * i);
  return pd_mesh_create(16, v, 28, (const int(*)[3])t, mesh);
}

pd_status sc_l_prism(double a, double b, double h, pd_mesh *mesh)
{
  /* outline counter-clockwise from the outer corner; its fan from the re-entrant corner is 3 */
  const double x[6] = {0, a, a, b, b, 0}, y[6] = {0, 0, b, b, a, a};
  static const int fan[4][3] = {{3, 4, 5}, {3, 5, 0}, {3, 0, 1}, {3, 1, 2}};
  pd_vec3 v[12];
  int t[20][3];
  for (int i = 0; i < 12; i++) v[i] = pd_v(x[i % 6], y[i % 6], i < 6 ? 0.0 : h);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      t[i][k] = fan[i][2 - k];
      t[4 + i][k] = fan[i][k] + 6;
    }
  for (int i = 0; i < 6; i++) {
    const int j = (i + 1) % 6, side[6] = {i, j, j + 6, i, j + 6, i + 6};
    for (int k = 0; k < 6; k++) t[8 + 2 * i + k / 3][k % 3] = side[k];
  }
  return pd_mesh_create(12, v, 20, (const int(*)[3])t, mesh);
}

pd_status sc_open_quad(double a, pd_mesh *mesh)
{
  static const int t[2][3] = {{0, 1, 2}, {0, 2, 3}};
  const pd_vec3 v[4] = {{-a, -a, 0.0}, {a, -a, 0.0}, {a, a, 0.0}, {-a, a, 0.0}};
  return pd_mesh_create(4, v, 2, t, mesh);
}

pd_status sc_wedge(double angle, double a, pd_mesh *mesh)
{
  static const int t[4][3] = {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}};
  const double c = a * cos(angle), s = a * sin(angle);
  const pd_vec3 v[6] = {{0.0, -a, 0.0}, {0.0, a, 0.0}, {a, -a, 0.0},
                        {a, a, 0.0},    {c, -a, s},    {c, a, s}};
  return pd_mesh_create(6, v, 4, t, mesh);
}

pd_status sc_pit(const pd_vec3 *e, pd_mesh *mesh)
{
  static const int t[6][3] = {{0, 1, 4}, {0, 4, 2}, {0, 2, 5}, {0, 5, 3}, {0, 3, 6}, {0, 6, 1}};
  const pd_vec3 v[7] = {{0.0, 0.0, 0.0},   e[0], e[1], e[2], pd_add(e[0], e[1]), pd_add(e[1], e[2]),
                        pd_add(e[2], e[0])};
  return pd_mesh_create(7, v, 6, t, mesh);
}

void sc_move(pd_mesh *mesh, pd_quat q, pd_vec3 shift)
{
  const pd_mat3 r = pd_q_matrix(q);
  for (int i = 0; i < mesh->nv; i++) mesh->v[i] = pd_add(pd_mv(r, mesh->v[i]), shift);
}

pd_status sc_shape(pd_mesh *mesh, int closed, pd_shape *shape)
{
  const pd_status status = pd_shape_create(mesh, closed, shape);
  pd_mesh_free(mesh);
  return status;
}
