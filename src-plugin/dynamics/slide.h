/* SPDX-License-Identifier: MIT
 * Pairs without friction that slide by more than their activation distance in a step
 * (doc/theory.md, 10.1): their forces act in the directions in which they bear, and what of the
 * potential changes by the slide alone is done by a force along it. */
#ifndef PD_SLIDE_H
#define PD_SLIDE_H

#include "dynamics/system_internal.h"

/* Part in which the pair slides in this step, 0 to 1, from its state at the start. */
double pd_slide_of(const pd_system *sys, const pd_contact_pair *pair);

/* Part in which a pair that slides is borne, 0 to 1, and in no impact: its depth x has hardly
 * changed in the step before, and will not in this one. */
double pd_slide_borne(const pd_system *sys, const pd_contact_pair *pair, double x);

/* the change of the potential that no normal motion explains, and the force that does its work */
typedef struct pd_slide_work {
  double energy,
      denergy[12];       /* V_0 - V_1 less the drop by normal motion; derivative by (u, spin) */
  double along[12], way; /* direction of the force and the work of that, force x length^2 */
} pd_slide_work;

/* Of the pair's evaluation r over a step that began in the state start; nothing, if it does not
 * slide. */
pd_slide_work pd_slide_work_of(const pd_contact_pair *pair, const pd_em_motion *motion,
                               const pd_em_state *start, int tangent, const pd_pair_result *r);

/* Adds the force along the slide. Of its direction the tangent has only what the way changes. */
void pd_slide_add(const pd_slide_work *work, const pd_em_motion *motion, int tangent,
                  pd_em_result *force);

#endif
