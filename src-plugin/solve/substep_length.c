/* SPDX-License-Identifier: MIT
 * Whether a substep is short enough for what happens in it, beside its energy error. */
#include "solve/newton_internal.h"

/* the part of its size that a body may go past what it touches, in the mean; 0: any */
static double path_limit(const pd_substep_solver *solver)
{
  return solver->sys->scheme.h > solver->opt->least ? solver->opt->path : 0.0;
}

int pd_is_rated(const pd_substep_solver *solver)
{
  return solver->opt->resolve > 0.0 || path_limit(solver) > 0.0;
}

/* Mean rate at which bodies that touch, or will, go past each other, over all processes; those that
 * go far count more, by the squares of their ways. fastest: the largest rate, > 0. */
static double mean_rate(const pd_substep_solver *solver, double fastest)
{
  const pd_rate_sums here = pd_em_sum_rates(solver->sys, fastest);
  double sum[] = {here.cubes, here.squares};
  pd_global_sum(solver->processes, sum, 2);
  return fastest * (sum[0] / sum[1]);
}

int pd_is_too_long(const pd_substep_solver *solver)
{
  if (solver->sys->scheme.kind != PD_EM || !pd_is_rated(solver)) return 0;
  const pd_rates here = pd_em_rates(solver->sys);
  double most[] = {here.impact, here.way};
  pd_global_max(solver->processes, most, 2);
  if (path_limit(solver) > 0.0 && most[1] > 0.0)
    most[0] = fmax(most[0], mean_rate(solver, most[1]) / path_limit(solver));
  solver->out->longest = most[0] > 0.0 ? 1.0 / most[0] : DBL_MAX;
  return solver->sys->scheme.h > PD_RESOLVED_MARGIN * solver->out->longest;
}

/* how far a body turns in the substep: as it has solved it, or with its spin at the start */
static double turn_of(const pd_substep_solver *solver, int i, int solved)
{
  const pd_body *b = &solver->sys->body[i];
  if (!b->mobile) return 0.0;
  return solved ? pd_norm(b->alpha) : solver->sys->scheme.h * pd_norm(b->start.w);
}

pd_status pd_check_turns(pd_substep_solver *solver, int solved)
{
  const pd_system *sys = solver->sys;
  double most = 0.0;
  if (!(sys->scheme.h > solver->opt->least)) return PD_OK;
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const int i = sys->contacts.active_pair[k];
    const pd_contact_pair *pair = &sys->pair[i];
    if (!(pair->law->t.eps_t > 0.0) || !pd_response_of(sys, i)->active) continue;
    most = fmax(most, turn_of(solver, pair->a, solved));
    if (!pair->wall) most = fmax(most, turn_of(solver, pair->b, solved));
  }
  pd_global_max(solver->processes, &most, 1);
  if (most <= PD_RESOLVED_MARGIN * PD_TURN_WITH_FRICTION) return PD_OK;
  solver->out->longest = sys->scheme.h * PD_TURN_WITH_FRICTION / most;
  return PD_ETURN;
}

pd_status pd_check_pushes(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  int pulls = 0;
  if (!(sys->scheme.h > solver->opt->least) || !(solver->opt->longest > 0.0)) return PD_OK;
  for (int k = 0; k < sys->contacts.nactive; k++)
    pulls |= sys->pair[sys->contacts.active_pair[k]].pulls;
  if (!pd_global_any(solver->processes, pulls)) return PD_OK;
  solver->out->longest = 0.5 * sys->scheme.h;
  return PD_EPULL;
}
