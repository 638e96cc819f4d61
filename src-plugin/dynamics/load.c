/* SPDX-License-Identifier: MIT
 * What loads give to residual and tangent. */
#include "dynamics/system_internal.h"

static pd_vec3 mean(pd_vec3 a, pd_vec3 b) { return pd_scale(0.5, pd_add(a, b)); }

/* The energy-momentum scheme takes the means of both ends of the substep: p1 - p0 is alpha times
 * the mean lever, so that the work is that of the mean force on the way of its point, exactly. */
static int takes_means(const pd_system *sys, pd_when when)
{
  return when == PD_AT_TRIAL && sys->scheme.kind == PD_EM;
}

static pd_acting_load load_now(const pd_system *sys, const pd_load *l, const pd_body *b,
                               pd_when when)
{
  const int start = when == PD_AT_START;
  pd_acting_load now = pd_load_with(l, b->pose.rot, start ? l->f0 : l->f, start ? l->m0 : l->m);
  if (!takes_means(sys, when)) return now;
  const pd_acting_load before = pd_load_with(l, pd_q_matrix(b->start.q), l->f0, l->m0);
  now.f = mean(before.f, now.f);
  now.m = mean(before.m, now.m);
  now.lever = mean(before.lever, now.lever);
  return now;
}

/* Derivative by a spin of the body, with the sign of the residual: it turns the lever, and a force
 * that follows the body. part: of the end of the substep. */
static void add_tangent(pd_system *sys, const pd_load *l, const pd_body *b, pd_acting_load now,
                        double part)
{
  double k[12][12] = {{0.0}};
  const pd_mat3 lever = pd_skew(pd_mv(b->pose.rot, l->point));
  pd_k_add_block(k, 3, 3, -part, pd_m_mul(pd_skew(now.f), lever));
  if (l->follow) {
    const pd_acting_load end = pd_load_with(l, b->pose.rot, l->f, l->m);
    const pd_mat3 turn = pd_skew(end.f);
    pd_k_add_block(k, 0, 3, part, turn);
    pd_k_add_block(k, 3, 3, part, pd_m_add(pd_skew(end.m), pd_m_mul(pd_skew(now.lever), turn)));
  }
  const pd_mat3 xi = pd_xi(b->alpha);
  pd_by_alpha(k, k, 6, 0, &xi);
  pd_system_add_block(sys, pd_system_diagonal(sys, b), k, 0, 0);
}

/* its moment about the centre of the body, which feels both besides what it has felt */
static pd_vec3 feel(pd_body *b, pd_acting_load now)
{
  const pd_vec3 m = pd_add(now.m, pd_cross(now.lever, now.f));
  b->load_force = pd_add(b->load_force, now.f);
  b->load_moment = pd_add(b->load_moment, m);
  return m;
}

void pd_system_set_start_loads(pd_system *sys)
{
  for (int k = 0; k < sys->nload; k++) {
    pd_body *b = &sys->body[sys->load[k].body];
    b->load_force = b->load_moment = pd_v(0.0, 0.0, 0.0);
  }
  for (int k = 0; k < sys->nload; k++) {
    pd_body *b = &sys->body[sys->load[k].body];
    (void)feel(b, load_now(sys, &sys->load[k], b, PD_AT_START));
  }
}

/* The loads' part of residual and tangent. */
void pd_system_add_load(pd_system *sys, const pd_load *l, pd_when when, int tangent, double sign)
{
  pd_body *b = &sys->body[l->body];
  double *r = sys->assembly.force + 6 * l->body;
  const pd_acting_load now = load_now(sys, l, b, when);
  const pd_vec3 m = feel(b, now);
  const double add[6] = {now.f.x, now.f.y, now.f.z, m.x, m.y, m.z};
  for (int i = 0; i < 6; i++) r[i] += sign * add[i];
  if (tangent && b->row >= 0) add_tangent(sys, l, b, now, takes_means(sys, when) ? 0.5 : 1.0);
}

void pd_system_forward_forces(pd_system *sys, const pd_communication *c, double *room)
{
  if (!c->forward) return;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    pd_v_store(room + 6 * i, pd_add(b->external_force, b->load_force));
    pd_v_store(room + 6 * i + 3, pd_add(b->external_torque, b->load_moment));
  }
  pd_forward(c, room);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (b->owned) continue;
    b->external_force = pd_v_load(room + 6 * i);
    b->external_torque = pd_v_load(room + 6 * i + 3);
    b->load_force = b->load_moment = pd_v(0.0, 0.0, 0.0);
  }
}
