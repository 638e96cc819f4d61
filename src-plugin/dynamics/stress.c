/* SPDX-License-Identifier: MIT
 * Stress of bodies by the forces that have acted over a substep. */
#include "dynamics/system_internal.h"

/* Products of the forces of a state on A and the levers to where they act, m[i][j] of component i
 * of the one and j of the other: midway between the surfaces of two bodies, with a wall on the
 * wall. */
static pd_mat3 products_of_state(const pd_contact_pair *pair, const pd_pair_geometry *at,
                                 const pd_em_state *s)
{
  const pd_mat3 to_b = pd_m_add(pd_outer(s->f, pd_centre_to_centre(at)),
                                pd_m_scale(pd_round_of_b(at), s->force_fabric)),
                on_b = pd_m_add(to_b, pd_m_scale(-1.0, s->tb)),
                on_a = pd_m_add(s->ta, pd_m_scale(-pd_pose_round(at->a), s->force_fabric));
  return pair->wall || at->plane ? on_b : pd_m_scale(0.5, pd_m_add(on_a, on_b));
}

/* The same of normal forces that have acted there: so much of them as goes along with those of the
 * state, and the rest at the mean lever. */
static pd_mat3 products_of_normal_force(pd_vec3 force, pd_vec3 state, pd_mat3 of_state)
{
  const double square = pd_norm2(state);
  if (!(square > 0.0)) return pd_m_zero();
  const double along = pd_dot(force, state) / square;
  const pd_vec3 lever = pd_scale(1.0 / square, pd_mtv(of_state, state));
  return pd_m_add(pd_m_scale(along, of_state), pd_outer(pd_axpy(force, -along, state), lever));
}

static pd_mat3 products_on_a(const pd_contact_pair *pair, const pd_pair_geometry *at,
                             const pd_contact_state *s)
{
  const pd_em_state *state = s->at_end.active ? &s->at_end : &s->at_start;
  const pd_pair_response *r = &s->response;
  const pd_vec3 normal = pd_sub(pd_v_load(r->force), pd_v_load(r->loss[PD_FRICTION]));
  const pd_mat3 of_state = products_of_state(pair, at, state);
  return pd_m_add(products_of_normal_force(normal, state->f, of_state), r->friction_ta);
}

/* xx, yy, zz, xy, xz, yz: lever times force */
static void add_stress(double part, pd_mat3 p, double *stress)
{
  static const int force[6] = {0, 1, 2, 1, 2, 2}, lever[6] = {0, 1, 2, 0, 0, 1};
  for (int k = 0; k < 6; k++) stress[k] += part * p.m[force[k]][lever[k]];
}

void pd_system_add_stress(const pd_system *sys, double part, double *stress)
{
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->contacts.active_pair[k]];
    const pd_contact_state *s = &sys->contacts.state[pair->contact];
    if (!s->response.active) continue;
    const pd_pair_geometry at = pd_contact_pair_geometry(sys, pair);
    const pd_mat3 on_a = products_on_a(pair, &at, s);
    add_stress(part, on_a, stress + 6 * pair->a);
    if (pair->wall) continue;
    const pd_mat3 whole = pd_outer(pd_v_load(s->response.force), pd_centre_to_centre(&at));
    add_stress(part, pd_m_add(whole, pd_m_scale(-1.0, on_a)), stress + 6 * pair->b);
  }
}
