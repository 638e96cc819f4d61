/* SPDX-License-Identifier: MIT
 * Energies and sums of a system, forces on its walls. */
#include <string.h>

#include "dynamics/system_internal.h"

static void load_wall(pd_wall *w, const pd_pair_response *r)
{
  for (int i = 0; i < 6; i++) {
    w->load[i] += r->force[6 + i];
    for (int k = 0; k < PD_NLOSS; k++) w->loss[k][i] += r->loss[k][6 + i];
  }
  w->energy += r->energy + r->spring;
}

/* virial of a pair of bodies: (x_A - x_B) f_A */
static void add_virial(const pd_system *sys, const pd_contact_pair *pair, const double *f,
                       double *virial)
{
  const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
  const pd_vec3 u = pd_sub(pd_body_displacement(b), pd_body_displacement(a));
  const pd_vec3 d = pd_sub(pd_sub(a->start.x, b->start.x), u);
  const double w[6] = {d.x * f[0], d.y * f[1], d.z * f[2], d.x * f[1], d.x * f[2], d.y * f[2]};
  for (int i = 0; i < 6; i++) virial[i] += pair->share * w[i];
}

static void add_totals(const pd_system *sys, pd_totals *t, const pd_contact_pair *pair,
                       const pd_pair_response *r)
{
  t->energy += pair->share * r->energy;
  t->spring += pair->share * r->spring;
  if (!pd_wall_of(sys, pair)) t->between_bodies += pair->share * (r->energy + r->spring);
  t->ncontact += pair->share * r->ncontact;
  t->mingap = fmin(t->mingap, r->mingap);
}

void pd_system_sum(pd_system *sys, pd_totals *totals)
{
  const pd_totals zero = {0};
  *totals = zero;
  totals->mingap = DBL_MAX;
  for (int i = 0; i < sys->nwall; i++) {
    memset(sys->wall[i].load, 0, sizeof sys->wall[i].load);
    memset(sys->wall[i].loss, 0, sizeof sys->wall[i].loss);
    sys->wall[i].energy = 0.0;
  }
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->contacts.active_pair[k]];
    const pd_pair_response *response = pd_response_of(sys, sys->contacts.active_pair[k]);
    if (!response->active) continue;
    pd_wall *wall = pd_wall_of(sys, pair);
    if (wall && sys->body[pair->a].owned) load_wall(wall, response);
    add_totals(sys, totals, pair, response);
    if (!wall) add_virial(sys, pair, response->force, totals->virial);
  }
}

void pd_system_sum_at_start(pd_system *sys, pd_totals *totals)
{
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->contacts.active_pair[k]];
    double gt2 = 0.0;
    for (int i = pair->old; i < pair->old + pair->nold; i++)
      gt2 += pd_norm2(sys->friction.at_start.r[i].history.gt);
    sys->contacts.state[pair->contact].response.spring = 0.5 * pair->law->t.eps_t * gt2;
  }
  pd_system_sum(sys, totals);
}

double pd_system_kinetic(const pd_system *sys)
{
  double e = 0.0;
  for (int i = 0; i < sys->norder; i++) {
    const pd_body *b = &sys->body[sys->order[i]];
    if (b->mobile) e += pd_kinetic(&b->inertia, &b->start);
  }
  return e;
}
