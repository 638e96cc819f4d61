/* SPDX-License-Identifier: MIT
 * Scheme em with a bound on the way that bodies which touch go past each other in a substep: what
 * it bounds, and that runouts do not depend on the step then. */
#include "base/numbers.h"
#include "check.h"
#include "differences.h"
#include "world.h"

#define RADIUS (0.5 * sqrt(3.0) * SC_BLOCK_EDGE)

/* a dead cube over the floor with a velocity */
static void make_cube(sc_world *w, double height, pd_quat q, pd_vec3 v, double path)
{
  check_ok(sc_block_over_floor(w, sc_box_law(0.0, 0.5), height, q));
  w->sys.body[0].start.v = v;
  w->opt.path = path;
  check_ok(sc_ready(w));
}

/* A cube that slides, and one that flies: the first goes no further in a substep than it may. */
static void test_way_of_a_substep(void **state)
{
  (void)state;
  const double h = 5e-3, path = 0.05;
  for (int flies = 0; flies < 2; flies++) {
    sc_world w;
    make_cube(&w, flies ? 0.5 : 0.99e-3, pd_q(1, 0, 0, 0), pd_v(3, 0, 0), path);
    for (int i = 0; i < 10; i++) check_ok(sc_advance(&w, h));
    print_message("%s: %ld substeps, way of the last %.3g m\n", flies ? "flies" : "slides",
                  w.count.substeps, w.last.move);
    if (flies)
      assert_int_equal(w.count.substeps, 10);
    else
      assert_true(w.count.substeps > 30 && w.last.move < 1.01 * path * RADIUS);
    sc_world_free(&w);
  }
}

/* substeps of the first 5 ms of cubes that slide one by one, one of them at 3 m/s */
static long substeps_among(int others, double speed)
{
  sc_world w;
  check_ok(sc_block_over_floor(&w, sc_box_law(0.0, 0.5), 0.99e-3, pd_q(1, 0, 0, 0)));
  const pd_state first = w.sys.body[0].start;
  for (int i = 0; i < others; i++) {
    const pd_vec3 x = pd_axpy(first.x, i + 1.0, pd_v(0, 1, 0));
    assert_true(sc_add_body(&w, sc_block_shape(&w), SC_BLOCK_MASS, x, first.q) > 0);
  }
  w.opt.path = 0.02;
  for (int i = 0; i <= others; i++) w.sys.body[i].start.v.x = i == others / 2 ? 3.0 : speed;
  check_ok(sc_ready(&w));
  check_ok(sc_advance(&w, 5e-3));
  const long substeps = w.count.substeps;
  sc_world_free(&w);
  return substeps;
}

/* Among others the way of a substep is a mean, with the squares as weights: nine cubes at half the
 * speed leave two thirds of the substeps; as many that creep change nothing. */
static void test_mean_way(void **state)
{
  (void)state;
  const long alone = substeps_among(0, 0.0), slow = substeps_among(9, 0.03),
             half = substeps_among(9, 1.5);
  const double mean = (27.0 + 9 * 3.375) / (9.0 + 9 * 2.25);
  print_message(
      "substeps alone = %ld, among slow cubes = %ld, among cubes of half the speed = %ld\n", alone,
      slow, half);
  assert_int_equal(alone, (long)ceil(5e-3 * 3.0 / (0.02 * RADIUS)));
  assert_int_equal(half, (long)ceil(5e-3 * mean / (0.02 * RADIUS)));
  assert_int_equal(slow, alone);
}

/* Substeps so short that they are allowed no halves are not cut. */
static void test_shortest(void **state)
{
  (void)state;
  sc_world w;
  make_cube(&w, 0.99e-3, pd_q(1, 0, 0, 0), pd_v(3, 0, 0), 0.05);
  w.opt.least = 5e-3;
  check_ok(sc_advance(&w, 5e-3));
  assert_int_equal(w.count.substeps, 1);
  sc_world_free(&w);
}

enum { DROPS = 100 };

/* mean square of the way along the floor of cubes that are thrown at random, 1 s */
static double runout(double h, double path, double *error)
{
  sc_random random = {4711};
  double sum = 0.0, sum2 = 0.0;
  for (int i = 0; i < DROPS; i++) {
    sc_world w;
    const pd_vec3 axis = diff_direction(&random);
    const pd_quat q = sc_turn(axis, sc_uniform(&random, 0.0, 3.1));
    make_cube(&w, sc_uniform(&random, 0.05, 0.35), q, pd_v(1, 0, 0), path);
    for (long k = lround(1.0 / h); k > 0; k--) check_ok(sc_advance(&w, h));
    const pd_vec3 x = w.sys.body[0].start.x;
    const double way2 = x.x * x.x + x.y * x.y;
    sum += way2 / DROPS;
    sum2 += way2 * way2 / DROPS;
    sc_world_free(&w);
  }
  *error = sqrt((sum2 - sum * sum) / DROPS);
  print_message("step %g, path %g: mean square of the way %.4f +- %.4f m^2\n", h, path, sum,
                *error);
  return sum;
}

static void test_runout(void **state)
{
  (void)state;
  double error, other;
  const double resolved = runout(5e-4, 0.0, &error);
  check_near(runout(5e-3, 0.02, &other), resolved, error);
  check_near(runout(5e-3, PD_EM_PATH, &other), resolved, error);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_way_of_a_substep), cmocka_unit_test(test_mean_way),
      cmocka_unit_test(test_shortest), cmocka_unit_test(test_runout)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
