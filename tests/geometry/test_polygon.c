/* SPDX-License-Identifier: MIT
 * Polygons cut into triangles: L shapes, stars, corners on straight sides, slits; what is refused.
 */
#define _XOPEN_SOURCE 700 /* M_PI */

#include "check.h"
#include "geometry/polygon.h"
#include "shapes.h"

enum { MOST = 300 };

static pd_vec3 area_of(int n, const pd_vec3 *x)
{
  pd_vec3 sum = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < n; i++) sum = pd_axpy(sum, 0.5, pd_cross(x[i], x[(i + 1) % n]));
  return sum;
}

/* All triangles turn as the polygon does, and their areas add up to its own: they cover it, and
 * none overlaps another. slender: the worst is no worse than this (height over longest side). */
static void check_cover(int n, const pd_vec3 *x, double slender)
{
  static int t[MOST][3];
  double value, sum = 0.0;
  const pd_vec3 area = area_of(n, x);
  check_ok(pd_polygon_triangulate(n, x, t, &value));
  for (int i = 0; i < n - 2; i++) {
    const pd_vec3 c[3] = {x[t[i][0]], x[t[i][1]], x[t[i][2]]};
    double side = 0.0;
    for (int k = 0; k < 3; k++) side = fmax(side, pd_norm(pd_sub(c[k], c[(k + 1) % 3])));
    const double own = pd_dot(area_of(3, c), pd_unit(area));
    assert_true(2.0 * own >= slender * side * side);
    sum += own;
  }
  check_near(sum, pd_norm(area), 1e-12 * pd_norm(area));
}

/* every corner first, both senses */
static void check_all_starts(int n, const pd_vec3 *x, double slender)
{
  pd_vec3 y[MOST];
  for (int start = 0; start < n; start++)
    for (int sense = 0; sense < 2; sense++) {
      for (int i = 0; i < n; i++) y[i] = x[(start + (sense ? n - i : i)) % n];
      check_cover(n, y, slender);
    }
}

/* (x, y) of a drawing to a tilted plane in space */
static void tilt(int n, pd_vec3 *x, double angle)
{
  const double c = cos(angle), s = sin(angle);
  for (int i = 0; i < n; i++)
    x[i] = pd_v(c * x[i].x + 1.0, x[i].y - 2.0, s * x[i].x + 0.3 * x[i].y);
}

static void test_l(void **state)
{
  (void)state;
  for (int k = 0; k < 16; k++) {
    pd_vec3 x[6] = {{2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}};
    tilt(6, x, k * M_PI / 8.0);
    check_all_starts(6, x, 0.1);
  }
}

static void test_convex_is_a_fan(void **state)
{
  (void)state;
  static pd_vec3 x[MOST];
  static int t[MOST][3];
  static const int sizes[5] = {4, 5, 8, 64, MOST};
  double value;
  for (int k = 0; k < 5; k++) {
    const int n = sizes[k];
    for (int i = 0; i < n; i++)
      x[i] = pd_v(cos(2.0 * M_PI * i / n), 0.5 * sin(2.0 * M_PI * i / n), 0.0);
    tilt(n, x, 0.7);
    check_ok(pd_polygon_triangulate(n, x, t, &value));
    for (int i = 0; i < n - 2; i++)
      assert_true(t[i][0] == 0 && t[i][1] == i + 1 && t[i][2] == i + 2);
  }
}

/* the same figure at any size, to the same triangles */
static void test_scales(void **state)
{
  (void)state;
  pd_vec3 x[6] = {{2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}}, y[6];
  int t[4][3], u[4][3];
  double value;
  tilt(6, x, 1.1);
  check_ok(pd_polygon_triangulate(6, x, t, &value));
  for (int k = -60; k <= 60; k += 10) {
    for (int i = 0; i < 6; i++) y[i] = pd_scale(ldexp(1.0, k), x[i]);
    check_ok(pd_polygon_triangulate(6, y, u, &value));
    assert_memory_equal(t, u, sizeof t);
  }
}

static void test_corners_on_sides(void **state)
{
  (void)state;
  /* a triangle with corners on one side, on all sides; a square with one near its corner */
  const pd_vec3 one[6] = {{0, 0, 0}, {4, 0, 0}, {3, 1, 0}, {2, 2, 0}, {1, 3, 0}, {0, 4, 0}};
  const pd_vec3 all[9] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {2, 1, 0},
                          {1, 2, 0}, {0, 3, 0}, {0, 2, 0}, {0, 1, 0}};
  const pd_vec3 near[5] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0.01, 0}};
  check_all_starts(6, one, 1e-3);
  check_all_starts(9, all, 1e-3);
  check_all_starts(5, near, 1e-3);
  /* what is straight but for the rounding of the coordinates is not cut into slivers */
  for (int k = 1; k < 40; k++) {
    pd_vec3 rounded[9];
    for (int i = 0; i < 9; i++) rounded[i] = all[i];
    tilt(9, rounded, 0.1 * k);
    check_all_starts(9, rounded, 1e-3);
  }
}

static void test_stars(void **state)
{
  (void)state;
  sc_random random = {7};
  for (int k = 0; k < 400; k++) {
    pd_vec3 x[MOST];
    const int tips = 3 + k % 30;
    int n = 0;
    for (int i = 0; i < 2 * tips; i++) {
      const double r =
          i % 2 ? 0.1 + 0.3 * sc_uniform(&random, 0.0, 1.0) : 0.6 + sc_uniform(&random, 0.0, 1.0);
      const double a = M_PI * (i + 0.4 * sc_uniform(&random, 0.0, 1.0)) / tips;
      x[n++] = pd_v(r * cos(a), r * sin(a), 0.0);
    }
    /* a corner in the middle of some sides */
    for (int i = n - 1; i > 0; i--) {
      if (sc_uniform(&random, 0.0, 1.0) < 0.7) continue;
      for (int j = n++; j > i; j--) x[j] = x[j - 1];
      x[i] = pd_scale(0.5, pd_add(x[i - 1], x[i + 1]));
    }
    tilt(n, x, 0.37 * k);
    if (k < 20)
      check_all_starts(n, x, 0.0);
    else
      check_cover(n, x, 0.0);
  }
}

/* a comb, a spiral: long ways round */
static void test_comb_and_spiral(void **state)
{
  (void)state;
  pd_vec3 x[MOST];
  int n = 0;
  for (int i = 0; i < 20; i++) {
    x[n++] = pd_v(i, 10.0, 0.0);
    x[n++] = pd_v(i + 0.5, 0.5, 0.0);
  }
  x[n++] = pd_v(20.0, 10.0, 0.0);
  x[n++] = pd_v(20.0, 0.0, 0.0);
  x[n++] = pd_v(0.0, 0.0, 0.0);
  check_all_starts(n, x, 0.0);
  n = 60;
  for (int i = 0; i < n; i++) {
    const double a = 0.2 * i, b = 0.2 * (n - 1 - i);
    x[i] = pd_v((1.0 + a) * cos(a), (1.0 + a) * sin(a), 0.0);
    x[n + i] = pd_v((1.5 + b) * cos(b), (1.5 + b) * sin(b), 0.0);
  }
  check_all_starts(2 * n, x, 0.0);
}

/* a square frame, its hole reached by a slit along which the corners return */
static void test_slit(void **state)
{
  (void)state;
  const pd_vec3 x[10] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0},
                         {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}};
  check_all_starts(10, x, 0.1);
}

static void test_repeated_corner(void **state)
{
  (void)state;
  const pd_vec3 x[6] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  check_all_starts(6, x, 0.0);
}

/* every set of corners of an L there twice, or three times */
static void test_any_repeated_corners(void **state)
{
  (void)state;
  static const pd_vec3 l[6] = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  for (int set = 0; set < 1 << 6; set++)
    for (int more = 1; more < 3; more++) {
      pd_vec3 x[18];
      int n = 0;
      for (int i = 0; i < 6; i++)
        for (int k = 0; k <= (set >> i & 1 ? more : 0); k++) x[n++] = l[i];
      check_cover(n, x, 0.0);
    }
}

static void test_refused(void **state)
{
  (void)state;
  const pd_vec3 bow[4] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  const pd_vec3 lame[4] = {{0, 0, 0}, {1, 3, 0}, {1, 0, 0}, {0, 1, 0}};
  const pd_vec3 there[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 0, 0}};
  const pd_vec3 folded[4] = {{0, 0, 0}, {1, 0, 1.2}, {1, 1, 0}, {0, 1, 1.2}};
  const pd_vec3 bent[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.3}, {0, 1, 0}};
  const pd_vec3 line[4] = {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {3, 6, 9}};
  pd_vec3 pentagram[5];
  int t[3][3];
  double value;
  for (int i = 0; i < 5; i++)
    pentagram[i] = pd_v(cos(4.0 * M_PI * i / 5.0), sin(4.0 * M_PI * i / 5.0), 0.0);
  check_status(pd_polygon_triangulate(4, bow, t, &value), PD_ECROSSED);
  check_status(pd_polygon_triangulate(4, lame, t, &value), PD_ECROSSED);
  check_status(pd_polygon_triangulate(4, there, t, &value), PD_ECROSSED);
  check_status(pd_polygon_triangulate(5, pentagram, t, &value), PD_ECROSSED);
  check_status(pd_polygon_triangulate(4, folded, t, &value), PD_EWARPED);
  assert_true(value > 0.2);
  check_ok(pd_polygon_triangulate(4, bent, t, &value));
  check_ok(
      pd_polygon_triangulate(4, line, t, &value)); /* no area: the repair of meshes sees that */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_l),       cmocka_unit_test(test_convex_is_a_fan),
      cmocka_unit_test(test_scales),  cmocka_unit_test(test_corners_on_sides),
      cmocka_unit_test(test_stars),   cmocka_unit_test(test_comb_and_spiral),
      cmocka_unit_test(test_slit),    cmocka_unit_test(test_repeated_corner),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_any_repeated_corners),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
