/* SPDX-License-Identifier: MIT
 * Impacts that do not converge. The energy-momentum force of an impact need not have a solution
 * close by. Where an island takes long, pairs between bodies that are far out of balance take the
 * force of their end instead, as Euler's method does, which costs them their restitution; not where
 * energy has to be kept. */
#include "solve/newton_internal.h"

/* whether a body is among those that keep its island from converging */
static int holds_up(pd_substep_solver *solver, int i)
{
  return !solver->sys->body[i].mobile || pd_is_hot(solver, i);
}

/* whether the island has taken so long, and gets on so slowly, that impacts of it shall be
 * inelastic; a collision of one or two bodies is given longer */
static int is_late(const pd_island *island)
{
  return pd_is_slow(island) && island->max.age > (island->sum.nbodies > 2.0 ? PD_PATIENCE_WITH_MANY
                                                                            : PD_PATIENCE_WITH_TWO);
}

static int any_is_late(const pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  int late = 0;
  for (int k = 0; k < s->nroot; k++) late |= is_late(pd_island_nth(s, k));
  return pd_global_any(solver->processes, late);
}

/* whether the pair may be inelastic in an island that is late: a collision of one or two bodies
 * only where damping leaves little of it */
static int may_be_inelastic(const pd_island *island, const pd_contact_pair *pair)
{
  if (pair->em.beta >= 1.0 || pd_law_lossless(pair->law)) return 0;
  return island->sum.nbodies > 2.0 || (!pair->law->has_e && pair->law->zeta > PD_LITTLE_IS_LEFT);
}

static void make_pair_inelastic(pd_system *sys, pd_contact_pair *pair)
{
  pair->em.beta = 1.0;
  sys->trial.to_evaluate[pair->a] = 1;
  sys->assembly.tangent_current[pair->a] = 0;
  if (!pair->wall) sys->assembly.tangent_current[pair->b] = 0;
}

void pd_make_inelastic(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  if (sys->scheme.kind != PD_EM || !pd_uses(solver, PD_INELASTIC_IMPACTS)) return;
  if (!any_is_late(solver)) return;
  pd_find_peaks(solver);
  for (int k = 0; k < sys->contacts.nactive; k++) {
    pd_contact_pair *pair = &sys->pair[sys->contacts.active_pair[k]];
    const pd_island *island = pd_island_of(&solver->work.islands, pd_mover(sys, pair));
    if (!pd_response_of(sys, sys->contacts.active_pair[k])->active) continue;
    if (!is_late(island) || !may_be_inelastic(island, pair)) continue;
    if (!holds_up(solver, pair->a) || (!pair->wall && !holds_up(solver, pair->b))) continue;
    make_pair_inelastic(sys, pair);
  }
}
