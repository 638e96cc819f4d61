/* SPDX-License-Identifier: MIT
 * What must not depend on how a motion is told: which of two bodies has the lower tag, whether a
 * body moves by itself or the cell carries it, who holds one that lags behind its rest, whether the
 * accelerations at the start were known before. */
#include "check.h"
#include "world.h"

/* ---- tags ---- */

/* states of a small and of a large box that meet, 60 ms on */
static void meet(pd_scheme_kind kind, double e, int large_first, pd_state *small, pd_state *large)
{
  pd_law law = sc_box_law(e, 0.4);
  sc_world w;
  pd_mesh mesh[2];
  if (e < 0.0) law.has_e = 0;
  check_ok(sc_world_create(&w, kind, law));
  w.gravity = pd_v(0.0, 0.0, 0.0);
  w.opt.guard = 0.0;
  w.opt.tol = 1e-11;
  check_ok(sc_box(0.1, 0.12, 0.14, &mesh[0]));
  check_ok(sc_box(0.4, 0.3, 0.35, &mesh[1]));
  const pd_shape *shape[2] = {sc_add_shape(&w, &mesh[0], 1), sc_add_shape(&w, &mesh[1], 1)};
  int at[2];
  for (int k = 0; k < 2; k++) {
    const int i = large_first ? 1 - k : k;
    at[i] = i ? sc_add_body(&w, shape[1], 30.0, pd_v(0, 0, 0), pd_q(1, 0, 0, 0))
              : sc_add_body(&w, shape[0], 1.0, pd_v(0.02, 0.01, 0.3), sc_turn(pd_v(1, 2, 1), 0.7));
  }
  w.sys.body[at[0]].start.v = pd_v(0.7, 0.2, -2.0);
  w.sys.body[at[0]].start.w = pd_v(1.0, 2.0, 3.0);
  w.sys.body[at[1]].start.w = pd_v(0.3, -0.2, 0.5);
  check_ok(sc_ready(&w));
  for (int i = 0; i < 60; i++) check_ok(sc_advance(&w, 1e-3));
  *small = w.sys.body[at[0]].start;
  *large = w.sys.body[at[1]].start;
  sc_world_free(&w);
}

static void test_order_of_tags(void **state)
{
  (void)state;
  static const pd_scheme_kind kinds[3] = {PD_NEWMARK, PD_EULER, PD_EM};
  for (int n = 0; n < 9; n++) {
    const double e = 0.5 * (n % 3) - 0.5;
    pd_state one[2], other[2];
    meet(kinds[n / 3], e, 0, &one[0], &one[1]);
    meet(kinds[n / 3], e, 1, &other[0], &other[1]);
    assert_true(pd_norm(pd_sub(one[0].v, pd_v(0.7, 0.2, -2.0))) > 0.1); /* they have met */
    for (int k = 0; k < 2; k++) {
      assert_true(pd_norm(pd_sub(one[k].v, other[k].v)) < 1e-11);
      assert_true(pd_norm(pd_sub(one[k].w, other[k].w)) < 1e-10);
    }
  }
}

/* ---- what a cell carries ---- */

/* parameters for an impact ahead, of a body on a plane or another body 3 mm before it touches */
static pd_em_parameters ahead(int carried, int on_body, double *a)
{
  const double h = 0.01, top = on_body ? 0.05 : 0.0;
  const pd_vec3 v = pd_v(0.0, 0.0, -1.0);
  pd_law law = sc_block_law(0.0);
  law.has_e = 1;
  law.e = 0.0;
  sc_world w;
  check_ok(sc_world_create(&w, PD_EM, law));
  w.gravity = pd_v(0.0, 0.0, 0.0);
  const pd_shape *block = sc_block_shape(&w);
  sc_add_body(&w, block, 1.0, pd_v(0.0, 0.0, top + 0.053), pd_q(1, 0, 0, 0));
  if (on_body)
    sc_add_body(&w, block, 1.0, pd_v(0, 0, 0), pd_q(1, 0, 0, 0));
  else
    sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1));
  check_ok(sc_ready(&w));
  check_ok(pd_system_set_carries(&w.sys, carried));
  if (carried)
    pd_system_carry_body(&w.sys, 0, pd_scale(h, v), v);
  else
    w.sys.body[0].start.v = v;
  pd_scheme_set_step(&w.sys.scheme, h);
  pd_system_set_start_poses(&w.sys);
  pd_system_set_start_loads(&w.sys);
  pd_em_choose(&w.sys, 1, 0.0, 0);
  const pd_em_parameters em = w.sys.pair[0].em;
  *a = w.sys.body[0].scheme_a;
  sc_world_free(&w);
  return em;
}

static void test_carried_onto(void **state)
{
  (void)state;
  for (int on_body = 0; on_body < 2; on_body++) {
    double a[2];
    const pd_em_parameters own = ahead(0, on_body, &a[0]), carried = ahead(1, on_body, &a[1]);
    assert_true(own.beta > 0.99 && own.stiffness_damping > 0.0);
    check_near(carried.beta, own.beta, 1e-14);
    check_near(carried.stiffness_damping, own.stiffness_damping, 1e-14);
    check_near(a[1], a[0], 1e-14);
  }
}

/* ---- bodies that lag behind a rest ---- */

/* A body on trial that goes on as it was, held by c, with a lag; what holds it, and the velocity
 * that it gains. */
static pd_vec3 hold(pd_constraint c, pd_vec3 lag, pd_vec3 lag_turn, pd_vec3 *moment,
                    pd_vec3 *gained)
{
  const double h = 0.01;
  sc_world w;
  pd_totals totals;
  check_ok(sc_world_create(&w, PD_EM, sc_block_law(0.0)));
  w.gravity = pd_v(0.0, 0.0, 0.0);
  sc_add_body(&w, sc_block_shape(&w), 1.0, c.arm, pd_q(1, 0, 0, 0));
  check_ok(sc_ready(&w));
  pd_body *b = &w.sys.body[0];
  pd_body_constrain(b, c);
  b->start.w = pd_v(0.0, 0.0, 1.0);
  b->start.v = pd_cross(b->start.w, c.arm);
  b->scheme_a = 1.0;
  b->rest.lag = lag;
  b->rest.lag_turn = lag_turn;
  pd_scheme_set_step(&w.sys.scheme, h);
  b->alpha = pd_v(0.0, 0.0, h);
  b->u = c.hinged ? pd_sub(pd_hinge_arm(&c, b->alpha), c.arm) : pd_v(0.0, 0.0, 0.0);
  check_ok(pd_system_eval(&w.sys, PD_AT_TRIAL, 0, &totals));
  *gained = pd_scale(1.0 / h, pd_sub(pd_body_end(&w.sys, b).v, b->start.v));
  *moment = pd_v_load(b->reaction + 3);
  const pd_vec3 force = pd_v_load(b->reaction);
  sc_world_free(&w);
  return force;
}

static void test_held_with_a_lag(void **state)
{
  (void)state;
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_constraint c = {0};
  pd_vec3 moment, gained;
  c.axes = pd_m_identity();
  c.rotation = 3;
  hold(c, zero, pd_v(0.0, 0.0, 0.1), &moment, &gained); /* turns freely about z */
  assert_true(pd_norm(moment) < 1e-14);
  c.hinged = 1;
  c.arm = pd_v(1.0, 0.0, 0.0);
  for (int lags = 0; lags < 2; lags++) {
    const pd_vec3 force =
        hold(c, pd_v(0.0, 0.1 * lags, 0.0), pd_v(0.0, 0.0, 0.1 * lags), &moment, &gained);
    assert_true(pd_norm(pd_sub(force, gained)) < 1e-12); /* a mass of 1 */
  }
}

/* ---- the start ---- */

/* The accelerations at the start are those of the forces there: Newmark's scheme goes on from them.
 */
static void test_accelerations_of_the_start(void **state)
{
  (void)state;
  sc_world w;
  check_ok(sc_world_create(&w, PD_NEWMARK, sc_block_law(0.0)));
  sc_add_body(&w, sc_block_shape(&w), 1.0, pd_v(0, 0, 50), pd_q(1, 0, 0, 0));
  sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1));
  check_ok(sc_ready(&w));
  check_ok(sc_advance(&w, 1e-3));
  assert_int_equal(w.count.substeps, 1);
  assert_int_equal(w.count.guarded, 0);
  sc_world_free(&w);
}

static void test_not_a_number(void **state)
{
  (void)state;
  static const pd_scheme_kind kinds[3] = {PD_NEWMARK, PD_EULER, PD_EM};
  for (int n = 0; n < 12; n++) {
    sc_world w;
    check_ok(sc_world_create(&w, kinds[n / 4], sc_box_law(0.5, 0.4)));
    const int b = sc_add_body(&w, sc_block_shape(&w), 1.0, pd_v(0, 0, 0.06), pd_q(1, 0, 0, 0));
    sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1));
    check_ok(sc_ready(&w));
    check_ok(sc_substep(&w, 1e-3));
    pd_body *body = &w.sys.body[b];
    double *bad[4] = {&body->start.v.x, &body->start.w.z, &body->external_force.z,
                      &body->start.x.z};
    *bad[n % 4] = NAN;
    assert_int_not_equal(sc_substep(&w, 1e-3), PD_OK);
    sc_world_free(&w);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_of_tags),   cmocka_unit_test(test_carried_onto),
      cmocka_unit_test(test_held_with_a_lag), cmocka_unit_test(test_accelerations_of_the_start),
      cmocka_unit_test(test_not_a_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
