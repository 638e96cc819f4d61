/* SPDX-License-Identifier: MIT
 * Loops over bodies and pairs on the threads of this process, for the core's table pd_loops.
 *
 * Backends: "plain" is C on one thread and always there; "serial", "openmp" and "threads" are the
 * host execution spaces of Kokkos, as far as the Kokkos that this was built with has them; "auto"
 * is "plain" for one thread, else Kokkos's default host space.
 *
 * Kokkos is one for the process: where the surroundings have started it, it is used as it is; else
 * it is started at first use, with the threads then asked for, and ended at the end of the process.
 */
#ifndef PD_PARALLEL_H
#define PD_PARALLEL_H

#include "base/loops.h"

PD_BEGIN_DECLS

/* Loops on the given number of threads by a backend. They are to be run by the thread that made
 * them first. Errors: PD_ERANGE threads < 1; PD_EUSER there is no such backend, or it has fewer
 * threads (pd_parallel_most). *loops is untouched on error. */
pd_status pd_parallel_loops(const char *backend, int threads, pd_loops *loops);

/* Most threads of a backend: 0 if there is no such backend; INT_MAX for one of Kokkos's that has
 * not been started yet. */
int pd_parallel_most(const char *backend);

/* The name behind "auto" for several threads; NULL if there is no such backend. */
const char *pd_parallel_name(const char *backend);

/* The i-th backend of this build, "plain" first; NULL past the last. */
const char *pd_parallel_backend(int i);

PD_END_DECLS

#endif
