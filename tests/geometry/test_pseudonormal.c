/* SPDX-License-Identifier: MIT
 * Sides of surfaces by their pseudonormals, against the solid angle by which they are seen. */
#include <string.h>

#include "geometry/builtin.h"
#include "geometry/pseudonormal.h"
#include "check.h"
#include "shapes.h"

/* whether p is within a closed surface */
static int within(const pd_shape *s, pd_vec3 p)
{
  double sum = 0.0;
  for (int i = 0; i < s->nt; i++) {
    const int *t = s->t[i];
    const pd_vec3 x = pd_sub(s->v[t[0]], p), y = pd_sub(s->v[t[1]], p), z = pd_sub(s->v[t[2]], p);
    const double l = pd_norm(x), m = pd_norm(y), n = pd_norm(z);
    sum += atan2(pd_dot(x, pd_cross(y, z)),
                 l * m * n + pd_dot(x, y) * n + pd_dot(y, z) * l + pd_dot(z, x) * m);
  }
  return sum > PD_PI;
}

/* Points about a surface are outside if they are before it where it is nearest, at edges and
 * corners too, whatever the triangle from which the search begins. */
static void check_sides(pd_mesh *mesh)
{
  pd_shape s;
  sc_random random = {3};
  int inside = 0;
  check_ok(sc_shape(mesh, 0, &s));
  for (int k = 0; k < 4000; k++) {
    const double l = 1.2 * s.radius;
    const pd_vec3 p =
        pd_v(sc_uniform(&random, -l, l), sc_uniform(&random, -l, l), sc_uniform(&random, -l, l));
    const int in = pd_surface_side(&s, sc_below(&random, s.nt), p) < 0.0;
    assert_int_equal(in, within(&s, p));
    inside += in;
  }
  assert_true(inside > 10);
  pd_shape_free(&s);
}

static void test_sides(void **state)
{
  (void)state;
  const double rock[] = {1.0, 0.7, 0.5, 60, 1};
  pd_mesh mesh;
  check_ok(sc_box(1.0, 0.8, 0.3, &mesh));
  check_sides(&mesh);
  check_ok(sc_l_prism(1.0, 0.3, 0.5, &mesh));
  check_sides(&mesh);
  check_ok(sc_tetrapod(1.0, 0.3, 0.8, &mesh));
  check_sides(&mesh);
  check_ok(pd_find_builtin("rock")->make(rock, &mesh));
  check_sides(&mesh);
}

/* Two boxes, one before the other: each patch has its own answer. */
static void test_patches(void **state)
{
  (void)state;
  pd_mesh mesh;
  check_ok(sc_box(1.0, 1.0, 1.0, &mesh));
  const int nv = mesh.nv, nt = mesh.nt;
  pd_vec3 v[16];
  int t[24][3];
  for (int i = 0; i < 2 * nv; i++) v[i] = pd_add(mesh.v[i % nv], pd_v(i < nv ? 0.0 : 3.0, 0, 0));
  for (int i = 0; i < 2 * nt; i++)
    for (int k = 0; k < 3; k++) t[i][k] = mesh.t[i % nt][k] + (i < nt ? 0 : nv);
  pd_mesh_free(&mesh);
  check_ok(pd_mesh_create(2 * nv, v, 2 * nt, (const int(*)[3])t, &mesh));
  pd_shape s;
  check_ok(sc_shape(&mesh, 0, &s));
  const pd_vec3 p = pd_v(0.1, 0.0, 0.0);
  for (int i = 0; i < s.nt; i++) {
    assert_int_equal(s.patch[i], i < nt ? 0 : nt);
    check_near(pd_surface_side(&s, i, p), i < nt ? -1.0 : 1.0, 0.0);
  }
  pd_shape_free(&s);
}

/* A corner of a box looks along the diagonal, however its faces are cut, and through its middle. */
static void test_vertex(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_shape s;
  check_ok(sc_box(1.0, 1.0, 1.0, &mesh));
  check_ok(sc_shape(&mesh, 1, &s));
  for (int i = 0; i < s.nv; i++) {
    const pd_vec3 n = pd_unit(pd_vertex_normal(&s, i));
    check_near(pd_norm(pd_sub(n, pd_unit(s.v[i]))), 0.0, 1e-12);
    check_near(pd_norm(pd_inner_point(&s, i)), 0.0, 1e-12);
  }
  pd_shape_free(&s);
}

/* What is halfway through a body is inside it, unless the vertex is a saddle. */
static void test_inner_point(void **state)
{
  (void)state;
  const double rock[] = {1.0, 0.7, 0.2, 60, 1};
  pd_mesh mesh;
  pd_shape s;
  check_ok(pd_find_builtin("rock")->make(rock, &mesh));
  check_ok(sc_shape(&mesh, 1, &s));
  for (int i = 0; i < s.nv; i++) assert_true(within(&s, pd_inner_point(&s, i)));
  pd_shape_free(&s);
  check_ok(sc_tetrapod(1.0, 0.3, 0.8, &mesh));
  check_ok(sc_shape(&mesh, 1, &s));
  for (int i = 0; i < s.nv; i++)
    if (pd_norm(s.v[i]) > 0.9) assert_true(within(&s, pd_inner_point(&s, i)));
  pd_shape_free(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sides),
      cmocka_unit_test(test_patches),
      cmocka_unit_test(test_vertex),
      cmocka_unit_test(test_inner_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
