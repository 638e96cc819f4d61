/* SPDX-License-Identifier: MIT
 * Order of convergence in the step for smooth motion, energy-momentum scheme and Newmark: a
 * torque-free top, and a compound pendulum that hangs on a contact whose oscillation the steps
 * resolve. */
#include <stdio.h>

#include "check.h"
#include "world.h"

enum { LEVELS = 4 };

static const pd_scheme_kind schemes[2] = {PD_EM, PD_NEWMARK};
static const char *const names[2] = {"em", "newmark"};

/* distance of two states of a body, rotations as ways at the given radius */
static double distance(const pd_state *a, const pd_state *b, double radius)
{
  const pd_quat d = pd_q_mul(a->q, pd_q_conj(b->q));
  const double turn = 2.0 * pd_norm(pd_v(d.x, d.y, d.z));
  return pd_norm(pd_sub(a->x, b->x)) + radius * turn;
}

static void march(sc_world *w, double h, double time)
{
  const long n = lround(time / h);
  for (long i = 0; i < n; i++) check_ok(sc_substep(w, h));
}

/* prints errors and orders between steps h, h/2, h/4, ...; all orders must be 2.0 within 0.1 */
static void check_order(const char *what, double h, const double *error)
{
  print_message("%s:", what);
  for (int i = 0; i < LEVELS; i++) print_message(" h %g: %.2e", h / (1 << i), error[i]);
  print_message("; orders");
  for (int i = 1; i < LEVELS; i++) print_message(" %.3f", log2(error[i - 1] / error[i]));
  print_message("\n");
  for (int i = 1; i < LEVELS; i++) check_near(log2(error[i - 1] / error[i]), 2.0, 0.1);
}

/* ---- torque-free top ---- */

static void make_top(sc_world *w, pd_scheme_kind kind)
{
  pd_mesh mesh;
  check_ok(sc_world_create(w, kind, sc_block_law(0.0)));
  check_ok(sc_box(0.1, 0.06, 0.03, &mesh));
  const pd_shape *box = sc_add_shape(w, &mesh, 1);
  assert_int_equal(sc_add_body(w, box, 0.18, pd_v(0, 0, 0), sc_turn(pd_v(1, 2, 3), 0.4)), 0);
  w->gravity = pd_v(0.0, 0.0, 0.0);
  w->opt.guard = 0.0;
  w->opt.tol = 1e-12;
  w->sys.body[0].start.v = pd_v(0.3, -0.1, 0.2);
  w->sys.body[0].start.w = pd_v(2.0, 9.0, 1.0);
  check_ok(sc_ready(w));
}

/* Euler's equations: quaternion and angular velocity in the body's axes, by Runge and Kutta */
static void euler(const pd_body *b, const double *y, double *d)
{
  const pd_quat q = pd_q(y[0], y[1], y[2], y[3]);
  const pd_vec3 w = pd_v_load(y + 4), j = b->inertia.j;
  const pd_quat dq = pd_q_mul(q, pd_q(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z));
  d[0] = dq.w;
  d[1] = dq.x;
  d[2] = dq.y;
  d[3] = dq.z;
  d[4] = (j.y - j.z) * w.y * w.z / j.x;
  d[5] = (j.z - j.x) * w.z * w.x / j.y;
  d[6] = (j.x - j.y) * w.x * w.y / j.z;
}

static pd_state exact_top(const pd_body *b, double time)
{
  enum { N = 20000 };
  const double h = time / N;
  pd_state o = b->start;
  const pd_vec3 w = pd_mtv(pd_q_matrix(o.q), o.w);
  double y[7] = {o.q.w, o.q.x, o.q.y, o.q.z, w.x, w.y, w.z};
  for (int i = 0; i < N; i++) {
    double k[4][7], z[7];
    euler(b, y, k[0]);
    for (int s = 1; s < 4; s++) {
      for (int m = 0; m < 7; m++) z[m] = y[m] + (s < 3 ? 0.5 : 1.0) * h * k[s - 1][m];
      euler(b, z, k[s]);
    }
    for (int m = 0; m < 7; m++) y[m] += h / 6.0 * (k[0][m] + 2.0 * (k[1][m] + k[2][m]) + k[3][m]);
  }
  o.q = pd_q_normalize(pd_q(y[0], y[1], y[2], y[3]));
  o.x = pd_axpy(o.x, time, o.v);
  return o;
}

static void test_top(void **state)
{
  const double h = 8e-3, time = 0.8;
  (void)state;
  for (int s = 0; s < 2; s++) {
    double error[LEVELS];
    for (int i = 0; i < LEVELS; i++) {
      sc_world w;
      make_top(&w, schemes[s]);
      const pd_state end = exact_top(&w.sys.body[0], time);
      march(&w, h / (1 << i), time);
      error[i] = distance(&w.sys.body[0].start, &end, w.sys.body[0].shape->radius);
      sc_world_free(&w);
    }
    char what[64];
    snprintf(what, sizeof what, "top, %s", names[s]);
    check_order(what, h, error);
  }
}

/* ---- compound pendulum ---- */

#define ARM 0.3
#define THICK 0.05
#define DEPTH 0.1

/* A narrow wedge with its edge along y in the origin, upwards: a wall. */
static pd_status knife(double half, pd_mesh *mesh)
{
  const pd_vec3 v[6] = {{0, -half, 0},       {0, half, 0},        {-0.08, -half, -0.2},
                        {-0.08, half, -0.2}, {0.08, -half, -0.2}, {0.08, half, -0.2}};
  static const int t[8][3] = {{0, 1, 3}, {0, 3, 2}, {1, 0, 4}, {1, 4, 5},
                              {2, 3, 5}, {2, 5, 4}, {0, 2, 4}, {1, 5, 3}};
  return pd_mesh_create(6, v, 8, t, mesh);
}

/* Gaps at the two inner faces of an L of 1 kg that is let go: the reaction of a compound pendulum.
 * d: direction of gravity in the mesh's axes. */
static pd_vec3 hanging_gaps(const pd_shape *l, const pd_law *law, pd_vec3 d)
{
  const double r = sqrt(0.5), c = l->mass.center.x - THICK, arm2 = 2.0 * c * c;
  const double across = r * (d.y - d.x), along = r * (d.x + d.y);
  const pd_vec3 p = l->mass.principal; /* the one about the long axis of the L is the largest */
  const double about = fmax(p.x, fmax(p.y, p.z)) / l->mass.volume;
  const double side = across * about / (about + arm2), k = 2.0 * law->eps1 / 9.81;
  return pd_v(law->gbar - r * (along - side) / k, law->gbar - r * (along + side) / k, 0.0);
}

/* An L hangs with its re-entrant corner on the knife, which touches both of its inner faces with
 * both ends of the edge; turned by swing about the edge; down: speed along the vertical. The edge
 * of the corner itself stays out of reach: the law has no kinks then. */
static void make_pendulum(sc_world *w, pd_scheme_kind kind, double swing, double down)
{
  const double r = sqrt(0.5);
  pd_law law = sc_block_law(0.0);
  law.gbar = 5e-3;
  law.eps1 = 5e3;
  check_ok(sc_world_create(w, kind, law));
  pd_mesh mesh;
  check_ok(knife(0.02, &mesh));
  assert_true(sc_add_surface(w, sc_add_shape(w, &mesh, 0)));
  check_ok(sc_l_prism(ARM, THICK, DEPTH, &mesh));
  const pd_shape *l = sc_add_shape(w, &mesh, 1);
  assert_non_null(l);
  const pd_mat3 notch_down = {{{r, -r, 0.0}, {0.0, 0.0, 1.0}, {-r, -r, 0.0}}};
  const pd_quat turn = sc_turn(pd_v(0, 1, 0), swing);
  const pd_mat3 m = pd_m_mul(pd_q_matrix(turn), notch_down);
  const pd_vec3 gaps = hanging_gaps(l, &w->law, pd_mtv(m, pd_v(0.0, 0.0, -1.0)));
  const pd_vec3 edge = pd_add(pd_v(THICK, THICK, 0.5 * DEPTH), gaps);
  const pd_vec3 x = pd_mv(m, pd_sub(l->mass.center, edge));
  assert_int_equal(sc_add_body(w, l, 1.0, x, pd_q_mul(turn, pd_q_from_matrix(notch_down))), 0);
  w->opt.guard = 0.0;
  w->opt.tol = 1e-10;
  w->sys.body[0].start.v = pd_v(0.0, 0.0, -down);
  check_ok(sc_ready(w));
}

static pd_state swing(pd_scheme_kind kind, double down, double h, double time, double *rise)
{
  sc_world w;
  make_pendulum(&w, kind, 0.2, down);
  const double start = sc_energy(&w);
  for (long i = lround(time / h); i > 0; i--) {
    check_ok(sc_substep(&w, h));
    check_near(w.last.ncontact, 4.0, 0.0); /* both ends of the edge on both faces, all the time */
  }
  const pd_state end = w.sys.body[0].start;
  assert_true(w.count.mingap > sqrt(0.5) * w.law.gbar); /* the corner's edge is out of reach */
  *rise = sc_energy(&w) - start;
  sc_world_free(&w);
  return end;
}

static void check_pendulum(double down, double h)
{
  const double time = 0.25;
  for (int s = 0; s < 2; s++) {
    double error[LEVELS], rise[LEVELS], fine;
    const pd_state end = swing(schemes[s], down, h / 128.0, time, &fine);
    for (int i = 0; i < LEVELS; i++) {
      const pd_state o = swing(schemes[s], down, h / (1 << i), time, &rise[i]);
      error[i] = distance(&o, &end, ARM);
    }
    char what[128];
    snprintf(what, sizeof what,
             "pendulum, %s, bounce at %g m/s, energy %+.1e .. %+.1e J, way %.2g m", names[s], down,
             rise[0], rise[LEVELS - 1], error[0]);
    check_order(what, h, error);
  }
}

/* the contact swings, too */
static void test_bouncing_pendulum(void **state)
{
  (void)state;
  check_pendulum(0.03, 2e-3);
}

/* the contact hardly moves in its normal direction */
static void test_quiet_pendulum(void **state)
{
  (void)state;
  check_pendulum(0.0, 1e-3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_top),
      cmocka_unit_test(test_bouncing_pendulum),
      cmocka_unit_test(test_quiet_pendulum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
