/* SPDX-License-Identifier: MIT
 * The kinetic energy that contacts can turn into anything else in a substep: of every body that
 * touches, but of a heavy one no more than those that it touches would have at its speed. What
 * flies past, or turns beside or under light ones, has no part in it, however much energy it has.
 */
#include "solve/newton_internal.h"

/* Energy of body j at the largest speed of what goes along with body i there, as seen from what
 * that hangs together with; what does not move by forces takes any. */
static double energy_along(const pd_system *sys, int i, int j, pd_vec3 seen)
{
  const pd_body *b = &sys->body[i], *other = &sys->body[j];
  const double mass = other->mobile ? pd_body_mass_felt(other) : INFINITY;
  if (isinf(mass)) return mass;
  const double reach = other->wall ? 0.0 : other->shape->radius;
  const pd_vec3 spin = b->start.w, lever = pd_sub(other->start.x, b->start.x);
  const double speed =
      pd_norm(pd_sub(b->start.v, seen)) + pd_norm(pd_cross(spin, lever)) + pd_norm(spin) * reach;
  return 0.5 * mass * speed * speed;
}

int pd_has_forces(const pd_system *sys, const pd_contact_pair *pair)
{
  if (pair->contact < 0) return 0;
  const pd_contact_state *contact = &sys->contacts.state[pair->contact];
  return contact->at_start.active || contact->response.active;
}

void pd_find_energy_of_partners(pd_substep_solver *solver, pd_seen_from seen_from)
{
  const pd_system *sys = solver->sys;
  double *partners = solver->work.partners;
  for (int i = 0; i < sys->nbody; i++) partners[i] = 0.0;
  for (int n = 0; n < sys->npair; n++) {
    const pd_contact_pair *pair = &sys->pair[n];
    if (!pd_has_forces(sys, pair)) continue;
    const int a = pair->a, b = pair->b;
    partners[a] += pair->wall ? INFINITY : energy_along(sys, a, b, seen_from(solver, a));
    if (!pair->wall) partners[b] += energy_along(sys, b, a, seen_from(solver, b));
  }
  if (sys->nfree > 0)
    pd_global_sum(solver->processes, partners + sys->nbody - sys->nfree, sys->nfree);
}

static pd_vec3 from_the_box(pd_substep_solver *solver, int i)
{
  (void)solver;
  (void)i;
  return pd_v(0.0, 0.0, 0.0);
}

double pd_energy_in_contact(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  double sum = 0.0;
  pd_find_energy_of_partners(solver, from_the_box);
  for (int n = 0; n < sys->norder; n++) {
    const int i = sys->order[n];
    const pd_body *b = &sys->body[i];
    if (!b->mobile) continue;
    const double own = pd_kinetic(&b->inertia, &b->start);
    /* on a guide that turns with it the scheme makes errors of its own */
    sum += pd_is_guide(&b->constraint) ? own : fmin(own, solver->work.partners[i]);
  }
  return sum;
}
