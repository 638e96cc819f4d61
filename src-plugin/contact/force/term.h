/* SPDX-License-Identifier: MIT
 * One signed term of the contact set. */
#ifndef PD_TERM_H
#define PD_TERM_H

#include "contact/force/sample.h"

/* a face, an edge or a vertex by its n = 3, 2 or 1 vertices, positions about A's centre */
typedef struct pd_simplex {
  int n;
  const pd_vec3 *x;
} pd_simplex;

PD_BEGIN_DECLS

/* Adds the term of sub-features of A and B, of weight w: its local contact problem
 * (30)-(33), the law (49), (52), (53) and the force w N J^T n. k: tangents, or NULL. Errors:
 * PD_ETOUCH, PD_ENAN (a coordinate is not finite). */
pd_status pd_term_add(const pd_evaluation *pair, pd_simplex a, pd_simplex b, double w,
                      pd_sample_sum *sum, const pd_tangent *k);

PD_END_DECLS

#endif
