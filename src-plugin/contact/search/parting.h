/* SPDX-License-Identifier: MIT
 * A plane between two bodies. */
#ifndef PD_PARTING_H
#define PD_PARTING_H

#include "contact/pose.h"

PD_BEGIN_DECLS

/* Lower bound of the distance of two bodies: how far a plane parts their hulls, and the boxes of
 * those with many vertices. Begins with the plane that is kept in pair->nearest, and turns it a few
 * times if it does not part them; the last one is kept. */
double pd_pair_parted(const pd_pair_geometry *pair);

PD_END_DECLS

#endif
