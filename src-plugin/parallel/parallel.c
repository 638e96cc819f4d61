/* SPDX-License-Identifier: MIT
 * Choice of the backend; the plain one. */
#include <string.h>

#include "parallel/parallel_impl.h"

static int one(void) { return 1; }

static pd_status nothing(int threads)
{
  (void)threads;
  return PD_OK;
}

static void run_plain(const pd_loops *loops, int n, int chunk, pd_loop_body body, void *arg)
{
  (void)loops;
  (void)chunk;
  body(arg, 0, n, 0);
}

static const pd_backend plain = {"plain", one, nothing, run_plain};

#ifndef PD_HAVE_KOKKOS
const pd_backend *pd_kokkos_backend(int i)
{
  (void)i;
  return NULL;
}
#endif

static const pd_backend *backend_at(int i) { return i == 0 ? &plain : pd_kokkos_backend(i - 1); }

static const pd_backend *find(const char *name)
{
  const pd_backend *b = pd_kokkos_backend(0);
  if (!strcmp(name, "auto")) return b ? b : &plain;
  for (int i = 0; (b = backend_at(i)) != NULL; i++)
    if (!strcmp(name, b->name)) return b;
  return NULL;
}

const char *pd_parallel_backend(int i)
{
  const pd_backend *b = backend_at(i);
  return b ? b->name : NULL;
}

const char *pd_parallel_name(const char *backend)
{
  const pd_backend *b = find(backend);
  return b ? b->name : NULL;
}

int pd_parallel_most(const char *backend)
{
  const pd_backend *b = find(backend);
  return b ? b->most() : 0;
}

pd_status pd_parallel_loops(const char *backend, int threads, pd_loops *loops)
{
  const pd_backend *b = threads == 1 && !strcmp(backend, "auto") ? &plain : find(backend);
  if (threads < 1) return PD_ERANGE;
  if (!b) return PD_EUSER;
  const pd_status status = b->start(threads);
  if (status) return status;
  if (threads > b->most()) return PD_EUSER;
  loops->ctx = NULL;
  loops->threads = threads;
  loops->run = b->run;
  return PD_OK;
}
