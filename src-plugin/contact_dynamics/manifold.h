/* SPDX-License-Identifier: MIT
 * Contact points of two polyhedra for rigid dynamics: the inequalities that keep them apart, with
 * signed gaps, before they touch and a little beyond. */
#ifndef PD_CD_MANIFOLD_H
#define PD_CD_MANIFOLD_H

#include "contact/pair.h"

typedef struct pd_cd_point {
  pd_vec3 n;      /* unit normal from B to A */
  pd_vec3 ra, rb; /* levers of the point about the two centres, world axes */
  double gap;     /* < 0 where the bodies overlap */
  int sample[2];  /* vertex of A and -1 - triangle of B, or the converse, or edge of A and of B */
} pd_cd_point;

/* growable list; zero it before first use */
typedef struct pd_cd_point_list {
  int n, cap;
  pd_cd_point *p;
} pd_cd_point_list;

PD_BEGIN_DECLS

void pd_cd_points_free(pd_cd_point_list *list);

/* Appends the points of A and B whose gap is at most reach and at least -reach: vertices over faces
 * of the other body and crossings of convex edges, as far as their normal is one along which the
 * two bodies can part. The faces' normals serve all points of a face, so that stacked blocks meet
 * in the corners of their common area and nothing pushes them sideways. An open surface has two
 * sides; vertices are on the one where they are at the start. Errors: PD_ENOMEM. */
pd_status pd_cd_manifold(const pd_pair_geometry *at, const pd_pair_geometry *start, double reach,
                         pd_pair_work *work, pd_cd_point_list *list);

/* The same for the vertices of A over a plane of unit normal n, height: that of A's centre; no
 * lower bound of the gap. Levers rb are zero. Errors: PD_ENOMEM. */
pd_status pd_cd_manifold_plane(const pd_pose *a, double height, pd_vec3 n, double reach,
                               pd_cd_point_list *list);

/* What is to be kept of the points from index first on, found within reach with the bodies in
 * several places and moved to the present one: of points of the same features one; between convex
 * bodies none that overlap much more than the bodies do along the best of the points' normals; of a
 * corner that lies in the plane of a face, over it or beside it, none with other faces behind the
 * edges of that one, for the corner passes over them. */
void pd_cd_manifold_prune(const pd_pose *a, const pd_pose *b, pd_vec3 r, double reach,
                          pd_cd_point_list *list, int first);

/* A point of the same features with the bodies elsewhere, a little apart: normal, levers and gap
 * anew.
 */
void pd_cd_manifold_move(const pd_pose *a, const pd_pose *b, pd_vec3 r, pd_cd_point *point);
void pd_cd_manifold_plane_move(const pd_pose *a, double height, pd_vec3 n, pd_cd_point *point);

PD_END_DECLS

#endif
