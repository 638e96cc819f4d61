/* SPDX-License-Identifier: MIT
 * Evaluation of a pair: search, contact set, forces of the mode. */
#include "contact/evaluate.h"

#include "contact/energy_momentum/forces.h"
#include "contact/energy_momentum/friction.h"
#include "contact/pair_work_internal.h"
#include "contact/set/set.h"

static const pd_force_scheme *scheme_of(pd_force_mode mode)
{
  switch (mode) {
  case PD_EULER_STATE:
    return &pd_euler_state_forces;
  case PD_EULER_STEP:
    return &pd_euler_step_forces;
  case PD_END_OF_STEP_WITH_STATE:
    return &pd_end_of_step_with_state_forces;
  case PD_ENERGY_MOMENTUM:
    return &pd_energy_momentum_forces;
  default:
    return &pd_end_of_step_forces;
  }
}

pd_status pd_pair_evaluate(const pd_pair_request *request, pd_pair_work *work,
                           pd_pair_result *result)
{
  const pd_pair_geometry *at = &request->at;
  pd_near *near = request->set == PD_SET_CONTINUOUS ? request->near : NULL;
  pd_found found = PD_APART;
  pd_result_clear(result, request->tangent);
  pd_em_forget_friction(work);
  const pd_status status =
      at->plane ? pd_find_low_vertices(at, request->law->gbar, &work->search.candidates)
                : pd_pair_search(at, request->law->gbar, near, &work->search, &found);
  if (status || (!at->plane && found == PD_APART)) return status;
  pd_evaluation pair = pd_evaluation_of(request, work, result);
  pair.scheme = scheme_of(request->mode);
  pair.search = &work->search;
  return at->plane ? pd_set_evaluate_plane(&pair, at) : pd_set_evaluate(&pair, found);
}
