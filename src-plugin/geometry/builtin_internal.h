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

/* value: length L of the legs from the centre to their tip faces, radii R at the centre and r at
 * the tip of the circle about a leg's section, > 0, L > r / sqrt(2), sides of a leg, a multiple of
 * 3 from 3 to PD_MOST_SIDES. Axes of the legs as those of tetrapod; a corner of each section points
 * away from each of the other legs. */
pd_status pd_make_legs(const double *value, pd_mesh *mesh);

/* value: size s from tip to tip, width w and width of the tips t, 0 < t <= w; s > w. A cube of edge
 * w about the origin with an arm on each face that narrows to the square of edge t. */
pd_status pd_make_hexapod(const double *value, pd_mesh *mesh);

/* value: as of pd_make_hexapod, s > 2 w. Two such cubes at the ends of a square bar along x, of
 * length s over all; arms along y on the first one, along z on the second. */
pd_status pd_make_dolos(const double *value, pd_mesh *mesh);

/* The same with regular octagons as sections; w and t are the widths across their sides. */
pd_status pd_make_dolos_octagonal(const double *value, pd_mesh *mesh);

/* value: as of pd_make_hexapod, s > 3 w. A third cube in the middle of the bar; arms along y on the
 * outer ones, along z on that. */
pd_status pd_make_coreloc(const double *value, pd_mesh *mesh);

/* value: height H along z, edges B of the base and T of the top, radius r of the grooves at the
 * base, > 0, r < B / sqrt(8). A frustum with a groove in the middle of each side, half an octagon,
 * which narrows with the sides. */
pd_status pd_make_antifer(const double *value, pd_mesh *mesh);

/* value: extents a, b, c > 0 along x, y, z, number of vertices from 4 to PD_MOST_VERTICES, seed >=
 * 1. The convex hull of points drawn evenly on a sphere, stretched to the extents. */
pd_status pd_make_rock(const double *value, pd_mesh *mesh);

/* value: extents a, b, c > 0 along x, y, z, gap >= 0, seed >= 1, number of cells, number of this
 * one, from 0. The points of the box, about the origin, that are nearest to one of so many random
 * points; cells are the gap apart. Errors: PD_ERANGE also for a cell of which the gap leaves
 * nothing, or with more than some 60 faces, PD_ENOMEM. */
pd_status pd_make_voronoi(const double *value, pd_mesh *mesh);

#endif
