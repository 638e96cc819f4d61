/* SPDX-License-Identifier: MIT
 * Mass properties against analytic values, under rigid motions, and the choice of principal axes.
 */
#include <string.h>

#include "check.h"
#include "geometry/mass.h"
#include "shapes.h"

#define EXACT 1e-12 /* relative to the size of the quantity */

static const double pi = 3.14159265358979323846;

static double trace(pd_mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

static void check_matrix(pd_mat3 a, pd_mat3 b, double tol)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) check_near(a.m[i][j], b.m[i][j], tol);
}

static void check_vector(pd_vec3 a, pd_vec3 b, double tol)
{
  check_near(a.x, b.x, tol);
  check_near(a.y, b.y, tol);
  check_near(a.z, b.z, tol);
}

static void check_identity(pd_mat3 a)
{
  const pd_mat3 one = pd_m_identity();
  assert_memory_equal(&a, &one, sizeof a);
}

/* Volume, centre and inertia about it; moments and centre in length units of about one. */
static void check_mass(const pd_mass *m, double volume, pd_vec3 center, pd_mat3 inertia)
{
  check_near(m->volume, volume, EXACT * volume);
  check_vector(m->center, center, EXACT);
  check_matrix(m->inertia, inertia, EXACT * trace(inertia));
}

/* Inertia of a box of density one about its centre. */
static pd_mat3 box_inertia(double a, double b, double c)
{
  const double k = a * b * c / 12.0;
  return pd_m_diag(pd_v(k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b)));
}

/* Inertia of a point of mass m at x about the origin: m (x.x 1 - x x^T). */
static pd_mat3 point_inertia(double m, pd_vec3 x)
{
  const pd_mat3 r2 = pd_m_scale(pd_norm2(x), pd_m_identity());
  return pd_m_scale(m, pd_m_add(r2, pd_m_scale(-1.0, pd_outer(x, x))));
}

static pd_mass mass_of(pd_mesh *mesh)
{
  pd_mass mass;
  check_ok(pd_mass_properties(mesh, &mass));
  pd_mesh_free(mesh);
  return mass;
}

static void test_box(void **state)
{
  (void)state;
  pd_mesh mesh;
  check_ok(sc_box(0.5, 0.9, 0.2, &mesh));
  const pd_mass m = mass_of(&mesh);
  check_mass(&m, 0.09, pd_v(0, 0, 0), box_inertia(0.5, 0.9, 0.2));
  check_identity(m.axes);
  check_near(m.principal.x, m.inertia.m[0][0], 0.0);
  check_near(m.principal.y, m.inertia.m[1][1], 0.0);
  check_near(m.principal.z, m.inertia.m[2][2], 0.0);
}

/* any tetrahedron: centre (a+b+c+d)/4, int x x^T about it V/20 sum of x x^T over the vertices */
static void test_tetrahedron(void **state)
{
  (void)state;
  sc_random random = {1};
  for (int round = 0; round < 100; round++) {
    pd_mesh mesh;
    check_ok(sc_tetrahedron(1.0, &mesh));
    pd_vec3 c = pd_v(0, 0, 0);
    for (int i = 0; i < 4; i++) {
      const pd_vec3 d = pd_v(sc_uniform(&random, -0.3, 0.3), sc_uniform(&random, -0.3, 0.3),
                             sc_uniform(&random, -0.3, 0.3));
      mesh.v[i] = pd_add(mesh.v[i], d);
      c = pd_axpy(c, 0.25, mesh.v[i]);
    }
    const pd_vec3 o = mesh.v[0];
    const pd_vec3 n = pd_cross(pd_sub(mesh.v[1], o), pd_sub(mesh.v[2], o));
    const double volume = fabs(pd_dot(pd_sub(mesh.v[3], o), n)) / 6.0;
    pd_mat3 inertia = pd_m_zero();
    for (int i = 0; i < 4; i++)
      inertia = pd_m_add(inertia, point_inertia(volume / 20.0, pd_sub(mesh.v[i], c)));
    const pd_mass m = mass_of(&mesh);
    check_mass(&m, volume, c, inertia);
  }
}

/* regular tetrahedron, edge l: V = l^3 / (6 sqrt 2), each moment V l^2 / 20 */
static void test_regular_tetrahedron(void **state)
{
  (void)state;
  pd_mesh mesh;
  check_ok(sc_tetrahedron(1.0, &mesh));
  const double l = sqrt(8.0 / 3.0), volume = l * l * l / (6.0 * sqrt(2.0));
  const pd_mass m = mass_of(&mesh);
  check_mass(&m, volume, pd_v(0, 0, 0), pd_m_scale(volume * l * l / 20.0, pd_m_identity()));
  check_identity(m.axes);
}

/* The tetrapod is a regular tetrahedron and four frusta of regular triangular pyramids, and its
 * inertia is isotropic: I = 2/3 int r^2. A frustum's section at height z has edge l(z), area A =
 * sqrt(3)/4 l^2 and int (x^2 + y^2) = A l^2 / 12; the integrals of degree up to 4 over z are exact
 * by three Gauss points. */
static void frustum(double R, double r0, double taper, double *volume, double *r2)
{
  static const double at[3] = {-1.0, 0.0, 1.0}, weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double h = R - r0 / 3.0, l0 = r0 * sqrt(8.0 / 3.0);
  *volume = *r2 = 0.0;
  for (int k = 0; k < 3; k++) {
    const double s = 0.5 + 0.5 * sqrt(0.6) * at[k];
    const double z = r0 / 3.0 + s * h, l = l0 * (1.0 - (1.0 - taper) * s);
    const double area = sqrt(3.0) / 4.0 * l * l;
    *volume += weight[k] * h * area;
    *r2 += weight[k] * h * area * (z * z + l * l / 12.0);
  }
}

static void test_tetrapod(void **state)
{
  (void)state;
  static const double cases[3][3] = {{1.0, 0.3, 0.8}, {0.7, 0.25, 0.55}, {1.2, 0.5, 1.3}};
  for (int k = 0; k < 3; k++) {
    const double R = cases[k][0], r0 = cases[k][1], taper = cases[k][2], l = r0 * sqrt(8.0 / 3.0);
    const double core = l * l * l / (6.0 * sqrt(2.0));
    double leg, leg_r2;
    frustum(R, r0, taper, &leg, &leg_r2);
    const double volume = core + 4.0 * leg, r2 = core * l * l * 3.0 / 40.0 + 4.0 * leg_r2;
    pd_mesh mesh;
    check_ok(sc_tetrapod(R, r0, taper, &mesh));
    const pd_mass m = mass_of(&mesh);
    check_mass(&m, volume, pd_v(0, 0, 0), pd_m_scale(2.0 / 3.0 * r2, pd_m_identity()));
    check_identity(m.axes);
  }
}

/* the L is one box over x in (0, a), y in (0, b) and one over x in (0, b), y in (b, a) */
static void test_l_prism(void **state)
{
  (void)state;
  const double a = 1.1, b = 0.4, h = 0.7, v1 = a * b * h, v2 = b * (a - b) * h, v = v1 + v2;
  const pd_vec3 c1 = pd_v(a / 2, b / 2, h / 2), c2 = pd_v(b / 2, (a + b) / 2, h / 2);
  const pd_vec3 c = pd_axpy(pd_scale(v1 / v, c1), v2 / v, c2);
  const pd_mat3 i1 = pd_m_add(box_inertia(a, b, h), point_inertia(v1, pd_sub(c1, c)));
  const pd_mat3 i2 = pd_m_add(box_inertia(b, a - b, h), point_inertia(v2, pd_sub(c2, c)));
  pd_mesh mesh;
  check_ok(sc_l_prism(a, b, h, &mesh));
  const pd_mass m = mass_of(&mesh);
  check_mass(&m, v, c, pd_m_add(i1, i2));
}

/* ---------------------------------------------------------------------- motions */

static pd_status make(int kind, pd_mesh *mesh)
{
  switch (kind) {
  case 0:
    return sc_box(0.5, 0.9, 1.2, mesh);
  case 1:
    return sc_box(0.8, 0.8, 1.3, mesh);
  case 2:
    return sc_l_prism(1.0, 0.45, 0.5, mesh);
  case 3:
    return sc_tetrapod(1.0, 0.4, 0.7, mesh);
  default:
    return sc_box(1.0, 1.0, 1.0, mesh);
  }
}

#define KINDS 5

static pd_vec3 random_shift(sc_random *random, double s)
{
  return pd_v(sc_uniform(random, -s, s), sc_uniform(random, -s, s), sc_uniform(random, -s, s));
}

static pd_mass moved_mass(int kind, pd_quat q, pd_vec3 shift)
{
  pd_mesh mesh;
  check_ok(make(kind, &mesh));
  sc_move(&mesh, q, shift);
  return mass_of(&mesh);
}

/* Coordinates of ten sizes are rounded to 1e-15 of a size and shear the body by as much: a bound of
 * 1e-13 holds with a margin of 20. */
static void test_rigid_motion(void **state)
{
  (void)state;
  sc_random random = {2};
  for (int kind = 0; kind < KINDS; kind++) {
    const pd_mass m = moved_mass(kind, pd_q(1, 0, 0, 0), pd_v(0, 0, 0));
    for (int round = 0; round < 100; round++) {
      const pd_quat q = sc_rotation(&random);
      const pd_mat3 r = pd_q_matrix(q);
      const pd_vec3 shift = random_shift(&random, 10.0);
      const pd_mass n = moved_mass(kind, q, shift);
      const pd_mat3 inertia = pd_m_mul(r, pd_m_mul(m.inertia, pd_m_transpose(r)));
      check_near(n.volume, m.volume, 1e-13 * m.volume);
      check_vector(n.center, pd_add(pd_mv(r, m.center), shift), 1e-13);
      check_matrix(n.inertia, inertia, 1e-13 * trace(inertia));
    }
  }
}

/* a million sizes away the coordinates keep ten digits of the body, and so do the results */
static void test_far_away(void **state)
{
  (void)state;
  const pd_mass m = moved_mass(2, pd_q(1, 0, 0, 0), pd_v(0, 0, 0));
  const pd_mass n = moved_mass(2, pd_q(1, 0, 0, 0), pd_v(1e6, -1e6, 1e6));
  check_near(n.volume, m.volume, 1e-9 * m.volume);
  check_matrix(n.inertia, m.inertia, 1e-9 * trace(m.inertia));
}

/* ---------------------------------------------------------------------- principal axes */

/* A rotation whose columns are principal axes, the moments in their order. */
static void check_principal(const pd_mass *m)
{
  const pd_mat3 one = pd_m_mul(pd_m_transpose(m->axes), m->axes);
  check_matrix(one, pd_m_identity(), 1e-14);
  const pd_vec3 x = pd_v(m->axes.m[0][0], m->axes.m[1][0], m->axes.m[2][0]);
  const pd_vec3 y = pd_v(m->axes.m[0][1], m->axes.m[1][1], m->axes.m[2][1]);
  const pd_vec3 z = pd_v(m->axes.m[0][2], m->axes.m[1][2], m->axes.m[2][2]);
  check_vector(pd_cross(x, y), z, 1e-14);
  check_matrix(pd_rotate_diag(m->axes, m->principal), m->inertia, 4e-12 * trace(m->inertia));
}

/* The rotations that map the axes of a body on themselves are those of the cube, 24 of them. */
static pd_mat3 cube_rotation(int k)
{
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const double even = k / 4 < 3 ? 1.0 : -1.0;
  const double sign[3] = {k & 1 ? -1.0 : 1.0, k & 2 ? -1.0 : 1.0, 0.0};
  pd_mat3 r = pd_m_zero();
  for (int j = 0; j < 3; j++) r.m[order[k / 4][j]][j] = j < 2 ? sign[j] : even * sign[0] * sign[1];
  return r;
}

static void test_distinct_moments(void **state)
{
  (void)state;
  sc_random random = {3};
  for (int round = 0; round < 200; round++) {
    const int kind = round % 2 ? 2 : 0;
    const pd_mass m = moved_mass(kind, sc_rotation(&random), random_shift(&random, 1.0));
    check_principal(&m);
    for (int k = 0; k < 24; k++)
      assert_true(trace(pd_m_mul(m.axes, cube_rotation(k))) <= trace(m.axes) + 1e-8);
  }
}

/* a square prism: all rotations about its axis are as good as far as the moments go */
static void test_two_equal_moments(void **state)
{
  (void)state;
  sc_random random = {4};
  for (int round = 0; round < 200; round++) {
    const pd_mass m = moved_mass(1, sc_rotation(&random), random_shift(&random, 1.0));
    check_principal(&m);
    const double p[3] = {m.principal.x, m.principal.y, m.principal.z};
    int axis = 0;
    for (int k = 1; k < 3; k++)
      if (p[k] < p[axis]) axis = k;
    const double l = sqrt(1.0 / 3.0) + 1e-9;
    assert_true(m.axes.m[axis][axis] >= l - 2e-9);
    for (int k = 0; k < 24; k++)
      for (int d = 0; d < 90; d++) {
        const double turn = 2.0 * tan(d * pi / 360.0);
        const pd_mat3 about =
            pd_rodrigues(pd_v(axis == 0 ? turn : 0, axis == 1 ? turn : 0, axis == 2 ? turn : 0));
        const pd_mat3 other = pd_m_mul(m.axes, pd_m_mul(about, cube_rotation(k)));
        assert_true(trace(other) <= trace(m.axes) + 1e-8);
      }
  }
}

static void test_three_equal_moments(void **state)
{
  (void)state;
  sc_random random = {5};
  for (int round = 0; round < 100; round++) {
    const pd_mass m = moved_mass(3 + round % 2, sc_rotation(&random), random_shift(&random, 10.0));
    check_identity(m.axes);
  }
}

/* coordinates as binary STL has them: its rounding does not turn the axes */
static void test_equal_moments_in_single_precision(void **state)
{
  (void)state;
  sc_random random = {6};
  for (int round = 0; round < 100; round++) {
    pd_mesh mesh;
    check_ok(make(3 + round % 2, &mesh));
    sc_move(&mesh, sc_rotation(&random), random_shift(&random, 1.0));
    for (int i = 0; i < mesh.nv; i++) {
      const pd_vec3 v = mesh.v[i];
      mesh.v[i] = pd_v((double)(float)v.x, (double)(float)v.y, (double)(float)v.z);
    }
    const pd_mass m = mass_of(&mesh);
    check_identity(m.axes);
  }
}

/* turned about z only: z stays z, exactly */
static void test_one_axis_principal(void **state)
{
  (void)state;
  const double angle = 0.3;
  const pd_mass m = moved_mass(0, pd_q(cos(angle / 2), 0, 0, sin(angle / 2)), pd_v(0, 0, 0));
  check_principal(&m);
  check_matrix(m.axes, pd_rodrigues(pd_v(0, 0, 2.0 * tan(angle / 2))), 1e-13);
}

/* The axes of an L with equal arms lie at 45 degrees, +x and +y are equally good: round-off must
 * not decide. */
static void test_tie_is_deterministic(void **state)
{
  (void)state;
  sc_random random = {6};
  const pd_mass m = moved_mass(2, pd_q(1, 0, 0, 0), pd_v(0, 0, 0));
  check_principal(&m);
  check_near(fabs(m.axes.m[0][0]), sqrt(0.5), 1e-12);
  for (int round = 0; round < 100; round++) {
    const pd_mass n = moved_mass(2, pd_q(1, 0, 0, 0), random_shift(&random, 10.0));
    check_matrix(n.axes, m.axes, 1e-12);
  }
}

static void test_already_principal(void **state)
{
  (void)state;
  sc_random random = {7};
  for (int round = 0; round < 100; round++) {
    pd_mesh mesh;
    check_ok(sc_box(sc_uniform(&random, 0.1, 1), sc_uniform(&random, 0.1, 1),
                    sc_uniform(&random, 0.1, 1), &mesh));
    sc_move(&mesh, pd_q(1, 0, 0, 0), random_shift(&random, 10.0));
    const pd_mass m = mass_of(&mesh);
    check_identity(m.axes);
  }
}

static void test_same_twice(void **state)
{
  (void)state;
  sc_random random = {8};
  const pd_quat q = sc_rotation(&random);
  const pd_mass a = moved_mass(2, q, pd_v(1, 2, 3)), b = moved_mass(2, q, pd_v(1, 2, 3));
  assert_memory_equal(&a, &b, sizeof a);
}

/* ---------------------------------------------------------------------- errors */

static void test_no_volume(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_mass mass;
  check_ok(sc_open_quad(1.0, &mesh));
  sc_move(&mesh, pd_q_normalize(pd_q(1, 0.3, 0.2, 0.1)), pd_v(1, 2, 3));
  check_status(pd_mass_properties(&mesh, &mass), PD_EVOLUME);
  pd_mesh_free(&mesh);

  /* inside out */
  check_ok(sc_box(1, 1, 1, &mesh));
  for (int i = 0; i < mesh.nt; i++) {
    const int swap = mesh.t[i][0];
    mesh.t[i][0] = mesh.t[i][1];
    mesh.t[i][1] = swap;
  }
  check_status(pd_mass_properties(&mesh, &mass), PD_EVOLUME);
  pd_mesh_free(&mesh);
  check_status(pd_mass_properties(&mesh, &mass), PD_EVOLUME);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box),
      cmocka_unit_test(test_tetrahedron),
      cmocka_unit_test(test_regular_tetrahedron),
      cmocka_unit_test(test_tetrapod),
      cmocka_unit_test(test_l_prism),
      cmocka_unit_test(test_rigid_motion),
      cmocka_unit_test(test_far_away),
      cmocka_unit_test(test_distinct_moments),
      cmocka_unit_test(test_two_equal_moments),
      cmocka_unit_test(test_three_equal_moments),
      cmocka_unit_test(test_equal_moments_in_single_precision),
      cmocka_unit_test(test_one_axis_principal),
      cmocka_unit_test(test_tie_is_deterministic),
      cmocka_unit_test(test_already_principal),
      cmocka_unit_test(test_same_twice),
      cmocka_unit_test(test_no_volume),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
