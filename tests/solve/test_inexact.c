/* SPDX-License-Identifier: MIT
 * Newton's method with linear systems that are solved only as well as it asks for: residuals of the
 * whole size allowed, in random directions, cost few iterations and nothing of the result. */
#include <stdlib.h>

#include "base/numbers.h"
#include "check.h"
#include "world.h"

#define DT 5e-3

enum { BODIES = 12, HEAPS = 4 };

static pd_status (*solve_exactly)(void *ctx, const pd_linear *a, double *x);
static sc_random noise;
static double loosest, tightest;

/* x + A^-1 r, |r| = accuracy |b| */
static pd_status solve_loosely(void *ctx, const pd_linear *a, double *x)
{
  const int n = 6 * ((sc_world *)ctx)->sys.pattern.nlocal;
  double r[6 * BODIES], e[6 * BODIES], r2 = 0.0, b2 = 0.0;
  pd_linear wrong = *a;
  wrong.rhs = r;
  for (int i = 0; i < n; i++) {
    r[i] = sc_uniform(&noise, -1, 1);
    r2 += r[i] * r[i];
    b2 += a->rhs[i] * a->rhs[i];
  }
  for (int i = 0; i < n; i++) r[i] *= a->accuracy * sqrt(b2 / r2);
  loosest = fmax(loosest, a->accuracy);
  tightest = fmin(tightest, a->accuracy);
  pd_status status = solve_exactly(ctx, a, x);
  if (!status) status = solve_exactly(ctx, &wrong, e);
  for (int i = 0; i < n; i++) x[i] += e[i];
  return status;
}

typedef struct tally {
  long iterations;
  double at_first, left; /* energy, kinetic energy in the end */
} tally;

/* cubes that fall into a pit and lose what they have, for 1.5 s */
static void settle(pd_scheme_kind scheme, uint64_t seed, int exact, tally *sum)
{
  sc_world w;
  sc_random r = {seed};
  check_ok(sc_world_create(&w, scheme, sc_block_law(0.7)));
  w.opt.guard = PD_EM_GUARD;
  const pd_shape *cube = sc_block_shape(&w);
  for (int i = 0; i < BODIES; i++)
    sc_add_body(&w, cube, SC_BLOCK_MASS,
                pd_v(0.2 * (i / 2 % 2) - 0.1, 0.2 * (i % 2) - 0.1, 0.12 + 0.19 * (i / 4)),
                sc_rotation(&r));
  const pd_vec3 n[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  for (int i = 0; i < 5; i++) assert_true(sc_add_plane(&w, pd_scale(i ? -0.21 : 0.0, n[i]), n[i]));
  check_ok(sc_ready(&w));
  const double e0 = sc_energy(&w);
  solve_exactly = w.services.solve;
  if (!exact) w.services.solve = solve_loosely;
  for (int i = 0; i < 300; i++) check_ok(sc_advance(&w, DT));
  assert_true(w.count.gain < PD_EM_GUARD * e0); /* what the guard lets pass, and no more */
  assert_true(w.count.mingap > 0.0);
  sum->iterations += w.count.iterations;
  sum->at_first += e0;
  sum->left += w.energy.kinetic;
  sc_world_free(&w);
}

static void test_settling(void **state)
{
  (void)state;
  const pd_scheme_kind scheme[2] = {PD_EM, PD_EULER};
  for (int k = 0; k < 2; k++) {
    loosest = 0.0;
    tightest = 1.0;
    tally exact = {0}, loose = {0}; /* one heap may take half as many more by rounding alone */
    for (uint64_t seed = 1; seed <= HEAPS; seed++) {
      settle(scheme[k], seed, 1, &exact);
      settle(scheme[k], seed, 0, &loose);
    }
    const double ratio = (double)loose.iterations / (double)exact.iterations;
    print_message("scheme %d: %ld iterations, %.2f times as many; accuracies from %.1e to %.1e; "
                  "kinetic energy left %.1e and %.1e\n",
                  k, exact.iterations, ratio, tightest, loosest, exact.left / exact.at_first,
                  loose.left / loose.at_first);
    assert_true(ratio < 1.5);
    assert_true(exact.left < 0.02 * exact.at_first && loose.left < 0.02 * loose.at_first);
    assert_true(loosest <= 0.1 && tightest > 0.0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_settling)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
