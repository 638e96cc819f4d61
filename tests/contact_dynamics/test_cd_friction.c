/* SPDX-License-Identifier: MIT
 * Coulomb friction in the rigid problem: a block on an incline, the cone, the work of friction. */
#include "test_cd_scenes.h"

static const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/* a step of a block of mass 1 on four points of a floor, gravity inclined by the angle against it
 */
static void slide(double mu, double angle, double vx, int corrections, double *v, double *f)
{
  scene s;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  box_on_points(&s, 0.0, 4, corners);
  for (int i = 0; i < 4; i++) s.net.contact[i].mu = mu, s.net.contact[i].ra.z = -0.2;
  check_ok(pd_cd_network_bind(&s.net));
  s.fext[0] = 10.0 * sin(angle);
  s.fext[2] = -10.0 * cos(angle);
  s.v0[0] = vx;
  opt.tol = 1e-11;
  opt.maxit = 100000;
  opt.corrections = corrections;
  check_ok(pd_cd_step_solve_friction(&s.net, &opt, &s.step, &s.pool, &report));
  assert_true(report.converged);
  memcpy(v, s.v, 6 * sizeof *v);
  memset(f, 0, 3 * sizeof *f);
  for (int i = 0; i < 4; i++) {
    pd_vec3 t1, t2;
    pd_cd_tangents(s.net.contact[i].n, &t1, &t2);
    const double *a = s.f + 3 * i;
    assert_true(sqrt(a[1] * a[1] + a[2] * a[2]) <= mu * a[0] * (1.0 + 1e-9) + 1e-9);
    const pd_vec3 sum = pd_add(pd_scale(a[1], t1), pd_scale(a[2], t2));
    f[0] += sum.x;
    f[1] += sum.y;
    f[2] += a[0];
  }
  scene_close(&s);
}

static void test_block_on_incline(void **state)
{
  (void)state;
  double v[6], f[3];
  const double mu = 0.5;
  /* below the angle of friction it stays */
  slide(mu, 0.4, 0.0, 20, v, f);
  for (int i = 0; i < 6; i++) check_near(v[i], 0.0, 1e-9);
  check_near(f[0], -10.0 * sin(0.4), 1e-6);
  check_near(f[2], 10.0 * cos(0.4), 1e-6);
  /* above it slides with g (sin - mu cos), and does not leave the plane */
  slide(mu, 0.6, 0.0, 50, v, f);
  check_near(v[0], 1e-2 * (sin(0.6) - mu * cos(0.6)), 1e-9);
  check_near(v[2], 0.0, 1e-9);
  check_near(f[0], -mu * 10.0 * cos(0.6), 1e-6);
}

/* without de Saxce's term the block rises by mu times its speed of sliding */
static void test_associated_dilation(void **state)
{
  (void)state;
  double v[6], f[3];
  slide(0.5, 0.6, 0.0, 0, v, f);
  assert_true(v[0] > 1e-4);
  check_near(v[2], 0.5 * v[0], 1e-8);
}

/* a block with a speed is braked by mu g, whatever the speed */
static void test_braking(void **state)
{
  (void)state;
  double v[6], f[3];
  slide(0.3, 0.0, 0.02, 100, v, f);
  check_near(v[0], 0.02 - 0.3 * 1e-2, 1e-9);
  check_near(v[2], 0.0, 1e-9);
}

/* with mu = 0 it is the problem without friction */
static void test_frictionless(void **state)
{
  (void)state;
  double v[6], f[3];
  slide(0.0, 0.6, 0.1, 5, v, f);
  check_near(v[0], 0.1 + 1e-2 * sin(0.6), 1e-12);
  check_near(v[2], 0.0, 1e-10);
  check_near(f[0], 0.0, 0.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_block_on_incline),
      cmocka_unit_test(test_associated_dilation),
      cmocka_unit_test(test_braking),
      cmocka_unit_test(test_frictionless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
