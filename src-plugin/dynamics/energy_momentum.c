/* SPDX-License-Identifier: MIT
 * Energy-momentum scheme for a system: the contact force of a pair over a step. */
#include <string.h>

#include "dynamics/impact.h"

static void motion_of(const pd_pose *p, int moves, double *dq)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_v_store(dq, moves ? p->increment.u : zero);
  pd_v_store(dq + 3, moves ? p->increment.alpha : zero);
}

static pd_em_motion pair_motion(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_pair_geometry at = pd_contact_pair_geometry(sys, pair);
  const pd_pose *pa = at.a, *pb = at.b;
  const pd_body *a = &sys->body[pair->a];
  const int moves = pair->wall ? sys->wall[pair->b].moves : pd_body_is_moving(&sys->body[pair->b]);
  pd_em_motion m;
  motion_of(pa, pd_body_is_moving(a), m.dq);
  motion_of(pb, moves, m.dq + 6);
  m.qa = pa->increment.dq;
  m.qb = pb->increment.dq;
  m.inva = pa->increment.inv;
  m.invb = pb->increment.inv;
  m.mobile[0] = a->mobile;
  m.mobile[1] = !pair->wall && sys->body[pair->b].mobile;
  m.arm = pd_add(pd_neg(pd_centre_to_centre(&at)),
                 pd_sub(pa->momentum_reference, pb->momentum_reference));
  m.ka = pa->momentum_slope;
  m.kb = pb->momentum_slope;
  return m;
}

/* losses on top of the force of the potential; they keep angular momentum, too */
static void add_losses(const pd_em_motion *m, pd_pair_result *r, int tangent)
{
  double all[12];
  for (int i = 0; i < 12; i++) all[i] = r->loss[PD_DAMPING][i] + r->loss[PD_FRICTION][i];
  pd_em_balance(m, all, tangent ? r->kloss : NULL);
  for (int k = 0; k < PD_NLOSS; k++) pd_em_balance(m, r->loss[k], NULL);
  for (int i = 0; i < 12; i++) r->force[i] += all[i];
}

/* friction, with the part that the forces at the end have in the step */
static pd_status add_friction(const pd_system *sys, const pd_contact_pair *pair,
                              const pd_em_result *f, int tangent, pd_worker *worker,
                              pd_pair_result *r)
{
  const pd_pose *a = &sys->body[pair->a].pose;
  const pd_pose *b = pair->wall ? &sys->wall[pair->b].pose : &sys->body[pair->b].pose;
  const pd_vec3 xb = pair->wall ? pd_wall_at(&sys->wall[pair->b])
                                : pd_add(sys->body[pair->b].start.x, sys->body[pair->b].u);
  const pd_vec3 to = pd_sub(xb, pd_add(sys->body[pair->a].start.x, sys->body[pair->a].u));
  const pd_friction_memory memory = {sys->friction.at_start.r + pair->old, pair->nold,
                                     &worker->fresh};
  double dtheta[12];
  const double all = (1.0 - pair->beta) * f->theta + pair->beta, theta = fmin(1.0, fmax(0.0, all));
  for (int j = 0; tangent && j < 12; j++)
    dtheta[j] = theta == all ? (1.0 - pair->beta) * f->dtheta[j] : 0.0;
  pd_pair_request request = {0};
  const pd_pair_geometry at = {a, b, to, pd_v(0.0, 0.0, 0.0), NULL};
  request.at = at;
  request.law = pair->law;
  request.mode = PD_ENERGY_MOMENTUM;
  request.h = sys->scheme.h;
  request.tangent = tangent;
  request.memory = &memory;
  return pd_em_friction(&request, theta, dtheta, worker->work, r);
}

/* The force times that share: the loss (1 - c) (V_0 - V_1) is never negative. */
static void give_back(const pd_contact_pair *pair, const pd_em_state *s0, double energy,
                      const double *true_lever_force, int tangent, pd_em_result *f)
{
  double dc;
  const double c = s0->active ? pd_em_share_kept(pair->keep, s0->energy, energy, &dc) : 1.0;
  if (c >= 1.0) return;
  for (int i = 0; tangent && i < 144; i++)
    f->k[i / 12][i % 12] = c * f->k[i / 12][i % 12] + dc * f->p[i / 12] * true_lever_force[i % 12];
  for (int i = 0; i < 12; i++) f->p[i] *= c;
}

pd_status pd_em_contact_pair(const pd_system *sys, pd_contact_pair *pair, int tangent,
                             pd_worker *worker, pd_pair_result *r)
{
  const pd_em_motion m = pair_motion(sys, pair);
  const pd_em_scales scales = {PD_EM_KAPPA, PD_EM_RESOLVED * sys->body[pair->a].shape->radius};
  const pd_em_state *s0 = pd_contact_pair_at_start(sys, pair);
  pd_em_end e;
  pd_em_result f;
  e.energy = r->energy;
  memcpy(e.p, r->force, sizeof e.p);
  memcpy(e.true_lever_force, r->true_lever_force, sizeof e.true_lever_force);
  if (tangent) memcpy(e.k, r->k, sizeof e.k);
  pd_em_force(s0, &e, &m, scales, tangent, &f);
  give_back(pair, s0, r->energy, e.true_lever_force, tangent, &f);
  const double c = 1.0 - pair->beta;
  for (int i = 0; i < 12; i++) r->force[i] = c * f.p[i] + pair->beta * e.p[i];
  const double gain = r->energy - (s0->active ? s0->energy : 0.0);
  pair->lost = -gain - pd_dot12(r->force, m.dq);
  const pd_status status = add_friction(sys, pair, &f, tangent, worker, r);
  if (status) return status;
  add_losses(&m, r, tangent);
  for (int i = 0; tangent && i < 12; i++)
    for (int j = 0; j < 12; j++)
      r->k[i][j] = c * f.k[i][j] + pair->beta * e.k[i][j] + r->kloss[i][j];
  return PD_OK;
}
