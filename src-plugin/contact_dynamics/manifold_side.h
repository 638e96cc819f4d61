/* SPDX-License-Identifier: MIT
 * The side of an open surface on which a body is. */
#ifndef PD_CD_MANIFOLD_SIDE_H
#define PD_CD_MANIFOLD_SIDE_H

#include "contact/pose.h"

/* A vertex of a body before an open surface, and what is known of it. */
typedef struct pd_cd_before {
  const pd_pair_geometry *start; /* both before they move: there they do not cross */
  int side, v;                   /* of the pair that is the body, its vertex */
  int patch;                     /* of the surface that was asked for last, or -1 */
  double facing;
} pd_cd_before;

PD_BEGIN_DECLS

/* 1 if the vertex is on the side to which the normal of triangle t points, -1 if on the other: all
 * triangles of a patch have one answer. */
double pd_cd_facing(pd_cd_before *before, int t);

PD_END_DECLS

#endif
