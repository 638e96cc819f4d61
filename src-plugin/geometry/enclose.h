/* SPDX-License-Identifier: MIT
 * Whether one closed surface lies inside another. */
#ifndef PD_ENCLOSE_H
#define PD_ENCLOSE_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* *yes: no triangle of one mesh crosses one of the other, and the inner one is inside. Both closed
 * and repaired; crossings: pairs of triangles that cross in the one and in the other itself.
 * Errors: PD_ENOMEM. */
pd_status pd_mesh_encloses(const pd_mesh *outer, const pd_mesh *inner, int crossings, int *yes);

PD_END_DECLS

#endif
