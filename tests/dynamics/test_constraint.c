/* SPDX-License-Identifier: MIT
 * Held components of a body's motion: rotations of axes, tangents, motion against the equations of
 * motion, what the energy-momentum scheme keeps. */
#include <string.h>

#include "check.h"
#include "differences.h"
#include "world.h"

enum { ROWS = 6 };

static pd_vec3 random_vector(sc_random *r, double size)
{
  return pd_v(sc_uniform(r, -size, size), sc_uniform(r, -size, size), sc_uniform(r, -size, size));
}

static double largest(pd_mat3 a)
{
  double e = 0.0;
  for (int i = 0; i < 9; i++) e = fmax(e, fabs(a.m[i / 3][i % 3]));
  return e;
}

static double distance(pd_mat3 a, pd_mat3 b) { return largest(pd_m_add(a, pd_m_scale(-1.0, b))); }

/* ---- rotations ---- */

/* half the rotation twice is the whole; the swing takes one vector to the other about an axis
 * across both */
static void test_half_and_swing(void **state)
{
  sc_random r = {1};
  double half = 0.0, swing = 0.0, twist = 0.0;
  (void)state;
  for (int i = 0; i < 1000; i++) {
    const pd_vec3 alpha = random_vector(&r, i % 2 ? 0.1 : 10.0);
    const pd_mat3 h = pd_rodrigues(pd_half_rotation(alpha));
    half = fmax(half, distance(pd_m_mul(h, h), pd_rodrigues(alpha)));
    const pd_vec3 a = diff_direction(&r), b = pd_mv(pd_rodrigues(random_vector(&r, 1.0)), a);
    const pd_vec3 s = pd_swing(a, b);
    swing = fmax(swing, pd_norm(pd_sub(pd_mv(pd_rodrigues(s), a), b)));
    twist = fmax(twist, fabs(pd_dot(s, a)));
  }
  print_message("half = %.1e, swing = %.1e, twist = %.1e\n", half, swing, twist);
  check_near(half, 0.0, 1e-13);
  check_near(swing, 0.0, 1e-13);
  check_near(twist, 0.0, 1e-13);
}

typedef pd_vec3 (*map)(const pd_constraint *, pd_vec3);

static pd_vec3 half_of(const pd_constraint *c, pd_vec3 alpha)
{
  (void)c;
  return pd_half_rotation(alpha);
}

static pd_mat3 difference_of(map f, const pd_constraint *c, pd_vec3 at)
{
  const double e = 1e-2;
  pd_mat3 m;
  for (int j = 0; j < 3; j++) {
    pd_vec3 sum = pd_v(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
      const pd_vec3 step = pd_scale((k + 1) * e, diff_axis(j));
      sum =
          pd_axpy(sum, diff_weight[k] / e, pd_sub(f(c, pd_add(at, step)), f(c, pd_sub(at, step))));
    }
    m.m[0][j] = sum.x, m.m[1][j] = sum.y, m.m[2][j] = sum.z;
  }
  return m;
}

static void test_slopes(void **state)
{
  sc_random r = {2};
  double half = 0.0, guide = 0.0;
  (void)state;
  for (int i = 0; i < 1000; i++) {
    const pd_vec3 alpha = random_vector(&r, 1.0);
    pd_constraint c = {0};
    c.follows = 1;
    c.translation = 1 + i % 7;
    c.axes = pd_q_matrix(sc_rotation(&r));
    half = fmax(half, distance(difference_of(half_of, &c, alpha), pd_half_rotation_slope(alpha)));
    guide = fmax(guide,
                 distance(difference_of(pd_guide_turn, &c, alpha), pd_guide_turn_slope(&c, alpha)));
  }
  print_message("slopes: half = %.1e, guide = %.1e\n", half, guide);
  check_near(half, 0.0, 1e-9);
  check_near(guide, 0.0, 1e-9);
}

/* ---- one body ---- */

/* a box of three unlike edges, held so, its axes turned against those of the shape */
static void make_body(sc_world *w, pd_scheme_kind scheme, int translation, int rotation,
                      int follows)
{
  sc_random r = {5};
  pd_mesh mesh;
  check_ok(sc_world_create(w, scheme, sc_block_law(0.0)));
  check_ok(sc_box(0.1, 0.2, 0.3, &mesh));
  const pd_quat q = sc_rotation(&r);
  assert_int_equal(sc_add_body(w, sc_add_shape(w, &mesh, 1), 2.0, pd_v(0, 0, 0), q), 0);
  pd_body *b = &w->sys.body[0];
  pd_constraint c = {0};
  c.translation = translation;
  c.rotation = rotation;
  c.follows = follows;
  c.axes = pd_q_matrix(sc_rotation(&r));
  pd_body_constrain(b, c);
  b->start.v = random_vector(&r, 2.0);
  b->start.w = random_vector(&r, 2.0);
  w->opt.tol = 1e-12;
  w->opt.guard = 0.0;
  check_ok(sc_ready(w));
}

static void residual(sc_world *w, double *out)
{
  pd_totals t;
  check_ok(pd_system_eval(&w->sys, PD_AT_TRIAL, 0, &t));
  memcpy(out, w->sys.assembly.force, ROWS * sizeof(double));
}

/* sixth-order central difference of the residual along unknown j */
static void difference(sc_world *w, int j, double e, double *out)
{
  pd_body *b = &w->sys.body[0];
  const pd_vec3 u = b->u, alpha = b->alpha;
  double up[ROWS], down[ROWS];
  memset(out, 0, ROWS * sizeof(double));
  for (int k = 0; k < 3; k++) {
    const pd_vec3 step = pd_scale((k + 1) * e, diff_axis(j % 3)), none = pd_v(0.0, 0.0, 0.0);
    const pd_vec3 du = j < 3 ? step : none, da = j < 3 ? none : step;
    b->u = pd_add(u, du), b->alpha = pd_add(alpha, da);
    residual(w, up);
    b->u = pd_sub(u, du), b->alpha = pd_sub(alpha, da);
    residual(w, down);
    for (int i = 0; i < ROWS; i++) out[i] += diff_weight[k] * (up[i] - down[i]) / e;
  }
  b->u = u, b->alpha = alpha;
}

/* largest error of a column, over the column */
static double tangent_error(sc_world *w)
{
  double k[ROWS * ROWS], fd[ROWS], worst = 0.0;
  pd_totals t;
  check_ok(pd_system_eval(&w->sys, PD_AT_TRIAL, 1, &t));
  sc_dense(&w->sys, w->sys.assembly.values, w->sys.assembly.place, k);
  for (int j = 0; j < ROWS; j++) {
    double diff = 0.0, size = 0.0;
    difference(w, j, 1e-2, fd);
    for (int i = 0; i < ROWS; i++) {
      diff = fmax(diff, fabs(k[ROWS * j + i] - fd[i]));
      size = fmax(size, fabs(fd[i]));
    }
    worst = fmax(worst, diff / size);
  }
  return worst;
}

/* a load that turns with the body, off its centre */
static void push(sc_world *w)
{
  pd_load l = {0};
  l.f = pd_v(30.0, -20.0, 40.0);
  l.m = pd_v(3.0, 2.0, -1.0);
  l.point = pd_v(0.02, 0.05, -0.03);
  l.follow = 1;
  check_ok(pd_system_set_loads(&w->sys, 1, &l));
}

static double worst_tangent(pd_scheme_kind scheme, int follows)
{
  sc_random r = {3};
  double worst = 0.0;
  for (int set = 0; set < 64; set++) {
    sc_world w;
    make_body(&w, scheme, set / 8, set % 8, follows);
    push(&w);
    pd_body *b = &w.sys.body[0];
    pd_scheme_set_step(&w.sys.scheme, 0.1);
    b->scheme_a = set % 2 ? 0.5 : 0.7;
    b->start.acc = random_vector(&r, 10.0);
    b->start.wdot = random_vector(&r, 10.0);
    b->u = random_vector(&r, 0.2);
    b->alpha = random_vector(&r, 0.5);
    worst = fmax(worst, tangent_error(&w));
    sc_world_free(&w);
  }
  return worst;
}

static void test_tangent(void **state)
{
  (void)state;
  for (int k = 0; k < 6; k++) {
    const pd_scheme_kind scheme = (pd_scheme_kind)(k / 2);
    const double worst = worst_tangent(scheme, k % 2);
    print_message("tangent, scheme %d, axes of the %s: error = %.1e\n", (int)scheme,
                  k % 2 ? "body" : "space", worst);
    check_near(worst, 0.0, 1e-8);
  }
}

/* ---- motion ---- */

typedef struct rates {
  pd_vec3 v, acc, wdot;
  pd_quat turn;
} rates;

/* the axes of a constraint where the body has the orientation q */
static pd_constraint held_at(const pd_constraint *c, const pd_state *start, const pd_state *now)
{
  const pd_mat3 turn = pd_m_mul(pd_q_matrix(now->q), pd_m_transpose(pd_q_matrix(start->q)));
  return c->follows ? pd_constraint_turned(c, turn) : *c;
}

/* equations of motion: components along held axes stay what they are */
static rates rates_of(const sc_world *w, const pd_constraint *c0, const pd_state *start,
                      pd_state now)
{
  const pd_body *b = &w->sys.body[0];
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  now.q = pd_q_normalize(now.q);
  const pd_constraint c = held_at(c0, start, &now);
  rates d;
  d.v = now.v;
  d.acc = w->gravity;
  for (int k = 0; k < 3; k++) {
    const pd_vec3 e = pd_constraint_axis(&c, k);
    const pd_vec3 turn = c.follows ? pd_cross(now.w, e) : zero;
    if (c.translation & 1 << k) /* e . v' = - e' . v */
      d.acc = pd_axpy(d.acc, -pd_dot(e, w->gravity) - pd_dot(turn, now.v), e);
  }
  d.wdot = pd_constraint_left_of_turn(&c, now.q, &b->inertia,
                                      pd_inertia_spin_up(&now, &b->inertia, zero));
  d.turn = pd_q_mul(pd_q(0.0, 0.5 * now.w.x, 0.5 * now.w.y, 0.5 * now.w.z), now.q);
  return d;
}

static pd_state moved(pd_state o, double h, const rates *d)
{
  o.x = pd_axpy(o.x, h, d->v);
  o.v = pd_axpy(o.v, h, d->acc);
  o.w = pd_axpy(o.w, h, d->wdot);
  o.q = pd_q(o.q.w + h * d->turn.w, o.q.x + h * d->turn.x, o.q.y + h * d->turn.y,
             o.q.z + h * d->turn.z);
  return o;
}

/* classical Runge-Kutta of fourth order */
static pd_state reference(const sc_world *w, double time)
{
  const int n = 2000;
  const double h = time / n;
  const pd_state start = w->sys.body[0].start;
  const pd_constraint *c = &w->sys.body[0].constraint;
  pd_state o = start;
  for (int i = 0; i < n; i++) {
    const rates a = rates_of(w, c, &start, o), b = rates_of(w, c, &start, moved(o, 0.5 * h, &a));
    const rates m = rates_of(w, c, &start, moved(o, 0.5 * h, &b)),
                d = rates_of(w, c, &start, moved(o, h, &m));
    o = moved(o, h / 6.0, &a);
    o = moved(o, h / 3.0, &b);
    o = moved(o, h / 3.0, &m);
    o = moved(o, h / 6.0, &d);
    o.q = pd_q_normalize(o.q);
  }
  return o;
}

static double error_of(const pd_state *a, const pd_state *b)
{
  return pd_norm(pd_sub(a->x, b->x)) + pd_norm(pd_sub(a->v, b->v)) + pd_norm(pd_sub(a->w, b->w)) +
         distance(pd_q_matrix(a->q), pd_q_matrix(b->q));
}

/* after one unit of time in n steps, against the reference */
static double error_in_steps(pd_scheme_kind scheme, int set, int follows, int n)
{
  sc_world w;
  make_body(&w, scheme, set / 8, set % 8, follows);
  w.gravity = pd_v(0.5, 1.0, -2.0);
  check_ok(sc_ready(&w));
  const pd_state expected = reference(&w, 1.0);
  for (int i = 0; i < n; i++) check_ok(sc_substep(&w, 1.0 / n));
  const double error = error_of(&w.sys.body[0].start, &expected);
  sc_world_free(&w);
  return error;
}

/* What is held goes on as it does at first, along axes of space or of the body, and what is left
 * moves by the equations of motion, at the scheme's order. */
static void test_order(void **state)
{
  const double order[] = {2.0, 1.0, 2.0}; /* newmark, euler, em */
  (void)state;
  for (int k = 0; k < 6; k++) {
    double least = 10.0, worst = 0.0;
    for (int set = 0; set < 63; set++) { /* 63: nothing is left */
      const double coarse = error_in_steps((pd_scheme_kind)(k / 2), set, k % 2, 100),
                   fine = error_in_steps((pd_scheme_kind)(k / 2), set, k % 2, 200);
      worst = fmax(worst, fine);
      if (fine > 1e-9) least = fmin(least, log(coarse / fine) / log(2.0));
    }
    print_message("scheme %d, axes of the %s: order = %.2f, error = %.1e\n", k / 2,
                  k % 2 ? "body" : "space", least, worst);
    assert_true(least > order[k / 2] - 0.15);
    assert_true(worst < (k / 2 == PD_EULER ? 0.2 : 2e-3));
  }
}

/* ---- what the energy-momentum scheme keeps ---- */

static double energy_change(int set, int follows, double h, pd_vec3 *momentum)
{
  sc_world w;
  make_body(&w, PD_EM, set / 8, set % 8, follows);
  pd_body *b = &w.sys.body[0];
  b->start.v = pd_constraint_free(&b->constraint, b->constraint.translation, b->start.v);
  b->start.w = pd_constraint_free(&b->constraint, b->constraint.rotation, b->start.w);
  w.gravity = pd_v(0.5, 1.0, -2.0);
  check_ok(sc_ready(&w));
  const double before = sc_energy(&w);
  const pd_vec3 l = pd_inertia_impulse(b->start.q, &b->inertia, b->start.w);
  double booked = 0.0;
  for (int i = 0; i < (int)lround(1.0 / h); i++) {
    check_ok(sc_substep(&w, h));
    booked += w.last.numerical;
    check_near(w.last.error, 0.0, 1e-12);
  }
  const double change = sc_energy(&w) - before;
  check_near(change + booked, 0.0, 1e-11);
  *momentum = pd_sub(pd_inertia_impulse(b->start.q, &b->inertia, b->start.w), l);
  *momentum = pd_constraint_free(&b->constraint, b->constraint.rotation, *momentum);
  sc_world_free(&w);
  return change;
}

/* What holds a body at rest along its axes does no work. Of a body whose rotation is held about
 * axes of space, the angular momentum about the others is kept as well, and its energy, up to third
 * order in the step. */
static void test_energy(void **state)
{
  double body = 0.0, space = 0.0, least = 10.0, gain = 0.0, given = 0.0;
  (void)state;
  for (int set = 0; set < 63; set++) {
    pd_vec3 l;
    body = fmax(body, fabs(energy_change(set, 1, 0.02, &l)));
    const double coarse = energy_change(set, 0, 0.02, &l), fine = energy_change(set, 0, 0.01, &l);
    gain = fmax(gain, coarse);
    given = fmax(given, pd_norm(l));
    space = fmax(space, fabs(fine));
    if (fabs(fine) > 1e-9) least = fmin(least, log(coarse / fine) / log(2.0));
  }
  print_message("energy, axes of the body: %.1e; of space: %.1e, order %.2f, momentum %.1e\n", body,
                space, least, given);
  check_near(body, 0.0, 1e-11);
  check_near(given, 0.0, 1e-12);
  check_near(gain, 0.0, 1e-11);
  assert_true(space < 1e-5 && least > 2.8);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_half_and_swing), cmocka_unit_test(test_slopes),
      cmocka_unit_test(test_tangent),        cmocka_unit_test(test_order),
      cmocka_unit_test(test_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
