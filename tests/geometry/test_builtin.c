/* SPDX-License-Identifier: MIT
 * Built-in shapes: closed surfaces turned outwards, their volumes and moments, values that make no
 * solid. */
#include "check.h"
#include "geometry/builtin.h"
#include "geometry/mass.h"

#define EXACT 1e-12 /* relative */

/* a shape with its analytic volume and moments of inertia about the axes, for density 1 */
typedef struct solid {
  const char *name;
  double value[3];
  double volume;
  pd_vec3 moment;
} solid;

/* tetrapod: edge l of the core; a leg is a frustum of height h whose sections have edges from l to
 * taper l. Here taper = 1, prisms; the inertia is isotropic, 2/3 of int r^2. */
static solid tetrapod(double reach, double r0)
{
  const double l = r0 * sqrt(8.0 / 3.0), core = l * l * l / (6.0 * sqrt(2.0)), z = r0 / 3.0;
  const double area = sqrt(3.0) / 4.0 * l * l, leg = area * (reach - z);
  const double leg_r2 = area * (pow(reach, 3.0) - pow(z, 3.0)) / 3.0 + leg * l * l / 12.0;
  const double i = 2.0 / 3.0 * (core * l * l * 3.0 / 40.0 + 4.0 * leg_r2);
  const solid s = {"tetrapod", {reach, r0, 1.0}, core + 4.0 * leg, {i, i, i}};
  return s;
}

static solid box(double a, double b, double c)
{
  const double v = a * b * c, k = v / 12.0;
  const solid s = {
      "box", {a, b, c}, v, {k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b)}};
  return s;
}

static void check_solid(solid s)
{
  const pd_builtin *shape = pd_find_builtin(s.name);
  pd_mesh mesh;
  pd_mesh_report report;
  pd_fault fault;
  pd_mass mass;
  assert_non_null(shape);
  check_ok(shape->make(s.value, &mesh));
  check_ok(pd_mesh_repair(&mesh, 1e-6, 1, &report, &fault));
  assert_int_equal(report.welded + report.dropped + report.flipped + report.inverted, 0);
  check_ok(pd_mass_properties(&mesh, &mass));
  check_near(mass.volume, s.volume, EXACT * s.volume);
  check_near(pd_norm(mass.center), 0.0, EXACT);
  check_near(mass.inertia.m[0][0], s.moment.x, EXACT * s.moment.x);
  check_near(mass.inertia.m[1][1], s.moment.y, EXACT * s.moment.y);
  check_near(mass.inertia.m[2][2], s.moment.z, EXACT * s.moment.z);
  pd_mesh_free(&mesh);
  for (int k = 0; k < shape->nvalue; k++) {
    solid bad = s;
    bad.value[k] = 0.0;
    check_status(shape->make(bad.value, &mesh), PD_ERANGE);
    bad.value[k] = -1.0;
    check_status(shape->make(bad.value, &mesh), PD_ERANGE);
  }
}

static void test_solids(void **state)
{
  (void)state;
  check_solid(box(0.5, 0.9, 1.2));
  check_solid(tetrapod(1.0, 0.4));
}

static void test_unknown_name(void **state)
{
  (void)state;
  assert_null(pd_find_builtin("ball"));
  assert_null(pd_find_builtin(""));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_solids),
      cmocka_unit_test(test_unknown_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
