/* SPDX-License-Identifier: MIT
 * Local steps: peaks of the residual are taken off first, by steps that leave the other bodies
 * where they are. A full step would have to be shortened for all because of them. */
#include "solve/newton_internal.h"

/* squared residuals of all bodies, ghosts included */
static void find_residuals(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  double *residual2 = solver->work.exchange; /* 6 per body, the first one counts */
  for (int i = 0; i < sys->nbody; i++)
    residual2[6 * i] = pd_body_residual2(&sys->body[i], sys->assembly.force + 6 * i);
  pd_forward(solver->processes, residual2);
  for (int i = 0; i < sys->nbody; i++) solver->work.residual2[i] = residual2[6 * i];
}

void pd_find_peaks(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_islands *s = &solver->work.islands;
  find_residuals(solver);
  for (int k = 0; k < s->nroot; k++) pd_island_nth(s, k)->max.peak2 = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    double *peak2 = &pd_island_of(s, i)->max.peak2;
    if (pd_moves(&sys->body[i])) *peak2 = fmax(*peak2, solver->work.residual2[i]);
  }
  pd_islands_reduce_extremes(solver);
}

int pd_is_hot(pd_substep_solver *solver, int i)
{
  const pd_island *island = pd_island_of(&solver->work.islands, i);
  return solver->work.residual2[i] > PD_HOT * PD_HOT * island->max.peak2;
}

int pd_is_slow(const pd_island *island)
{
  return island->active && island->min.nmerits >= 2.0 &&
         island->past[0] > PD_SLOW * island->past[1];
}

/* the neighbours of bodies of local steps become part of it, too */
static void add_ring(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  char *in = solver->work.in_local_step, *next = solver->work.in_next_ring;
  double *exchange = solver->work.exchange;
  for (int i = 0; i < sys->nbody; i++) next[i] = in[i];
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->contacts.active_pair[k]];
    if (pair->wall || !pd_response_of(sys, sys->contacts.active_pair[k])->active) continue;
    next[pair->a] |= in[pair->b];
    next[pair->b] |= in[pair->a];
  }
  for (int i = 0; i < sys->nbody; i++) exchange[6 * i] = next[i];
  pd_forward(solver->processes, exchange);
  for (int i = 0; i < sys->nbody; i++) in[i] = exchange[6 * i] > 0.0;
}

/* Islands that are large and slow may have one; whether there are any on any process. */
static int find_stagnant(pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  int slow = 0;
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    island->local =
        pd_uses(solver, PD_LOCAL_STEPS) && island->sum.nbodies >= PD_CROWD && pd_is_slow(island);
    island->sum.nlocal = 0.0;
    slow |= island->local;
  }
  return pd_global_any(solver->processes, slow);
}

/* the bodies with large residuals, and those around them */
static void mark_bodies(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  char *in = solver->work.in_local_step;
  for (int i = 0; i < sys->nbody; i++) in[i] = sys->body[i].mobile && pd_is_hot(solver, i);
  for (int k = 0; k < PD_RINGS; k++) add_ring(solver);
  for (int i = 0; i < sys->nbody; i++)
    if (pd_moves(&sys->body[i])) pd_island_of(&solver->work.islands, i)->sum.nlocal += in[i];
}

void pd_choose_local_steps(pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  if (!find_stagnant(solver)) return;
  pd_find_peaks(solver);
  mark_bodies(solver);
  pd_islands_reduce_local(solver);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    const double part = island->sum.nlocal / fmax(1.0, island->sum.nbodies);
    island->local = island->local && part <= PD_LOCAL_PART;
    if (island->local) island->max.age -= 1.0 - fmax(PD_LOCAL_AGE, part);
  }
  for (int i = 0; i < solver->sys->nbody; i++) /* all of it goes on if it joins one that has one */
    solver->work.in_local_step[i] |= !pd_island_of(&solver->work.islands, i)->local;
}
