/* SPDX-License-Identifier: MIT
 * Bounding-volume tree of axis-aligned boxes over the triangles of a shape, in its frame. */
#ifndef PD_BVH_H
#define PD_BVH_H

#include "base/vec3.h"

typedef struct pd_box {
  pd_vec3 lo, hi;
} pd_box;

/* node: a leaf has count > 0 items item[first .. first+count); an inner node (count = 0) has its
 * children at index + 1 and at first */
typedef struct pd_bvh_node {
  pd_box box;
  int first, count;
} pd_bvh_node;

/* {x: |axis_k . (x - centre)| <= half_k}; the axes are the rows */
typedef struct pd_oriented_box {
  pd_vec3 centre, half;
  pd_mat3 axes;
} pd_oriented_box;

typedef struct pd_bvh {
  int nnodes, nitems;
  pd_bvh_node *node;
  pd_oriented_box *fit; /* nnodes: what is in a node is in this box as well */
  int *item;
} pd_bvh;

PD_KERNEL int pd_box_overlap(pd_box a, pd_box b)
{
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
         a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

PD_KERNEL pd_box pd_box_inflate(pd_box a, double r)
{
  a.lo = pd_sub(a.lo, pd_v(r, r, r));
  a.hi = pd_add(a.hi, pd_v(r, r, r));
  return a;
}

PD_KERNEL pd_box pd_box_join(pd_box a, pd_box b)
{
  a.lo = pd_min(a.lo, b.lo);
  a.hi = pd_max(a.hi, b.hi);
  return a;
}

/* of a triangle, by its corners */
PD_KERNEL pd_box pd_triangle_box(const pd_vec3 *p)
{
  const pd_box box = {pd_min(p[0], pd_min(p[1], p[2])), pd_max(p[0], pd_max(p[1], p[2]))};
  return box;
}

/* the box about a box that is turned about the origin */
PD_KERNEL pd_box pd_box_turned(pd_box a, pd_mat3 rot)
{
  const pd_vec3 mid = pd_mv(rot, pd_scale(0.5, pd_add(a.lo, a.hi)));
  const pd_vec3 half = pd_scale(0.5, pd_sub(a.hi, a.lo));
  double h[3];
  for (int i = 0; i < 3; i++)
    h[i] = fabs(rot.m[i][0]) * half.x + fabs(rot.m[i][1]) * half.y + fabs(rot.m[i][2]) * half.z;
  const pd_vec3 reach = pd_v(h[0], h[1], h[2]);
  const pd_box box = {pd_sub(mid, reach), pd_add(mid, reach)};
  return box;
}

PD_BEGIN_DECLS

/* Builds the tree over n boxes (median split of the longest axis, leaves of at most 4 items).
 * Errors: PD_ENOMEM. n = 0 gives an empty tree. */
pd_status pd_bvh_build(int n, const pd_box *box, pd_bvh *tree);

/* The same over nt triangles with corners v[t[i][k]]. */
pd_status pd_bvh_build_over(int nt, const pd_vec3 *v, const int (*t)[3], pd_bvh *tree);

/* Turns the boxes `fit` of a tree over triangles so that they lie flat on these. */
void pd_bvh_fit(pd_bvh *tree, const pd_vec3 *v, const int (*t)[3]);

/* Writes the items whose boxes may overlap the region to out (room for nitems) and returns how
 * many: every item whose own box overlaps is among them, each once. Never allocates, never
 * recurses. */
int pd_bvh_query(const pd_bvh *tree, pd_box region, int *out);

/* The same for the items whose boxes may reach below the plane n . x = height, n a unit vector. */
int pd_bvh_query_below(const pd_bvh *tree, pd_vec3 n, double height, int *out);

/* A side of a search for near items: all of them count as near if it is not to be descended. */
typedef struct pd_bvh_side {
  const pd_bvh *tree;
  int descend;
  char *seen; /* room for nnodes zeros, zero again afterwards */
  int *out;   /* room for nitems */
  int n;      /* items found */
} pd_bvh_side;

/* Items of both trees that may be nearer to one of the other tree than the distance, each
 * once and in the order of its tree. The frame of b has its origin at r in that of a, and rot turns
 * it there. A side that is not descended gets none written: n tells whether there are any. */
void pd_bvh_near(pd_bvh_side *a, pd_bvh_side *b, pd_vec3 r, pd_mat3 rot, double distance);

void pd_bvh_free(pd_bvh *tree);

PD_END_DECLS

#endif
