/* SPDX-License-Identifier: MIT
 * A pair under evaluation: what its terms and samples need to know, and where their forces go. */
#ifndef PD_EVALUATION_H
#define PD_EVALUATION_H

#include "contact/pair_work.h"
#include "contact/request.h"
#include "contact/result.h"
#include "contact/search/near_list.h"

typedef struct pd_force_scheme pd_force_scheme;

typedef struct pd_evaluation {
  const pd_pose *a, *b;
  pd_vec3 r; /* from A's centre to B's */
  const pd_law *law;
  pd_contact_set set;
  const pd_force_scheme *scheme;
  double h; /* length of the step, within one of Euler's or the energy-momentum scheme */
  pd_em_request em;
  double reduced_mass; /* m_A m_B / (m_A + m_B) */
  double round[2];     /* radii of rounded sides */
  double rounds;       /* their sum */
  double reach2;       /* (gbar + rounds)^2: features no nearer than that do not act */
  pd_tangent_kind tangent;
  const pd_friction_memory *memory; /* NULL: no friction */
  const pd_feature_search *search;  /* what has been found */
  pd_pair_work *work;               /* for the friction that a scheme defers */
  pd_pair_result *result;
  pd_contact_list *contacts; /* NULL: no rows */
} pd_evaluation;

/* What the request says of it; the scheme, and what has been found, are the caller's to set. */
PD_KERNEL pd_evaluation pd_evaluation_of(const pd_pair_request *request, pd_pair_work *work,
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
  pair.scheme = NULL;
  pair.h = request->h;
  pair.em = request->em;
  pair.reduced_mass = pd_reduced_mass_of(at->a->mass, at->b->mass);
  pair.round[0] = pd_pose_round(at->a);
  pair.round[1] = pd_round_of_b(at);
  pair.rounds = pd_rounds(at);
  const double reach = law->gbar + pair.rounds;
  pair.reach2 = reach * reach;
  pair.tangent = request->tangent;
  pair.memory = law->t.eps_t > 0.0 ? request->memory : NULL;
  pair.search = NULL;
  pair.work = work;
  pair.result = result;
  pair.contacts = request->contacts;
  return pair;
}

#endif
