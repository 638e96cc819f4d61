/* SPDX-License-Identifier: MIT
 * How long explicit steps may be for friction: forms against those of a cube on its corners, the
 * limit against steps. */
#include "check.h"
#include "dynamics/explicit_step.h"
#include "world.h"

enum { STEPS = 4000 };

static const pd_friction_law RUBBING = {0.5, 0.4, 3e4, 40.0, 0.0};

/* a cube that stands on a plane by its four corners, and the forms of its contacts */
static void make_standing(sc_world *w, pd_friction_law friction, pd_sticking *of)
{
  pd_contact_list list = {0};
  pd_law law = sc_block_law(0.5);
  law.t = friction;
  check_ok(sc_world_create(w, PD_NEWMARK, law));
  const pd_shape *cube = sc_block_shape(w);
  sc_add_plane(w, pd_v(0.0, 0.0, 0.0), pd_v(0.0, 0.0, 1.0));
  const double low = sc_lowest(cube, pd_q(1, 0, 0, 0)), gap = 0.9 * law.gbar;
  assert_int_equal(sc_add_body(w, cube, 1.3, pd_v(0.0, 0.0, gap - low), pd_q(1, 0, 0, 0)), 0);
  check_ok(sc_ready(w));
  check_ok(pd_system_sticking(&w->sys, &list, of));
  pd_contact_list_free(&list);
}

/* four springs along the plane, at the corners: levers half of the edge down and to the sides */
static void test_cube_on_its_corners(void **state)
{
  sc_world w;
  pd_sticking of;
  (void)state;
  make_standing(&w, RUBBING, &of);
  const pd_body *b = &w.sys.body[0];
  const double m = b->inertia.mass, j = b->inertia.j.x, k = 4.0 * RUBBING.eps_t,
               side = b->shape->v[0].x, down = b->start.x.z;
  const double r2 = 2.0 * side * side;
  check_near(of.spring[0][0], k / m, 1e-9 * k / m);
  check_near(of.spring[2][2], 0.0, 1e-9 * k / m);
  check_near(of.spring[5][5], k * r2 / j, 1e-9 * k * r2 / j);
  assert_true(of.spring[3][3] > k * side * side / j && of.spring[3][3] < k * down * down / j);
  for (int i = 0; i < 6; i++)
    for (int l = 0; l < 6; l++)
      check_near(of.dashpot[i][l] * RUBBING.eps_t, of.spring[i][l] * RUBBING.c_t, 1e-6);
  sc_world_free(&w);
}

/* where steps of length h have led from 1 along all unknowns */
static double led_to(const pd_sticking *of, double h)
{
  double x[6] = {1.0, 0.9, 0.8, 0.7, 0.6, 0.5}, v[6] = {0.0}, norm2 = 0.0;
  for (int n = 0; n < STEPS; n++) {
    double f[6] = {0.0};
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 6; k++) f[i] -= of->spring[i][k] * x[k] + of->dashpot[i][k] * v[k];
    for (int i = 0; i < 6; i++) v[i] += h * f[i], x[i] += h * v[i];
  }
  for (int i = 0; i < 6; i++) norm2 += h * v[i] * h * v[i] + x[i] * x[i];
  return sqrt(norm2);
}

static void check_limit(pd_friction_law friction)
{
  sc_world w;
  pd_sticking of;
  make_standing(&w, friction, &of);
  const double limit = pd_unstable_from(&of, 1.0);
  assert_true(limit < 1.0);
  assert_true(led_to(&of, 0.99 * limit) < 1e3);
  assert_false(led_to(&of, 1.01 * limit) < 1e6);
  assert_true(isinf(pd_unstable_from(&of, 0.99 * limit)));
  check_near(pd_unstable_from(&of, 1.01 * limit), limit, 1e-6 * limit);
  sc_world_free(&w);
}

static void test_limit_is_that_of_steps(void **state)
{
  const pd_friction_law springs = {0.5, 0.4, 3e4, 0.0, 0.0}, dashpots = {0.5, 0.4, 1e-2, 40.0, 0.0};
  (void)state;
  check_limit(RUBBING);
  check_limit(springs);
  check_limit(dashpots);
}

/* what is held takes no part: the spin about the normal is left as it was */
static void test_held(void **state)
{
  sc_world w;
  pd_sticking of;
  (void)state;
  make_standing(&w, RUBBING, &of);
  const double spin = of.spring[5][5], both = pd_unstable_from(&of, 1.0);
  pd_sticking_hold(&of, 7);
  for (int i = 0; i < 6; i++) assert_true(of.spring[0][i] == 0.0 && of.dashpot[i][1] == 0.0);
  assert_true(of.spring[5][5] == spin && of.spring[3][3] > 0.0);
  assert_true(pd_unstable_from(&of, 1.0) >= (1.0 - 1e-5) * both);
  sc_world_free(&w);
}

static void check_none(pd_friction_law none)
{
  sc_world w;
  pd_sticking of;
  make_standing(&w, none, &of);
  assert_true(isinf(pd_unstable_from(&of, 1e6)));
  sc_world_free(&w);
}

static void test_no_friction(void **state)
{
  const pd_friction_law none = {0}, no_force = {0.0, 0.0, 3e4, 40.0, 0.0};
  (void)state;
  check_none(none);
  check_none(no_force);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cube_on_its_corners),
      cmocka_unit_test(test_limit_is_that_of_steps),
      cmocka_unit_test(test_held),
      cmocka_unit_test(test_no_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
