/* SPDX-License-Identifier: MIT
 * Surfaces that go on periodically. */
#ifndef PD_REPEAT_H
#define PD_REPEAT_H

#include "geometry/mesh.h"

/* One edge of a periodic cell: between the boundaries at normal . x = low and low + 1. weld: what
 * is nearer to a boundary than this times the diagonal of the box about a mesh is on it, as
 * pd_mesh_repair merges vertices. */
typedef struct pd_period {
  pd_vec3 step;   /* the edge, length */
  pd_vec3 normal; /* of the boundaries, 1/length; normal . step = 1 */
  double low;
  double weld;
} pd_period;

PD_BEGIN_DECLS

/* Whether the mesh lies between the boundaries and reaches both. */
int pd_mesh_spans(const pd_mesh *mesh, const pd_period *period);

/* Takes away the triangles in the boundaries of a body that spans them, where it meets its copies:
 * if those in the one are as large as those in the other, and in the same place. */
void pd_mesh_open_ends(pd_mesh *mesh, const pd_period *period);

/* Adds copies of the mesh by the step and by minus the step, after what there is; they are not
 * joined. If the triangles in both boundaries are alike those of the mesh stand for the copies'.
 * Errors: PD_ENOMEM, also beyond PD_MESH_MAX; the mesh then stays as it was. */
pd_status pd_mesh_repeat(pd_mesh *mesh, const pd_period *period);

PD_END_DECLS

#endif
