/* SPDX-License-Identifier: MIT
 * State of the potential of a sample, put together term by term. */
#include "base/smooth.h"
#include "contact/energy_momentum/forces.h"

/* Part of a contact in an impact: 0 where it glides, its normal speed small against the other. */
static double part_of_hit(double normal2, double speed2)
{
  const double low = PD_NO_HIT * PD_NO_HIT, high = PD_FULL_HIT * PD_FULL_HIT;
  return normal2 >= high * speed2 ? 1.0 : pd_rise(normal2 / speed2, low, high, NULL);
}

/* the same of a contact in a direction in which the pair bears already, where something lands that
 * comes faster than motion without impacts makes it */
static double part_of_landing(const pd_evaluation *pair, pd_vec3 n, double approach)
{
  if (!(pair->em.smooth > 0.0) || !pair->em.bearing_filter) return 1.0;
  const double along =
      pd_rise(pd_dot(n, pd_mv(*pair->em.bearing_filter, n)), 0.0, PD_BEARS_ALONG, NULL);
  return 1.0 - along * (1.0 - pd_rise(approach, 0.5 * pair->em.smooth, pair->em.smooth, NULL));
}

/* velocity of A past B where their surfaces are nearest: those of rounded sides are off the points
 * of the gap, which go with a ball that rolls */
static pd_vec3 surface_velocity(const pd_evaluation *pair, const pd_gap *g, pd_twist a, pd_twist b)
{
  const pd_vec3 spin = pd_axpy(pd_scale(pair->round[0], a.w), pair->round[1], b.w);
  return pd_sub(pd_gap_velocity_of(g, a, b), pd_cross(spin, g->n));
}

/* sums of f p^T, and what tells contacts at rest from impacts: normal velocities */
void pd_em_state_add_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                          pd_em_state *state)
{
  const pd_vec3 velocity =
      surface_velocity(pair, g, pd_twist_of(&pair->a->velocity), pd_twist_of(&pair->b->velocity));
  const double now = pd_dot(g->n, velocity);
  const pd_vec3 before = surface_velocity(pair, g, pair->a->before, pair->b->before);
  const double then = pd_dot(g->n, before);
  pd_em_state_add_levers(state, w * v.fn, g->n, g->pa, g->pb);
  state->vn = fmax(state->vn, fabs(now));
  state->vp = fmax(state->vp, fabs(then));
  state->dv = fmax(state->dv, fabs(now - then));
  state->now = pd_axpy(state->now, w * v.fn, velocity);
  state->then = pd_axpy(state->then, w * v.fn, before);
  state->speed2 += w * v.fn * pd_norm2(velocity);
  state->normal2 += w * v.fn * now * now;
  const double part =
      w * part_of_hit(now * now, pd_norm2(velocity)) * part_of_landing(pair, g->n, -now);
  const pd_vec3 f = pd_scale(part * v.fn, g->n);
  state->hit.energy += part * v.phi;
  state->hit.f = pd_add(state->hit.f, f);
  state->hit.ma = pd_add(state->hit.ma, pd_cross(g->pa, f));
  state->hit.mb = pd_add(state->hit.mb, pd_cross(f, g->pb));
}
