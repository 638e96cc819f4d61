/* SPDX-License-Identifier: MIT
 * Triangles that lie on each other: limiting cases, and meshes against brute force. */
#include <string.h>

#include "check.h"
#include "every_pair.h"
#include "geometry/coplanar.h"
#include "geometry/mesh_internal.h"
#include "shapes.h"

#define TOL 1e-6

typedef struct limiting_case {
  pd_vec3 q[3];
  int on;
} limiting_case;

/* against the triangle (0, 0), (2, 0), (0, 2), in all orders of corners, and turned */
static void test_limiting_cases(void **state)
{
  (void)state;
  const double in = 0.5 * TOL, out = 2.0 * TOL;
  const limiting_case cases[] = {
      {{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, 1},                /* itself */
      {{{0.5, 0.5, 0}, {0.7, 0.5, 0}, {0.5, 0.7, 0}}, 1},    /* inside */
      {{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}}, 1},             /* around */
      {{{1, -1, 0}, {1, 3, 0}, {1.5, 1, 0}}, 1},             /* no corner in the other one */
      {{{0, 0, 0}, {2, 0, 0}, {1, -1, 0}}, 0},               /* beside a common edge */
      {{{0, 0, 0}, {2, 0, 0}, {1, 1, 0}}, 1},                /* over it */
      {{{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}, 0},              /* a common vertex */
      {{{0, 0, 0}, {1, -1, 0}, {1, 3, 0}}, 1},               /* the same, across the other one */
      {{{3, 3, 0}, {4, 3, 0}, {3, 4, 0}}, 0},                /* apart */
      {{{0.5, 0.5, in}, {0.7, 0.5, -in}, {0.5, 0.7, 0}}, 1}, /* as good as in the plane */
      {{{0.5, 0.5, out}, {0.7, 0.5, out}, {0.5, 0.7, out}}, 0},
      {{{0.5, 0.5, 0}, {0.7, 0.5, 0}, {0.5, 0.7, 0.1}}, 0},    /* on an edge */
      {{{0.5, 0.5, -0.1}, {0.7, 0.5, 0.1}, {0.5, 0.7, 0}}, 0}, /* through it */
      {{{0, in, 0}, {2, in, 0}, {1, -1, 0}}, 0}, /* reaches over the edge by less than tol */
      {{{0, out, 0}, {2, out, 0}, {1, -1, 0}}, 1},
  };
  const pd_mat3 turned = pd_q_matrix(pd_q(0.6, 0.48, -0.64, 0.0));
  const pd_vec3 first[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int order = 0; order < 18; order++) {
      pd_vec3 p[3], q[3];
      for (int k = 0; k < 3; k++) {
        p[k] = first[(k + order) % 3];
        q[k] = cases[i].q[(k + order / 3) % 3];
        if (order >= 9) p[k] = pd_mv(turned, p[k]);
        if (order >= 9) q[k] = pd_mv(turned, q[k]);
      }
      if (pd_triangles_lie_on_each_other(p, q, TOL) != cases[i].on)
        print_error("case %zu, order %d\n", i, order);
      assert_int_equal(pd_triangles_lie_on_each_other(p, q, TOL), cases[i].on);
      assert_int_equal(pd_triangles_lie_on_each_other(q, p, TOL), cases[i].on);
    }
}

static int lie_on_each_other(const void *tol, const pd_vec3 *p, const pd_vec3 *q)
{
  return pd_triangles_lie_on_each_other(p, q, *(const double *)tol);
}

enum { CELLS = 12, TRIANGLES = 4 * CELLS * CELLS };

/* Two sheets of squares on each other but for shift and height, with slopes; turned. */
static void make_sheets(double shift, double height, double slope, pd_mesh *mesh)
{
  const pd_mat3 turned = pd_q_matrix(pd_q(0.6, 0.48, -0.64, 0.0));
  static pd_vec3 v[2 * (CELLS + 1) * (CELLS + 1)];
  static int t[TRIANGLES][3];
  int nv = 0, nt = 0;
  for (int sheet = 0; sheet < 2; sheet++)
    for (int i = 0; i <= CELLS; i++)
      for (int j = 0; j <= CELLS; j++) {
        const int k = nv;
        const double z = sheet * height + slope * fabs(i - 0.5 * CELLS);
        v[nv++] = pd_mv(turned, pd_v(i, j + sheet * shift, z));
        if (i == CELLS || j == CELLS) continue;
        const int side = k + CELLS + 1, square[2][3] = {{k, side, side + 1}, {k, side + 1, k + 1}};
        memcpy(t[nt], square, sizeof square);
        nt += 2;
      }
  check_ok(pd_mesh_create(nv, v, nt, (const int(*)[3])t, mesh));
}

static void test_sheets(void **state)
{
  (void)state;
  static const double heights[4] = {0.0, 4e-6, 1e-5, 0.5}, slopes[2] = {0.0, 0.3};
  for (int n = 0; n < 16; n++) {
    pd_mesh mesh;
    pd_triangle_pairs found;
    const double shift = n / 8 ? 0.35 : (double)CELLS;
    make_sheets(shift, heights[n % 4], slopes[n / 4 % 2], &mesh);
    const double tol = 3e-7 * pd_mesh_diagonal(&mesh); /* 5e-6 to 7e-6 */
    check_ok(pd_mesh_coplanar(&mesh, tol, &found));
    const pd_triangle_pairs expected = every_pair(&mesh, lie_on_each_other, &tol);
    assert_memory_equal(&found, &expected, sizeof found);
    assert_int_equal(found.pairs > 0, n / 8 && n % 4 < 2);
    pd_mesh_free(&mesh);
  }
}

/* numbers and place are those of the file; a closed mesh has crossings instead */
static void test_report(void **state)
{
  (void)state;
  static const pd_vec3 v[8] = {{5, 5, 5}, {0, 0, 0},     {2, 0, 0},      {0, 2, 0},
                               {2, 2, 0}, {0.5, 0.5, 0}, {0.5, 0.75, 0}, {0.75, 0.5, 0}};
  static const int t[4][3] = {{0, 0, 1}, {1, 2, 3}, {2, 4, 3}, {5, 6, 7}};
  pd_mesh mesh;
  pd_mesh_report report;
  check_ok(pd_mesh_create(8, v, 4, t, &mesh));
  check_ok(pd_mesh_repair(&mesh, TOL, 0, &report, NULL));
  assert_int_equal(report.dropped, 1);
  assert_int_equal(report.doubled.pairs, 1);
  assert_int_equal(report.doubled.first[0], 1);
  assert_int_equal(report.doubled.first[1], 3);
  assert_true(pd_norm(pd_sub(report.middle, pd_v(2.0 / 3.0, 2.0 / 3.0, 0.0))) < 1e-12);
  pd_mesh_free(&mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limiting_cases),
      cmocka_unit_test(test_sheets),
      cmocka_unit_test(test_report),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
