/* SPDX-License-Identifier: MIT
 * A surface of fewer triangles that is near to a body's own. */
#ifndef PD_SIMPLIFY_H
#define PD_SIMPLIFY_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

/* A closed surface of few triangles that encloses a mesh and is near to it: vertices and middles of
 * edges of either are within the tolerance (length) of the other. mesh: closed and repaired, so
 * many pairs of its triangles cross. *simple is a copy where nothing can be left out.
 * Errors: PD_ERANGE: tolerance > 0; PD_ENOMEM. */
pd_status pd_mesh_simplify(const pd_mesh *mesh, int crossings, double tolerance, pd_mesh *simple);

PD_END_DECLS

#endif
