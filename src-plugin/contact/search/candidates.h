/* SPDX-License-Identifier: MIT
 * Candidates: triangles, edges and vertices of two bodies in their common region. */
#ifndef PD_CANDIDATES_H
#define PD_CANDIDATES_H

#include "contact/pose.h"

/* candidates of one body */
typedef struct pd_side {
  int nv, nt, ne;
  int *v, *t, *e;      /* vertices, triangles, edges */
  pd_box *tbox, *ebox; /* boxes of the triangles and edges in the lists, about A's centre */
  pd_vec3 *x;          /* positions about A's centre, valid for vertices with stamp == current */
  long *stamp;
  int *item;  /* triangles that the tree has found */
  char *seen; /* nodes of the tree; zero but within a search */
  size_t cap_v, cap_t, cap_e, cap_node;
} pd_side;

/* Those of A and of B, with the memory that they need; zero it before first use. */
typedef struct pd_candidates {
  pd_side side[2];
  long stamp; /* number of the search: tells which positions are of the present poses */
} pd_candidates;

/* whether the tree of a shape is worth its descent */
PD_KERNEL int pd_has_tree(const pd_shape *shape) { return shape->nt > PD_TREE_MIN; }

/* Position of vertex v about A's centre, computed once for a stamp. */
PD_KERNEL pd_vec3 pd_side_position(pd_side *s, const pd_pose *p, pd_vec3 r0, pd_vec3 ru, int v,
                                   long stamp)
{
  if (s->stamp[v] != stamp) {
    s->stamp[v] = stamp;
    s->x[v] = pd_add(pd_add(r0, pd_pose_lever(p, v)), ru);
  }
  return s->x[v];
}

PD_BEGIN_DECLS

/* Fills both sides with the features inside the common region, inflated by the distance cut (of the
 * cores of rounded bodies), with the positions of their vertices. *any: 0 if there are none on one
 * side. Errors: PD_ENOMEM. */
pd_status pd_find_candidates(const pd_pair_geometry *pair, double cut, pd_candidates *out,
                             int *any);

/* The same with those alone that may be nearer to the other surface than cut. */
pd_status pd_find_near_candidates(const pd_pair_geometry *pair, double cut, pd_candidates *out,
                                  int *any);

/* Vertices of A that may be lower over the plane than the height, to side 0; a rounded body's may
 * be that much higher.
 * Errors: PD_ENOMEM. */
pd_status pd_find_low_vertices(const pd_pair_geometry *pair, double height, pd_candidates *out);

/* Room for the features of two shapes. Errors: PD_ENOMEM. */
pd_status pd_candidates_reserve(pd_candidates *c, const pd_shape *a, const pd_shape *b);
void pd_candidates_free(pd_candidates *c);

PD_END_DECLS

#endif
