/* SPDX-License-Identifier: MIT
 * Shared by the backends. */
#ifndef PD_PARALLEL_IMPL_H
#define PD_PARALLEL_IMPL_H

#include "parallel/parallel.h"

typedef struct pd_backend {
  const char *name;
  int (*most)(void);
  /* makes the backend ready for so many threads; nothing if it is ready. Errors: PD_EUSER. */
  pd_status (*start)(int threads);
  void (*run)(const pd_loops *loops, int n, int chunk, pd_loop_body body, void *arg);
} pd_backend;

PD_BEGIN_DECLS

/* Kokkos's host execution spaces, the default one first; NULL past the last */
const pd_backend *pd_kokkos_backend(int i);

PD_END_DECLS

#endif
