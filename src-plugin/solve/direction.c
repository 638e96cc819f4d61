/* SPDX-License-Identifier: MIT
 * Where an iteration goes: whom it moves, which impacts are made inelastic, the linear system, and
 * how far the step limiter lets it. */
#include <string.h>

#include "solve/newton_internal.h"
#include "dynamics/system_internal.h"

/* ---- local steps ---- */

/* Squared residuals of all bodies, ghosts included, into sys->step_fraction. */
static void find_residuals(const solve_state *z)
{
  pd_system *sys = z->sys;
  for (int i = 0; i < sys->nbody; i++)
    sys->buffer[6 * i] = pd_body_residual2(&sys->body[i], sys->force + 6 * i);
  if (z->services->forward) z->services->forward(z->services->ctx, sys->buffer);
  for (int i = 0; i < sys->nbody; i++) sys->step_fraction[i] = sys->buffer[6 * i];
}

/* largest residuals of the islands; those of all bodies go into sys->step_fraction */
static void find_peaks(const solve_state *z)
{
  pd_system *sys = z->sys;
  find_residuals(z);
  for (int k = 0; k < sys->islands.nroot; k++) pd_island_nth(&sys->islands, k)->top[PD_PEAK] = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    double *peak = &pd_island_of(z, i)->top[PD_PEAK];
    if (pd_moves(&sys->body[i])) *peak = fmax(*peak, sys->step_fraction[i]);
  }
  pd_islands_reduce_tops(z);
}

/* an island of that many bodies, whose residual has not fallen by that factor, has a step of those
 * bodies alone whose residual is that part of the largest, if they with their neighbours are no
 * more than that part of all */
static const double CROWD = 16.0, SLOW = 0.5, HOT = 1e-1, PART = 0.5;

enum { RINGS = 2 };

static int is_stagnant(const pd_island *o)
{
  return o->active && o->sum[PD_NBODIES] >= CROWD && o->top[PD_NEW] <= -2.0 &&
         o->past[0] > SLOW * o->past[1];
}

/* the neighbours of bodies of local steps become part of it, too */
static void spread_local_step(const solve_state *z)
{
  pd_system *sys = z->sys;
  for (int i = 0; i < sys->nbody; i++) sys->residual_dirty[i] = sys->in_local_step[i];
  for (int k = 0; k < sys->nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->active_pair[k]];
    if (pair->wall || !pd_response_of(sys, sys->active_pair[k])->active) continue;
    sys->residual_dirty[pair->a] |= sys->in_local_step[pair->b];
    sys->residual_dirty[pair->b] |= sys->in_local_step[pair->a];
  }
  for (int i = 0; i < sys->nbody; i++) sys->buffer[6 * i] = sys->residual_dirty[i];
  if (z->services->forward) z->services->forward(z->services->ctx, sys->buffer);
  for (int i = 0; i < sys->nbody; i++) sys->in_local_step[i] = sys->buffer[6 * i] > 0.0;
}

/* Peaks of the residual are taken off first, by steps that leave the other bodies where they are: a
 * full step would have to be shortened for all because of them. */
static void choose_local(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  int slow = 0;
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    o->local = is_stagnant(o);
    o->sum[PD_NLOCAL] = 0.0;
    slow |= o->local;
  }
  if (!pd_anywhere(z, slow)) return;
  find_peaks(z);
  for (int i = 0; i < sys->nbody; i++)
    sys->in_local_step[i] =
        sys->body[i].mobile && sys->step_fraction[i] > HOT * HOT * pd_island_of(z, i)->top[PD_PEAK];
  for (int k = 0; k < RINGS; k++) spread_local_step(z);
  for (int i = 0; i < sys->nbody; i++)
    if (pd_moves(&sys->body[i])) pd_island_of(z, i)->sum[PD_NLOCAL] += sys->in_local_step[i];
  pd_islands_reduce_local(z);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    const double part = o->sum[PD_NLOCAL] / fmax(1.0, o->sum[PD_NBODIES]);
    o->local = o->local && part <= PART;
    if (o->local) o->top[PD_AGE] -= 1.0 - fmax(0.25, part);
  }
}

/* ---- impacts that do not converge ---- */

/* iterations after which an island's impacts may be made inelastic; a collision of one or two
 * bodies is given longer, and only made inelastic where damping leaves little of it */
static const double PATIENCE = 5.0, LONG_PATIENCE = 14.0, LITTLE = 0.3;

/* whether a body is among those that keep its island from converging */
static int holds_up(const solve_state *z, int i)
{
  const pd_island *o = pd_island_of(z, i);
  return !z->sys->body[i].mobile || z->sys->step_fraction[i] > HOT * HOT * o->top[PD_PEAK];
}

/* whether the island has taken so long, and gets on so slowly, that impacts of it shall be
 * inelastic */
static int is_late(const pd_island *o)
{
  if (!o->active || o->top[PD_NEW] > -2.0 || o->past[0] <= SLOW * o->past[1]) return 0;
  return o->top[PD_AGE] > (o->sum[PD_NBODIES] > 2.0 ? PATIENCE : LONG_PATIENCE);
}

/* whether the pair may be inelastic in an island that is late */
static int may_be_inelastic(const solve_state *z, const pd_contact_pair *pair)
{
  if (pair->beta >= 1.0 || pd_law_lossless(pair->law)) return 0;
  if (pd_island_of(z, pd_mover(z->sys, pair))->sum[PD_NBODIES] > 2.0) return 1;
  return !pair->law->has_e && pair->law->zeta > LITTLE;
}

/* The energy-momentum force of an impact need not have a solution close by. Where an island takes
 * long, pairs between bodies that are far out of balance take the force of their end instead, as
 * Euler's method does, which costs them their restitution; not where energy has to be kept. */
static void make_inelastic(const solve_state *z)
{
  pd_system *sys = z->sys;
  int late = 0;
  if (sys->scheme.kind != PD_EM) return;
  for (int k = 0; k < sys->islands.nroot; k++) late |= is_late(pd_island_nth(&sys->islands, k));
  if (!pd_anywhere(z, late)) return;
  find_peaks(z);
  for (int k = 0; k < sys->nactive; k++) {
    pd_contact_pair *pair = &sys->pair[sys->active_pair[k]];
    if (!pd_response_of(sys, sys->active_pair[k])->active) continue;
    if (!is_late(pd_island_of(z, pd_mover(sys, pair))) || !may_be_inelastic(z, pair)) continue;
    if (!holds_up(z, pair->a) || (!pair->wall && !holds_up(z, pair->b))) continue;
    pair->beta = 1.0;
    sys->moved[pair->a] = 1;
    sys->tangent_current[pair->a] = 0;
    if (!pair->wall) sys->tangent_current[pair->b] = 0;
  }
}

/* Every free body has its rows at the present increments. */
static void find_tangents(solve_state *z)
{
  pd_system *sys = z->sys;
  int missing = 0;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i]) || sys->tangent_current[i] || !pd_is_free(z, i)) continue;
    sys->moved[i] = 1;
    missing = 1;
  }
  if (pd_anywhere(z, missing)) pd_newton_evaluate(z, 0, 1);
}

/* ---- direction ---- */

/* rows without unknowns hold the identity */
static void set_identity_row(pd_system *sys, int i)
{
  const pd_body *b = &sys->body[i];
  if (sys->row_is_identity[i]) return;
  pd_system_clear_row(sys, b->row);
  double *k = sys->values + 36 * (size_t)pd_system_diagonal(sys, b);
  for (int m = 0; m < 6; m++) k[7 * m] = 1.0;
  sys->row_is_identity[i] = 1;
  sys->tangent_current[i] = 0;
}

/* An inexact direction leaves at most this part of the residual, */
static const double COARSE = 1e-3;

/* and less, the smaller the residual is: what is left shall not be more than what Newton's method
 * would leave of it anyway, but there is no use in less than a tenth of what ends the iteration. */
static double left_of(const solve_state *z, const pd_island *o)
{
  const double r = sqrt(o->sum[PD_RESIDUAL2]), scale = pd_island_scale(z, o);
  if (!(r > 0.0)) return DBL_MAX;
  const double own = scale > r * COARSE ? fmin(COARSE, r / scale) : COARSE;
  return fmax(0.1 * z->opt->tol * scale, r * own);
}

/* The residual that the linear system may be left with, over that of all bodies: no island
 * shall be spoilt by another one's. */
static double accuracy(const solve_state *z)
{
  const pd_islands *s = &z->sys->islands;
  double least = -DBL_MAX;
  for (int k = 0; k < s->nroot; k++)
    if (pd_island_nth(s, k)->active) least = fmax(least, -left_of(z, pd_island_nth(s, k)));
  pd_global_max(z->services, &least, 1);
  const double all = sqrt(z->total[PD_RESIDUAL2]);
  return all > 0.0 && least > -DBL_MAX ? -least / all : 0.0;
}

/* Newton direction of the active islands into sys->step, zero for the others */
static pd_status solve_linear(const solve_state *z)
{
  pd_system *sys = z->sys;
  int bad = 0;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i])) continue;
    double *rhs = sys->rhs + 6 * (sys->body[i].row - sys->first);
    const int is = pd_is_free(z, i);
    if (!is) set_identity_row(sys, i);
    for (int m = 0; m < 6; m++) rhs[m] = is ? -sys->force[6 * i + m] : 0.0;
  }
  const pd_linear a = {sys->values, sys->rhs, sys->nonzero, accuracy(z)};
  const pd_status status = z->services->solve(z->services->ctx, &a, sys->buffer);
  memset(sys->step, 0, (size_t)sys->nbody * 6 * sizeof(double));
  for (int i = 0; i < sys->nbody && !status; i++) {
    if (!pd_moves(&sys->body[i])) continue;
    const double *x = sys->buffer + 6 * (sys->body[i].row - sys->first);
    for (int m = 0; m < 6; m++) bad |= !(fabs(x[m]) <= DBL_MAX);
    memcpy(sys->step + 6 * i, x, 6 * sizeof(double));
  }
  double worst = bad ? PD_ESINGULAR : status;
  pd_global_max(z->services, &worst, 1);
  return (pd_status)(int)worst;
}

/* turns by more than half a radian are cut short, with all that the island does */
static void limit_turns(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  for (int k = 0; k < s->nroot; k++) pd_island_nth(s, k)->top[PD_TURN] = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    double *turn = &pd_island_of(z, i)->top[PD_TURN];
    if (pd_moves(&sys->body[i])) *turn = fmax(*turn, pd_norm(pd_v_load(sys->step + 6 * i + 3)));
  }
  pd_islands_reduce_tops(z);
  for (int i = 0; i < sys->nbody; i++) {
    const double turn = pd_moves(&sys->body[i]) ? pd_island_of(z, i)->top[PD_TURN] : 0.0;
    for (int m = 0; m < 6 && turn > 0.5; m++) sys->step[6 * i + m] *= 0.5 / turn;
  }
  if (z->services->forward) z->services->forward(z->services->ctx, sys->step);
}

static double speed_of(const pd_system *sys, int i)
{
  const double *d = sys->step + 6 * i;
  return pd_norm(pd_v_load(d)) + pd_norm(pd_v_load(d + 3)) * sys->body[i].shape->radius;
}

/* whether the sides of a pair are of two islands at work that may meet on their ways */
static int may_meet(const pd_system *sys, pd_contact_pair *pair, pd_worker *worker)
{
  const pd_islands *s = &sys->islands;
  if (!sys->body[pair->a].mobile || !sys->body[pair->b].mobile) return 0;
  if (!s->of[s->parent[pair->a]].active || !s->of[s->parent[pair->b]].active) return 0;
  const double go = speed_of(sys, pair->a) + speed_of(sys, pair->b),
               cut = go + PD_ENTRY_LIMIT * pair->law->gbar;
  /* processes need not know the same of a pair, but measure the same */
  const int mine = sys->body[pair->a].owned && sys->body[pair->b].owned;
  if (go == 0.0 || (mine && pd_contact_pair_separation(sys, pair) > cut)) return 0;
  pd_status status;
  const double d = pd_system_distance(sys, pair, cut, worker->work, &status);
  if (status) worker->status = status;
  return !status && d < cut;
}

/* Which, into sys->flag; every body points to the one that stands for its island */
static void find_meeting(void *arg, int begin, int end, int thread)
{
  pd_system *sys = (pd_system *)arg;
  const int *up = sys->islands.parent;
  for (int i = begin; i < end; i++) {
    const int *ends = sys->ends[i];
    sys->flag[i] = up[ends[0]] != up[ends[1]] && may_meet(sys, &sys->pair[i], &sys->worker[thread]);
  }
}

/* Islands that may meet on their ways have to go together: the step limiter knows one factor for
 * both sides of a pair. */
static pd_status join_meeting(const solve_state *z)
{
  pd_system *sys = z->sys;
  double any[2] = {PD_OK, 0.0};
  for (int t = 0; t < sys->nworker; t++) sys->worker[t].status = PD_OK;
  pd_loop(&sys->loops, sys->npair, 8 * PD_PAIR_CHUNK, find_meeting, sys);
  for (int t = 0; t < sys->nworker; t++) any[0] = fmax(any[0], sys->worker[t].status);
  for (int i = 0; i < sys->npair; i++)
    if (sys->flag[i] && pd_island_join(&sys->islands, sys->ends[i][0], sys->ends[i][1])) {
      pd_island_of(z, sys->ends[i][0])->active = 1;
      any[1] = 1.0;
    }
  pd_global_max(z->services, any, 2);
  if (any[0] > 0.0) return PD_ENOMEM;
  return any[1] > 0.0 ? pd_islands_agree(z) : PD_OK;
}

/* what the step limiter allows to every island */
static pd_status limit_step(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  pd_status status = PD_OK;
  double wall, any[2] = {0.0, 0.0};
  for (int k = 0; k < s->nroot; k++) pd_island_nth(s, k)->top[PD_HELD] = -1.0;
  if (z->opt->filter) {
    pd_system_limit_step(sys, z->opt->eta, 0, &wall, &status);
    for (int i = 0; i < sys->nbody && !status; i++) {
      double *held = &pd_island_of(z, i)->top[PD_HELD];
      if (!sys->body[i].mobile) continue;
      *held = fmax(*held, -sys->step_fraction[i]);
      if (sys->step_fraction[i] < 1.0) any[1] = 1.0;
    }
  }
  any[0] = status;
  pd_global_max(z->services, any, 2);
  if (any[0] > 0.0) return (pd_status)(int)any[0];
  if (any[1] > 0.0) z->out->limited++;
  pd_islands_reduce_tops(z);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    o->factor = -o->top[PD_HELD];
  }
  return PD_OK;
}

pd_status pd_newton_direction(solve_state *z)
{
  make_inelastic(z);
  choose_local(z);
  find_tangents(z);
  pd_status status = solve_linear(z);
  if (status) return status;
  limit_turns(z);
  status = join_meeting(z);
  return status ? status : limit_step(z);
}
