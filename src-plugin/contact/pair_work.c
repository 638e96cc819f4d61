/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "contact/pair_work_internal.h"

pd_status pd_pair_work_create(pd_pair_work **work)
{
  const pd_pair_work zero = {0};
  *work = (pd_pair_work *)pd_malloc(sizeof(pd_pair_work));
  if (!*work) return PD_ENOMEM;
  **work = zero;
  return PD_OK;
}

void pd_pair_work_free(pd_pair_work *work)
{
  if (!work) return;
  pd_feature_search_free(&work->search);
  pd_free(work->sweep.change);
  pd_free(work->deferred.item);
  pd_free(work);
}
