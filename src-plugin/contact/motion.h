/* SPDX-License-Identifier: MIT
 * Motion of one body as its contacts see it: velocity, and increment since the start of the
 * substep. */
#ifndef PD_MOTION_H
#define PD_MOTION_H

#include "base/vec3.h"

/* velocity of the centre of mass, angular velocity, world axes */
typedef struct pd_twist {
  pd_vec3 v, w;
} pd_twist;

/* velocity of a body and how it depends on the unknowns of the step */
typedef struct pd_velocity {
  pd_vec3 v, w; /* velocity of the centre of mass, angular velocity, world axes */
  double dv;    /* dv/du, 1/time; 0 for a body that is not moved by the step */
  pd_mat3 dw;   /* dw/dtheta, 1/time */
} pd_velocity;

PD_KERNEL pd_velocity pd_at_rest(void)
{
  pd_velocity m;
  m.v = m.w = pd_v(0.0, 0.0, 0.0);
  m.dv = 0.0;
  m.dw = pd_m_zero();
  return m;
}

PD_KERNEL pd_twist pd_twist_of(const pd_velocity *velocity)
{
  const pd_twist t = {velocity->v, velocity->w};
  return t;
}

/* how a body has moved since the start of the substep */
typedef struct pd_increment {
  pd_vec3 u, alpha; /* displacement, length; Rodrigues vector */
  pd_mat3 dq;       /* rotation Q(alpha) */
} pd_increment;

PD_KERNEL pd_increment pd_no_increment(void)
{
  pd_increment t;
  t.u = t.alpha = pd_v(0.0, 0.0, 0.0);
  t.dq = pd_m_identity();
  return t;
}

/* (I - Q^T) p of the lever p at the end, without the cancellation for small rotations */
PD_KERNEL pd_vec3 pd_rotation_displacement(const pd_increment *t, pd_vec3 p)
{
  const double c = 4.0 / (4.0 + pd_norm2(t->alpha));
  const pd_vec3 w = pd_cross(t->alpha, p);
  return pd_scale(c, pd_axpy(w, -0.5, pd_cross(t->alpha, w)));
}

#endif
