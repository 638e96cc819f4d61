/* SPDX-License-Identifier: MIT
 * Points of one surface that are far from another. */
#ifndef PD_NEAR_POINTS_H
#define PD_NEAR_POINTS_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* Which points of a closed mesh, its vertices and then the middles of its edges, are further than a
 * distance (length) from another one's triangles: far (nv + 3 nt / 2), and *any of them. Edges are
 * in the order in which triangles have them upwards, from the vertex of lower number. Errors:
 * PD_ENOMEM. */
pd_status pd_mesh_far_points(const pd_mesh *mesh, const pd_mesh *other, double distance, char *far,
                             int *any);

PD_END_DECLS

#endif
