/* SPDX-License-Identifier: MIT
 * Friction of a sample: force, moments and tangent, memory. The law is in law/friction.h. */
#ifndef PD_SAMPLE_FRICTION_H
#define PD_SAMPLE_FRICTION_H

#include "contact/force/friction_point.h"
#include "contact/force/sample.h"

PD_BEGIN_DECLS

/* Friction of a sample whose normal forces are summed up, as the scheme has it; nothing without
 * memory or normal force. Errors: PD_ENOMEM. */
pd_status pd_sample_friction(const pd_evaluation *pair, pd_friction_point *point,
                             pd_sample_sum *sum);

/* Friction at the end of the step, into sum and the result: add_friction of pd_force_scheme. */
pd_status pd_friction_at_end(const pd_evaluation *pair, const pd_friction_point *point,
                             pd_sample_sum *sum);

/* The same with the velocity that the dashpot remembers: the velocities that an implicit step ends
 * with are mean ones where bodies rest, those of what moves them may be others, and the dashpot
 * would make forces of the difference. A contact without memory has the present velocities. */
pd_status pd_friction_of_state(const pd_evaluation *pair, const pd_friction_point *point,
                               pd_sample_sum *sum);

/* The same with the displacement over the length of the step for the velocity: sides that turn
 * together do not slip, however long the step. */
pd_status pd_friction_of_step(const pd_evaluation *pair, const pd_friction_point *point,
                              pd_sample_sum *sum);

/* ---- parts ---- */

/* the force f on A and -f on B with their levers, generalised */
void pd_friction_generalise(pd_vec3 f, const pd_vec3 *lever, double *force);

/* What the normal and Coulomb's bound add to the derivative df of the force; dr: derivative of the
 * resultant of the normal forces. */
void pd_friction_add_normal_gradient(const pd_friction_kinematics *s, const pd_friction_slopes *by,
                                     const pd_grad *dr, const double *dbound, pd_grad *df);

/* Minus the derivatives of the force, df, and of its moment with a constant lever on a side, into
 * its rows of k. */
void pd_friction_add_rows(int side, pd_vec3 lever, const pd_grad *df, double (*k)[12]);

PD_END_DECLS

#endif
