/* SPDX-License-Identifier: MIT
 * Loops: every backend of this build runs every pass once, no two calls with the same thread number
 * at a time; threads that do not exist are refused. The backends of Kokkos are started here with
 * two threads. */
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "parallel/parallel.h"

enum { MOST = 8, PASSES = 10000 };

typedef struct tally {
  int threads;
  atomic_int runs[PASSES], busy[MOST], used[MOST], bad;
} tally;

static void count(void *arg, int begin, int end, int thread)
{
  tally *t = (tally *)arg;
  if (thread < 0 || thread >= t->threads || atomic_fetch_add(&t->busy[thread], 1) != 0) t->bad = 1;
  for (int i = begin; i < end; i++) atomic_fetch_add(&t->runs[i], 1);
  t->used[thread]++;
  atomic_fetch_sub(&t->busy[thread], 1);
}

static void check_loop(const pd_loops *loops, int n, int chunk)
{
  static tally t;
  memset(&t, 0, sizeof t);
  t.threads = loops->threads > 1 ? loops->threads : 1;
  pd_loop(loops, n, chunk, count, &t);
  assert_false(t.bad);
  for (int i = 0; i < PASSES; i++) assert_int_equal(t.runs[i], i < n);
}

static void check_loops(const pd_loops *loops)
{
  static const int n[] = {0, 1, 2, 3, 7, 8, 9, 100, PASSES}, chunk[] = {1, 3, 8, 20000};
  for (size_t i = 0; i < sizeof n / sizeof *n; i++)
    for (size_t k = 0; k < sizeof chunk / sizeof *chunk; k++) check_loop(loops, n[i], chunk[k]);
}

static int least(int a, int b) { return a < b ? a : b; }

static void test_every_pass_once(void **state)
{
  (void)state;
  const pd_loops none = {0};
  pd_loops loops;
  int backends = 0;
  check_loops(&none);
  for (const char *name; (name = pd_parallel_backend(backends)) != NULL; backends++) {
    check_ok(pd_parallel_loops(name, 1, &loops));
    for (int threads = 1; threads <= least(2, pd_parallel_most(name)); threads++) {
      check_ok(pd_parallel_loops(name, threads, &loops));
      assert_int_equal(loops.threads, threads);
      for (int k = 0; k < 3; k++) check_loops(&loops);
    }
  }
  print_message("backends = %d, auto = %s\n", backends, pd_parallel_name("auto"));
  assert_true(backends >= 1);
}

/* two threads that wait for each other get done only if both of them run */
typedef struct meeting {
  atomic_int here;
  int met;
} meeting;

static void meet(void *arg, int begin, int end, int thread)
{
  meeting *m = (meeting *)arg;
  (void)begin, (void)end, (void)thread;
  const time_t start = time(NULL);
  m->here++;
  while (m->here < 2 && time(NULL) - start < 20) continue;
  if (m->here == 2) m->met = 1;
}

static void test_threads_run_at_once(void **state)
{
  (void)state;
  pd_loops loops;
  meeting m = {0, 0};
  if (!pd_parallel_name("openmp")) skip();
  check_ok(pd_parallel_loops("openmp", 2, &loops));
  pd_loop(&loops, 2, 1, meet, &m);
  assert_true(m.met);
}

static void test_refused(void **state)
{
  (void)state;
  pd_loops loops = {&loops, 77, NULL};
  check_status(pd_parallel_loops("plain", 0, &loops), PD_ERANGE);
  check_status(pd_parallel_loops("plain", 2, &loops), PD_EUSER);
  check_status(pd_parallel_loops("magic", 1, &loops), PD_EUSER);
  assert_int_equal(pd_parallel_most("magic"), 0);
  assert_int_equal(pd_parallel_most("plain"), 1);
  assert_null(pd_parallel_name("magic"));
  for (int i = 0; pd_parallel_backend(i); i++) {
    const int most = pd_parallel_most(pd_parallel_backend(i));
    assert_true(most < INT_MAX);
    check_status(pd_parallel_loops(pd_parallel_backend(i), most + 1, &loops), PD_EUSER);
  }
  assert_int_equal(loops.threads, 77);
}

static void test_names(void **state)
{
  (void)state;
  assert_string_equal(pd_parallel_backend(0), "plain");
  const char *first = pd_parallel_backend(1);
  assert_string_equal(pd_parallel_name("auto"), first ? first : "plain");
}

/* two threads, unless the build has one only */
static int start(void **state)
{
  (void)state;
  pd_loops loops;
  if (pd_parallel_loops("auto", 2, &loops) == PD_OK) return 0;
  return pd_parallel_most("auto") == 1 ? 0 : 1;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_pass_once),
      cmocka_unit_test(test_threads_run_at_once),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_names),
  };
  return cmocka_run_group_tests(tests, start, NULL);
}
