/* SPDX-License-Identifier: MIT
 * Tree over the triangles of a mesh that finds those which may cross each other. A node has a box
 * in axes of its own, since upright boxes of long thin triangles overlap by hundreds; and since all
 * triangles about a vertex meet there, those about one vertex form nodes of their own, which are
 * told apart by the directions in which they leave it. */
#ifndef PD_CROSSING_TREE_H
#define PD_CROSSING_TREE_H

#include "geometry/bvh.h"
#include "geometry/mesh.h"

typedef struct pd_crossing_node {
  pd_box box;
  pd_oriented_box oriented;
  int apex;        /* a vertex that all its triangles have, or -1 */
  pd_vec3 towards; /* mean direction in which they leave the apex, unit vector */
  double spread;   /* largest angle from it, or pi */
  int is_leaf, first, count;
  int child[2];
} pd_crossing_node;

typedef struct pd_crossing_tree {
  int nnodes;
  pd_crossing_node *node;
  int *item; /* triangles; a node has item[first .. first+count) */
} pd_crossing_tree;

PD_BEGIN_DECLS

/* Errors: PD_ENOMEM. A mesh without triangles gives an empty tree. */
pd_status pd_crossing_tree_build(const pd_mesh *mesh, pd_crossing_tree *tree);

/* 0 where no triangle of one crosses one of the other, whatever rounding does */
int pd_nodes_may_cross(const pd_crossing_node *a, const pd_crossing_node *b);

void pd_crossing_tree_free(pd_crossing_tree *tree);

PD_END_DECLS

#endif
