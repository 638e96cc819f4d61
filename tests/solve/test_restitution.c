/* SPDX-License-Identifier: MIT
 * Energy-momentum scheme: restitution of damped impacts, resolved by the step or not. */
#include <stdio.h>

#include "check.h"
#include "world.h"

#define GRAVITY 9.81
#define HEIGHT 0.05
#define PHASES 8

static pd_quat pose_of(char c)
{
  if (c == 'a') return sc_turn(pd_v(1, -1, 0), atan(sqrt(2.0)));
  if (c == 'b') return sc_turn(pd_v(1, 0, 0), 0.25 * 3.14159265358979);
  return pd_q(1.0, 0.0, 0.0, 0.0);
}

/* what an impact did */
typedef struct bounce {
  double e;    /* ratio of the speeds at the activation distance, from the energies */
  double gain; /* largest rise of the energy in a step, over the present energy */
  long failed;
} bounce;

/* A cube with the speed of a fall from HEIGHT, a distance (2 + phase) steps from the activation
 * distance. */
static double make_drop(sc_world *w, char c, pd_law law, double h, double phase)
{
  const double v = sqrt(2.0 * GRAVITY * HEIGHT), d = (2.0 + phase) * v * h;
  check_ok(sc_world_create(w, PD_EM, law));
  const pd_shape *cube = sc_block_shape(w);
  const pd_quat q = pose_of(c);
  const double z = w->law.gbar - sc_lowest(cube, q);
  assert_int_equal(sc_add_body(w, cube, SC_BLOCK_MASS, pd_v(0.0131, 0.0272, z + d), q), 0);
  w->sys.body[0].start.v = pd_v(0.0, 0.0, -v);
  assert_true(sc_add_plane(w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(w));
  return SC_BLOCK_MASS * GRAVITY * z;
}

static bounce drop(char c, pd_law law, double h, double phase)
{
  bounce o = {0.0, 0.0, 0};
  sc_world w;
  const double touch = make_drop(&w, c, law, h, phase), before = sc_energy(&w) - touch;
  int touched = 0, left = 0;
  for (double t = 0.0; t < 0.02 + 6.0 * h && !left; t += h) {
    const double was = sc_energy(&w) - touch;
    w.count.gain = 0.0;
    check_ok(sc_advance(&w, h));
    o.gain = fmax(o.gain, w.count.gain / fmax(was, 1e-3 * before));
    touched |= w.last.ncontact > 0.0 || w.sys.body[0].start.v.z > 0.0;
    left = touched && w.last.ncontact == 0.0 && w.sys.body[0].start.v.z > 0.0;
  }
  o.e = left ? sqrt(fmax(0.0, sc_energy(&w) - touch) / before) : 0.0;
  o.failed = w.count.failed + w.count.guarded;
  sc_world_free(&w);
  return o;
}

static const double step[] = {1e-5, 1e-4, 2e-4, 3e-4, 1e-3, 3e-3, 1e-2};

/* Impacts at one step, started at PHASES points between two ends of steps: all of them within 0.05,
 * dead ones within 0.001. */
static void check_step(char c, pd_law law, double h, double want)
{
  double sum = 0.0, low = 2.0, high = 0.0, gain = 0.0;
  long failed = 0;
  for (int i = 0; i < PHASES; i++) {
    const bounce o = drop(c, law, h, (i + 0.37) / PHASES);
    sum += o.e / PHASES;
    low = fmin(low, o.e);
    high = fmax(high, o.e);
    gain = fmax(gain, o.gain);
    failed += o.failed;
  }
  print_message(" | %g: %.3f, %.3f to %.3f", h, sum, low, high);
  assert_true(gain < 1e-6);
  assert_int_equal(failed, 0);
  const double room = want > 0.0 ? 0.05 : 1e-3;
  assert_true(high < want + room && low > want - room);
}

static void check_line(const char *name, char c, pd_law law, double want)
{
  print_message("%s, %s, restitution = %.3f; mean and range at steps", name,
                c == 'a'   ? "vertex"
                : c == 'b' ? "edge"
                           : "face",
                want);
  for (size_t k = 0; k < sizeof step / sizeof step[0]; k++) check_step(c, law, step[k], want);
  print_message("\n");
}

/* the damping ratio rules: the resolved impact is the measure */
static void test_damping(void **state)
{
  (void)state;
  const double zeta[] = {0.0, 0.05, 0.2, 0.7, 1.0};
  for (int k = 0; k < 5; k++)
    for (const char *c = "abc"; *c; c++) {
      char name[32];
      snprintf(name, sizeof name, "damping %g", zeta[k]);
      const pd_law law = sc_block_law(zeta[k]);
      check_line(name, *c, law, drop(*c, law, 2e-6, 0.0).e);
    }
}

/* Of law "auto": a thin skin of the exponent 1.5 that impacts fill to two thirds, dashpots from its
 * rim on. Steps of a fraction of a radian share the loss between these and the scheme. (With more
 * damping what comes back is slower than what gravity makes in the longest step.) */
static void test_thin_skin(void **state)
{
  (void)state;
  const double zeta[] = {0.1, 0.2, 0.3};
  for (int k = 0; k < 3; k++) {
    char name[32];
    snprintf(name, sizeof name, "thin skin, damping %g", zeta[k]);
    pd_law law = sc_block_law(zeta[k]);
    law.n1 = 1.5;
    law.gbar = 1e-3;
    law.ramp = 0.003;
    law.eps1 = 2.5 * SC_BLOCK_MASS * GRAVITY * HEIGHT / (4.0 * pow(2.0 / 3.0 * law.gbar, 2.5));
    check_line(name, 'c', law, drop('c', law, 2e-6, 0.0).e);
  }
}

static void test_given(void **state)
{
  (void)state;
  const double e[] = {0.0, 0.3, 0.5, 0.8, 1.0};
  for (int k = 0; k < 5; k++)
    for (const char *c = "abc"; *c; c++) {
      char name[32];
      snprintf(name, sizeof name, "given %g", e[k]);
      pd_law law = sc_block_law(0.1);
      law.has_e = 1;
      law.e = e[k];
      check_line(name, *c, law, e[k]);
    }
}

/* ---- dead impacts without weight: a body creeps out of the skin, and keeps the speed of that ----
 */

/* largest speed over that of the impact, from PHASES impacts without weight, 0.05 s after them */
static double left_of_dead(char c, double n1, double h)
{
  double most = 0.0;
  pd_law law = sc_block_law(0.0);
  law.n1 = n1;
  law.eps1 = n1 > 1.0 ? 1e8 : 8e6;
  law.gbar = n1 > 1.0 ? 1e-3 : 5e-4;
  law.has_e = 1;
  for (int i = 0; i < PHASES; i++) {
    sc_world w;
    make_drop(&w, c, law, h, (i + 0.37) / PHASES);
    w.gravity = pd_v(0.0, 0.0, 0.0);
    const double before = -w.sys.body[0].start.v.z;
    check_ok(sc_ready(&w));
    for (double t = 0.0; t < 0.05 + 4.0 * h; t += h) check_ok(sc_advance(&w, h));
    most = fmax(most, fabs(w.sys.body[0].start.v.z) / before);
    sc_world_free(&w);
  }
  return most;
}

static void test_dead(void **state)
{
  (void)state;
  for (const char *c = "abc"; *c; c++)
    for (int i = 0; i < 2; i++) {
      const double n1 = i ? 1.5 : 1.0;
      print_message("dead, %c, n1 = %g: left at most", *c, n1);
      for (size_t k = 1; k < sizeof step / sizeof step[0]; k++) {
        const double left = left_of_dead(*c, n1, step[k]);
        print_message(" | %g: %.5f", step[k], left);
        assert_true(left < 0.035);
      }
      print_message("\n");
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_damping),
                                     cmocka_unit_test(test_thin_skin), cmocka_unit_test(test_given),
                                     cmocka_unit_test(test_dead)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
