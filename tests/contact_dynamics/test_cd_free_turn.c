/* SPDX-License-Identifier: MIT
 * Free rotation however fast: against many short steps, energy, rotation vectors of any size. */
#include "check.h"
#include "contact_dynamics/approach.h"
#include "contact_dynamics/free_turn.h"
#include "shapes.h"

static double energy(pd_quat q, pd_vec3 moments, pd_vec3 l)
{
  const pd_vec3 m = pd_mtv(pd_q_matrix(q), l);
  return 0.5 * (m.x * m.x / moments.x + m.y * m.y / moments.y + m.z * m.z / moments.z);
}

static pd_vec3 momentum(pd_quat q, pd_vec3 moments, pd_vec3 w)
{
  return pd_mv(pd_rotate_diag(pd_q_matrix(q), moments), w);
}

static double angle_between(pd_quat a, pd_quat b)
{
  return 2.0 * acos(fmin(1.0, fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z)));
}

/* a needle, a plate, a needle whose sides differ, boxes; axes in any order */
static const pd_vec3 bodies[6] = {{1.0, 5e3, 5e3}, {1.0, 1.0, 2.0}, {5e3, 1.0, 5001.0},
                                  {1.0, 2.0, 2.5}, {1.0, 0.6, 0.5}, {1.0, 1.0, 1.0}};

/* ten turns of some angle each, a tenth of the way in parts, and the energy of a thousand more */
static void test_against_short_steps(void **state)
{
  (void)state;
  sc_random random = {7};
  for (int b = 0; b < 6; b++)
    for (double turn = 0.01; turn < 30.0; turn *= 5.0) {
      const pd_quat start = sc_rotation(&random);
      const pd_vec3 w = pd_mv(pd_q_matrix(sc_rotation(&random)), pd_v(turn, 0.0, 0.0));
      const pd_vec3 l = momentum(start, bodies[b], w);
      const double e = energy(start, bodies[b], l);
      pd_quat fine = start, q = start;
      double off = 0.0;
      for (int i = 0; i < 20000; i++) fine = pd_cd_free_turn(fine, bodies[b], l, 10.0 / 20000.0);
      for (int i = 0; i < 10; i++) q = pd_cd_free_turn(q, bodies[b], l, 1.0);
      const double error = angle_between(fine, q);
      for (int i = 0; i < 1000; i++) {
        q = pd_cd_free_turn(q, bodies[b], l, 1.0);
        off = fmax(off, fabs(energy(q, bodies[b], l) / e - 1.0));
      }
      print_message("body %d, %g rad: off by %.1e rad after ten, energy by %.1e\n", b, turn, error,
                    off);
      assert_true(error < 0.02 && off < 2e-3);
      if (b < 2) assert_true(error < 1e-6 * fmax(1.0, turn) && off < 1e-8);
    }
}

static void test_second_order(void **state)
{
  (void)state;
  const pd_quat start = pd_q_normalize(pd_q(1.0, 0.2, 0.3, -0.4));
  const pd_vec3 l = momentum(start, bodies[3], pd_v(0.3, 1.0, 0.5));
  pd_quat fine = start;
  double before = 0.0;
  for (int i = 0; i < 20000; i++) fine = pd_cd_free_turn(fine, bodies[3], l, 1.0 / 20000.0);
  for (int n = 4; n <= 64; n *= 2) {
    pd_quat q = start;
    for (int i = 0; i < n; i++) q = pd_cd_free_turn(q, bodies[3], l, 1.0 / n);
    const double error = angle_between(fine, q);
    if (n > 4) check_near(before / error, 4.0, 0.3);
    before = error;
  }
}

static void test_turn_between(void **state)
{
  (void)state;
  sc_random random = {3};
  for (int n = 0; n < 2000; n++) {
    const pd_quat q = sc_rotation(&random);
    const double size =
        n % 4 ? sc_uniform(&random, 0.0, 40.0) : 2.0 * 3.14159265358979324 * (n % 7);
    const pd_vec3 turn = pd_mv(pd_q_matrix(sc_rotation(&random)), pd_v(size, 0.0, 0.0));
    const pd_vec3 about =
        pd_axpy(turn, 0.3, pd_mv(pd_q_matrix(sc_rotation(&random)), pd_v(1, 0, 0)));
    const pd_quat to = pd_cd_turned(q, turn);
    const pd_vec3 found = pd_cd_turn_between(q, to, n % 4 ? about : turn);
    assert_true(angle_between(pd_cd_turned(q, found), to) < 1e-6);
    assert_true(pd_norm(pd_sub(found, turn)) < 1e-6 * fmax(1.0, size));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_against_short_steps),
      cmocka_unit_test(test_second_order),
      cmocka_unit_test(test_turn_between),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
