/* SPDX-License-Identifier: MIT
 * Bodies in their places, as the tests of the pair functions need them. */
#ifndef BODIES_H
#define BODIES_H

#include "check.h"
#include "geometry/builtin.h"
#include "geometry/distance.h"
#include "contact/pair.h"
#include "laws.h"
#include "shapes.h"

typedef struct body {
  pd_shape shape;
  pd_vec3 *s;   /* levers, world axes */
  pd_vec3 x;    /* centre of mass */
  pd_pose pose; /* points to shape: a body is not moved in memory */
} body;

/* levers and pose of a body whose shape is there */
static inline void body_begin(body *b, int closed)
{
  b->s = (pd_vec3 *)malloc((size_t)b->shape.nv * sizeof(pd_vec3));
  assert_non_null(b->s);
  b->pose.shape = &b->shape;
  b->pose.mass = closed ? 1.0 : INFINITY;
  b->pose.velocity = pd_at_rest();
  b->pose.increment = pd_no_increment();
}

/* Takes over the mesh. */
static inline void body_make(body *b, pd_status made, pd_mesh *mesh, int closed)
{
  check_ok(made);
  check_ok(sc_shape(mesh, closed, &b->shape));
  body_begin(b, closed);
}

/* The same of a body whose surface is offset by round. */
static inline void body_make_round(body *b, pd_status made, pd_mesh *mesh, double round)
{
  check_ok(made);
  check_ok(pd_shape_create_round(mesh, round, &b->shape));
  pd_mesh_free(mesh);
  body_begin(b, 1);
}

/* closed bodies: a ball; a capsule by the length of its axis */
static inline void body_ball(body *b, double radius)
{
  pd_mesh mesh;
  const pd_status status = pd_find_builtin("sphere")->make(&radius, &mesh);
  body_make_round(b, status, &mesh, radius);
}

static inline void body_capsule(body *b, double radius, double length)
{
  pd_mesh mesh;
  const double value[2] = {radius, length};
  const pd_status status = pd_find_builtin("capsule")->make(value, &mesh);
  body_make_round(b, status, &mesh, radius);
}

/* closed bodies: a box by its edges, the tetrapod that all tests have */
static inline void body_box(body *b, double x, double y, double z)
{
  pd_mesh mesh;
  const pd_status status = sc_box(x, y, z, &mesh);
  body_make(b, status, &mesh, 1);
}

static inline void body_tetrapod(body *b)
{
  pd_mesh mesh;
  const pd_status status = sc_tetrapod(0.1, 0.03, 0.6, &mesh);
  body_make(b, status, &mesh, 1);
}

static inline void body_free(body *b)
{
  pd_shape_free(&b->shape);
  free(b->s);
}

/* Centre of mass at x, rot from the principal frame to the world. */
static inline void body_put(body *b, pd_vec3 x, pd_mat3 rot)
{
  b->x = x;
  b->pose.rot = rot;
  for (int i = 0; i < b->shape.nv; i++) b->s[i] = pd_mv(rot, b->shape.v[i]);
}

/* The frame of the mesh that the body was made from at x, turned by rot. */
static inline void body_put_mesh(body *b, pd_vec3 x, pd_mat3 rot)
{
  if (!b->shape.closed) {
    body_put(b, x, rot);
    return;
  }
  body_put(b, pd_add(x, pd_mv(rot, b->shape.mass.center)), pd_m_mul(rot, b->shape.mass.axes));
}

static inline pd_mat3 body_turn(pd_vec3 axis, double angle)
{
  const pd_vec3 e = pd_scale(sin(0.5 * angle), pd_unit(axis));
  return pd_q_matrix(pd_q(cos(0.5 * angle), e.x, e.y, e.z));
}

/* the two as a pair */
static inline pd_pair_geometry body_pair(const body *a, const body *b)
{
  const pd_pair_geometry pair = {&a->pose, &b->pose, pd_sub(b->x, a->x), pd_v(0.0, 0.0, 0.0),
                                 NULL,     NULL};
  return pair;
}

static inline pd_status body_eval(const body *a, const body *b, const pd_law *law,
                                  pd_contact_set set, int tangent, pd_pair_work *work,
                                  pd_pair_result *result, pd_contact_list *list)
{
  pd_pair_request request = {0};
  request.at = body_pair(a, b);
  request.law = law;
  request.set = set;
  request.mode = PD_END_OF_STEP;
  request.tangent = tangent;
  request.contacts = list;
  return pd_pair_evaluate(&request, work, result);
}

static inline double body_distance(const body *a, const body *b, double cut)
{
  const pd_pair_geometry pair = body_pair(a, b);
  return pd_pair_distance(&pair, cut);
}

/* Smallest distance over all pairs of features. */
static inline double body_brute_distance(const body *a, const body *b)
{
  double best = DBL_MAX, d2;
  for (int side = 0; side < 2; side++) {
    const body *p = side ? b : a, *q = side ? a : b;
    const pd_shape *s = &q->shape;
    const pd_vec3 r = pd_sub(p->x, q->x);
    for (int i = 0; i < p->shape.nv; i++)
      for (int k = 0; k < s->nt; k++) {
        pd_point_triangle(pd_add(r, p->s[i]), q->s[s->t[k][0]], q->s[s->t[k][1]], q->s[s->t[k][2]],
                          &d2);
        best = fmin(best, d2);
      }
  }
  const pd_vec3 r = pd_sub(b->x, a->x);
  for (int i = 0; i < a->shape.ne; i++)
    for (int k = 0; k < b->shape.ne; k++) {
      const pd_edge *e = &a->shape.e[i], *f = &b->shape.e[k];
      int fa, fb;
      best = fmin(best, pd_segment_segment(a->s[e->v[0]], a->s[e->v[1]], pd_add(r, b->s[f->v[0]]),
                                           pd_add(r, b->s[f->v[1]]), &fa, &fb));
    }
  return sqrt(best);
}

/* Moves A along the unit vector dir (roughly towards B) until the distance is target, by steps as
 * long as the distance allows: A cannot jump over B. Returns 0 if A passes B by. */
static inline int body_approach(body *a, const body *b, pd_vec3 dir, double target)
{
  const double reach = a->shape.radius + b->shape.radius + target;
  double gone = 0.0;
  for (int i = 0; i < 2000 && gone < 4.0 * reach; i++) {
    const double off = body_distance(a, b, 0.1 * reach + target) - target;
    if (off < 1e-6 * target) return 1;
    a->x = pd_axpy(a->x, off, dir);
    gone += off;
  }
  return 0;
}

#endif
