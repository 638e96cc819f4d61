/* SPDX-License-Identifier: MIT
 * Kinematics of friction at a friction point, eqs. (43)-(46) with the changes of doc/theory.md, 8.
 */
#ifndef PD_FRICTION_KINEMATICS_H
#define PD_FRICTION_KINEMATICS_H

#include "contact/force/friction_point.h"

PD_BEGIN_DECLS

/* Displacement s->y of A against B over the substep, as it is at its start, and velocity s->v, both
 * of the matter that now is at the point. */
void pd_friction_motion(const pd_evaluation *pair, const pd_friction_point *point,
                        pd_friction_kinematics *s);

/* g: derivative of cy y + cv v of pd_friction_motion */
void pd_friction_motion_gradient(const pd_evaluation *pair, const pd_friction_point *point,
                                 double cy, double cv, pd_grad *g);

/* Turns the displacement s->y with the bodies and adds the tangential gap gt of the start, turned
 * as well; eq. (44). rate: 1 / length of the step if the displacement over it is the velocity s->v
 * of friction; 0 if that is there. */
void pd_friction_turn(const pd_evaluation *pair, pd_vec3 gt, double rate,
                      pd_friction_kinematics *s);

PD_END_DECLS

#endif
