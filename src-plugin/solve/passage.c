/* SPDX-License-Identifier: MIT
 * Whether the step that has been found is one that bodies can take. Its equations know where bodies
 * start and where they end, and have a solution also where these have gone straight through each
 * other: Newton's iteration, which never lets them touch, may find it on a way round. So the
 * straight way from start to end is looked at, of the pairs that can have met on it. */
#include "base/numbers.h"
#include "solve/newton_internal.h"

/* lower bound of the distance at the end: what the evaluation there has found */
static double gap_at_end(const pd_system *sys, const pd_contact_pair *pair)
{
  if (pair->contact < 0) return fmax(pair->law->gbar, pd_contact_pair_separation(sys, pair));
  const pd_pair_response *response = &sys->contacts.state[pair->contact].response;
  if (response->active) return fmin(pair->law->gbar, response->mingap);
  return fmax(pair->law->gbar, pd_contact_pair_separation(sys, pair));
}

/* Whether the sides go further than half the distance that they have at the end: else they had some
 * all the way. */
static int may_have_met(const pd_system *sys, const pd_contact_pair *pair)
{
  if (pair->wall && sys->wall[pair->b].moves) return 1;
  return pd_contact_pair_way(sys, pair) > 0.5 * gap_at_end(sys, pair);
}

/* which pairs may have; returns how many */
static int find_pairs(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  int n = 0;
  for (int i = 0; i < sys->npair; i++) {
    solver->work.on_way[i] = (char)may_have_met(sys, &sys->pair[i]);
    n += solver->work.on_way[i];
  }
  return n;
}

/* the increments of all bodies into the direction; bodies and walls to where they started */
static void go_back(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_system_set_prescribed(sys, 0.0);
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    pd_v_store(solver->work.direction + 6 * i, b->u);
    pd_v_store(solver->work.direction + 6 * i + 3, b->alpha);
    pd_system_set_pose(sys, i, zero, zero);
  }
}

static void return_to_end(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  const double *d = solver->work.direction;
  pd_system_set_prescribed(sys, 1.0);
  for (int i = 0; i < sys->nbody; i++)
    pd_system_set_pose(sys, i, pd_v_load(d + 6 * i), pd_v_load(d + 6 * i + 3));
}

/* name of a body whose way is not free, 0 if there is none here */
static long limited_body(const pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  for (int i = 0; i < sys->nbody; i++)
    if (pd_moves(&sys->body[i]) && solver->work.fraction[i] < 1.0)
      return pd_body_name(&sys->body[i]);
  return 0;
}

/* the pairs of this process */
static pd_status follow(pd_substep_solver *solver, pd_step_limits *limits)
{
  const pd_step_request request = {.direction = solver->work.direction,
                                   .eta = PD_PASSAGE_GAP,
                                   .walls = 1,
                                   .entry = PD_PASSAGE_GAP,
                                   .pairs = solver->work.on_way};
  limits->least = 1.0;
  if (find_pairs(solver) == 0) return PD_OK;
  go_back(solver);
  const pd_status status = pd_system_limit_step(solver->sys, &request, limits);
  return_to_end(solver);
  return status;
}

pd_status pd_check_passage(pd_substep_solver *solver)
{
  pd_step_limits limits = {
      .fraction = solver->work.fraction, .least = 1.0, .wall = 1.0, .pair = -1};
  if (!solver->opt->filter) return PD_OK;
  const pd_status status = pd_agree_status(solver->processes, follow(solver, &limits));
  if (status || !pd_global_any(solver->processes, limits.least < 1.0)) return status;
  solver->out->worst =
      pd_agree_name(solver->processes, limits.least < 1.0 ? limited_body(solver) : 0);
  return PD_EPASSAGE;
}
