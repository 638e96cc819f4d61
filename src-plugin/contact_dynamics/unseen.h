/* SPDX-License-Identifier: MIT
 * Overlaps that are too deep for contact points to show. */
#ifndef PD_CD_UNSEEN_H
#define PD_CD_UNSEEN_H

#include "contact_dynamics/manifold.h"

PD_BEGIN_DECLS

/* Depth of a body A in a body or surface B that contacts within reach cannot part, 0 if there is
 * none: pd_pair_penetration, if it is more than reach. Of two convex bodies the way along a face
 * normal, also if it is a point of pd_cd_manifold alone that is missing. list: scratch memory.
 * Errors: PD_ENOMEM. */
pd_status pd_cd_unseen_depth(const pd_pair_geometry *at, double reach, pd_pair_work *work,
                             pd_cd_point_list *list, double *depth);

PD_END_DECLS

#endif
