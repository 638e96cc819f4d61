/* SPDX-License-Identifier: MIT
 * Tree over the triangles of a mesh that finds those which may meet each other. A node has a box
 * in axes of its own, since upright boxes of long thin triangles overlap by hundreds; and since all
 * triangles about a vertex meet there, those about one vertex form nodes of their own, which are
 * told apart by the directions in which they leave it. */
#ifndef PD_TRIANGLE_TREE_H
#define PD_TRIANGLE_TREE_H

#include "geometry/bvh.h"
#include "geometry/mesh.h"

typedef struct pd_triangle_node {
  pd_box box;
  pd_oriented_box oriented;
  int apex;        /* a vertex that all its triangles have, or -1 */
  pd_vec3 towards; /* mean direction in which they leave the apex, unit vector */
  double spread;   /* largest angle from it, or pi */
  int is_leaf, first, count;
  int child[2];
} pd_triangle_node;

typedef struct pd_triangle_tree {
  int nnodes;
  pd_triangle_node *node;
  int *item;     /* triangles; a node has item[first .. first+count) */
  double margin; /* how far apart triangles that meet may be */
} pd_triangle_tree;

PD_BEGIN_DECLS

/* Errors: PD_ENOMEM. A mesh without triangles gives an empty tree. */
pd_status pd_triangle_tree_build(const pd_mesh *mesh, double margin, pd_triangle_tree *tree);

/* 0 where no triangle of one meets one of the other in more than a vertex or an edge that both
 * have, whatever rounding does */
int pd_nodes_may_meet(const pd_triangle_node *a, const pd_triangle_node *b);

void pd_triangle_tree_free(pd_triangle_tree *tree);

PD_END_DECLS

#endif
