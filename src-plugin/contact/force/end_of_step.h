/* SPDX-License-Identifier: MIT
 * Forces at the end of the step: parts that other schemes use as well. */
#ifndef PD_END_OF_STEP_H
#define PD_END_OF_STEP_H

#include "contact/force/scheme.h"

PD_BEGIN_DECLS

/* members of pd_end_of_step_forces, see pd_force_scheme */
pd_normal_force pd_end_of_step_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v,
                                    double w, pd_sample_sum *sum, const pd_tangent *k);
pd_edge_levers pd_true_edge_levers(const pd_evaluation *pair, pd_vec3 u, pd_vec3 v);

PD_END_DECLS

#endif
