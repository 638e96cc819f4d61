/* SPDX-License-Identifier: MIT
 * Surfaces that go on periodically. */
#ifndef PD_REPEAT_H
#define PD_REPEAT_H

#include "geometry/mesh.h"

/* One edge of a periodic cell: between the boundaries at normal . x = low and low + 1. */
typedef struct pd_period {
  pd_vec3 step;   /* the edge, length */
  pd_vec3 normal; /* of the boundaries, 1/length; normal . step = 1 */
  double low;
} pd_period;

PD_BEGIN_DECLS

/* Whether the mesh lies between the boundaries and reaches both, but for weld times the diagonal of
 * the box about it, as pd_mesh_repair merges vertices. */
int pd_mesh_spans(const pd_mesh *mesh, const pd_period *period, double weld);

/* Adds copies of the mesh by step (length) and by minus step, after what there is; they are not
 * joined. Errors: PD_ENOMEM, also beyond PD_MESH_MAX; the mesh then stays as it was. */
pd_status pd_mesh_repeat(pd_mesh *mesh, pd_vec3 step);

PD_END_DECLS

#endif
