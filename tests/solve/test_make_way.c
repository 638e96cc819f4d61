/* SPDX-License-Identifier: MIT
 * A wall that moves onto a body on its way to it: what the first guess leaves of the gap is enough
 * for the wall, however far either wants to go. */
#include "check.h"
#include "world.h"

#define STEP 1e-4 /* s */

enum { WALL_WAYS = 5, BODY_WAYS = 6, SHORT_WAYS = 4 };

/* ways over a substep, in parts of the gap between wall and body; those of the body that are beyond
 * the short ones ask for shorter substeps by themselves */
static const double wall_way[WALL_WAYS] = {0.05, 0.2, 0.4, 0.45, 0.49};
static const double body_way[BODY_WAYS] = {0.01, 0.05, 0.1, 0.5, 2.0, 20.0};

/* A cube inside the reach of a ceiling that comes down while the cube goes up. */
static pd_status press(pd_scheme_kind scheme, double wall, double body, long *blocked)
{
  sc_world w;
  const pd_vec3 zero = pd_v(0, 0, 0);
  check_ok(sc_world_create(&w, scheme, sc_block_law(0.0)));
  const double gap = 0.6 * w.law.gbar;
  assert_int_equal(sc_add_body(&w, sc_block_shape(&w), SC_BLOCK_MASS, zero, pd_q(1, 0, 0, 0)), 0);
  assert_true(sc_add_plane(&w, pd_v(0, 0, 0.5 * SC_BLOCK_EDGE + gap), pd_v(0, 0, -1)));
  w.opt.guard = 0.0;
  w.sys.wall[0].moves = 1;
  w.sys.body[0].start.v = pd_v(0, 0, body * gap / STEP);
  check_ok(sc_ready(&w));
  w.sys.wall[0].v = pd_v(0, 0, -wall * gap / STEP);
  pd_system_move_wall(&w.sys, 0, pd_v(0, 0, -wall * gap), zero, w.sys.wall[0].v, zero);
  const pd_status status = sc_substep(&w, STEP);
  *blocked = w.last.blocked;
  sc_world_free(&w);
  return status;
}

static void test_wall_has_room(void **state)
{
  static const pd_scheme_kind schemes[] = {PD_EM, PD_EULER, PD_NEWMARK};
  int given_up = 0, solved = 0;
  long blocked;
  (void)state;
  for (int s = 0; s < 3; s++)
    for (int i = 0; i < WALL_WAYS; i++)
      for (int k = 0; k < BODY_WAYS; k++) {
        const pd_status status = press(schemes[s], wall_way[i], body_way[k], &blocked);
        given_up += status == PD_EWALL;
        solved += status == PD_OK;
      }
  print_message("substeps given up for the wall = %d, solved = %d of %d\n", given_up, solved,
                3 * WALL_WAYS * BODY_WAYS);
  assert_int_equal(given_up, 0);
  assert_true(solved >= 3 * WALL_WAYS * SHORT_WAYS);
}

/* more than half of the gap is too much, though the body stays where it is */
static void test_wall_has_none(void **state)
{
  long blocked;
  (void)state;
  assert_int_equal(press(PD_EULER, 0.55, 0.1, &blocked), PD_EWALL);
  assert_int_equal(blocked, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wall_has_room),
      cmocka_unit_test(test_wall_has_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
