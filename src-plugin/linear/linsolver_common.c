/* SPDX-License-Identifier: MIT
 * What the front end and all backends use: memory, a status that all ranks agree on. */
#include <stdlib.h>

#include "linear/linsolver_impl.h"

void *pd_linsolver_alloc(size_t items, size_t size) { return calloc(items ? items : 1, size); }

pd_status pd_linsolver_agree(const pd_linsolver *s, pd_status mine)
{
  int in = mine, out = mine;
  if (s->size > 1) MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_MAX, s->comm);
  return (pd_status)out;
}
