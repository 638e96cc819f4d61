/* SPDX-License-Identifier: MIT
 * What a scheme of time integration has of its own in the forces of a sample. The contact set and
 * the sums over its terms know a scheme by this table alone. */
#ifndef PD_FORCE_SCHEME_H
#define PD_FORCE_SCHEME_H

#include "contact/force/friction_point.h"
#include "contact/force/sample.h"
#include "contact/gap.h"

struct pd_force_scheme {
  /* dashpots have the velocities that a sample remembers, if it does */
  int of_state;
  /* damping has sums, tangents and a place in the result of its own */
  int damping_apart;
  /* One term of weight w whose gap g and elastic law v are known: forces, elastic forces and power
   * into sum, tangents into k unless it is NULL, and into sum->dresultant if friction is wanted.
   * Returns the normal force with damping. */
  pd_normal_force (*add_term)(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                              pd_sample_sum *sum, const pd_tangent *k);
  /* Friction of a sample that bears, into sum and the result. Errors: PD_ENOMEM. */
  pd_status (*add_friction)(const pd_evaluation *pair, const pd_friction_point *point,
                            pd_sample_sum *sum);
};

/* forces at the end of the step (force/end_of_step.c) */
extern const pd_force_scheme pd_end_of_step_forces;

/* the same with the friction of the state that Euler's scheme has reached */
extern const pd_force_scheme pd_euler_state_forces;

/* the same with the friction of a step of Euler's scheme */
extern const pd_force_scheme pd_euler_step_forces;

#endif
