/* SPDX-License-Identifier: MIT
 * What loads give to residual and tangent. */
#include "dynamics/system_internal.h"

/* force and moment of a load now */
static void load_now(const pd_load *l, const pd_body *b, pd_when when, pd_vec3 *f, pd_vec3 *m)
{
  *f = when == PD_AT_START ? l->f0 : l->f;
  *m = when == PD_AT_START ? l->m0 : l->m;
  if (l->follow) {
    *f = pd_mv(b->kinematics.rot, *f);
    *m = pd_mv(b->kinematics.rot, *m);
  }
  *m = pd_add(*m, pd_cross(pd_mv(b->kinematics.rot, l->point), *f));
}

/* The loads' part of residual and tangent. A spin of the body turns the lever of a force that keeps
 * its direction; one that follows the body turns whole. */
void pd_system_add_load(pd_system *sys, const pd_load *l, pd_when when, int tangent, double sign)
{
  pd_body *b = &sys->body[l->body];
  double *r = sys->assembly.force + 6 * l->body, k[12][12] = {{0.0}};
  pd_vec3 f, m;
  load_now(l, b, when, &f, &m);
  b->load_force = pd_add(b->load_force, f);
  b->load_moment = pd_add(b->load_moment, m);
  for (int i = 0; i < 3; i++) {
    r[i] += sign * (i == 0 ? f.x : i == 1 ? f.y : f.z);
    r[3 + i] += sign * (i == 0 ? m.x : i == 1 ? m.y : m.z);
  }
  if (!tangent || b->row < 0) return;
  const pd_mat3 lever = pd_skew(pd_mv(b->kinematics.rot, l->point));
  if (l->follow) {
    pd_k_add_block(k, 0, 3, 1.0, pd_skew(f));
    pd_k_add_block(k, 3, 3, 1.0, pd_skew(m));
  } else {
    pd_k_add_block(k, 3, 3, -1.0, pd_m_mul(pd_skew(f), lever));
  }
  pd_by_alpha(k, k, 6, 0, &b->kinematics.xi);
  pd_system_add_block(sys, pd_system_diagonal(sys, b), k, 0, 0);
}
