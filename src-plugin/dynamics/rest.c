/* SPDX-License-Identifier: MIT
 * Velocities of bodies that rest. With a = 1 the velocity at the end of a substep is the mean one
 * over it, half of its length times the acceleration behind that of the instant. In a substep of
 * another length what rests on a support that accelerates would be pushed by the difference. */
#include "dynamics/system_internal.h"

void pd_em_refer_velocities(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    const int rests = b->mobile && b->rests && b->mean_over > 0.0;
    const double less = rests ? 0.5 * (b->mean_over - sys->scheme.h) : 0.0;
    b->lag = pd_scale(less, b->start.acc);
    b->lag_turn = pd_scale(less, b->start.wdot);
  }
}

pd_vec3 pd_body_lag_impulse(const pd_body *b) { return pd_scale(b->inertia.mass, b->lag); }

pd_vec3 pd_body_lag_spin(const pd_body *b)
{
  return pd_inertia_impulse(b->start.q, &b->inertia, b->lag_turn);
}
