/* SPDX-License-Identifier: MIT
 * Loops whose passes do not depend on each other, as a service of the surroundings: they may run
 * them on several threads. Without it they run here, in order. */
#ifndef PD_LOOPS_H
#define PD_LOOPS_H

#include "base/status.h"

/* passes begin to end - 1; thread: less than loops->threads, the same for no two calls at a time */
typedef void (*pd_loop_body)(void *arg, int begin, int end, int thread);

/* zero: one thread, this one */
typedef struct pd_loops {
  void *ctx;
  int threads; /* as many work areas the body has to have; 0 like 1 */
  /* runs n passes, chunk of them at a time, and returns when all have been run */
  void (*run)(const struct pd_loops *loops, int n, int chunk, pd_loop_body body, void *arg);
} pd_loops;

PD_KERNEL void pd_loop(const pd_loops *loops, int n, int chunk, pd_loop_body body, void *arg)
{
  if (n <= 0) return;
  if (loops->run && n > chunk)
    loops->run(loops, n, chunk, body, arg);
  else
    body(arg, 0, n, 0);
}

#endif
