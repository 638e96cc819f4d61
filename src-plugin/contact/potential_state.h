/* SPDX-License-Identifier: MIT
 * State of a pair's contact potential at one instant: what the energy-momentum scheme has to know
 * of the start of a step (doc/theory.md, 10.1), and what tells contacts at rest from impacts. */
#ifndef PD_POTENTIAL_STATE_H
#define PD_POTENTIAL_STATE_H

#include "base/vec3.h"

/* The part of a state of the samples that come or go, and do not just glide along. */
typedef struct pd_em_hit {
  double energy;
  pd_vec3 f, ma, mb; /* force on A, moments on A and on B of the opposite force */
} pd_em_hit;

typedef struct pd_em_state {
  int active;
  double energy;
  double gap;           /* the smallest */
  pd_vec3 f;            /* force on A */
  pd_mat3 ta, tb;       /* sums of (force on the body) (lever)^T over the points of A and of B */
  pd_mat3 force_fabric; /* sum of (force) n n^T: how much of the force bears in which direction */
  /* normal velocities: largest now, at the start of the step that ended here, largest change; and
   * the stiffness of the contact, force/length */
  double vn, vp, dv, stiff;
  pd_vec3 now,
      then; /* sums of (force) (velocity) now and at the start of the step that ended here */
  double speed2, normal2; /* sums of (force) (velocity)^2: whole velocities, normal ones */
  pd_em_hit hit;
} pd_em_state;

/* Sum of the magnitudes of all forces, by which the sums with velocities are weighted. */
PD_KERNEL double pd_em_state_weight(const pd_em_state *s) { return pd_m_trace(s->force_fabric); }

/* The force f n on A at the lever pa about A's centre, and against it on B at pb: where it acts,
 * and in which direction. */
PD_KERNEL void pd_em_state_add_levers(pd_em_state *s, double f, pd_vec3 n, pd_vec3 pa, pd_vec3 pb)
{
  s->ta = pd_m_add(s->ta, pd_m_scale(f, pd_outer(n, pa)));
  s->tb = pd_m_add(s->tb, pd_m_scale(-f, pd_outer(n, pb)));
  s->force_fabric = pd_m_add(s->force_fabric, pd_m_scale(f, pd_outer(n, n)));
}

#endif
