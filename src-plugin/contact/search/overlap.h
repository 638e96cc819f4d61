/* SPDX-License-Identifier: MIT
 * Overlap of two surfaces. */
#ifndef PD_OVERLAP_H
#define PD_OVERLAP_H

#include "contact/pair_work.h"
#include "contact/pose.h"

PD_BEGIN_DECLS

/* Whether the two surfaces cross or one body lies inside the other: for the check of initial
 * states. *depth: how far the deepest vertex or crossing edge lies inside; where none does (aligned
 * bodies, one within the other), the shortest way along a face normal that parts their hulls; 0 if
 * they do not overlap. Rounded bodies overlap by as much as their radii are more than the distance
 * of their cores, and if they touch. Errors: PD_ENOMEM. */
pd_status pd_pair_overlap(const pd_pair_geometry *pair, pd_pair_work *work, int *overlap,
                          double *depth);

/* How far the two must go at least, whatever the direction, until they overlap no more: by edges
 * of each that cross the other, and points of each inside the other. 0 if they touch; a surface
 * has no inside. A bound above cut may be too great, but is not below it then.
 * Errors: PD_ENOMEM. */
pd_status pd_pair_penetration(const pd_pair_geometry *pair, pd_pair_work *work, double cut,
                              double *depth);

/* Shortest way along a face normal that parts the hulls of two bodies. */
double pd_pair_hull_depth(const pd_pair_geometry *pair);

/* Whether the two surfaces are at least the gap apart, and neither body lies inside the other: for
 * the choice of a place. Cheaper than overlap and distance where many places are tried.
 * Errors: PD_ENOMEM. */
pd_status pd_pair_clear(const pd_pair_geometry *pair, pd_pair_work *work, double gap, int *clear);

/* Whether a surface has no borders, so that it may enclose what is within it. */
int pd_surface_is_closed(const pd_shape *surface);

/* Whether the point p, in the frame of a closed surface, is within it: by the number of triangles
 * that a ray from it crosses, whatever their orientation. near: room for surface->nt numbers. */
int pd_surface_encloses(const pd_shape *surface, pd_vec3 p, int *near);

PD_END_DECLS

#endif
