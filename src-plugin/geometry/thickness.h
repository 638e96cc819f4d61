/* SPDX-License-Identifier: MIT
 * Thickness of a shape. */
#ifndef PD_THICKNESS_H
#define PD_THICKNESS_H

#include "geometry/shape.h"

PD_BEGIN_DECLS

/* What the body is behind its faces: from a triangle along its inner normal to where the surface is
 * met again, the longest of a few points. The length that is exceeded over all but a tenth of the
 * surface, lest the wedges at edges count: the edge of a cube, the least extent of a slab, nearly
 * the diameter of a ball of triangles. The shape is closed; its rounding does not count.
 * Errors: PD_ENOMEM. */
pd_status pd_shape_thickness(const pd_shape *shape, double *thickness);

PD_END_DECLS

#endif
