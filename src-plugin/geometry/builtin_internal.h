/* SPDX-License-Identifier: MIT
 * Built-in shapes that have files of their own. */
#ifndef PD_BUILTIN_INTERNAL_H
#define PD_BUILTIN_INTERNAL_H

#include "geometry/mesh.h"

enum { PD_MOST_SIDES = 360, PD_MOST_VERTICES = 200 }; /* of a prism's base, of a rock */

/* value: edge length > 0; about the origin */
pd_status pd_make_tetrahedron(const double *value, pd_mesh *mesh);
pd_status pd_make_octahedron(const double *value, pd_mesh *mesh);
pd_status pd_make_icosahedron(const double *value, pd_mesh *mesh);
pd_status pd_make_dodecahedron(const double *value, pd_mesh *mesh);

/* value: n sides, from 3 to PD_MOST_SIDES, circumradius r of the base and height h, > 0; along z,
 * a corner at x = r */
pd_status pd_make_prism(const double *value, pd_mesh *mesh);

/* value: extents a, b, c > 0 along x, y, z, number of vertices from 4 to PD_MOST_VERTICES, seed >=
 * 1. The convex hull of points drawn evenly on a sphere, stretched to the extents. */
pd_status pd_make_rock(const double *value, pd_mesh *mesh);

/* value: extents a, b, c > 0 along x, y, z, gap >= 0, seed >= 1, number of cells, number of this
 * one, from 0. The points of the box, about the origin, that are nearest to one of so many random
 * points; cells are the gap apart. Errors: PD_ERANGE also for a cell of which the gap leaves
 * nothing, or with more than some 60 faces, PD_ENOMEM. */
pd_status pd_make_voronoi(const double *value, pd_mesh *mesh);

#endif
