/* SPDX-License-Identifier: MIT
 * What the matter at a friction point does over a step of the energy-momentum scheme. */
#include "contact/energy_momentum/friction_way.h"

#include "base/numbers.h"
#include "base/rotation.h"

/* ---- the pair ---- */

/* part of the way that is h times the velocity at the end: the step does not resolve the spring or
 * the dashpot, with which the speed would fall by exp(-z) */
static double part_of_end(const pd_evaluation *pair)
{
  const pd_friction_law *law = &pair->law->t;
  const double h = pair->h, turning = PD_TURNING / pair->reduced_mass;
  const double x = h * sqrt(law->eps_t * turning) / PD_SPRING_UNRESOLVED;
  const double z = h * law->c_t * turning, y = x * x * x * x + z * z * z * z;
  return y < DBL_MAX ? y / (1.0 + y) : 1.0;
}

/* Time by which the way of the law is ahead, so that it is h times the velocity at the end for a
 * body with the smaller a of both; a wall has none of its own. */
static double time_ahead(const pd_evaluation *pair)
{
  const double a = pair->a->scheme_a, b = pair->b->scheme_a;
  return part_of_end(pair) * pair->h * (1.0 - (a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b)));
}

/* The way y of the law is the true one and, by the time ahead, what the velocity has changed by;
 * at the end it is that of the scheme, (way / h - (1 - a) v0) / a, with v0 at the start. */
static pd_em_side_way way_of_side(const pd_evaluation *pair, double ahead, int side)
{
  const pd_pose *b = side ? pair->b : pair->a, *other = side ? pair->a : pair->b;
  pd_em_side_way w;
  w.body = b;
  w.sign = side ? -1.0 : 1.0;
  w.a = b->scheme_a > 0.0 ? b->scheme_a : other->scheme_a; /* a wall has that of the body */
  w.all = 1.0 + ahead / (w.a * pair->h);
  w.start = ahead / w.a;
  if (!pair->tangent) return w;
  const pd_mat3 q = pd_m_transpose(b->increment.dq);
  w.back[1] = pd_m_scale(w.all, q);
  w.back[0] = pd_m_add(w.back[1], pd_m_scale(w.start, pd_skew_mul(b->before.w, q)));
  return w;
}

pd_em_friction_way pd_em_friction_way_of(const pd_evaluation *pair)
{
  pd_em_friction_way way;
  way.pair = pair;
  way.turn = pd_friction_turn_of(pair);
  way.ahead = time_ahead(pair);
  for (int side = 0; side < 2; side++) way.side[side] = way_of_side(pair, way.ahead, side);
  return way;
}

/* ---- the point of the start ---- */

static pd_vec3 lever_before(const pd_pose *p, int vertex)
{
  const pd_vec3 end = pd_pose_lever(p, vertex);
  return pd_sub(end, pd_rotation_displacement(&p->increment, end));
}

/* levers of the ends of an edge at the start, about a centre that is at c */
static void edge_before(const pd_pose *p, int edge, pd_vec3 c, pd_vec3 *x)
{
  const pd_edge *e = &p->shape->e[edge];
  for (int i = 0; i < 2; i++) x[i] = pd_add(c, lever_before(p, e->v[i]));
}

/* The point midway between the sides at the start, but for their radii, about A's centre; r: from
 * there to B's. */
static pd_vec3 midway_before(const pd_evaluation *pair, const pd_friction_point *point, pd_vec3 r)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_vec3 a[2], b[2];
  pd_gap g;
  if (point->sample[1] < 0) {
    a[0] = lever_before(pair->a, 0);
    b[0] = pd_add(r, lever_before(pair->b, 0));
    g = pd_gap_solve(1, a, 1, b, r);
  } else {
    edge_before(pair->a, point->sample[0], zero, a);
    edge_before(pair->b, point->sample[1], r, b);
    g = pd_gap_of_closest(a, b, r);
  }
  return pd_axpy(g.pa, -0.5 * g.d, g.n);
}

/* The core's points of the start of both sides, as levers at the start, but for those that go with
 * a body, which are there; r: from A's centre to B's, then. */
static void meet(const pd_evaluation *pair, const pd_friction_point *point, pd_vec3 old, pd_vec3 r,
                 pd_em_friction_side *side)
{
  const pd_vec3 to[2] = {pd_v(0.0, 0.0, 0.0), r};
  pd_vec3 x;
  if (point->on == PD_ON_NEITHER)
    x = pd_axpy(midway_before(pair, point, r), 0.5 * (pair->round[1] - pair->round[0]), old);
  else
    x = pd_add(to[point->on], pd_add(side[point->on].before, side[point->on].at.off0));
  for (int k = 0; k < 2; k++) {
    if (k != (int)point->on) side[k].before = pd_sub(pd_sub(x, to[k]), side[k].at.off0);
    side[k].from = pd_mv((k ? pair->b : pair->a)->increment.dq, side[k].before);
    side[k].at.core = pd_scale(0.5, pd_add(side[k].at.core, side[k].from));
  }
}

void pd_em_friction_sides(const pd_evaluation *pair, const pd_friction_point *point, pd_vec3 old,
                          pd_em_friction_side *side)
{
  const pd_increment *of[2] = {&pair->a->increment, &pair->b->increment};
  const int met = pd_norm2(old) > 0.0;
  for (int k = 0; k < 2; k++) {
    side[k].at = pd_side_of_friction(pair, point, k, old);
    side[k].before = pd_sub(side[k].at.core, pd_rotation_displacement(of[k], side[k].at.core));
    side[k].from = side[k].at.core;
    side[k].met = met;
  }
  if (met) meet(pair, point, old, pd_add(pair->r, pd_sub(of[0]->u, of[1]->u)), side);
}

/* ---- the way ---- */

/* part of the core's point of the end in the matter */
static double share_of_end(const pd_em_friction_side *side) { return side->met ? 0.5 : 1.0; }

/* what matter has done, and its velocity at the start of the step, where the bodies touched */
typedef struct matter {
  pd_vec3 way, v0;
} matter;

static matter matter_at(const pd_em_side_way *w, const pd_em_friction_side *side)
{
  const pd_pose *b = w->body;
  const pd_vec3 lever0 = pd_add(side->before, side->at.off0);
  const matter m = {pd_add(b->increment.u, pd_side_displacement(&side->at, &b->increment)),
                    pd_add(b->before.v, pd_cross(b->before.w, lever0))};
  return m;
}

static pd_vec3 way_of_law(const pd_em_side_way *w, const matter *m)
{
  return pd_axpy(pd_scale(w->all, m->way), -w->start, m->v0);
}

static pd_vec3 velocity_at_end(const pd_em_side_way *w, double h, const matter *m)
{
  const double rate = 1.0 / (w->a * h);
  return pd_axpy(pd_scale(rate, m->way), -(1.0 - w->a) / w->a, m->v0);
}

/* Where the step resolves the tangential spring and dashpot, y is the true way, which is that of
 * the mean velocity. Where it does not, that would throw a sticking contact back with the velocity
 * it had, and y is the way of the velocity at the end, as in implicit Euler's method. */
pd_vec3 pd_em_take_way(const pd_em_friction_way *way, const pd_em_friction_side *side, pd_vec3 gt,
                       pd_friction_kinematics *s)
{
  const pd_em_side_way *w = way->side;
  const double h = way->pair->h;
  const matter a = matter_at(&w[0], &side[0]), b = matter_at(&w[1], &side[1]);
  const pd_vec3 end = pd_sub(velocity_at_end(&w[0], h, &a), velocity_at_end(&w[1], h, &b));
  s->y = pd_sub(way_of_law(&w[0], &a), way_of_law(&w[1], &b));
  pd_friction_take_turn(&way->turn, gt, 1.0 / h, s);
  return pd_mv(way->turn.q, end);
}

/* ---- derivatives ----
 * The matter's lever p = c core + (1 - c) from, with the core's lever at the end, which goes by
 * dx - du - doff dn, and what is turned with the body: dp = c (dx - du - doff dn) - (1 - c)
 * skew(from) spin. */

/* by the core's lever of what the law is given: all (I - Q^T), less start skew(w0) Q^T */
static pd_mat3 by_lever(const pd_em_side_way *w, int met)
{
  return pd_m_add(pd_m_diag(pd_v(w->all, w->all, w->all)), pd_m_scale(-1.0, w->back[met]));
}

static void add_way_gradient(const pd_em_side_way *w, const pd_em_friction_side *side, int of,
                             const pd_grad *dn, pd_grad *g)
{
  const pd_friction_side *at = &side->at;
  const pd_mat3 by = by_lever(w, side->met);
  const double c = share_of_end(side);
  pd_mat3 spin = pd_m_mul_skew(w->back[side->met], at->core);
  if (side->met) spin = pd_m_add(spin, pd_m_scale(1.0 - c, pd_m_mul_skew(by, side->from)));
  for (int i = 0; i < 3; i++) g->m[i][6 * of + i] += w->sign * w->all;
  pd_g_add_block(g, 6 * of, -w->sign * c, by);
  pd_g_add_block(g, 6 * of + 3, -w->sign, spin);
  if (at->doff == 0.0) return;
  const pd_mat3 rest = pd_m_add(pd_m_scale(-c * at->doff, by),
                                pd_m_scale(-at->doff0 * w->start, pd_skew(w->body->before.w)));
  pd_g_add_mul(g, pd_m_scale(w->sign, rest), dn);
  pd_side_add_roll_gradient(at, &w->body->increment, w->sign * w->all, dn, 6 * of + 3, g);
}

void pd_em_way_gradient(const pd_em_friction_way *way, const pd_friction_point *point,
                        const pd_em_friction_side *side, pd_grad *g)
{
  const int met = side[0].met;
  const pd_mat3 by =
      pd_m_add(by_lever(&way->side[0], met), pd_m_scale(-1.0, by_lever(&way->side[1], met)));
  pd_g_mul(g, pd_m_scale(share_of_end(side), by), &point->dx);
  for (int k = 0; k < 2; k++) add_way_gradient(&way->side[k], &side[k], k, &point->dn, g);
}

/* ---- where the force acts ---- */

/* (p + Q^T p) / 2 of the matter's lever p at the end, and the mean of what is between it and the
 * point */
pd_vec3 pd_em_friction_lever(const pd_pose *body, const pd_em_friction_side *side)
{
  const pd_friction_side *s = &side->at;
  const pd_vec3 core = pd_add(s->core, pd_mtv(body->increment.dq, s->core));
  return pd_scale(0.5, pd_add(core, pd_add(s->off0, s->off)));
}

/* d(lever x f) = -skew(f) [(I + Q^T) dp + Q^T skew(p) spin] / 2 */
void pd_em_add_friction_lever_rows(const pd_pose *body, const pd_friction_point *point,
                                   const pd_em_friction_side *side, int of, pd_vec3 f,
                                   double (*k)[12])
{
  const pd_friction_side *at = &side->at;
  const double sign = of ? -1.0 : 1.0, c = share_of_end(side);
  const pd_mat3 turned = pd_m_scale(0.5, pd_skew_mul(f, pd_m_transpose(body->increment.dq)));
  const pd_mat3 carry = pd_m_add(pd_m_scale(-0.5, pd_skew(f)), pd_m_scale(-1.0, turned));
  pd_mat3 spin = pd_m_mul_skew(turned, at->core);
  if (side->met) spin = pd_m_add(spin, pd_m_scale(1.0 - c, pd_m_mul_skew(carry, side->from)));
  pd_k_add_mul_rows(k, pd_m_scale(-sign * c, carry), &point->dx);
  pd_k_add_block(k, 0, 6 * of, sign * c, carry);
  pd_k_add_block(k, 0, 6 * of + 3, sign, spin);
  if (at->doff == 0.0) return;
  const pd_mat3 off = pd_m_add(pd_m_scale(c * at->doff, carry),
                               pd_m_scale(0.5 * (at->doff + at->doff0), pd_skew(f)));
  pd_k_add_mul_rows(k, pd_m_scale(sign, off), &point->dn);
}
