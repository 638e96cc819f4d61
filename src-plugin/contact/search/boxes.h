/* SPDX-License-Identifier: MIT
 * Lower bounds of distances by boxes. */
#ifndef PD_BOXES_H
#define PD_BOXES_H

#include "geometry/bvh.h"

/* squared distance of a point from a box, 0 inside: a lower bound for whatever is in the box */
PD_KERNEL double pd_point_box2(pd_vec3 p, pd_box b)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  return pd_norm2(pd_add(pd_max(pd_sub(b.lo, p), zero), pd_max(pd_sub(p, b.hi), zero)));
}

/* the same for two boxes */
PD_KERNEL double pd_box_box2(pd_box a, pd_box b)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  return pd_norm2(pd_add(pd_max(pd_sub(b.lo, a.hi), zero), pd_max(pd_sub(a.lo, b.hi), zero)));
}

#endif
