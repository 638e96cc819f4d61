/* SPDX-License-Identifier: MIT */
#include "solve/newton_internal.h"

#include <string.h>

/* fraction of a gap that the predictor must leave */
static const double PREDICT = 0.9;

/* a body in contact that moves by less than this fraction of its radius within a step is at rest */
static const double REST = 1e-13;

pd_newton_options pd_newton_defaults(void)
{
  pd_newton_options o = {0};
  o.tol = 1e-8;
  o.maxit = 25;
  o.lsmax = 6;
  o.filter = 1;
  o.eta = 0.5;
  o.guard = 3e-5;
  return o;
}

/* Largest factor for the direction in sys->step, the same for all bodies; walls: as in
 * pd_system_limit_step, their factor is left in *wall. */
static double limit_step(const solve_state *z, double eta, int walls, double *wall,
                         pd_status *status)
{
  pd_system *sys = z->sys;
  *wall = 1.0;
  if (!z->opt->filter) return *status = PD_OK, 1.0;
  if (z->services->forward) z->services->forward(z->services->ctx, sys->step);
  double top[3];
  const double t = pd_system_limit_step(sys, eta, walls, wall, status);
  top[0] = -t;
  top[1] = *status;
  top[2] = -*wall;
  pd_global_max(z->services, top, 3);
  *status = (pd_status)(int)top[1];
  *wall = -top[2];
  return -top[0];
}

/* The predictor may be clipped body by body; as factors differ, the combination is filtered again.
 * It knows nothing of contacts: it may open them, but shall not press them. Errors: PD_EWALL. */
static pd_status limit_each(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_status status;
  double wall;
  for (int pass = 0; pass < 3; pass++) {
    const double t = limit_step(z, PREDICT, 1, &wall, &status);
    if (status || t >= 1.0) return status;
    z->out->limited++;
    for (int i = 0; i < sys->nbody; i++)
      for (int m = 0; m < 6; m++) sys->step[6 * i + m] *= pass < 2 ? sys->step_fraction[i] : t;
  }
  /* walls are not held back by bodies, and go their way whatever these do */
  limit_step(z, PREDICT, 1, &wall, &status);
  return !status && wall < 1.0 ? PD_EWALL : status;
}

void pd_save_increments(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_v_store(sys->save + 6 * i, sys->body[i].u);
    pd_v_store(sys->save + 6 * i + 3, sys->body[i].alpha);
  }
}

/* whether an acceleration holds more than the external loads, by a fraction of them: the body is in
 * contact */
static int touches(const pd_body *b, pd_vec3 acc, double fraction)
{
  const pd_vec3 f = pd_scale(b->in.mass, acc);
  const pd_vec3 ext = pd_add(b->fext, b->fload);
  return pd_norm(pd_sub(f, ext)) > fraction * (pd_norm(f) + pd_norm(ext));
}

/* First guess: ballistic motion. What contacts did to a body of Euler's within the last step says
 * nothing about the next one: it goes on as it is, or stays where it is if all it does is to
 * tremble within the tolerance of Newton's method. Returns 1 if the guess is likely to be right. */
static int predict_body(const pd_scheme *s, const pd_body *b, pd_vec3 *u, pd_vec3 *alpha)
{
  pd_state o = b->o;
  const int touching = touches(b, o.acc, 1e-3), euler = s->kind != PD_NEWMARK;
  if (euler && touching) o.acc = o.wdot = pd_v(0.0, 0.0, 0.0);
  /* not that of the step before, whose rounding would add up */
  if (euler && !touching) o.acc = pd_scale(1.0 / b->in.mass, pd_add(b->fext, b->fload));
  pd_scheme_predict(s, &o, u, alpha);
  const double r = b->shape->radius, way = pd_norm(*u) + pd_norm(*alpha) * r;
  if (!euler || !touching || way > REST * r) return !touching;
  *u = *alpha = pd_v(0.0, 0.0, 0.0);
  return 1;
}

static void set_start_poses(pd_system *sys)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < sys->nbody; i++) pd_system_set_pose(sys, i, zero, zero);
  for (int i = 0; i < sys->nwall; i++) pd_system_set_wall_pose(sys, i, 0.0);
}

/* Places the bodies, which stand at the start, at the first guess. *sure: it is likely to solve the
 * step, on all processes. */
static pd_status predict(const solve_state *z, int *sure)
{
  pd_system *sys = z->sys;
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  double doubt = 0.0;
  memset(sys->step, 0, (size_t)sys->nbody * 6 * sizeof(double));
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    pd_vec3 u = zero, alpha = zero;
    const pd_scheme s = pd_body_scheme(sys, b);
    if (pd_moves(b) && !predict_body(&s, b, &u, &alpha)) doubt = 1.0;
    pd_v_store(sys->step + 6 * i, u);
    pd_v_store(sys->step + 6 * i + 3, alpha);
  }
  const pd_status status = limit_each(z);
  if (z->out->limited) doubt = 1.0;
  pd_global_max(z->services, &doubt, 1);
  *sure = doubt == 0.0;
  pd_save_increments(sys);
  for (int i = 0; i < sys->nbody; i++)
    if (pd_moves(&sys->body[i])) pd_apply_step(sys, i, 1.0);
  return status;
}

static void find_worst(const solve_state *z)
{
  pd_system *sys = z->sys;
  double mine = -1.0, top[2];
  long tag = -1;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i])) continue;
    const double r = pd_body_residual2(&sys->body[i], sys->force + 6 * i);
    if (r > mine || r != r) mine = r, tag = sys->body[i].tag;
  }
  top[0] = mine;
  pd_global_max(z->services, top, 1);
  top[1] = mine == top[0] ? (double)tag : -1.0;
  pd_global_max(z->services, top + 1, 1);
  z->out->worst = (long)top[1];
  z->out->worst_residual = sqrt(fmax(top[0], 0.0));
}

/* largest skin of the pairs of every body, into sys->step_fraction, and the largest squared speed
 * of a wall that moves at it, into sys->buffer */
static void find_activation_distances(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) sys->step_fraction[i] = sys->buffer[6 * i] = 0.0;
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    const pd_body *a = &sys->body[pair->a];
    sys->step_fraction[pair->a] = fmax(sys->step_fraction[pair->a], pair->law->gbar);
    if (!pair->wall)
      sys->step_fraction[pair->b] = fmax(sys->step_fraction[pair->b], pair->law->gbar);
    if (!pair->wall || !sys->wall[pair->b].moves) continue;
    const pd_wall *w = &sys->wall[pair->b];
    const pd_vec3 v = pd_add(w->v1, pd_cross(w->w1, pd_sub(a->o.x, w->x)));
    sys->buffer[6 * pair->a] = fmax(sys->buffer[6 * pair->a], pd_norm2(v));
  }
}

/* Kinetic energy that a step may spoil, and what the loads do over one skin: all of it for a body
 * in contact, that of rotation for one in flight. */
static double body_at_risk(const pd_body *b, const pd_state *s, int touching, double skin)
{
  const double turn = pd_kinetic_rotation(&b->in, s->q, s->w);
  const double loads = pd_norm(pd_add(b->fext, b->fload)) * skin;
  if (!touching) return turn;
  return turn + pd_kinetic_translation(&b->in, s->v) + loads;
}

/* sums over the owned bodies at the step's end */
typedef struct ends {
  double kinetic, work, wall_work, scheme;
  double risk0, risk1; /* the risk by the motion at the start and at the end */
  double path2;        /* squared displacements */
  double slack;        /* what loads that change may be wrong by in the scheme's quadrature */
  double loss[PD_NLOSS];
} ends;

/* Work of forces and moments g0 at the start and g1 at the end of the step along (u, turn). The
 * schemes but Newmark's know one force per step. */
static double work_of(const pd_scheme *s, const double *g0, const double *g1, pd_vec3 u,
                      pd_vec3 turn)
{
  const double w1 = pd_dot(pd_v_load(g1), u) + pd_dot(pd_v_load(g1 + 3), turn);
  if (s->kind != PD_NEWMARK) return w1;
  return 0.5 * (w1 + pd_dot(pd_v_load(g0), u) + pd_dot(pd_v_load(g0 + 3), turn));
}

/* angle turned through, as the scheme's work needs it: Newmark's is the mean angular velocity times
 * the step */
static pd_vec3 turn_of(const pd_scheme *s, pd_vec3 alpha, pd_vec3 w0, pd_vec3 w1)
{
  return s->kind != PD_NEWMARK ? alpha : pd_scale(0.5 * s->h, pd_add(w0, w1));
}

static void add_ends(const pd_system *sys, int i, ends *e)
{
  const pd_body *b = &sys->body[i];
  const pd_scheme scheme = pd_body_scheme(sys, b), *s = &scheme;
  const double skin = sys->step_fraction[i], *g0 = sys->loss0 + 12 * i, *g1 = sys->loss + 12 * i;
  const pd_state n = pd_scheme_advance(s, &b->o, b->u, b->alpha);
  const int touching = touches(b, b->o.acc, 1e-7) || touches(b, n.acc, 1e-7);
  const pd_vec3 turn = turn_of(s, b->alpha, b->o.w, n.w);
  e->kinetic += pd_kinetic_translation(&b->in, n.v) + pd_kinetic_rotation(&b->in, n.q, n.w);
  e->work += pd_dot(b->fext, b->u) + pd_dot(b->text, b->alpha);
  if (touching)
    e->risk0 += 0.5 * b->in.mass * sys->buffer[6 * i]; /* what a moving wall may give it */
  e->risk0 += body_at_risk(b, &b->o, touching, skin);
  e->risk1 += body_at_risk(b, &n, touching, skin);
  e->path2 += pd_norm2(b->u) + pd_norm2(b->alpha) * b->shape->radius * b->shape->radius;
  for (int k = 0; k < PD_NLOSS; k++) e->loss[k] -= work_of(s, g0 + 6 * k, g1 + 6 * k, b->u, turn);
}

/* a moving wall gives the bodies what its own load costs it; what is lost in its contacts counts */
static void add_walls(pd_system *sys, ends *e)
{
  const pd_scheme *s = &sys->scheme;
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *w = &sys->wall[i];
    w->work = 0.0;
    if (!w->moves) continue;
    const pd_vec3 turn = turn_of(s, w->alpha, w->w, w->w1);
    w->work = -work_of(s, w->load0, w->load, w->u, turn);
    e->wall_work += w->work;
    for (int k = 0; k < PD_NLOSS; k++)
      e->loss[k] -= work_of(s, w->loss0[k], w->loss[k], w->u, turn);
  }
}

/* work of the loads: at the start f0 acts on the body as it was */
static void add_loads(pd_system *sys, ends *e)
{
  const pd_scheme *s = &sys->scheme;
  for (int i = 0; i < sys->nload; i++) {
    pd_load *l = &sys->load[i];
    const pd_body *b = &sys->body[l->body];
    const pd_mat3 r0 = pd_q_matrix(b->o.q);
    const pd_vec3 p0 = pd_mv(r0, l->point), p1 = pd_mv(b->k.rot, l->point);
    const pd_vec3 way = pd_add(b->u, pd_sub(p1, p0));
    double g0[6], g1[6];
    pd_v_store(g0, l->follow ? pd_mv(r0, l->f0) : l->f0);
    pd_v_store(g0 + 3, l->follow ? pd_mv(r0, l->m0) : l->m0);
    pd_v_store(g1, l->follow ? pd_mv(b->k.rot, l->f) : l->f);
    pd_v_store(g1 + 3, l->follow ? pd_mv(b->k.rot, l->m) : l->m);
    const pd_vec3 turn = turn_of(s, b->alpha, b->o.w, b->k.velocity.w);
    l->work = work_of(s, g0, g1, way, turn);
    e->work += l->work;
    e->slack += pd_norm(pd_sub(pd_v_load(g1), pd_v_load(g0))) * pd_norm(way) +
                pd_norm(pd_sub(pd_v_load(g1 + 3), pd_v_load(g0 + 3))) * pd_norm(turn);
  }
}

/* what the energy-momentum scheme takes by a > 1/2 and beta > 0: it knows that exactly */
static void add_scheme_losses(const pd_system *sys, ends *e)
{
  if (sys->scheme.kind != PD_EM) return;
  for (int n = 0; n < sys->norder; n++) {
    const pd_body *b = &sys->body[sys->order[n]];
    if (!b->mobile) continue;
    const pd_scheme s = pd_body_scheme(sys, b);
    const pd_state end = pd_scheme_advance(&s, &b->o, b->u, b->alpha);
    const pd_mat3 r0 = pd_q_matrix(b->o.q), r1 = pd_q_matrix(end.q);
    const pd_vec3 dv = pd_sub(end.v, b->o.v), dw = pd_sub(pd_mtv(r1, end.w), pd_mtv(r0, b->o.w));
    const double turn = b->in.j.x * dw.x * dw.x + b->in.j.y * dw.y * dw.y + b->in.j.z * dw.z * dw.z;
    e->scheme += (b->a - 0.5) * (b->in.mass * pd_norm2(dv) + turn);
  }
  for (int i = 0; i < sys->npair; i++) e->scheme += sys->pair[i].share * sys->pair[i].lost;
}

/* Energy balance of the step and what the guard allows it to be wrong by, over all processes: a
 * fraction of the energy at risk. Work and losses are those of the scheme's own quadrature: a fault
 * of the conservative forces is all that is left. Noise: the work of the residual that Newton's
 * method leaves, and rounding. */
static void balance(const solve_state *z, const pd_energy *now)
{
  pd_system *sys = z->sys;
  pd_substep *out = z->out;
  ends e = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, {0.0, 0.0}};
  double move = 0.0;
  find_activation_distances(sys);
  for (int n = 0; n < sys->norder; n++) {
    const int i = sys->order[n];
    if (!sys->body[i].mobile) continue;
    add_ends(sys, i, &e);
    move = fmax(move, pd_norm(sys->body[i].u));
  }
  add_walls(sys, &e);
  add_loads(sys, &e);
  add_scheme_losses(sys, &e);
  double sum[10] = {e.kinetic,   e.work,    e.risk0,   e.risk1,  e.path2,
                    e.wall_work, e.loss[0], e.loss[1], e.scheme, e.slack};
  pd_global_sum(z->services, sum, 10);
  pd_global_max(z->services, &move, 1);
  out->kinetic = sum[0];
  out->work = sum[1];
  out->wall_work = sum[5];
  out->move = move;
  out->dissipated[PD_DAMPING] = sum[6];
  out->dissipated[PD_FRICTION] = sum[7] - (out->spring - now->spring);
  const double rise = out->kinetic - now->kinetic + out->energy - now->potential;
  out->numerical = sum[8];
  out->error = rise - out->work - out->wall_work + sum[6] + sum[7] + out->numerical;
  const double risk = fmax(sum[2] + now->potential, sum[3] + out->energy);
  out->rise = rise + out->spring - now->spring - out->work - out->wall_work;
  const double all = out->kinetic + now->kinetic + out->energy + now->potential + fabs(out->work) +
                     fabs(out->wall_work);
  out->noise = 4.0 * out->residual * sqrt(sum[4]) + 1e-13 * all;
  out->allowed = z->opt->guard * risk + sum[9];
  if (z->sys->scheme.kind == PD_EM)
    out->allowed = z->opt->guard * (now->kinetic + now->potential + now->spring + fabs(out->work) +
                                    fabs(out->wall_work));
}

/* What the guard objects to, beyond noise. Newmark may neither gain nor lose; Euler loses by its
 * nature. The energy-momentum scheme makes no errors, but what it takes by design it may also give:
 * there the energy must not rise, whatever the reason. */
static double excess(const solve_state *z)
{
  const pd_substep *o = z->out;
  const pd_scheme_kind kind = z->sys->scheme.kind;
  const double e = kind == PD_EM ? o->rise : kind == PD_EULER ? o->error : fabs(o->error);
  return fmax(0.0, e - o->noise);
}

pd_status pd_energy_now(pd_system *sys, const pd_services *services, pd_energy *now)
{
  pd_totals t;
  for (int i = 0; i < sys->nbody; i++) sys->body[i].u = sys->body[i].alpha = pd_v(0.0, 0.0, 0.0);
  const pd_status status = pd_system_eval(sys, PD_AT_START, 0, &t);
  /* the springs of friction as they are: what they would be in a step depends on its damping */
  double sum[3] = {pd_system_kinetic(sys), t.energy, pd_system_spring(sys)}, top = status;
  pd_global_sum(services, sum, 3);
  pd_global_max(services, &top, 1);
  now->kinetic = sum[0];
  now->potential = sum[1];
  now->spring = sum[2];
  if (!status) pd_system_accept_forces(sys);
  return (pd_status)(int)top;
}

/* ghosts get the forces on their owners: the choice for a pair must be the same on both processes
 */
static void forward_forces(const solve_state *z)
{
  pd_system *sys = z->sys;
  if (!z->services->forward) return;
  for (int i = 0; i < sys->nbody; i++)
    pd_v_store(sys->buffer + 6 * i, pd_add(sys->body[i].fext, sys->body[i].fload));
  z->services->forward(z->services->ctx, sys->buffer);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (b->owned) continue;
    b->fext = pd_v_load(sys->buffer + 6 * i);
    b->fload = pd_v(0.0, 0.0, 0.0);
  }
}

/* parameters of the energy-momentum scheme; ghosts have those of their owners */
static void choose(const solve_state *z)
{
  pd_system *sys = z->sys;
  forward_forces(z);
  pd_em_choose(sys);
  if (!z->services->forward) return;
  for (int i = 0; i < sys->nbody; i++) sys->buffer[6 * i] = sys->body[i].a;
  z->services->forward(z->services->ctx, sys->buffer);
  for (int i = 0; i < sys->nbody; i++) sys->body[i].a = sys->buffer[6 * i];
}

/* whether the step is too long for an impact that is to be resolved */
static int skips_impact(const solve_state *z)
{
  if (z->sys->scheme.kind != PD_EM || !(z->opt->resolve > 0.0)) return 0;
  double most = 1.0 / pd_em_longest(z->sys, z->opt->resolve);
  pd_global_max(z->services, &most, 1);
  z->out->longest = 1.0 / most;
  return z->sys->scheme.h > 1.000001 * z->out->longest;
}

/* Factor on the next substep. The energy-momentum scheme stays accurate where Newton's method has
 * to work: there long substeps of many iterations are cheaper than many short ones. */
static double growth(pd_scheme_kind kind, double effort)
{
  if (effort <= 6.0) return 1.5;
  if (kind == PD_EM && effort <= 20.0) return effort <= 14.0 ? 1.15 : 1.0;
  return effort <= 12.0 ? 1.0 : 0.8;
}

pd_status pd_substep_solve(pd_system *sys, const pd_services *services,
                           const pd_newton_options *opt, double h, const pd_energy *now,
                           pd_substep *out)
{
  const pd_substep zero = {0};
  solve_state z = {sys, services, opt, out, {0.0}, 0};
  *out = zero;
  pd_scheme_set_step(&sys->scheme, h);
  set_start_poses(sys);
  if (sys->scheme.kind == PD_EM) choose(&z);
  if (skips_impact(&z)) return PD_EIMPACT;
  int sure;
  pd_status status = predict(&z, &sure);
  if (!status) status = pd_newton_iterate(&z, sure);
  if (status) {
    find_worst(&z);
    return status;
  }
  balance(&z, now);
  out->excess = excess(&z);
  out->growth = growth(sys->scheme.kind, out->effort);
  return opt->guard > 0.0 && !(out->excess <= out->allowed) ? PD_ERANGE : PD_OK;
}

/* factor on a substep for an energy error that grows with its cube */
static double by_error(const pd_substep *s)
{
  return s->excess > 0.0 ? cbrt(s->allowed / s->excess) : DBL_MAX;
}

double pd_substep_next(const pd_newton_options *opt, pd_status status, const pd_substep *s,
                       double h)
{
  if (status == PD_EIMPACT) return s->longest;
  if (status == PD_ERANGE) return h * fmin(0.5, fmax(0.1, 0.8 * by_error(s)));
  if (status) return 0.5 * h;
  if (!(opt->guard > 0.0)) return h * s->growth;
  return h * fmin(s->growth, fmax(0.8, 0.8 * by_error(s)));
}

static void commit_wall(pd_wall *w)
{
  if (!w->moves) return;
  w->x = pd_add(w->x, w->u);
  w->q = pd_q_normalize(pd_q_mul(pd_rodrigues_quat(w->alpha), w->q));
  w->v = w->v1;
  w->w = w->w1;
  w->u = w->alpha = pd_v(0.0, 0.0, 0.0);
  w->t = -1.0;
}

void pd_substep_commit(pd_system *sys)
{
  pd_system_advance_bounds(sys);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    const pd_scheme s = pd_body_scheme(sys, b);
    if (b->mobile) b->o = pd_scheme_advance(&s, &b->o, b->u, b->alpha);
    b->u = b->alpha = pd_v(0.0, 0.0, 0.0);
  }
  for (int i = 0; i < sys->nwall; i++) commit_wall(&sys->wall[i]);
  sys->hprev = sys->scheme.h;
  pd_system_accept_forces(sys);
  pd_system_accept_friction(sys);
}
