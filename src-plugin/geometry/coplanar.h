/* SPDX-License-Identifier: MIT
 * Triangles of a surface that lie on each other: contact there would count twice. */
#ifndef PD_COPLANAR_H
#define PD_COPLANAR_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* Whether one of two triangles is no further than tol from the plane of the other, and they overlap
 * there by more than tol, seen along its normal. Those that have a common edge or vertex need not.
 */
int pd_triangles_lie_on_each_other(const pd_vec3 *p, const pd_vec3 *q, double tol);

/* All pairs of triangles of a welded mesh that lie on each other. tol: a length. Errors: PD_ENOMEM.
 */
pd_status pd_mesh_coplanar(const pd_mesh *mesh, double tol, pd_triangle_pairs *found);

PD_END_DECLS

#endif
