/* SPDX-License-Identifier: MIT
 * How long explicit steps may be for contacts: forms against those of a cube on its corners, the
 * limit against steps. */
#include "check.h"
#include "dynamics/explicit_step.h"
#include "world.h"

enum { STEPS = 4000, UNKNOWNS = 12 };

static const pd_friction_law RUBBING = {0.5, 0.4, 3e4, 40.0, 0.0};

typedef struct standing {
  sc_world w;
  pd_contact_springs springs;
  pd_law law;
} standing;

/* n cubes on each other and on a plane, each by its four corners */
static void make_standing(standing *of, int n, double zeta, pd_friction_law friction,
                          const int *held)
{
  pd_contact_list list = {0};
  const pd_quat upright = pd_q(1, 0, 0, 0);
  *of = (standing){.law = sc_block_law(zeta)};
  of->law.t = friction;
  check_ok(sc_world_create(&of->w, PD_NEWMARK, of->law));
  const pd_shape *cube = sc_block_shape(&of->w);
  sc_add_plane(&of->w, pd_v(0.0, 0.0, 0.0), pd_v(0.0, 0.0, 1.0));
  const double low = sc_lowest(cube, upright), gap = 0.9 * of->law.gbar;
  for (int i = 0; i < n; i++)
    sc_add_body(&of->w, cube, 1.3, pd_v(0.0, 0.0, gap - low + i * (gap - 2.0 * low)), upright);
  check_ok(sc_ready(&of->w));
  check_ok(pd_system_springs(&of->w.sys, held, &list, &of->springs));
  pd_contact_list_free(&list);
}

static void free_standing(standing *of)
{
  pd_contact_springs_free(&of->springs);
  sc_world_free(&of->w);
}

/* one number of the form of the first body's springs, those along the normal or those across it */
static double spring_form(const standing *of, int normal, int i, int k)
{
  double sum = 0.0;
  for (int n = 0; n < of->springs.n; n++) {
    const pd_contact_spring *s = &of->springs.of[n];
    if ((s->spring != of->law.t.eps_t) == normal) sum += s->spring * s->row[0][i] * s->row[0][k];
  }
  return sum;
}

/* four springs along the plane, and as many across it, at the corners: levers half of the edge down
 * and to the sides */
static void test_cube_on_its_corners(void **state)
{
  standing of;
  const int held[] = {0};
  (void)state;
  make_standing(&of, 1, 0.5, RUBBING, held);
  const pd_body *b = &of.w.sys.body[0];
  const double m = b->inertia.mass, j = b->inertia.j.x, k = 4.0 * RUBBING.eps_t,
               side = b->shape->v[0].x, down = b->start.x.z, r2 = 2.0 * side * side;
  assert_int_equal(of.springs.n, 4 * 3);
  check_near(spring_form(&of, 0, 0, 0), k / m, 1e-9 * k / m);
  check_near(spring_form(&of, 0, 2, 2), 0.0, 1e-9 * k / m);
  check_near(spring_form(&of, 0, 5, 5), k * r2 / j, 1e-9 * k * r2 / j);
  assert_true(spring_form(&of, 0, 3, 3) > k * side * side / j &&
              spring_form(&of, 0, 3, 3) < k * down * down / j);
  const pd_law_value v = pd_law_eval(&of.law, 0.9 * of.law.gbar);
  const double kn = -4.0 * v.df;
  check_near(spring_form(&of, 1, 2, 2), kn / m, 1e-9 * kn / m);
  check_near(spring_form(&of, 1, 3, 3), kn * side * side / j, 1e-9 * kn * side * side / j);
  free_standing(&of);
}

static double rate(const pd_contact_spring *s, const double *v)
{
  double sum = 0.0;
  for (int k = 0; k < UNKNOWNS; k++)
    if (s->body[k / 6] >= 0) sum += s->row[k / 6][k % 6] * v[6 * s->body[k / 6] + k % 6];
  return sum;
}

/* where steps of length h have led from about 1 along all unknowns */
static double led_to(const pd_contact_springs *of, double h)
{
  double x[UNKNOWNS], v[UNKNOWNS] = {0.0}, norm2 = 0.0;
  for (int i = 0; i < UNKNOWNS; i++) x[i] = 1.0 - 0.17 * i;
  for (int n = 0; n < STEPS; n++) {
    double f[UNKNOWNS] = {0.0};
    for (int m = 0; m < of->n; m++) {
      const pd_contact_spring *s = &of->of[m];
      const double pull = s->spring * rate(s, x) + s->dashpot * rate(s, v);
      for (int k = 0; k < UNKNOWNS; k++)
        if (s->body[k / 6] >= 0) f[6 * s->body[k / 6] + k % 6] -= pull * s->row[k / 6][k % 6];
    }
    for (int i = 0; i < UNKNOWNS; i++) v[i] += h * f[i], x[i] += h * v[i];
  }
  for (int i = 0; i < UNKNOWNS; i++) norm2 += h * v[i] * h * v[i] + x[i] * x[i];
  return sqrt(norm2);
}

static double check_limit(int n, double zeta, pd_friction_law friction)
{
  standing of;
  const int held[2] = {0};
  int body = -1;
  make_standing(&of, n, zeta, friction, held);
  const double limit = pd_unstable_from(&of.springs, 1.0, &body);
  assert_true(limit < 1.0 && body >= 0 && body < n);
  assert_true(led_to(&of.springs, 0.99 * limit) < 1e3);
  assert_false(led_to(&of.springs, 1.01 * limit) < 1e6);
  assert_true(isinf(pd_unstable_from(&of.springs, 0.99 * limit, &body)));
  check_near(pd_unstable_from(&of.springs, 1.01 * limit, &body), limit, 2e-3 * limit);
  free_standing(&of);
  return limit;
}

/* of friction, of the normal law, and of two bodies, of which none stands still */
static void test_limit_is_that_of_steps(void **state)
{
  const pd_friction_law none = {0}, springs = {0.5, 0.4, 3e7, 0.0, 0.0},
                        dashpots = {0.5, 0.4, 1e-2, 4000.0, 0.0};
  (void)state;
  check_limit(1, 0.5, RUBBING);
  check_limit(1, 0.0, springs);
  check_limit(1, 0.0, dashpots);
  const double undamped = check_limit(1, 0.0, none), damped = check_limit(1, 0.7, none);
  assert_true(damped < 0.8 * undamped);
  assert_true(check_limit(2, 0.7, none) < 0.8 * damped);
}

/* What is held takes no part: of a body that does not move along the plane and one that does not
 * turn, the springs are those of what is left. */
static void test_held(void **state)
{
  standing of;
  const int along[] = {3}, turning[] = {PD_HELD_TURNING}, all[] = {PD_HELD};
  int body;
  (void)state;
  make_standing(&of, 1, 0.5, RUBBING, along);
  for (int k = 0; k < 6; k++)
    assert_true(spring_form(&of, 0, 0, k) == 0.0 && spring_form(&of, 0, 1, k) == 0.0);
  assert_true(spring_form(&of, 0, 5, 5) > 0.0 && spring_form(&of, 1, 2, 2) > 0.0);
  free_standing(&of);
  make_standing(&of, 1, 0.5, RUBBING, turning);
  assert_true(spring_form(&of, 0, 5, 5) == 0.0 && spring_form(&of, 0, 0, 0) > 0.0);
  free_standing(&of);
  make_standing(&of, 1, 0.5, RUBBING, all);
  assert_true(isinf(pd_unstable_from(&of.springs, 1e6, &body)));
  free_standing(&of);
}

/* springs of friction count where it may act */
static void test_no_friction(void **state)
{
  standing of;
  const pd_friction_law no_force = {0.0, 0.0, 3e4, 40.0, 0.0};
  const int held[] = {0};
  (void)state;
  make_standing(&of, 1, 0.5, no_force, held);
  assert_int_equal(of.springs.n, 4);
  free_standing(&of);
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
