/* SPDX-License-Identifier: MIT
 * Work areas of the threads. */
#include "base/memory.h"
#include "dynamics/system_internal.h"

static void free_worker(pd_worker *w)
{
  pd_pair_work_free(w->work);
  pd_friction_records_free(&w->fresh);
  pd_free(w->lever[0]);
  pd_free(w->lever[1]);
}

void pd_system_free_workers(pd_system *sys)
{
  for (int i = 0; i < sys->nworker; i++) free_worker(&sys->worker[i]);
  pd_free(sys->worker);
  pd_free(sys->batch);
  pd_free(sys->found);
}

static pd_status add_worker(pd_system *sys)
{
  const pd_worker zero = {0};
  pd_worker *w = &sys->worker[sys->nworker];
  *w = zero;
  const pd_status status = pd_pair_work_create(&w->work);
  if (!status) sys->nworker++;
  return status;
}

/* Workers are added, never taken away: a system without any gets its buffer of pairs, too. */
pd_status pd_system_create_workers(pd_system *sys, int n)
{
  pd_status status = PD_OK;
  if (!sys->batch) sys->batch = (pd_pair_update *)pd_alloc_array(PD_BATCH, sizeof(pd_pair_update));
  if (!sys->found) sys->found = (int *)pd_alloc_array(PD_BATCH, sizeof(int));
  if (!sys->batch || !sys->found) return PD_ENOMEM;
  if (n <= sys->nworker) return PD_OK;
  pd_worker *p = (pd_worker *)pd_realloc(sys->worker, (size_t)n * sizeof(pd_worker));
  if (!p) return PD_ENOMEM;
  sys->worker = p;
  while (sys->nworker < n && !status) status = add_worker(sys);
  return status;
}

pd_status pd_system_use_loops(pd_system *sys, pd_loops loops)
{
  const pd_status status = pd_system_create_workers(sys, loops.threads > 1 ? loops.threads : 1);
  if (!status) sys->loops = loops;
  return status;
}
