/* SPDX-License-Identifier: MIT
 * Newton's iteration by islands. Every island has its own line search and is left alone, its rows
 * of the matrix the identity, once it has converged; links whose bodies have not moved are not
 * evaluated again. Islands that come to have forces on each other become one. */
#include <string.h>

#include "newton_internal.h"

/* an iteration may leave this fraction of its virtual work, or overshoot by it */
static const double SLOPE = 0.9;

/* how far into its skin an increment may bring a contact that was open: see system_filter.c */
static const double ENTER = 0.95;

/* ghosts get the increments of their owners */
static void forward_increments(const solve_state *z)
{
  pd_system *sys = z->sys;
  if (!z->env->forward) return;
  for (int i = 0; i < sys->nbody; i++) {
    pd_v_store(sys->six + 6 * i, sys->body[i].u);
    pd_v_store(sys->six + 6 * i + 3, sys->body[i].alpha);
  }
  z->env->forward(z->env->ctx, sys->six);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (b->owned) continue;
    const pd_vec3 u = pd_v_load(sys->six + 6 * i), alpha = pd_v_load(sys->six + 6 * i + 3);
    if (memcmp(&u, &b->u, sizeof u) || memcmp(&alpha, &b->alpha, sizeof alpha)) sys->stir[i] = 1;
    b->u = u;
    b->alpha = alpha;
  }
}

static int stands(const pd_islands *s, int i) { return s->up[i] == i; }

static pd_island *island_of(const solve_state *z, int body)
{
  pd_islands *s = &z->sys->islands;
  return &s->of[pd_island_find(s, body)];
}

/* a link's body that the step moves */
static int mover(const pd_system *sys, const pd_link *l)
{
  return sys->body[l->a].mobile || l->wall ? l->a : l->b;
}

/* whether anything is true of any process */
static int anywhere(const solve_state *z, int here)
{
  double x = here;
  pd_global_max(z->env, &x, 1);
  return x > 0.0;
}

/* ---- islands of several processes ---- */

/* maxima over the processes of the parts of shared islands */
static void reduce_tops(const solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  if (s->nshared == 0) return;
  for (int i = 0; i < s->nshared * PD_NTOP; i++) s->share[i] = -DBL_MAX;
  for (int i = 0; i < s->n; i++)
    if (stands(s, i) && s->of[i].shared >= 0)
      memcpy(s->share + PD_NTOP * s->of[i].shared, s->of[i].top, sizeof s->of[i].top);
  pd_global_max(z->env, s->share, s->nshared * PD_NTOP);
  for (int i = 0; i < s->n; i++)
    if (stands(s, i) && s->of[i].shared >= 0)
      memcpy(s->of[i].top, s->share + PD_NTOP * s->of[i].shared, sizeof s->of[i].top);
}

static void reduce_sums(const solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  if (s->nshared == 0) return;
  memset(s->share, 0, (size_t)s->nshared * PD_NSUM * sizeof(double));
  for (int i = 0; i < s->n; i++)
    if (stands(s, i) && s->of[i].shared >= 0)
      memcpy(s->share + PD_NSUM * s->of[i].shared, s->of[i].sum, sizeof s->of[i].sum);
  pd_global_sum(z->env, s->share, s->nshared * PD_NSUM);
  for (int i = 0; i < s->n; i++)
    if (stands(s, i) && s->of[i].shared >= 0)
      memcpy(s->of[i].sum, s->share + PD_NSUM * s->of[i].shared, sizeof s->of[i].sum);
}

/* the same of the number of hot bodies alone */
static void reduce_hot(const solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  if (s->nshared == 0) return;
  memset(s->share, 0, (size_t)s->nshared * sizeof(double));
  for (int i = 0; i < s->n; i++)
    if (stands(s, i) && s->of[i].shared >= 0) s->share[s->of[i].shared] = s->of[i].sum[PD_NHOT];
  pd_global_sum(z->env, s->share, s->nshared);
  for (int i = 0; i < s->n; i++)
    if (stands(s, i) && s->of[i].shared >= 0) s->of[i].sum[PD_NHOT] = s->share[s->of[i].shared];
}

/* One round of telling the other processes the least row of every island; whether one was news. */
static int spread_labels(const solve_state *z)
{
  pd_system *sys = z->sys;
  int news = 0;
  for (int i = 0; i < sys->nbody; i++) sys->six[6 * i] = island_of(z, i)->label;
  z->env->forward(z->env->ctx, sys->six);
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    pd_island *o = island_of(z, i);
    if (b->owned || !b->mobile || !(sys->six[6 * i] < o->label)) continue;
    o->label = sys->six[6 * i];
    news = 1;
  }
  return anywhere(z, news);
}

/* Parts that hang together elsewhere become one here; numbers those of which other processes have a
 * part. Errors: PD_ENOMEM. */
static pd_status number_shared(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  const int rows = (int)sys->nglobal;
  const pd_status status = pd_islands_share(s, 0, rows);
  if (anywhere(z, status)) return PD_ENOMEM;
  for (int i = 0; i < rows; i++) s->mark[i] = -1.0;
  for (int i = 0; i < sys->nbody; i++) {
    if (!sys->body[i].mobile) continue;
    const int label = (int)island_of(z, i)->label;
    if (s->mark[label] < 0.0)
      s->mark[label] = i;
    else if (pd_island_join(s, i, (int)s->mark[label]))
      island_of(z, i)->label = label;
  }
  for (int i = 0; i < rows; i++) s->mark[i] = 0.0;
  for (int i = 0; i < sys->nbody; i++)
    if (!sys->body[i].owned && sys->body[i].mobile) s->mark[(int)island_of(z, i)->label] = 1.0;
  pd_global_max(z->env, s->mark, rows);
  s->nshared = 0;
  for (int i = 0; i < rows; i++) s->mark[i] = s->mark[i] > 0.0 ? s->nshared++ : -1;
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].mobile) island_of(z, i)->shared = (int)s->mark[(int)island_of(z, i)->label];
  const int most = (int)PD_NSUM + (int)PD_NTOP;
  return anywhere(z, pd_islands_share(s, most * s->nshared, rows)) ? PD_ENOMEM : PD_OK;
}

/* All processes see the same islands, after some have joined some. Errors: PD_ENOMEM. */
static pd_status agree(const solve_state *z)
{
  pd_system *sys = z->sys;
  if (!z->env->forward) return PD_OK;
  for (int i = 0; i < sys->nbody; i++) island_of(z, i)->label = DBL_MAX;
  for (int i = 0; i < sys->nbody; i++) {
    pd_island *o = island_of(z, i);
    if (sys->body[i].mobile) o->label = fmin(o->label, (double)sys->body[i].row);
  }
  while (spread_labels(z)) continue;
  const pd_status status = number_shared(z);
  if (!status) reduce_tops(z);
  return status;
}

/* Islands of the links with forces; whether any have joined. */
static int join_acting(const solve_state *z)
{
  pd_system *sys = z->sys;
  int joined = 0;
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    if (l->wall || !sys->action[i].acts) continue;
    if (!sys->body[l->a].mobile || !sys->body[l->b].mobile) continue;
    joined |= pd_island_join(&sys->islands, l->a, l->b);
  }
  return joined;
}

/* ---- sums ---- */

static void add_body(const pd_system *sys, int i, double *sum)
{
  const pd_body *b = &sys->body[i];
  const pd_scheme s = pd_body_scheme(sys, b);
  const double m = b->in.mass, r = b->shape->radius, *f = sys->force + 6 * i,
               *d = sys->step + 6 * i;
  const double j = (b->in.j.x + b->in.j.y + b->in.j.z) / 3.0, eps = DBL_EPSILON;
  const double ft = pd_norm2(pd_v_load(f)), mt = pd_norm2(pd_v_load(f + 3));
  sum[PD_RESIDUAL2] += ft + mt / (r * r);
  sum[PD_MERIT2] += ft / (m * m) + mt * (r / j) * (r / j);
  sum[PD_SCALE2] +=
      pd_norm2(pd_add(b->fext, b->fload)) + pd_norm2(pd_add(b->text, b->mload)) / (r * r);
  const double stiff = pd_inertia_stiffness(&s, &b->in);
  const double round_f = eps * stiff * (pd_norm(b->u) + s.h * pd_norm(b->o.v));
  const double round_m = eps * stiff * (j / m) * (pd_norm(b->alpha) + s.h * pd_norm(b->o.w)) / r;
  sum[PD_FLOOR2] += 8.0 * (round_f * round_f + round_m * round_m);
  const pd_vec3 spin = pd_mv(b->k.xi, pd_v_load(d + 3));
  sum[PD_SLOPE] += pd_dot(pd_v_load(f), pd_v_load(d)) + pd_dot(pd_v_load(f + 3), spin);
  sum[PD_NBODIES] += 1.0;
}

static void add_links(const solve_state *z)
{
  const pd_system *sys = z->sys;
  for (int i = 0; i < sys->nlink; i++) {
    const pd_action *act = &sys->action[i];
    if (!act->acts && !act->status) continue;
    pd_island *o = island_of(z, mover(sys, &sys->link[i]));
    o->top[PD_BAD] = fmax(o->top[PD_BAD], act->status);
    if (act->acts) o->sum[PD_SCALE2] += sys->link[i].share * act->scale2;
  }
}

/* sums of all islands from the last evaluation */
static void sum_up(solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  for (int i = 0; i < s->n; i++) {
    memset(s->of[i].sum, 0, sizeof s->of[i].sum);
    s->of[i].top[PD_BAD] = 0.0;
  }
  for (int k = 0; k < sys->norder; k++) {
    const int i = sys->order[k];
    if (sys->body[i].mobile) add_body(sys, i, island_of(z, i)->sum);
  }
  add_links(z);
  memset(z->total, 0, sizeof z->total);
  for (int i = 0; i < s->n; i++) {
    if (!stands(s, i)) continue;
    for (int k = 0; k < PD_NSUM; k++) z->total[k] += s->of[i].sum[k];
    if (s->of[i].active) z->total[PD_AT_WORK] += s->of[i].sum[PD_RESIDUAL2];
    if (!(s->of[i].sum[PD_RESIDUAL2] <= DBL_MAX))
      s->of[i].top[PD_BAD] = fmax(s->of[i].top[PD_BAD], PD_ENAN);
  }
  pd_global_sum(z->env, z->total, PD_NSUM);
  reduce_sums(z);
  reduce_tops(z);
}

/* An island against its own forces or its share of those of all; for all of them together the
 * latter makes half of what is allowed. */
static int converged(const solve_state *z, const pd_island *o)
{
  const double tol2 = z->opt->tol * z->opt->tol, *t = z->total;
  const double share = 0.5 * t[PD_SCALE2] * o->sum[PD_NBODIES] / fmax(1.0, t[PD_NBODIES]);
  const double enough = tol2 * fmax(o->sum[PD_SCALE2], share);
  return o->top[PD_BAD] == 0.0 && o->sum[PD_RESIDUAL2] <= fmax(enough, o->sum[PD_FLOOR2]);
}

static int all_converged(const solve_state *z)
{
  const double *t = z->total;
  return t[PD_RESIDUAL2] <= fmax(z->opt->tol * z->opt->tol * t[PD_SCALE2], t[PD_FLOOR2]);
}

/* the history is that of the islands at work */
static void record(const solve_state *z, int it)
{
  pd_substep *out = z->out;
  const double *t = z->total;
  out->iterations = it;
  out->residual = sqrt(t[PD_RESIDUAL2]);
  out->scale = sqrt(t[PD_SCALE2]);
  if (it < PD_HISTORY)
    out->history[it] = t[PD_SCALE2] > 0.0 ? sqrt(t[PD_AT_WORK] / t[PD_SCALE2]) : 0.0;
}

/* ---- evaluation ---- */

/* Stirred bodies and their links; all of them at first. A lack of memory is noted in z->starved. */
static void evaluate(solve_state *z, int all, int tangent)
{
  pd_system *sys = z->sys;
  pd_totals t;
  z->out->evaluations++;
  forward_increments(z);
  const pd_status status =
      all ? pd_system_eval(sys, PD_AT_TRIAL, tangent, &t) : pd_system_eval_stirred(sys, tangent);
  if (status == PD_ENOMEM) z->starved = 1;
}

/* ---- local steps ---- */

/* whether the body has unknowns in this iteration */
static int is_free(const solve_state *z, int i)
{
  const pd_island *o = island_of(z, i);
  return o->active && (!o->local || z->sys->hot[i]);
}

/* Squared residuals of all bodies, ghosts included, into sys->fac. */
static void find_residuals(const solve_state *z)
{
  pd_system *sys = z->sys;
  for (int i = 0; i < sys->nbody; i++) {
    const double r = sys->body[i].shape->radius, *f = sys->force + 6 * i;
    sys->six[6 * i] = pd_norm2(pd_v_load(f)) + pd_norm2(pd_v_load(f + 3)) / (r * r);
  }
  if (z->env->forward) z->env->forward(z->env->ctx, sys->six);
  for (int i = 0; i < sys->nbody; i++) sys->fac[i] = sys->six[6 * i];
}

/* largest residuals of the islands; those of all bodies go into sys->fac */
static void find_peaks(const solve_state *z)
{
  pd_system *sys = z->sys;
  find_residuals(z);
  for (int i = 0; i < sys->islands.n; i++) sys->islands.of[i].top[PD_PEAK] = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    double *peak = &island_of(z, i)->top[PD_PEAK];
    if (pd_moves(&sys->body[i])) *peak = fmax(*peak, sys->fac[i]);
  }
  reduce_tops(z);
}

/* an island of that many bodies, whose residual has not fallen by that factor, has a step of those
 * bodies alone whose residual is that part of the largest, if they with their neighbours are no
 * more than that part of all */
static const double CROWD = 16.0, SLOW = 0.5, HOT = 1e-1, PART = 0.5;

enum { RINGS = 2 };

static int is_slow(const pd_island *o)
{
  return o->active && o->sum[PD_NBODIES] >= CROWD && o->top[PD_NEW] <= -2.0 &&
         o->past[0] > SLOW * o->past[1];
}

/* the neighbours of hot bodies become hot, too */
static void spread_heat(const solve_state *z)
{
  pd_system *sys = z->sys;
  for (int i = 0; i < sys->nbody; i++) sys->hit[i] = sys->hot[i];
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    if (l->wall || !sys->action[i].acts) continue;
    sys->hit[l->a] |= sys->hot[l->b];
    sys->hit[l->b] |= sys->hot[l->a];
  }
  for (int i = 0; i < sys->nbody; i++) sys->six[6 * i] = sys->hit[i];
  if (z->env->forward) z->env->forward(z->env->ctx, sys->six);
  for (int i = 0; i < sys->nbody; i++) sys->hot[i] = sys->six[6 * i] > 0.0;
}

/* Peaks of the residual are taken off first, by steps that leave the other bodies where they are: a
 * full step would have to be shortened for all because of them. */
static void choose_local(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  int slow = 0;
  for (int i = 0; i < s->n; i++) {
    s->of[i].local = stands(s, i) && is_slow(&s->of[i]);
    s->of[i].sum[PD_NHOT] = 0.0;
    slow |= s->of[i].local;
  }
  if (!anywhere(z, slow)) return;
  find_peaks(z);
  for (int i = 0; i < sys->nbody; i++)
    sys->hot[i] = sys->body[i].mobile && sys->fac[i] > HOT * HOT * island_of(z, i)->top[PD_PEAK];
  for (int k = 0; k < RINGS; k++) spread_heat(z);
  for (int i = 0; i < sys->nbody; i++)
    if (pd_moves(&sys->body[i])) island_of(z, i)->sum[PD_NHOT] += sys->hot[i];
  reduce_hot(z);
  for (int i = 0; i < s->n; i++) {
    pd_island *o = &s->of[i];
    const double part = o->sum[PD_NHOT] / fmax(1.0, o->sum[PD_NBODIES]);
    o->local = o->local && part <= PART;
    if (o->local) o->top[PD_AGE] -= 1.0 - fmax(0.25, part);
  }
}

/* ---- impacts that do not converge ---- */

/* iterations after which an island's impacts may be made dead; a collision of one or two bodies is
 * given longer, and only made dead where damping leaves little of it */
static const double PATIENCE = 5.0, LONG_PATIENCE = 14.0, LITTLE = 0.3;

static int lossless(const pd_law *law) { return law->has_e ? law->e >= 1.0 : law->zeta <= 0.0; }

/* whether a body is among those that keep its island from converging */
static int holds_up(const solve_state *z, int i)
{
  const pd_island *o = island_of(z, i);
  return !z->sys->body[i].mobile || z->sys->fac[i] > HOT * HOT * o->top[PD_PEAK];
}

/* whether the island has taken so long, and gets on so slowly, that impacts of it shall be dead */
static int is_late(const pd_island *o)
{
  if (!o->active || o->top[PD_NEW] > -2.0 || o->past[0] <= SLOW * o->past[1]) return 0;
  return o->top[PD_AGE] > (o->sum[PD_NBODIES] > 2.0 ? PATIENCE : LONG_PATIENCE);
}

/* whether the link may be dead in an island that is late */
static int may_die(const solve_state *z, const pd_link *l)
{
  if (l->beta >= 1.0 || lossless(l->law)) return 0;
  if (island_of(z, mover(z->sys, l))->sum[PD_NBODIES] > 2.0) return 1;
  return !l->law->has_e && l->law->zeta > LITTLE;
}

/* The energy-momentum force of an impact need not have a solution close by. Where an island takes
 * long, links between bodies that are far out of balance take the force of their end instead, as
 * Euler's method does, which costs them their restitution; not where energy has to be kept. */
static void deaden(const solve_state *z)
{
  pd_system *sys = z->sys;
  int late = 0;
  if (sys->scheme.kind != PD_EM) return;
  for (int i = 0; i < sys->islands.n; i++)
    late |= stands(&sys->islands, i) && is_late(&sys->islands.of[i]);
  if (!anywhere(z, late)) return;
  find_peaks(z);
  for (int i = 0; i < sys->nlink; i++) {
    pd_link *l = &sys->link[i];
    if (!sys->action[i].acts || !is_late(island_of(z, mover(sys, l))) || !may_die(z, l)) continue;
    if (!holds_up(z, l->a) || (!l->wall && !holds_up(z, l->b))) continue;
    l->beta = 1.0;
    sys->stir[l->a] = 1;
    sys->keen[l->a] = 0;
    if (!l->wall) sys->keen[l->b] = 0;
  }
}

/* Every free body has its rows at the present increments. */
static void find_tangents(solve_state *z)
{
  pd_system *sys = z->sys;
  int missing = 0;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i]) || sys->keen[i] || !is_free(z, i)) continue;
    sys->stir[i] = 1;
    missing = 1;
  }
  if (anywhere(z, missing)) evaluate(z, 0, 1);
}

/* ---- direction ---- */

/* rows without unknowns hold the identity */
static void make_solid(pd_system *sys, int i)
{
  const pd_body *b = &sys->body[i];
  const int *p = sys->rowptr + (b->row - sys->first);
  if (sys->solid[i]) return;
  memset(sys->values + 36 * (size_t)p[0], 0, (size_t)(p[1] - p[0]) * 36 * sizeof(double));
  for (int k = p[0]; k < p[1]; k++)
    for (int m = 0; m < 6 && sys->col[k] == b->row; m++) sys->values[36 * (size_t)k + 7 * m] = 1.0;
  sys->solid[i] = 1;
  sys->keen[i] = 0;
}

/* Newton direction of the active islands into sys->step, zero for the others */
static pd_status solve_linear(const solve_state *z)
{
  pd_system *sys = z->sys;
  int bad = 0;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i])) continue;
    double *rhs = sys->rhs + 6 * (sys->body[i].row - sys->first);
    const int is = is_free(z, i);
    if (!is) make_solid(sys, i);
    for (int m = 0; m < 6; m++) rhs[m] = is ? -sys->force[6 * i + m] : 0.0;
  }
  const pd_status status = z->env->solve(z->env->ctx, sys->values, sys->rhs, sys->six);
  memset(sys->step, 0, (size_t)sys->nbody * 6 * sizeof(double));
  for (int i = 0; i < sys->nbody && !status; i++) {
    if (!pd_moves(&sys->body[i])) continue;
    const double *x = sys->six + 6 * (sys->body[i].row - sys->first);
    for (int m = 0; m < 6; m++) bad |= !(fabs(x[m]) <= DBL_MAX);
    memcpy(sys->step + 6 * i, x, 6 * sizeof(double));
  }
  double worst = bad ? PD_ESINGULAR : status;
  pd_global_max(z->env, &worst, 1);
  return (pd_status)(int)worst;
}

/* turns by more than half a radian are cut short, with all that the island does */
static void limit_turns(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  for (int i = 0; i < s->n; i++) s->of[i].top[PD_TURN] = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    double *turn = &island_of(z, i)->top[PD_TURN];
    if (pd_moves(&sys->body[i])) *turn = fmax(*turn, pd_norm(pd_v_load(sys->step + 6 * i + 3)));
  }
  reduce_tops(z);
  for (int i = 0; i < sys->nbody; i++) {
    const double turn = pd_moves(&sys->body[i]) ? island_of(z, i)->top[PD_TURN] : 0.0;
    for (int m = 0; m < 6 && turn > 0.5; m++) sys->step[6 * i + m] *= 0.5 / turn;
  }
  if (z->env->forward) z->env->forward(z->env->ctx, sys->step);
}

static double speed_of(const pd_system *sys, int i)
{
  const double *d = sys->step + 6 * i;
  return pd_norm(pd_v_load(d)) + pd_norm(pd_v_load(d + 3)) * sys->body[i].shape->radius;
}

/* Islands that may meet on their ways have to go together: the filter knows one factor for both
 * sides of a link. */
static pd_status join_meeting(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_status status = PD_OK;
  int joined = 0;
  for (int i = 0; i < sys->nlink && !status; i++) {
    pd_link *l = &sys->link[i];
    if (l->wall || !sys->body[l->a].mobile || !sys->body[l->b].mobile) continue;
    const pd_island *a = island_of(z, l->a), *b = island_of(z, l->b);
    if (a == b || !a->active || !b->active) continue;
    const double go = speed_of(sys, l->a) + speed_of(sys, l->b), cut = go + ENTER * l->law->gbar;
    /* processes need not know the same of a link, but measure the same */
    const int mine = sys->body[l->a].owned && sys->body[l->b].owned;
    if (go == 0.0 || (mine && pd_link_clear(sys, l) > cut)) continue;
    if (pd_system_distance(sys, l, cut, sys->worker[0].work, &status) >= cut || status) continue;
    joined |= pd_island_join(&sys->islands, l->a, l->b);
    island_of(z, l->a)->active = 1;
  }
  double any[2] = {status, joined};
  pd_global_max(z->env, any, 2);
  if (any[0] > 0.0) return PD_ENOMEM;
  return any[1] > 0.0 ? agree(z) : PD_OK;
}

/* what the filter allows to every island */
static pd_status clip(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  pd_status status = PD_OK;
  double wall, any[2] = {0.0, 0.0};
  for (int i = 0; i < s->n; i++) s->of[i].top[PD_HELD] = -1.0;
  if (z->opt->filter) {
    pd_system_filter(sys, z->opt->eta, 0, &wall, &status);
    for (int i = 0; i < sys->nbody && !status; i++) {
      double *held = &island_of(z, i)->top[PD_HELD];
      if (!sys->body[i].mobile) continue;
      *held = fmax(*held, -sys->fac[i]);
      if (sys->fac[i] < 1.0) any[1] = 1.0;
    }
  }
  any[0] = status;
  pd_global_max(z->env, any, 2);
  if (any[0] > 0.0) return (pd_status)(int)any[0];
  if (any[1] > 0.0) z->out->clipped++;
  reduce_tops(z);
  for (int i = 0; i < s->n; i++) s->of[i].factor = -s->of[i].top[PD_HELD];
  return PD_OK;
}

static pd_status direction(solve_state *z)
{
  deaden(z);
  choose_local(z);
  find_tangents(z);
  pd_status status = solve_linear(z);
  if (status) return status;
  limit_turns(z);
  status = join_meeting(z);
  return status ? status : clip(z);
}

/* ---- line search ---- */

/* Whether a trial is good enough. Judged by the virtual work along the direction, as the slope of
 * an energy would be: unlike a norm, it is not misled by a contact that has just begun somewhere.
 * Where the direction is not one of descent, the norm has to fall. */
static int good(const solve_state *z, const pd_island *o)
{
  if (o->top[PD_BAD] > 0.0) return 0;
  if (converged(z, o)) return 1;
  if (o->slope < 0.0) return o->sum[PD_SLOPE] <= -SLOPE * o->slope;
  return sqrt(o->sum[PD_MERIT2]) <= (1.0 - 2e-4 * o->factor) * o->merit;
}

static void begin_search(solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  sum_up(z);
  for (int i = 0; i < s->n; i++) {
    pd_island *o = &s->of[i];
    o->merit = sqrt(o->sum[PD_MERIT2]);
    o->slope = o->sum[PD_SLOPE];
    o->best = DBL_MAX;
    o->best_factor = o->factor;
    o->search = stands(s, i) && o->active ? PD_TRYING : PD_FOUND;
  }
}

/* the next trial of an island, if it needs one */
static void try_next(const solve_state *z, pd_island *o, int last)
{
  const double merit = sqrt(o->sum[PD_MERIT2]), now = o->factor;
  if (o->search == PD_SETTLING || good(z, o)) {
    o->search = PD_FOUND;
    return;
  }
  if (o->top[PD_BAD] == 0.0 && merit < o->best) {
    o->best = merit;
    o->best_factor = now;
  }
  o->search = last ? PD_SETTLING : PD_TRYING;
  o->factor = last ? o->best_factor : 0.5 * now;
  if (last && now == o->best_factor) o->search = PD_FOUND;
}

static void try_all(solve_state *z, int tangent)
{
  pd_system *sys = z->sys;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_island *o = island_of(z, i);
    if (pd_moves(&sys->body[i]) && o->search != PD_FOUND && is_free(z, i)) pd_go(sys, i, o->factor);
  }
  evaluate(z, 0, tangent);
  sum_up(z);
}

/* whether the next full step of all islands is likely to converge: it about squares the residual */
static int nearly_there(const solve_state *z)
{
  const pd_islands *s = &z->sys->islands;
  int all = 1;
  for (int i = 0; i < s->n && all; i++) {
    const pd_island *o = &s->of[i];
    if (stands(s, i) && o->active)
      all = o->factor >= 1.0 && o->sum[PD_RESIDUAL2] <= 0.1 * z->opt->tol * o->sum[PD_SCALE2];
  }
  return all;
}

/* Halves the steps of islands until they are good; else keeps the one of the smallest residual. The
 * first trial, which mostly is the last, is evaluated with its tangent, but for the last iteration.
 */
static pd_status line_search(solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  pd_save_increments(z->sys);
  begin_search(z);
  const int last = nearly_there(z);
  for (int k = 0;; k++) {
    double any[2] = {0.0, 0.0};
    try_all(z, k == 0 && !last);
    for (int i = 0; i < s->n; i++) {
      if (!stands(s, i) || s->of[i].search == PD_FOUND) continue;
      try_next(z, &s->of[i], k >= z->opt->lsmax);
      if (s->of[i].search != PD_FOUND) any[0] = 1.0;
    }
    any[1] = z->starved;
    pd_global_max(z->env, any, 2);
    if (any[1] > 0.0) return PD_ENOMEM;
    if (any[0] == 0.0) return PD_OK;
  }
}

/* ---- the iteration ---- */

/* progress over the last iterations is too small to hope for convergence */
static int stagnates(const pd_island *o)
{
  return o->top[PD_AGE] >= 15.0 && -o->top[PD_NEW] >= PD_PAST && o->past[0] > 0.5 * o->past[5];
}

/* notes the merit of this iteration */
static void remember(pd_island *o)
{
  memmove(o->past + 1, o->past, (PD_PAST - 1) * sizeof(double));
  o->past[0] = sqrt(o->sum[PD_MERIT2]);
  o->top[PD_NEW] = fmax(o->top[PD_NEW] - 1.0, -(double)PD_PAST);
}

/* Which islands go on; *more: there is one. Errors: PD_ENEWTON, PD_ESTALL, PD_ENAN. */
static pd_status judge(const solve_state *z, int *more)
{
  pd_islands *s = &z->sys->islands;
  double worst = PD_OK;
  int open = 0;
  for (int i = 0; i < s->n; i++) {
    pd_island *o = &s->of[i];
    if (!stands(s, i)) continue;
    o->active = 0;
    if (o->sum[PD_NBODIES] == 0.0) continue;
    worst = fmax(worst, o->top[PD_BAD]);
    if (converged(z, o)) continue;
    o->active = open = 1;
    remember(o);
  }
  for (int i = 0; i < s->n && !all_converged(z); i++) {
    pd_island *o = &s->of[i];
    if (!stands(s, i) || !o->active) continue;
    if (o->top[PD_AGE] >= z->opt->maxit) worst = fmax(worst, PD_ENEWTON);
    if (stagnates(o)) worst = fmax(worst, PD_ESTALL);
    o->top[PD_AGE] += 1.0;
  }
  double any[2] = {worst, open};
  pd_global_max(z->env, any, 2);
  *more = any[1] > 0.0 && !all_converged(z);
  return (pd_status)(int)any[0];
}

/* what the substep has cost, in iterations of the slowest island */
static double effort_of(const solve_state *z)
{
  const pd_islands *s = &z->sys->islands;
  double most = 0.0;
  for (int i = 0; i < s->n; i++)
    if (stands(s, i)) most = fmax(most, s->of[i].top[PD_AGE]);
  pd_global_max(z->env, &most, 1);
  return most;
}

static void note_totals(const solve_state *z)
{
  pd_totals t;
  pd_system_sum(z->sys, &t);
  double sum[3] = {t.energy, t.spring, t.ncontact}, low = -t.mingap;
  pd_global_sum(z->env, sum, 3);
  pd_global_max(z->env, &low, 1);
  z->out->energy = sum[0];
  z->out->spring = sum[1];
  z->out->ncontact = sum[2];
  z->out->mingap = -low;
}

/* islands at the first guess */
static pd_status begin(solve_state *z, int sure)
{
  pd_status status = pd_islands_reset(&z->sys->islands, z->sys->nbody);
  if (anywhere(z, status)) return PD_ENOMEM;
  evaluate(z, 1, !sure);
  if (anywhere(z, z->starved)) return PD_ENOMEM;
  join_acting(z);
  status = agree(z);
  if (!status) sum_up(z);
  return status;
}

static pd_status iterations(solve_state *z, int sure)
{
  pd_status status = begin(z, sure);
  for (int it = 0; !status; it++) {
    int more;
    record(z, it);
    status = judge(z, &more);
    if (status || !more) return status;
    status = direction(z);
    if (!status) status = line_search(z);
    if (status) return status;
    if (!anywhere(z, join_acting(z))) continue;
    status = agree(z);
    if (!status) sum_up(z);
  }
  return status;
}

pd_status pd_newton_iterate(solve_state *z, int sure)
{
  const pd_status status = iterations(z, sure);
  if (status == PD_ENOMEM) return status;
  note_totals(z);
  z->out->effort = effort_of(z);
  return status;
}
