/* SPDX-License-Identifier: MIT
 * Work areas of the threads and of the loops. */
#include "dynamics/workspace.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/numbers.h"

static void free_worker(pd_worker *w)
{
  pd_pair_work_free(w->work);
  pd_friction_records_free(&w->fresh);
}

void pd_workspace_free(pd_workspace *work)
{
  if (!work) return;
  void *owned[] = {work->worker,
                   work->evaluation.todo,
                   work->evaluation.to_evaluate,
                   work->evaluation.of,
                   work->evaluation.changes,
                   work->evaluation.changing,
                   work->limiter.goes,
                   work->limiter.reach,
                   work->limiter.near,
                   work->limiter.near_pair,
                   work->limiter.fraction,
                   work->choice.a,
                   work->choice.at_rest,
                   work->choice.rates,
                   work->choice.contact,
                   work->choice.support};
  for (int i = 0; i < work->nworker; i++) free_worker(&work->worker[i]);
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) pd_free(owned[i]);
  pd_free(work);
}

static pd_status add_worker(pd_workspace *work)
{
  const pd_worker zero = {0};
  pd_worker *w = &work->worker[work->nworker];
  *w = zero;
  const pd_status status = pd_pair_work_create(&w->work);
  if (!status) work->nworker++;
  return status;
}

pd_status pd_workspace_add_workers(pd_workspace *work, int n)
{
  pd_status status = PD_OK;
  if (n <= work->nworker) return PD_OK;
  if (PD_ARRAY_FIT(work->worker, n)) return PD_ENOMEM;
  while (work->nworker < n && !status) status = add_worker(work);
  return status;
}

void pd_workers_clear(pd_workspace *work)
{
  for (int t = 0; t < work->nworker; t++) work->worker[t].status = PD_OK;
}

pd_status pd_workers_status(const pd_workspace *work)
{
  pd_status status = PD_OK;
  for (int t = 0; t < work->nworker; t++) status = pd_worse(status, work->worker[t].status);
  return status;
}

/* what does not depend on the numbers of bodies and pairs */
static pd_status create_batch(pd_evaluation_work *w)
{
  w->of = (pd_pair_update *)pd_alloc_array(PD_EVALUATION_BATCH, sizeof *w->of);
  w->changes = (char *)pd_alloc_array(PD_EVALUATION_BATCH, 1);
  w->changing = (int *)pd_alloc_array(PD_EVALUATION_BATCH, sizeof *w->changing);
  return w->of && w->changes && w->changing ? PD_OK : PD_ENOMEM;
}

pd_status pd_workspace_create(pd_workspace **work)
{
  *work = (pd_workspace *)pd_malloc(sizeof **work);
  if (!*work) return PD_ENOMEM;
  memset(*work, 0, sizeof **work);
  pd_status status = create_batch(&(*work)->evaluation);
  if (!status) status = pd_workspace_add_workers(*work, 1);
  if (!status) return PD_OK;
  pd_workspace_free(*work);
  *work = NULL;
  return status;
}

pd_status pd_system_use_loops(pd_system *sys, pd_loops loops)
{
  const pd_status status =
      pd_workspace_add_workers(sys->work, loops.threads > 1 ? loops.threads : 1);
  if (!status) sys->loops = loops;
  return status;
}
