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
  double value[5];
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

/* regular n-gon: area and second moment about a diameter */
static solid prism(int n, double r, double h)
{
  const double a = 2.0 * acos(-1.0) / n, area = 0.5 * n * r * r * sin(a), v = area * h;
  const double about_z = v * r * r * (2.0 + cos(a)) / 6.0;
  const double about_x = 0.5 * about_z + v * h * h / 12.0;
  const solid s = {"prism", {n, r, h}, v, {about_x, about_x, about_z}};
  return s;
}

/* the moment of inertia of a regular body is k m a^2 */
static solid regular(const char *name, double edge, double volume, double k)
{
  const double v = volume * edge * edge * edge, i = k * v * edge * edge;
  const solid s = {name, {edge}, v, {i, i, i}};
  return s;
}

static void test_regular_solids(void **state)
{
  (void)state;
  const double f = 0.5 * (1.0 + sqrt(5.0)); /* golden ratio */
  check_solid(prism(3, 0.7, 1.3));
  check_solid(prism(6, 0.5, 0.4));
  check_solid(prism(360, 1.1, 0.2));
  check_solid(regular("tetrahedron", 0.9, 1.0 / (6.0 * sqrt(2.0)), 1.0 / 20.0));
  check_solid(regular("octahedron", 0.9, sqrt(2.0) / 3.0, 1.0 / 10.0));
  check_solid(regular("icosahedron", 0.9, 5.0 / 12.0 * (3.0 + sqrt(5.0)), f * f / 10.0));
  check_solid(
      regular("dodecahedron", 0.9, (15.0 + 7.0 * sqrt(5.0)) / 4.0, (39.0 * f + 28.0) / 150.0));
}

/* no vertex lies beyond the plane of a triangle */
static void check_convex(const pd_mesh *mesh)
{
  for (int i = 0; i < mesh->nt; i++) {
    const pd_vec3 a = mesh->v[mesh->t[i][0]], b = mesh->v[mesh->t[i][1]],
                  c = mesh->v[mesh->t[i][2]];
    const pd_vec3 n = pd_cross(pd_sub(b, a), pd_sub(c, a));
    for (int k = 0; k < mesh->nv; k++) assert_true(pd_dot(n, pd_sub(mesh->v[k], a)) < 1e-14);
  }
}

static void check_rock(double a, double b, double c, int n, int seed)
{
  const double value[5] = {a, b, c, n, seed};
  pd_vec3 low = pd_v(1e9, 1e9, 1e9), high = pd_v(-1e9, -1e9, -1e9);
  pd_mesh mesh;
  pd_mesh_report report;
  pd_fault fault;
  check_ok(pd_find_builtin("rock")->make(value, &mesh));
  check_ok(pd_mesh_repair(&mesh, 1e-6, 1, &report, &fault));
  assert_int_equal(report.welded + report.dropped + report.flipped + report.inverted, 0);
  assert_int_equal(mesh.nv, n);
  assert_int_equal(mesh.nt, 2 * n - 4); /* Euler */
  check_convex(&mesh);
  for (int i = 0; i < n; i++) {
    const pd_vec3 v = mesh.v[i];
    low = pd_v(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
    high = pd_v(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
  }
  check_near(high.x - low.x, a, EXACT);
  check_near(high.y - low.y, b, EXACT);
  check_near(high.z - low.z, c, EXACT);
  pd_mesh_free(&mesh);
}

/* also elongated and flat ones */
static void test_rocks(void **state)
{
  (void)state;
  for (int seed = 1; seed <= 40; seed++) {
    check_rock(1.0, 0.8, 0.6, 4 + seed, seed);
    check_rock(1.0, 0.1, 0.05, 20, seed);
  }
  check_rock(1.0, 1.0, 1.0, 200, 4711);
}

/* one seed makes one rock */
static void test_seeds(void **state)
{
  (void)state;
  const double value[2][5] = {{1, 1, 1, 10, 1}, {1, 1, 1, 10, 2}};
  pd_mesh one, again, other;
  const pd_builtin *rock = pd_find_builtin("rock");
  check_ok(rock->make(value[0], &one));
  check_ok(rock->make(value[0], &again));
  check_ok(rock->make(value[1], &other));
  for (int i = 0; i < 10; i++) {
    assert_true(pd_norm(pd_sub(one.v[i], again.v[i])) == 0.0);
    assert_true(pd_norm(pd_sub(one.v[i], other.v[i])) > 1e-3);
  }
  const double bad[4][5] = {{0, 1, 1, 10, 1}, {1, 1, 1, 3, 1}, {1, 1, 1, 201, 1}, {1, 1, 1, 10, 0}};
  for (int i = 0; i < 4; i++) check_status(rock->make(bad[i], &other), PD_ERANGE);
  pd_mesh_free(&one);
  pd_mesh_free(&again);
  pd_mesh_free(&other);
}

enum { CELLS = 200 };

/* Cells are closed and convex; with no gap between them they fill the box. */
static void test_voronoi(void **state)
{
  (void)state;
  const pd_builtin *voronoi = pd_find_builtin("voronoi");
  double volume = 0.0;
  for (int i = 0; i < CELLS; i++) {
    const double value[7] = {1.0, 2.0, 0.5, 0.0, 4711.0, CELLS, i};
    pd_mesh mesh;
    pd_mesh_report report;
    pd_fault fault;
    pd_mass mass;
    check_ok(voronoi->make(value, &mesh));
    check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &report, &fault));
    assert_int_equal(report.welded + report.dropped + report.flipped + report.inverted, 0);
    check_ok(pd_mass_properties(&mesh, &mass));
    volume += mass.volume;
    for (int t = 0; t < mesh.nt; t++) {
      const pd_vec3 a = mesh.v[mesh.t[t][0]], b = mesh.v[mesh.t[t][1]], c = mesh.v[mesh.t[t][2]];
      const pd_vec3 n = pd_cross(pd_sub(b, a), pd_sub(c, a));
      for (int k = 0; k < mesh.nv; k++)
        assert_true(pd_dot(n, pd_sub(mesh.v[k], a)) < 1e-12 * pd_norm(n) + 1e-15);
    }
    pd_mesh_free(&mesh);
  }
  check_near(volume, 1.0, 1e-13);
  const double none[7] = {1.0, 1.0, 1.0, 3.0, 1.0, 2.0, 0.0};
  pd_mesh mesh;
  check_status(voronoi->make(none, &mesh), PD_ERANGE);
}

/* volume of a closed surface that does not cross itself, with so many vertices */
static double closed_volume(const char *name, const double *value, int nv, pd_vec3 *center)
{
  pd_mesh mesh;
  pd_mesh_report report;
  pd_fault fault;
  pd_mass mass;
  check_ok(pd_find_builtin(name)->make(value, &mesh));
  check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &report, &fault));
  assert_int_equal(report.welded + report.dropped + report.flipped + report.inverted, 0);
  assert_int_equal(report.crossings.pairs, 0);
  assert_int_equal(mesh.nv, nv);
  assert_int_equal(mesh.nt, 2 * nv - 4); /* Euler */
  check_ok(pd_mass_properties(&mesh, &mass));
  *center = mass.center;
  pd_mesh_free(&mesh);
  return mass.volume;
}

/* A third of a leg's sides are pyramids from the plane against another leg to the apex, from which
 * those beyond the tip are to be taken; of equal radii prisms over the plane's slope. */
static double legs_volume(double length, double root, double tip, int n)
{
  const double pi = acos(-1.0), apex = root > tip ? length * root / (root - tip) : 0.0;
  double sum = 0.0;
  for (int k = 0; k < n / 3; k++) {
    const double c[2] = {cos(pi / 3.0 * (6.0 * k / n - 1.0)),
                         cos(pi / 3.0 * (6.0 * (k + 1) / n - 1.0))};
    const double area = 0.5 * root * root * sin(2.0 * pi / n);
    if (!apex) {
      sum += area * (length - root * (c[0] + c[1]) / 3.0 / sqrt(2.0));
      continue;
    }
    /* parts of root that the section has where the plane cuts both edges */
    const double u[2] = {apex / (apex + root * c[0] / sqrt(2.0)),
                         apex / (apex + root * c[1] / sqrt(2.0))};
    const double cut = apex * area * u[0] * u[1] / 3.0;
    sum += cut - area * tip * tip / (root * root) * (apex - length) / 3.0;
  }
  return 12.0 * sum;
}

static void check_legs(double length, double root, double tip, int n)
{
  const double value[4] = {length, root, tip, n};
  pd_vec3 center;
  const double volume = closed_volume("tetrapod/legs", value, 4 + 2 * (n - 3) + 4 * n, &center);
  check_near(volume, legs_volume(length, root, tip, n), EXACT * volume);
  check_near(pd_norm(center), 0.0, EXACT * length);
}

static void test_legs(void **state)
{
  (void)state;
  for (int n = 3; n <= 36; n += 3) {
    check_legs(1.0, 0.4, 0.25, n);
    check_legs(0.7, 0.4, 0.1, n);
    check_legs(2.0, 0.3, 0.3, n);
  }
  check_legs(1.0, 0.3, 0.2, 360);
  /* four cylinders of radius R that meet: each loses 3 R^3 / sqrt(6) to the others */
  const double round = 4.0 * (acos(-1.0) * 0.09 * 2.0 - 3.0 * 0.027 / sqrt(6.0));
  check_near(legs_volume(2.0, 0.3, 0.3, 360), round, 1e-4 * round);
  /* with three sides it is the tetrapod: sections at the core's faces and at the tips */
  const double pod[3] = {1.0, 0.4, 0.6}, face = 0.4 * sqrt(8.0) / 3.0, tip = 0.6 * face;
  const double root = face + (face - tip) * (0.4 / 3.0) / (1.0 - 0.4 / 3.0);
  const double legs[4] = {1.0, root, tip, 3};
  pd_vec3 center;
  check_near(closed_volume("tetrapod/legs", legs, 16, &center),
             closed_volume("tetrapod", pod, 16, &center), EXACT);
}

static void test_arms(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    int cubes, arms;
  } kind[3] = {{"hexapod", 1, 6}, {"dolos", 2, 4}, {"coreloc", 3, 6}};
  static const double values[3][3] = {{1.0, 0.3, 0.2}, {2.0, 0.1, 0.1}, {1.0, 0.32, 0.01}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double s = values[j][0], w = values[j][1], t = values[j][2];
      const double arm = (s - w) / 6.0 * (w * w + w * t + t * t);
      const int cubes = kind[i].cubes, arms = kind[i].arms;
      const double bar = cubes == 1 ? w : s, volume = w * w * bar + arms * arm;
      pd_vec3 center;
      const double have = closed_volume(kind[i].name, values[j], 8 * cubes + 4 * arms, &center);
      check_near(have, volume, EXACT * volume);
      check_near(pd_norm(center), 0.0, EXACT);
    }
}

/* fluke's middles, arms and shank, less what the shank has in common with both flukes: the section
 * of two octagonal bars of width w that cross */
static void test_octagonal_dolos(void **state)
{
  (void)state;
  static const double values[3][3] = {{1.0, 0.32, 0.2}, {2.0, 0.1, 0.1}, {1.0, 0.49, 0.01}};
  const double area = 2.0 * (sqrt(2.0) - 1.0); /* of an octagon of width 1 */
  for (int j = 0; j < 3; j++) {
    const double s = values[j][0], w = values[j][1], t = values[j][2];
    const double a = 0.5 * w, b = a * (sqrt(2.0) - 1.0);
    const double arm = area * (s - w) / 6.0 * (w * w + w * t + t * t);
    const double common = 4.0 * (2.0 * a * a * b + 2.0 / 3.0 * (a * a * a - b * b * b));
    const double volume = area * w * w * (2.0 * w + s - w) + 4.0 * arm - common;
    pd_vec3 center;
    const double have = closed_volume("dolos/octagonal", values[j], 72, &center);
    check_near(have, volume, EXACT * volume);
    check_near(pd_norm(center), 0.0, EXACT);
  }
}

static void test_antifer(void **state)
{
  (void)state;
  static const double values[3][4] = {
      {1.0, 1.1, 1.0, 0.12}, {0.5, 1.0, 1.0, 0.35}, {1.0, 0.5, 0.9, 0.001}};
  for (int j = 0; j < 3; j++) {
    const double h = values[j][0], b = values[j][1], q = values[j][2] / b, r = values[j][3];
    const double area = b * b - 8.0 * r * r * sqrt(0.5); /* less four halves of an octagon */
    const double volume = area * h / 3.0 * (1.0 + q + q * q);
    pd_vec3 center;
    const double have = closed_volume("antifer", values[j], 48, &center);
    check_near(have, volume, EXACT * volume);
    check_near(center.x, 0.0, EXACT);
    check_near(center.y, 0.0, EXACT);
    if (q == 1.0) check_near(center.z, 0.0, EXACT);
  }
}

/* values that make no solid, or arms and grooves that meet */
static void test_bad_values(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double value[4];
  } bad[] = {
      {"tetrapod/legs", {0.0, 0.4, 0.2, 6}},
      {"tetrapod/legs", {1.0, 0.0, 0.2, 6}},
      {"tetrapod/legs", {1.0, 0.4, 0.0, 6}},
      {"tetrapod/legs", {1.0, 0.4, 0.2, 4}},
      {"tetrapod/legs", {1.0, 0.4, 0.2, 0}},
      {"tetrapod/legs", {1.0, 0.4, 0.2, 363}},
      {"tetrapod/legs", {1.0, 0.4, 1.42, 6}},
      {"hexapod", {1.0, 1.0, 0.5}},
      {"hexapod", {1.0, 0.3, 0.4}},
      {"hexapod", {1.0, 0.3, 0.0}},
      {"dolos", {1.0, 0.5, 0.3}},
      {"dolos", {1.0, 0.3, -1.0}},
      {"dolos/octagonal", {1.0, 0.5, 0.3}},
      {"dolos/octagonal", {1.0, 0.3, 0.4}},
      {"coreloc", {0.8, 0.3, 0.2}},
      {"antifer", {1.0, 1.0, 1.0, 0.354}},
      {"antifer", {1.0, 1.0, 1.0, 0.0}},
      {"antifer", {0.0, 1.0, 1.0, 0.1}},
      {"antifer", {1.0, 0.0, 1.0, 0.1}},
      {"antifer", {1.0, 1.0, 0.0, 0.1}},
  };
  pd_mesh mesh;
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
    check_status(pd_find_builtin(bad[i].name)->make(bad[i].value, &mesh), PD_ERANGE);
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
      cmocka_unit_test(test_regular_solids),
      cmocka_unit_test(test_rocks),
      cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_voronoi),
      cmocka_unit_test(test_legs),
      cmocka_unit_test(test_arms),
      cmocka_unit_test(test_antifer),
      cmocka_unit_test(test_octagonal_dolos),
      cmocka_unit_test(test_bad_values),
      cmocka_unit_test(test_unknown_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
