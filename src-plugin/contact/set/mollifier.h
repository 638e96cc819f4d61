/* SPDX-License-Identifier: MIT
 * Mollifier of an edge pair, m: 1 for edges that cross well, 0 for parallel ones, whose distance is
 * not smooth and whose ends do the work (doc/theory.md, 7.3). */
#ifndef PD_MOLLIFIER_H
#define PD_MOLLIFIER_H

#include "contact/force/scheme.h"

typedef struct pd_mollifier {
  double m, dm, ddm; /* and its derivatives by p = u . v */
  pd_vec3 u, v;      /* the edges of A and of B */
  pd_edge_levers levers;
} pd_mollifier;

/* u, v: edge vectors of A and of B; weight: what the pair counts, a factor of m */
pd_mollifier pd_mollify(const pd_evaluation *pair, pd_vec3 u, pd_vec3 v, double weight);

/* whether m is constant around the present angle */
int pd_mollifier_is_idle(const pd_mollifier *o);

/* The sample's sums times m, with the couple that m's own derivative makes. */
void pd_mollify_sum(const pd_mollifier *o, pd_sample_sum *sum);

/* The same for its tangents k, added to the tangents total; before pd_mollify_sum. */
void pd_mollify_tangent(const pd_mollifier *o, pd_sample_sum *sum, const pd_tangent *k,
                        const pd_tangent *total);

#endif
