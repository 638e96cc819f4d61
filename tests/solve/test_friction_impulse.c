/* SPDX-License-Identifier: MIT
 * What a step leaves of the motion about a contact must not depend on its length, scheme em: the
 * impulse of friction in an impact with a given restitution against that of rigid bodies, that of a
 * cube that lands on its face as it slides, how far a cube slides, and the energy of one that tips
 * over its edge. */
#include "check.h"
#include "world.h"

enum { STEPS = 6 };

static const double step[STEPS] = {2e-5, 1e-4, 3e-4, 1e-3, 3e-3, 5e-3};

/* ---- impact on a corner below the centre, without weight ---- */

/* velocity after the impact of a cube that comes down at 1 m/s and goes on at the speed along */
static pd_vec3 after_impact(double e, double mu, double along, double h)
{
  sc_world w;
  const pd_quat q = sc_turn_to(pd_v(1, 1, 1), pd_v(0, 0, -1));
  check_ok(sc_block_over_floor(&w, sc_box_law(e, mu), 1.37e-2, q));
  pd_body *cube = &w.sys.body[0];
  w.gravity = pd_v(0.0, 0.0, 0.0);
  cube->start.v = pd_v(along, 0.0, -1.0);
  check_ok(sc_ready(&w));
  for (long i = lround(0.03 / h); i > 0; i--) check_ok(sc_advance(&w, h));
  const pd_vec3 v = w.sys.body[0].start.v;
  sc_world_free(&w);
  return v;
}

/* Rigid bodies: the normal impulse m (1 + e) v, that of friction mu times this or what stops the
 * corner. room: for what happens while the contact lasts, over the impulse of friction; a cube that
 * slides turns meanwhile. */
static void check_corner(double e, double mu, double along, double room)
{
  const double arm = 0.5 * sqrt(3.0) * SC_BLOCK_EDGE;
  const double spin = SC_BLOCK_MASS * SC_BLOCK_EDGE * SC_BLOCK_EDGE / 6.0;
  const double stop = along / (1.0 / SC_BLOCK_MASS + arm * arm / spin);
  const double impulse = fmin(mu * (1.0 + e) * SC_BLOCK_MASS, stop);
  print_message("e %g, mu %g, %g m/s: lost %.3f;", e, mu, along, impulse / SC_BLOCK_MASS);
  for (int i = 0; i < STEPS; i++) {
    const double lost = along - after_impact(e, mu, along, step[i]).x;
    print_message(" %.3f", lost);
    check_near(lost, impulse / SC_BLOCK_MASS, room * impulse);
  }
  print_message("\n");
}

static void test_sliding_corner(void **state)
{
  (void)state;
  check_corner(0.0, 0.1, 1.0, 0.02);
  check_corner(0.0, 0.3, 3.0, 0.09);
  check_corner(0.3, 0.1, 1.0, 0.05);
  check_corner(0.3, 0.3, 3.0, 0.12);
  check_corner(0.7, 0.1, 1.0, 0.1);
  check_corner(0.7, 0.3, 3.0, 0.1);
}

/* Steps that resolve a dead impact, or half of it: damping has the most part in the normal force,
 * and Coulomb's limit that of all of it. */
static void test_dead_sliding_corner(void **state)
{
  (void)state;
  for (int i = 0; i < 8; i++) {
    const double h = 1e-4 * (1.0 + 0.5 * i), lost = 3.0 - after_impact(0.0, 0.3, 3.0, h).x;
    print_message("dead, step %g: lost %.4f of 0.3\n", h, lost);
    check_near(lost, 0.3, 0.02 * 0.3);
  }
}

static void test_sticking_corner(void **state)
{
  (void)state;
  check_corner(0.0, 0.5, 1.0, 0.1);
  check_corner(0.3, 0.5, 1.0, 0.18);
  check_corner(0.7, 0.5, 1.0, 0.25);
}

/* ---- a cube that tips over an edge, before its next face comes down ---- */

/* energy that it has lost on the way to the given angle, over its kinetic energy there */
static double lost_by_tipping(double e, double h)
{
  sc_world w;
  const double begin = 0.9, spin = 3.0, end = 1.4, g0 = 0.9e-3;
  const pd_quat q = sc_turn(pd_v(0, 1, 0), begin);
  check_ok(sc_block_over_floor(&w, sc_box_law(e, 1.0), g0, q));
  pd_body *cube = &w.sys.body[0];
  const pd_vec3 edge = pd_mv(pd_q_matrix(q), pd_v(0.05, 0.0, -0.05));
  cube->start.w = pd_v(0.0, spin, 0.0);
  cube->start.v = pd_cross(pd_neg(cube->start.w), edge);
  check_ok(sc_ready(&w));
  for (int i = 0; i < 2; i++)
    check_ok(sc_advance(&w, 5e-3)); /* the spring of friction takes hold */
  const double energy = sc_energy(&w);
  double angle = begin;
  while (angle < end) {
    check_ok(sc_advance(&w, h));
    const pd_mat3 r = pd_q_matrix(w.sys.body[0].start.q);
    angle = atan2(r.m[0][2], r.m[0][0]);
  }
  const double lost = (energy - sc_energy(&w)) / w.energy.kinetic;
  sc_world_free(&w);
  return lost;
}

static void test_tipping(void **state)
{
  const double e[2] = {0.0, 0.3};
  (void)state;
  for (int k = 0; k < 2; k++) {
    print_message("e %g, tipping: lost", e[k]);
    for (int i = 0; i < STEPS; i++) {
      const double lost = lost_by_tipping(e[k], step[i]);
      print_message(" %.5f", lost);
      check_near(lost, 0.0, 0.01);
    }
    print_message("\n");
  }
}

/* ---- a cube that slides along the edge on which it stands, and comes down on its face ---- */

/* what it loses of its velocity along the edge while it falls and lands */
static double lost_by_landing(double h)
{
  sc_world w;
  const double tilt = 0.05, spin = 6.0, along = 0.45, borne = 0.9866e-3, time = 0.02;
  const pd_quat q = sc_turn(pd_v(0, 1, 0), tilt);
  check_ok(sc_block_over_floor(&w, sc_box_law(0.0, 0.5), borne, q));
  pd_body *cube = &w.sys.body[0];
  const pd_vec3 edge = pd_mv(pd_q_matrix(q), pd_v(0.05, 0.0, -0.05));
  cube->start.w = pd_v(0.0, -spin, 0.0);
  cube->start.v = pd_add(pd_cross(pd_neg(cube->start.w), edge), pd_v(0.0, along, 0.0));
  check_ok(sc_ready(&w));
  for (long i = lround(time / h); i > 0; i--) check_ok(sc_advance(&w, h));
  const double lost = along - w.sys.body[0].start.v.y;
  sc_world_free(&w);
  return lost;
}

/* The contacts that come are seen in time beside those that bear, however short the step is: their
 * springs of friction are too soft for an impact. */
static void test_landing(void **state)
{
  const double fine[5] = {2e-5, 5e-5, 1e-4, 2e-4, 1e-3}, all = lost_by_landing(1e-5);
  (void)state;
  print_message("landing: lost %.4f;", all);
  for (int i = 0; i < 5; i++) {
    const double lost = lost_by_landing(fine[i]);
    print_message(" %.4f", lost);
    check_near(lost, all, 0.01 * all);
  }
  const double coarse = lost_by_landing(5e-3);
  print_message(" %.4f\n", coarse);
  check_near(coarse, all, 0.08 * all);
}

/* ---- a cube that slides on its face ---- */

/* how far it goes over how far Coulomb's law lets it go */
static double way_of_slide(double h)
{
  sc_world w;
  const double mu = 0.5, along = 0.5, borne = 0.99156e-3, time = 0.06;
  const pd_quat q = {1.0, 0.0, 0.0, 0.0};
  check_ok(sc_block_over_floor(&w, sc_box_law(0.0, mu), borne, q));
  w.sys.body[0].start.v = pd_v(along, 0.0, 0.0);
  check_ok(sc_ready(&w));
  for (int i = 0; i < 10; i++) check_ok(sc_advance(&w, 1e-3)); /* friction takes hold */
  const double from = w.sys.body[0].start.x.x, speed = w.sys.body[0].start.v.x;
  for (long i = lround(time / h); i > 0; i--) check_ok(sc_advance(&w, h));
  const double way = w.sys.body[0].start.x.x - from;
  const double last = lround(time / h) * h;
  const double exact = (speed - 0.5 * mu * pd_norm(w.gravity) * last) * last;
  sc_world_free(&w);
  return way / exact;
}

static void test_slide(void **state)
{
  (void)state;
  print_message("slide: way over that of Coulomb's law");
  for (int i = 0; i < STEPS; i++) {
    const double part = way_of_slide(step[i]);
    print_message(" %.4f", part);
    check_near(part, 1.0, 0.005);
  }
  print_message("\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sliding_corner),  cmocka_unit_test(test_dead_sliding_corner),
      cmocka_unit_test(test_sticking_corner), cmocka_unit_test(test_tipping),
      cmocka_unit_test(test_landing),         cmocka_unit_test(test_slide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
