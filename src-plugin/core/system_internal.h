/* SPDX-License-Identifier: MIT
 * Shared by the system_*.c files. */
#ifndef PD_SYSTEM_INTERNAL_H
#define PD_SYSTEM_INTERNAL_H

#include "pair_internal.h"
#include "system.h"

/* Makes the energy-momentum force of a link out of what the pair functions give for the end of the
 * step, which was evaluated last. Errors: PD_ENOMEM. */
pd_status pd_em_link(pd_system *sys, pd_link *l, int tangent, pd_pair_result *r);

#endif
