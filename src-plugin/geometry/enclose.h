/* SPDX-License-Identifier: MIT
 * Whether one closed surface lies inside another. */
#ifndef PD_ENCLOSE_H
#define PD_ENCLOSE_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* crosses[i] (nt of the outer one): whether triangle i crosses one of the inner mesh; *yes: none
 * does, and the inner mesh is inside. Both closed and repaired. Errors: PD_ENOMEM. */
pd_status pd_mesh_encloses(const pd_mesh *outer, const pd_mesh *inner, char *crosses, int *yes);

PD_END_DECLS

#endif
