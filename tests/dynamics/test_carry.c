/* SPDX-License-Identifier: MIT
 * What a cell carries: a body that is carried is one that goes so itself, for every force; the work
 * that it takes against the change of the potential; parts of a substep. */
#include <string.h>

#include "check.h"
#include "world.h"

enum { BODIES = 2, UNKNOWNS = 6 * BODIES };

static pd_law soft_law(double zeta, double mu)
{
  const pd_friction_law friction = {mu, 0.8 * mu, 2e3, 5.0, 0.0};
  pd_law law = sc_block_law(zeta);
  law.gbar = 1e-2;
  law.eps1 = 3e3;
  if (mu > 0.0) law.t = friction;
  return law;
}

/* a cube over another one, turned, that comes down and slides; both are free */
static void make_pair(sc_world *w, pd_scheme_kind scheme, double zeta, double mu)
{
  check_ok(sc_world_create(w, scheme, soft_law(zeta, mu)));
  const pd_shape *cube = sc_block_shape(w);
  const pd_vec3 axis = pd_v(1.0, 0.5, 0.3);
  assert_int_equal(sc_add_body(w, cube, 1.0, pd_v(0.0, 0.0, 0.0), pd_q(1, 0, 0, 0)), 0);
  assert_int_equal(sc_add_body(w, cube, 1.5, pd_v(0.01, 0.02, 0.107), sc_turn(axis, 0.03)), 1);
  w->gravity = pd_v(0.0, 0.0, 0.0);
  w->sys.body[0].start.v = pd_v(0.05, -0.02, 0.03);
  w->sys.body[1].start.v = pd_v(-0.1, 0.2, -0.2);
  w->sys.body[1].start.w = pd_v(0.5, -0.4, 0.3);
}

static void evaluate(sc_world *w, pd_totals *t)
{
  pd_system_set_prescribed(&w->sys, 1.0);
  check_ok(pd_system_eval(&w->sys, PD_AT_TRIAL, 0, t));
}

/* Residual after a substep h: a body goes by u and turns; it is carried by way as well, or starts
 * with that velocity and goes so far itself. */
static void residual(pd_scheme_kind scheme, int carried, double h, double *force, pd_totals *t)
{
  const pd_vec3 velocity = pd_v(0.4, -0.3, -0.25), way = pd_scale(h, velocity);
  sc_world w;
  make_pair(&w, scheme, 0.5, 0.5);
  pd_body *b = &w.sys.body[1];
  if (!carried) b->start.v = pd_add(b->start.v, velocity);
  check_ok(sc_ready(&w));
  pd_scheme_set_step(&w.sys.scheme, h);
  for (int i = 0; i < BODIES; i++) {
    w.sys.body[i].start.acc = pd_v(1.0, 2.0, -3.0);
    w.sys.body[i].start.wdot = pd_v(2.0, -1.0, 4.0);
  }
  b->u = pd_v(1e-4, 3e-4, -4e-4);
  b->alpha = pd_v(2e-3, 1e-3, -1e-3);
  check_ok(pd_system_set_carries(&w.sys, 1));
  if (carried)
    pd_system_carry_body(&w.sys, 1, way, velocity);
  else
    b->u = pd_add(b->u, way);
  evaluate(&w, t);
  memcpy(force, w.sys.assembly.force, UNKNOWNS * sizeof(double));
  sc_world_free(&w);
}

static void test_carried_is_moved(void **state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    const pd_scheme_kind scheme = (pd_scheme_kind[]){PD_NEWMARK, PD_EULER, PD_EM}[k];
    double a[UNKNOWNS], b[UNKNOWNS], worst = 0.0, size = 0.0;
    pd_totals ta, tb;
    residual(scheme, 1, 2e-3, a, &ta);
    residual(scheme, 0, 2e-3, b, &tb);
    for (int i = 0; i < UNKNOWNS; i++) {
      worst = fmax(worst, fabs(a[i] - b[i]));
      size = fmax(size, fabs(b[i]));
    }
    print_message("carried against moved, scheme %d: %.1e of %.3g\n", k, worst, size);
    assert_true(ta.ncontact > 0 && size > 1.0);
    check_near(worst / size, 0.0, 1e-12);
    check_near(ta.energy, tb.energy, 1e-12 * tb.energy);
  }
}

/* contact energy with body 1 carried by so much */
static double potential(sc_world *w, pd_vec3 way)
{
  pd_totals t;
  pd_system_carry_body(&w->sys, 1, way, pd_v(0.0, 0.0, 0.0));
  evaluate(w, &t);
  return t.energy;
}

/* Without losses the forces are the slope of the potential: so is the work along it. */
static void test_work(void **state)
{
  const pd_vec3 step = pd_v(2e-6, -3e-6, -5e-6);
  double load[BODIES * PD_NCARRY], work[1 + PD_NLOSS];
  sc_world w;
  (void)state;
  make_pair(&w, PD_EULER, 0.0, 0.0);
  check_ok(sc_ready(&w));
  pd_scheme_set_step(&w.sys.scheme, 1e-3);
  check_ok(pd_system_set_carries(&w.sys, 1));
  const double rise = potential(&w, step) - potential(&w, pd_scale(-1.0, step));
  potential(&w, pd_v(0.0, 0.0, 0.0));
  pd_system_carry_body(&w.sys, 1, pd_scale(2.0, step), pd_v(0.0, 0.0, 0.0));
  pd_system_carry_loads(&w.sys, load);
  pd_system_carry_work(&w.sys, load, work);
  print_message("work = %.6e, rise of the potential = %.6e\n", work[0], rise);
  assert_true(rise > 1e-8);
  check_near(work[0], rise, 1e-6 * rise);
  for (int k = 0; k < PD_NLOSS; k++) check_near(work[1 + k], 0.0, 0.0);
  sc_world_free(&w);
}

/* Both sides of a pair get the same loads; so the work of a cell that carries both alike is none,
 * and that of a share is that part. */
static void test_shares(void **state)
{
  const pd_vec3 way = pd_v(1e-5, 2e-5, -1e-5), velocity = pd_v(0.01, 0.02, -0.01);
  double load[BODIES * PD_NCARRY], half[BODIES * PD_NCARRY], work[1 + PD_NLOSS];
  pd_totals t;
  sc_world w;
  (void)state;
  make_pair(&w, PD_EULER, 0.5, 0.5);
  check_ok(sc_ready(&w));
  pd_scheme_set_step(&w.sys.scheme, 1e-3);
  check_ok(pd_system_set_carries(&w.sys, 1));
  w.sys.body[1].u = pd_v(1e-4, -2e-4, -3e-4);
  for (int i = 0; i < BODIES; i++) pd_system_carry_body(&w.sys, i, way, velocity);
  evaluate(&w, &t);
  pd_system_carry_loads(&w.sys, load);
  pd_system_carry_work(&w.sys, load, work);
  for (int k = 0; k <= PD_NLOSS; k++) {
    const double f = pd_norm(pd_v_load(load + 3 * k));
    assert_true(f > 1e-3);
    check_near(work[k], 0.0, 1e-12 * f * pd_norm(way));
  }
  w.sys.pair[0].share = 0.5;
  pd_system_carry_loads(&w.sys, half);
  for (int k = 0; k < BODIES * PD_NCARRY; k++) check_near(half[k], 0.5 * load[k], 1e-15);
  sc_world_free(&w);
}

/* where a body stands after parts of a substep */
static void test_parts_of_a_substep(void **state)
{
  const pd_vec3 way = pd_v(0.01, -0.02, 0.03);
  sc_world w;
  (void)state;
  make_pair(&w, PD_EULER, 0.5, 0.5);
  check_ok(sc_ready(&w));
  check_ok(pd_system_set_carries(&w.sys, 1));
  pd_system_carry_body(&w.sys, 1, way, pd_scale(10.0, way));
  for (int k = 0; k <= 4; k++) {
    const double t = 0.25 * k;
    pd_system_set_prescribed(&w.sys, t);
    pd_system_set_pose(&w.sys, 1, pd_v(1e-3, 0.0, 0.0), pd_v(0.0, 0.0, 0.0));
    const pd_body *b = &w.sys.body[1];
    const pd_vec3 want = pd_add(pd_v(1e-3, 0.0, 0.0), pd_scale(t, way));
    check_near(pd_norm(pd_sub(b->pose.increment.u, want)), 0.0, 1e-17);
  }
  sc_world_free(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_carried_is_moved),
      cmocka_unit_test(test_work),
      cmocka_unit_test(test_shares),
      cmocka_unit_test(test_parts_of_a_substep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
