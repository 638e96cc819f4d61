/* SPDX-License-Identifier: MIT
 * Triangles that cross: against the definition by edges that pierce, limiting cases, meshes. */
#include "check.h"
#include "every_pair.h"
#include "geometry/crossing.h"
#include "geometry/shape.h"
#include "shapes.h"

static pd_vec3 random_point(sc_random *random)
{
  const double x = sc_uniform(random, 0.0, 1.0), y = sc_uniform(random, 0.0, 1.0);
  return pd_v(x, y, sc_uniform(random, 0.0, 1.0));
}

static double volume(pd_vec3 a, pd_vec3 b, pd_vec3 c, pd_vec3 d)
{
  return pd_dot(pd_sub(b, a), pd_cross(pd_sub(c, a), pd_sub(d, a)));
}

/* whether the segment a b goes through the inside of the triangle */
static int pierces(pd_vec3 a, pd_vec3 b, const pd_vec3 *t)
{
  const double from = volume(t[0], t[1], t[2], a), to = volume(t[0], t[1], t[2], b);
  const double s[3] = {volume(a, b, t[0], t[1]), volume(a, b, t[1], t[2]),
                       volume(a, b, t[2], t[0])};
  return (from > 0.0) != (to > 0.0) && (s[0] > 0.0) == (s[1] > 0.0) && (s[1] > 0.0) == (s[2] > 0.0);
}

static void test_against_piercing_edges(void **state)
{
  (void)state;
  sc_random random = {5};
  int crossing = 0;
  for (int n = 0; n < 100000; n++) {
    pd_vec3 p[3], q[3];
    for (int k = 0; k < 3; k++) {
      p[k] = random_point(&random);
      q[k] = random_point(&random);
    }
    /* some share a corner */
    if (n % 3 == 0) q[n % 2] = p[n % 5 % 3];
    int expected = 0;
    for (int k = 0; k < 3; k++) {
      const int shared_p = n % 3 == 0 && (k == n % 5 % 3 || (k + 1) % 3 == n % 5 % 3);
      const int shared_q = n % 3 == 0 && (k == n % 2 || (k + 1) % 3 == n % 2);
      expected |= !shared_p && pierces(p[k], p[(k + 1) % 3], q);
      expected |= !shared_q && pierces(q[k], q[(k + 1) % 3], p);
    }
    assert_int_equal(pd_triangles_cross(p, q), expected);
    assert_int_equal(pd_triangles_cross(q, p), expected);
    crossing += expected;
  }
  assert_true(crossing > 5000);
}

typedef struct limiting_case {
  pd_vec3 q[3];
  int cross;
} limiting_case;

/* against the triangle (0, 0), (2, 0), (0, 2), in all orders of corners, from 2^-40 to 2^40, and
 * turned so that coordinates are rounded where that does not decide */
static void test_limiting_cases(void **state)
{
  (void)state;
  static const pd_vec3 first[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  static const limiting_case cases[] = {
      {{{0, 0, 0}, {2, 0, 0}, {1, -1, 0}}, 0},             /* beside it in its plane */
      {{{0, 0, 0}, {2, 0, 0}, {1, 1, 1}}, 0},              /* folded up */
      {{{0, 0, 0}, {2, 0, 0}, {0.5, 0.5, 0}}, 1},          /* folded onto it */
      {{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, 1},              /* itself */
      {{{0.5, 0.5, 0}, {3, 3, 0}, {3, 2, 0}}, 1},          /* overlaps in its plane */
      {{{1, 1, 0}, {3, 3, 0}, {3, 2, 0}}, 0},              /* touches a side in its plane */
      {{{2, 0, 0}, {3, 3, 0}, {3, 2, 0}}, 0},              /* touches a corner in its plane */
      {{{0.5, 0.5, 0}, {0.5, 0.5, 1}, {1, 1, 1}}, 0},      /* stands on it */
      {{{0.5, 0.5, 0}, {0.7, 0.5, 0}, {1, 1, 1}}, 0},      /* stands on it with an edge */
      {{{0.5, 0.5, -1}, {0.5, 0.5, 1}, {3, 3, 1}}, 1},     /* through it */
      {{{0.5, 0.5, -1}, {0.5, 0.5, 1}, {0.6, 0.7, 0}}, 1}, /* through it, a corner in its plane */
      {{{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}, 1},             /* through it from a shared corner */
      {{{0, 0, 0}, {-1, -1, 1}, {-1, -1, -1}}, 0},         /* away from a shared corner */
      {{{1, 0, -1}, {1, 0, 1}, {1, -2, 0}}, 0},            /* touches a side from without */
      {{{1, 0, -1}, {1, 0, 1}, {0.5, 2, 0.1}}, 1},         /* the same, inwards */
      {{{0, 0, 1}, {2, 0, 1}, {0, 2, 1}}, 0},              /* above it */
  };
  const pd_mat3 turned = pd_q_matrix(pd_q_normalize(pd_q(1, 0.3, -0.2, 0.5)));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int order = 0; order < 9; order++)
      for (int exponent = -40; exponent <= 40; exponent += 20)
        for (int turn = 0; turn < 2; turn++) {
          pd_vec3 p[3], q[3];
          for (int k = 0; k < 3; k++) {
            p[k] = pd_scale(ldexp(1.0, exponent), first[(k + order) % 3]);
            q[k] = pd_scale(ldexp(1.0, exponent), cases[i].q[(k + order / 3) % 3]);
            if (turn) p[k] = pd_mv(turned, p[k]);
            if (turn) q[k] = pd_mv(turned, q[k]);
          }
          if (pd_triangles_cross(p, q) != cases[i].cross)
            print_error("case %zu, order %d, turned %d\n", i, order, turn);
          assert_int_equal(pd_triangles_cross(p, q), cases[i].cross);
          assert_int_equal(pd_triangles_cross(q, p), cases[i].cross);
        }
}

static int cross(const void *none, const pd_vec3 *p, const pd_vec3 *q)
{
  (void)none;
  return pd_triangles_cross(p, q);
}

static int check_by_brute_force(const pd_mesh *mesh)
{
  pd_triangle_pairs found;
  check_ok(pd_mesh_crossings(mesh, &found));
  const pd_triangle_pairs expected = every_pair(mesh, cross, NULL);
  assert_memory_equal(&found, &expected, sizeof found);
  return found.pairs;
}

/* Triangles between some random points, half of them about one or two apexes; points may lie in
 * planes or on each other, triangles too. */
static void test_random_meshes(void **state)
{
  (void)state;
  enum { MOST = 80 };
  sc_random random = {11};
  int without = 0, pairs = 0;
  for (int n = 0; n < 3000; n++) {
    const int nv = 6 + sc_below(&random, 40), nt = 1 + sc_below(&random, MOST);
    pd_vec3 v[45];
    int t[MOST][3];
    pd_mesh mesh;
    for (int i = 0; i < nv; i++) {
      v[i] = random_point(&random);
      if (n % 4 == 1) v[i].z = floor(3.0 * v[i].z);
      if (n % 4 == 2) v[i] = pd_v(floor(3.0 * v[i].x), floor(3.0 * v[i].y), floor(3.0 * v[i].z));
    }
    for (int i = 0; i < nt; i++) {
      t[i][0] = i % 2 ? sc_below(&random, 1 + n % 2) : 2 + sc_below(&random, nv - 2);
      do t[i][1] = 2 + sc_below(&random, nv - 2);
      while (t[i][1] == t[i][0]);
      do t[i][2] = 2 + sc_below(&random, nv - 2);
      while (t[i][2] == t[i][0] || t[i][2] == t[i][1]);
    }
    check_ok(pd_mesh_create(nv, v, nt, (const int(*)[3])t, &mesh));
    const int found = check_by_brute_force(&mesh);
    without += found == 0;
    pairs += found;
    pd_mesh_free(&mesh);
  }
  assert_true(without > 100 && pairs > 100000);
}

/* Two cones over one circle of n sides, their axis askew; the lower one's apex at the given height
 */
static void make_cones(int n, double lower, pd_mesh *mesh)
{
  enum { MOST = 1000 };
  static pd_vec3 v[MOST + 2];
  static int t[2 * MOST][3];
  const pd_mat3 turned = pd_q_matrix(pd_q_normalize(pd_q(1, 0.3, -0.2, 0.5)));
  v[n] = pd_v(0, 0, 1);
  v[n + 1] = pd_v(0, 0, lower);
  for (int i = 0; i < n; i++) {
    const double a = 2.0 * 3.14159265358979 * i / n;
    const int next = (i + 1) % n, upper_t[3] = {i, next, n}, lower_t[3] = {next, i, n + 1};
    v[i] = pd_v(cos(a), sin(a), 0.0);
    for (int k = 0; k < 3; k++) {
      t[2 * i][k] = upper_t[k];
      t[2 * i + 1][k] = lower_t[k];
    }
  }
  for (int i = 0; i < n + 2; i++) v[i] = pd_mv(turned, v[i]);
  check_ok(pd_mesh_create(n + 2, v, 2 * n, (const int(*)[3])t, mesh));
}

/* long thin triangles about apexes; where some corners are on the far side, they cross */
static void test_cones(void **state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    pd_mesh mesh;
    make_cones(700, k == 0 ? -0.5 : 0.5, &mesh);
    if (k == 2)
      for (int i = 0; i < 20; i++) mesh.v[i] = pd_scale(-0.7, mesh.v[i]);
    assert_int_equal(check_by_brute_force(&mesh) > 0, k == 2);
    pd_mesh_free(&mesh);
  }
}

/* a sphere of 3 n by 4 n quadrilaterals, dented by a bump that may come out on its other side */
static void make_dented(int n, double depth, pd_mesh *mesh)
{
  enum { MOST_V = 20000 };
  static pd_vec3 v[MOST_V];
  static int t[2 * MOST_V][3];
  const int rows = 3 * n, cols = 4 * n;
  int nv = 0, nt = 0;
  for (int i = 0; i <= rows; i++)
    for (int j = 0; j < cols; j++) {
      const double a = 3.14159265358979 * i / rows, b = 2.0 * 3.14159265358979 * j / cols;
      pd_vec3 x = pd_v(sin(a) * cos(b), sin(a) * sin(b), cos(a));
      x.z -= depth * exp(-8.0 * (x.x * x.x + x.y * x.y)) * (x.z > 0.0);
      v[nv++] = x;
      if (i == rows) continue;
      const int c[4] = {cols * i + j, cols * i + (j + 1) % cols, cols * (i + 1) + j,
                        cols * (i + 1) + (j + 1) % cols};
      const int lower[3] = {c[0], c[2], c[3]}, upper[3] = {c[0], c[3], c[1]};
      for (int k = 0; k < 3; k++) {
        t[nt][k] = lower[k];
        t[nt + 1][k] = upper[k];
      }
      nt += 2;
    }
  check_ok(pd_mesh_create(nv, v, nt, (const int(*)[3])t, mesh));
}

static void test_meshes(void **state)
{
  (void)state;
  static const double depths[4] = {0.0, 1.5, 1.95, 2.4};
  for (int k = 0; k < 4; k++) {
    pd_mesh mesh;
    pd_mesh_report report;
    make_dented(5, depths[k], &mesh);
    check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &report, NULL));
    const int pairs = check_by_brute_force(&mesh);
    assert_int_equal(report.crossings.pairs, pairs);
    assert_int_equal(pairs > 0, depths[k] > 2.0);
    pd_mesh_free(&mesh);
  }
}

/* numbers are those of the file, though triangles at the poles are dropped */
static void test_numbers_of_the_file(void **state)
{
  (void)state;
  pd_mesh mesh, welded;
  pd_mesh_report report;
  make_dented(5, 2.4, &mesh);
  make_dented(5, 2.4, &welded);
  check_ok(pd_mesh_repair(&welded, 1e-9, 1, &report, NULL));
  assert_true(report.dropped > 0 && report.crossings.pairs > 0);
  pd_vec3 p[3], q[3];
  for (int k = 0; k < 3; k++) {
    p[k] = mesh.v[mesh.t[report.crossings.first[0]][k]];
    q[k] = mesh.v[mesh.t[report.crossings.first[1]][k]];
  }
  assert_true(pd_triangles_cross(p, q));
  pd_mesh_free(&mesh);
  pd_mesh_free(&welded);
}

/* A prism over two triangles that meet in a crossing, one the other way round: what a surface of
 * positive volume can be without being that of a body. */
static void test_no_body(void **state)
{
  (void)state;
  static const pd_vec3 v[8] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, -0.9, 0},
                               {0, 0, 3}, {2, 0, 3}, {2, 1, 3}, {0, -0.9, 3}};
  static const int t[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                               {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  pd_mesh mesh;
  pd_mesh_report report;
  pd_shape shape;
  check_ok(pd_mesh_create(8, v, 12, t, &mesh));
  check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &report, NULL));
  assert_true(report.crossings.pairs > 0);
  check_status(pd_shape_create(&mesh, 1, &shape), PD_EMOMENT);
  pd_mesh_free(&mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_piercing_edges),
      cmocka_unit_test(test_limiting_cases),
      cmocka_unit_test(test_meshes),
      cmocka_unit_test(test_random_meshes),
      cmocka_unit_test(test_cones),
      cmocka_unit_test(test_numbers_of_the_file),
      cmocka_unit_test(test_no_body),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
