/* SPDX-License-Identifier: MIT
 * Kinematics of friction at a friction point, eqs. (43)-(46) with the changes of doc/theory.md, 8.
 */
#ifndef PD_FRICTION_KINEMATICS_H
#define PD_FRICTION_KINEMATICS_H

#include "contact/force/friction_point.h"

PD_BEGIN_DECLS

/* A side at the friction point. The point is off the core of a rounded side by its radius along the
 * normal: the core goes with the body, the rest with the normal, so that bodies roll on each other
 * without slip. */
typedef struct pd_friction_side {
  pd_vec3 lever;      /* of the point */
  pd_vec3 core;       /* of the core's point */
  pd_vec3 off0, off;  /* from there to the point, at the start and the end of the substep */
  double doff0, doff; /* their derivatives by the normal at the end */
} pd_friction_side;

/* old: the normal at the start of the substep, zero if there was no contact: it is then that of the
 * end. */
pd_friction_side pd_side_of_friction(const pd_evaluation *pair, const pd_friction_point *point,
                                     int side, pd_vec3 old);

/* displacement of the matter at the point against the centre of mass over the substep */
PD_KERNEL pd_vec3 pd_side_displacement(const pd_friction_side *s, const pd_increment *t)
{
  const pd_vec3 roll = pd_scale(0.5, pd_cross(t->alpha, pd_add(s->off0, s->off)));
  return pd_add(pd_rotation_displacement(t, s->core), roll);
}

/* g += c times the derivative of the second term of that by the normal, of derivative dn, and by
 * the spin, whose columns begin at col */
void pd_side_add_roll_gradient(const pd_friction_side *s, const pd_increment *t, double c,
                               const pd_grad *dn, int col, pd_grad *g);

/* how a pair turns over the substep: Q_c of eq. (44), with the mean of the two bodies */
typedef struct pd_friction_turn {
  pd_mat3 q;
  pd_mat3 spin[2]; /* spin of Q_c by those of A and of B; only with a tangent */
} pd_friction_turn;

pd_friction_turn pd_friction_turn_of(const pd_evaluation *pair);

/* Displacement s->y of A against B over the substep, as it is at its start, and velocity s->v, both
 * of the matter that now is at the point; side: of A and of B. */
void pd_friction_motion(const pd_evaluation *pair, const pd_friction_side *side,
                        pd_friction_kinematics *s);

/* g: derivative of cy y + cv v of pd_friction_motion */
void pd_friction_motion_gradient(const pd_evaluation *pair, const pd_friction_point *point,
                                 const pd_friction_side *side, double cy, double cv, pd_grad *g);

/* Turns the displacement s->y with the bodies and adds the tangential gap gt of the start, turned
 * as well; eq. (44). rate: 1 / length of the step if the displacement over it is the velocity s->v
 * of friction; 0 if that is there. */
void pd_friction_take_turn(const pd_friction_turn *turn, pd_vec3 gt, double rate,
                           pd_friction_kinematics *s);

/* df: derivative of the force of the law by the kinematics but for the normal. dy: that of the
 * displacement before the turn; dv: that of the velocity, not looked at with a rate. */
void pd_friction_gradient(const pd_friction_turn *turn, const pd_friction_kinematics *s,
                          double rate, const pd_friction_slopes *by, const pd_grad *dy,
                          const pd_grad *dv, pd_grad *df);

PD_END_DECLS

#endif
