/* SPDX-License-Identifier: MIT
 * Convex hulls of a few points. */
#ifndef PD_HULL_H
#define PD_HULL_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* The convex hull of n points as outward triangles, on all n points as vertices, also those inside.
 * The hull is that of points moved by up to 6e-11 of their extent along each axis, and is closed.
 * Point by point: the triangles that it sees give way to those between it and their border. Memory
 * goes with n^2, time with n times the number of triangles. Errors: PD_EVOLUME for points in one
 * plane but for 1e-9 of their extents, PD_ENOMEM. */
pd_status pd_hull(int n, const pd_vec3 *points, pd_mesh *mesh);

PD_END_DECLS

#endif
