/* SPDX-License-Identifier: MIT
 * State of the potential of a sample, put together term by term. */
#include "contact/energy_momentum/forces.h"

/* sums of f p^T, and what tells contacts at rest from impacts: normal velocities */
void pd_em_state_add_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                          pd_em_state *state)
{
  const pd_vec3 velocity = pd_gap_velocity(g, &pair->a->velocity, &pair->b->velocity);
  const double now = pd_dot(g->n, velocity);
  const pd_vec3 before = pd_gap_velocity(g, &pair->a->before, &pair->b->before);
  const double then = pd_dot(g->n, before);
  state->ta = pd_m_add(state->ta, pd_m_scale(w * v.fn, pd_outer(g->n, g->pa)));
  state->tb = pd_m_add(state->tb, pd_m_scale(-w * v.fn, pd_outer(g->n, g->pb)));
  state->bearing = pd_m_add(state->bearing, pd_m_scale(w * v.fn, pd_outer(g->n, g->n)));
  state->vn = fmax(state->vn, fabs(now));
  state->vp = fmax(state->vp, fabs(then));
  state->dv = fmax(state->dv, fabs(now - then));
  state->now = pd_axpy(state->now, w * v.fn, velocity);
  state->then = pd_axpy(state->then, w * v.fn, before);
  state->speed2 += w * v.fn * pd_norm2(velocity);
  state->normal2 += w * v.fn * now * now;
}
