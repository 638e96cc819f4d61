/* SPDX-License-Identifier: MIT
 * Friction in the energy-momentum scheme (doc/theory.md, 10.1). */
#ifndef PD_EM_FRICTION_H
#define PD_EM_FRICTION_H

#include "contact/energy_momentum/discrete_gradient.h"
#include "contact/pair_work.h"
#include "contact/request.h"
#include "contact/result.h"

PD_BEGIN_DECLS

/* Friction of the pair that work has evaluated last with PD_ENERGY_MOMENTUM, under normal forces of
 * which both ends of the step have those weights. Adds to result's loss,
 * kloss, spring, scale2 and friction_ta; records go to the request's memory. Errors: PD_ENOMEM. */
pd_status pd_em_friction(const pd_pair_request *request, const pd_em_weights *weights,
                         pd_pair_work *work, pd_pair_result *result);

/* Forgets the friction deferred: for a pair that is not evaluated because it is far apart. */
void pd_em_forget_friction(pd_pair_work *work);

PD_END_DECLS

#endif
