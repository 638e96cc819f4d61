/* SPDX-License-Identifier: MIT
 * The tables of the energy-momentum scheme. */
#include "contact/energy_momentum/forces.h"

#include "contact/force/end_of_step.h"
#include "contact/force/friction.h"

static pd_normal_force term_with_state(const pd_evaluation *pair, const pd_gap *g, pd_law_value v,
                                       double w, pd_sample_sum *sum, const pd_tangent *k)
{
  pd_em_state_add_term(pair, g, v, w, &sum->state);
  return pd_end_of_step_term(pair, g, v, w, sum, k);
}

const pd_force_scheme pd_end_of_step_with_state_forces = {1, 0, term_with_state,
                                                          pd_friction_of_state};

const pd_force_scheme pd_energy_momentum_forces = {0, 1, pd_em_term, pd_em_defer_friction};
