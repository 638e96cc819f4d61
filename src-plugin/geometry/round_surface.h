/* SPDX-License-Identifier: MIT
 * Triangles that stand for the surface of a rounded shape in pictures. */
#ifndef PD_ROUND_SURFACE_H
#define PD_ROUND_SURFACE_H

#include "geometry/shape.h"

PD_BEGIN_DECLS

/* A closed surface of triangles whose vertices lie on that of a rounded shape, in the frame of its
 * vertices; it is within 0.04 of the radius. Errors: PD_ENOMEM, PD_EVOLUME. */
pd_status pd_round_surface(const pd_shape *shape, pd_mesh *mesh);

PD_END_DECLS

#endif
