/* SPDX-License-Identifier: MIT
 * How far a step may go: conservative advancement of every pair along the true path of its bodies.
 */
#include <string.h>

#include "base/memory.h"
#include "dynamics/system_internal.h"

/* gap to which an increment may bring a contact that was open, as a fraction of gbar: the smallest
 * (PD_ENTRY_LIMIT is the largest), and the part of the force that would use up the rest of the way
 */
static const double DEEP = 0.5, BRAKE = 0.3;

/* safe advances along one path; few need more than three, only large turns close by */
enum { ADVANCES = 32 };

/* a pair whose step is under examination; side 1 is a body or a wall */
typedef struct path {
  const pd_system *sys;
  const pd_contact_pair *pair;
  pd_worker *worker;
  pd_vec3 u[2], alpha[2], du[2], da[2]; /* start and direction */
  double speed;                         /* no point pair approaches faster, per unit of the step */
  double reach;                         /* levers of the second side that matter are no longer */
  int wall_moves;
  /* where the sides are on their way; what others see of them stays where it is */
  pd_vec3 now[2]; /* increments */
  pd_vec3 n;      /* normal of a plane */
  const pd_pose *at[2];
  pd_pose moved[2];
} path;

static pd_mat3 rotation_at(pd_vec3 alpha, pd_quat q)
{
  return pd_m_mul(pd_rodrigues(alpha), pd_q_matrix(q));
}

/* Levers of a side turned by rot. Errors: PD_ENOMEM. */
static pd_status turn_side(path *p, int side, const pd_pose *from, pd_mat3 rot)
{
  const pd_shape *shape = from->shape;
  pd_worker *worker = p->worker;
  if (shape->nv > worker->cap_lever[side]) {
    pd_vec3 *v = (pd_vec3 *)pd_realloc(worker->lever[side], (size_t)shape->nv * sizeof *v);
    if (!v) return PD_ENOMEM;
    worker->lever[side] = v;
    worker->cap_lever[side] = shape->nv;
  }
  for (int k = 0; k < shape->nv; k++) worker->lever[side][k] = pd_mv(rot, shape->v[k]);
  p->moved[side] = *from;
  p->moved[side].rot = rot;
  p->moved[side].s = worker->lever[side];
  p->moved[side].box = pd_box_of(worker->lever[side], shape->nv);
  p->at[side] = &p->moved[side];
  return PD_OK;
}

static pd_status put_body(path *p, int side, const pd_body *b, double t)
{
  if (!b->mobile) return PD_OK;
  p->now[side] = pd_axpy(p->u[side], t, p->du[side]);
  return turn_side(p, side, &b->pose, rotation_at(pd_axpy(p->alpha[side], t, p->da[side]), b->o.q));
}

static pd_status put_wall(path *p, const pd_wall *w, double t)
{
  if (!p->wall_moves) return PD_OK;
  const pd_mat3 rot = rotation_at(pd_scale(t, w->alpha), w->q);
  p->now[1] = pd_scale(t, w->u);
  p->n = pd_mv(rot, w->normal);
  return w->kind == PD_SURFACE ? turn_side(p, 1, &w->pose, rot) : PD_OK;
}

static pd_status put(path *p, double t)
{
  const pd_system *sys = p->sys;
  const pd_status status = put_body(p, 0, &sys->body[p->pair->a], t);
  if (status) return status;
  return p->pair->wall ? put_wall(p, &sys->wall[p->pair->b], t)
                       : put_body(p, 1, &sys->body[p->pair->b], t);
}

static void body_path(path *p, int side, int body)
{
  const pd_body *b = &p->sys->body[body];
  const double *d = p->sys->step + 6 * body;
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  p->u[side] = b->u;
  p->alpha[side] = b->alpha;
  p->du[side] = b->mobile ? pd_v_load(d) : zero;
  p->da[side] = b->mobile ? pd_v_load(d + 3) : zero;
}

/* from A's centre to that of the other side */
static pd_vec3 apart(const path *p)
{
  const pd_body *a = &p->sys->body[p->pair->a];
  const pd_vec3 x = p->pair->wall ? p->sys->wall[p->pair->b].x : p->sys->body[p->pair->b].o.x;
  return pd_add(pd_sub(x, a->o.x), pd_sub(p->u[1], p->u[0]));
}

static void wall_path(path *p, int walls)
{
  const pd_wall *w = &p->sys->wall[p->pair->b];
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  p->wall_moves = walls && w->moves;
  p->u[1] = w->u_now;
  p->alpha[1] = w->alpha_now;
  p->du[1] = p->wall_moves ? w->u : zero;
  p->da[1] = p->wall_moves ? w->alpha : zero;
}

/* |Xi| <= 1, so |d alpha| bounds the angle turned along the path */
static path make_path(const pd_system *sys, const pd_contact_pair *pair, int walls,
                      pd_worker *worker)
{
  path p;
  p.sys = sys;
  p.pair = pair;
  p.worker = worker;
  p.wall_moves = 0;
  body_path(&p, 0, pair->a);
  if (pair->wall)
    wall_path(&p, walls);
  else
    body_path(&p, 1, pair->b);
  for (int k = 0; k < 2; k++) p.now[k] = p.u[k];
  p.at[0] = &sys->body[pair->a].pose;
  p.at[1] = pair->wall ? &sys->wall[pair->b].pose : &sys->body[pair->b].pose;
  if (pair->wall) p.n = sys->wall[pair->b].n;
  const pd_vec3 du = pd_sub(p.du[0], p.du[1]);
  const double ra = sys->body[pair->a].shape->radius;
  double go = pd_norm(du);
  p.reach = pair->wall ? pd_norm(apart(&p)) + ra + go : sys->body[pair->b].shape->radius;
  if (pair->wall && sys->wall[pair->b].kind == PD_PLANE && !(pd_norm2(p.da[1]) > 0.0))
    go = fabs(pd_dot(du, sys->wall[pair->b].n));
  p.speed = go + pd_norm(p.da[0]) * ra + pd_norm(p.da[1]) * p.reach;
  return p;
}

/* whether the bounding spheres stay apart whatever the bodies do */
static int far_apart(const path *p, double margin)
{
  const pd_system *sys = p->sys;
  const pd_body *a = &sys->body[p->pair->a];
  if (pd_contact_pair_separation(sys, p->pair) > p->speed + margin) return 1;
  const double reach = a->shape->radius + p->speed + margin;
  if (!p->pair->wall) return pd_norm(apart(p)) > reach + sys->body[p->pair->b].shape->radius;
  const pd_wall *w = &sys->wall[p->pair->b];
  return w->kind == PD_PLANE && -pd_dot(w->n, apart(p)) > reach;
}

static void rotate_end_levers(pd_system *sys, const pd_shape *shape, size_t lever, pd_mat3 rot)
{
  for (int k = 0; k < shape->nv; k++) sys->lever_end[lever + (size_t)k] = pd_mv(rot, shape->v[k]);
}

/* the far ends of the paths of the bodies for which they are wanted into sys->lever_end; the bodies
 * stay where they are */
static void find_body_ends(void *arg, int begin, int end, int thread)
{
  pd_system *sys = (pd_system *)arg;
  (void)thread;
  for (int i = begin; i < end; i++) {
    const pd_body *b = &sys->body[i];
    if (!sys->needs_end_levers[i]) continue;
    const pd_vec3 turn = pd_add(b->alpha, pd_v_load(sys->step + 6 * i + 3));
    rotate_end_levers(sys, b->shape, b->lever, b->mobile ? rotation_at(turn, b->o.q) : b->k.rot);
  }
}

/* the same of all moving walls */
static void find_wall_ends(pd_system *sys, int walls)
{
  for (int i = 0; i < sys->nwall; i++) {
    const pd_wall *w = &sys->wall[i];
    if (!w->moves || w->kind == PD_PLANE) continue;
    rotate_end_levers(sys, w->shape, w->lever,
                      rotation_at(walls ? pd_add(w->alpha_now, w->alpha) : w->alpha_now, w->q));
  }
}

/* A vertex leaves the chord of its path by at most the square of the angle turned, times its lever,
 * over 8; twice that allows for Rodrigues vectors not being angles, as long as they are short. */
static double bend_of(const path *p, int side, double radius)
{
  const double turn = pd_norm(p->da[side]);
  if (pd_norm(p->alpha[side]) + turn > 1.0) return turn * radius;
  return 0.25 * turn * turn * radius;
}

/* the same for the pair; a turning plane takes the height's direction along */
static double bend_of_pair(const path *p)
{
  const double bend =
      bend_of(p, 0, p->sys->body[p->pair->a].shape->radius) + bend_of(p, 1, p->reach);
  if (!p->wall_moves || p->sys->wall[p->pair->b].kind == PD_SURFACE) return bend;
  return bend + 0.5 * pd_norm(p->da[1]) * (pd_norm(p->du[0]) + pd_norm(p->du[1]));
}

/* heights over a plane now and at the end of the path */
static void sweep_plane(const path *p, const pd_wall *w, pd_vec3 end, double *d, pd_status *status)
{
  const pd_system *sys = p->sys;
  const pd_body *a = &sys->body[p->pair->a];
  const pd_vec3 r0 = pd_sub(w->x, a->o.x), ru = pd_sub(p->now[1], p->now[0]);
  pd_vec3 n = p->n;
  if (p->wall_moves) n = pd_mv(rotation_at(pd_add(p->alpha[1], p->da[1]), w->q), w->normal);
  const double h_end = -pd_dot(n, r0) - pd_dot(n, end);
  *status = pd_plane_sweep(p->at[0], -pd_dot(p->n, r0), -pd_dot(p->n, ru), p->n,
                           sys->lever_end + a->lever, h_end, n, p->worker->work, d);
}

/* notes how the gaps change on what is left of the path at t; returns the distance there */
static double sweep(const path *p, double t, pd_status *status)
{
  const pd_system *sys = p->sys;
  const pd_body *a = &sys->body[p->pair->a];
  const pd_vec3 *end_a = sys->lever_end + a->lever;
  const pd_vec3 ru = pd_sub(p->now[1], p->now[0]);
  const pd_vec3 end = pd_add(pd_sub(p->u[1], p->u[0]), pd_sub(p->du[1], p->du[0]));
  const double cut = p->speed * (1.0 - t) + p->pair->law->gbar;
  const pd_body *b = p->pair->wall ? NULL : &sys->body[p->pair->b];
  const pd_wall *w = p->pair->wall ? &sys->wall[p->pair->b] : NULL;
  double d = cut;
  if (w && w->kind == PD_PLANE) {
    sweep_plane(p, w, end, &d, status);
    return d;
  }
  const pd_vec3 r0 = pd_sub(b ? b->o.x : w->x, a->o.x);
  const pd_vec3 *still = w && !w->moves ? w->pose.s : NULL;
  const pd_vec3 *end_b = still ? still : sys->lever_end + (b ? b->lever : w->lever);
  pd_pair_keep(p->worker->work, pd_contact_pair_near(sys, p->pair));
  *status = pd_pair_sweep(p->at[0], p->at[1], r0, ru, end_a, end_b, end, cut, p->worker->work, &d);
  pd_pair_keep(p->worker->work, NULL);
  return d;
}

/* Gap at which a contact that opens at the distance d stops: where the penalty force begins to
 * matter to what is left of the way. Just inside the skin the tangent is so weak that Newton's
 * method would go through the whole of it next. (Euler's and Newmark's schemes gain nothing by it.)
 */
static double entry(const path *p, double d)
{
  const pd_law *law = p->pair->law;
  if (p->sys->scheme.kind != PD_EM) return PD_ENTRY_LIMIT * law->gbar;
  const double h = p->sys->scheme.h, way = fmax(0.0, p->speed - (d - law->gbar));
  const double force = BRAKE * pd_reduced_mass(p->sys, p->pair) * way / (h * h);
  const double depth = pow(force / law->eps1, 1.0 / law->n1);
  return fmin(PD_ENTRY_LIMIT * law->gbar, fmax(DEEP * law->gbar, law->gbar - depth));
}

/* Largest factor in [0, 1] for one pair, by safe advances: each as far as the parting planes allow
 * or the speed does, whichever is more. A contact that opens stops inside its skin: that brings
 * its stiffness into the next tangent. */
static double advance(path *p, double eta, pd_status *status)
{
  const pd_contact_pair *pair = p->pair;
  const double gbar = pair->law->gbar;
  const double bend = bend_of_pair(p);
  double t = 0.0;
  double d = sweep(p, 0.0, status);
  if (*status || !(d > 0.0)) return 0.0;
  if (d >= p->speed + PD_ENTRY_LIMIT * gbar) return 1.0;
  const int opens = d > gbar;
  const double keep = opens ? entry(p, d) : eta * d, window = (opens ? 0.02 : 0.05) * keep;
  for (int i = 0; i < ADVANCES && !*status; i++) {
    const double left = 1.0 - t;
    const double f = pd_pair_sweep_limit(p->worker->work, keep, bend * left * left);
    if (i > 0 && d - keep < window) break;
    t += fmax(f * left, 0.98 * (d - keep) / p->speed);
    if (f >= 1.0 || t >= 1.0) t = 1.0;
    if (t >= 1.0) break;
    *status = put(p, t);
    if (!*status) d = sweep(p, t, status);
  }
  return t;
}

/* what a moving wall may take of a gap within a substep */
static const double PUSH = 0.5;

typedef struct limiting {
  pd_system *sys;
  double eta;
  int walls;
} limiting;

/* which bodies go, into sys->needs_end_levers, and how far from where they were at the start of the
 * substep any of their points can get, into sys->step_fraction */
static void bound_bodies(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    const double *d = sys->step + 6 * i, r = b->shape->radius;
    const double go = b->mobile ? pd_norm(pd_v_load(d)) + pd_norm(pd_v_load(d + 3)) * r : 0.0;
    sys->needs_end_levers[i] = go > 0.0;
    sys->step_fraction[i] = (go + pd_body_path_bound(b)) * (1.0 + 1e-9) + 1e-9 * r;
  }
}

/* whether that tells already that the pair stays as it is, or stays open */
static int is_idle(const pd_system *sys, int i, int walls)
{
  const pd_contact_pair *pair = &sys->pair[i];
  const int *ends = sys->ends[i];
  if (pair->wall && walls && sys->wall[pair->b].moves) return 0;
  if (!sys->needs_end_levers[ends[0]] && !sys->needs_end_levers[ends[1]]) return 1;
  return !pair->wall && pair->separation > sys->step_fraction[ends[0]] +
                                               sys->step_fraction[ends[1]] + pair->law->gbar;
}

/* which pairs may come close, into sys->flag */
static void find_near(void *arg, int begin, int end, int thread)
{
  const limiting *job = (const limiting *)arg;
  pd_system *sys = job->sys;
  for (int i = begin; i < end; i++) {
    sys->flag[i] = 0;
    if (is_idle(sys, i, job->walls)) continue;
    const path p = make_path(sys, &sys->pair[i], job->walls, &sys->worker[thread]);
    sys->flag[i] = p.speed > 0.0 && !far_apart(&p, p.pair->law->gbar);
  }
}

/* and how far these may go */
static void advance_range(void *arg, int begin, int end, int thread)
{
  const limiting *job = (const limiting *)arg;
  pd_system *sys = job->sys;
  pd_worker *worker = &sys->worker[thread];
  for (int k = begin; k < end && !worker->status; k++) {
    const int i = sys->todo[k];
    path p = make_path(sys, &sys->pair[i], job->walls, worker);
    sys->figure[i] = advance(&p, p.wall_moves ? fmin(job->eta, PUSH) : job->eta, &worker->status);
  }
}

/* Pairs that may come close into sys->todo, the ends of their bodies' paths into sys->lever_end;
 * returns how many. */
static int prepare(limiting *job)
{
  pd_system *sys = job->sys;
  int n = 0;
  bound_bodies(sys);
  pd_loop(&sys->loops, sys->npair, 8 * PD_PAIR_CHUNK, find_near, job);
  memset(sys->needs_end_levers, 0, (size_t)sys->nbody);
  for (int i = 0; i < sys->npair; i++) {
    if (!sys->flag[i]) continue;
    sys->todo[n++] = i;
    sys->needs_end_levers[sys->ends[i][0]] = 1;
    sys->needs_end_levers[sys->ends[i][1]] = 1;
  }
  pd_loop(&sys->loops, sys->nbody, PD_BODY_CHUNK, find_body_ends, sys);
  find_wall_ends(sys, job->walls);
  return n;
}

double pd_system_limit_step(pd_system *sys, double eta, int walls, double *wall, pd_status *status)
{
  limiting job = {sys, eta, walls};
  double least = 1.0;
  *status = PD_OK;
  *wall = 1.0;
  for (int t = 0; t < sys->nworker; t++) sys->worker[t].status = PD_OK;
  const int n = prepare(&job);
  for (int i = 0; i < sys->nbody; i++) sys->step_fraction[i] = 1.0;
  pd_loop(&sys->loops, n, PD_PAIR_CHUNK, advance_range, &job);
  for (int t = 0; t < sys->nworker && !*status; t++) *status = sys->worker[t].status;
  if (*status) return 0.0;
  for (int k = 0; k < n; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->todo[k]];
    const double t = sys->figure[sys->todo[k]];
    sys->step_fraction[pair->a] = fmin(sys->step_fraction[pair->a], t);
    if (!pair->wall) sys->step_fraction[pair->b] = fmin(sys->step_fraction[pair->b], t);
    if (pair->wall && walls && sys->wall[pair->b].moves) *wall = fmin(*wall, t);
    least = fmin(least, t);
  }
  return least;
}

int pd_system_overlap(pd_system *sys, double *depth, pd_status *status)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  *depth = 0.0;
  *status = PD_OK;
  for (int i = 0; i < sys->nbody; i++) pd_system_set_pose(sys, i, zero, zero);
  for (int i = 0; i < sys->nwall; i++) pd_system_set_wall_pose(sys, i, 0.0);
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    const pd_body *a = &sys->body[pair->a];
    int residual_dirty = 0;
    if (pair->wall && sys->wall[pair->b].kind == PD_PLANE) {
      const pd_wall *w = &sys->wall[pair->b];
      const double h = pd_dot(w->n, pd_sub(a->o.x, w->x));
      *depth = -pd_plane_distance(&a->pose, h, 0.0, w->n);
      residual_dirty = *depth >= 0.0;
    } else {
      const pd_pose *b = pair->wall ? &sys->wall[pair->b].pose : &sys->body[pair->b].pose;
      const pd_vec3 r = pd_sub(pair->wall ? sys->wall[pair->b].x : sys->body[pair->b].o.x, a->o.x);
      *status = pd_pair_overlap(&a->pose, b, r, sys->worker[0].work, &residual_dirty, depth);
      if (*status) return -1;
    }
    if (residual_dirty) return i;
  }
  *depth = 0.0;
  return -1;
}
