/* SPDX-License-Identifier: MIT
 * Energy-momentum scheme for a system: the contact force of a link over a step, and the choice of
 * (a, beta) for bodies and links. */
#include <string.h>

#include "system_internal.h"

/* below these the discrete gradient is not resolved. The potential is known to the rounding of gaps,
 * and the force to that over the displacement: the length is that for which it still has eight digits,
 * over the radius of the body. */
static const double KAPPA = 1e-3, RESOLVED = 1e8 * DBL_EPSILON;

/* a contact as slow as gravity makes it within a step is at rest */
static const double REST = 1.0;

/* impacts that a step of more than this over the contact's angular frequency does not resolve */
static const double UNRESOLVED = 1.5;

/* restitution of an unresolved impact that a = 1 alone gives */
static const double FLOOR = 0.3;

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
  for (int i = 0; tangent && i < 144; i++) r->k[i / 12][i % 12] += r->kloss[i / 12][i % 12];
}

/* friction, with the part that the forces at the end have in the step */
static pd_status add_friction(pd_system *sys, const pd_link *l, const pd_em_result *f, int tangent,
                              pd_pair_result *r)
{
  const pd_place *a = &sys->body[l->a].place;
  const pd_place *b = l->wall ? &sys->wall[l->b].place : &sys->body[l->b].place;
  const pd_vec3 xb = l->wall ? pd_wall_at(&sys->wall[l->b])
                             : pd_add(sys->body[l->b].o.x, sys->body[l->b].u);
  const pd_vec3 to = pd_sub(xb, pd_add(sys->body[l->a].o.x, sys->body[l->a].u));
  const pd_memory memory = {sys->old.r + l->old, l->nold, &sys->fresh};
  double dtheta[12];
  const double all = (1.0 - l->beta) * f->theta + l->beta, theta = fmin(1.0, fmax(0.0, all));
  for (int j = 0; tangent && j < 12; j++)
    dtheta[j] = theta == all ? (1.0 - l->beta) * f->dtheta[j] : 0.0;
  return pd_em_friction(a, b, to, l->law, sys->scheme.h, tangent, &memory, theta, dtheta, sys->work, r);
}

pd_status pd_em_link(pd_system *sys, pd_link *l, int tangent, pd_pair_result *r)
{
  const pd_em_motion m = link_motion(sys, l);
  const pd_em_scales scales = {KAPPA, RESOLVED * sys->body[l->a].shape->radius};
  pd_em_end e;
  pd_em_result f;
  e.energy = r->energy;
  memcpy(e.p, r->force, sizeof e.p);
  memcpy(e.truth, r->truth, sizeof e.truth);
  if (tangent) memcpy(e.k, r->k, sizeof e.k);
  pd_em_force(&l->em0, &e, &m, scales, tangent, &f);
  const double c = 1.0 - l->beta;
  for (int i = 0; i < 12; i++) r->force[i] = c * f.p[i] + l->beta * e.p[i];
  for (int i = 0; tangent && i < 144; i++)
    r->k[i / 12][i % 12] = c * f.k[i / 12][i % 12] + l->beta * e.k[i / 12][i % 12];
  const double gain = r->energy - (l->em0.active ? l->em0.energy : 0.0);
  l->lost = -gain - pd_dot12(r->force, m.dq);
  const pd_status status = add_friction(sys, l, &f, tangent, r);
  if (!status) add_losses(&m, r, tangent);
  return status;
}

/* ---- (a, beta) ---- */

/* restitution of a linear spring and dashpot of this damping ratio */
static double restitution_of(double zeta)
{
  return zeta >= 1.0 ? 0.0 : exp(-3.14159265358979 * zeta / sqrt(1.0 - zeta * zeta));
}

static double reduced_mass(const pd_system *sys, const pd_link *l)
{
  const pd_body *a = &sys->body[l->a], *b = l->wall ? NULL : &sys->body[l->b];
  return 1.0 / ((a->mobile ? 1.0 / a->in.mass : 0.0) + (b && b->mobile ? 1.0 / b->in.mass : 0.0));
}

static double weight_per_mass(const pd_body *b)
{
  return b->mobile ? pd_norm(pd_add(b->fext, b->fload)) / b->in.mass : 0.0;
}

/* whether a link that touches now is at rest: normal speeds as small as gravity makes in a step */
static int at_rest(const pd_system *sys, const pd_link *l, double mred)
{
  const pd_em_state *s = &l->em0;
  const double w = sqrt(fmax(s->stiff, 0.0) / mred), h0 = sys->hprev;
  double g = weight_per_mass(&sys->body[l->a]);
  if (!l->wall) g = fmax(g, weight_per_mass(&sys->body[l->b]));
  double fast = fmax(s->vn, s->vp);
  if (h0 > 0.0) fast = fmax(fast, s->dv / fmax(1e-3, fmin(1.0, h0 * w)));
  return fast <= REST * g * sys->scheme.h;
}

/* How far the step is from resolving an impact on this link: 0 to 1. */
static double unresolved(const pd_system *sys, const pd_link *l, double mred)
{
  const pd_law *law = l->law;
  const double span = 0.5 * law->gbar;
  const double k = 4.0 * law->eps1 * law->n1 * pow(span, law->n1 - 1.0);
  const double x = sys->scheme.h * sqrt(k / mred) / UNRESOLVED, y = x * x * x * x;
  return y / (1.0 + y);
}

/* may touch within the step: bounding spheres; planes by the height */
static int near(const pd_system *sys, const pd_link *l)
{
  const pd_body *a = &sys->body[l->a];
  const double h = sys->scheme.h, ra = a->shape->radius;
  double go = pd_norm(a->o.v) + pd_norm(a->o.w) * ra, apart;
  if (l->wall) {
    const pd_wall *w = &sys->wall[l->b];
    if (w->kind == PD_SURFACE) return 1;
    go += pd_norm(w->v) + pd_norm(w->w) * pd_norm(pd_sub(a->o.x, w->x));
    apart = pd_dot(w->n, pd_sub(a->o.x, w->x)) - ra;
  } else {
    const pd_body *b = &sys->body[l->b];
    go += pd_norm(b->o.v) + pd_norm(b->o.w) * b->shape->radius;
    apart = pd_norm(pd_sub(a->o.x, b->o.x)) - ra - b->shape->radius;
  }
  return apart < go * h + l->law->gbar;
}

/* An impact of target restitution e that the step does not resolve: a = 1 / (1 + r) for what a can
 * give, beta for the rest. */
static void choose_impact(pd_system *sys, pd_link *l, double mred, double *a)
{
  const double e = l->law->has_e ? l->law->e : restitution_of(l->law->zeta);
  const double w = e < 1.0 ? unresolved(sys, l, mred) : 0.0;
  const double r = fmax(0.0, (e - FLOOR) / (1.0 - FLOOR)), low = fmax(0.0, 1.0 - e / FLOOR);
  l->soft = 1.0 - w;
  l->beta = w * low * low;
  *a = 0.5 + w * (1.0 / (1.0 + r) - 0.5);
}

void pd_em_choose(pd_system *sys)
{
  enum { FREE, RESTS, MOVES };
  for (int i = 0; i < sys->nbody; i++) {
    sys->body[i].a = 0.5;
    sys->body[i].em = FREE;
  }
  for (int i = 0; i < sys->nlink; i++) {
    pd_link *l = &sys->link[i];
    pd_body *const side[2] = {&sys->body[l->a], l->wall ? NULL : &sys->body[l->b]};
    const double mred = reduced_mass(sys, l);
    double a = 0.5;
    l->beta = 0.0;
    l->soft = 1.0;
    const int rests = l->em0.active && at_rest(sys, l, mred);
    if (rests)
      l->beta = 1.0;
    else if (l->em0.active || near(sys, l))
      choose_impact(sys, l, mred, &a);
    for (int k = 0; k < 2; k++) {
      if (!side[k]) continue;
      side[k]->a = fmax(side[k]->a, a);
      if (l->em0.active) side[k]->em = rests && side[k]->em != MOVES ? RESTS : MOVES;
    }
  }
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].em == RESTS) sys->body[i].a = 1.0;
}
