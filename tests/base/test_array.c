/* SPDX-License-Identifier: MIT
 * Arrays that grow: what is in them stays, they grow by twice or by a quarter, a failed request
 * leaves them alone. */
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

/* ---- several arrays of one length ---- */

static pd_status grow_two(void *ctx)
{
  int *number = NULL;
  double *pair = NULL;
  size_t room = 0;
  const pd_array arrays[] = {PD_ARRAY(number), {&pair, 2 * sizeof *pair}};
  pd_status status = PD_OK;
  (void)ctx;
  for (int n = 1; n <= 100 && !status; n++) {
    const size_t before = room;
    status = pd_arrays_reserve(arrays, 2, &room, (size_t)n);
    if (status) {
      assert_true(room == before);
      break;
    }
    assert_true(room >= (size_t)n);
    number[n - 1] = n;
    pair[2 * n - 2] = pair[2 * n - 1] = 0.5 * n;
    for (int i = 0; i < n; i++) assert_true(number[i] == i + 1 && pair[2 * i + 1] == 0.5 * (i + 1));
  }
  pd_free(number);
  pd_free(pair);
  return status;
}

static void test_together(void **state)
{
  (void)state;
  check_each_allocation(grow_two, NULL);
  double *huge = NULL;
  size_t room = 0;
  const pd_array array = PD_ARRAY(huge);
  check_status(pd_arrays_reserve(&array, 1, &room, (size_t)-1 / 8), PD_ENOMEM);
  assert_true(room == 0 && !huge);
  check_ok(pd_arrays_reserve(&array, 1, &room, 100)); /* a sixteenth more, and eight */
  assert_int_equal(room, 114);
  pd_free(huge);
}

/* a sixteenth more than that is a small number again */
static void test_wrapped(void **state)
{
  (void)state;
  char *list = NULL;
  size_t room = 0;
  const pd_array array = PD_ARRAY(list);
  check_status(pd_arrays_reserve(&array, 1, &room, SIZE_MAX / 17 * 16 + 17), PD_ENOMEM);
  assert_true(room == 0 && !list);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_append),   cmocka_unit_test(test_growth),
      cmocka_unit_test(test_overflow), cmocka_unit_test(test_together),
      cmocka_unit_test(test_wrapped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
