/* SPDX-License-Identifier: MIT
 * Evaluation of a pair: search, contact set, forces of the mode. */
#include "contact/evaluate.h"

#include "contact/energy_momentum/forces.h"
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

static pd_evaluation evaluation_of(const pd_pair_request *request, pd_pair_work *work,
                                   pd_pair_result *result)
{
  const pd_pair_geometry *at = &request->at;
  const pd_law *law = request->law;
  pd_evaluation pair;
  pair.a = at->a;
  pair.b = at->b;
  pair.r = pd_centre_to_centre(at);
  pair.law = law;
  pair.set = request->set;
  pair.scheme = scheme_of(request->mode);
  pair.h = request->h;
  pair.bearing = request->bearing;
  pair.smooth = request->smooth;
  pair.slide = request->slide;
  pair.surplus = request->surplus;
  pair.reduced_mass = pd_reduced_mass_of(at->a->mass, at->b->mass);
  pair.round[0] = pd_pose_round(at->a);
  pair.rounds = pd_rounds(at);
  pair.round[1] = pd_round_of_b(at);
  const double reach = law->gbar + pair.rounds;
  pair.reach2 = reach * reach;
  pair.tangent = request->tangent;
  pair.memory = law->t.eps_t > 0.0 ? request->memory : NULL;
  pair.search = &work->search;
  pair.work = work;
  pair.result = result;
  pair.contacts = request->contacts;
  return pair;
}

pd_status pd_pair_evaluate(const pd_pair_request *request, pd_pair_work *work,
                           pd_pair_result *result)
{
  const pd_pair_geometry *at = &request->at;
  pd_near *near = request->set == PD_SET_CONTINUOUS ? request->near : NULL;
  pd_found found = PD_APART;
  pd_result_clear(result, request->tangent);
  work->deferred.n = 0;
  const pd_status status =
      at->plane ? pd_find_low_vertices(at, request->law->gbar, &work->search.candidates)
                : pd_pair_search(at, request->law->gbar, near, &work->search, &found);
  if (status || (!at->plane && found == PD_APART)) return status;
  const pd_evaluation pair = evaluation_of(request, work, result);
  return at->plane ? pd_set_evaluate_plane(&pair, at) : pd_set_evaluate(&pair, found);
}
