/* SPDX-License-Identifier: MIT
 * Control of substeps against prescribed outcomes: lengths, exact filling, what is repeated and
 * when a step is given up; and against a plain reference on random outcomes. */
#include "base/numbers.h"
#include "check.h"
#include "solve/substep_control.h"

#include <float.h>
#include <string.h>

/* an outcome of a solve whose iterations ask for a factor on the next substep */
static pd_substep outcome(double growth, double move)
{
  pd_substep s;
  memset(&s, 0, sizeof s);
  s.growth = growth;
  s.move = move;
  s.iterations = 3;
  s.evaluations = 5;
  s.limited = 2;
  return s;
}

static pd_newton_options without_guard(void)
{
  pd_newton_options opt = pd_newton_defaults();
  opt.guard = 0.0;
  return opt;
}

static pd_substep_limits limits_of(int fixed, double shortest, double longest)
{
  const pd_substep_limits l = {fixed, shortest, longest, DBL_MAX};
  return l;
}

/* a control at the start of a step of length dt that wants substeps of length step */
static pd_substep_control control_of(double dt, double step, pd_substep_limits limits)
{
  pd_substep_control c;
  memset(&c, 0, sizeof c);
  c.step = step;
  pd_control_begin(&c, dt, limits);
  return c;
}

/* judged and, if the verdict says so, accepted */
static pd_verdict solve(pd_substep_control *c, pd_status status, pd_substep s, double h)
{
  const pd_newton_options opt = without_guard();
  const pd_verdict verdict = pd_control_judge(c, &opt, status, &s, h);
  if (verdict == PD_ACCEPT) pd_control_accept(c, &opt, &s, h);
  return verdict;
}

/* ---- lengths ---- */

/* substeps of one wish fill the step in equal parts: there is no sliver */
static void test_even_filling(void **state)
{
  const double wish[] = {1.0, 0.99, 0.6, 0.5, 0.3, 0.26, 0.123, 0.0101};
  const int parts[] = {1, 2, 2, 2, 4, 4, 9, 100};
  (void)state;
  for (int k = 0; k < 8; k++) {
    const double dt = 0.0037;
    pd_substep_control c = control_of(dt, wish[k] * dt, limits_of(0, 0.0, 0.0));
    double sum = 0.0;
    while (pd_control_goes_on(&c)) {
      const double h = pd_control_length(&c);
      check_near(h, dt / parts[k], 1e-14 * dt);
      assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.0), h), PD_ACCEPT);
      check_near(pd_control_fraction(&c, 0.0), (sum += h) / dt, 1e-13);
    }
    assert_int_equal(c.done, parts[k]);
    assert_true(c.count.accepted == parts[k] && c.count.iterations == 3.0 * parts[k] &&
                c.count.evaluations == 5.0 * parts[k] && c.count.limited == 2.0 * parts[k]);
    check_near(sum, dt, 1e-15 * parts[k] * dt);
  }
}

/* the wish is what grows, not the length cut to fill the step; no further than the longest */
static void test_growth(void **state)
{
  pd_substep_control c = control_of(1.0, 0.4, limits_of(0, 0.0, 0.7));
  const double wish[] = {0.6, 0.7, 0.7};
  (void)state;
  for (int k = 0; pd_control_goes_on(&c); k++) {
    const double h = pd_control_length(&c);
    check_near(h, 1.0 / 3.0, 1e-15);
    assert_int_equal(solve(&c, PD_OK, outcome(1.5, 0.0), h), PD_ACCEPT);
    check_near(c.step, wish[k], 1e-15);
  }
  assert_int_equal(c.done, 3);
  /* shorter: that is said of the length that was solved */
  c = control_of(1.0, 0.4, limits_of(0, 0.0, 0.0));
  assert_int_equal(solve(&c, PD_OK, outcome(0.8, 0.0), pd_control_length(&c)), PD_ACCEPT);
  check_near(c.step, 0.8 / 3.0, 1e-15);
}

static void test_longest_is_the_first_wish(void **state)
{
  (void)state;
  check_near(control_of(2.0, 0.0, limits_of(0, 0.0, 0.0)).step, 2.0, 0.0);
  check_near(control_of(2.0, 0.0, limits_of(0, 0.0, 0.5)).step, 0.5, 0.0);
  check_near(control_of(2.0, 0.0, limits_of(0, 0.0, 5.0)).step, 2.0, 0.0);
  check_near(control_of(2.0, 0.3, limits_of(0, 0.0, 0.0)).step, 0.3, 0.0);
}

/* also the first substep of a step, after one in which it might be longer */
static void test_longest_holds_at_once(void **state)
{
  pd_substep_control c = control_of(1.0, 1.0, limits_of(0, 0.0, 0.0));
  (void)state;
  pd_control_begin(&c, 1.0, limits_of(0, 0.0, 0.2));
  check_near(pd_control_length(&c), 0.2, 1e-15);
}

static void test_wish_goes_on_over_steps(void **state)
{
  pd_substep_control c = control_of(1.0, 0.5, limits_of(0, 0.0, 0.0));
  (void)state;
  while (pd_control_goes_on(&c)) solve(&c, PD_OK, outcome(0.8, 0.0), pd_control_length(&c));
  const double wish = c.step;
  assert_true(wish < 0.5);
  pd_control_begin(&c, 1.0, c.limits);
  assert_true(c.step == wish && c.done == 0);
  check_near(pd_control_fraction(&c, 0.0), 0.0, 0.0);
}

/* ---- failures ---- */

static void test_failure_halves(void **state)
{
  pd_substep_control c = control_of(1.0, 1.0, limits_of(0, 0.0, 0.0));
  (void)state;
  for (double h = 1.0; h > 0.1; h *= 0.5) {
    check_near(pd_control_length(&c), h, 1e-15);
    assert_int_equal(solve(&c, PD_ENEWTON, outcome(1.5, 0.0), h), PD_REPEAT);
  }
  assert_true(c.count.rejected == 4.0 && c.count.rejected_by_guard == 0.0);
  assert_true(c.count.iterations == 12.0 && c.count.accepted == 0.0);
  check_near(c.remaining, 1.0, 0.0);
}

/* A length that has failed is come near to from below, by 3 % a substep, however easy these are;
 * and is forgotten where the longest is shorter. Of several in one go the longest counts, and
 * neither impacts that want to be resolved nor what the guard rejects. */
static void test_failed_length_is_avoided(void **state)
{
  pd_substep_control c = control_of(1000.0, 1.0, limits_of(0, 0.0, 2.0));
  (void)state;
  pd_substep s = outcome(1.5, 0.0);
  for (double h = 1.0; h > 0.2; h *= 0.5) assert_int_equal(solve(&c, PD_ENEWTON, s, h), PD_REPEAT);
  double h = 0.125;
  for (int i = 0; i < 6; i++) {
    assert_int_equal(solve(&c, PD_OK, s, h), PD_ACCEPT);
    h = fmin(1.5 * h, 0.9 * pow(1.03, i));
    check_near(c.step, h, 1e-12);
  }
  check_near(h, 0.9 * pow(1.03, 5), 1e-12);
  for (int i = 0; i < 80; i++) assert_int_equal(solve(&c, PD_OK, s, c.step), PD_ACCEPT);
  assert_true(c.failed == 0.0 && c.step == 2.0);
  s.longest = 0.1;
  s.excess = s.allowed = 1.0;
  assert_int_equal(solve(&c, PD_EIMPACT, s, 1.0), PD_REPEAT);
  assert_int_equal(solve(&c, PD_EENERGY, s, 1.0), PD_REPEAT);
  assert_true(c.failed == 0.0);
}

/* the guard counts apart, and an impact that wants to be resolved is no failure */
static void test_reasons_are_counted(void **state)
{
  pd_substep_control c = control_of(1.0, 1.0, limits_of(0, 0.0, 0.0));
  pd_substep s = outcome(1.5, 0.0);
  (void)state;
  s.excess = 8.0; /* over 1: a third of the length, less a margin */
  s.allowed = 1.0;
  assert_int_equal(solve(&c, PD_EENERGY, s, 1.0), PD_REPEAT);
  check_near(c.step, 0.4, 1e-15);
  s.longest = 0.01;
  assert_int_equal(solve(&c, PD_EIMPACT, s, pd_control_length(&c)), PD_REPEAT);
  check_near(c.step, 0.01, 1e-16);
  assert_true(c.count.rejected == 1.0 && c.count.rejected_by_guard == 1.0);
}

/* down to the shortest length and no further; the parts of a step are never shorter than that */
static void test_shortest(void **state)
{
  pd_substep_control c = control_of(1.0, 1.0, limits_of(0, 0.3, 0.0));
  (void)state;
  assert_int_equal(solve(&c, PD_ENEWTON, outcome(1.0, 0.0), pd_control_length(&c)), PD_REPEAT);
  check_near(pd_control_length(&c), 0.5, 1e-15);
  assert_int_equal(solve(&c, PD_ENEWTON, outcome(1.0, 0.0), pd_control_length(&c)), PD_REPEAT);
  check_near(pd_control_length(&c), 1.0 / 3.0, 1e-15); /* 0.25 were too short, four parts too */
  assert_int_equal(solve(&c, PD_ENEWTON, outcome(1.0, 0.0), pd_control_length(&c)), PD_GIVE_UP);
  assert_true(c.count.rejected == 3.0);
}

static void test_shortest_by_default(void **state)
{
  pd_substep_control c = control_of(2.0, 0.0, limits_of(0, 0.0, 0.0));
  int n = 0;
  (void)state;
  while (solve(&c, PD_ENEWTON, outcome(1.0, 0.0), pd_control_length(&c)) == PD_REPEAT) n++;
  assert_int_equal(n, 20); /* 2^-20 < 1e-6: the twentieth is the last to become shorter */
  check_near(pd_control_length(&c), 2e-6, 1e-15);
}

/* ---- fixed substeps ---- */

static void test_fixed(void **state)
{
  const double dt = 0.1;
  pd_substep_control c = control_of(dt, 0.0, limits_of(7, 0.0, 0.0));
  (void)state;
  while (pd_control_goes_on(&c)) {
    assert_true(pd_control_length(&c) == dt / 7);
    assert_int_equal(solve(&c, PD_OK, outcome(0.8, 0.0), dt / 7), PD_ACCEPT);
  }
  assert_int_equal(c.done, 7);
  assert_true(c.remaining == dt - 7 * (dt / 7));
  pd_control_begin(&c, dt, limits_of(7, 0.0, 0.0));
  assert_int_equal(solve(&c, PD_ENEWTON, outcome(1.0, 0.0), dt / 7), PD_GIVE_UP);
}

/* any number of them ends where the step does: rounding leaves nothing to be filled */
static void test_any_number_of_fixed(void **state)
{
  (void)state;
  for (int n = 1; n < 2000; n += n < 500 ? 1 : 97) {
    pd_substep_control c = control_of(0.37, 0.0, limits_of(n, 0.0, 0.0));
    while (pd_control_goes_on(&c)) solve(&c, PD_OK, outcome(1.0, 0.0), pd_control_length(&c));
    assert_int_equal(c.done, n);
  }
}

/* ---- neighbour list ---- */

static pd_substep_limits with_reach(int fixed, double reach)
{
  pd_substep_limits l = limits_of(fixed, 0.0, 0.0);
  l.reach = reach;
  return l;
}

static void test_list_is_renewed_before_it_is_left(void **state)
{
  pd_substep_control c = control_of(1.0, 0.25, with_reach(0, 1.0));
  (void)state;
  assert_false(pd_control_leaves_list(&c, 0.25)); /* nothing has moved: the list is new */
  assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.48), 0.25), PD_ACCEPT);
  check_near(c.moved, 0.48, 0.0);
  check_near(c.speed, 1.92, 1e-15);
  assert_false(pd_control_leaves_list(&c, 0.25)); /* 0.48 + 1.05 * 0.48 < 1 */
  assert_true(pd_control_leaves_list(&c, 0.26));
  pd_control_new_list(&c);
  assert_false(pd_control_leaves_list(&c, 0.75)); /* a new list is not made again */
}

static void test_list_left_unforeseen(void **state)
{
  pd_substep_control c = control_of(1.0, 0.25, with_reach(0, 1.0));
  (void)state;
  assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.4), 0.25), PD_ACCEPT);
  assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.61), 0.25), PD_RENEW_LIST);
  check_near(c.moved, 0.4, 0.0); /* the substep is not taken */
  check_near(c.remaining, 0.75, 0.0);
  pd_control_new_list(&c);
  assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.61), 0.25), PD_ACCEPT);
  assert_true(c.count.accepted == 2.0 && c.count.rejected == 0.0 && c.count.iterations == 9.0);
}

/* a substep that leaves a new list is made shorter, so that it fills nine tenths of it */
static void test_list_shortens(void **state)
{
  pd_substep_control c = control_of(1.0, 1.0, with_reach(0, 0.1));
  (void)state;
  assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.3), 1.0), PD_REPEAT);
  check_near(c.step, 0.3, 1e-15);
  check_near(pd_control_length(&c), 0.25, 1e-15);
  assert_true(c.count.rejected == 0.0);
  c = control_of(1.0, 0.0, with_reach(2, 0.1));
  assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.3), 0.5), PD_GIVE_UP);
  c = control_of(1.0, 1e-6, with_reach(0, 0.1));
  assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.3), 1e-6), PD_GIVE_UP);
}

/* nor is one solved that would leave a new list at the speed of the one before; it is told how far
 * the list would have to reach */
static void test_list_bounds_the_next(void **state)
{
  pd_substep_control c = control_of(1.0, 0.1, with_reach(0, 0.1));
  (void)state;
  while (pd_control_goes_on(&c)) {
    const double h = pd_control_length(&c);
    if (pd_control_leaves_list(&c, h)) pd_control_new_list(&c);
    check_near(pd_control_reach_for_step(&c), c.done >= 5 ? 0.8 : 0.0, 1e-14);
    assert_int_equal(solve(&c, PD_OK, outcome(1.5, 0.8 * h), h), PD_ACCEPT);
    assert_true(c.step <= 0.125);
  }
  c = control_of(1.0, 0.1, with_reach(0, 1.0));
  while (pd_control_goes_on(&c)) {
    const double h = pd_control_length(&c);
    assert_int_equal(solve(&c, PD_OK, outcome(1.0, 0.8 * h), h), PD_ACCEPT);
  }
  assert_true(c.done == 10 && pd_control_reach_for_step(&c) == 0.0);
}

/* ---- options ---- */

static void test_options(void **state)
{
  const pd_newton_options usual = pd_newton_defaults();
  pd_newton_options given = usual;
  (void)state;
  given.maxit = 17;
  given.tol = 1e-5;
  const pd_newton_options em = pd_control_options(&given, 0, -1.0, PD_EM, 0);
  assert_true(em.tol == 1e-10 && em.guard == 5e-7 && em.maxit == 17);
  const pd_newton_options newmark = pd_control_options(&given, 0, -1.0, PD_NEWMARK, 0);
  assert_true(newmark.tol == usual.tol && newmark.guard == usual.guard);
  assert_true(pd_control_options(&given, 1, -1.0, PD_EM, 0).tol == 1e-5);
  assert_true(pd_control_options(&given, 0, -1.0, PD_EULER, 0).guard == usual.guard);
  assert_true(pd_control_options(&given, 0, -1.0, PD_EM, 3).guard == 0.0);
  assert_true(pd_control_options(&given, 0, 2e-4, PD_EULER, 3).guard == 2e-4);
  assert_true(pd_control_options(&given, 0, 0.0, PD_EM, 0).guard == 0.0);
  assert_true(em.path == PD_EM_PATH);
  assert_true(pd_control_options(&given, 0, -1.0, PD_EM, 3).path == 0.0);
  given.path = 0.02;
  assert_true(pd_control_options(&given, 0, -1.0, PD_EM, 0).path == 0.02);
  assert_true(pd_control_options(&given, 0, -1.0, PD_EM, 3).path == 0.02);
}

/* ---- random outcomes against a reference ---- */

static double random_unit(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

/* as the words say it: the fewest equal parts of the rest that are no longer than wished, unless
 * they would be shorter than allowed */
static double plain_length(double rest, double wish, double least)
{
  int n = 1;
  while (rest / n > wish * (1.0 + 1e-9) && rest / (n + 1) >= least * (1.0 - 1e-9)) n++;
  return rest / n;
}

/* what happened in a series of random steps */
typedef struct regime {
  int accepted, repeated, renewed, foreseen, given_up, by_guard;
} regime;

/* one random outcome of a substep of length h: a failure, a guard's, or a motion */
static pd_status random_outcome(uint64_t *seed, double h, pd_substep *s)
{
  const double what = random_unit(seed);
  *s = outcome(0.8 + 0.7 * random_unit(seed), h * random_unit(seed) * 0.6);
  s->allowed = 1.0;
  s->excess = 1.0 + 30.0 * random_unit(seed);
  if (random_unit(seed) < 0.02) s->move = 3.0 * h; /* a jump */
  return what < 0.15 ? PD_ENEWTON : what < 0.25 ? PD_EENERGY : PD_OK;
}

/* what the reference knows */
typedef struct reference {
  double rest, wish, moved, failed;
  double least, longest, reach;
  int again;
} reference;

static double shorter(double h, pd_status status, const pd_substep *s, double reach)
{
  if (status == PD_EENERGY) return h * fmin(0.5, fmax(0.1, 0.8 / cbrt(s->excess)));
  return status ? 0.5 * h : h * 0.9 * reach / s->move;
}

/* the same by hand; what it wants is written into r */
static pd_verdict plain_judge(reference *r, pd_status status, const pd_substep *s, double h)
{
  if (!status && r->moved + s->move <= r->reach) {
    const double from = s->growth < 1.0 ? h : fmax(r->wish, h);
    r->wish = fmin(s->growth * from, r->longest);
    if (r->failed > 0.0) r->wish = fmin(r->wish, fmax(0.9 * r->failed, r->least));
    r->failed *= 1.03;
    if (0.9 * r->failed > r->longest) r->failed = 0.0;
    if (r->wish * s->move > r->reach * h) r->wish = fmax(0.9 * r->reach * h / s->move, r->least);
    r->again = 0;
    r->moved += s->move;
    r->rest -= h;
    return PD_ACCEPT;
  }
  if (!status && r->moved > 0.0) {
    r->again = 0;
    r->moved = 0.0;
    return PD_RENEW_LIST;
  }
  if (status && status != PD_EENERGY && !r->again) r->failed = h;
  r->again = status != PD_OK;
  r->wish = fmax(shorter(h, status, s, r->reach), r->least);
  return plain_length(r->rest, r->wish, r->least) < h * (1.0 - 1e-9) ? PD_REPEAT : PD_GIVE_UP;
}

/* One step; 0 if it was given up. */
static int random_step(pd_substep_control *c, reference *r, uint64_t *seed, regime *seen)
{
  double sum = 0.0;
  r->rest = c->dt;
  while (pd_control_goes_on(c)) {
    pd_substep s;
    const double h = pd_control_length(c);
    check_near(h, plain_length(r->rest, r->wish, r->least), 1e-9 * h);
    assert_true(h <= r->longest * (1.0 + 1e-9) && h >= r->least * (1.0 - 1e-6));
    if (pd_control_leaves_list(c, h)) {
      pd_control_new_list(c);
      r->moved = 0.0;
      seen->foreseen++;
    }
    const pd_status status = random_outcome(seed, h, &s);
    const double before = seen->by_guard;
    seen->by_guard += status == PD_EENERGY;
    check_near(c->count.rejected_by_guard, before, 0.0);
    const pd_verdict verdict = solve(c, status, s, h);
    assert_int_equal(verdict, plain_judge(r, status, &s, h));
    check_near(c->step, r->wish, 1e-12 * r->wish);
    if (verdict == PD_GIVE_UP) {
      seen->given_up++;
      return 0;
    }
    if (verdict == PD_RENEW_LIST) pd_control_new_list(c);
    if (verdict == PD_ACCEPT) sum += h;
    check_near(c->moved, r->moved, 0.0);
    assert_true(c->moved <= r->reach);
    seen->accepted += verdict == PD_ACCEPT;
    seen->repeated += verdict == PD_REPEAT;
    seen->renewed += verdict == PD_RENEW_LIST;
  }
  check_near(sum, c->dt, 1e-12 * c->dt);
  return 1;
}

static void test_random_outcomes(void **state)
{
  uint64_t seed = 20211;
  regime seen = {0, 0, 0, 0, 0, 0};
  (void)state;
  for (int series = 0; series < 300; series++) {
    const double dt = 0.1 + random_unit(&seed), least = dt * pow(10.0, -4.0 * random_unit(&seed));
    pd_substep_limits limits = limits_of(0, least, random_unit(&seed) < 0.5 ? 0.0 : 0.5 * dt);
    limits.shortest = fmin(least, 0.2 * dt);
    limits.reach = 0.3 * dt;
    pd_substep_control c = control_of(dt, 0.0, limits);
    reference r = {
        dt,           c.step, 0.0, 0.0, limits.shortest, limits.longest > 0.0 ? 0.5 * dt : dt,
        limits.reach, 0};
    c.count.rejected_by_guard = seen.by_guard;
    for (int step = 0; step < 30; step++) {
      if (step) pd_control_begin(&c, dt, limits);
      if (!random_step(&c, &r, &seed, &seen)) break;
    }
  }
  assert_true(seen.accepted > 1000 && seen.repeated > 100 && seen.renewed > 20 &&
              seen.foreseen > 100 && seen.given_up > 20 && seen.by_guard > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_even_filling),
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_longest_is_the_first_wish),
      cmocka_unit_test(test_longest_holds_at_once),
      cmocka_unit_test(test_wish_goes_on_over_steps),
      cmocka_unit_test(test_failure_halves),
      cmocka_unit_test(test_failed_length_is_avoided),
      cmocka_unit_test(test_reasons_are_counted),
      cmocka_unit_test(test_shortest),
      cmocka_unit_test(test_shortest_by_default),
      cmocka_unit_test(test_fixed),
      cmocka_unit_test(test_any_number_of_fixed),
      cmocka_unit_test(test_list_is_renewed_before_it_is_left),
      cmocka_unit_test(test_list_left_unforeseen),
      cmocka_unit_test(test_list_shortens),
      cmocka_unit_test(test_list_bounds_the_next),
      cmocka_unit_test(test_options),
      cmocka_unit_test(test_random_outcomes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
