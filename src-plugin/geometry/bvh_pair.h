/* SPDX-License-Identifier: MIT
 * Two trees, each in a frame of its own, seen together. */
#ifndef PD_BVH_PAIR_H
#define PD_BVH_PAIR_H

#include "geometry/bvh.h"

/* where the frame of b is, as a sees it */
typedef struct pd_bvh_placement {
  pd_vec3 r;    /* its origin */
  pd_mat3 rot;  /* turns vectors of b to a */
  pd_mat3 size; /* absolute values of rot */
} pd_bvh_placement;

PD_KERNEL pd_bvh_placement pd_bvh_place(pd_vec3 r, pd_mat3 rot)
{
  const pd_bvh_placement p = {r, rot, pd_m_abs(rot)};
  return p;
}

/* how far a box reaches from its centre along n, from half its sizes */
PD_KERNEL double pd_reach(pd_vec3 n, pd_vec3 half)
{
  return fabs(n.x) * half.x + fabs(n.y) * half.y + fabs(n.z) * half.z;
}

PD_KERNEL double pd_beyond(double offset, double reach)
{
  const double gap = fabs(offset) - reach;
  return gap > 0.0 ? gap : 0.0;
}

/* squared length of what is left of an offset beyond the reach along each axis */
PD_KERNEL double pd_beyond2(pd_vec3 offset, pd_vec3 reach)
{
  const double x = pd_beyond(offset.x, reach.x), y = pd_beyond(offset.y, reach.y),
               z = pd_beyond(offset.z, reach.z);
  return x * x + y * y + z * z;
}

/* Lower bound of the squared distance of two boxes of half sizes ha and hb, as seen along the axes
 * of either: offset from a to b along those of a, rot turns vectors of b to a, size: its absolute
 * values. */
PD_KERNEL double pd_boxes_gap2(pd_vec3 offset, const pd_mat3 *rot, const pd_mat3 *size, pd_vec3 ha,
                               pd_vec3 hb)
{
  const double by_a = pd_beyond2(offset, pd_add(ha, pd_mv(*size, hb))),
               by_b = pd_beyond2(pd_mtv(*rot, offset), pd_add(hb, pd_mtv(*size, ha)));
  return by_a > by_b ? by_a : by_b;
}

/* the same for boxes with axes of their own */
PD_KERNEL double pd_fit_gap2(const pd_bvh_placement *p, const pd_oriented_box *a,
                             const pd_oriented_box *b)
{
  const pd_vec3 offset = pd_sub(pd_add(p->r, pd_mv(p->rot, b->centre)), a->centre);
  const pd_mat3 rot = pd_m_mul(a->axes, pd_m_mul(p->rot, pd_m_transpose(b->axes)));
  const pd_mat3 size = pd_m_abs(rot);
  return pd_boxes_gap2(pd_mv(a->axes, offset), &rot, &size, a->half, b->half);
}

/* how far a box reaches from its centre along n */
PD_KERNEL double pd_fit_reach(pd_vec3 n, const pd_oriented_box *o)
{
  return pd_reach(pd_mv(o->axes, n), o->half);
}

/* Of two nodes that are not both ends the one to go on with: the larger one that is no end. */
PD_KERNEL int pd_bvh_opens_a(pd_box a, int a_ends, pd_box b, int b_ends)
{
  if (a_ends || b_ends) return b_ends;
  return pd_norm2(pd_sub(a.hi, a.lo)) >= pd_norm2(pd_sub(b.hi, b.lo));
}

/* A node of either tree. */
typedef struct pd_bvh_nodes {
  int a, b;
} pd_bvh_nodes;

/* nodes that wait in a descent of both: one pair for each level of either tree */
enum { PD_BVH_WAITING = 128 };

#endif
