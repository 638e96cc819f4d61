/* SPDX-License-Identifier: MIT
 * Substeps of a heap on a plain pool of threads: the same bits as on one. tests/sanitize/thread
 * builds this program with the thread sanitizer, which knows all that a pool of POSIX threads does,
 * as it does not know OpenMP. */
#include "check.h"
#include "geometry/builtin.h"
#include "world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 4, BODIES = 12, STEPS = 50 };

/* ---- the pool: whoever is free takes the next passes ---- */

static struct {
  pthread_t thread[THREADS];
  pthread_mutex_t lock;
  pthread_cond_t start, end;
  int n, chunk;
  pd_loop_body body;
  void *arg;
  atomic_int next;
  int generation, busy, stop; /* under the lock */
  long loops;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .start = PTHREAD_COND_INITIALIZER,
          .end = PTHREAD_COND_INITIALIZER};

static void take_passes(int thread)
{
  for (;;) {
    const int begin = atomic_fetch_add(&pool.next, pool.chunk);
    if (begin >= pool.n) return;
    const int end = begin + pool.chunk < pool.n ? begin + pool.chunk : pool.n;
    pool.body(pool.arg, begin, end, thread);
  }
}

static void *help(void *number)
{
  for (int seen = 0;;) {
    pthread_mutex_lock(&pool.lock);
    while (pool.generation == seen && !pool.stop) pthread_cond_wait(&pool.start, &pool.lock);
    seen = pool.generation;
    const int stop = pool.stop;
    pthread_mutex_unlock(&pool.lock);
    if (stop) return NULL;
    take_passes(*(int *)number);
    pthread_mutex_lock(&pool.lock);
    if (--pool.busy == 0) pthread_cond_signal(&pool.end);
    pthread_mutex_unlock(&pool.lock);
  }
}

static void run_loop(const pd_loops *loops, int n, int chunk, pd_loop_body body, void *arg)
{
  (void)loops;
  pthread_mutex_lock(&pool.lock);
  pool.n = n;
  pool.chunk = chunk > 0 ? chunk : 1;
  pool.body = body;
  pool.arg = arg;
  atomic_store(&pool.next, 0);
  pool.busy = THREADS - 1;
  pool.generation++;
  pool.loops++;
  pthread_cond_broadcast(&pool.start);
  pthread_mutex_unlock(&pool.lock);
  take_passes(0);
  pthread_mutex_lock(&pool.lock);
  while (pool.busy) pthread_cond_wait(&pool.end, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}

static int number[THREADS];

static int start_pool(void **state)
{
  (void)state;
  for (int t = 1; t < THREADS; t++) {
    number[t] = t;
    if (pthread_create(&pool.thread[t], NULL, help, &number[t])) return 1;
  }
  return 0;
}

static int stop_pool(void **state)
{
  (void)state;
  pthread_mutex_lock(&pool.lock);
  pool.stop = 1;
  pthread_cond_broadcast(&pool.start);
  pthread_mutex_unlock(&pool.lock);
  for (int t = 1; t < THREADS; t++) pthread_join(pool.thread[t], NULL);
  return 0;
}

/* ---- the heap ---- */

static const pd_shape *tetrapod(sc_world *w)
{
  pd_mesh mesh;
  check_ok(pd_find_builtin("tetrapod")->make((double[]){0.08, 0.03, 0.6}, &mesh));
  return sc_add_shape(w, &mesh, 1);
}

/* cubes and tetrapods fall on each other, with friction; the states at the end */
static void run_heap(pd_scheme_kind scheme, int threads, pd_state *end)
{
  sc_world w;
  pd_law law = sc_block_law(0.5);
  law.t = (pd_friction_law){.mu_s = 0.5, .mu_d = 0.4, .eps_t = 1e5, .c_t = 10.0};
  check_ok(sc_world_create(&w, scheme, law));
  if (threads > 1) check_ok(pd_system_use_loops(&w.sys, (pd_loops){NULL, threads, run_loop}));
  const pd_shape *shape[2] = {sc_block_shape(&w), tetrapod(&w)};
  for (int n = 0; n < BODIES; n++) {
    const int x = n % 2, y = n / 2 % 2, z = n / 4;
    const pd_vec3 at = pd_v(0.19 * x + 0.02 * z, 0.19 * y - 0.01 * z, 0.1 + 0.18 * z);
    assert_int_equal(sc_add_body(&w, shape[n % 2], 1.0, at, sc_turn(pd_v(1, n % 3, 2), 0.7 * n)),
                     n);
  }
  assert_true(sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(&w));
  for (int n = 0; n < BODIES; n++)
    w.sys.body[n].start.v = pd_v(0.1 * (n % 3 - 1), 0.1 * (n % 2), -1.5);
  check_ok(sc_ready(&w));
  double most = 0.0;
  for (int i = 0; i < STEPS; i++) {
    check_ok(sc_advance(&w, 2e-3));
    most = fmax(most, w.last.ncontact);
  }
  printf("contacts = %g\n", most);
  assert_true(most >= 6.0);
  for (int n = 0; n < BODIES; n++) end[n] = w.sys.body[n].start;
  sc_world_free(&w);
}

static void test_same_bits(void **state)
{
  (void)state;
  static const pd_scheme_kind schemes[] = {PD_NEWMARK, PD_EULER, PD_EM};
  for (int k = 0; k < 3; k++) {
    pd_state one[BODIES], several[BODIES];
    run_heap(schemes[k], 1, one);
    run_heap(schemes[k], THREADS, several);
    assert_memory_equal(one, several, sizeof one);
  }
  printf("loops_on_threads = %ld\n", pool.loops);
  assert_true(pool.loops > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits)};
  return cmocka_run_group_tests(tests, start_pool, stop_pool);
}
