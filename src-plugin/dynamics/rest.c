/* SPDX-License-Identifier: MIT
 * Velocities of bodies that rest. With a = 1 the velocity at the end of a substep is the mean one
 * over it, half of its length times the acceleration behind that of the instant. In a substep of
 * another length what rests on a support that accelerates would be pushed by the difference. So it
 * stays as far behind as at first, and the way of a substep is that of this velocity and of what
 * that lacks of the mean one: momentum changes by the forces alone. Where the rest ends, as a body
 * takes off or starts to slide, it gets what the velocity of the instant is beyond. Not where
 * forces move the support: its velocity is that of their impulses then, as Euler's is. */
#include <string.h>

#include "dynamics/system_internal.h"

/* Part by which the mean acceleration follows that of a substep. All of it, where a substep is much
 * shorter than that of the mean velocity, would answer each change of the acceleration with a
 * larger one the other way. */
static double follows(const pd_body *b, double h)
{
  const double gain = 0.5 * fabs(b->rest.mean_over / h - 1.0);
  return gain > 0.5 ? 0.5 / gain : 1.0;
}

static pd_vec3 towards(pd_vec3 mean, double part, pd_vec3 now)
{
  return pd_axpy(mean, part, pd_sub(now, mean));
}

/* how often in a row a body has floated, as a number below zero; more than counts is not counted */
static int time_afloat(const pd_body *b)
{
  const int before = b->rest.rested < 0 ? b->rest.rested : 0;
  return b->rest.floats ? (before > -PD_FLOATS_AFTER ? before - 1 : before) : 0;
}

/* Not from the first substep of rest on, whose acceleration is that by which it has stopped: in the
 * next one the velocity is a mean one, and after the third the mean acceleration is that of the
 * rest. */
void pd_em_note_rest(const pd_system *sys, pd_body *b)
{
  const int rests = b->rest.rests && b->rest.on_prescribed != 0 && !b->wall,
            lags = rests && b->rest.rested > 0;
  b->rest.rested = !rests ? time_afloat(b) : lags && b->rest.mean_over > 0.0 ? 2 : 1;
  if (!lags) b->rest.mean_over = 0.0;
  if (lags && b->rest.mean_over == 0.0) b->rest.mean_over = sys->scheme.h;
  b->rest.mean_is_old = 1;
  if (rests) b->rest.borne_by = b->rest.on_prescribed;
}

/* The mean accelerations follow those of the substep before. */
static void follow(pd_body *b, double hprev)
{
  if (!b->rest.mean_is_old) return;
  const double part = hprev > 0.0 ? follows(b, hprev) : 1.0;
  b->rest.mean_acc = towards(b->rest.mean_acc, part, b->start.acc);
  b->rest.mean_wdot = towards(b->rest.mean_wdot, part, b->start.wdot);
  b->rest.mean_is_old = 0;
}

/* Its velocities are those of the instant from now on. The acceleration of the substep before, in
 * which it may have left its support, has no part in that. */
static void release(pd_body *b)
{
  const pd_state mean = b->start;
  b->start.v = pd_axpy(mean.v, 0.5 * b->rest.mean_over, b->rest.mean_acc);
  b->start.w = pd_axpy(mean.w, 0.5 * b->rest.mean_over, b->rest.mean_wdot);
  pd_constraint_fit_velocity(&b->constraint, &b->start);
  b->rest.given = pd_add(b->rest.given, pd_sub(b->start.v, mean.v));
  b->rest.given_turn = pd_add(b->rest.given_turn, pd_sub(b->start.w, mean.w));
}

static void refer_velocities(pd_body *b, double h, double hprev)
{
  const int rests = b->rest.rests && b->rest.on_prescribed != 0;
  b->rest.lag = b->rest.lag_turn = pd_v(0.0, 0.0, 0.0);
  if (!b->mobile || b->rest.mean_over == 0.0) return;
  if (!rests) {
    if (b->rest.rested > 1) release(b);
    b->rest.mean_over = 0.0;
    return;
  }
  follow(b, hprev);
  const double less = 0.5 * (b->rest.mean_over - h);
  b->rest.lag = pd_scale(less, b->rest.mean_acc);
  b->rest.lag_turn = pd_scale(less, b->rest.mean_wdot);
}

void pd_em_refer_velocities(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) refer_velocities(&sys->body[i], sys->scheme.h, sys->hprev);
}

/* What a body got, over the substep: a force, and its moment about a point. Added to the load
 * there, times sign. */
static void add_given(const pd_body *b, double h, double sign, pd_vec3 at, double *load)
{
  const double rate = sign / h;
  const pd_vec3 force = pd_scale(rate * b->inertia.mass, b->rest.given),
                turn =
                    pd_scale(rate, pd_inertia_impulse(b->start.q, &b->inertia, b->rest.given_turn)),
                moment = pd_add(turn, pd_cross(pd_sub(b->start.x, at), force));
  pd_v_store(load, pd_add(pd_v_load(load), force));
  pd_v_store(load + 3, pd_add(pd_v_load(load + 3), moment));
}

/* Returns the work of the wall, energy. */
static double owe_by_wall(pd_system *sys, const pd_body *b)
{
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *w = &sys->wall[i];
    double owed[6] = {0.0};
    if (pd_wall_code(w) != b->rest.borne_by) continue;
    add_given(b, sys->scheme.h, -1.0, w->moves ? pd_axpy(w->x, 0.5, w->u) : w->x, owed);
    for (int k = 0; k < 6; k++) w->owed[k] += owed[k];
    if (!w->moves) return 0.0;
    return -pd_dot(pd_v_load(owed), w->u) - pd_dot(pd_v_load(owed + 3), w->alpha);
  }
  return 0.0;
}

/* Of the images of a body the one next to what has borne it counts. */
static int is_nearest(const pd_system *sys, int i, pd_vec3 at)
{
  const double away = pd_norm2(pd_sub(sys->body[i].start.x, at));
  for (int k = 0; k < sys->nbody; k++) {
    if (k == i || sys->body[k].tag != sys->body[i].tag) continue;
    const double other = pd_norm2(pd_sub(sys->body[k].start.x, at));
    if (other < away || (other == away && k < i)) return 0;
  }
  return 1;
}

/* The same of a body that moves as prescribed, which its owner settles with all that it sees. */
static double owe_by_body(pd_system *sys, int i)
{
  const pd_body *b = &sys->body[i];
  for (int k = 0; k < sys->nbody; k++) {
    pd_body *bearer = &sys->body[k];
    double owed[6] = {0.0};
    if (!bearer->owned || !bearer->prescribed || bearer->tag != -b->rest.borne_by) continue;
    if (!is_nearest(sys, i, bearer->start.x)) return 0.0;
    add_given(b, sys->scheme.h, 1.0, pd_axpy(bearer->start.x, 0.5, bearer->u), owed);
    for (int m = 0; m < 6; m++) bearer->reaction[m] += owed[m];
    return pd_dot(pd_v_load(owed), bearer->u) + pd_dot(pd_v_load(owed + 3), bearer->alpha);
  }
  return 0.0;
}

double pd_em_settle_owed(pd_system *sys)
{
  double work = 0.0;
  for (int i = 0; i < sys->nwall; i++) memset(sys->wall[i].owed, 0, sizeof sys->wall[i].owed);
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    if (pd_norm2(b->rest.given) + pd_norm2(b->rest.given_turn) == 0.0) continue;
    if (b->rest.borne_by > 0 && b->owned) work += owe_by_wall(sys, b);
    if (b->rest.borne_by < 0) work += owe_by_body(sys, i);
  }
  return work;
}
