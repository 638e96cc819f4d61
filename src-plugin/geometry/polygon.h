/* SPDX-License-Identifier: MIT
 * Triangulation of a plane polygon, convex or not, by cutting off ears. */
#ifndef PD_POLYGON_H
#define PD_POLYGON_H

#include "base/vec3.h"

PD_BEGIN_DECLS

/* Cuts the polygon with n >= 3 corners x into the n - 2 triangles t of corner numbers, which turn
 * the way the polygon does. A convex polygon gives the fan (0, 1, 2), (0, 2, 3), ... Corners may
 * stand on a straight side, follow one another at one place, or return to a place, as a slit to a
 * hole does. What is left without area becomes triangles of one corner three times.
 * Errors: PD_EWARPED (the corners leave their plane by more than a fifth of the polygon's size,
 * *value is that ratio), PD_ECROSSED (sides cross, or they enclose nothing), PD_ENOMEM. */
pd_status pd_polygon_triangulate(int n, const pd_vec3 *x, int (*t)[3], double *value);

PD_END_DECLS

#endif
