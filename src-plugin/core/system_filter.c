/* SPDX-License-Identifier: MIT
 * How far a step may go: conservative advancement of every link along the true path of its bodies.
 */
#include "system.h"

/* how far into its skin an increment may bring a contact that was open, as a fraction of gbar */
static const double ENTER = 0.95;

/* safe advances along one path; few need more than three, only large turns close by */
enum { ADVANCES = 32 };

/* a link whose step is under examination */
typedef struct path {
  pd_system *sys;
  const pd_link *l;
  pd_vec3 u[2], alpha[2], du[2], da[2]; /* start and direction of the bodies */
  double speed;                         /* no point pair approaches faster, per unit of the step */
} path;

static void put(const path *p, double t)
{
  pd_system_place(p->sys, p->l->a, pd_axpy(p->u[0], t, p->du[0]),
                  pd_axpy(p->alpha[0], t, p->da[0]));
  if (!p->l->wall)
    pd_system_place(p->sys, p->l->b, pd_axpy(p->u[1], t, p->du[1]),
                    pd_axpy(p->alpha[1], t, p->da[1]));
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

/* |Xi| <= 1, so |d alpha| bounds the angle turned along the path */
static double approach_speed(const path *p)
{
  const pd_system *sys = p->sys;
  const double turn_a = pd_norm(p->da[0]) * sys->body[p->l->a].shape->radius;
  if (!p->l->wall)
    return pd_norm(pd_sub(p->du[0], p->du[1])) + turn_a +
           pd_norm(p->da[1]) * sys->body[p->l->b].shape->radius;
  const pd_wall *w = &sys->wall[p->l->b];
  const double du = w->kind == PD_PLANE ? fabs(pd_dot(p->du[0], w->normal)) : pd_norm(p->du[0]);
  return du + turn_a;
}

/* whether the bounding spheres stay apart whatever the bodies do */
static int far_apart(const path *p, double margin)
{
  const pd_system *sys = p->sys;
  const pd_body *a = &sys->body[p->l->a];
  if (p->l->wall) {
    const pd_wall *w = &sys->wall[p->l->b];
    if (w->kind == PD_SURFACE) return 0;
    const pd_vec3 x = pd_add(a->o.x, a->u);
    return pd_dot(w->normal, pd_sub(x, w->point)) > a->shape->radius + p->speed + margin;
  }
  const pd_body *b = &sys->body[p->l->b];
  const pd_vec3 c = pd_add(pd_sub(b->o.x, a->o.x), pd_sub(b->u, a->u));
  return pd_norm(c) > a->shape->radius + b->shape->radius + p->speed + margin;
}

/* the far ends of all paths into sys->lever_end; the bodies stay where they are */
static void place_ends(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    const double *d = sys->step + 6 * i;
    pd_mat3 rot = b->k.rot;
    if (b->mobile) {
      const pd_vec3 alpha = pd_add(b->alpha, pd_v_load(d + 3));
      rot = pd_m_mul(pd_rodrigues(alpha), pd_q_matrix(b->o.q));
    }
    for (int k = 0; k < b->shape->nv; k++)
      sys->lever_end[b->lever + (size_t)k] = pd_mv(rot, b->shape->v[k]);
  }
}

/* A vertex leaves the chord of its path by at most the square of the angle turned, times its lever,
 * over 8; twice that allows for Rodrigues vectors not being angles, as long as they are short. */
static double bend_of(const path *p, int side, const pd_shape *shape)
{
  const double turn = pd_norm(p->da[side]);
  if (pd_norm(p->alpha[side]) + turn > 1.0) return turn * shape->radius;
  return 0.25 * turn * turn * shape->radius;
}

/* notes how the gaps change on what is left of the path at t; returns the distance there */
static double sweep(const path *p, double t, pd_status *status)
{
  pd_system *sys = p->sys;
  const pd_body *a = &sys->body[p->l->a];
  const pd_vec3 *end_a = sys->lever_end + a->lever, u_end = pd_add(p->u[0], p->du[0]);
  const double cut = p->speed * (1.0 - t) + p->l->law->gbar;
  double d = cut;
  if (!p->l->wall) {
    const pd_body *b = &sys->body[p->l->b];
    const pd_vec3 end = pd_add(pd_sub(p->u[1], p->u[0]), pd_sub(p->du[1], p->du[0]));
    *status = pd_pair_sweep(&a->place, &b->place, pd_sub(b->o.x, a->o.x), pd_sub(b->u, a->u), end_a,
                            sys->lever_end + b->lever, end, cut, sys->work, &d);
    return d;
  }
  const pd_wall *w = &sys->wall[p->l->b];
  if (w->kind == PD_PLANE)
    *status = pd_plane_sweep(&a->place, pd_dot(w->normal, pd_sub(a->o.x, w->point)),
                             pd_dot(w->normal, a->u), w->normal, end_a, pd_dot(w->normal, u_end),
                             sys->work, &d);
  else
    *status = pd_pair_sweep(&a->place, &w->place, pd_neg(a->o.x), pd_neg(a->u), end_a, w->place.s,
                            pd_neg(u_end), cut, sys->work, &d);
  return d;
}

/* Largest factor in [0, 1] for one link, by safe advances: each as far as the parting planes allow
 * or the speed does, whichever is more. A contact that opens stops barely inside its skin: that is
 * enough to bring its stiffness into the next tangent, which then takes it from there in one step,
 * whereas a force from deep inside would only make the line search turn back. */
static double advance(const path *p, double eta, pd_status *status)
{
  const pd_system *sys = p->sys;
  const pd_link *l = p->l;
  const double gbar = l->law->gbar;
  double bend = bend_of(p, 0, sys->body[l->a].shape), t = 0.0;
  if (!l->wall) bend += bend_of(p, 1, sys->body[l->b].shape);
  double d = sweep(p, 0.0, status);
  if (*status || !(d > 0.0)) return 0.0;
  if (d >= p->speed + ENTER * gbar) return 1.0;
  const int opens = d > gbar;
  const double keep = opens ? ENTER * gbar : eta * d, window = (opens ? 0.02 : 0.05) * keep;
  for (int i = 0; i < ADVANCES && !*status; i++) {
    const double left = 1.0 - t;
    const double f = pd_pair_sweep_limit(sys->work, keep, bend * left * left);
    if (i > 0 && d - keep < window) break;
    t += fmax(f * left, 0.98 * (d - keep) / p->speed);
    if (f >= 1.0 || t >= 1.0) t = 1.0;
    if (t >= 1.0) break;
    put(p, t);
    d = sweep(p, t, status);
  }
  put(p, 0.0);
  return t;
}

double pd_system_filter(pd_system *sys, double eta, pd_status *status)
{
  double least = 1.0;
  *status = PD_OK;
  for (int i = 0; i < sys->nbody; i++) sys->fac[i] = 1.0;
  place_ends(sys);
  for (int i = 0; i < sys->nlink; i++) {
    path p;
    p.sys = sys;
    p.l = &sys->link[i];
    body_path(&p, 0, p.l->a);
    if (!p.l->wall) body_path(&p, 1, p.l->b);
    p.speed = approach_speed(&p);
    if (p.speed == 0.0 || far_apart(&p, p.l->law->gbar)) continue;
    const double t = advance(&p, eta, status);
    if (*status) return 0.0;
    sys->fac[p.l->a] = fmin(sys->fac[p.l->a], t);
    if (!p.l->wall) sys->fac[p.l->b] = fmin(sys->fac[p.l->b], t);
    least = fmin(least, t);
  }
  return least;
}

int pd_system_overlap(pd_system *sys, double *depth, pd_status *status)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  *depth = 0.0;
  *status = PD_OK;
  for (int i = 0; i < sys->nbody; i++) pd_system_place(sys, i, zero, zero);
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    const pd_body *a = &sys->body[l->a];
    int hit = 0;
    if (l->wall && sys->wall[l->b].kind == PD_PLANE) {
      const pd_wall *w = &sys->wall[l->b];
      const double h = pd_dot(w->normal, pd_sub(a->o.x, w->point));
      *depth = -pd_plane_distance(&a->place, h, 0.0, w->normal);
      hit = *depth >= 0.0;
    } else {
      const pd_place *b = l->wall ? &sys->wall[l->b].place : &sys->body[l->b].place;
      const pd_vec3 r = l->wall ? pd_neg(a->o.x) : pd_sub(sys->body[l->b].o.x, a->o.x);
      *status = pd_pair_overlap(&a->place, b, r, sys->work, &hit, depth);
      if (*status) return -1;
    }
    if (hit) return i;
  }
  *depth = 0.0;
  return -1;
}
