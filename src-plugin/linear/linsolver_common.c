/* SPDX-License-Identifier: MIT
 * What the front end and all backends use: memory, a status that all ranks agree on. */
#include <stdlib.h>

#include "linear/linsolver_impl.h"

void *pd_linsolver_alloc(size_t items, size_t size) { return calloc(items ? items : 1, size); }

pd_status pd_worst_of_ranks(MPI_Comm comm, pd_status mine)
{
  int size, worst = pd_severity(mine);
  MPI_Comm_size(comm, &size);
  if (size > 1) MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, comm);
  return pd_status_of_severity(worst);
}

pd_status pd_linsolver_agree(const pd_linsolver *s, pd_status mine)
{
  return pd_worst_of_ranks(s->comm, mine);
}
