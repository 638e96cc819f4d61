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
  const double gain = 0.5 * fabs(b->mean_over / h - 1.0);
  return gain > 0.5 ? 0.5 / gain : 1.0;
}

static pd_vec3 towards(pd_vec3 mean, double part, pd_vec3 now)
{
  return pd_axpy(mean, part, pd_sub(now, mean));
}

/* how often in a row a body has floated, as a number below zero; more than counts is not counted */
static int time_afloat(const pd_body *b)
{
  const int before = b->rested < 0 ? b->rested : 0;
  return b->floats ? (before > -PD_FLOATS_AFTER ? before - 1 : before) : 0;
}

/* Not from the first substep of rest on, whose acceleration is that by which it has stopped: in the
 * next one the velocity is a mean one, and after the third the mean acceleration is that of the
 * rest. */
void pd_em_note_rest(const pd_system *sys, pd_body *b)
{
  const int rests = b->rests && b->on_prescribed && !b->wall, lags = rests && b->rested > 0;
  b->rested = !rests ? time_afloat(b) : lags && b->mean_over > 0.0 ? 2 : 1;
  if (!lags) b->mean_over = 0.0;
  if (lags && b->mean_over == 0.0) b->mean_over = sys->scheme.h;
  b->mean_is_old = 1;
}

/* The mean accelerations follow those of the substep before. */
static void follow(pd_body *b, double hprev)
{
  if (!b->mean_is_old) return;
  const double part = hprev > 0.0 ? follows(b, hprev) : 1.0;
  b->mean_acc = towards(b->mean_acc, part, b->start.acc);
  b->mean_wdot = towards(b->mean_wdot, part, b->start.wdot);
  b->mean_is_old = 0;
}

/* Its velocities are those of the instant from now on. The acceleration of the substep before, in
 * which it may have left its support, has no part in that. */
static void give_back(pd_body *b)
{
  const pd_state mean = b->start;
  b->start.v = pd_axpy(mean.v, 0.5 * b->mean_over, b->mean_acc);
  b->start.w = pd_axpy(mean.w, 0.5 * b->mean_over, b->mean_wdot);
  pd_constraint_fit_velocity(&b->constraint, &b->start);
  b->given = pd_add(b->given, pd_sub(b->start.v, mean.v));
  b->given_turn = pd_add(b->given_turn, pd_sub(b->start.w, mean.w));
}

static void refer_velocities(pd_body *b, double h, double hprev)
{
  const int rests = b->rests && b->on_prescribed;
  b->lag = b->lag_turn = pd_v(0.0, 0.0, 0.0);
  if (!b->mobile || b->mean_over == 0.0) return;
  if (!rests) {
    if (b->rested > 1) give_back(b);
    b->mean_over = 0.0;
    return;
  }
  follow(b, hprev);
  const double less = 0.5 * (b->mean_over - h);
  b->lag = pd_scale(less, b->mean_acc);
  b->lag_turn = pd_scale(less, b->mean_wdot);
}

void pd_em_refer_velocities(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) refer_velocities(&sys->body[i], sys->scheme.h, sys->hprev);
}

/* momentum, and angular momentum about the origin, of what owned bodies got; whether any has */
static int sum_given(const pd_system *sys, pd_vec3 *p, pd_vec3 *l)
{
  int any = 0;
  *p = *l = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    if (!b->owned || pd_norm2(b->given) + pd_norm2(b->given_turn) == 0.0) continue;
    const pd_vec3 momentum = pd_scale(b->inertia.mass, b->given);
    *p = pd_add(*p, momentum);
    *l = pd_add(*l, pd_cross(b->start.x, momentum));
    *l = pd_add(*l, pd_inertia_impulse(b->start.q, &b->inertia, b->given_turn));
    any = 1;
  }
  return any;
}

/* what is owed by all: momentum and angular momentum about the origin over the substep */
typedef struct debt {
  pd_vec3 force, moment;
  int any_moves; /* a wall or a body does as prescribed: what stands owes nothing */
  double shares; /* sum of the parts in it before they are scaled */
} debt;

/* part of a wall, alike where none bears; of a body that moves as prescribed */
static double share_of_wall(const pd_wall *w, int any_moves)
{
  return any_moves && !w->moves ? 0.0 : pd_norm(pd_v_load(w->load0)) + DBL_MIN;
}
static double share_of_body(const pd_body *b)
{
  return b->owned && b->prescribed ? pd_norm(pd_v_load(b->drive_at_start)) + DBL_MIN : 0.0;
}

static debt find_debt(const pd_system *sys)
{
  debt d = {0};
  pd_vec3 p, l;
  if (!sum_given(sys, &p, &l)) return d;
  d.force = pd_scale(1.0 / sys->scheme.h, p);
  d.moment = pd_scale(1.0 / sys->scheme.h, l);
  for (int i = 0; i < sys->nwall; i++) d.any_moves |= sys->wall[i].moves != 0;
  for (int i = 0; i < sys->nbody; i++) d.any_moves |= sys->body[i].prescribed != 0;
  for (int i = 0; i < sys->nwall; i++) d.shares += share_of_wall(&sys->wall[i], d.any_moves);
  for (int i = 0; i < sys->nbody; i++) d.shares += share_of_body(&sys->body[i]);
  return d;
}

/* adds a part of it to a force and the moment about a point */
static void add_debt(const debt *d, double part, pd_vec3 at, double *load)
{
  const pd_vec3 moment = pd_sub(d->moment, pd_cross(at, d->force));
  pd_v_store(load, pd_axpy(pd_v_load(load), part, d->force));
  pd_v_store(load + 3, pd_axpy(pd_v_load(load + 3), part, moment));
}

double pd_em_settle_owed(pd_system *sys)
{
  const debt d = find_debt(sys);
  double work = 0.0;
  for (int i = 0; i < sys->nwall; i++) memset(sys->wall[i].owed, 0, sizeof sys->wall[i].owed);
  if (!(d.shares > 0.0)) return 0.0;
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *w = &sys->wall[i];
    const double part = share_of_wall(w, d.any_moves) / d.shares;
    add_debt(&d, -part, w->moves ? pd_axpy(w->x, 0.5, w->u) : w->x, w->owed);
    if (w->moves)
      work -= pd_dot(pd_v_load(w->owed), w->u) + pd_dot(pd_v_load(w->owed + 3), w->alpha);
  }
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    double owed[6] = {0.0};
    add_debt(&d, share_of_body(b) / d.shares, pd_axpy(b->start.x, 0.5, b->u), owed);
    for (int k = 0; k < 6; k++) b->drive[k] += owed[k];
    work += pd_dot(pd_v_load(owed), b->u) + pd_dot(pd_v_load(owed + 3), b->alpha);
  }
  return work;
}
