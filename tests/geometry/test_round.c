/* SPDX-License-Identifier: MIT
 * Rounded shapes: mass properties against closed formulas and against a count of points, what is
 * refused, the surface that stands for them in pictures. */
#include "check.h"
#include "geometry/builtin.h"
#include "geometry/distance.h"
#include "geometry/round_surface.h"
#include "shapes.h"

static pd_shape make(const char *name, const double *value, double round)
{
  pd_mesh mesh;
  pd_shape shape;
  const pd_builtin *builtin = pd_find_builtin(name);
  check_ok(builtin->make(value, &mesh));
  check_ok(pd_shape_create_round(&mesh, builtin->rounded ? value[0] + round : round, &shape));
  pd_mesh_free(&mesh);
  return shape;
}

static void ball(void **state)
{
  (void)state;
  const double r = 0.3, v = 4.0 / 3.0 * PD_PI * r * r * r;
  pd_shape s = make("sphere", &r, 0.0);
  check_near(s.mass.volume, v, 1e-15);
  for (int k = 0; k < 3; k++) check_near((&s.mass.principal.x)[k], 0.4 * v * r * r, 1e-15);
  assert_true(s.radius == r && s.lever == 0.0 && s.nv == 1 && s.ne == 0);
  pd_shape_free(&s);
}

/* cylinder and two half balls, whose centres of mass are 3/8 r from their faces */
static void capsule(void **state)
{
  (void)state;
  const double value[2] = {0.3, 1.1}, r = value[0], l = value[1];
  const double body = PD_PI * r * r * l, ends = 4.0 / 3.0 * PD_PI * r * r * r;
  const double arm = 0.5 * l + 0.375 * r, own = (0.4 - 0.375 * 0.375) * r * r;
  const double across = body * (0.25 * r * r + l * l / 12.0) + ends * (own + arm * arm);
  pd_shape s = make("capsule", value, 0.0);
  check_near(s.mass.volume, body + ends, 1e-14);
  check_near(s.mass.principal.z, body * 0.5 * r * r + ends * 0.4 * r * r, 1e-14);
  check_near(s.mass.principal.x, across, 1e-14);
  check_near(s.mass.principal.y, across, 1e-14);
  check_near(s.radius, r + 0.5 * l, 1e-15);
  pd_shape_free(&s);
}

/* Steiner's formula; surfaces cut otherwise into triangles have the same mass */
static void volume_of_boxes(void **state)
{
  (void)state;
  const double e[3] = {1.0, 0.7, 0.4}, r = 0.15;
  const double sides = e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  pd_shape s = make("box", e, r);
  const double v = e[0] * e[1] * e[2] + 2.0 * r * sides + PD_PI * r * r * (e[0] + e[1] + e[2]) +
                   4.0 / 3.0 * PD_PI * r * r * r;
  check_near(s.mass.volume, v, 1e-14);
  pd_shape_free(&s);
}

/* whether a point of the core's frame is in a convex shape: before its faces, or near them */
static int is_inside(const pd_shape *s, pd_vec3 x)
{
  int in = 1;
  for (int i = 0; i < s->nt; i++) {
    const int *t = s->t[i];
    double d2;
    in &= pd_dot(s->tn[i], pd_sub(x, s->v[t[0]])) <= 0.0;
    pd_point_triangle(x, s->v[t[0]], s->v[t[1]], s->v[t[2]], &d2);
    if (d2 <= s->round * s->round) return 1;
  }
  return in;
}

/* by the points of a grid */
static pd_moments count(const pd_shape *s, int n)
{
  const double size = s->radius, h = 2.0 * size / n, cell = h * h * h;
  const pd_mat3 askew = pd_rodrigues(pd_v(0.3, 0.5, 0.7)); /* no face along the grid */
  pd_moments m = {0.0, {0.0, 0.0, 0.0}, pd_m_zero()};
  for (int i = 0; i < n * n * n; i++) {
    const pd_vec3 x = pd_mv(askew, pd_v(-size + h * (i % n + 0.5), -size + h * (i / n % n + 0.5),
                                        -size + h * (i / n / n + 0.5)));
    if (!is_inside(s, x)) continue;
    m.volume += cell;
    m.first = pd_axpy(m.first, cell, x);
    m.second = pd_m_add(m.second, pd_m_scale(cell, pd_outer(x, x)));
  }
  return m;
}

static void check_counted(const char *name, const double *value, double round)
{
  pd_shape s = make(name, value, round);
  const pd_moments m = count(&s, 120);
  const pd_vec3 p = s.mass.principal;
  const double v = s.mass.volume, r = s.radius, half = 0.5 * (p.x + p.y + p.z);
  double worst = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double c = i == j ? half - (&p.x)[i] : 0.0;
      worst = fmax(worst, fabs(m.second.m[i][j] - c) / half);
    }
  print_message("%s: volume off by %.1e, centre by %.1e, second moments by %.1e\n", name,
                m.volume / v - 1.0, pd_norm(m.first) / (v * r), worst);
  assert_true(fabs(m.volume / v - 1.0) < 1e-3);
  assert_true(pd_norm(m.first) < 1e-3 * v * r && worst < 1e-3);
  pd_shape_free(&s);
}

static void moments_agree_with_counts(void **state)
{
  (void)state;
  const double rock[5] = {1.0, 0.8, 0.5, 7, 3}, prism[3] = {5, 0.5, 0.3}, edge = 1.0;
  check_counted("rock", rock, 0.2);
  check_counted("prism", prism, 0.4);
  check_counted("tetrahedron", &edge, 0.05);
}

/* where the core was in its own frame */
static void frame_of_the_source_is_kept(void **state)
{
  (void)state;
  const double rock[5] = {1.0, 0.8, 0.5, 7, 3};
  pd_shape s = make("rock", rock, 0.2);
  pd_mesh mesh;
  check_ok(pd_find_builtin("rock")->make(rock, &mesh));
  for (int i = 0; i < s.nv; i++) {
    const pd_vec3 x = pd_add(s.mass.center, pd_mv(s.mass.axes, s.v[i]));
    assert_true(pd_norm(pd_sub(x, mesh.v[i])) < 1e-14);
  }
  pd_mesh_free(&mesh);
  pd_shape_free(&s);
}

static void without_radius_nothing_changes(void **state)
{
  (void)state;
  const double rock[5] = {1.0, 0.8, 0.5, 20, 3};
  pd_mesh mesh;
  pd_shape a, b;
  check_ok(pd_find_builtin("rock")->make(rock, &mesh));
  check_ok(pd_shape_create(&mesh, 1, &a));
  check_ok(pd_shape_create_round(&mesh, 0.0, &b));
  assert_memory_equal(a.v, b.v, (size_t)a.nv * sizeof *a.v);
  assert_memory_equal(a.e, b.e, (size_t)a.ne * sizeof *a.e);
  assert_true(a.radius == b.radius && a.lever == a.radius && a.mass.volume == b.mass.volume);
  pd_mesh_free(&mesh);
  pd_shape_free(&a);
  pd_shape_free(&b);
}

static void what_is_refused(void **state)
{
  (void)state;
  const double tetrapod[3] = {0.1, 0.03, 0.6}, none = 0.0;
  pd_mesh mesh;
  pd_shape s;
  check_ok(pd_find_builtin("tetrapod")->make(tetrapod, &mesh));
  assert_int_equal(pd_shape_create_round(&mesh, 0.01, &s), PD_ECONCAVE);
  assert_int_equal(pd_shape_create_round(&mesh, -0.01, &s), PD_ERANGE);
  pd_mesh_free(&mesh);
  assert_int_equal(pd_find_builtin("sphere")->make(&none, &mesh), PD_ERANGE);
  const double capsule[2] = {1.0, 1.0};
  check_ok(pd_find_builtin("capsule")->make(capsule, &mesh));
  assert_int_equal(pd_shape_create_round(&mesh, 0.0, &s), PD_ERANGE);
  pd_mesh_free(&mesh);
}

/* closed, its vertices on the surface, its volume a little less */
static void check_surface(const char *name, const double *value, double round)
{
  pd_shape s = make(name, value, round);
  pd_mesh mesh;
  pd_mass mass;
  pd_mesh_report report;
  pd_fault fault;
  check_ok(pd_round_surface(&s, &mesh));
  check_ok(pd_mesh_repair(&mesh, 0.0, 1, &report, &fault));
  check_ok(pd_mass_properties(&mesh, &mass));
  print_message("%s: %d triangles, volume %.4f of the shape's\n", name, mesh.nt,
                mass.volume / s.mass.volume);
  assert_int_equal(report.flipped, 0);
  assert_true(mass.volume < s.mass.volume && mass.volume > 0.94 * s.mass.volume);
  for (int i = 0; i < mesh.nv; i++) {
    double best = DBL_MAX, d2;
    for (int k = 0; k < s.nt; k++) {
      const int *t = s.t[k];
      pd_point_triangle(mesh.v[i], s.v[t[0]], s.v[t[1]], s.v[t[2]], &d2);
      best = fmin(best, sqrt(d2));
    }
    check_near(best, s.round, 1e-13);
  }
  pd_mesh_free(&mesh);
  pd_shape_free(&s);
}

static void surfaces_for_pictures(void **state)
{
  (void)state;
  const double rock[5] = {1.0, 0.8, 0.5, 20, 3}, e[3] = {1.0, 0.7, 0.4}, prism[3] = {80, 0.5, 0.3};
  const double value[2] = {0.3, 1.1};
  check_surface("sphere", value, 0.0);
  check_surface("capsule", value, 0.0);
  check_surface("box", e, 0.1);
  check_surface("rock", rock, 0.1);
  check_surface("prism", prism, 0.01);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball),
      cmocka_unit_test(capsule),
      cmocka_unit_test(volume_of_boxes),
      cmocka_unit_test(moments_agree_with_counts),
      cmocka_unit_test(frame_of_the_source_is_kept),
      cmocka_unit_test(without_radius_nothing_changes),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(surfaces_for_pictures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
