/* SPDX-License-Identifier: MIT
 * Whether the points of one surface are near to another. */
#ifndef PD_NEAR_POINTS_H
#define PD_NEAR_POINTS_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* *near: all vertices of a mesh, and the middles of its edges, are within a distance (length) of
 * another one's triangles. Errors: PD_ENOMEM. */
pd_status pd_mesh_points_are_near(const pd_mesh *mesh, const pd_mesh *other, double distance,
                                  int *near);

PD_END_DECLS

#endif
