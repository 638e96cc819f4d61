/* SPDX-License-Identifier: MIT
 * How far a step may go: conservative advancement of every pair along the true path of its bodies.
 */
#include "dynamics/system_internal.h"

/* a pair whose step is under examination; side 1 is a body or a wall */
typedef struct pair_sweep {
  const pd_system *sys;
  const pd_step_request *request;
  pd_contact_pair *pair;
  pd_worker *worker;
  pd_vec3 u[2], alpha[2], du[2], da[2]; /* start and direction */
  double speed;                         /* no point pair approaches faster, per unit of the step */
  double reach;                         /* levers of the second side that matter are no longer */
  int driven;                           /* a side goes its way whatever the other does */
  int wall_moves;
  /* where the sides are on their way; what others see of them stays where it is */
  pd_vec3 now[2]; /* increments */
  pd_vec3 n;      /* normal of a plane */
  const pd_pose *at[2];
  pd_pose moved[2];
} pair_sweep;

static pd_mat3 rotation_at(pd_vec3 alpha, pd_quat q)
{
  return pd_m_mul(pd_rodrigues(alpha), pd_q_matrix(q));
}

static void turn_side(pair_sweep *p, int side, const pd_pose *from, pd_mat3 rot)
{
  p->moved[side] = *from;
  p->moved[side].rot = rot;
  p->at[side] = &p->moved[side];
}

static void put_body(pair_sweep *p, int side, const pd_body *b, double t)
{
  if (!pd_body_is_moving(b)) return;
  p->now[side] = pd_axpy(p->u[side], t, p->du[side]);
  turn_side(p, side, &b->pose, rotation_at(pd_axpy(p->alpha[side], t, p->da[side]), b->start.q));
}

static void put_wall(pair_sweep *p, const pd_wall *w, double t)
{
  if (!p->wall_moves) return;
  const pd_mat3 rot = rotation_at(pd_scale(t, w->alpha), w->q);
  p->now[1] = pd_scale(t, w->u);
  p->n = pd_mv(rot, w->normal);
  if (w->kind == PD_SURFACE) turn_side(p, 1, &w->pose, rot);
}

static void put(pair_sweep *p, double t)
{
  const pd_system *sys = p->sys;
  put_body(p, 0, &sys->body[p->pair->a], t);
  if (p->pair->wall)
    put_wall(p, &sys->wall[p->pair->b], t);
  else
    put_body(p, 1, &sys->body[p->pair->b], t);
}

static void body_path(pair_sweep *p, int side, int body)
{
  const pd_body *b = &p->sys->body[body];
  const double *d = p->request->direction + 6 * body;
  p->u[side] = pd_body_displacement(b);
  p->alpha[side] = b->alpha;
  p->du[side] = pd_v_load(d);
  p->da[side] = pd_v_load(d + 3);
  if (p->request->walls) p->du[side] = pd_add(p->du[side], b->carry);
}

/* from A's centre to that of the other side */
static pd_vec3 apart(const pair_sweep *p)
{
  const pd_body *a = &p->sys->body[p->pair->a];
  const pd_vec3 x = p->pair->wall ? p->sys->wall[p->pair->b].x : p->sys->body[p->pair->b].start.x;
  return pd_add(pd_sub(x, a->start.x), pd_sub(p->u[1], p->u[0]));
}

static void wall_path(pair_sweep *p)
{
  const pd_wall *w = &p->sys->wall[p->pair->b];
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  p->wall_moves = p->request->walls && w->moves;
  p->u[1] = w->u_now;
  p->alpha[1] = w->alpha_now;
  p->du[1] = p->wall_moves ? w->u : zero;
  p->da[1] = p->wall_moves ? w->alpha : zero;
}

/* |Xi| <= 1, so |d alpha| bounds the angle turned along the path */
static pair_sweep make_sweep(const pd_system *sys, const pd_step_request *request,
                             pd_contact_pair *pair, pd_worker *worker)
{
  pair_sweep p;
  p.sys = sys;
  p.request = request;
  p.pair = pair;
  p.worker = worker;
  p.wall_moves = 0;
  p.driven = request->walls && pd_contact_pair_is_driven(sys, pair);
  body_path(&p, 0, pair->a);
  if (pair->wall)
    wall_path(&p);
  else
    body_path(&p, 1, pair->b);
  for (int k = 0; k < 2; k++) p.now[k] = p.u[k];
  p.at[0] = &sys->body[pair->a].pose;
  p.at[1] = pair->wall ? &sys->wall[pair->b].pose : &sys->body[pair->b].pose;
  const pd_vec3 *plane = pd_plane_of(sys, pair);
  if (plane) p.n = *plane;
  const pd_vec3 du = pd_sub(p.du[0], p.du[1]);
  const pd_shape *a = sys->body[pair->a].shape;
  double go = pd_norm(du);
  p.reach = pair->wall ? pd_norm(apart(&p)) + a->radius + go : sys->body[pair->b].shape->lever;
  if (plane && !(pd_norm2(p.da[1]) > 0.0)) go = fabs(pd_dot(du, *plane));
  p.speed = go + pd_norm(p.da[0]) * a->lever + pd_norm(p.da[1]) * p.reach;
  return p;
}

/* where the sides are on the path; a plane is another matter */
static pd_pair_geometry geometry_of(const pair_sweep *p)
{
  const pd_pair_geometry at = {p->at[0],
                               p->at[1],
                               pd_contact_pair_geometry(p->sys, p->pair).r0,
                               pd_sub(p->now[1], p->now[0]),
                               NULL,
                               &p->pair->nearest};
  return at;
}

/* whether the bounding spheres, or a plane between two bodies, stay apart whatever the bodies do */
static int far_apart(const pair_sweep *p, double margin)
{
  const pd_system *sys = p->sys;
  const double room = p->speed + margin, reach = sys->body[p->pair->a].shape->radius + room;
  if (pd_contact_pair_separation(sys, p->pair) > room) return 1;
  const pd_vec3 *plane = pd_plane_of(sys, p->pair);
  if (plane) return -pd_dot(*plane, apart(p)) > reach;
  if (p->pair->wall) return 0;
  if (pd_norm(apart(p)) > reach + sys->body[p->pair->b].shape->radius) return 1;
  const pd_pair_geometry at = geometry_of(p);
  return pd_pair_parted(&at) > room;
}

/* Whether the whole way keeps the distance that a pair in contact is to keep, by what its last
 * evaluation has found: the search for what is near would come to the same. */
static int is_slow(const pair_sweep *p)
{
  const pd_contact_pair *pair = p->pair;
  if (!p->request->evaluated || p->driven || pair->contact < 0) return 0;
  const pd_pair_response *response = pd_response_of(p->sys, (int)(pair - p->sys->pair));
  if (!response->active || !(response->mingap < pair->law->gbar)) return 0;
  return p->speed <= PD_ADVANCE_SAFETY * (1.0 - p->request->eta) * response->mingap;
}

/* a call of the step limiter */
typedef struct limiting {
  pd_system *sys;
  const pd_step_request *request;
} limiting;

/* A vertex leaves the chord of its path by at most an eighth of the second derivative of its place:
 * 1.39 times the square of the turn, times its lever, for Rodrigues vectors of any length; and by
 * no more than its arc. A fourth is taken where 0.18 would do. */
static double bend_of(const pair_sweep *p, int side, double lever)
{
  const double turn = pd_norm(p->da[side]);
  return fmin(0.25 * turn, 1.0) * turn * lever;
}

/* the same for the pair; a turning plane takes the height's direction along */
static double bend_of_pair(const pair_sweep *p)
{
  const double bend =
      bend_of(p, 0, p->sys->body[p->pair->a].shape->lever) + bend_of(p, 1, p->reach);
  if (!p->wall_moves || p->sys->wall[p->pair->b].kind == PD_SURFACE) return bend;
  return bend + 0.5 * pd_norm(p->da[1]) * (pd_norm(p->du[0]) + pd_norm(p->du[1]));
}

/* rotation of a side at the end of the path */
static pd_mat3 end_rotation(const pair_sweep *p, int side)
{
  const pd_body *b = &p->sys->body[side ? p->pair->b : p->pair->a];
  if (!pd_body_is_moving(b)) return b->pose.rot;
  return rotation_at(pd_add(p->alpha[side], p->da[side]), b->start.q);
}

/* where the second side is on the path, and its rotation at the end */
static void place_second(const pair_sweep *p, pd_pair_geometry *at, pd_pair_end *end)
{
  const int plane = pd_plane_of(p->sys, p->pair) != NULL;
  if (plane) {
    at->plane = &p->n;
    end->plane = p->n;
  }
  if (!p->pair->wall) {
    end->b = end_rotation(p, 1);
    return;
  }
  const pd_wall *w = &p->sys->wall[p->pair->b];
  const pd_mat3 rot = w->moves ? rotation_at(pd_add(p->alpha[1], p->da[1]), w->q) : w->pose.rot;
  if (!plane) end->b = rot;
  if (plane && p->wall_moves) end->plane = pd_mv(rot, w->normal);
}

/* notes how the gaps change on what is left of the path at t; returns the distance there */
static double sweep(const pair_sweep *p, double t, pd_status *status)
{
  const pd_system *sys = p->sys;
  const double cut = p->speed * (1.0 - t) + p->pair->law->gbar;
  pd_pair_geometry at = geometry_of(p);
  pd_pair_end end = {end_rotation(p, 0), pd_m_identity(),
                     pd_add(pd_sub(p->u[1], p->u[0]), pd_sub(p->du[1], p->du[0])),
                     pd_v(0.0, 0.0, 0.0)};
  double d = cut;
  place_second(p, &at, &end);
  *status = at.plane ? pd_plane_sweep(&at, &end, cut, p->worker->work, &d)
                     : pd_pair_sweep(&at, &end, cut, pd_contact_pair_near(sys, p->pair),
                                     p->worker->work, &d);
  return d;
}

/* Gap, over the activation distance, at which a contact that closes stops. Dashpots have their
 * force at once. */
static double entry_of(const pair_sweep *p)
{
  if (p->request->entry > 0.0) return p->request->entry;
  return p->pair->em.zeta > 0.0 ? PD_ENTRY_LIMIT : PD_ENTRY_ELASTIC;
}

/* Largest factor in [0, 1] for one pair, by safe advances: each as far as the parting planes allow
 * or the speed does, whichever is more. A contact that closes stops inside its activation distance:
 * that brings its stiffness into the next tangent. */
static double advance(pair_sweep *p, double eta, pd_status *status)
{
  const pd_contact_pair *pair = p->pair;
  const double gbar = pair->law->gbar;
  const double bend = bend_of_pair(p);
  double t = 0.0;
  double d = sweep(p, 0.0, status);
  if (*status || !(d > 0.0)) return 0.0;
  if (d >= p->speed + PD_ENTRY_LIMIT * gbar) return 1.0;
  const int is_open = d > gbar;
  const double keep = is_open ? entry_of(p) * gbar : eta * d,
               window = (is_open ? PD_STOP_WINDOW_OPEN : PD_STOP_WINDOW_CLOSED) * keep;
  for (int i = 0; i < PD_ADVANCES && !*status; i++) {
    const double left = 1.0 - t;
    const double f = pd_pair_sweep_limit(p->worker->work, keep, bend * left * left);
    if (i > 0 && d - keep < window) break;
    t += fmax(f * left, PD_ADVANCE_SAFETY * (d - keep) / p->speed);
    if (f >= 1.0 || t >= 1.0) t = 1.0;
    if (t >= 1.0) break;
    put(p, t);
    d = sweep(p, t, status);
  }
  return t;
}

/* which bodies go, and how far from where they were at the start of the substep any of their points
 * can get */
static void bound_bodies(pd_system *sys, const double *direction, int walls)
{
  pd_limiter_work *w = &sys->work->limiter;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    const double *d = direction + 6 * i, r = b->shape->lever;
    const pd_vec3 u = walls ? pd_add(pd_v_load(d), b->carry) : pd_v_load(d);
    const double go = pd_norm(u) + pd_norm(pd_v_load(d + 3)) * r;
    w->goes[i] = go > 0.0;
    w->reach[i] =
        (go + pd_body_path_bound(b)) * (1.0 + PD_BOUND_DOUBT) + PD_BOUND_DOUBT * b->shape->radius;
  }
}

/* whether that tells already that the pair stays as it is, or stays open */
static int is_idle(const pd_system *sys, int i, int walls)
{
  const pd_limiter_work *w = &sys->work->limiter;
  const pd_contact_pair *pair = &sys->pair[i];
  const int *ends = sys->ends[i];
  if (pair->wall && walls && sys->wall[pair->b].moves) return 0;
  if (!w->goes[ends[0]] && !w->goes[ends[1]]) return 1;
  const double reach = w->reach[ends[0]] + (pair->wall ? 0.0 : w->reach[ends[1]]);
  return pair->separation > reach + pair->law->gbar;
}

/* which pairs may come close */
static void find_near(void *arg, int begin, int end, int thread)
{
  const limiting *job = (const limiting *)arg;
  pd_system *sys = job->sys;
  char *near = sys->work->limiter.near;
  for (int i = begin; i < end; i++) {
    near[i] = 0;
    if (job->request->pairs && !job->request->pairs[i]) continue;
    if (is_idle(sys, i, job->request->walls)) continue;
    const pair_sweep p = make_sweep(sys, job->request, &sys->pair[i], &sys->work->worker[thread]);
    near[i] = p.speed > 0.0 && !is_slow(&p) && !far_apart(&p, p.pair->law->gbar);
  }
}

/* and how far these may go */
static void advance_range(void *arg, int begin, int end, int thread)
{
  const limiting *job = (const limiting *)arg;
  pd_system *sys = job->sys;
  pd_limiter_work *w = &sys->work->limiter;
  pd_worker *worker = &sys->work->worker[thread];
  const double eta = job->request->eta;
  for (int k = begin; k < end && !worker->status; k++) {
    const int i = w->near_pair[k];
    pair_sweep p = make_sweep(sys, job->request, &sys->pair[i], worker);
    w->fraction[i] = advance(&p, p.driven ? fmin(eta, PD_WALL_PUSH) : eta, &worker->status);
  }
}

/* Lists the pairs that may come close; returns how many. */
static int prepare(limiting *job)
{
  pd_system *sys = job->sys;
  pd_limiter_work *w = &sys->work->limiter;
  int n = 0;
  bound_bodies(sys, job->request->direction, job->request->walls);
  pd_loop(&sys->loops, sys->npair, PD_SCAN_CHUNK, find_near, job);
  for (int i = 0; i < sys->npair; i++)
    if (w->near[i]) w->near_pair[n++] = i;
  return n;
}

/* the bodies' fractions from those of n pairs */
static void share_out(const limiting *job, int n, pd_step_limits *limits)
{
  const pd_system *sys = job->sys;
  const pd_limiter_work *w = &sys->work->limiter;
  for (int i = 0; i < sys->nbody; i++) limits->fraction[i] = 1.0;
  for (int k = 0; k < n; k++) {
    const int i = w->near_pair[k];
    const pd_contact_pair *pair = &sys->pair[i];
    const double t = w->fraction[i];
    limits->fraction[pair->a] = fmin(limits->fraction[pair->a], t);
    if (!pair->wall) limits->fraction[pair->b] = fmin(limits->fraction[pair->b], t);
    if (t < limits->wall && job->request->walls && pd_contact_pair_is_driven(sys, pair))
      limits->wall = t, limits->pair = i;
    limits->least = fmin(limits->least, t);
  }
}

pd_status pd_system_limit_step(pd_system *sys, const pd_step_request *request,
                               pd_step_limits *limits)
{
  limiting job = {sys, request};
  limits->least = limits->wall = 1.0;
  limits->pair = -1;
  pd_workers_clear(sys->work);
  const int n = prepare(&job);
  pd_loop(&sys->loops, n, PD_PAIR_CHUNK, advance_range, &job);
  const pd_status status = pd_workers_status(sys->work);
  if (!status) share_out(&job, n, limits);
  return status;
}
