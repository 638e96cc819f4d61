/* SPDX-License-Identifier: MIT
 * Mollifier of an edge pair: m = X (2 - X) for X = sin^2 angle / sin^2 theta0 < 1, else 1, with
 * sin theta0 = min(0.3, 0.8 gbar / shorter edge): edges that cross in their middles at twice the
 * angle gbar / edge have their ends out of reach, and the closer the gap is to gbar the sooner. Of
 * rounded edges, whose cores are r apart where they touch, the ends are out of reach where they are
 * sqrt((r + gbar)^2 - r^2) aside: that takes the place of gbar. A
 * wider mollifier takes the crossing away where no end is there to bear, and the energy falls below
 * that of the distance alone (to 0.14 of it with 5 gbar / edge). */
#include "contact/set/mollifier.h"

#include "base/numbers.h"

pd_mollifier pd_mollify(const pd_evaluation *pair, pd_vec3 u, pd_vec3 v, double weight)
{
  pd_mollifier o = {weight, 0.0, 0.0, u, v, pair->scheme->edge_levers(pair, u, v)};
  const double gbar = pair->law->gbar;
  const double uu = pd_norm2(u), vv = pd_norm2(v), p = pd_dot(u, v);
  /* how far apart along an edge that bears its ends may be seen from the other side */
  const double aside = sqrt(gbar * (gbar + 2.0 * pair->rounds));
  const double sin0 = fmin(PD_MOLLIFIER_SINE, PD_MOLLIFIER_WIDTH * aside / sqrt(fmin(uu, vv)));
  const double s = uu * vv * sin0 * sin0, x = pd_norm2(pd_cross(u, v)) / s;
  if (x >= 1.0) return o;
  const double dx = -2.0 * p / s, ddx = -2.0 / s;
  o.m = weight * (x * (2.0 - x));
  o.dm = weight * ((2.0 - 2.0 * x) * dx);
  o.ddm = weight * ((2.0 - 2.0 * x) * ddx - 2.0 * dx * dx);
  return o;
}

int pd_mollifier_is_idle(const pd_mollifier *o) { return o->dm == 0.0 && o->ddm == 0.0; }

static void add_torque(double *force, pd_vec3 on_a, pd_vec3 on_b)
{
  pd_v_store(force + 3, pd_add(pd_v_load(force + 3), on_a));
  pd_v_store(force + 9, pd_add(pd_v_load(force + 9), on_b));
}

/* the couple is -W m' u x v on A; in force with the scheme's levers */
void pd_mollify_sum(const pd_mollifier *o, pd_sample_sum *s)
{
  const pd_edge_levers *l = &o->levers;
  const double c = -s->energy * o->dm;
  const pd_vec3 torque = pd_scale(c, pd_cross(o->u, o->v));
  pd_sample_scale(s, o->m);
  add_torque(s->elastic, torque, pd_neg(torque));
  add_torque(s->force, pd_scale(c, pd_cross(l->a, o->v)), pd_scale(c, pd_cross(l->b, o->u)));
  s->state.ta = pd_m_add(s->state.ta, pd_m_scale(c, pd_outer(o->v, o->u)));
  s->state.tb = pd_m_add(s->state.tb, pd_m_scale(c, pd_outer(o->u, o->v)));
  s->energy *= o->m;
}

/* k_total = m k - m' G c^T - m' c_l G_el^T + W (m'' c_l c^T + m' dc_l/dq), c = dp/dq, and c_l the
 * same with the levers of the moments */
void pd_mollify_tangent(const pd_mollifier *o, pd_sample_sum *s, const pd_tangent *k,
                        const pd_tangent *total)
{
  const pd_edge_levers *l = &o->levers;
  double c[12] = {0.0}, cl[12] = {0.0};
  const pd_vec3 uv = pd_cross(o->u, o->v);
  pd_v_store(c + 3, uv);
  pd_v_store(c + 9, pd_neg(uv));
  pd_v_store(cl + 3, pd_cross(l->a, o->v));
  pd_v_store(cl + 9, pd_cross(l->b, o->u));
  const pd_mat3 su = pd_skew(o->u), sv = pd_skew(o->v);
  const double wm = s->energy * o->dm;
  pd_sample_add_tangent(s, o->m, o->dm, c, k, total);
  pd_k_rank1(total->force, -o->dm, cl, s->elastic);
  pd_k_rank1(total->force, s->energy * o->ddm, cl, c);
  pd_k_add_block(total->force, 3, 3, l->spin * wm, pd_m_mul(sv, su));
  pd_k_add_block(total->force, 3, 9, -wm, pd_m_mul(pd_skew(l->a), sv));
  pd_k_add_block(total->force, 9, 3, -wm, pd_m_mul(pd_skew(l->b), su));
  pd_k_add_block(total->force, 9, 9, l->spin * wm, pd_m_mul(su, sv));
}
