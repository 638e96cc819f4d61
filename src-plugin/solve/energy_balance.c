/* SPDX-License-Identifier: MIT
 * Energy balance of a solved substep, and what the guard allows it to be wrong by. */
#include "solve/newton_internal.h"

/* Sums over the owned bodies, loads and walls, or those of all processes; energies. All of them
 * doubles: processes add them as an array. */
typedef struct balance {
  double kinetic;         /* at the end */
  double work, wall_work; /* of external forces and loads, and of what is prescribed */
  double cell_work;       /* of the cell that carries bodies */
  double scheme;          /* what the energy-momentum scheme takes by design */
  double lag;             /* and of bodies at rest, whose velocities are mean ones of another
                             length, or become those of the instant */
  pd_risk risk;           /* energy at risk by the motion */
  double path2;           /* squared displacements, length^2 */
  double slack;           /* what loads that change may be wrong by in the scheme's quadrature */
  double unseen;          /* work of the forces over what rounding hides of the places */
  double change; /* error by accelerations at the start that are not those of the forces there */
  double flight; /* part of the error that bodies in flight make, by themselves */
  double loss[PD_NLOSS];
} balance;

enum { NBALANCE = 16 };
_Static_assert(sizeof(balance) == NBALANCE * sizeof(double), "a balance is doubles alone");

/* ---- parts ---- */

/* work of a force and a moment along (u, turn) */
static double work_along(const double *g, pd_vec3 u, pd_vec3 turn)
{
  return pd_dot(pd_v_load(g), u) + pd_dot(pd_v_load(g + 3), turn);
}

/* The same of g0 at the start and g1 at the end of the step. The schemes but Newmark's know one
 * force per step. */
static double work_of(const pd_scheme *s, const double *g0, const double *g1, pd_vec3 u,
                      pd_vec3 turn)
{
  const double w1 = work_along(g1, u, turn);
  return s->kind != PD_NEWMARK ? w1 : 0.5 * (w1 + work_along(g0, u, turn));
}

/* angle turned through, as the scheme's work needs it: Newmark's is the mean angular velocity times
 * the step */
static pd_vec3 turn_of(const pd_scheme *s, pd_vec3 alpha, pd_vec3 w0, pd_vec3 w1)
{
  return s->kind != PD_NEWMARK ? alpha : pd_scale(0.5 * s->h, pd_add(w0, w1));
}

/* Places are known to rounding, and so is the work of whatever acts there: of forces that balance
 * each other the energies tell nothing. */
static double unseen_by(const pd_body *b, double force, double moment)
{
  const double place = pd_norm(b->start.x) + pd_norm(b->u) + b->shape->radius;
  return DBL_EPSILON * (force * place + moment);
}

static void add_body(const pd_system *sys, int i, balance *e)
{
  const pd_body *b = &sys->body[i];
  const pd_scheme scheme = pd_body_scheme(sys, b), *s = &scheme;
  const double *loss0 = sys->loss_at_start + 12 * i, *loss1 = sys->assembly.loss + 12 * i;
  const pd_state n = pd_body_end(sys, b);
  const pd_vec3 turn = turn_of(s, b->alpha, b->start.w, n.w);
  e->kinetic += pd_kinetic(&b->inertia, &n);
  e->work += pd_dot(b->external_force, b->u) + pd_dot(b->external_torque, b->alpha);
  e->unseen += unseen_by(b, pd_norm(b->external_force), pd_norm(b->external_torque));
  e->path2 += pd_norm2(b->u) + pd_norm2(b->alpha) * b->shape->radius * b->shape->radius;
  for (int k = 0; k < PD_NLOSS; k++)
    e->loss[k] -= work_of(s, loss0 + 6 * k, loss1 + 6 * k, b->u, turn);
  if (pd_constraint_any(&b->constraint) && !b->constraint.hinged) /* a hinge does no work */
    e->wall_work += work_of(s, b->reaction_at_start, b->reaction, b->u, turn);
}

/* a body that moves as prescribed, as a wall does */
static void add_prescribed(const pd_system *sys, int i, balance *e)
{
  const pd_body *b = &sys->body[i];
  const pd_scheme *s = &sys->scheme;
  const double *loss0 = sys->loss_at_start + 12 * i, *loss1 = sys->assembly.loss + 12 * i;
  const pd_vec3 turn = turn_of(s, b->alpha, b->start.w, b->prescribed_w);
  e->wall_work += work_of(s, b->reaction_at_start, b->reaction, b->u, turn);
  for (int k = 0; k < PD_NLOSS; k++)
    e->loss[k] -= work_of(s, loss0 + 6 * k, loss1 + 6 * k, b->u, turn);
}

/* a moving wall gives the bodies what its own load costs it; what is lost in its contacts counts */
static void add_walls(pd_system *sys, balance *e)
{
  const pd_scheme *s = &sys->scheme;
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *w = &sys->wall[i];
    w->work = 0.0;
    if (!w->moves) continue;
    const pd_vec3 turn = turn_of(s, w->alpha, w->w, w->w1);
    w->work = -work_of(s, w->load0, w->load, w->u, turn) - work_along(w->owed, w->u, turn);
    e->wall_work += w->work;
    for (int k = 0; k < PD_NLOSS; k++)
      e->loss[k] -= work_of(s, w->loss0[k], w->loss[k], w->u, turn);
  }
}

/* The cell works against the contacts of what it carries, as a wall does. */
static void add_cell(pd_system *sys, balance *e)
{
  double start[1 + PD_NLOSS], end[1 + PD_NLOSS];
  if (!sys->carries) return;
  pd_system_carry_loads(sys, sys->carry_load);
  pd_system_carry_work(sys, sys->carry_load, end);
  pd_system_carry_work(sys, sys->carry_load_at_start, start);
  if (sys->scheme.kind == PD_NEWMARK)
    for (int k = 0; k <= PD_NLOSS; k++) end[k] = 0.5 * (start[k] + end[k]);
  e->cell_work += end[0];
  for (int k = 0; k < PD_NLOSS; k++) e->loss[k] += end[1 + k];
}

/* what a wall with a degree of freedom does to the bodies: no part of the balance, which has the
 * body that stands for it */
static void note_work_of_free_walls(const pd_system *sys)
{
  const pd_scheme *s = &sys->scheme;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    if (!b->wall) continue;
    pd_wall *w = &sys->wall[b->wall - 1];
    const pd_vec3 turn = turn_of(s, b->alpha, b->start.w, b->pose.velocity.w);
    w->work = -work_of(s, w->load0, w->load, b->u, turn);
  }
}

/* Newmark's scheme starts with the accelerations of the substep before, also where a wall has gone
 * or a body has been put elsewhere since. What that is beyond the forces at the start acts by half,
 * and of a body that touches nothing any more no shorter substep makes less of it than of its
 * energy; the rest is what beta other than 1/4 makes of it. */
static double change_of(const pd_substep_solver *solver, int i)
{
  const pd_system *sys = solver->sys;
  const pd_body *b = &sys->body[i];
  const pd_scheme *s = &sys->scheme;
  const pd_vec3 acc = pd_v_load(sys->change_at_start + 6 * i),
                wdot = pd_v_load(sys->change_at_start + 6 * i + 3);
  if (s->kind != PD_NEWMARK || pd_is_in_contact(solver, i)) return 0.0;
  if (pd_norm2(acc) + pd_norm2(wdot) == 0.0) return 0.0;
  const pd_vec3 turn = turn_of(s, b->alpha, b->start.w, pd_body_end(sys, b).w);
  const pd_vec3 both = pd_sub(pd_scale(2.0, b->start.acc), acc);
  return 0.5 * b->inertia.mass *
             (pd_dot(acc, b->u) + (s->beta - 0.25) * s->h * s->h * pd_dot(acc, both)) +
         0.5 * pd_dot(pd_inertia_impulse(b->start.q, &b->inertia, wdot), turn);
}

/* What a body in flight adds to the error: it exchanges energy with no other one. */
static double error_in_flight(const pd_substep_solver *solver, int i)
{
  const pd_body *b = &solver->sys->body[i];
  const pd_scheme s = pd_body_scheme(solver->sys, b);
  const pd_state end = pd_body_end(solver->sys, b);
  double work = pd_dot(b->external_force, b->u) + pd_dot(b->external_torque, b->alpha);
  if (pd_constraint_any(&b->constraint) && !b->constraint.hinged)
    work += work_of(&s, b->reaction_at_start, b->reaction, b->u,
                    turn_of(&s, b->alpha, b->start.w, end.w));
  return pd_kinetic(&b->inertia, &end) - pd_kinetic(&b->inertia, &b->start) - work;
}

static void add_faults(const pd_substep_solver *solver, int i, balance *e)
{
  const double change = change_of(solver, i);
  e->change += change;
  if (solver->sys->scheme.kind == PD_EM || !pd_is_in_flight(solver, i)) return;
  e->flight += error_in_flight(solver, i) - change;
}

/* those of the contacts */
static void add_unseen_of_contacts(const pd_system *sys, balance *e)
{
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->contacts.active_pair[k]];
    const pd_pair_response *response = pd_response_of(sys, sys->contacts.active_pair[k]);
    if (!response->active) continue;
    const double force = sqrt(response->scale2);
    e->unseen += pair->share * unseen_by(&sys->body[pd_mover(sys, pair)], force, 0.0);
  }
}

/* Work of a load: at the start f0 acts on the body as it was. All schemes but Euler's know both
 * ends. */
static void add_load(const pd_system *sys, pd_load *l, balance *e)
{
  const pd_scheme *s = &sys->scheme;
  const pd_body *b = &sys->body[l->body];
  const pd_acting_load start = pd_load_with(l, pd_q_matrix(b->start.q), l->f0, l->m0),
                       end = pd_load_with(l, b->pose.rot, l->f, l->m);
  const pd_vec3 way = pd_add(b->u, pd_sub(end.lever, start.lever));
  const pd_vec3 turn = turn_of(s, b->alpha, b->start.w, b->pose.velocity.w);
  l->work = pd_dot(end.f, way) + pd_dot(end.m, turn);
  if (s->kind != PD_EULER)
    l->work = 0.5 * (l->work + (pd_dot(start.f, way) + pd_dot(start.m, turn)));
  e->work += l->work;
  e->unseen += unseen_by(b, pd_norm(end.f), pd_norm(end.m));
  e->slack += pd_norm(pd_sub(end.f, start.f)) * pd_norm(way) +
              pd_norm(pd_sub(end.m, start.m)) * pd_norm(turn);
}

/* squared change of velocity of which the scheme takes a part; at a hinge that of the speed, in a
 * guide as seen from there */
static double change2(const pd_body *b, const pd_state *end)
{
  const pd_constraint *c = &b->constraint;
  if (pd_is_guide(c)) {
    const pd_mat3 turn = pd_rodrigues(pd_guide_turn(c, b->alpha));
    return pd_norm2(pd_sub(pd_mtv(turn, end->v), b->start.v));
  }
  if (!c->hinged) return pd_norm2(pd_sub(end->v, b->start.v));
  const double spin = pd_dot(pd_hinge_axis(c), pd_sub(end->w, b->start.w));
  return spin * spin * pd_hinge_far_inertia(c, 1.0);
}

/* kinetic energy of what a body got at the start as its rest ended */
static double given_energy(const pd_body *b)
{
  if (pd_norm2(b->rest.given) + pd_norm2(b->rest.given_turn) == 0.0) return 0.0;
  const pd_vec3 v = pd_sub(b->start.v, b->rest.given), w = pd_sub(b->start.w, b->rest.given_turn);
  return pd_kinetic_translation(&b->inertia, b->start.v) - pd_kinetic_translation(&b->inertia, v) +
         pd_kinetic_rotation(&b->inertia, b->start.q, b->start.w) -
         pd_kinetic_rotation(&b->inertia, b->start.q, w);
}

/* x . J y with principal moments */
static double product_by(pd_vec3 j, pd_vec3 x, pd_vec3 y)
{
  return j.x * x.x * y.x + j.y * x.y * y.y + j.z * x.z * y.z;
}

/* what the energy-momentum scheme takes of a body by a > 1/2, and with the impulses that hold a
 * rotation: it knows that exactly */
static void add_losses_of_body(const pd_system *sys, const pd_body *b, balance *e)
{
  const pd_state end = pd_body_end(sys, b);
  const pd_mat3 r0 = pd_q_matrix(b->start.q), r1 = pd_q_matrix(end.q);
  const pd_vec3 w1 = pd_sub(b->pose.velocity.w, b->rest.lag_turn); /* that of the scheme */
  const pd_vec3 dw = pd_sub(pd_mtv(r1, w1), pd_mtv(r0, b->start.w));
  const pd_vec3 lag = pd_mtv(r1, b->rest.lag_turn);
  e->lag += b->inertia.mass * pd_dot(b->rest.lag, pd_sub(end.v, b->start.v)) +
            product_by(b->inertia.j, dw, lag) - given_energy(b);
  e->scheme +=
      (b->scheme_a - 0.5) * (b->inertia.mass * change2(b, &end) + product_by(b->inertia.j, dw, dw));
  e->scheme += pd_kinetic_rotation(&b->inertia, end.q, pd_sub(w1, end.w));
}

/* and of pairs by beta > 0 */
static void add_scheme_losses(const pd_system *sys, balance *e)
{
  if (sys->scheme.kind != PD_EM) return;
  for (int n = 0; n < sys->norder; n++)
    if (sys->body[sys->order[n]].mobile) add_losses_of_body(sys, &sys->body[sys->order[n]], e);
  for (int i = 0; i < sys->npair; i++) e->scheme += sys->pair[i].share * sys->pair[i].lost;
}

/* ---- the whole ---- */

/* Largest displacement of a body by itself and by what carries it, over all processes: the same on
 * any number of them. An owned body and another one are carried past each other by no more than
 * the largest ways of both kinds; half of that counts for either. */
static double largest_move(const pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  double own = 0.0, carried = 0.0, carried_own = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    const double way = sys->carries ? pd_norm(sys->body[i].carry) : 0.0;
    carried = fmax(carried, way);
    if (!sys->body[i].owned) continue;
    carried_own = fmax(carried_own, way);
    own = fmax(own, pd_norm(sys->body[i].u));
  }
  double most[3] = {own, carried_own, carried};
  pd_global_max(solver->processes, most, 3);
  return most[0] + 0.5 * (most[1] + most[2]);
}

/* sums over all processes */
static balance find_balance(pd_substep_solver *solver)
{
  pd_system *sys = solver->sys;
  balance e = {0};
  if (sys->scheme.kind == PD_EM) {
    e.risk.start = pd_energy_in_contact(solver);
    e.lag = pd_em_settle_owed(sys); /* it is in what the bodies got */
  } else {
    e.risk = pd_energy_at_risk(solver);
  }
  for (int n = 0; n < sys->norder; n++) {
    const int i = sys->order[n];
    if (sys->body[i].mobile) add_body(sys, i, &e);
    if (sys->body[i].mobile) add_faults(solver, i, &e);
    if (sys->body[i].prescribed) add_prescribed(sys, i, &e);
  }
  add_walls(sys, &e);
  add_cell(sys, &e);
  note_work_of_free_walls(sys);
  for (int i = 0; i < sys->nload; i++) add_load(sys, &sys->load[i], &e);
  add_unseen_of_contacts(sys, &e);
  add_scheme_losses(sys, &e);
  pd_global_sum(solver->processes, (double *)&e, NBALANCE);
  return e;
}

/* What the guard objects to of an error, beyond noise. Newmark may neither gain nor lose, Euler
 * loses by its nature. */
static double excess_of(double error, double noise, pd_scheme_kind kind)
{
  const double size = kind == PD_NEWMARK ? fabs(error) : error;
  return size <= noise ? 0.0 : size + 0.0 * noise; /* what is not a number stays it */
}

/* Judges the energy by what contacts may spoil, and that of bodies in flight by their rotation:
 * what spins beside the others leaves them no room. The worse of both is what the guard sees. */
static void judge_conserving(const pd_substep_solver *solver, const balance *e,
                             const pd_energy *now)
{
  pd_substep *out = solver->out;
  const pd_scheme_kind kind = solver->sys->scheme.kind;
  const double change = kind == PD_NEWMARK ? out->change : 0.0;
  const double risk = fmax(e->risk.start + now->potential, e->risk.end + out->energy),
               may_fly = solver->opt->guard * e->risk.flight;
  const double flies = excess_of(e->flight, out->noise, kind);
  out->allowed = solver->opt->guard * risk + e->slack;
  out->excess = excess_of(out->error - change - e->flight, out->noise, kind);
  const int worse = out->excess > out->allowed && out->excess * may_fly >= flies * out->allowed;
  if (worse || flies <= may_fly) return;
  out->allowed = may_fly;
  out->excess = flies;
}

/* The energy-momentum scheme makes no errors, but what it takes by design it may also give: there
 * the energy must not rise, whatever the reason, by more than a fraction of all that has to do with
 * contacts. */
static void judge_rise(const pd_substep_solver *solver, const balance *e, const pd_energy *now)
{
  pd_substep *out = solver->out;
  out->allowed =
      solver->opt->guard * (e->risk.start + now->potential + now->spring + fabs(out->work) +
                            fabs(out->wall_work) + fabs(out->cell_work));
  out->excess = excess_of(out->rise, out->noise, PD_EM);
}

/* Work and losses are those of the scheme's own quadrature: a fault of the conservative forces is
 * all that is left. Noise: the work of the residual that Newton's method leaves, and rounding. */
void pd_energy_balance(pd_substep_solver *solver, const pd_energy *now)
{
  pd_substep *out = solver->out;
  const balance e = find_balance(solver);
  const double damping = e.loss[PD_DAMPING], friction = e.loss[PD_FRICTION];
  out->move = largest_move(solver);
  out->kinetic = e.kinetic;
  out->work = e.work;
  out->wall_work = e.wall_work;
  out->cell_work = e.cell_work;
  out->dissipated[PD_DAMPING] = damping;
  out->dissipated[PD_FRICTION] = friction - (out->spring - now->spring);
  out->numerical = e.scheme + e.lag;
  const double rise = out->kinetic - now->kinetic + out->energy - now->potential;
  out->error =
      rise - out->work - out->wall_work - out->cell_work + damping + friction + out->numerical;
  out->rise =
      rise + out->spring - now->spring - out->work - out->wall_work - out->cell_work + e.lag;
  const double all = out->kinetic + now->kinetic + out->energy + now->potential + fabs(out->work) +
                     fabs(out->wall_work) + fabs(out->cell_work);
  out->change = e.change;
  out->noise = PD_NOISE_OF_RESIDUAL * out->residual * sqrt(e.path2) + PD_NOISE_OF_ROUNDING * all +
               PD_NOISE_OF_PLACES * e.unseen;
  if (solver->sys->scheme.kind == PD_EM)
    judge_rise(solver, &e, now);
  else
    judge_conserving(solver, &e, now);
}
