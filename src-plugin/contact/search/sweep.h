/* SPDX-License-Identifier: MIT
 * Distance of two surfaces, and how far their bodies may go along a path. */
#ifndef PD_SWEEP_H
#define PD_SWEEP_H

#include "contact/pair_work.h"
#include "contact/pose.h"

typedef struct pd_near pd_near;

/* where the sides of a pair are at the end of their path */
typedef struct pd_pair_end {
  pd_mat3 a, b;  /* rotations; B's is not looked at if B is a plane */
  pd_vec3 ru;    /* from A's centre to B's, without the frozen part */
  pd_vec3 plane; /* unit normal, if B is a plane */
} pd_pair_end;

/* separation of two features along their present normal, now and at the end of a path, length; of
 * those of the cores of rounded bodies */
typedef struct pd_gap_change {
  double now, end;
} pd_gap_change;

/* those of the last sweep, or what it was about, if the trees of the shapes are to be descended;
 * zero it before first use */
typedef struct pd_gap_changes {
  int n, cap;
  pd_gap_change *change;
  double rounds; /* radii of rounded bodies */
  int by_trees;
  pd_pair_geometry pair;
  pd_pair_end end;
  pd_vec3 axis; /* between the nearest features, in the frame of A's shape */
} pd_gap_changes;

PD_BEGIN_DECLS

/* How the gaps of A and B change while they go from their poses to the end: for every pair of
 * features nearer than cut, the distance now and the distance at the end from each other along the
 * present normal are kept in work; of large shapes the poses, which have to stay as they are until
 * the limit is known. *distance: the smallest distance now, or cut. near: the pair's list, or NULL;
 * it changes no bit. Errors: PD_ENOMEM. */
pd_status pd_pair_sweep(const pd_pair_geometry *pair, const pd_pair_end *end, double cut,
                        pd_near *near, pd_pair_work *work, double *distance);

/* The same for the vertices of A over the plane B. Errors: PD_ENOMEM. */
pd_status pd_plane_sweep(const pd_pair_geometry *pair, const pd_pair_end *end, double cut,
                         pd_pair_work *work, double *distance);

/* Signed distance of A from the plane B: the smallest over its vertices. */
double pd_plane_distance(const pd_pair_geometry *pair);

/* Fraction of the way of the last sweep that is safe: the planes that part the features now keep
 * them further apart than keep. bend: how far the paths may leave their chords, in all. */
double pd_pair_sweep_limit(pd_pair_work *work, double keep, double bend);

PD_END_DECLS

#endif
