/* SPDX-License-Identifier: MIT
 * The tables of the energy-momentum scheme. */
#include "contact/energy_momentum/forces.h"

#include "contact/energy_momentum/discrete_gradient.h"
#include "contact/force/end_of_step.h"
#include "contact/force/friction.h"

static pd_normal_force term_with_state(const pd_evaluation *pair, const pd_gap *g, pd_law_value v,
                                       double w, pd_sample_sum *sum, const pd_tangent *k)
{
  pd_em_state_add_term(pair, g, v, w, &sum->state);
  return pd_end_of_step_term(pair, g, v, w, sum, k);
}

/* (I + Q^T) s / 2 of an edge vector s at the end, which takes part in half of its body's spin */
static pd_edge_levers mean_edge_levers(const pd_evaluation *pair, pd_vec3 u, pd_vec3 v)
{
  pd_edge_levers levers;
  levers.a = pd_mv(pd_mean_lever(pd_m_transpose(pair->a->increment.dq)), u);
  levers.b = pd_mv(pd_mean_lever(pd_m_transpose(pair->b->increment.dq)), v);
  levers.spin = 0.5;
  return levers;
}

const pd_force_scheme pd_end_of_step_with_state_forces = {0, term_with_state, pd_true_edge_levers,
                                                          NULL, pd_friction_of_state};

const pd_force_scheme pd_energy_momentum_forces = {1, pd_em_term, mean_edge_levers,
                                                   pd_em_limit_damping, pd_em_defer_friction};
