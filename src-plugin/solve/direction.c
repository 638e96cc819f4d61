/* SPDX-License-Identifier: MIT
 * Where an iteration goes: whom it moves, which impacts are made inelastic, the linear system, and
 * how far the step limiter lets it. */
#include <string.h>

#include "solve/newton_internal.h"

/* ---- the linear system ---- */

/* Whether the simplified Newton method, with the matrix of the last direction, is likely to end the
 * iteration: its steps leave of the residual the part that the last one, from about the same
 * tangents, has left. */
static int will_do(const pd_substep_solver *solver, const pd_island *island)
{
  const double r = sqrt(island->sum.residual2), scale = pd_island_scale(solver, island);
  if (!island->active) return 1;
  if (!(island->before > 0.0) || island->local || island->factor < 1.0) return 0;
  return r * r <= PD_SIMPLIFIED * solver->opt->tol * scale * island->before;
}

static int last_matrix_will_do(const pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  if (!pd_uses(solver, PD_LAST_MATRIX)) return 0;
  for (int k = 0; k < s->nroot; k++)
    if (!will_do(solver, pd_island_nth(s, k))) return 0;
  return 1;
}

/* what the last steps of these islands are compared with, if they are by this matrix */
static void note_residuals(pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    island->before = island->active && !island->local ? sqrt(island->sum.residual2) : 0.0;
  }
}

/* whether a body of an island at work has no rows at its present increments */
static int is_without_rows(pd_substep_solver *solver, int i)
{
  const pd_system *sys = solver->sys;
  const int has_rows = pd_moves(&sys->body[i]) || sys->body[i].wall;
  return has_rows && !sys->assembly.tangent_current[i] &&
         pd_island_of(&solver->work.islands, i)->active;
}

static void evaluate_tangents(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  for (int i = 0; i < sys->nbody; i++)
    if (is_without_rows(solver, i)) sys->trial.to_evaluate[i] = 1;
  pd_newton_evaluate(solver, 0, 1);
}

/* Every body of the islands at work has its rows at the present increments, those that a local step
 * leaves where they are included: what is solved does not depend on when the rows were found. Or
 * the last matrix will do. */
static void find_tangents(pd_substep_solver *solver)
{
  double wanted[2] = {0.0, !last_matrix_will_do(solver)};
  for (int i = 0; i < solver->sys->nbody; i++)
    if (is_without_rows(solver, i)) wanted[0] = 1.0;
  pd_global_max(solver->processes, wanted, 2);
  solver->simplified = !(wanted[1] > 0.0);
  note_residuals(solver);
  if (wanted[0] > 0.0 && !solver->simplified) evaluate_tangents(solver);
}

/* An inexact direction leaves at most the part PD_COARSE of the residual, and less, the smaller the
 * residual is: what is left shall not be more than what Newton's method would leave of it anyway,
 * but there is no use in less than a tenth of what ends the iteration. */
static double left_of(const pd_substep_solver *solver, const pd_island *island)
{
  const double r = sqrt(island->sum.residual2), scale = pd_island_scale(solver, island);
  if (!(r > 0.0)) return DBL_MAX;
  const double own = scale > r * PD_COARSE ? fmin(PD_COARSE, r / scale) : PD_COARSE;
  return fmax(PD_LINEAR_FLOOR * solver->opt->tol * scale, r * own);
}

/* The residual that the linear system may be left with, over that of all bodies: no island
 * shall be spoilt by another one's. */
static double accuracy(const pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  double least = DBL_MAX;
  for (int k = 0; k < s->nroot; k++)
    if (pd_island_nth(s, k)->active) least = fmin(least, left_of(solver, pd_island_nth(s, k)));
  pd_global_min(solver->processes, &least, 1);
  const double all = sqrt(solver->total.residual2);
  return all > 0.0 && least < DBL_MAX ? least / all : 0.0;
}

/* A body that stays where it is has the identity as its rows or, if its island is at work and will
 * need them again, nothing but the diagonal block of its own. The rows of walls hold the identity.
 */
static void set_row(pd_substep_solver *solver, int i, int is_free)
{
  pd_system *sys = solver->sys;
  const int *row = sys->pattern.rowptr + (sys->body[i].row - sys->pattern.first);
  const int kept = !is_free && !sys->body[i].wall && pd_island_of(&solver->work.islands, i)->active;
  if (!is_free && !kept) pd_system_set_identity_row(sys, i);
  for (int s = row[0]; s < row[1]; s++) {
    const int held = sys->pattern.col[s] == sys->body[i].row || (sys->assembly.nonzero[s] && !kept);
    solver->work.place[s] = held ? sys->assembly.place[s] : -1;
  }
}

/* rows, unless they are those of the last matrix, and right-hand side */
static void set_rows(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i])) continue;
    double *rhs = solver->work.rhs + 6 * (sys->body[i].row - sys->pattern.first);
    const int is_free = pd_is_free(solver, i) && !sys->body[i].wall;
    if (!solver->simplified) set_row(solver, i, is_free);
    for (int m = 0; m < 6; m++) rhs[m] = is_free ? -sys->assembly.force[6 * i + m] : 0.0;
  }
}

/* The solution by rows into the direction by bodies, zero for those that stay. Errors:
 * PD_ESINGULAR (it is not finite). */
static pd_status take_solution(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  double *direction = solver->work.direction;
  int bad = 0;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i]) || sys->body[i].wall) continue;
    const double *x = solver->work.solution + 6 * (sys->body[i].row - sys->pattern.first);
    for (int m = 0; m < 6; m++) bad |= !(fabs(x[m]) <= DBL_MAX);
    memcpy(direction + 6 * i, x, 6 * sizeof(double));
  }
  return bad ? PD_ESINGULAR : PD_OK;
}

/* Newton direction of the active islands, zero for the others */
static pd_status solve_linear(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  const pd_services *services = solver->services;
  pd_newton_work *w = &solver->work;
  set_rows(solver);
  const pd_linear a = {sys->assembly.values, w->rhs, w->place, accuracy(solver),
                       solver->simplified};
  pd_status status = services->solve(services->ctx, &a, w->solution);
  memset(w->direction, 0, (size_t)sys->nbody * 6 * sizeof(double));
  if (!status && sys->nfree > 0) status = pd_solve_border(solver, &a);
  if (!status) status = take_solution(solver);
  return pd_agree_status(solver->processes, status);
}

/* ---- how far ---- */

/* no point of the body goes further along its direction */
static double way_of(const pd_substep_solver *solver, int i)
{
  const double *d = solver->work.direction + 6 * i;
  const double lever = solver->sys->body[i].shape->lever;
  return pd_norm(pd_v_load(d)) + pd_norm(pd_v_load(d + 3)) * lever;
}

/* how far the bodies of islands go */
static void find_ways(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_islands *s = &solver->work.islands;
  for (int k = 0; k < s->nroot; k++)
    pd_island_nth(s, k)->max.turn = pd_island_nth(s, k)->max.way = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    pd_island_maxima *most = &pd_island_of(s, i)->max;
    if (!pd_moves(&sys->body[i])) continue;
    most->turn = fmax(most->turn, pd_norm(pd_v_load(solver->work.direction + 6 * i + 3)));
    most->way = fmax(most->way, way_of(solver, i) / sys->body[i].shape->radius);
  }
  pd_islands_reduce_extremes(solver);
}

/* large turns are cut short, with all that the island does */
static void limit_turns(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  double *direction = solver->work.direction;
  find_ways(solver);
  for (int i = 0; i < sys->nbody; i++) {
    const double turn =
        pd_moves(&sys->body[i]) ? pd_island_of(&solver->work.islands, i)->max.turn : 0.0;
    for (int m = 0; m < 6 && turn > PD_TURN_LIMIT; m++)
      direction[6 * i + m] *= PD_TURN_LIMIT / turn;
  }
  pd_forward(solver->processes, direction);
}

/* whether the sides of a pair are of two islands at work that may meet on their ways; every body
 * points to the one that stands for its island */
static int may_meet(const pd_substep_solver *solver, pd_contact_pair *pair)
{
  const pd_system *sys = solver->sys;
  const pd_islands *s = &solver->work.islands;
  if (!sys->body[pair->a].mobile || !sys->body[pair->b].mobile) return 0;
  if (!s->of[s->parent[pair->a]].active || !s->of[s->parent[pair->b]].active) return 0;
  const double go = way_of(solver, pair->a) + way_of(solver, pair->b),
               cut = go + PD_ENTRY_LIMIT * pair->law->gbar;
  /* processes need not know the same of a pair, but measure the same */
  const int mine = sys->body[pair->a].owned && sys->body[pair->b].owned;
  if (go == 0.0 || (mine && pd_contact_pair_separation(sys, pair) > cut)) return 0;
  return pd_system_distance(sys, pair, cut) < cut;
}

static void find_meeting(void *arg, int begin, int end, int thread)
{
  const pd_substep_solver *solver = (const pd_substep_solver *)arg;
  pd_system *sys = solver->sys;
  const int *parent = solver->work.islands.parent;
  (void)thread;
  for (int i = begin; i < end; i++) {
    const int *ends = sys->ends[i];
    solver->work.meets[i] = parent[ends[0]] != parent[ends[1]] && may_meet(solver, &sys->pair[i]);
  }
}

/* Islands that may meet on their ways have to go together: the step limiter knows one factor for
 * both sides of a pair. */
static pd_status join_meeting(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  pd_islands *s = &solver->work.islands;
  int joined = 0;
  if (!pd_uses(solver, PD_JOIN_MEETING)) return PD_OK;
  pd_loop(&sys->loops, sys->npair, PD_SCAN_CHUNK, find_meeting, solver);
  for (int i = 0; i < sys->npair; i++)
    if (solver->work.meets[i] && pd_island_join(s, sys->ends[i][0], sys->ends[i][1]))
      pd_island_of(s, sys->ends[i][0])->active = joined = 1;
  const pd_status status = pd_agree(solver->processes, PD_OK, &joined);
  if (status) return status;
  return joined ? pd_islands_agree(solver) : PD_OK;
}

/* The step limiter's fractions of the bodies here, and those of their islands; *limited: there are
 * any below 1. */
static pd_status find_fractions(pd_substep_solver *solver, int *limited)
{
  const pd_system *sys = solver->sys;
  const pd_step_request request = {
      .direction = solver->work.direction, .eta = solver->opt->eta, .evaluated = 1};
  pd_step_limits limits = {
      .fraction = solver->work.fraction, .least = 1.0, .wall = 1.0, .pair = -1};
  const pd_status status = pd_system_limit_step(solver->sys, &request, &limits);
  for (int i = 0; i < sys->nbody && !status; i++) {
    double *least = &pd_island_of(&solver->work.islands, i)->min.limit;
    if (!sys->body[i].mobile) continue;
    *least = fmin(*least, limits.fraction[i]);
    if (limits.fraction[i] < 1.0) *limited = 1;
  }
  return status;
}

/* what the step limiter allows to every island */
static pd_status limit_step(pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  pd_status status = PD_OK;
  int limited = 0;
  for (int k = 0; k < s->nroot; k++) pd_island_nth(s, k)->min.limit = 1.0;
  if (solver->opt->filter) status = find_fractions(solver, &limited);
  status = pd_agree(solver->processes, status, &limited);
  if (status) return status;
  if (limited) solver->out->limited++;
  pd_islands_reduce_extremes(solver);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    island->factor = island->min.limit;
  }
  return PD_OK;
}

pd_status pd_newton_direction(pd_substep_solver *solver)
{
  pd_make_inelastic(solver);
  pd_choose_local_steps(solver);
  find_tangents(solver);
  pd_status status = solve_linear(solver);
  if (status) return status;
  limit_turns(solver);
  status = join_meeting(solver);
  return status ? status : limit_step(solver);
}
