/* SPDX-License-Identifier: MIT
 * How far a step may go: conservative advancement of every link along the true path of its bodies. */
#include "system.h"

/* how far into its skin an increment may bring a contact that was open, as a fraction of gbar */
static const double ENTER = 0.95;

/* a link whose step is under examination */
typedef struct path {
  pd_system *sys;
  const pd_link *l;
  pd_vec3 u[2], alpha[2], du[2], da[2]; /* start and direction of the bodies */
  double speed;                         /* no point pair approaches faster, per unit of the step */
} path;

static void put(const path *p, double t)
{
  pd_system_place(p->sys, p->l->a, pd_axpy(p->u[0], t, p->du[0]), pd_axpy(p->alpha[0], t, p->da[0]));
  if (!p->l->wall)
    pd_system_place(p->sys, p->l->b, pd_axpy(p->u[1], t, p->du[1]),
                    pd_axpy(p->alpha[1], t, p->da[1]));
}

static double distance(const path *p, double cut, pd_status *status)
{
  pd_system *sys = p->sys;
  const pd_body *a = &sys->body[p->l->a];
  double d = cut;
  if (!p->l->wall) {
    const pd_body *b = &sys->body[p->l->b];
    *status = pd_pair_distance(&a->place, &b->place, pd_sub(b->o.x, a->o.x), pd_sub(b->u, a->u),
                               cut, sys->work, &d);
    return d;
  }
  const pd_wall *w = &sys->wall[p->l->b];
  if (w->kind == PD_PLANE)
    return fmin(cut, pd_plane_distance(&a->place, pd_dot(w->normal, pd_sub(a->o.x, w->point)),
                                       pd_dot(w->normal, a->u), w->normal));
  *status = pd_pair_distance(&a->place, &w->place, pd_neg(a->o.x), pd_neg(a->u), cut, sys->work, &d);
  return d;
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

/* Conservative advancement from distance d0 towards the distance keep: as nothing approaches faster
 * than speed, every jump is safe; ends within window * keep of the goal, at the path's end, or where
 * the jumps get too small. */
static double jump(path *p, double d0, double keep, double window, pd_status *status)
{
  double t = 0.0, d = d0;
  for (int i = 0; i < 200 && !*status; i++) {
    t += 0.98 * (d - keep) / p->speed;
    if (t >= 1.0) return 1.0;
    put(p, t);
    d = distance(p, p->speed * (1.0 - t) + p->l->law->gbar, status);
    if (d - keep < window * keep) break;
  }
  return t;
}

/* Largest factor in [0, 1] for one link. A contact that opens stops barely inside its skin: that is
 * enough to bring its stiffness into the next tangent, which then takes it from there in one step,
 * whereas a force from deep inside would only make the line search turn back. */
static double advance(path *p, double eta, pd_status *status)
{
  const double gbar = p->l->law->gbar;
  const double d0 = distance(p, 1.1 * p->speed + gbar, status);
  if (*status || !(d0 > 0.0)) return 0.0;
  if (d0 >= p->speed + ENTER * gbar) return 1.0;
  const int opens = d0 > gbar;
  const double t = opens ? jump(p, d0, ENTER * gbar, 0.02, status)
                         : jump(p, d0, eta * d0, 0.05, status);
  put(p, 0.0);
  return t;
}

double pd_system_filter(pd_system *sys, double eta, pd_status *status)
{
  double least = 1.0;
  *status = PD_OK;
  for (int i = 0; i < sys->nbody; i++) sys->fac[i] = 1.0;
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
