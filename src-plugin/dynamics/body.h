/* SPDX-License-Identifier: MIT
 * One rigid body of a system. */
#ifndef PD_BODY_H
#define PD_BODY_H

#include "contact/pair.h"
#include "dynamics/constraint.h"
#include "dynamics/integrator.h"
#include "dynamics/rest.h"

/* one body, owned by this process or a ghost of another's */
typedef struct pd_body {
  /* who it is: set by the caller before pd_system_bind */
  const pd_shape *shape;
  pd_inertia inertia;
  long tag;
  int owned, mobile;        /* mobile: the step moves it */
  int prescribed;           /* not mobile, but its motion is prescribed */
  pd_constraint constraint; /* of a mobile body: components that are prescribed */
  int wall; /* it is this wall of the system, which has a degree of freedom: from 1; 0: it is none
             */
  long row; /* global block row of its unknowns, -1 if the step does not move it */
  /* at the start of the substep: set by the caller, advanced by pd_substep_commit */
  pd_state start;
  pd_vec3 external_force, external_torque; /* held over the step, loads not included */
  /* prescribed: (u, alpha) and velocities at the end of the substep; by pd_system_move_body */
  pd_vec3 prescribed_u, prescribed_alpha, prescribed_v, prescribed_w;
  /* by which a cell that deforms moves it besides, to the end of the substep and how fast: an image
   * with its lattice vector; by pd_system_carry_body */
  pd_vec3 carry, carry_velocity;
  int barely_moves; /* in contact, and all but at rest at the start of the substep; by pd_predict */
  double scheme_a;  /* of the energy-momentum scheme, for this step; set by pd_em_choose */
  pd_em_rest rest;
  /* where it is on trial: set by pd_system_set_pose */
  pd_vec3 u, alpha; /* unknowns of the step */
  pd_vec3 carried;  /* what there is of carry */
  pd_pose pose;
  pd_vec3 own_velocity; /* of its centre, without what is carried */
  pd_vec3 load_force,
      load_moment; /* force and moment of the loads; at the start of
                      the substep (pd_system_set_start_loads), then in the last evaluation */
  /* force and moment that hold it to what is prescribed, beside inertia if it is not mobile; of the
   * last evaluation, and at the start of the substep (pd_system_accept_forces) */
  double reaction[6], reaction_at_start[6];
} pd_body;

PD_KERNEL int pd_body_is_carried(const pd_body *b) { return pd_norm2(b->carry_velocity) > 0.0; }

/* The number by which messages know it: its tag, or minus that of the wall for which it stands. It
 * is the same on all processes, and exact as a double below 2^53. */
PD_KERNEL long pd_body_name(const pd_body *b) { return b->wall ? -(long)b->wall : b->tag; }

/* whether it is anywhere else at the end of a substep */
PD_KERNEL int pd_body_is_moving(const pd_body *b)
{
  return b->mobile || b->prescribed || pd_body_is_carried(b);
}

/* the mass that the damping of contacts sees: a body that is wholly held is as heavy as can be */
PD_KERNEL double pd_body_mass_felt(const pd_body *b)
{
  const pd_constraint *c = &b->constraint;
  const int held = !c->hinged && c->translation == 7 && c->rotation == 7;
  return b->mobile && !held ? b->inertia.mass : INFINITY;
}

/* Sets what is prescribed to a body, and the mass that contacts see by it. pd_system_bind does the
 * latter as well; this is for constraints that change after it. */
PD_KERNEL void pd_body_constrain(pd_body *b, pd_constraint c)
{
  b->constraint = c;
  b->pose.mass = pd_body_mass_felt(b);
}

/* at (u, alpha), as the scheme sees it: without what is carried */
PD_KERNEL pd_kinematics pd_body_kinematics(const pd_body *b)
{
  pd_kinematics k = {b->pose.increment.dq, b->pose.rot, pd_xi(b->alpha),
                     pd_xi_inverse(b->pose.increment.alpha), b->pose.velocity};
  k.velocity.v = b->own_velocity;
  return k;
}

/* acceleration that its loads would give to a mobile body: none along what is held */
PD_KERNEL pd_vec3 pd_body_falls(const pd_body *b)
{
  const pd_constraint *c = &b->constraint;
  const pd_vec3 load = pd_add(b->external_force, b->load_force);
  return pd_scale(1.0 / b->inertia.mass,
                  c->hinged ? load : pd_constraint_free(c, c->translation, load));
}

/* as contacts see it: displacement and place of its centre on trial, its velocity at the start */
PD_KERNEL pd_vec3 pd_body_displacement(const pd_body *b) { return pd_add(b->u, b->carried); }
PD_KERNEL pd_vec3 pd_body_at(const pd_body *b)
{
  return pd_add(b->start.x, pd_body_displacement(b));
}
PD_KERNEL pd_vec3 pd_body_velocity(const pd_body *b)
{
  return pd_add(b->start.v, b->carry_velocity);
}

/* the same, and the angular velocity, at the instant, where those at the start are mean ones */
PD_KERNEL pd_vec3 pd_body_velocity_now(const pd_body *b)
{
  return pd_axpy(pd_body_velocity(b), 0.5 * b->rest.mean_over, b->start.acc);
}
PD_KERNEL pd_vec3 pd_body_spin_now(const pd_body *b)
{
  return pd_axpy(b->start.w, 0.5 * b->rest.mean_over, b->start.wdot);
}

#endif
