/* SPDX-License-Identifier: MIT
 * Components of a body's motion that are prescribed: they keep the velocity that they have at the
 * start of the substep, along axes of space or of the body, whatever forces act; or all of it but a
 * rotation about a fixed axis, a hinge. Their rows of the system hold that condition in place of
 * the balance of forces. */
#ifndef PD_CONSTRAINT_H
#define PD_CONSTRAINT_H

#include "dynamics/integrator.h"

typedef struct pd_constraint {
  int translation, rotation; /* held axes: sets of bits 1 << k */
  pd_mat3 axes;              /* their directions, columns, orthonormal, world */
  int follows;               /* the axes turn with the body */
  int hinged; /* the body turns about the third axis through a fixed point, rotation holds the other
                 two; translation is not looked at */
  pd_vec3 arm; /* from that point to the centre of mass, at the start of the substep */
} pd_constraint;

PD_KERNEL int pd_constraint_any(const pd_constraint *c)
{
  return c->translation || c->rotation || c->hinged;
}

PD_KERNEL pd_vec3 pd_constraint_axis(const pd_constraint *c, int k)
{
  return pd_v(c->axes.m[0][k], c->axes.m[1][k], c->axes.m[2][k]);
}

/* the part of x along the axes of a set */
PD_KERNEL pd_vec3 pd_constraint_held(const pd_constraint *c, int set, pd_vec3 x)
{
  pd_vec3 held = pd_v(0.0, 0.0, 0.0);
  for (int k = 0; k < 3; k++) {
    const pd_vec3 e = pd_constraint_axis(c, k);
    if (set & 1 << k) held = pd_axpy(held, pd_dot(e, x), e);
  }
  return held;
}

/* the part that is left */
PD_KERNEL pd_vec3 pd_constraint_free(const pd_constraint *c, int set, pd_vec3 x)
{
  return set ? pd_sub(x, pd_constraint_held(c, set, x)) : x;
}

/* axes of which the third is that of a hinge, a unit vector */
PD_KERNEL pd_mat3 pd_hinge_axes(pd_vec3 axis)
{
  const pd_vec3 side = fabs(axis.x) < 0.5 ? pd_v(1.0, 0.0, 0.0) : pd_v(0.0, 1.0, 0.0);
  const pd_vec3 first = pd_unit(pd_cross(side, axis)), second = pd_cross(axis, first);
  const pd_mat3 columns = {
      {{first.x, second.x, axis.x}, {first.y, second.y, axis.y}, {first.z, second.z, axis.z}}};
  return columns;
}

PD_KERNEL pd_vec3 pd_hinge_axis(const pd_constraint *c) { return pd_constraint_axis(c, 2); }

/* the arm of a hinge after the rotation Q(alpha) */
PD_KERNEL pd_vec3 pd_hinge_arm(const pd_constraint *c, pd_vec3 alpha)
{
  return pd_mv(pd_rodrigues(alpha), c->arm);
}

/* moment of inertia of a mass at the arm's end about the axis */
PD_KERNEL double pd_hinge_far_inertia(const pd_constraint *c, double mass)
{
  const double along = pd_dot(pd_hinge_axis(c), c->arm);
  return mass * fmax(0.0, pd_norm2(c->arm) - along * along);
}

/* that of a body about the axis */
PD_KERNEL double pd_hinge_inertia(const pd_constraint *c, const pd_inertia *inertia, pd_quat q)
{
  const pd_vec3 n = pd_mtv(pd_q_matrix(q), pd_hinge_axis(c)), j = inertia->j;
  return j.x * n.x * n.x + j.y * n.y * n.y + j.z * n.z * n.z +
         pd_hinge_far_inertia(c, inertia->mass);
}

PD_KERNEL pd_constraint pd_constraint_turned(const pd_constraint *c, pd_mat3 rotation)
{
  pd_constraint turned = *c;
  turned.axes = pd_m_mul(rotation, c->axes);
  return turned;
}

/* ---- guides: held translations whose axes turn with the body ---- */

PD_KERNEL int pd_is_guide(const pd_constraint *c)
{
  return c->follows && c->translation && !c->hinged;
}

/* the axis that is held alone, -1 if there are several */
PD_KERNEL int pd_guide_lone_axis(const pd_constraint *c)
{
  return c->translation == 1 ? 0 : c->translation == 2 ? 1 : c->translation == 4 ? 2 : -1;
}

/* By which the guide turns as the body does by alpha, a Rodrigues vector: it has no part in a
 * rotation about the only axis that is held, as that of a wheel. */
PD_KERNEL pd_vec3 pd_guide_turn(const pd_constraint *c, pd_vec3 alpha)
{
  const int k = pd_guide_lone_axis(c);
  if (k < 0) return alpha;
  const pd_vec3 e = pd_constraint_axis(c, k);
  return pd_swing(e, pd_mv(pd_rodrigues(alpha), e));
}

PD_KERNEL pd_mat3 pd_guide_turn_slope(const pd_constraint *c, pd_vec3 alpha)
{
  const int k = pd_guide_lone_axis(c);
  if (k < 0) return pd_m_identity();
  const pd_vec3 e = pd_constraint_axis(c, k), end = pd_mv(pd_rodrigues(alpha), e);
  const pd_mat3 by_spin = pd_m_mul(pd_swing_slope(e, end), pd_skew(pd_neg(end)));
  return pd_m_mul(by_spin, pd_xi(alpha));
}

/* Acceleration of the centre of mass, given that without what holds it: held components of the
 * velocity go round with a guide. */
PD_KERNEL pd_vec3 pd_constraint_acceleration(const pd_constraint *c, const pd_state *now,
                                             pd_vec3 acc)
{
  const pd_vec3 left = pd_constraint_free(c, c->translation, acc);
  if (!pd_is_guide(c)) return left;
  return pd_add(left, pd_constraint_held(c, c->translation, pd_cross(now->w, now->v)));
}

/* ---- a substep ---- */

/* Increments with what is prescribed for a substep of length h in place of their held parts. */
PD_KERNEL void pd_constraint_prescribe(const pd_constraint *c, const pd_state *start, double h,
                                       pd_vec3 *u, pd_vec3 *alpha)
{
  *alpha = pd_axpy(pd_constraint_free(c, c->rotation, *alpha), h,
                   pd_constraint_held(c, c->rotation, start->w));
  pd_constraint middle = *c;
  pd_vec3 v = start->v;
  if (pd_is_guide(c)) {
    const pd_mat3 turn = pd_rodrigues(pd_half_rotation(pd_guide_turn(c, *alpha)));
    middle = pd_constraint_turned(c, turn);
    v = pd_mv(turn, v);
  }
  *u = pd_axpy(pd_constraint_free(&middle, c->translation, *u), h,
               pd_constraint_held(&middle, c->translation, v));
  if (c->hinged) *u = pd_sub(pd_hinge_arm(c, *alpha), c->arm);
}

/* What is left of a change dw of the angular velocity of the free body: impulses along the held
 * axes take the parts along them away. */
PD_KERNEL pd_vec3 pd_constraint_left_of_turn(const pd_constraint *c, const pd_quat q,
                                             const pd_inertia *inertia, pd_vec3 dw)
{
  pd_vec3 axis[3], turn[3];
  double give[3]; /* turn: what one unit of impulse along axis does, give: that along it */
  int n = 0;
  if (c->rotation == 7) return pd_v(0.0, 0.0, 0.0);
  for (int k = 0; k < 3; k++) {
    if (!(c->rotation & 1 << k)) continue;
    axis[n] = pd_constraint_axis(c, k);
    turn[n] = pd_inertia_turned_by(q, inertia, axis[n]);
    for (int m = 0; m < n; m++)
      turn[n] = pd_axpy(turn[n], -pd_dot(axis[m], turn[n]) / give[m], turn[m]);
    give[n] = pd_dot(axis[n], turn[n]);
    dw = pd_axpy(dw, -pd_dot(axis[n], dw) / give[n], turn[n]);
    n++;
  }
  return dw;
}

/* Accelerations under a force and a moment, given those of the free body. */
PD_KERNEL void pd_constraint_accelerate(const pd_constraint *c, pd_state *start,
                                        const pd_inertia *inertia, pd_vec3 force, pd_vec3 moment)
{
  start->acc = pd_constraint_acceleration(c, start, start->acc);
  start->wdot = pd_constraint_left_of_turn(c, start->q, inertia, start->wdot);
  if (!c->hinged) return;
  const pd_vec3 n = pd_hinge_axis(c);
  const double about = pd_dot(n, pd_add(moment, pd_cross(c->arm, force)));
  start->wdot = pd_scale(about / pd_hinge_inertia(c, inertia, start->q), n);
  start->acc = pd_add(pd_cross(start->wdot, c->arm), pd_cross(start->w, start->v));
}

/* Change of the angular velocity by an angular impulse, beside that of what holds it. */
PD_KERNEL pd_vec3 pd_constraint_turned_by(const pd_constraint *c, const pd_quat q,
                                          const pd_inertia *inertia, pd_vec3 impulse)
{
  return pd_constraint_left_of_turn(c, q, inertia, pd_inertia_turned_by(q, inertia, impulse));
}

/* Changes of the accelerations by those of force and moment. */
PD_KERNEL void pd_constraint_respond(const pd_constraint *c, const pd_state *now,
                                     const pd_inertia *inertia, pd_vec3 df, pd_vec3 dm,
                                     pd_vec3 *dacc, pd_vec3 *dwdot)
{
  *dacc = pd_scale(1.0 / inertia->mass, pd_constraint_free(c, c->translation, df));
  *dwdot = pd_constraint_turned_by(c, now->q, inertia, dm);
  if (!c->hinged) return;
  const pd_vec3 n = pd_hinge_axis(c);
  const double about = pd_dot(n, pd_add(dm, pd_cross(c->arm, df)));
  *dwdot = pd_scale(about / pd_hinge_inertia(c, inertia, now->q), n);
  *dacc = pd_cross(*dwdot, c->arm);
}

/* Velocities that do not fit a hinge are dropped. */
PD_KERNEL void pd_constraint_fit_velocity(const pd_constraint *c, pd_state *start)
{
  const pd_vec3 n = pd_hinge_axis(c);
  if (!c->hinged) return;
  start->w = pd_scale(pd_dot(start->w, n), n);
  start->v = pd_cross(start->w, c->arm);
}

/* Impulses along the held axes, where they are at the end of a substep, bring the angular velocity
 * along them back to what is prescribed: what is left of the angular momentum stays what it is. */
PD_KERNEL void pd_constraint_end_rotation(const pd_constraint *c, const pd_constraint *at_end,
                                          const pd_scheme *s, const pd_state *start,
                                          const pd_inertia *inertia, pd_vec3 alpha, pd_state *end)
{
  /* one that is wholly held turns about itself */
  const pd_vec3 held =
      c->follows && c->rotation != 7 ? pd_mv(pd_rodrigues(alpha), start->w) : start->w;
  end->w = pd_add(held, pd_constraint_left_of_turn(at_end, end->q, inertia, pd_sub(end->w, held)));
  end->wdot = s->kind == PD_NEWMARK ? pd_constraint_left_of_turn(at_end, end->q, inertia, end->wdot)
                                    : pd_scale(1.0 / s->h, pd_sub(end->w, start->w));
}

/* Seen from a guide the velocity changes by the scheme's rule. */
PD_KERNEL void pd_guide_end(const pd_constraint *c, const pd_constraint *at_end, const pd_scheme *s,
                            const pd_state *start, pd_vec3 u, pd_vec3 alpha, pd_state *end)
{
  const double a = pd_scheme_a(s);
  const pd_vec3 turn = pd_guide_turn(c, alpha);
  const pd_vec3 v0 = pd_mv(pd_rodrigues(turn), start->v);
  if (s->kind != PD_NEWMARK)
    end->v = pd_axpy(pd_scale(1.0 / (a * s->h), pd_mv(pd_rodrigues(pd_half_rotation(turn)), u)),
                     -(1.0 - a) / a, v0);
  end->v = pd_add(pd_constraint_free(at_end, c->translation, end->v),
                  pd_constraint_held(at_end, c->translation, v0));
  end->acc = s->kind == PD_NEWMARK ? pd_constraint_acceleration(at_end, end, end->acc)
                                   : pd_scale(1.0 / s->h, pd_sub(end->v, start->v));
}

/* The state at the end of a substep as the constraint has it, given that by the scheme. */
PD_KERNEL pd_state pd_constraint_end(const pd_constraint *c, const pd_scheme *s,
                                     const pd_state *start, const pd_inertia *inertia, pd_vec3 u,
                                     pd_vec3 alpha, pd_state end)
{
  if (c->hinged) {
    const pd_vec3 arm = pd_hinge_arm(c, alpha);
    end.w = pd_add(pd_constraint_free(c, c->rotation, end.w),
                   pd_constraint_held(c, c->rotation, start->w));
    end.x = pd_add(start->x, pd_sub(arm, c->arm));
    end.v = pd_cross(end.w, arm);
    return end;
  }
  const pd_constraint at_end = c->follows ? pd_constraint_turned(c, pd_rodrigues(alpha)) : *c;
  if (c->rotation) pd_constraint_end_rotation(c, &at_end, s, start, inertia, alpha, &end);
  if (pd_is_guide(c)) pd_guide_end(c, &at_end, s, start, u, alpha, &end);
  return end;
}

/* as it is after the rotation Q(alpha) of the body */
PD_KERNEL void pd_constraint_advance(pd_constraint *c, pd_vec3 alpha)
{
  if (c->hinged) c->arm = pd_hinge_arm(c, alpha);
  if (c->follows) c->axes = pd_m_mul(pd_rodrigues(alpha), c->axes);
}

#endif
