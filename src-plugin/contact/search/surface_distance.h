/* SPDX-License-Identifier: MIT
 * Distance of two surfaces. */
#ifndef PD_SURFACE_DISTANCE_H
#define PD_SURFACE_DISTANCE_H

#include "contact/pose.h"

PD_BEGIN_DECLS

/* Distance of two surfaces that do not cross, or cut if it is larger; of rounded bodies, whose
 * cores do not cross, negative if they overlap. */
double pd_pair_distance(const pd_pair_geometry *pair, double cut);

/* The same; *axis: unit vector from A to B along it, in the frame of A's shape. If the distance is
 * larger than cut, any unit vector. */
double pd_pair_nearest(const pd_pair_geometry *pair, double cut, pd_vec3 *axis);

PD_END_DECLS

#endif
