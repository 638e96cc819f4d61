/* SPDX-License-Identifier: MIT
 * Kinematics of friction: what the matter at a friction point has done in the substep. */
#include "contact/force/friction_kinematics.h"

#include "base/rotation.h"

pd_friction_side pd_side_of_friction(const pd_evaluation *pair, const pd_friction_point *point,
                                     int side, pd_vec3 old)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  const pd_vec3 lever = side ? pd_sub(point->pa, pair->r) : point->pa;
  pd_friction_side s = {lever, lever, zero, zero, 0.0, 0.0};
  const double way = side ? pair->round[1] : -pair->round[0];
  if (way == 0.0) return s;
  const int met = pd_norm2(old) > 0.0;
  s.off = pd_scale(way, point->n);
  s.off0 = met ? pd_scale(way, old) : s.off;
  s.doff = way;
  s.doff0 = met ? 0.0 : way;
  s.core = pd_sub(lever, s.off);
  return s;
}

void pd_side_add_roll_gradient(const pd_friction_side *s, const pd_increment *t, double c,
                               const pd_grad *dn, int col, pd_grad *g)
{
  if (s->doff == 0.0) return;
  const pd_mat3 both = pd_skew(pd_add(s->off0, s->off));
  pd_grad turned;
  pd_g_mul(&turned, pd_skew(t->alpha), dn);
  pd_g_axpy(g, 0.5 * c * (s->doff0 + s->doff), &turned);
  pd_g_add_block(g, col, -0.5 * c, pd_m_mul(both, pd_xi_inverse(t->alpha)));
}

/* A body's share: u + p - Q^T p and v + w x p at the lever p; sign: +1 for A, -1 for B. */
static void add_body(const pd_pose *b, double sign, const pd_friction_side *side,
                     pd_friction_kinematics *s)
{
  const pd_velocity *m = &b->velocity;
  s->y = pd_axpy(s->y, sign, pd_add(b->increment.u, pd_side_displacement(side, &b->increment)));
  s->v = pd_axpy(s->v, sign, pd_add(m->v, pd_cross(m->w, side->lever)));
}

void pd_friction_motion(const pd_evaluation *pair, const pd_friction_side *side,
                        pd_friction_kinematics *s)
{
  s->y = s->v = pd_v(0.0, 0.0, 0.0);
  add_body(pair->a, 1.0, &side[0], s);
  add_body(pair->b, -1.0, &side[1], s);
}

/* One body's own part of the derivative of cy y + cv v: the lever is that of the point less the
 * body's way, and (I - Q^T)(dx - u) + u = (I - Q^T) dx + Q^T u; of a rounded side the core's point
 * goes by dx less the change of the rest. */
static void add_body_gradient(const pd_pose *b, int side, const pd_friction_side *at, double cy,
                              double cv, const pd_grad *dn, pd_grad *g)
{
  const double sign = side ? -1.0 : 1.0;
  const pd_velocity *m = &b->velocity;
  const pd_mat3 back = pd_m_transpose(b->increment.dq);
  pd_g_add_block(g, 6 * side, sign * cy, back);
  pd_g_add_block(g, 6 * side, -sign * cv, pd_skew(m->w));
  for (int i = 0; i < 3; i++) g->m[i][6 * side + i] += sign * cv * m->dv;
  if (cy != 0.0) pd_g_add_block(g, 6 * side + 3, -sign * cy, pd_m_mul(back, pd_skew(at->core)));
  if (cv != 0.0) pd_g_add_block(g, 6 * side + 3, -sign * cv, pd_m_mul(pd_skew(at->lever), m->dw));
  if (cy == 0.0 || at->doff == 0.0) return;
  pd_grad turned;
  pd_g_mul(&turned, back, dn);
  pd_g_axpy(g, -sign * cy * at->doff, dn);
  pd_g_axpy(g, sign * cy * at->doff, &turned);
  pd_side_add_roll_gradient(at, &b->increment, sign * cy, dn, 6 * side + 3, g);
}

void pd_friction_motion_gradient(const pd_evaluation *pair, const pd_friction_point *point,
                                 const pd_friction_side *side, double cy, double cv, pd_grad *g)
{
  const pd_pose *a = pair->a, *b = pair->b;
  const pd_mat3 turned =
      pd_m_transpose(pd_m_add(b->increment.dq, pd_m_scale(-1.0, a->increment.dq)));
  const pd_mat3 spin = pd_skew(pd_sub(a->velocity.w, b->velocity.w));
  pd_g_mul(g, pd_m_add(pd_m_scale(cy, turned), pd_m_scale(cv, spin)), &point->dx);
  add_body_gradient(a, 0, &side[0], cy, cv, &point->dn, g);
  add_body_gradient(b, 1, &side[1], cy, cv, &point->dn, g);
}

pd_friction_turn pd_friction_turn_of(const pd_evaluation *pair)
{
  const pd_increment *a = &pair->a->increment, *b = &pair->b->increment;
  const pd_vec3 mean = pd_scale(0.5, pd_add(a->alpha, b->alpha));
  pd_friction_turn turn;
  turn.q = pd_rodrigues(mean);
  if (!pair->tangent) return turn;
  const pd_mat3 half = pd_m_scale(0.5, pd_xi(mean));
  turn.spin[0] = pd_m_mul(half, pd_xi_inverse(a->alpha));
  turn.spin[1] = pd_m_mul(half, pd_xi_inverse(b->alpha));
  return turn;
}

void pd_friction_take_turn(const pd_friction_turn *turn, pd_vec3 gt, double rate,
                           pd_friction_kinematics *s)
{
  const pd_vec3 way = pd_mv(turn->q, s->y);
  s->y = pd_add(way, pd_mv(turn->q, gt));
  if (rate > 0.0) s->v = pd_scale(rate, way);
}

/* With a spin of Q_c, y and its rate turn as well: dx = -skew(x) spin. */
void pd_friction_gradient(const pd_friction_turn *turn, const pd_friction_kinematics *s,
                          double rate, const pd_friction_slopes *by, const pd_grad *dy,
                          const pd_grad *dv, pd_grad *df)
{
  pd_mat3 by_way = by->y, by_spin = pd_m_mul_skew(by->y, s->y);
  if (rate > 0.0) {
    by_way = pd_m_add(by_way, pd_m_scale(rate, by->v));
    by_spin = pd_m_add(by_spin, pd_m_mul_skew(by->v, s->v));
  }
  pd_g_mul(df, pd_m_mul(by_way, turn->q), dy);
  if (!(rate > 0.0)) pd_g_add_mul(df, by->v, dv);
  for (int i = 0; i < 2; i++) pd_g_add_block(df, 6 * i + 3, -1.0, pd_m_mul(by_spin, turn->spin[i]));
}
