/* SPDX-License-Identifier: MIT
 * Figures and statuses of several processes: two that are simulated, of which the other's figures
 * are given. */
#include <string.h>

#include "base/communication.h"
#include "base/memory.h"
#include "check.h"

/* what the other process puts into the next reduction */
typedef struct other {
  double x[4];
  int calls;
} other;

static void take_max(void *ctx, double *x, int n)
{
  other *o = (other *)ctx;
  o->calls++;
  for (int i = 0; i < n; i++) x[i] = fmax(x[i], o->x[i]);
}

/* ---- statuses ---- */

static void test_severity(void **state)
{
  (void)state;
  for (int i = 0; i <= (int)PD_EUSER; i++) {
    const pd_status s = (pd_status)i;
    assert_int_equal(pd_status_of_severity(pd_severity(s)), s);
    assert_int_equal(pd_worse(s, PD_OK), s);
    assert_int_equal(pd_worse(PD_OK, s), s);
    if (s != PD_ENOMEM) assert_true(pd_severity(PD_ENOMEM) > pd_severity(s));
    assert_int_equal(pd_worse(PD_ENOMEM, s), PD_ENOMEM);
  }
  assert_int_equal(pd_worse(PD_ENEWTON, PD_ESINGULAR), PD_ESINGULAR);
  assert_int_equal(pd_worse(PD_ESINGULAR, PD_ENEWTON), PD_ESINGULAR);
}

static void test_agree(void **state)
{
  other o = {{0.0}, 0};
  const pd_communication both = {&o, NULL, NULL, NULL, take_max}, alone = {0};
  (void)state;
  int flag = 0;
  o.x[0] = pd_severity(PD_ENOMEM);
  o.x[1] = 1.0;
  assert_int_equal(pd_agree(&both, PD_ESINGULAR, &flag), PD_ENOMEM);
  assert_int_equal(flag, 1);
  assert_int_equal(o.calls, 1);
  o.x[0] = o.x[1] = 0.0;
  flag = 7;
  assert_int_equal(pd_agree(&both, PD_ENAN, &flag), PD_ENAN);
  assert_int_equal(flag, 1);
  flag = 0;
  assert_int_equal(pd_agree(&both, PD_OK, &flag), PD_OK);
  assert_int_equal(flag, 0);
  assert_int_equal(pd_agree_status(&both, PD_EWALL), PD_EWALL);
  assert_int_equal(pd_agree_status(&alone, PD_EWALL), PD_EWALL);
  assert_false(pd_global_any(&both, 0));
  assert_true(pd_global_any(&both, 2));
  o.x[0] = 1.0;
  assert_true(pd_global_any(&both, 0));
}

/* ---- figures ---- */

static void test_extremes(void **state)
{
  /* as the other one sends them: minima negated */
  other o = {{5.0, -7.0, -1.0, -DBL_MAX}, 0};
  const pd_communication both = {&o, NULL, NULL, NULL, take_max}, alone = {0};
  double x[4] = {3.0, -2.0, 4.0, 0.5};
  (void)state;
  pd_global_extremes(&both, x, 2, 2);
  check_near(x[0], 5.0, 0.0);
  check_near(x[1], -2.0, 0.0);
  check_near(x[2], 1.0, 0.0);
  check_near(x[3], 0.5, 0.0);
  assert_int_equal(o.calls, 1);
  o.x[0] = -0.25;
  pd_global_min(&both, x, 1);
  check_near(x[0], 0.25, 0.0);
  pd_global_min(&alone, x, 4);
  check_near(x[0], 0.25, 0.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_severity),
      cmocka_unit_test(test_agree),
      cmocka_unit_test(test_extremes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
