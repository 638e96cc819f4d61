/* SPDX-License-Identifier: MIT
 * Pairs of shapes and random poses close to contact, of every kind. */
#ifndef POSES_H
#define POSES_H

#include "bodies.h"
#include "differences.h"

/* how a pose is made: any orientation; faces, edges and vertices nearly aligned; edge on nearly
 * parallel edge; vertex on vertex; vertex on edge */
typedef enum pose_kind {
  POSE_RANDOM,
  POSE_ALIGNED,
  POSE_EDGES,
  POSE_VERTICES,
  POSE_VERTEX_EDGE,
  POSE_KINDS
} pose_kind;

/* R with R from = to, and R from2 as near to to2 as that allows */
static inline pd_mat3 pose_align(pd_vec3 from, pd_vec3 from2, pd_vec3 to, pd_vec3 to2)
{
  const pd_vec3 f[2] = {from, to}, g[2] = {from2, to2};
  pd_mat3 m[2];
  for (int i = 0; i < 2; i++) {
    const pd_vec3 e1 = pd_unit(f[i]);
    const pd_vec3 e3 = pd_unit(pd_cross(e1, g[i])), e2 = pd_cross(e3, e1);
    const pd_mat3 rows = {{{e1.x, e1.y, e1.z}, {e2.x, e2.y, e2.z}, {e3.x, e3.y, e3.z}}};
    m[i] = rows;
  }
  return pd_m_mul(pd_m_transpose(m[1]), m[0]);
}

/* a sharp edge: its direction, the middle of its normals and a point on it, in the shape's frame */
static inline void pose_edge(const pd_shape *s, sc_random *random, pd_vec3 *dir, pd_vec3 *out,
                             pd_vec3 *at)
{
  const pd_edge *e;
  do e = &s->e[sc_below(random, s->ne)];
  while (!e->sharp);
  const pd_vec3 p = s->v[e->v[0]], q = s->v[e->v[1]];
  *dir = pd_unit(pd_sub(q, p));
  *out = s->tn[e->t[0]];
  if (e->t[1] >= 0) *out = pd_add(*out, s->tn[e->t[1]]);
  *at = pd_axpy(p, sc_uniform(random, 0.05, 0.95), pd_sub(q, p));
}

/* a sampled vertex, the sum of the normals around it and one of its edges */
static inline void pose_vertex(const pd_shape *s, sc_random *random, pd_vec3 *dir, pd_vec3 *out,
                               pd_vec3 *at)
{
  int v;
  do v = sc_below(random, s->nv);
  while (!s->sample[v]);
  *out = pd_v(0.0, 0.0, 0.0);
  *dir = diff_direction(random);
  for (int i = 0; i < s->nt; i++)
    for (int k = 0; k < 3; k++)
      if (s->t[i][k] == v) *out = pd_add(*out, s->tn[i]);
  *at = s->v[v];
}

/* Puts the feature of one body at the origin, its edge along dir, its normals about +-z; not just
 * so, else every pose at an open border would lie on the border of two regions. */
static inline void pose_feature(body *b, sc_random *random, int vertex, double up, pd_vec3 dir)
{
  pd_vec3 along, out, at;
  (vertex || b->shape.ne == 0 ? pose_vertex : pose_edge)(&b->shape, random, &along, &out, &at);
  out = pd_axpy(pd_unit(out), 0.2, diff_direction(random));
  const pd_mat3 r = pose_align(along, out, dir, pd_v(0.0, 0.0, up));
  body_put(b, pd_neg(pd_mv(r, at)), r);
}

/* edges cross at 1e-4 to 1 rad; vertices come within 0.3 gbar sideways */
static inline void pose_features(body *a, body *b, pose_kind kind, double gbar, sc_random *random)
{
  const double angle = pow(10.0, sc_uniform(random, -4.0, 0.0));
  const double shift = kind == POSE_VERTICES ? 0.3 * gbar : 0.0;
  pose_feature(b, random, kind == POSE_VERTICES, 1.0, pd_v(1.0, 0.0, 0.0));
  pose_feature(a, random, kind != POSE_EDGES, -1.0, pd_v(cos(angle), sin(angle), 0.0));
  a->x = pd_axpy(a->x, shift, diff_direction(random));
}

/* quarter turns about the axes, then a tilt of 1e-6 to 0.1 rad */
static inline pd_mat3 pose_nearly_aligned(sc_random *random)
{
  pd_mat3 r = body_turn(pd_v(0.0, 0.0, 1.0), 1.5707963267948966 * sc_below(random, 4));
  r = pd_m_mul(body_turn(pd_v(1.0, 0.0, 0.0), 1.5707963267948966 * sc_below(random, 4)), r);
  const double tilt = 0.1 * pow(10.0, -sc_uniform(random, 0.0, 5.0));
  return pd_m_mul(body_turn(diff_direction(random), tilt), r);
}

static inline void pose_bodies(body *a, body *b, int aligned, sc_random *random)
{
  const double size = a->shape.radius + (b->shape.closed ? b->shape.radius : 0.0);
  pd_vec3 lateral = pd_scale(0.6 * size * sc_uniform(random, 0.0, 1.0), diff_direction(random));
  body_put(b, pd_v(0.0, 0.0, 0.0),
           b->shape.closed
               ? aligned ? pose_nearly_aligned(random) : pd_q_matrix(sc_rotation(random))
               : pd_m_identity());
  lateral.z = 0.0;
  body_put(a, lateral, aligned ? pose_nearly_aligned(random) : pd_q_matrix(sc_rotation(random)));
}

/* A above B, distance target * gbar; returns 0 if the pose could not be made. */
static inline int pose_make(body *a, body *b, pose_kind kind, double gbar, double target,
                            sc_random *random)
{
  const pd_vec3 down = pd_v(0.0, 0.0, -1.0);
  if (kind == POSE_RANDOM || kind == POSE_ALIGNED)
    pose_bodies(a, b, kind == POSE_ALIGNED, random);
  else
    pose_features(a, b, kind, gbar, random);
  /* the feature of a capsule may look up */
  const double far = a->shape.round + b->shape.round > 0.0 ? 2.0 : 1.0;
  a->x.z += far * (a->shape.radius + b->shape.radius) + gbar;
  return body_approach(a, b, down, target * gbar);
}

#endif
