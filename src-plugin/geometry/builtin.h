/* SPDX-License-Identifier: MIT
 * Built-in shapes as meshes. */
#ifndef PD_BUILTIN_H
#define PD_BUILTIN_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* Box of edge lengths a, b, c > 0 about the origin. Errors: PD_ERANGE, PD_ENOMEM. */
pd_status pd_mesh_box(double a, double b, double c, pd_mesh *mesh);

/* Tetrapod about the origin: a regular core tetrahedron of circumradius r0 > 0 whose four faces
 * carry prismatic legs that reach to distance reach > r0/3 and taper to the fraction taper > 0 of
 * the face at their blunt tips. Errors: PD_ERANGE, PD_ENOMEM. */
pd_status pd_mesh_tetrapod(double reach, double r0, double taper, pd_mesh *mesh);

PD_END_DECLS

#endif
