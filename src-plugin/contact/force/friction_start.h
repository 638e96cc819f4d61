/* SPDX-License-Identifier: MIT
 * Friction of a sample as the substep starts: what it remembers, and its coefficient
 * (doc/theory.md, 8). */
#ifndef PD_FRICTION_START_H
#define PD_FRICTION_START_H

#include "contact/force/friction_point.h"
#include "contact/law/friction.h"

/* The law of a sample in a substep. A coefficient that falls with the speed is that of the speed at
 * the start wherever the fall times the impulse is more than inertia: there Coulomb's force has two
 * solutions, one that slides and one that nearly stops, and rounding would choose. */
typedef struct pd_friction_start {
  pd_friction_law law;
  double slope;    /* derivative of its coefficient by the speed at the start, 1/velocity; else 0 */
  double approach; /* at the start, velocity; with slope */
  int remembered;  /* the normal is the remembered one, not that of the present forces */
  pd_vec3 along;   /* unit vector of the speed; with slope */
} pd_friction_start;

PD_BEGIN_DECLS

/* In all of these within_step: the forces are those over a step of Euler's or the energy-momentum
 * scheme, not those of a state. */

/* What a sample remembers from the start of the substep, resultant being that of its normal forces.
 * One that begins has the state of its patch, or slides if it begins with a slide that friction
 * will not stop: else it would have the static coefficient, in impacts for all of them. */
pd_friction_history pd_friction_at_start(const pd_evaluation *pair, const pd_friction_point *point,
                                         pd_vec3 resultant, int within_step);

/* What a sample that had forces at the end of the last substep remembers within the next one: it
 * slides if the bodies go far faster past each other than it could have let them. */
pd_friction_history pd_friction_resumed(const pd_evaluation *pair, pd_vec3 lever,
                                        const pd_friction_history *old);

/* The law of a state is as it was given. old: what pd_friction_at_start or pd_friction_resumed
 * gave. */
pd_friction_start pd_friction_start_of(const pd_evaluation *pair, const pd_friction_point *point,
                                       const pd_friction_history *old, pd_vec3 resultant,
                                       int within_step);

/* What the coefficient adds to the derivative df of the force; s, by: of that force, dr: derivative
 * of the resultant of the normal forces, not looked at if the sample is remembered. */
void pd_friction_add_start_gradient(const pd_evaluation *pair, const pd_friction_point *point,
                                    const pd_friction_start *start, const pd_friction_kinematics *s,
                                    const pd_friction_slopes *by, const pd_grad *dr, pd_grad *df);

PD_END_DECLS

#endif
