/* SPDX-License-Identifier: MIT
 * Contact points of the same features with the bodies elsewhere. */
#include "contact_dynamics/manifold.h"

/* vertex v of body a over triangle t of b, b's centre at r from a's */
static void move_vertex(const pd_pose *a, int v, const pd_pose *b, int t, pd_vec3 r, pd_cd_point *p)
{
  const pd_vec3 n = pd_mv(b->rot, b->shape->tn[t]);
  p->n = b->shape->closed || pd_dot(n, p->n) > 0.0 ? n : pd_neg(n);
  const pd_vec3 under = pd_add(r, pd_pose_lever(b, b->shape->t[t][0]));
  p->gap = pd_dot(p->n, pd_sub(pd_pose_lever(a, v), under));
  p->ra = pd_axpy(pd_pose_lever(a, v), -0.5 * p->gap, p->n);
  p->rb = pd_sub(p->ra, r);
}

static double clamp(double x) { return fmin(1.0, fmax(0.0, x)); }

static void move_crossing(const pd_pose *a, const pd_pose *b, pd_vec3 r, pd_cd_point *o)
{
  const int *e = a->shape->e[o->sample[0]].v, *g = b->shape->e[o->sample[1]].v;
  const pd_vec3 p = pd_pose_lever(a, e[0]), u = pd_sub(pd_pose_lever(a, e[1]), p);
  const pd_vec3 q = pd_add(r, pd_pose_lever(b, g[0])),
                v = pd_sub(pd_pose_lever(b, g[1]), pd_pose_lever(b, g[0])), w = pd_sub(q, p);
  const pd_vec3 c = pd_cross(u, v);
  const double c2 = pd_norm2(c), sign = pd_dot(c, o->n) < 0.0 ? -1.0 : 1.0;
  if (!(c2 > 0.0)) return; /* parallel for once: what is known of the point is near enough */
  const double s = clamp(pd_dot(pd_cross(w, v), c) / c2), t = clamp(pd_dot(pd_cross(w, u), c) / c2);
  const pd_vec3 at = pd_axpy(p, s, u), bt = pd_axpy(q, t, v);
  o->n = pd_scale(sign / sqrt(c2), c);
  o->gap = pd_dot(o->n, pd_sub(at, bt));
  o->ra = pd_scale(0.5, pd_add(at, bt));
  o->rb = pd_sub(o->ra, r);
}

void pd_cd_manifold_move(const pd_pose *a, const pd_pose *b, pd_vec3 r, pd_cd_point *p)
{
  if (p->sample[1] < 0) {
    move_vertex(a, p->sample[0], b, -1 - p->sample[1], r, p);
  } else if (p->sample[0] < 0) {
    const pd_vec3 swap = pd_neg(r);
    p->n = pd_neg(p->n);
    move_vertex(b, p->sample[1], a, -1 - p->sample[0], swap, p);
    const pd_vec3 ra = p->rb;
    p->rb = p->ra;
    p->ra = ra;
    p->n = pd_neg(p->n);
  } else {
    move_crossing(a, b, r, p);
  }
}
