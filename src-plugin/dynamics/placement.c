/* SPDX-License-Identifier: MIT
 * Where bodies and walls stand. */
#include "dynamics/system_internal.h"

pd_vec3 pd_wall_at(const pd_wall *w) { return pd_add(w->x, w->u_now); }

void pd_system_move_wall(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha, pd_vec3 v1, pd_vec3 w1)
{
  pd_wall *w = &sys->wall[i];
  w->u = u;
  w->alpha = alpha;
  w->v1 = v1;
  w->w1 = w1;
  w->t = -1.0;
}

/* Schemes move a body by u and alpha at the rates u / h and alpha / h, and turn it by less than
 * alpha: for one that goes with an evenly turning wall the rates are by x / atan x those of the
 * wall, or of a prescribed body, x = |alpha| / 2. */
static void set_rates_of_increment(pd_twist *rate, pd_vec3 alpha, pd_vec3 v, pd_vec3 w)
{
  const double x = 0.5 * pd_norm(alpha), factor = x > 0.0 ? x / atan(x) : 1.0;
  rate->v = pd_scale(factor, v);
  rate->w = pd_scale(factor, w);
}

void pd_system_set_wall_pose(pd_system *sys, int i, double t)
{
  pd_wall *w = &sys->wall[i];
  if (!w->moves || w->t == t) return;
  w->t = t;
  pd_increment *now = &w->pose.increment;
  w->u_now = now->u = pd_scale(t, w->u);
  w->alpha_now = now->alpha = pd_scale(t, w->alpha);
  now->dq = pd_rodrigues(now->alpha);
  w->pose.velocity.v = t > 0.0 ? w->v1 : w->v;
  w->pose.velocity.w = t > 0.0 ? w->w1 : w->w;
  const pd_vec3 v0 = t > 0.0 ? w->v : w->v0, w0 = t > 0.0 ? w->w : w->w0;
  set_rates_of_increment(&w->pose.before, w->alpha_now, v0, w0);
  const pd_mat3 rot = pd_m_mul(now->dq, pd_q_matrix(w->q));
  w->n = pd_mv(rot, w->normal);
  w->pose.rot = rot;
}

void pd_system_move_body(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha, pd_vec3 v1, pd_vec3 w1)
{
  pd_body *b = &sys->body[i];
  b->prescribed_u = u;
  b->prescribed_alpha = alpha;
  b->prescribed_v = v1;
  b->prescribed_w = w1;
}

pd_scheme pd_body_scheme(const pd_system *sys, const pd_body *b)
{
  pd_scheme s = sys->scheme;
  s.a = b->scheme_a;
  return s;
}

pd_state pd_body_end(const pd_system *sys, const pd_body *b)
{
  const pd_scheme s = pd_body_scheme(sys, b);
  const pd_kinematics k = pd_body_kinematics(b);
  pd_state end = pd_scheme_advance(&s, &b->start, b->u, b->alpha, &k);
  end.v = pd_sub(end.v, b->rest.lag);
  end.w = pd_sub(end.w, b->rest.lag_turn);
  end.acc = pd_axpy(end.acc, -1.0 / s.h, b->rest.lag);
  end.wdot = pd_axpy(end.wdot, -1.0 / s.h, b->rest.lag_turn);
  return pd_constraint_any(&b->constraint)
             ? pd_constraint_end(&b->constraint, &s, &b->start, &b->inertia, b->u, b->alpha, end)
             : end;
}

/* xhat = x0 + u/2 - (a - 1/2) h (v0 + v1)/2: with it angular momentum is kept for any a. What a
 * cell carries is taken in the middle of that way: so the image of one body at the other and that
 * of the other at the one have the same forces, where a differs, too. */
static void set_momentum_reference(const pd_scheme *s, pd_body *b)
{
  const pd_vec3 mean = pd_scale(0.5, pd_add(b->start.v, b->own_velocity));
  b->pose.momentum_reference =
      pd_axpy(pd_scale(-0.5, pd_body_displacement(b)), -(s->a - 0.5) * s->h, mean);
  b->pose.momentum_slope = 0.25 / s->a;
}

static pd_twist start_twist(const pd_body *b)
{
  pd_twist m = {pd_v(0.0, 0.0, 0.0), pd_v(0.0, 0.0, 0.0)};
  if (!pd_body_is_moving(b)) return m;
  m.v = pd_body_velocity(b);
  m.w = b->start.w;
  return m;
}

/* A body that the step does not move takes its velocity where the scheme takes that of the other
 * side, as a wall does. */
static void set_prescribed_velocity(pd_body *b)
{
  b->pose.velocity = pd_at_rest();
  b->pose.scheme_a = 0.0;
  if (!b->prescribed) return;
  b->pose.velocity.v = b->prescribed_v;
  b->pose.velocity.w = b->prescribed_w;
  set_rates_of_increment(&b->pose.before, b->alpha, b->start.v, b->start.w);
  b->pose.before.v = pd_add(b->pose.before.v, b->carry_velocity);
}

/* the way of a body from where it was put last to where it has the rotation rot */
static void count_path(pd_system *sys, int i, const pd_mat3 *rot)
{
  const pd_body *b = &sys->body[i];
  const pd_vec3 at = pd_body_at(b);
  const double way = pd_norm(pd_sub(at, sys->trial.at[i])),
               turn = pd_turn_between(rot, &b->pose.rot);
  sys->trial.at[i] = at;
  if (way == 0.0 && turn == 0.0) return;
  sys->trial.path[i] += way + b->shape->lever * (turn + PD_ROTATION_ROUNDING);
}

void pd_system_set_pose(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha)
{
  pd_body *b = &sys->body[i];
  const pd_scheme s = pd_body_scheme(sys, b);
  b->u = u;
  b->alpha = alpha;
  b->carried = pd_scale(sys->carried, b->carry);
  const pd_kinematics k = pd_kinematics_at(&s, &b->start, u, alpha);
  b->pose.velocity = k.velocity;
  b->pose.scheme_a = pd_scheme_a(&s);
  b->pose.before = start_twist(b);
  if (!b->mobile) set_prescribed_velocity(b);
  b->own_velocity = b->pose.velocity.v;
  if (s.kind == PD_EM && b->mobile) set_momentum_reference(&s, b);
  b->pose.velocity.v = pd_add(b->own_velocity, b->carry_velocity);
  b->pose.increment.u = pd_body_displacement(b);
  b->pose.increment.alpha = alpha;
  b->pose.increment.dq = k.dq;
  count_path(sys, i, &k.rot);
  b->pose.rot = k.rot;
}

/* increments that the present velocities have made in the time h */
static pd_increment lasted(pd_vec3 v, pd_vec3 w, double h)
{
  pd_increment t;
  t.u = pd_scale(h, v);
  t.alpha = pd_scale(h, w);
  t.dq = pd_rodrigues(t.alpha);
  return t;
}

void pd_body_set_start_velocity(pd_body *b, double elapsed, double hprev)
{
  pd_twist m = start_twist(b);
  if (b->mobile) {
    m.v = pd_body_velocity_now(b);
    m.w = pd_body_spin_now(b);
  }
  b->pose.velocity = pd_at_rest();
  b->pose.velocity.v = m.v;
  b->pose.velocity.w = m.w;
  b->own_velocity = m.v;
  if (b->mobile || b->prescribed) {
    b->pose.before.v = pd_axpy(m.v, -hprev, b->start.acc);
    b->pose.before.w = pd_axpy(m.w, -hprev, b->start.wdot);
  }
  if (elapsed > 0.0) b->pose.increment = lasted(m.v, m.w, elapsed);
}

void pd_system_set_prescribed(pd_system *sys, double t)
{
  sys->carried = t;
  for (int i = 0; i < sys->nwall; i++) pd_system_set_wall_pose(sys, i, t);
}

void pd_system_set_start_poses(pd_system *sys)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_system_set_prescribed(sys, 0.0);
  for (int i = 0; i < sys->nbody; i++) {
    pd_system_set_pose(sys, i, zero, zero);
    pd_body_set_start_velocity(&sys->body[i], sys->elapsed, sys->hprev);
  }
}

void pd_system_set_elapsed(pd_system *sys)
{
  for (int i = 0; i < sys->nwall && sys->elapsed > 0.0; i++) {
    pd_wall *w = &sys->wall[i];
    if (w->moves) w->pose.increment = lasted(w->v, w->w, sys->elapsed);
  }
}
