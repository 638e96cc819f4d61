/* SPDX-License-Identifier: MIT
 * Islands that hang together on several processes: all of them agree on who belongs to which, and
 * on its figures. */
#include <string.h>

#include "solve/newton_internal.h"

/* figures travel as arrays of doubles */
_Static_assert(sizeof(pd_island_sums) == 8 * sizeof(double), "sums are doubles alone");
_Static_assert(sizeof(pd_island_maxima) == 5 * sizeof(double), "maxima are doubles alone");
_Static_assert(sizeof(pd_island_minima) == 2 * sizeof(double), "minima are doubles alone");
_Static_assert(sizeof(pd_island_motion) == 8 * sizeof(double), "motions are doubles alone");

/* ---- figures ---- */

/* the message: maxima of all shared islands, then their minima; DBL_MAX and its negative where this
 * process has no part */
static void pack_extremes(const pd_islands *s, double *max, double *min)
{
  for (int i = 0; i < s->nshared * PD_NMAXIMA; i++) max[i] = -DBL_MAX;
  for (int i = 0; i < s->nshared * PD_NMINIMA; i++) min[i] = DBL_MAX;
  for (int k = 0; k < s->nroot; k++) {
    const pd_island *island = pd_island_nth(s, k);
    if (island->shared < 0) continue;
    memcpy(max + PD_NMAXIMA * island->shared, &island->max, sizeof island->max);
    memcpy(min + PD_NMINIMA * island->shared, &island->min, sizeof island->min);
  }
}

void pd_islands_reduce_extremes(pd_substep_solver *solver)
{
  pd_islands *s = &solver->work.islands;
  if (s->nshared == 0) return;
  const int nmax = s->nshared * PD_NMAXIMA, nmin = s->nshared * PD_NMINIMA;
  double *max = s->message, *min = s->message + nmax;
  pack_extremes(s, max, min);
  pd_global_extremes(solver->processes, s->message, nmax, nmin);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    if (island->shared < 0) continue;
    memcpy(&island->max, max + PD_NMAXIMA * island->shared, sizeof island->max);
    memcpy(&island->min, min + PD_NMINIMA * island->shared, sizeof island->min);
  }
}

/* Sums over the processes of n figures of the shared islands, which an island has at the offset.
 * There is room: the message of all other figures is longer. */
static void sum_figures(pd_substep_solver *solver, size_t offset, int n)
{
  pd_islands *s = &solver->work.islands;
  const size_t size = (size_t)n * sizeof(double);
  if (s->nshared == 0) return;
  memset(s->message, 0, (size_t)s->nshared * size);
  for (int k = 0; k < s->nroot; k++) {
    const pd_island *island = pd_island_nth(s, k);
    if (island->shared < 0) continue;
    memcpy(s->message + n * island->shared, (const char *)island + offset, size);
  }
  pd_global_sum(solver->processes, s->message, s->nshared * n);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    if (island->shared < 0) continue;
    memcpy((char *)island + offset, s->message + n * island->shared, size);
  }
}

void pd_islands_reduce_sums(pd_substep_solver *solver)
{
  sum_figures(solver, offsetof(pd_island, sum), PD_NSUMS);
}

void pd_islands_reduce_motion(pd_substep_solver *solver)
{
  sum_figures(solver, offsetof(pd_island, motion), PD_NMOTION);
}

void pd_islands_reduce_local(pd_substep_solver *solver)
{
  sum_figures(solver, offsetof(pd_island, sum.nlocal), 1);
}

/* ---- who belongs together ---- */

/* A wall with a degree of freedom has contacts of which its owner does not know. */
static void share_walls_labels(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  for (int i = sys->nbody - sys->nfree; i < sys->nbody; i++) {
    pd_island *island = pd_island_of(&solver->work.islands, i);
    double least = island->label;
    pd_global_min(solver->processes, &least, 1);
    if (sys->body[i].owned) island->label = least;
  }
}

/* One round of telling the other processes the least row of every island; whether one was news. */
static int spread_labels(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_islands *s = &solver->work.islands;
  double *label = solver->work.exchange; /* 6 per body, the first one counts */
  int news = 0;
  share_walls_labels(solver);
  for (int i = 0; i < sys->nbody; i++) label[6 * i] = pd_island_of(s, i)->label;
  pd_forward(solver->processes, label);
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    pd_island *island = pd_island_of(s, i);
    if (b->owned || !b->mobile || !(label[6 * i] < island->label)) continue;
    island->label = label[6 * i];
    news = 1;
  }
  return pd_global_any(solver->processes, news);
}

/* Parts that hang together elsewhere become one here. */
static void join_labels(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_islands *s = &solver->work.islands;
  for (int i = 0; i < (int)sys->pattern.nglobal; i++) s->body_of_label[i] = -1;
  for (int i = 0; i < sys->nbody; i++) {
    if (!sys->body[i].mobile) continue;
    const int label = (int)pd_island_of(s, i)->label;
    if (s->body_of_label[label] < 0)
      s->body_of_label[label] = i;
    else if (pd_island_join(s, i, s->body_of_label[label]))
      pd_island_of(s, i)->label = label;
  }
}

/* Numbers the islands of which other processes have a part, the same on all of them. */
static void number_shared(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_islands *s = &solver->work.islands;
  const int rows = (int)sys->pattern.nglobal;
  for (int i = 0; i < rows; i++) s->label_shared[i] = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    if (!b->owned && b->mobile) s->label_shared[(int)pd_island_of(s, i)->label] = 1.0;
  }
  pd_global_max(solver->processes, s->label_shared, rows);
  s->nshared = 0;
  for (int i = 0; i < rows; i++) {
    const int number = s->label_shared[i] > 0.0 ? s->nshared++ : -1;
    if (s->body_of_label[i] >= 0) pd_island_of(s, s->body_of_label[i])->shared = number;
  }
}

/* Errors: PD_ENOMEM. */
static pd_status find_shared(pd_substep_solver *solver)
{
  pd_islands *s = &solver->work.islands;
  const int rows = (int)solver->sys->pattern.nglobal;
  pd_status status = pd_agree_status(solver->processes, pd_islands_reserve_messages(s, 0, rows));
  if (status) return status;
  join_labels(solver);
  number_shared(solver);
  const int most = (int)PD_NSUMS + (int)PD_NMAXIMA + (int)PD_NMINIMA;
  status = pd_islands_reserve_messages(s, most * s->nshared, rows);
  return pd_agree_status(solver->processes, status);
}

pd_status pd_islands_agree(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_islands *s = &solver->work.islands;
  pd_islands_list(s);
  if (!solver->processes->forward) return PD_OK;
  for (int i = 0; i < sys->nbody; i++) pd_island_of(s, i)->label = DBL_MAX;
  for (int i = 0; i < sys->nbody; i++) {
    pd_island *island = pd_island_of(s, i);
    if (sys->body[i].mobile) island->label = fmin(island->label, (double)sys->body[i].row);
  }
  while (spread_labels(solver)) continue;
  const pd_status status = find_shared(solver);
  pd_islands_list(s);
  if (!status) pd_islands_reduce_extremes(solver);
  return status;
}

int pd_islands_join_active(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  const pd_contact_states *contacts = &sys->contacts;
  int joined = 0;
  for (int k = 0; k < contacts->nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[contacts->active_pair[k]];
    if (pair->wall || !pd_response_of(sys, contacts->active_pair[k])->active) continue;
    if (!sys->body[pair->a].mobile || !sys->body[pair->b].mobile) continue;
    joined |= pd_island_join(&solver->work.islands, pair->a, pair->b);
  }
  return joined;
}
