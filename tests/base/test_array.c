/* SPDX-License-Identifier: MIT
 * Growable arrays: what is in them stays, they grow by twice, a failed request leaves them alone.
 */
#include "base/array.h"

#include <limits.h>

#include "check.h"

enum { ITEMS = 1000, FIRST = 16 };

typedef struct item {
  double value;
  int number;
} item;

/* ITEMS items one by one; fails as memory does */
static pd_status append_all(void *unused)
{
  item *list = NULL;
  int n = 0, cap = 0;
  pd_status status = PD_OK;
  (void)unused;
  while (n < ITEMS && !status) {
    const int before = cap;
    status = PD_ARRAY_RESERVE(list, cap, n + 1, FIRST);
    if (status) {
      assert_int_equal(cap, before);
      for (int i = 0; i < n; i++) assert_int_equal(list[i].number, i); /* still there */
      break;
    }
    const item next = {0.5 * n, n};
    list[n++] = next;
  }
  for (int i = 0; i < n; i++) assert_true(list[i].number == i && list[i].value == 0.5 * i);
  pd_free(list);
  return status;
}

static void test_append(void **state)
{
  (void)state;
  check_each_allocation(append_all, NULL);
}

/* first capacity, then twice: 1000 items from 16 take seven requests */
static void test_growth(void **state)
{
  (void)state;
  const pd_allocator counting = {check_allocate, check_reallocate, check_release};
  int *list = NULL, cap = 0;
  pd_set_allocator(&counting);
  check_memory.calls = 0;
  check_memory.fail_at = -1;
  for (int n = 1; n <= ITEMS; n++) check_ok(PD_ARRAY_RESERVE(list, cap, n, FIRST));
  assert_int_equal(check_memory.calls, 7);
  assert_int_equal(cap, 1024);
  check_ok(PD_ARRAY_RESERVE(list, cap, 5000, FIRST)); /* more than twice at once */
  assert_int_equal(cap, 5000);
  pd_free(list);
  pd_set_allocator(NULL);
}

/* sizes that do not fit into memory are refused, and not requested */
static void test_overflow(void **state)
{
  (void)state;
  const pd_allocator counting = {check_allocate, check_reallocate, check_release};
  double *list = NULL;
  int cap = 0;
  pd_set_allocator(&counting);
  check_memory.calls = 0;
  check_memory.fail_at = -1;
  check_status(pd_array_resize(&list, -1, sizeof *list), PD_ENOMEM);
  check_status(pd_array_resize(&list, INT_MAX, SIZE_MAX / 2), PD_ENOMEM);
  check_status(pd_array_grow(&list, &cap, 3, SIZE_MAX / 2, 1), PD_ENOMEM);
  assert_int_equal(check_memory.calls, 0);
  assert_true(list == NULL && cap == 0);
  pd_set_allocator(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_append),
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_overflow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
