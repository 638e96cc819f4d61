/* SPDX-License-Identifier: MIT
 * Normals of surfaces at vertices and edges, of which they tell the sides: the mean of the
 * triangles' normals, weighed by their angles there (Baerentzen and Aanaes, Signed distance
 * computation using the angle weighted pseudonormal, 2005). */
#ifndef PD_PSEUDONORMAL_H
#define PD_PSEUDONORMAL_H

#include "geometry/shape.h"

PD_BEGIN_DECLS

/* Normal at vertex v, not of unit length. */
pd_vec3 pd_vertex_normal(const pd_shape *s, int v);

/* A point within a body, as seen from its vertex v against the normal there: halfway through. */
pd_vec3 pd_inner_point(const pd_shape *s, int v);

/* Side of the patch of triangle t on which point p is: 1 where the normals point, or -1. */
double pd_surface_side(const pd_shape *s, int t, pd_vec3 p);

PD_END_DECLS

#endif
