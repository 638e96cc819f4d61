/* SPDX-License-Identifier: MIT
 * Forces of a sample in the energy-momentum scheme (doc/theory.md, 10.1): the scheme's tables, and
 * the functions that they are made of. */
#ifndef PD_EM_FORCES_H
#define PD_EM_FORCES_H

#include "contact/force/scheme.h"

/* PD_END_OF_STEP_WITH_STATE: forces at the end of the step, with the state of the potential */
extern const pd_force_scheme pd_end_of_step_with_state_forces;

/* PD_ENERGY_MOMENTUM: potential with mean levers, damping by increments, friction deferred */
extern const pd_force_scheme pd_energy_momentum_forces;

PD_BEGIN_DECLS

/* see pd_force_scheme */
pd_normal_force pd_em_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                           pd_sample_sum *sum, const pd_tangent *k);
pd_status pd_em_defer_friction(const pd_evaluation *pair, const pd_friction_point *point,
                               pd_sample_sum *sum);

/* Adds a term of weight w to the state of the potential. */
void pd_em_state_add_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                          pd_em_state *state);

PD_END_DECLS

#endif
