/* SPDX-License-Identifier: MIT
 * What cmocka lacks: comparison of doubles, and an allocator that fails on demand. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"

/* |a - b| <= tol; a nan fails */
#define check_near(a, b, tol) check_near_at((a), (b), (tol), __FILE__, __LINE__)

static inline void check_near_at(double a, double b, double tol, const char *file, int line)
{
  if (fabs(a - b) <= tol) return;
  print_error("%.17g and %.17g differ by %.3g > %.3g\n", a, b, fabs(a - b), tol);
  _fail(file, line);
}

#define check_ok(status) assert_string_equal(pd_strerror(status), pd_strerror(PD_OK))
#define check_status(status, expected)                                                             \
  assert_string_equal(pd_strerror(status), pd_strerror(expected))

/* blocks handed out and not returned, requests so far, and the request (from 0) that fails */
static struct {
  long blocks, calls, fail_at;
} check_memory;

static inline int check_request_fails(void) { return check_memory.calls++ == check_memory.fail_at; }

static inline void *check_allocate(size_t size)
{
  void *p = check_request_fails() ? NULL : malloc(size);
  check_memory.blocks += p != NULL;
  return p;
}

static inline void *check_reallocate(void *block, size_t size)
{
  void *p = check_request_fails() ? NULL : realloc(block, size);
  check_memory.blocks += p && !block;
  return p;
}

static inline void check_release(void *block)
{
  check_memory.blocks--;
  free(block);
}

/* Runs an action, which must free all it makes, with its first request for memory failing, then
 * with its second and so on until it succeeds: it must report PD_ENOMEM and leak nothing. */
static inline void check_each_allocation(pd_status (*action)(void *), void *argument)
{
  const pd_allocator failing = {check_allocate, check_reallocate, check_release};
  pd_status status = PD_ENOMEM;
  long n = 0;
  pd_set_allocator(&failing);
  for (; status == PD_ENOMEM && n < 10000; n++) {
    check_memory.blocks = check_memory.calls = 0;
    check_memory.fail_at = n;
    status = action(argument);
    assert_int_equal(check_memory.blocks, 0);
  }
  pd_set_allocator(NULL);
  check_ok(status);
  assert_true(n > 1);
}

#endif
