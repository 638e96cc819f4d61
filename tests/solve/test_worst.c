/* SPDX-License-Identifier: MIT
 * Whom a failed substep names: the body that is furthest out of balance, also if its residual is
 * not a number. */
#include <math.h>

#include "check.h"
#include "world.h"

#define DT 1e-3

static pd_substep failed_substep(double force)
{
  sc_world w;
  pd_substep out;
  check_ok(sc_world_create(&w, PD_NEWMARK, sc_block_law(0.7)));
  const pd_shape *cube = sc_block_shape(&w);
  for (int i = 0; i < 3; i++)
    sc_add_body(&w, cube, SC_BLOCK_MASS, pd_v(i, 0, 0.2), pd_q(1, 0, 0, 0));
  check_ok(sc_ready(&w));
  w.sys.body[1].tag = 42;
  w.sys.body[1].external_force.x = force;
  const pd_status status =
      pd_substep_solve(w.solver, &w.sys, &w.services, &w.opt, DT, &w.energy, &out);
  print_message("force %g: %s, worst %ld, residual %g\n", force, pd_strerror(status), out.worst,
                out.worst_residual);
  assert_true(status != PD_OK);
  sc_world_free(&w);
  return out;
}

static void test_not_a_number(void **state)
{
  (void)state;
  const double forces[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  for (int i = 0; i < 3; i++) {
    const pd_substep out = failed_substep(forces[i]);
    assert_int_equal(out.worst, 42);
    assert_true(out.worst_residual > 1e100);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_not_a_number)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
