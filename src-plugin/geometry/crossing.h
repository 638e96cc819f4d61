/* SPDX-License-Identifier: MIT
 * Triangles of a surface that cross each other. */
#ifndef PD_CROSSING_H
#define PD_CROSSING_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* Whether the insides of two triangles have more than a point in common: they pass through each
 * other, or lie in one plane and overlap. Sharing a vertex or an edge, or touching, is neither.
 * What rounding cannot tell from touching counts as touching: of what is found all is certain. */
int pd_triangles_cross(const pd_vec3 *p, const pd_vec3 *q);

/* All pairs of triangles of a welded mesh that cross. Errors: PD_ENOMEM. */
pd_status pd_mesh_crossings(const pd_mesh *mesh, pd_triangle_pairs *found);

PD_END_DECLS

#endif
