/* SPDX-License-Identifier: MIT
 * The contact set: which sub-features of the two bodies act, and with which integer weight
 * (doc/theory.md, 7):
 *
 *   V_AB = sum_a U_a(B) + sum_b U_b(A) - sum_ab phi(|a - b|) + sum_eA,eB U_ee.
 *
 * U_a(B), a vertex against a surface: vertex_sample, weights. U_ee, edge against edge:
 * edge_bracket. The paper's set, which counts every solution once: literal. */
#ifndef PD_SET_H
#define PD_SET_H

#include "contact/force/evaluation.h"
#include "contact/search/near_list.h"

PD_BEGIN_DECLS

/* All samples of two bodies or of a body and a surface, from what the search has found in work.
 * Errors: PD_ENOMEM, PD_ETOUCH, PD_ENAN (a coordinate is not finite). */
pd_status pd_set_evaluate(const pd_evaluation *pair, pd_found found);

/* All samples of a body and the plane of the geometry. Errors: PD_ENOMEM, PD_ETOUCH (A touches
 * the plane or is beyond it), PD_ENAN. */
pd_status pd_set_evaluate_plane(const pd_evaluation *pair, const pd_pair_geometry *at);

/* One edge of A against one of B. Errors: PD_ENOMEM, PD_ETOUCH, PD_ENAN. */
pd_status pd_set_edge_pair(const pd_evaluation *pair, int ea, int eb);

PD_END_DECLS

#endif
