/* SPDX-License-Identifier: MIT
 * Facets of cylinders and cones: closed ones enclose what they should, values that make no surface.
 */
#include "check.h"
#include "geometry/cone.h"
#include "geometry/mass.h"

#define EXACT 1e-13 /* relative */

/* frustum over a regular polygon */
static double volume_of(const pd_cone *c)
{
  const double a = c->low_radius, b = c->high_radius, n = c->facets;
  return 0.5 * n * sin(2.0 * PD_PI / n) * (c->high - c->low) * (a * a + a * b + b * b) / 3.0;
}

static void check_closed(pd_cone c)
{
  pd_mesh mesh;
  pd_mesh_report report;
  pd_fault fault;
  pd_mass mass;
  check_ok(pd_make_cone(&c, &mesh));
  check_ok(pd_mesh_repair(&mesh, 1e-6, 1, &report, &fault));
  assert_int_equal(report.welded + report.dropped + report.borders, 0);
  check_ok(pd_mass_properties(&mesh, &mass));
  check_near(mass.volume, volume_of(&c), EXACT * mass.volume);
  check_near(mass.center.x, 0.0, EXACT);
  check_near(mass.center.y, 0.0, EXACT);
  pd_mesh_free(&mesh);
}

static void test_closed(void **state)
{
  (void)state;
  const pd_cone cylinder = {-1.0, 2.0, 0.7, 0.7, 48, 1, 1}, cone = {0.0, 1.0, 0.3, 0.9, 17, 1, 1};
  const pd_cone tip = {0.0, 1.0, 0.0, 0.9, 720, 1, 1}, roof = {0.0, 1.0, 0.5, 0.0, 3, 1, 1};
  check_closed(cylinder);
  check_closed(cone);
  check_closed(tip);
  check_closed(roof);
}

/* border edges of an open one: both circles, or one of them */
static void test_open(void **state)
{
  (void)state;
  const int borders[4] = {96, 48, 48, 0};
  for (int k = 0; k < 4; k++) {
    const pd_cone c = {-1.0, 2.0, 0.7, 0.9, 48, k & 1, k >> 1};
    pd_mesh mesh;
    pd_mesh_report report;
    pd_fault fault;
    check_ok(pd_make_cone(&c, &mesh));
    check_ok(pd_mesh_repair(&mesh, 1e-6, 0, &report, &fault));
    assert_int_equal(report.borders, borders[k]);
    assert_int_equal(report.parts, 1);
    pd_mesh_free(&mesh);
  }
}

static void test_no_surface(void **state)
{
  (void)state;
  const pd_cone bad[] = {{0.0, 1.0, 1.0, 1.0, 2, 0, 0},  {0.0, 1.0, 1.0, 1.0, 721, 0, 0},
                         {0.0, 0.0, 1.0, 1.0, 9, 0, 0},  {0.0, 1.0, 0.0, 0.0, 9, 0, 0},
                         {0.0, 1.0, -1.0, 2.0, 9, 0, 0}, {0.0, NAN, 1.0, 1.0, 9, 0, 0},
                         {0.0, 1.0, NAN, 1.0, 9, 0, 0}};
  pd_mesh mesh;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    check_status(pd_make_cone(&bad[i], &mesh), PD_ERANGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed), cmocka_unit_test(test_open),
                                     cmocka_unit_test(test_no_surface)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
