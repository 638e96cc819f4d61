/* SPDX-License-Identifier: MIT
 * One link: whether it can be in contact at all, and its forces and tangent. */
#include <string.h>

#include "dynamics/system_internal.h"

void pd_by_alpha(double (*out)[12], double (*k)[12], int rows, int col, const pd_mat3 *xi)
{
  for (int i = 0; i < rows; i++) {
    const double s[3] = {k[i][col + 3], k[i][col + 4], k[i][col + 5]};
    for (int j = 0; j < 3; j++) {
      out[i][col + j] = k[i][col + j];
      out[i][col + 3 + j] = s[0] * xi->m[0][j] + s[1] * xi->m[1][j] + s[2] * xi->m[2][j];
    }
  }
}

/* ---- contact ---- */

/* a link out of reach: its tangent is read only where a contact has just opened */
static pd_status clear_far(const pd_system *sys, const pd_link *l, pd_pair_result *r, int tangent)
{
  pd_result_clear(r, tangent && sys->scheme.kind == PD_EM && pd_link_before(sys, l)->active);
  return PD_OK;
}

static pd_status eval_wall(const pd_system *sys, const pd_link *l, const pd_law *law, int tangent,
                           const pd_memory *memory, double em, pd_pair_work *work,
                           pd_pair_result *r, pd_contact_list *list)
{
  const pd_body *a = &sys->body[l->a];
  const pd_wall *w = &sys->wall[l->b];
  const int k = tangent && l->slot[0] >= 0;
  const pd_vec3 r0 = pd_sub(w->x, a->o.x), ru = pd_sub(w->u_now, a->u);
  pd_status status;
  if (w->kind == PD_PLANE) {
    const double h0 = -pd_dot(w->n, r0), hu = -pd_dot(w->n, ru);
    if (h0 + hu > a->shape->radius + law->gbar) return clear_far(sys, l, r, tangent);
    status = pd_plane_eval(&a->place, h0, hu, w->n, &w->place, pd_add(r0, ru), law, k, memory, em,
                           work, r, list);
  } else {
    status =
        pd_pair_eval(&a->place, &w->place, r0, ru, law, sys->set, k, memory, em, work, r, list);
  }
  return status;
}

static pd_status eval_bodies(const pd_system *sys, const pd_link *l, const pd_law *law, int tangent,
                             const pd_memory *memory, double em, pd_pair_work *work,
                             pd_pair_result *r, pd_contact_list *list)
{
  const pd_body *a = &sys->body[l->a], *b = &sys->body[l->b];
  const pd_vec3 r0 = pd_sub(b->o.x, a->o.x), ru = pd_sub(b->u, a->u), c = pd_add(r0, ru);
  const double reach = a->shape->radius + b->shape->radius + law->gbar;
  if (pd_norm2(c) > reach * reach) return clear_far(sys, l, r, tangent);
  return pd_pair_eval(&a->place, &b->place, r0, ru, law, sys->set, tangent, memory, em, work, r,
                      list);
}

pd_status pd_link_eval(const pd_system *sys, const pd_link *l, int tangent, pd_slip_list *fresh,
                           double em, pd_pair_work *work, pd_pair_result *r, pd_contact_list *list)
{
  const pd_memory memory = {sys->old.r + l->old, l->nold, fresh};
  const pd_law *law = l->law;
  pd_law damped;
  pd_pair_nothing(work);
  if (em > 0.0 && l->zeta != l->law->zeta) {
    damped = *l->law;
    damped.zeta = l->zeta;
    law = &damped;
  }
  pd_pair_keep(work, pd_link_near(sys, l));
  const pd_status status = l->wall ? eval_wall(sys, l, law, tangent, &memory, em, work, r, list)
                                   : eval_bodies(sys, l, law, tangent, &memory, em, work, r, list);
  pd_pair_keep(work, NULL);
  return status;
}

/* ---- which links have to be evaluated ---- */

double pd_body_way(const pd_body *b)
{
  return b->mobile ? pd_norm(b->u) + pd_norm(b->alpha) * b->shape->radius : 0.0;
}

/* what rounding may do to a bound */
static double doubt_of(const pd_body *a) { return 1e-9 * a->shape->radius; }

static double way_of(const pd_system *sys, const pd_link *l)
{
  return pd_body_way(&sys->body[l->a]) + (l->wall ? 0.0 : pd_body_way(&sys->body[l->b]));
}

/* planes are simple, and what moves by itself is not looked at */
static int is_bounded(const pd_system *sys, const pd_link *l)
{
  return !l->wall || (sys->wall[l->b].kind == PD_SURFACE && !sys->wall[l->b].moves);
}

double pd_link_clear(const pd_system *sys, const pd_link *l)
{
  if (!is_bounded(sys, l)) return 0.0;
  return fmax(0.0, l->clear - way_of(sys, l) - doubt_of(&sys->body[l->a]));
}

int pd_link_known_open(const pd_system *sys, const pd_link *l)
{
  const double way = sys->way[l->a] + (l->wall ? 0.0 : sys->way[l->b]);
  return is_bounded(sys, l) && l->clear > l->law->gbar + way + doubt_of(&sys->body[l->a]);
}

void pd_system_advance_bounds(pd_system *sys)
{
  for (int i = 0; i < sys->nlink; i++) sys->link[i].clear = pd_link_clear(sys, &sys->link[i]);
}

double pd_system_distance(const pd_system *sys, pd_link *l, double cut, pd_pair_work *work,
                          pd_status *status)
{
  const pd_body *a = &sys->body[l->a], *b = l->wall ? NULL : &sys->body[l->b];
  const pd_wall *w = l->wall ? &sys->wall[l->b] : NULL;
  const double way = way_of(sys, l) + doubt_of(a);
  *status = PD_OK;
  if (w && w->kind == PD_PLANE) {
    const pd_vec3 r0 = pd_sub(w->x, a->o.x), ru = pd_sub(w->u_now, a->u);
    return pd_plane_distance(&a->place, -pd_dot(w->n, r0), -pd_dot(w->n, ru), w->n);
  }
  const pd_vec3 r0 = pd_sub(b ? b->o.x : w->x, a->o.x), ru = pd_sub(b ? b->u : w->u_now, a->u);
  double d = pd_norm(pd_add(r0, ru)) - a->shape->radius - (b ? b->shape->radius : 0.0);
  if (!b || d < cut)
    *status = pd_pair_distance(&a->place, b ? &b->place : &w->place, r0, ru, cut, work, &d);
  if (is_bounded(sys, l)) l->clear = fmax(l->clear, d - way);
  return d;
}

/* whether the link is sure to be open; where that is likely but not known, it is found out with
 * some room for the evaluations to come */
static int is_open(const pd_system *sys, pd_link *l, const pd_action *last, pd_pair_work *work,
                   pd_status *status)
{
  const double gbar = l->law->gbar;
  *status = PD_OK;
  if (pd_link_known_open(sys, l)) return 1;
  if (!is_bounded(sys, l) || last->acts || l->nold > 0) return 0;
  const double way = way_of(sys, l) + doubt_of(&sys->body[l->a]);
  const double room = fmin(8.0 * way + 2.0 * gbar, sys->body[l->a].shape->radius);
  return pd_system_distance(sys, l, gbar + room, work, status) > gbar;
}

/* ---- evaluation ---- */

static void record_action(const pd_pair_result *r, pd_action *out)
{
  memcpy(out->force, r->force, sizeof out->force);
  memcpy(out->loss, r->loss, sizeof out->loss);
  out->energy = r->energy;
  out->spring = r->spring;
  out->scale2 = r->scale2;
  out->mingap = r->mingap;
  out->ncontact = r->ncontact;
}

/* a link's tangent by alpha */
static void keep_tangent(const pd_system *sys, const pd_link *l, pd_pair_result *r, double (*k)[12])
{
  const int rows = l->wall ? 6 : 12;
  pd_by_alpha(k, r->k, rows, 0, &sys->body[l->a].k.xi);
  if (!l->wall) pd_by_alpha(k, r->k, rows, 6, &sys->body[l->b].k.xi);
}

/* what a link finds goes where it knows of its contact already, or waits to be taken over */
static pd_touch *touch_of(const pd_system *sys, const pd_link *l, pd_renewal *out)
{
  if (l->touch >= 0) return &sys->touch[l->touch];
  out->made.act.acts = 0;
  out->made.act.status = PD_OK;
  out->made.em0.active = 0;
  out->made.near = -1;
  return &out->made;
}

pd_status pd_link_renew(const pd_system *sys, pd_link *l, int tangent, double em, pd_worker *me,
                        pd_renewal *out)
{
  pd_touch *t = touch_of(sys, l, out);
  pd_action *act = &t->act;
  pd_pair_result r;
  pd_status status;
  out->changes = act->acts || act->status;
  out->assemble = 0;
  if (is_open(sys, l, act, me->work, &status))
    clear_far(sys, l, &r, tangent), pd_pair_nothing(me->work);
  else if (!status)
    status = pd_link_eval(sys, l, tangent, &me->fresh, em, me->work, &r, NULL);
  act->status = status;
  act->acts = 0;
  l->lost = 0.0;
  out->changes |= status != PD_OK;
  if (status) return status;
  t->em1.active = r.state.active;
  if (r.state.active) t->em1 = r.state;
  act->acts = r.ncontact > 0 || (em > 0.0 && t->em0.active);
  out->changes |= act->acts;
  if (em > 0.0 && act->acts) act->status = pd_em_link(sys, l, tangent, me, &r);
  if (act->acts) record_action(&r, act);
  out->assemble = act->acts && tangent;
  if (out->assemble) keep_tangent(sys, l, &r, out->k);
  return PD_OK;
}

