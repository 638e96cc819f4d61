/* SPDX-License-Identifier: MIT
 * First guess of a substep. */
#include "solve/newton_internal.h"

/* ---- the guess of one body ---- */

int pd_body_touches(const pd_body *b, pd_vec3 acc, double fraction)
{
  const pd_vec3 f = pd_scale(b->inertia.mass, acc);
  const pd_vec3 ext = pd_add(b->external_force, b->load_force);
  return pd_norm(pd_sub(f, ext)) > fraction * (pd_norm(f) + pd_norm(ext));
}

/* Whether all that a body in contact does in a step is to tremble: as far as rounding, or what
 * Newton's method leaves of the forces on it, can carry it. Where nothing holds it along the
 * surface only a part of that is taken: it may be about to turn round. */
static int barely_moves(const pd_scheme *s, const pd_body *b, double tol)
{
  const double r = b->shape->radius, way = s->h * (pd_norm(b->start.v) + pd_norm(b->start.w) * r);
  const double left = tol * pd_norm(pd_add(b->external_force, b->load_force)) / b->inertia.mass;
  const double part = b->rest.by_friction ? 1.0 : PD_REST_OF_TOLERANCE;
  return way <= fmax(PD_TREMBLE * r, part * left * s->h * s->h);
}

/* The motion goes on with its acceleration; that of a body in flight is its load's. Euler's scheme
 * stops what it meets, and a body in contact goes on without. One that barely moves stays where it
 * is. Returns 1 if the guess is likely to be right. */
static int predict_body(const pd_scheme *s, pd_body *b, double tol, pd_vec3 *u, pd_vec3 *alpha)
{
  pd_state start = b->start;
  start.v = pd_add(start.v, b->rest.lag);
  start.w = pd_add(start.w, b->rest.lag_turn);
  const int touching = pd_body_touches(b, start.acc, PD_TOUCH_PREDICTOR);
  if (s->kind == PD_EULER && touching) start.acc = start.wdot = pd_v(0.0, 0.0, 0.0);
  /* not that of the step before, whose rounding would add up */
  if (s->kind != PD_NEWMARK && !touching)
    start.acc = pd_scale(1.0 / b->inertia.mass, pd_add(b->external_force, b->load_force));
  b->barely_moves = touching && barely_moves(s, b, tol);
  if (!b->barely_moves) pd_scheme_predict(s, &start, u, alpha);
  return b->barely_moves || !touching;
}

/* ---- what the step limiter leaves of it ---- */

/* Who stands in the way, and of which prescribed body or (0) wall; the same on all processes, of
 * which several may know a pair. pair: -1 where none is known here. */
static void note_blocked(pd_substep_solver *solver, int pair)
{
  const pd_system *sys = solver->sys;
  long blocked = 0, by = 0;
  if (pair >= 0) {
    const pd_contact_pair *p = &sys->pair[pair];
    const int b_goes = !p->wall && !sys->body[p->b].prescribed;
    blocked = pd_body_name(&sys->body[b_goes ? p->b : p->a]);
    by = p->wall ? 0 : pd_body_name(&sys->body[b_goes ? p->a : p->b]);
  }
  solver->out->blocked = pd_agree_name(solver->processes, blocked);
  solver->out->blocked_by =
      pd_agree_name(solver->processes, blocked == solver->out->blocked ? by : 0);
}

/* whether the direction of a body has been cut, as far as that is known here */
static int is_cut(const pd_substep_solver *solver, int i)
{
  return !solver->sys->body[i].owned || solver->work.fraction[i] < 1.0;
}

/* the pairs whose ways have been cut: the others' are free as they were */
static const char *ask_cut(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  char *asked = solver->work.asked;
  for (int i = 0; i < sys->npair; i++)
    asked[i] = (char)(is_cut(solver, sys->ends[i][0]) || is_cut(solver, sys->ends[i][1]));
  return asked;
}

/* the pairs of walls that move, and of bodies whose motion is prescribed or that are carried */
static const char *ask_driven(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  char *asked = solver->work.asked;
  for (int i = 0; i < sys->npair; i++)
    asked[i] = (char)pd_contact_pair_is_driven(sys, &sys->pair[i]);
  return asked;
}

/* A wall with a degree of freedom goes no further than the bodies of any process let it. */
static void share_walls_fractions(const pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  if (sys->nfree > 0)
    pd_global_min(solver->processes, solver->work.fraction + sys->nbody - sys->nfree, sys->nfree);
}

/* Largest factor of the direction, the same for all bodies, and for walls, over all processes;
 * bodies' own factors are left in work.fraction. asked: which pairs are looked at, NULL: all. */
static pd_status limit_step(pd_substep_solver *solver, const char *asked, double *bodies,
                            double *walls)
{
  const pd_step_request request = {.direction = solver->work.direction,
                                   .eta = PD_PREDICTOR_ETA,
                                   .walls = 1,
                                   .entry = PD_ENTRY_LIMIT,
                                   .pairs = asked};
  pd_step_limits limits = {
      .fraction = solver->work.fraction, .least = 1.0, .wall = 1.0, .pair = -1};
  *bodies = *walls = 1.0;
  if (!solver->opt->filter) return PD_OK;
  pd_forward(solver->processes, solver->work.direction);
  pd_status status = pd_system_limit_step(solver->sys, &request, &limits);
  double least[2] = {limits.least, limits.wall};
  const double mine = limits.wall;
  status = pd_agree_status(solver->processes, status);
  pd_global_min(solver->processes, least, 2);
  *bodies = least[0];
  *walls = least[1];
  if (!status) share_walls_fractions(solver);
  if (!status && *walls < 1.0) note_blocked(solver, mine == *walls ? limits.pair : -1);
  return status;
}

/* Directions of the bodies times their own factors, or all times the same. */
static void shorten(pd_substep_solver *solver, const double *own, double same)
{
  const pd_system *sys = solver->sys;
  for (int i = 0; i < sys->nbody; i++)
    for (int m = 0; m < 6 && sys->body[i].mobile; m++)
      solver->work.direction[6 * i + m] *= own ? own[i] : same;
}

/* Walls are not held back by bodies, and go their way whatever these do: where the guesses leave no
 * room for it, as cuts that come near to what is left may not, bodies go with what carries them and
 * no further. Errors: PD_EWALL, where there is no room for that either. */
static pd_status make_way(pd_substep_solver *solver)
{
  double bodies, walls;
  if (!pd_global_any(solver->processes,
                     solver->sys->carries || pd_anything_is_prescribed(solver->sys)))
    return PD_OK;
  pd_status status = limit_step(solver, ask_driven(solver), &bodies, &walls);
  if (status || walls >= 1.0) return status;
  shorten(solver, NULL, 0.0);
  status = limit_step(solver, ask_driven(solver), &bodies, &walls);
  return !status && walls < 1.0 ? PD_EWALL : status;
}

/* The predictor may be clipped body by body; as factors differ, the combination is filtered again.
 * It knows nothing of contacts: it may open them, but shall not press them. Errors: PD_EWALL. */
static pd_status limit_each(pd_substep_solver *solver)
{
  double bodies, walls;
  for (int pass = 0; pass < PD_PREDICTOR_PASSES; pass++) {
    const int last = pass + 1 == PD_PREDICTOR_PASSES;
    const char *asked = pass > 0 ? ask_cut(solver) : NULL;
    const pd_status status = limit_step(solver, asked, &bodies, &walls);
    if (status || bodies >= 1.0) return status;
    solver->out->limited++;
    shorten(solver, last ? NULL : solver->work.fraction, bodies);
  }
  return make_way(solver);
}

/* ---- all bodies ---- */

/* Ghosts that barely move are brought to rest where their owners are (pd_substep_commit). */
static void forward_rest(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  double *rest = solver->work.exchange; /* 6 per body, the first one counts */
  if (!solver->processes->forward) return;
  for (int i = 0; i < sys->nbody; i++) rest[6 * i] = sys->body[i].barely_moves;
  pd_forward(solver->processes, rest);
  for (int i = 0; i < sys->nbody; i++) sys->body[i].barely_moves = rest[6 * i] != 0.0;
}

/* The guesses into the direction; whether they are likely to be right. */
static int guess(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  int sure = pd_uses(solver, PD_PREDICTION);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    pd_vec3 u = b->prescribed ? b->prescribed_u : zero,
            alpha = b->prescribed ? b->prescribed_alpha : zero;
    const pd_scheme s = pd_body_scheme(sys, b);
    b->barely_moves = 0;
    if (pd_moves(b) && pd_uses(solver, PD_PREDICTION) &&
        !predict_body(&s, b, solver->opt->tol, &u, &alpha))
      sure = 0;
    if (pd_moves(b)) pd_constraint_prescribe(&b->constraint, &b->start, s.h, &u, &alpha);
    pd_v_store(solver->work.direction + 6 * i, u);
    pd_v_store(solver->work.direction + 6 * i + 3, alpha);
  }
  return sure;
}

pd_status pd_predict(pd_substep_solver *solver, int *sure)
{
  const pd_system *sys = solver->sys;
  const int mine = guess(solver);
  forward_rest(solver);
  const pd_status status = limit_each(solver);
  *sure = !pd_global_any(solver->processes, !mine || solver->out->limited);
  pd_save_increments(solver);
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].owned && pd_body_is_moving(&sys->body[i])) pd_apply_direction(solver, i, 1.0);
  return status;
}
