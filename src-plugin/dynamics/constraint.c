/* SPDX-License-Identifier: MIT
 * Rows of bodies some components of whose motion are prescribed. What holds a body to them is the
 * held part of its residual: inertia less all other forces. */
#include "dynamics/system_internal.h"

/* What the inertia lacks, where impulses at the end of the substep hold a rotation. */
static pd_vec3 held_impulse(const pd_system *sys, const pd_body *b)
{
  const pd_scheme s = pd_body_scheme(sys, b);
  const pd_state end = pd_body_end(sys, b);
  const pd_vec3 wdot =
      s.kind == PD_NEWMARK
          ? pd_sub(end.wdot, pd_scheme_wdot(&s, &b->start, b->alpha, b->pose.increment.dq))
          : pd_scale(1.0 / s.h, pd_sub(end.w, pd_sub(b->pose.velocity.w, b->rest.lag_turn)));
  return pd_inertia_impulse(end.q, &b->inertia, wdot);
}

/* the held part of a residual makes room for the deviation from what is prescribed */
static void constrain_residual(pd_system *sys, pd_body *b, double *f, const double *stiffness)
{
  const pd_constraint *c = &b->constraint;
  const pd_vec3 force = pd_v_load(f), moment = pd_v_load(f + 3);
  const pd_vec3 hold = pd_constraint_held(c, c->translation, force),
                turn = pd_constraint_held(c, c->rotation, moment);
  const pd_vec3 u = pd_axpy(b->u, -sys->scheme.h, b->start.v),
                alpha = pd_axpy(b->alpha, -sys->scheme.h, b->start.w);
  pd_v_store(b->reaction, hold);
  pd_v_store(b->reaction + 3, c->rotation ? pd_add(turn, held_impulse(sys, b)) : turn);
  pd_v_store(f,
             pd_axpy(pd_sub(force, hold), stiffness[0], pd_constraint_held(c, c->translation, u)));
  pd_v_store(f + 3, pd_axpy(pd_sub(moment, turn), stiffness[1],
                            pd_constraint_held(c, c->rotation, alpha)));
}

/* what holds a body under the forces at the start of a step, which stay what they are: what its
 * accelerations lack */
static void hold_start(pd_body *b, const double *f)
{
  const pd_constraint *c = &b->constraint;
  const pd_vec3 force = pd_add(pd_v_load(f), b->external_force),
                moment = pd_add(pd_v_load(f + 3), b->external_torque),
                wdot = pd_inertia_spin_up(&b->start, &b->inertia, moment),
                left = pd_constraint_left_of_turn(c, b->start.q, &b->inertia, wdot);
  const pd_vec3 round = pd_constraint_acceleration(c, &b->start, pd_v(0.0, 0.0, 0.0));
  pd_v_store(b->reaction,
             pd_axpy(pd_neg(pd_constraint_held(c, c->translation, force)), b->inertia.mass, round));
  pd_v_store(b->reaction + 3, pd_inertia_impulse(b->start.q, &b->inertia, pd_sub(left, wdot)));
}

void pd_system_constrain(pd_system *sys, int i, pd_when when, int tangent)
{
  pd_body *b = &sys->body[i];
  double *f = sys->assembly.force + 6 * i;
  const pd_scheme s = pd_body_scheme(sys, b);
  const double spin = pd_inertia_mean(&b->inertia);
  const double stiff = pd_inertia_stiffness(&s, &b->inertia);
  const double stiffness[2] = {stiff, stiff * spin / b->inertia.mass};
  if (when == PD_AT_START) {
    hold_start(b, f);
  } else if (b->constraint.hinged) {
    pd_system_hinge(sys, i, stiffness, tangent);
  } else if (b->constraint.follows) {
    pd_system_turning_axes(sys, i, stiffness, tangent);
  } else {
    constrain_residual(sys, b, f, stiffness);
    if (tangent) pd_system_constrain_rows(sys, i, &b->constraint, &b->constraint, stiffness);
  }
}

/* what holds a body that the step does not move: the opposite of the forces of contacts and
 * loads on it */
void pd_system_find_reaction(pd_system *sys, int i, pd_when when)
{
  const double sign = when == PD_AT_START ? -1.0 : 1.0;
  for (int m = 0; m < 6; m++) sys->body[i].reaction[m] = sign * sys->assembly.force[6 * i + m];
}
