/* SPDX-License-Identifier: MIT
 * Directions in which a pair bears, along which damping acts (doc/theory.md, 10.1). */
#ifndef PD_BEARING_H
#define PD_BEARING_H

#include "base/numbers.h"
#include "contact/potential_state.h"

/* of a symmetric matrix that is positive definite */
PD_KERNEL pd_mat3 pd_m_inverse_of_symmetric(pd_mat3 m)
{
  const pd_vec3 a = pd_v_load(m.m[0]), b = pd_v_load(m.m[1]), c = pd_v_load(m.m[2]);
  const pd_vec3 row[3] = {pd_cross(b, c), pd_cross(c, a), pd_cross(a, b)};
  const double det = pd_dot(a, row[0]);
  pd_mat3 out;
  for (int i = 0; i < 3; i++) pd_v_store(out.m[i], pd_scale(1.0 / det, row[i]));
  return out;
}

/* Part of every direction along which damping acts, I - e^2 (S^2 + e^2 I)^-1 with the shares S of
 * the force that bear in which direction: 1 where more than e of it bears, 0 across. All of every
 * direction if nothing bears. */
PD_KERNEL pd_mat3 pd_em_bearing_filter(const pd_em_state *state)
{
  const double e2 = PD_BEARING_SHARE * PD_BEARING_SHARE;
  const double all = pd_m_trace(state->force_fabric);
  if (!state->active || !(all > 0.0)) return pd_m_identity();
  const pd_mat3 s = pd_m_scale(1.0 / all, state->force_fabric);
  const pd_mat3 sum = pd_m_add(pd_m_mul(s, s), pd_m_scale(e2, pd_m_identity()));
  return pd_m_add(pd_m_identity(), pd_m_scale(-e2, pd_m_inverse_of_symmetric(sum)));
}

/* The forces of a state as far as they act along M n in place of n: M = (1 - slide) I + slide
 * filter. */
PD_KERNEL pd_em_state pd_em_bearing_part(const pd_em_state *state, const pd_mat3 *filter,
                                         double slide)
{
  const pd_mat3 m = pd_m_add(pd_m_scale(1.0 - slide, pd_m_identity()), pd_m_scale(slide, *filter));
  pd_em_state part = *state;
  part.f = pd_mv(m, state->f);
  part.ta = pd_m_mul(m, state->ta);
  part.tb = pd_m_mul(m, state->tb);
  return part;
}

#endif
