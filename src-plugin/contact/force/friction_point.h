/* SPDX-License-Identifier: MIT
 * Friction point: the point of space at which both sides of a sample are looked at (doc/theory.md,
 * 8). */
#ifndef PD_FRICTION_POINT_H
#define PD_FRICTION_POINT_H

#include "base/blocks.h"
#include "contact/force/sample.h"
#include "contact/gap.h"

/* the side whose matter a friction point goes with, but for what goes with the normal */
typedef enum pd_friction_carrier { PD_ON_A, PD_ON_B, PD_ON_NEITHER } pd_friction_carrier;

/* dx, dn: derivatives, only for the tangent */
typedef struct pd_friction_point {
  int sample[2]; /* key of its memory, as in pd_friction_record */
  pd_friction_carrier on;
  int record; /* what it remembers, by its place in that; -1: nothing */
  pd_vec3 pa; /* lever about A's centre */
  pd_grad dx; /* of the point's place in space */
  pd_vec3 n;  /* normal of the sample on A; with dn only looked at where a side is rounded */
  pd_grad dn;
} pd_friction_point;

/* Normal of a friction point. */
typedef struct pd_friction_normal {
  pd_vec3 n;
  const pd_grad *dn; /* NULL: it does not change */
} pd_friction_normal;

PD_BEGIN_DECLS

/* Of a vertex of A, or of B if on_b, at the lever at about A's centre: the vertex itself, or the
 * point of the ball about it that the normal goes through. Against a ball it is that of the ball,
 * and that of two balls is midway between them: which of them is A does not matter. */
pd_friction_point pd_vertex_friction_point(const pd_evaluation *pair, int vertex, int on_b,
                                           pd_vec3 at, pd_friction_normal normal);

/* Of an edge pair: midway between the closest points of the features in g, or of the surfaces about
 * them. */
pd_friction_point pd_edge_friction_point(const pd_evaluation *pair, int ea, int eb, const pd_gap *g,
                                         pd_friction_normal normal);

/* The normal of a sample that bears; dn: room for its derivative. */
pd_friction_normal pd_sample_direction(const pd_evaluation *pair, const pd_sample_sum *sum,
                                       pd_grad *dn);

PD_END_DECLS

#endif
