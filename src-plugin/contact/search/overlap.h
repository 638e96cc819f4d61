/* SPDX-License-Identifier: MIT
 * Overlap of two surfaces. */
#ifndef PD_OVERLAP_H
#define PD_OVERLAP_H

#include "contact/pair_work.h"
#include "contact/pose.h"

PD_BEGIN_DECLS

/* Whether the two surfaces cross or one body lies inside the other: for the check of initial
 * states. *depth: how far the deepest vertex or crossing edge lies inside; where none does (aligned
 * bodies, one within the other), the shortest way along a face normal that parts their hulls; 0 if
 * they do not overlap. Rounded bodies overlap by as much as their radii are more than the distance
 * of their cores, and if they touch. Errors: PD_ENOMEM. */
pd_status pd_pair_overlap(const pd_pair_geometry *pair, pd_pair_work *work, int *overlap,
                          double *depth);

/* Whether the two surfaces are at least the gap apart, and neither body lies inside the other: for
 * the choice of a place. Cheaper than overlap and distance where many places are tried.
 * Errors: PD_ENOMEM. */
pd_status pd_pair_clear(const pd_pair_geometry *pair, pd_pair_work *work, double gap, int *clear);

PD_END_DECLS

#endif
