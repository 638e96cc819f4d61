/* SPDX-License-Identifier: MIT
 * Islands that join: what the whole knows does not depend on the order of its bodies. */
#include "check.h"
#include "solve/islands.h"

/* of two islands of one body each, the first one with these figures */
static pd_island joined(int first, pd_island figures)
{
  pd_islands s = {0};
  check_ok(pd_islands_reset(&s, 2));
  pd_island *one = pd_island_of(&s, first);
  one->local = figures.local;
  one->shared = figures.shared;
  one->before = figures.before;
  one->max.age = figures.max.age;
  one->max.way = figures.max.way;
  assert_int_equal(pd_island_join(&s, 1, 0), 1);
  assert_int_equal(pd_island_join(&s, 0, 1), 0);
  const pd_island whole = *pd_island_of(&s, 1);
  pd_islands_free(&s);
  return whole;
}

static void test_order(void **state)
{
  pd_island figures = {0};
  (void)state;
  figures.local = 1;
  figures.shared = 3;
  figures.before = 7.0;
  figures.max.age = 5.0;
  figures.max.way = 0.25;
  for (int first = 0; first < 2; first++) {
    const pd_island whole = joined(first, figures);
    assert_int_equal(whole.local, 1);
    assert_int_equal(whole.shared, 3);
    assert_true(whole.before == 0.0 && whole.max.age == 5.0 && whole.max.way == 0.25);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
