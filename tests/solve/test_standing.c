/* SPDX-License-Identifier: MIT
 * Pairs whose sides stand are not evaluated again: what they keep is what an evaluation would find.
 */
#include <string.h>

#include "check.h"
#include "world.h"

#define DT 5e-3
#define BODIES 8
#define GRAVITY 9.81
#define LONGEST 2000 /* steps until all bodies stand */

static pd_law law_of(pd_scheme_kind scheme)
{
  pd_law law = sc_block_law(0.7);
  law.t.mu_s = law.t.mu_d = 0.5;
  law.t.eps_t = 1e5;
  law.t.c_t = 300.0;
  if (scheme != PD_EM) return law;
  law.has_e = 1;
  law.e = 0.0;
  return law;
}

static double speed(const sc_world *w)
{
  double v = 0.0;
  for (int i = 0; i < w->sys.nbody; i++)
    v += pd_norm(w->sys.body[i].start.v) + pd_norm(w->sys.body[i].start.w);
  return v;
}

/* Two leaning stacks of cubes that have come to stand; for Newmark's scheme by Euler's, since with
 * its own they tremble for long. */
static void make_pile(sc_world *w, pd_scheme_kind scheme)
{
  check_ok(sc_world_create(w, scheme == PD_EM ? PD_EM : PD_EULER, law_of(scheme)));
  const pd_shape *cube = sc_block_shape(w);
  for (int i = 0; i < BODIES; i++) {
    const int level = i / 2;
    const pd_vec3 x = {0.16 * (i % 2) + 0.012 * level, 0.009 * level, 0.051 + 0.101 * level};
    sc_add_body(w, cube, SC_BLOCK_MASS, x, sc_turn(pd_v(0, 0, 1), 0.1 * level));
  }
  assert_true(sc_add_plane(w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(w));
  int steps = 0;
  do check_ok(sc_advance(w, DT));
  while (speed(w) > 0.0 && ++steps < LONGEST);
  w->sys.scheme.kind = scheme;
  for (int i = 0; i < 10; i++) check_ok(sc_advance(w, DT));
  assert_true(speed(w) == 0.0);
  print_message("scheme %d: all stand after %d steps\n", (int)scheme, steps);
  assert_true(steps < LONGEST);
}

/* forces of the evaluation when, kept (or not: all pairs are evaluated anew) */
static void evaluate(sc_world *w, pd_when when, int kept, double *force, pd_totals *totals)
{
  if (!kept) pd_system_forget_reusable(&w->sys);
  check_ok(pd_system_eval(&w->sys, when, 0, totals));
  memcpy(force, w->sys.assembly.force, (size_t)w->sys.nbody * 6 * sizeof(double));
}

static double largest_difference(const double *a, const double *b)
{
  double most = 0.0;
  for (int i = 0; i < 6 * BODIES; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

/* At the start of a step to the last bit, at a trial to rounding. */
static void check_evaluations(sc_world *w)
{
  double kept[6 * BODIES], anew[6 * BODIES];
  pd_totals by_kept, by_anew;
  evaluate(w, PD_AT_START, 1, kept, &by_kept);
  evaluate(w, PD_AT_START, 0, anew, &by_anew);
  assert_memory_equal(kept, anew, sizeof kept);
  assert_memory_equal(&by_kept, &by_anew, sizeof by_kept);
  evaluate(w, PD_AT_TRIAL, 1, kept, &by_kept);
  evaluate(w, PD_AT_TRIAL, 0, anew, &by_anew);
  const double apart = largest_difference(kept, anew) / (BODIES * SC_BLOCK_MASS * GRAVITY);
  print_message("  trial: forces differ by %.1e of the weight, energies by %.1e of themselves\n",
                apart, by_kept.energy / by_anew.energy - 1.0);
  assert_true(apart < 1e-12);
  check_near(by_kept.energy / by_anew.energy, 1.0, 1e-12);
  evaluate(w, PD_AT_START, 0, anew, &by_anew);
}

/* One that is pushed has forces as if all were evaluated, and so has all when the law changes. */
static void check_changes(sc_world *w)
{
  double kept[6 * BODIES], anew[6 * BODIES];
  pd_totals t;
  w->sys.body[3].start.v = pd_v(0.02, 0.0, 0.01);
  evaluate(w, PD_AT_START, 1, kept, &t);
  evaluate(w, PD_AT_START, 0, anew, &t);
  assert_memory_equal(kept, anew, sizeof kept);
  w->sys.body[3].start.v = pd_v(0.0, 0.0, 0.0);
  w->sys.body[3].start.x.z += 1e-6;
  evaluate(w, PD_AT_START, 1, kept, &t);
  evaluate(w, PD_AT_START, 0, anew, &t);
  assert_memory_equal(kept, anew, sizeof kept);
  w->sys.body[3].start.x.z -= 1e-6;
  evaluate(w, PD_AT_START, 1, kept, &t);
  evaluate(w, PD_AT_START, 0, anew, &t);
  assert_memory_equal(kept, anew, sizeof kept);
}

/* That pairs are kept is seen by a law that has become another one without a word. */
static void check_that_they_are_kept(sc_world *w)
{
  double before[6 * BODIES], kept[6 * BODIES], anew[6 * BODIES];
  pd_totals t;
  evaluate(w, PD_AT_START, 1, before, &t);
  w->law.eps1 *= 0.5;
  check_ok(pd_law_init(&w->law));
  evaluate(w, PD_AT_START, 1, kept, &t);
  evaluate(w, PD_AT_START, 0, anew, &t);
  assert_memory_equal(before, kept, sizeof kept);
  assert_true(largest_difference(kept, anew) > 0.0);
}

/* A run goes on as it would with every pair evaluated in every substep: one body is pushed. */
static void check_motion(pd_scheme_kind scheme)
{
  pd_vec3 end[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int kept = 0; kept < 2; kept++) {
    sc_world w;
    make_pile(&w, scheme);
    w.sys.body[6].start.v = pd_v(0.3, 0.1, 0.0);
    check_ok(sc_ready(&w));
    for (int i = 0; i < 20; i++) {
      if (!kept) pd_system_forget_reusable(&w.sys);
      check_ok(sc_substep(&w, 1e-3));
    }
    end[kept] = w.sys.body[6].start.x;
    sc_world_free(&w);
  }
  const double apart = pd_norm(pd_sub(end[0], end[1]));
  print_message("  after a push: places differ by %.1e m\n", apart);
  assert_true(apart < 1e-11);
}

static void test_standing(void **state)
{
  const pd_scheme_kind schemes[] = {PD_NEWMARK, PD_EULER, PD_EM};
  (void)state;
  for (int k = 0; k < 3; k++) {
    sc_world w;
    make_pile(&w, schemes[k]);
    check_evaluations(&w);
    check_changes(&w);
    check_that_they_are_kept(&w);
    sc_world_free(&w);
    check_motion(schemes[k]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_standing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
