/* SPDX-License-Identifier: MIT
 * Scratch memory of the pair functions. */
#ifndef PD_PAIR_WORK_H
#define PD_PAIR_WORK_H

#include "base/status.h"

typedef struct pd_pair_work pd_pair_work;

PD_BEGIN_DECLS

/* One per thread. Grows on demand, then stays. Errors: PD_ENOMEM. */
pd_status pd_pair_work_create(pd_pair_work **work);
void pd_pair_work_free(pd_pair_work *work);

PD_END_DECLS

#endif
