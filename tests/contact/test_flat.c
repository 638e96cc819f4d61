/* SPDX-License-Identifier: MIT
 * Surfaces that are nearly flat act as flat: triangulation and noise do not change forces, finely
 * triangulated smooth bodies do not depend on the triangles, and what slides over them is not
 * stopped. */
#define _XOPEN_SOURCE 700 /* M_PI */

#include <string.h>

#include "bodies.h"
#include "check.h"
#include "contact/set/set.h"
#include "world.h"

/* Rectangle (0, x) by (0, y) in the plane z = 0, nx by ny cells of two triangles, whose inner
 * vertices are off by at most the noise. */
static pd_status grid_wall(double x, double y, int nx, int ny, double noise, pd_mesh *mesh)
{
  enum { MOST = 2000 };
  static pd_vec3 v[MOST];
  static int t[2 * MOST][3];
  sc_random random = {3u};
  int nv = 0, nt = 0;
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++)
      v[nv++] = pd_v(x * i / nx, y * j / ny, noise * sc_uniform(&random, -1.0, 1.0));
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      const int c = (nx + 1) * j + i, d = c + nx + 1;
      const int two[2][3] = {{c, c + 1, d + 1}, {c, d + 1, d}};
      memcpy(t[nt], two, sizeof two);
      nt += 2;
    }
  return pd_mesh_create(nv, v, nt, (const int(*)[3])t, mesh);
}

/* a sphere of radius 1: an icosahedron whose triangles are cut into n^2 */
static pd_status sphere(int n, pd_mesh *mesh)
{
  static const double g = 1.6180339887498949;
  static pd_vec3 v[30000];
  static int t[10000][3];
  const pd_vec3 c[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                         {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  static const int f[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                               {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                               {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                               {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  int nv = 0, nt = 0;
  for (int k = 0; k < 20; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n - i; j++)
        for (int up = 0; up < 2 - (j == n - i - 1); up++) {
          const int at[3][2] = {{i + up, j + (up ? 0 : 0)}, {i + 1, j + (up ? 1 : 0)}, {i, j + 1}};
          for (int m = 0; m < 3; m++) {
            const double p = (double)at[m][0] / n, q = (double)at[m][1] / n;
            pd_vec3 x = pd_scale(1.0 - p - q, c[f[k][0]]);
            x = pd_axpy(pd_axpy(x, p, c[f[k][1]]), q, c[f[k][2]]);
            t[nt][m] = nv;
            v[nv++] = pd_unit(x);
          }
          nt++;
        }
  const pd_status status = pd_mesh_create(nv, v, nt, (const int(*)[3])t, mesh);
  return status ? status : pd_mesh_repair(mesh, 1e-9, 1, NULL, NULL);
}

/* ---- forces ---- */

/* a cube with edges of 1 over a wall of 6 by 3, cells of 1/4 */
typedef struct over_wall {
  body cube, wall;
  pd_law law;
  pd_pair_work *work;
} over_wall;

static void over_wall_make(over_wall *o, int cells, double noise)
{
  pd_mesh mesh;
  body_box(&o->cube, 1.0, 1.0, 1.0);
  body_make(&o->wall, grid_wall(6.0, 3.0, 2 * cells, cells, noise, &mesh), &mesh, 0);
  body_put(&o->wall, pd_v(0.0, 0.0, 0.0), pd_m_identity());
  o->law = law_make(1e6, 1.5, 1e-3, 0.0, 0.1);
  check_ok(pd_pair_work_create(&o->work));
}

static void over_wall_free(over_wall *o)
{
  body_free(&o->cube);
  body_free(&o->wall);
  pd_pair_work_free(o->work);
}

/* generalised force on the cube with its centre at (x, 1.4), lower face at the height z */
static pd_pair_result force_at(over_wall *o, double x, double z)
{
  pd_pair_result r = {0};
  body_put(&o->cube, pd_v(x, 1.4, 0.5 + z), pd_m_identity());
  check_ok(body_eval(&o->cube, &o->wall, &o->law, PD_SET_CONTINUOUS, 0, o->work, &r, NULL));
  return r;
}

static void test_triangulation_of_a_plane(void **state)
{
  (void)state;
  over_wall one, many;
  over_wall_make(&one, 1, 0.0);
  over_wall_make(&many, 12, 0.0);
  for (double x = 1.0; x < 5.0; x += 0.0371) {
    const pd_pair_result a = force_at(&one, x, 4e-4), b = force_at(&many, x, 4e-4);
    assert_int_equal(a.ncontact, b.ncontact);
    for (int k = 0; k < 6; k++) check_near(a.force[k], b.force[k], 1e-12 * a.force[2]);
  }
  over_wall_free(&one);
  over_wall_free(&many);
}

/* Force and energy over a wall with noise, over those of the flat one; within the gaps' own share,
 * which the law's slope makes of the noise. */
static void test_noise(void **state)
{
  (void)state;
  static const double noises[4] = {1e-12, 1e-9, 1e-7, 1e-6};
  over_wall flat;
  over_wall_make(&flat, 12, 0.0);
  for (int n = 0; n < 4; n++) {
    over_wall o;
    double force = 0.0, energy = 0.0;
    over_wall_make(&o, 12, noises[n]);
    for (double z = 5e-5; z < 1e-3; z += 3.1e-4)
      for (double x = 1.0; x < 5.0; x += 0.0271) {
        const pd_pair_result a = force_at(&flat, x, z), b = force_at(&o, x, z);
        force = fmax(force, fabs(b.force[2] / a.force[2] - 1.0));
        energy = fmax(energy, fabs(b.energy / a.energy - 1.0));
      }
    print_message("noise = %.0e: force off by %.1e, energy by %.1e\n", noises[n], force, energy);
    assert_true(fmax(force, energy) < 1e5 * noises[n]);
    over_wall_free(&o);
  }
  over_wall_free(&flat);
}

/* A sphere whose lowest vertex is at 0.4 gbar over a wide cube: what fine triangulations feel
 * hardly depends on them, or on how the sphere is turned. */
static void test_sphere(void **state)
{
  (void)state;
  sc_random random = {11u};
  double before = 0.0;
  body cube;
  pd_pair_work *work;
  check_ok(pd_pair_work_create(&work));
  body_box(&cube, 4.0, 4.0, 1.0);
  body_put(&cube, pd_v(0.0, 0.0, -0.5), pd_m_identity());
  const pd_law law = law_make(1e6, 1.5, 0.05, 0.0, 0.1);
  for (int n = 1; n <= 16; n *= 2) {
    body ball;
    pd_mesh mesh;
    double sum = 0.0, least = DBL_MAX, most = 0.0;
    body_make(&ball, sphere(n, &mesh), &mesh, 1);
    for (int k = 0; k < 40; k++) {
      pd_pair_result r = {0};
      body_put(&ball, pd_v(0.0, 0.0, 2.0), pd_q_matrix(sc_rotation(&random)));
      double low = 0.0;
      for (int i = 0; i < ball.shape.nv; i++) low = fmin(low, ball.s[i].z);
      ball.x.z = 0.02 - low;
      check_ok(body_eval(&ball, &cube, &law, PD_SET_CONTINUOUS, 0, work, &r, NULL));
      sum += r.force[2] / 40.0;
      least = fmin(least, r.force[2]);
      most = fmax(most, r.force[2]);
    }
    print_message("triangles = %d: mean force = %.4g, least = %.4g, most = %.4g\n", ball.shape.nt,
                  sum, least, most);
    if (n == 16) {
      assert_true(fabs(sum / before - 1.0) < 0.25);
      assert_true(most < 1.3 * least);
    }
    before = sum;
    body_free(&ball);
  }
  body_free(&cube);
  pd_pair_work_free(work);
}

/* ---- slides ---- */

/* the law of the slides; restitution < 0: no losses */
static pd_law slide_law(double eps1, double restitution)
{
  pd_law law = sc_block_law(0.0);
  law.eps1 = eps1;
  law.has_e = restitution >= 0.0;
  law.e = restitution;
  return law;
}

/* A wall of 12 by 3 with noise of 1e-6 at the height z; a lid if it looks down. */
static void add_noisy_wall(sc_world *w, double z, int down)
{
  pd_mesh mesh;
  check_ok(grid_wall(12.0, 3.0, 48, 12, 1e-6, &mesh));
  for (int i = 0; i < mesh.nv; i++) {
    if (down) mesh.v[i] = pd_v(mesh.v[i].x, 3.0 - mesh.v[i].y, -mesh.v[i].z);
    mesh.v[i].z += z;
  }
  assert_true(sc_add_surface(w, sc_add_shape(w, &mesh, 0)));
}

/* Part of its kinetic energy that a cube of 1 t loses over a way on a wall with noise of 1e-6, with
 * a lower face that begins at the height z; squeezed: under a lid that is as far, without weight.
 */
static double loss(pd_scheme_kind scheme, pd_law law, double z, int squeezed, double speed,
                   double way)
{
  sc_world w;
  pd_mesh mesh;
  check_ok(sc_world_create(&w, scheme, law));
  check_ok(sc_box(1.0, 1.0, 1.0, &mesh));
  const pd_shape *cube = sc_add_shape(&w, &mesh, 1);
  assert_int_equal(sc_add_body(&w, cube, 1000.0, pd_v(0.83, 1.4, 0.5 + z), pd_q(1, 0, 0, 0)), 0);
  add_noisy_wall(&w, 0.0, 0);
  if (squeezed) add_noisy_wall(&w, 1.0 + 2.0 * z, 1);
  if (squeezed) w.gravity = pd_v(0.0, 0.0, 0.0);
  pd_state *s = &w.sys.body[0].start;
  s->v.x = speed;
  check_ok(sc_ready(&w));
  const double before = sc_energy(&w);
  while (s->x.x < 0.83 + way) check_ok(sc_advance(&w, fmin(0.01, 0.5 / speed)));
  const double kinetic = 0.5 * 1000.0 * speed * speed, lost = (before - sc_energy(&w)) / kinetic;
  print_message("lost %.1e, substeps %ld, iterations %ld\n", lost, w.count.substeps,
                w.count.iterations);
  sc_world_free(&w);
  return lost;
}

/* The wall carries the weight in the penalty part of the law, or at a twentieth of gbar, in the
 * barrier. */
static void check_slide(pd_scheme_kind scheme, double speed, int in_barrier, double restitution)
{
  const pd_law law = slide_law(in_barrier ? 2.45e6 : 1e8, restitution);
  print_message("scheme %d, %g m/s, %s, restitution %g: ", (int)scheme, speed,
                in_barrier ? "barrier" : "penalty", restitution);
  assert_true(fabs(loss(scheme, law, in_barrier ? 5e-5 : 9.75e-4, 0, speed, 10.0)) < 1e-3);
}

static void test_slides(void **state)
{
  (void)state;
  static const double speeds[3] = {100.0, 10.0, 1.0};
  for (int scheme = PD_NEWMARK; scheme <= PD_EM; scheme++)
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 2; k++) check_slide((pd_scheme_kind)scheme, speeds[i], k, -1.0);
}

/* Losses belong to impacts: a vertex that hardly sticks out of the wall and comes under the rim of
 * the cube is none, though its closest point is in front of the cube. */
static void test_slides_with_losses(void **state)
{
  (void)state;
  static const double speeds[3] = {100.0, 10.0, 1.0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++) {
      check_slide(PD_EM, speeds[i], k, 0.0);
      check_slide(PD_EM, speeds[i], k, 0.3);
    }
}

/* A cube between two walls that press it with 20 or 40 times its weight feels every sample
 * that comes under its rim or leaves it: V rises and falls by the work of a force along the slide,
 * and the step in which that happens need not resolve the rim. */
static void test_squeezed_slides(void **state)
{
  (void)state;
  static const double speeds[3] = {100.0, 10.0, 1.0};
  for (int i = 0; i < 3; i++)
    for (int dead = 0; dead < 2; dead++)
      for (int k = 0; k < 2; k++) {
        print_message("squeezed, %g m/s, %s, %s: ", speeds[i], k ? "barrier" : "penalty",
                      dead ? "restitution 0" : "no losses");
        const pd_law law = slide_law(1e8, dead ? 0.0 : -1.0);
        assert_true(fabs(loss(PD_EM, law, k ? 5e-5 : 5e-4, 1, speeds[i], 10.0)) < 1e-3);
      }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_triangulation_of_a_plane),
      cmocka_unit_test(test_noise),
      cmocka_unit_test(test_sphere),
      cmocka_unit_test(test_slides),
      cmocka_unit_test(test_slides_with_losses),
      cmocka_unit_test(test_squeezed_slides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
