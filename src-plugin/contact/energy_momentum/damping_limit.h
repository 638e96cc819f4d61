/* SPDX-License-Identifier: MIT
 * Damping of a pair in the energy-momentum scheme never gives energy (doc/theory.md, 7.4). */
#ifndef PD_DAMPING_LIMIT_H
#define PD_DAMPING_LIMIT_H

#include "contact/energy_momentum/discrete_gradient.h"
#include "contact/pair_work.h"
#include "contact/result.h"

PD_BEGIN_DECLS

/* Balances the damping of the pair that work has evaluated last with PD_ENERGY_MOMENTUM over a step
 * of length h, and fades it where it takes little of what its samples take, to nothing where it
 * would give: result's loss and kloss, which hold no friction yet, and damping's part in the normal
 * forces of friction. */
void pd_em_limit_pair_damping(const pd_em_motion *motion, double h, int tangent, pd_pair_work *work,
                              pd_pair_result *result);

PD_END_DECLS

#endif
