/* SPDX-License-Identifier: MIT
 * Sieve size of a shape. */
#ifndef PD_SIEVE_H
#define PD_SIEVE_H

#include "geometry/shape.h"

PD_BEGIN_DECLS

/* Side of the smallest square opening that the body passes along one of its principal axes, turned
 * about it as suits: the edge of a cube, the diameter of a ball. Where moments are equal, to 1e-5
 * of their sum, so are all axes between theirs: no matter how the body is turned. To 1e-6 of it. */
double pd_sieve_size(const pd_shape *shape);

PD_END_DECLS

#endif
