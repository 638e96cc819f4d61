/* SPDX-License-Identifier: MIT
 * Mass properties of closed triangle meshes and their principal axes. */
#ifndef PD_MASS_H
#define PD_MASS_H

#include "geometry/mesh.h"
#include "base/rotation.h"

/* of a homogeneous body of density 1 */
typedef struct pd_mass {
  double volume;     /* length^3 */
  pd_vec3 center;    /* centre of mass in the mesh's frame */
  pd_mat3 inertia;   /* inertia tensor about the centre, axes of the mesh's frame, length^5 */
  pd_vec3 principal; /* principal moments, length^5, in the order of the columns of axes */
  pd_mat3 axes;      /* columns are the principal axes in the mesh's frame; a right-handed rotation,
                        of all possible ones the nearest to the identity (largest trace): order and
                        signs follow the mesh's own axes, and so do axes of equal moments. It is the
                        identity if those are principal already. Off-diagonal terms and differences
                        of moments below 1e-6 of the trace count as zero. Deterministic. */
} pd_mass;

/* of a body of density 1 about a point */
typedef struct pd_moments {
  double volume;  /* integral of 1 */
  pd_vec3 first;  /* integral of x */
  pd_mat3 second; /* integral of x x^T */
} pd_moments;

PD_BEGIN_DECLS

/* Mass properties from the moments about a point. Errors: PD_EMOMENT, as below. */
pd_status pd_mass_of_moments(const pd_moments *m, pd_vec3 about, pd_mass *mass);

/* Exact polynomial integrals over the triangles, about the centre of mass against cancellation.
 * Errors: PD_EVOLUME if the volume is not positive (beyond round-off); PD_EMOMENT if the
 * moments of inertia are not those of a body (positive, none larger than the two others together):
 * parts of the surface then count negatively. */
pd_status pd_mass_properties(const pd_mesh *mesh, pd_mass *mass);

/* How many of the principal moments are equal, but for a part of their sum: 3, 2 or, if all are
 * distinct, 1. Of 2 single is the number of the third one: all axes normal to its own are
 * principal axes; of 3 all are. */
int pd_equal_moments(pd_vec3 principal, double tol, int *single);

PD_END_DECLS

#endif
