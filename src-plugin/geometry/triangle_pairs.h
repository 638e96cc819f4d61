/* SPDX-License-Identifier: MIT
 * Search for the pairs of triangles of a mesh of which something holds that needs them to meet. */
#ifndef PD_TRIANGLE_PAIRS_H
#define PD_TRIANGLE_PAIRS_H

#include "geometry/mesh.h"

/* Whether it holds of the triangles with corners p and q, the one with the lower number first. */
typedef int (*pd_triangle_test)(const void *ctx, const pd_vec3 *p, const pd_vec3 *q);

PD_BEGIN_DECLS

/* All pairs of triangles of a welded mesh of which the test holds. margin: how far apart two
 * triangles may be of which it does; 0: what touches is found, too. Errors: PD_ENOMEM. */
pd_status pd_mesh_find_pairs(const pd_mesh *mesh, double margin, pd_triangle_test test,
                             const void *ctx, pd_triangle_pairs *found);

PD_END_DECLS

#endif
