/* SPDX-License-Identifier: MIT
 * What the scratch memory of the pair functions holds. Each member is written by the function
 * named with it, and valid until that is called again. */
#ifndef PD_PAIR_WORK_INTERNAL_H
#define PD_PAIR_WORK_INTERNAL_H

#include "contact/energy_momentum/deferred.h"
#include "contact/search/near_list.h"
#include "contact/search/sweep.h"

struct pd_pair_work {
  pd_feature_search search;  /* pd_pair_search; candidates: overlap.c, pd_cd_manifold, too */
  pd_gap_changes sweep;      /* pd_pair_sweep, pd_plane_sweep */
  pd_deferred_list deferred; /* pd_pair_evaluate, pd_em_limit_pair_damping, emptied
                                by pd_em_forget_friction; read by pd_em_friction */
  char apart[128];           /* from what another thread writes */
};

#endif
