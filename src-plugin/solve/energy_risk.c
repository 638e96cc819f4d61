/* SPDX-License-Identifier: MIT
 * The energy that a substep may spoil, schemes newmark and euler: that of bodies in contact, as
 * seen from those they hang together with, and of what moves past them as prescribed. A velocity
 * that all of them have in common does not count. */
#include <string.h>

#include "solve/newton_internal.h"

/* ---- who touches whom ---- */

/* How a body is known to touch. Forces that begin or end within the substep need not show in the
 * acceleration of the body at either end: Newton's method may have left them as rounding, damping
 * may bear what presses as they open, and others may balance them. */
enum { NOT_SEEN, SEEN_BY_PAIR, SEEN_BY_ACCELERATION };

static void note_side(pd_newton_work *work, int body, const pd_contact_pair *pair, int touches)
{
  work->gbar[body] = fmax(work->gbar[body], pair->law->gbar);
  if (touches) work->touches[body] = SEEN_BY_PAIR;
}

/* A wall with a degree of freedom has contacts of which its owner does not know. */
static void share_walls_neighbourhood(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_newton_work *work = &solver->work;
  for (int i = sys->nbody - sys->nfree; i < sys->nbody; i++) {
    double most[2] = {work->gbar[i], work->touches[i]};
    pd_global_max(solver->processes, most, 2);
    work->gbar[i] = most[0];
    work->touches[i] = (char)most[1];
  }
}

static void find_neighbourhood(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_newton_work *work = &solver->work;
  for (int i = 0; i < sys->nbody; i++) work->gbar[i] = 0.0;
  memset(work->touches, NOT_SEEN, (size_t)sys->nbody);
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    const int touches = pd_has_forces(sys, pair);
    note_side(work, pair->a, pair, touches);
    if (!pair->wall) note_side(work, pair->b, pair, touches);
  }
  share_walls_neighbourhood(solver);
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    if (!pd_moves(b) || work->touches[i]) continue;
    if (pd_body_touches(b, b->start.acc, PD_TOUCH_GUARD) ||
        pd_body_touches(b, pd_body_end(sys, b).acc, PD_TOUCH_GUARD))
      work->touches[i] = SEEN_BY_ACCELERATION;
  }
}

/* ---- how fast those that hang together go ---- */

/* Newton's iteration knows of the forces at the end. Those at the start join, too: there are no
 * more islands than it had, so that there is room for what processes tell each other. */
static void join_touching(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  int joined = 0;
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    if (pair->wall || !pd_has_forces(sys, pair)) continue;
    if (!sys->body[pair->a].mobile || !sys->body[pair->b].mobile) continue;
    joined |= pd_island_join(&solver->work.islands, pair->a, pair->b);
  }
  if (pd_global_any(solver->processes, joined)) (void)pd_islands_agree(solver);
}

static int goes_evenly(pd_vec3 v0, pd_vec3 v1, pd_vec3 w0, pd_vec3 w1)
{
  return pd_norm2(w0) + pd_norm2(w1) + pd_norm2(pd_sub(v1, v0)) == 0.0;
}

/* Whether what body i touches by a pair goes evenly, or does as it likes. What is told to
 * accelerate or to turn, a body that another fix moves, of which a substep shows but a part, and a
 * wall on its guide have no frame of their own. */
static int other_side_is_even(const pd_system *sys, const pd_contact_pair *pair, int i)
{
  if (pair->wall) {
    const pd_wall *w = &sys->wall[pair->b];
    return !w->moves || goes_evenly(w->v, w->v1, w->w, w->w1);
  }
  const pd_body *b = &sys->body[i == pair->a ? pair->b : pair->a];
  return !b->prescribed && !b->wall;
}

/* A pair by which body i touches. That of which only accelerations tell that it touches has lost
 * its contacts, as by a new list: any of its pairs may be the one. */
static int may_touch_by(const pd_substep_solver *solver, const pd_contact_pair *pair, int i)
{
  const pd_body *b = &solver->sys->body[i];
  if (!b->mobile || !(b->owned || b->wall)) return 0;
  return solver->work.touches[i] == SEEN_BY_ACCELERATION || pd_has_forces(solver->sys, pair);
}

static void bind(pd_substep_solver *solver, const pd_contact_pair *pair, int i)
{
  if (!may_touch_by(solver, pair, i) || other_side_is_even(solver->sys, pair, i)) return;
  pd_island_of(&solver->work.islands, i)->motion.bound = 1.0;
}

static void find_motions(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_islands *islands = &solver->work.islands;
  for (int k = 0; k < islands->nroot; k++)
    memset(&pd_island_nth(islands, k)->motion, 0, sizeof(pd_island_motion));
  for (int n = 0; n < sys->norder; n++) {
    const int i = sys->order[n];
    const pd_body *b = &sys->body[i];
    if (!b->mobile || !solver->work.touches[i]) continue;
    pd_island_motion *m = &pd_island_of(islands, i)->motion;
    const pd_vec3 p0 = pd_scale(b->inertia.mass, b->start.v),
                  p1 = pd_scale(b->inertia.mass, pd_body_end(sys, b).v);
    m->mass += b->inertia.mass;
    pd_v_store(m->momentum_start, pd_add(pd_v_load(m->momentum_start), p0));
    pd_v_store(m->momentum_end, pd_add(pd_v_load(m->momentum_end), p1));
  }
  for (int i = 0; i < sys->npair; i++) {
    bind(solver, &sys->pair[i], sys->pair[i].a);
    if (!sys->pair[i].wall) bind(solver, &sys->pair[i], sys->pair[i].b);
  }
  pd_islands_reduce_motion(solver);
}

/* mean velocities of those with which a body that touches hangs together; nothing where they are
 * bound to the box */
typedef struct common {
  pd_vec3 start, end;
} common;

static common common_of(pd_substep_solver *solver, int i)
{
  const pd_island_motion *m = &pd_island_of(&solver->work.islands, i)->motion;
  const double part = m->mass > 0.0 && m->bound == 0.0 ? 1.0 / m->mass : 0.0;
  const common v = {pd_scale(part, pd_v_load(m->momentum_start)),
                    pd_scale(part, pd_v_load(m->momentum_end))};
  return v;
}

static pd_vec3 from_common(pd_substep_solver *solver, int i) { return common_of(solver, i).start; }

/* ---- what moves as prescribed, or stands ---- */

/* How fast what is prescribed of the motion of body b goes at body a, as seen from the velocity v,
 * and what carries both; a body that may move as it likes is not told. */
static pd_vec3 told_velocity(const pd_body *a, const pd_body *b, pd_vec3 v)
{
  const pd_constraint *c = &b->constraint;
  const pd_vec3 carried = pd_sub(b->carry_velocity, a->carry_velocity);
  const pd_vec3 lever = pd_sub(a->start.x, b->start.x);
  if (b->prescribed)
    return pd_add(carried, pd_sub(pd_add(b->prescribed_v, pd_cross(b->prescribed_w, lever)), v));
  if (!b->mobile) return pd_sub(carried, v);
  if (!pd_constraint_any(c)) return carried;
  const pd_vec3 held = pd_constraint_held(c, c->hinged ? 0 : c->translation, pd_sub(b->start.v, v)),
                spin = pd_constraint_held(c, c->hinged ? 0 : c->rotation, b->start.w);
  return pd_add(carried, pd_add(held, pd_cross(spin, lever)));
}

/* the same of a wall, past which the cell may carry the body */
static pd_vec3 wall_velocity(const pd_body *a, const pd_wall *w, pd_vec3 v)
{
  const pd_vec3 seen = pd_neg(pd_add(a->carry_velocity, v));
  if (!w->moves) return seen;
  return pd_add(seen, pd_add(w->v1, pd_cross(w->w1, pd_sub(a->start.x, w->x))));
}

static pd_vec3 drive_velocity(const pd_system *sys, const pd_contact_pair *pair, int i, pd_vec3 v)
{
  const pd_body *b = &sys->body[i];
  if (pair->wall) return wall_velocity(b, &sys->wall[pair->b], v);
  return told_velocity(b, &sys->body[i == pair->a ? pair->b : pair->a], v);
}

/* what a pair means for a body of it */
static void note_drive(pd_substep_solver *solver, const pd_contact_pair *pair, int i)
{
  pd_newton_work *work = &solver->work;
  if (!may_touch_by(solver, pair, i)) return;
  const common v = common_of(solver, i);
  double *most = work->drive_speed2 + 2 * i;
  most[0] = fmax(most[0], pd_norm2(drive_velocity(solver->sys, pair, i, v.start)));
  if (pd_island_of(&work->islands, i)->motion.bound > 0.0) return; /* it has been given by then */
  most[1] = fmax(most[1], pd_norm2(drive_velocity(solver->sys, pair, i, v.end)));
}

static void find_drives(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  double *most = solver->work.drive_speed2;
  for (int i = 0; i < 2 * sys->nbody; i++) most[i] = 0.0;
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    note_drive(solver, pair, pair->a);
    if (!pair->wall) note_drive(solver, pair, pair->b);
  }
  const int first = sys->nbody - sys->nfree;
  if (sys->nfree > 0) pd_global_max(solver->processes, most + 2 * first, 2 * sys->nfree);
}

/* ---- the energy ---- */

int pd_is_in_contact(const pd_substep_solver *solver, int i)
{
  return solver->work.touches[i] == SEEN_BY_PAIR;
}

int pd_is_in_flight(const pd_substep_solver *solver, int i)
{
  const pd_body *b = &solver->sys->body[i];
  return b->mobile && !pd_is_in_contact(solver, i) &&
         pd_norm2(b->load_force) + pd_norm2(b->load_moment) == 0.0;
}

/* Kinetic energy that a step may spoil, what moves as prescribed may give, and what the loads do
 * over one activation distance; of a body in flight its rotation alone. What is held has no part in
 * it. */
static double body_at_risk(const pd_substep_solver *solver, int i, const pd_state *s, pd_vec3 seen,
                           double drive_speed2)
{
  const pd_body *b = &solver->sys->body[i];
  const pd_constraint *c = &b->constraint;
  const pd_vec3 v = pd_constraint_free(c, c->translation, pd_sub(s->v, seen)),
                w = pd_constraint_free(c, c->rotation, s->w),
                f = pd_constraint_free(c, c->translation, pd_add(b->external_force, b->load_force));
  const double turn = pd_kinetic_rotation(&b->inertia, s->q, w);
  if (!solver->work.touches[i]) return turn;
  const double own = turn + pd_kinetic_translation(&b->inertia, v);
  const double part = pd_is_in_contact(solver, i) ? fmin(own, solver->work.partners[i]) : own;
  return part + 0.5 * b->inertia.mass * drive_speed2 + pd_norm(f) * solver->work.gbar[i];
}

pd_risk pd_energy_at_risk(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_risk risk = {0.0, 0.0, 0.0};
  find_neighbourhood(solver);
  join_touching(solver);
  find_motions(solver);
  pd_find_energy_of_partners(solver, from_common);
  find_drives(solver);
  for (int n = 0; n < sys->norder; n++) {
    const int i = sys->order[n];
    const pd_body *b = &sys->body[i];
    if (!b->mobile) continue;
    const pd_state end = pd_body_end(sys, b);
    const common v = common_of(solver, i);
    const double *drive_speed2 = solver->work.drive_speed2 + 2 * i;
    if (pd_is_in_flight(solver, i)) {
      risk.flight += body_at_risk(solver, i, &b->start, v.start, drive_speed2[0]);
      continue;
    }
    risk.start += body_at_risk(solver, i, &b->start, v.start, drive_speed2[0]);
    risk.end += body_at_risk(solver, i, &end, v.end, drive_speed2[1]);
  }
  return risk;
}
