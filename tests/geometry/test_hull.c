/* SPDX-License-Identifier: MIT
 * Exact signs of determinants; convex hulls of points in general position, on grids, in planes, on
 * rounded bodies. */
#include "check.h"
#include "geometry/builtin.h"
#include "geometry/exact.h"
#include "geometry/hull.h"
#include "geometry/mesh_internal.h"
#include "geometry/round_surface.h"
#include "shapes.h"

static double any(sc_random *random) { return sc_uniform(random, -1.0, 1.0); }

static pd_vec3 any_vector(sc_random *random)
{
  const double x = any(random), y = any(random);
  return pd_v(x, y, any(random));
}

/* w is a combination of u and v by whole numbers but for e times a third one, all exact */
static void test_sign(void **state)
{
  (void)state;
  sc_random random = {7};
  for (int n = 0; n < 20000; n++) {
    pd_vec3 x[3];
    for (int k = 0; k < 3; k++) {
      const pd_vec3 r = pd_scale(0x1p33, any_vector(&random));
      x[k] = pd_v(rint(r.x), rint(r.y), rint(r.z));
    }
    const int a = 1 + n % 7, b = 3 - n % 5, e = n % 3 - 1;
    const int volume = pd_exact_sign(x[0], x[1], x[2]);
    pd_vec3 w = pd_axpy(pd_scale(a, x[0]), b, x[1]);
    w = pd_axpy(pd_scale(0x1p14, w), e, x[2]);
    assert_int_equal(pd_exact_sign(x[0], x[1], w), e * volume);
    assert_int_equal(pd_exact_sign(x[1], x[0], w), -e * volume);
    assert_int_equal(pd_exact_sign(w, x[0], x[1]), e * volume);
    const double value = pd_dot(x[0], pd_cross(x[1], x[2]));
    if (fabs(value) > 0x1p70) assert_int_equal(volume, value > 0.0 ? 1 : -1);
  }
}

static double size_of(int n, const pd_vec3 *p)
{
  double size = 0.0;
  for (int i = 0; i < n; i++) size = fmax(size, pd_norm(pd_sub(p[i], p[0])));
  return size;
}

/* Two triangles at every edge; volume; no point before a triangle. */
static void check_hull(const pd_mesh *mesh)
{
  const double size = size_of(mesh->nv, mesh->v);
  pd_half_edge *half;
  check_ok(pd_half_edges(mesh, &half));
  for (int i = 0, end; i < 3 * mesh->nt; i = end) {
    end = pd_half_edge_run(half, 3 * mesh->nt, i);
    assert_int_equal(end - i, 2);
  }
  pd_free(half);
  double terms;
  assert_true(pd_mesh_volume(mesh, &terms) > 0.0);
  for (int i = 0; i < mesh->nt; i++) {
    const int *t = mesh->t[i];
    const pd_vec3 a = mesh->v[t[0]];
    const pd_vec3 n = pd_cross(pd_sub(mesh->v[t[1]], a), pd_sub(mesh->v[t[2]], a));
    for (int k = 0; k < mesh->nv; k++) /* six times a volume: slivers may be turned */
      assert_true(pd_dot(n, pd_sub(mesh->v[k], a)) < 1e-9 * size * size * size);
  }
}

/* in the ball, on a grid in a cube, on a prism, in a plane */
static int make_points(int kind, sc_random *random, pd_vec3 *p)
{
  int n = 0;
  if (kind == 0 || kind == 3)
    for (int i = 0; i < 30; i++) p[n++] = any_vector(random);
  for (int i = 0; kind == 1 && i < 64; i++) p[n++] = pd_v(i % 4, i / 4 % 4, (double)i / 16);
  for (int i = 0; kind == 2 && i < 46; i++)
    p[n++] = pd_v(cos(PD_PI * i / 23.0), sin(PD_PI * i / 23.0), i % 2);
  for (int i = 0; kind == 1 && i < 64; i++) p[i].z = floor(p[i].z);
  for (int i = 0; kind == 3 && i < n; i++) p[i].z = 0.3 * p[i].x - 0.7 * p[i].y;
  return n;
}

static void test_points(void **state)
{
  (void)state;
  sc_random random = {11};
  for (int trial = 0; trial < 800; trial++) {
    static const double noises[4] = {0.0, 1e-16, 1e-12, 1e-9};
    const double noise = noises[trial / 8 % 4], far = trial % 3 ? 0.0 : 1e3;
    const pd_mat3 turned = pd_q_matrix(pd_q_normalize(
        pd_q(any(&random), any(&random), any(&random), trial / 4 % 2 * any(&random))));
    pd_vec3 p[64];
    pd_mesh mesh;
    const int n = make_points(trial % 4, &random, p), flat = trial % 4 == 3;
    for (int i = 0; i < n; i++) {
      p[i] = pd_axpy(pd_mv(turned, p[i]), flat ? 0.0 : noise, any_vector(&random));
      p[i] = pd_scale(ldexp(1.0, 100 * (trial % 5 - 2)), pd_add(p[i], pd_v(far, far, far)));
    }
    check_status(pd_hull(n, p, &mesh), flat ? PD_EVOLUME : PD_OK);
    if (flat) continue;
    check_hull(&mesh);
    pd_mesh_free(&mesh);
  }
}

/* what rounding has made of points in one plane is not seen by one that lies in it */
static void test_rounded_bodies(void **state)
{
  (void)state;
  static const char *name[6] = {"box",         "tetrahedron", "dodecahedron",
                                "icosahedron", "prism",       "rock"};
  static const double value[6][5] = {{1, 2, 3}, {1}, {1}, {1}, {6, 1, 2}, {1, 1, 1, 20, 5}};
  for (int i = 0; i < 6; i++)
    for (double round = 1e-10; round < 20.0; round *= 10.0) {
      pd_mesh mesh, surface;
      pd_shape shape;
      double terms;
      check_ok(pd_find_builtin(name[i])->make(value[i], &mesh));
      check_ok(pd_mesh_repair(&mesh, 1e-6, 1, NULL, NULL));
      check_ok(pd_shape_create_round(&mesh, round, &shape));
      check_ok(pd_round_surface(&shape, &surface));
      const double part = pd_mesh_volume(&surface, &terms) / shape.mass.volume;
      assert_true(part > 0.9 && part < 1.0001);
      pd_mesh_free(&mesh);
      pd_mesh_free(&surface);
      pd_shape_free(&shape);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sign),
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_rounded_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
