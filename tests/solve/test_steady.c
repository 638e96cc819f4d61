/* SPDX-License-Identifier: MIT
 * Stepping costs no memory: once a stack of cubes has been stepped for a while, no more is asked
 * for. */
#include <stdlib.h>

#include "base/memory.h"
#include "check.h"
#include "world.h"

#define DT 5e-3

static long asked; /* for memory */

static void *count_malloc(size_t size) { return asked++, malloc(size); }

static void *count_realloc(void *block, size_t size) { return asked++, realloc(block, size); }

static void check_scheme(pd_scheme_kind scheme)
{
  sc_world w;
  check_ok(sc_world_create(&w, scheme, sc_block_law(0.7)));
  const pd_shape *cube = sc_block_shape(&w);
  for (int i = 0; i < 5; i++)
    sc_add_body(&w, cube, SC_BLOCK_MASS, pd_v(0, 0, 0.0505 + 0.1005 * i), pd_q(1, 0, 0, 0));
  assert_true(sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(&w));
  for (int i = 0; i < 100; i++) check_ok(sc_advance(&w, DT));
  const long before = asked, substeps = w.count.substeps;
  for (int i = 0; i < 100; i++) check_ok(sc_advance(&w, DT));
  print_message(
      "scheme %d: asked for memory %ld times in all, %ld times in the last %ld substeps\n",
      (int)scheme, asked, asked - before, w.count.substeps - substeps);
  assert_true(before > 0 && w.count.substeps - substeps >= 100);
  assert_int_equal(asked, before);
  sc_world_free(&w);
}

static void test_steady(void **state)
{
  const pd_allocator counting = {count_malloc, count_realloc, free};
  (void)state;
  pd_set_allocator(&counting);
  check_scheme(PD_EULER);
  check_scheme(PD_NEWMARK);
  check_scheme(PD_EM);
  pd_set_allocator(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_steady)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
