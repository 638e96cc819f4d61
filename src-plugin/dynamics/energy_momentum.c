/* SPDX-License-Identifier: MIT
 * Energy-momentum scheme for a system: the contact force of a link over a step. */
#include <string.h>

#include "dynamics/impact.h"

/* below these the discrete gradient is not resolved. The potential is known to the rounding of
 * gaps, and the force to that over the displacement: the length is that for which it still has
 * eight digits, over the radius of the body. */
static const double KAPPA = 1e-3, RESOLVED = 1e8 * DBL_EPSILON;

static void motion_of(const pd_place *p, int mobile, double *dq)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_v_store(dq, mobile ? p->turn.u : zero);
  pd_v_store(dq + 3, mobile ? p->turn.alpha : zero);
}

static pd_em_motion link_motion(const pd_system *sys, const pd_link *l)
{
  const pd_body *a = &sys->body[l->a], *b = l->wall ? NULL : &sys->body[l->b];
  const pd_wall *w = l->wall ? &sys->wall[l->b] : NULL;
  const pd_place *pa = &a->place, *pb = b ? &b->place : &w->place;
  const pd_vec3 r0 = pd_sub(b ? b->o.x : w->x, a->o.x);
  const pd_vec3 r = pd_add(r0, pd_sub(b ? b->u : w->u_now, a->u));
  pd_em_motion m;
  motion_of(pa, a->mobile, m.dq);
  motion_of(pb, b ? b->mobile : w->moves, m.dq + 6);
  m.qa = pa->turn.dq;
  m.qb = pb->turn.dq;
  m.inva = pa->turn.inv;
  m.invb = pb->turn.inv;
  m.mobile[0] = a->mobile;
  m.mobile[1] = b && b->mobile;
  m.arm = pd_add(pd_neg(r), pd_sub(pa->hat, pb->hat));
  m.ka = pa->khat;
  m.kb = pb->khat;
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
static pd_status add_friction(const pd_system *sys, const pd_link *l, const pd_em_result *f,
                              int tangent, pd_worker *me, pd_pair_result *r)
{
  const pd_place *a = &sys->body[l->a].place;
  const pd_place *b = l->wall ? &sys->wall[l->b].place : &sys->body[l->b].place;
  const pd_vec3 xb =
      l->wall ? pd_wall_at(&sys->wall[l->b]) : pd_add(sys->body[l->b].o.x, sys->body[l->b].u);
  const pd_vec3 to = pd_sub(xb, pd_add(sys->body[l->a].o.x, sys->body[l->a].u));
  const pd_memory memory = {sys->old.r + l->old, l->nold, &me->fresh};
  double dtheta[12];
  const double all = (1.0 - l->beta) * f->theta + l->beta, theta = fmin(1.0, fmax(0.0, all));
  for (int j = 0; tangent && j < 12; j++)
    dtheta[j] = theta == all ? (1.0 - l->beta) * f->dtheta[j] : 0.0;
  return pd_em_friction(a, b, to, l->law, sys->scheme.h, tangent, &memory, theta, dtheta, me->work,
                        r);
}

/* The force times that share: the loss (1 - c) (V_0 - V_1) is never negative. */
static void give_back(const pd_link *l, const pd_em_state *s0, double energy, const double *truth,
                      int tangent, pd_em_result *f)
{
  double dc;
  const double c = s0->active ? pd_em_share_kept(l->keep, s0->energy, energy, &dc) : 1.0;
  if (c >= 1.0) return;
  for (int i = 0; tangent && i < 144; i++)
    f->k[i / 12][i % 12] = c * f->k[i / 12][i % 12] + dc * f->p[i / 12] * truth[i % 12];
  for (int i = 0; i < 12; i++) f->p[i] *= c;
}

pd_status pd_em_link(const pd_system *sys, pd_link *l, int tangent, pd_worker *me,
                     pd_pair_result *r)
{
  const pd_em_motion m = link_motion(sys, l);
  const pd_em_scales scales = {KAPPA, RESOLVED * sys->body[l->a].shape->radius};
  const pd_em_state *s0 = pd_link_before(sys, l);
  pd_em_end e;
  pd_em_result f;
  e.energy = r->energy;
  memcpy(e.p, r->force, sizeof e.p);
  memcpy(e.truth, r->truth, sizeof e.truth);
  if (tangent) memcpy(e.k, r->k, sizeof e.k);
  pd_em_force(s0, &e, &m, scales, tangent, &f);
  give_back(l, s0, r->energy, e.truth, tangent, &f);
  const double c = 1.0 - l->beta;
  for (int i = 0; i < 12; i++) r->force[i] = c * f.p[i] + l->beta * e.p[i];
  const double gain = r->energy - (s0->active ? s0->energy : 0.0);
  l->lost = -gain - pd_dot12(r->force, m.dq);
  const pd_status status = add_friction(sys, l, &f, tangent, me, r);
  if (status) return status;
  add_losses(&m, r, tangent);
  for (int i = 0; tangent && i < 12; i++)
    for (int j = 0; j < 12; j++)
      r->k[i][j] = c * f.k[i][j] + l->beta * e.k[i][j] + r->kloss[i][j];
  return PD_OK;
}
