/* SPDX-License-Identifier: MIT
 * Energy-momentum scheme for a system: the contact force of a pair over a step. */
#include <string.h>

#include "contact/energy_momentum/damping_limit.h"
#include "dynamics/impact.h"
#include "dynamics/slide.h"

/* the way (u, alpha) of one side over the step */
static void step_of(const pd_pose *p, int moves, double *dq)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_v_store(dq, moves ? p->increment.u : zero);
  pd_v_store(dq + 3, moves ? p->increment.alpha : zero);
}

/* whether contacts alone may turn a body: what holds it else takes moments */
static int turns(const pd_body *b) { return b->mobile && !b->constraint.rotation && !b->wall; }

/* The light side of a pair would feel what is taken off its moment for the sake of the heavy one's
 * angular momentum. */
static double share_of(const pd_body *a, const pd_body *b)
{
  const pd_vec3 ja = a->inertia.j, jb = b->inertia.j;
  const double of_a = ja.x + ja.y + ja.z, of_b = jb.x + jb.y + jb.z;
  return of_a / (of_a + of_b);
}

/* where a body's a, beyond that of the midpoint, would take it with what a cell carries */
static pd_vec3 carried_beyond(const pd_system *sys, const pd_body *b)
{
  return pd_scale(sys->scheme.h * (b->scheme_a - 0.5), b->carry_velocity);
}

/* What seeing the balance of angular momentum from the velocity of a pair's centre of mass adds to
 * the arm between its references, which are of the bodies' own motion. Where their a differ, an
 * impulse takes that centre along by (a_A - a_B) h times what one of them gets of it: seen from
 * elsewhere, spins would have to make up for that way times the momentum of both, and smooth balls
 * that fly together and hit would spin. */
static pd_vec3 arm_of_common_motion(const pd_system *sys, const pd_body *a, const pd_body *b)
{
  const double of_a = a->inertia.mass / (a->inertia.mass + b->inertia.mass);
  const pd_vec3 v = pd_axpy(pd_scale(of_a, pd_body_velocity(a)), 1.0 - of_a, pd_body_velocity(b));
  return pd_add(pd_scale(sys->scheme.h * (a->scheme_a - b->scheme_a), v),
                pd_sub(carried_beyond(sys, b), carried_beyond(sys, a)));
}

static pd_em_motion step_motion(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_pair_geometry at = pd_contact_pair_geometry(sys, pair);
  const pd_pose *pa = at.a, *pb = at.b;
  const pd_body *a = &sys->body[pair->a];
  const int moves = pair->wall ? sys->wall[pair->b].moves : pd_body_is_moving(&sys->body[pair->b]);
  pd_em_motion m;
  step_of(pa, pd_body_is_moving(a), m.dq);
  step_of(pb, moves, m.dq + 6);
  m.qa = pa->increment.dq;
  m.qb = pb->increment.dq;
  m.inva = pd_xi_inverse(pa->increment.alpha);
  m.invb = pd_xi_inverse(pb->increment.alpha);
  m.mobile[0] = turns(a);
  m.mobile[1] = !pair->wall && turns(&sys->body[pair->b]);
  m.share[0] = pair->wall ? 1.0 : share_of(a, &sys->body[pair->b]);
  m.share[1] = 1.0 - m.share[0];
  m.arm = pd_add(pd_neg(pd_centre_to_centre(&at)),
                 pd_sub(pa->momentum_reference, pb->momentum_reference));
  if (m.mobile[0] && m.mobile[1])
    m.arm = pd_add(m.arm, arm_of_common_motion(sys, a, &sys->body[pair->b]));
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

/* Moments do no work on a boundary that does not turn. */
static int is_unturned_boundary(const pd_system *sys, const pd_contact_pair *pair)
{
  if (!pair->wall) return sys->body[pair->b].wall && !sys->body[pair->b].constraint.hinged;
  const pd_wall *w = &sys->wall[pair->b];
  return !w->moves || pd_norm2(w->alpha) == 0.0;
}

/* The moment on the boundary is what the force of the step takes from the angular momentum of the
 * body, about the middle of the boundary's way: it goes from the mean lever on the one side to that
 * on the other where they slide. */
static void balance_boundary(const pd_pair_geometry *at, double *p)
{
  const pd_vec3 from_middle = pd_axpy(at->a->momentum_reference, 0.5, at->b->increment.u);
  const pd_vec3 arm = pd_sub(from_middle, pd_centre_to_centre(at));
  const pd_vec3 moment = pd_add(pd_v_load(p + 3), pd_cross(arm, pd_v_load(p)));
  pd_v_store(p + 9, pd_neg(moment));
}

static pd_status add_friction(const pd_system *sys, const pd_contact_pair *pair,
                              const pd_em_weights *weights, pd_tangent_kind tangent,
                              pd_worker *worker, pd_pair_result *r)
{
  const pd_friction_memory memory = {sys->friction.at_start.r + pair->old, pair->nold,
                                     &worker->fresh};
  pd_pair_request request = {0};
  pd_law law = *pair->law;
  law.t.c_t += pair->em.impact_viscosity;
  request.at = pd_contact_pair_geometry(sys, pair);
  request.law = &law;
  request.mode = PD_ENERGY_MOMENTUM;
  request.h = sys->scheme.h;
  request.tangent = tangent;
  request.memory = &memory;
  return pd_em_friction(&request, weights, worker->work, r);
}

/* Of what a separating contact sets free it gives back a part c: force and weights times that. The
 * loss (1 - c) (V_0 - V_1) is never negative. Of V_0, what the pair loses as it slides is left out.
 */
static void apply_restitution(const pd_contact_pair *pair, const pd_em_state *s0,
                              const pd_em_end *end, const pd_slide_work *slide, int tangent,
                              pd_em_result *f)
{
  const double keep = pd_em_least_share(&pair->em);
  const double v0 = s0->active ? s0->energy - slide->energy : 0.0;
  double by_energy = 0.0;
  const double c =
      v0 > 0.0 ? pd_em_share_kept(keep, pair->em.return_ramp, v0, end->energy, &by_energy) : 1.0;
  pd_em_weights *w = &f->weights;
  if (c >= 1.0) return;
  for (int j = 0; tangent && j < 12; j++) {
    const double dv0 = -slide->denergy[j], dv1 = -end->true_lever_force[j];
    const double dc = by_energy * (dv1 - end->energy / v0 * dv0);
    for (int i = 0; i < 12; i++) f->k[i][j] = c * f->k[i][j] - f->p[i] * dc;
    w->dw0[j] = c * w->dw0[j] + w->w0 * dc;
    w->dw1[j] = c * w->dw1[j] + w->w1 * dc;
  }
  for (int i = 0; i < 12; i++) f->p[i] *= c;
  w->w0 *= c;
  w->w1 *= c;
}

/* the force of the potential over the step, with its tangent in k and its weights */
static void force_of_potential(const pd_system *sys, const pd_contact_pair *pair,
                               const pd_em_motion *m, int tangent, const pd_pair_result *r,
                               pd_em_result *f)
{
  const pd_em_choice choice = {PD_EM_KAPPA, PD_EM_RESOLVED * pd_contact_pair_radius(sys, pair),
                               pair->em.beta};
  const pd_em_state *s0 = pd_contact_pair_at_start(sys, pair);
  const pd_slide_work slide = pd_slide_work_of(pair, m, s0, tangent, r);
  pd_em_end e;
  pd_em_state bears = *s0;
  e.energy = r->energy;
  memcpy(e.p, r->force, sizeof e.p);
  memcpy(e.true_lever_force, r->em.true_lever_force, sizeof e.true_lever_force);
  if (tangent) memcpy(e.k, r->k, sizeof e.k);
  pd_em_drop drop = pd_em_whole_drop(s0, &e);
  if (pair->em.slide > 0.0) {
    const pd_mat3 filter = pd_em_bearing_filter(s0);
    bears = pd_em_bearing_part(s0, &filter, pair->em.slide);
    drop.energy -= slide.energy;
    for (int j = 0; j < 12; j++) drop.by[j] -= slide.denergy[j];
  }
  pd_em_force_of_drop(&bears, &e, m, choice, &drop, tangent, f);
  apply_restitution(pair, s0, &e, &slide, tangent, f);
  pd_slide_add(&slide, m, tangent, f);
}

/* Whether the force of one end draws its sides together, so that the whole is more than the double
 * of either end's: a force of the difference of both. */
static int pulls(const pd_em_state *s0, pd_vec3 at_end, const pd_em_result *f)
{
  const double most = fmax(s0->active ? pd_norm(s0->f) : 0.0, pd_norm(at_end));
  return fmin(f->weights.w0, f->weights.w1) < 0.0 && pd_norm(pd_v_load(f->p)) > PD_EM_MOST * most;
}

pd_status pd_em_contact_pair(const pd_system *sys, pd_contact_pair *pair, pd_tangent_kind tangent,
                             pd_worker *worker, pd_pair_result *r)
{
  const pd_em_motion m = step_motion(sys, pair);
  const pd_em_state *s0 = pd_contact_pair_at_start(sys, pair);
  pd_em_result f;
  force_of_potential(sys, pair, &m, tangent, r, &f);
  pair->pulls = pulls(s0, pd_v_load(r->force), &f);
  memcpy(r->force, f.p, sizeof f.p);
  const double gain = r->energy - (s0->active ? s0->energy : 0.0);
  pair->lost = -gain - pd_dot12(r->force, m.dq);
  pd_em_limit_pair_damping(&m, sys->scheme.h, tangent, worker->work, r);
  const pd_status status = add_friction(sys, pair, &f.weights, tangent, worker, r);
  if (status) return status;
  add_losses(&m, r, tangent);
  if (is_unturned_boundary(sys, pair)) {
    const pd_pair_geometry at = pd_contact_pair_geometry(sys, pair);
    balance_boundary(&at, r->force);
  }
  for (int i = 0; tangent && i < 12; i++)
    for (int j = 0; j < 12; j++) r->k[i][j] = f.k[i][j] + r->kloss[i][j];
  return PD_OK;
}
