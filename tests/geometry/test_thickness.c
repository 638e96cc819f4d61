/* SPDX-License-Identifier: MIT
 * Thickness of shapes: what is known of some, and all rays against all triangles. */
#include "check.h"
#include "geometry/builtin.h"
#include "geometry/distance.h"
#include "geometry/thickness.h"
#include "shapes.h"

static void make(const char *name, const double *value, pd_shape *shape)
{
  pd_mesh mesh;
  check_ok(pd_find_builtin(name)->make(value, &mesh));
  check_ok(sc_shape(&mesh, 1, shape));
}

static double thickness_of(const char *name, const double *value)
{
  pd_shape s;
  double thickness;
  make(name, value, &s);
  check_ok(pd_shape_thickness(&s, &thickness));
  pd_shape_free(&s);
  return thickness;
}

static void test_known(void **state)
{
  (void)state;
  const double cube[] = {1.0, 1.0, 1.0}, plank[] = {0.7, 0.1, 0.03}, bar[] = {1.0, 0.1, 0.1},
               disc[] = {48, 1.0, 0.05}, one[] = {1.0}, cross[] = {1.0, 0.3, 0.3};
  check_near(thickness_of("box", cube), 1.0, 1e-12);
  check_near(thickness_of("box", plank), 0.03, 1e-12);
  check_near(thickness_of("box", bar), 0.1, 1e-12);
  check_near(thickness_of("prism", disc), 0.05, 1e-12);
  check_near(thickness_of("tetrahedron", one), sqrt(2.0 / 3.0), 1e-12);
  check_near(thickness_of("hexapod", cross), 0.3, 1e-12);
}

static void test_l_prism(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_shape s;
  double thickness;
  check_ok(sc_l_prism(1.0, 0.2, 0.5, &mesh));
  check_ok(sc_shape(&mesh, 1, &s));
  check_ok(pd_shape_thickness(&s, &thickness));
  check_near(thickness, 0.2, 1e-12);
  pd_shape_free(&s);
}

/* contact dynamics takes the less of a tenth of the radius and half of the thickness */
static void test_compact(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double value[5];
  } shape[] = {{"box", {1.0, 1.0, 1.0}},          {"box", {1.0, 1.0, 0.3}},
               {"tetrapod", {0.1, 0.03, 0.6}},    {"tetrapod/legs", {1.0, 0.2, 0.15, 6}},
               {"dolos", {1.0, 0.3, 0.25}},       {"rock", {1.0, 0.8, 0.6, 20, 1}},
               {"rock", {1.0, 0.7, 0.5, 200, 1}}, {"icosahedron", {1.0}}};
  for (size_t i = 0; i < sizeof(shape) / sizeof(*shape); i++) {
    pd_shape s;
    make(shape[i].name, shape[i].value, &s);
    const double thickness = thickness_of(shape[i].name, shape[i].value);
    assert_true(0.5 * thickness > 0.1 * s.radius);
    assert_true(thickness < 2.0 * s.radius);
    pd_shape_free(&s);
  }
}

/* the longest of a triangle's rays, without a tree */
static double longest(const pd_shape *s, int t)
{
  static const double w[4][3] = {{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0},
                                 {0.49, 0.49, 0.02},
                                 {0.02, 0.49, 0.49},
                                 {0.49, 0.02, 0.49}};
  double most = 0.0;
  for (int k = 0; k < 4; k++) {
    double length = DBL_MAX;
    pd_vec3 p = pd_v(0.0, 0.0, 0.0);
    for (int j = 0; j < 3; j++) p = pd_axpy(p, w[k][j], s->v[s->t[t][j]]);
    for (int i = 0; i < s->nt; i++) {
      const int *c = s->t[i];
      const double l = pd_ray_length(p, pd_neg(s->tn[t]), s->v[c[0]], s->v[c[1]], s->v[c[2]]);
      if (l > 0.0) length = fmin(length, l);
    }
    most = fmax(most, length);
  }
  return most;
}

/* A tenth of the surface has no more behind it, and what has less is no more than that. */
static void test_by_brute_force(void **state)
{
  (void)state;
  static const struct {
    const char *name;
    double value[5];
  } shape[] = {{"rock", {1.0, 0.7, 0.5, 200, 1}},
               {"tetrapod/legs", {1.0, 0.2, 0.15, 12}},
               {"coreloc", {1.0, 0.25, 0.2}},
               {"antifer", {1.0, 0.9, 1.0, 0.1}}};
  for (size_t i = 0; i < sizeof(shape) / sizeof(*shape); i++) {
    pd_shape s;
    double less = 0.0, upto = 0.0, all = 0.0;
    make(shape[i].name, shape[i].value, &s);
    const double thickness = thickness_of(shape[i].name, shape[i].value);
    for (int t = 0; t < s.nt; t++) {
      const pd_vec3 a = s.v[s.t[t][0]], b = s.v[s.t[t][1]], c = s.v[s.t[t][2]];
      const double area = pd_norm(pd_cross(pd_sub(b, a), pd_sub(c, a))), ray = longest(&s, t);
      if (ray < thickness * (1.0 - 1e-9)) less += area;
      if (ray < thickness * (1.0 + 1e-9)) upto += area;
      all += area;
    }
    assert_true(less <= 0.1 * all * (1.0 + 1e-9) && 0.1 * all <= upto * (1.0 + 1e-9));
    pd_shape_free(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known),
      cmocka_unit_test(test_l_prism),
      cmocka_unit_test(test_compact),
      cmocka_unit_test(test_by_brute_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
