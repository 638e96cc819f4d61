/* SPDX-License-Identifier: MIT
 * Walls of silos and drums: flat facets between two circles about the z axis. */
#ifndef PD_CONE_H
#define PD_CONE_H

#include "geometry/mesh.h"

enum { PD_FEWEST_FACETS = 3, PD_MOST_FACETS = 720 };

typedef struct pd_cone {
  double low, high;               /* z of the circles */
  double low_radius, high_radius; /* 0: the tip */
  int facets;                     /* their corners are on the circles */
  int low_cap, high_cap;          /* whether the ends are closed */
} pd_cone;

PD_BEGIN_DECLS

/* An open surface, or a closed one with both caps; a corner at y = 0, x > 0. Errors: PD_ERANGE
 * (number of facets; radii < 0 or both 0; high <= low), PD_ENAN, PD_ENOMEM. */
pd_status pd_make_cone(const pd_cone *cone, pd_mesh *mesh);

/* Vertices by x -> map x + shift. */
void pd_mesh_transform(pd_mesh *mesh, pd_mat3 map, pd_vec3 shift);

PD_END_DECLS

#endif
