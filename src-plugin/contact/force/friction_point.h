/* SPDX-License-Identifier: MIT
 * Friction point: the point of space at which both sides of a sample are looked at (doc/theory.md,
 * 8). */
#ifndef PD_FRICTION_POINT_H
#define PD_FRICTION_POINT_H

#include "base/blocks.h"
#include "contact/force/evaluation.h"
#include "contact/gap.h"

typedef struct pd_friction_point {
  int sample[2]; /* key of its memory, as in pd_friction_record */
  pd_vec3 pa;    /* lever about A's centre */
  pd_grad dx;    /* derivative of the point's place in space; only for the tangent */
} pd_friction_point;

PD_BEGIN_DECLS

/* Of a vertex of A, or of B if on_b, at the lever at about A's centre: the vertex itself. */
pd_friction_point pd_vertex_friction_point(const pd_evaluation *pair, int vertex, int on_b,
                                           pd_vec3 at);

/* Of an edge pair: midway between the closest points of the features in g. */
pd_friction_point pd_edge_friction_point(const pd_evaluation *pair, int ea, int eb,
                                         const pd_gap *g);

PD_END_DECLS

#endif
