/* SPDX-License-Identifier: MIT
 * Forces at the end of the step: parts that other schemes use as well. */
#ifndef PD_END_OF_STEP_H
#define PD_END_OF_STEP_H

#include "contact/force/scheme.h"

PD_BEGIN_DECLS

/* member of pd_end_of_step_forces, see pd_force_scheme */
pd_normal_force pd_end_of_step_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v,
                                    double w, pd_sample_sum *sum, const pd_tangent *k);

PD_END_DECLS

#endif
