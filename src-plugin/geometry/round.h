/* SPDX-License-Identifier: MIT
 * Mass properties of convex bodies whose surface is offset outwards. */
#ifndef PD_ROUND_H
#define PD_ROUND_H

#include "geometry/shape.h"

PD_BEGIN_DECLS

/* Exact moments of a shape's core and of the balls about all its points, in the frame of its
 * vertices: with the integrals over the core (shape->mass), over prisms on the faces, sectors of
 * cylinders along the edges and sectors of balls about the vertices; volume V + A r + M r^2 + 4/3
 * pi r^3 (Steiner's formula). shape: vertices, triangles, edges, normals. Errors: PD_ECONCAVE: then
 * these parts overlap; PD_ERANGE: a segment without balls; PD_EMOMENT. */
pd_status pd_round_mass(const pd_shape *shape, pd_mass *mass);

PD_END_DECLS

#endif
