/* SPDX-License-Identifier: MIT
 * Energy-momentum scheme: energy and momentum through unresolved impacts, at any step. */
#include <string.h>

#include "check.h"
#include "world.h"

#define EDGE SC_BLOCK_EDGE
#define HEIGHT 0.05

static pd_quat pose_of(char c)
{
  if (c == 'a') return sc_turn(pd_v(1, -1, 0), atan(sqrt(2.0)));
  if (c == 'b') return sc_turn(pd_v(1, 0, 0), 0.25 * 3.14159265358979);
  if (c == 'd') return sc_turn(pd_v(1.0, 0.5, 0.2), 0.7);
  return pd_q(1.0, 0.0, 0.0, 0.0);
}

static void make_drop(sc_world *w, char c, pd_vec3 v)
{
  check_ok(sc_world_create(w, PD_EM, sc_block_law(0.0)));
  w->opt.tol = 1e-10;
  const pd_quat q = pose_of(c);
  const pd_mat3 r = pd_q_matrix(q);
  double low = 0.0;
  for (int i = 0; i < 8; i++) {
    const pd_vec3 p = pd_v(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    low = fmin(low, pd_mv(r, pd_scale(EDGE, p)).z);
  }
  const pd_vec3 x = pd_v(0.0131, 0.0272, HEIGHT - low + w->law.gbar);
  assert_int_equal(sc_add_body(w, sc_block_shape(w), SC_BLOCK_MASS, x, q), 0);
  w->sys.body[0].start.v = v;
  assert_true(sc_add_plane(w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(w));
}

/* largest energy error over the time, in m g h */
static double energy_error(sc_world *w, double h, double time)
{
  const double start = sc_energy(w), unit = SC_BLOCK_MASS * 9.81 * HEIGHT;
  double worst = 0.0;
  for (int i = 0; i < time / h; i++) {
    check_ok(sc_advance(w, h));
    worst = fmax(worst, fabs(sc_energy(w) - start) / unit);
  }
  return worst;
}

static void test_drops(void **state)
{
  (void)state;
  for (const char *c = "abcd"; *c; c++)
    for (double h = 1e-5; h < 2e-2; h *= 10.0) {
      sc_world w;
      make_drop(&w, *c, pd_v(1.0, 0.3, 0.0));
      const double error = energy_error(&w, h, 0.5);
      print_message("drop %c, step %g: energy error = %.1e m g h, substeps = %ld, failed = %ld, "
                    "iterations = %ld, mean substep = %.2e, tangential speed %.1e\n",
                    *c, h, error, w.count.substeps, w.count.failed, w.count.iterations,
                    0.5 / (double)w.count.substeps, w.sys.body[0].start.v.x - 1.0);
      check_near(error, 0.0, 1e-8);
      check_near(w.sys.body[0].start.v.x, 1.0, 1e-10);
      check_near(w.sys.body[0].start.v.y, 0.3, 1e-10);
      sc_world_free(&w);
    }
}

/* ---- friction ---- */

/* velocities after the first bounce with friction, that along the normal as it would be at the
 * height of the first touch */
static pd_state bounce(char c, double h, double mu)
{
  const pd_friction_law friction = {mu, mu, 1e6, 1e3, 0.0};
  sc_world w;
  make_drop(&w, c, pd_v(1.0, 0.0, 0.0));
  w.law.t = friction;
  w.opt.resolve = 16.0;
  check_ok(sc_ready(&w));
  const pd_body *b = &w.sys.body[0];
  const double touch = b->start.x.z - HEIGHT;
  while (w.energy.potential > 0.0 || b->start.v.z <= 0.0) {
    assert_true(w.time < 0.3);
    check_ok(sc_advance(&w, h));
  }
  pd_state after = b->start;
  after.v.z = sqrt(after.v.z * after.v.z + 2.0 * 9.81 * (after.x.z - touch));
  print_message(
      "drop %c, mu %g, step %g: v %.4f %.4f %.4f, w %.3f %.3f %.3f, substeps %ld, iterations %ld\n",
      c, mu, h, after.v.x, after.v.y, after.v.z, after.w.x, after.w.y, after.w.z, w.count.substeps,
      w.count.iterations);
  sc_world_free(&w);
  return after;
}

/* Steps of any length give what substeps of 1e-5 s do. */
static void test_bounces(void **state)
{
  (void)state;
  const double mu[] = {0.05, 0.3}, speed = sqrt(1.0 + 2.0 * 9.81 * HEIGHT),
               radius = EDGE * sqrt(0.75);
  double worst = 0.0;
  for (const char *c = "abcd"; *c; c++)
    for (int k = 0; k < 2; k++) {
      const pd_state is = bounce(*c, 1e-5, mu[k]);
      for (double h = 3.162277e-5; h < 2e-2; h *= 3.162277) {
        const pd_state got = bounce(*c, h, mu[k]);
        const double v = pd_norm(pd_sub(got.v, is.v)), turn = radius * pd_norm(pd_sub(got.w, is.w));
        worst = fmax(worst, fmax(v, turn) / speed);
      }
    }
  print_message("largest deviation %.2g %% of the impact's speed\n", 100.0 * worst);
  assert_true(worst < 0.02);
}

/* ---- two bodies ---- */

typedef struct momenta {
  pd_vec3 p, l;
  double e;
} momenta;

static momenta measure(const sc_world *w)
{
  momenta m = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, sc_energy(w)};
  for (int i = 0; i < w->sys.nbody; i++) {
    const pd_body *b = &w->sys.body[i];
    const pd_vec3 p = pd_scale(b->inertia.mass, b->start.v);
    m.p = pd_add(m.p, p);
    m.l = pd_add(m.l, pd_cross(b->start.x, p));
    m.l = pd_add(m.l, pd_mv(pd_rotate_diag(pd_q_matrix(b->start.q), b->inertia.j), b->start.w));
  }
  return m;
}

/* Two spinning cubes in a glancing collision. */
static void collide(double h, double zeta, double mu)
{
  sc_world w;
  const pd_friction_law friction = {mu, mu, 1e6, 0.0, 0.0};
  pd_law law = sc_block_law(zeta);
  if (mu > 0.0) law.t = friction;
  check_ok(sc_world_create(&w, PD_EM, law));
  w.gravity = pd_v(0.0, 0.0, 0.0);
  w.opt.tol = 1e-11;
  w.look = 1;
  sc_add_body(&w, sc_block_shape(&w), SC_BLOCK_MASS, pd_v(-0.1, 0.01, 0.0),
              sc_turn(pd_v(1, 2, 3), 0.7));
  sc_add_body(&w, w.shape[0], SC_BLOCK_MASS, pd_v(0.1, 0.03, 0.02), sc_turn(pd_v(-1, 2, 0.5), 1.1));
  pd_body *b = w.sys.body;
  b[0].start.v = pd_v(1.0, 0.1, 0.0);
  b[1].start.v = pd_v(-0.8, 0.0, 0.2);
  b[0].start.w = pd_v(3.0, 1.0, -2.0);
  b[1].start.w = pd_v(-1.0, 4.0, 2.0);
  check_ok(sc_ready(&w));
  const momenta start = measure(&w);
  int touched = 0;
  for (int i = 0; i < 0.3 / h; i++) {
    check_ok(sc_advance(&w, h));
    touched += w.last.ncontact > 0.0;
  }
  const momenta end = measure(&w);
  const double p = pd_norm(pd_sub(end.p, start.p)) / pd_norm(start.p);
  const double l = pd_norm(pd_sub(end.l, start.l)) / pd_norm(start.l), e = end.e / start.e - 1.0;
  print_message(
      "collision, zeta %g, mu %g, step %g: momentum %.1e, angular momentum %.1e, energy %+.2e, "
      "steps in contact %d, substeps %ld, iterations %ld, overlaps %ld\n",
      zeta, mu, h, p, l, e, touched, w.count.substeps, w.count.iterations, w.count.overlaps);
  assert_int_equal(w.count.overlaps, 0);
  check_near(fmax(p, l), 0.0, 1e-10);
  if (zeta == 0.0 && mu == 0.0) assert_true(fabs(e) < 1e-8);
  if (zeta > 0.0 || mu > 0.0) assert_true(e < -1e-3);
  sc_world_free(&w);
}

static void test_collision(void **state)
{
  (void)state;
  for (double h = 1e-5; h < 2e-2; h *= 10.0) {
    collide(h, 0.0, 0.0);
    collide(h, 0.3, 0.0);
    collide(h, 0.0, 0.5);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_drops),
      cmocka_unit_test(test_bounces),
      cmocka_unit_test(test_collision),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
