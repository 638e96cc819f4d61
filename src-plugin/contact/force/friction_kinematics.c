/* SPDX-License-Identifier: MIT
 * Kinematics of friction: what the matter at a friction point has done in the substep. */
#include "contact/force/friction_kinematics.h"

#include "base/rotation.h"

/* A body's share: u + p - Q^T p and v + w x p at the lever p; sign: +1 for A, -1 for B. */
static void add_body(const pd_pose *b, double sign, pd_vec3 p, pd_friction_kinematics *s)
{
  const pd_velocity *m = &b->velocity;
  s->y = pd_axpy(s->y, sign, pd_add(b->increment.u, pd_rotation_displacement(&b->increment, p)));
  s->v = pd_axpy(s->v, sign, pd_add(m->v, pd_cross(m->w, p)));
}

void pd_friction_motion(const pd_evaluation *pair, const pd_friction_point *point,
                        pd_friction_kinematics *s)
{
  s->y = s->v = pd_v(0.0, 0.0, 0.0);
  add_body(pair->a, 1.0, point->pa, s);
  add_body(pair->b, -1.0, pd_sub(point->pa, pair->r), s);
}

/* One body's own part of the derivative of cy y + cv v: the lever is that of the point less the
 * body's way, and (I - Q^T)(dx - u) + u = (I - Q^T) dx + Q^T u. */
static void add_body_gradient(const pd_pose *b, int side, pd_vec3 p, double cy, double cv,
                              pd_grad *g)
{
  const double sign = side ? -1.0 : 1.0;
  const pd_velocity *m = &b->velocity;
  const pd_mat3 back = pd_m_transpose(b->increment.dq), sp = pd_skew(p);
  pd_g_add_block(g, 6 * side, sign * cy, back);
  pd_g_add_block(g, 6 * side, -sign * cv, pd_skew(m->w));
  for (int i = 0; i < 3; i++) g->m[i][6 * side + i] += sign * cv * m->dv;
  if (cy != 0.0) pd_g_add_block(g, 6 * side + 3, -sign * cy, pd_m_mul(back, sp));
  if (cv != 0.0) pd_g_add_block(g, 6 * side + 3, -sign * cv, pd_m_mul(sp, m->dw));
}

void pd_friction_motion_gradient(const pd_evaluation *pair, const pd_friction_point *point,
                                 double cy, double cv, pd_grad *g)
{
  const pd_pose *a = pair->a, *b = pair->b;
  const pd_mat3 turned =
      pd_m_transpose(pd_m_add(b->increment.dq, pd_m_scale(-1.0, a->increment.dq)));
  const pd_mat3 spin = pd_skew(pd_sub(a->velocity.w, b->velocity.w));
  pd_g_mul(g, pd_m_add(pd_m_scale(cy, turned), pd_m_scale(cv, spin)), &point->dx);
  add_body_gradient(a, 0, point->pa, cy, cv, g);
  add_body_gradient(b, 1, pd_sub(point->pa, pair->r), cy, cv, g);
}

/* x has been turned by Q_c: what that adds to its derivative, spin[i] being that of the turn by the
 * spin of body i */
static void add_turn_gradient(const pd_mat3 *spin, pd_vec3 x, pd_grad *dx)
{
  for (int i = 0; i < 2; i++) pd_g_add_block(dx, 6 * i + 3, -1.0, pd_m_mul(pd_skew(x), spin[i]));
}

/* Q_c of eq. (44) turns with the mean of the two bodies. */
void pd_friction_turn(const pd_evaluation *pair, pd_vec3 gt, double rate, pd_friction_kinematics *s)
{
  const pd_increment *a = &pair->a->increment, *b = &pair->b->increment;
  const pd_vec3 mean = pd_scale(0.5, pd_add(a->alpha, b->alpha));
  const pd_mat3 q = pd_rodrigues(mean);
  const pd_vec3 way = pd_mv(q, s->y), memory = pd_mv(q, gt);
  s->y = pd_add(way, memory);
  if (rate > 0.0) s->v = pd_scale(rate, way);
  if (!pair->tangent) return;
  const pd_mat3 half = pd_m_scale(0.5, pd_xi(mean));
  const pd_mat3 spin[2] = {pd_m_mul(half, a->inv), pd_m_mul(half, b->inv)};
  pd_grad dway;
  pd_g_mul(&dway, q, &s->dy);
  add_turn_gradient(spin, way, &dway);
  if (rate > 0.0) {
    s->dv = pd_g_zero();
    pd_g_axpy(&s->dv, rate, &dway);
  }
  s->dy = dway;
  add_turn_gradient(spin, memory, &s->dy);
}
