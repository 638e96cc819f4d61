/* SPDX-License-Identifier: MIT
 * A force and a moment on a body: from f0 and m0 at the start of the substep to f and m at its end.
 */
#ifndef PD_LOAD_H
#define PD_LOAD_H

#include "base/vec3.h"

typedef struct pd_load {
  int body;
  pd_vec3 f, m;   /* at the end of the substep */
  pd_vec3 f0, m0; /* at its start */
  pd_vec3 point;  /* where the force acts: lever about the centre of mass, principal frame */
  int follow;     /* f and m turn with the body: given in the principal frame */
  double work;    /* done in the substep, energy; set by its solution */
} pd_load;

/* force and moment of a load, and the lever of the force, in space */
typedef struct pd_acting_load {
  pd_vec3 f, m, lever;
} pd_acting_load;

/* that of force f and moment m on a body with the rotation rot */
PD_KERNEL pd_acting_load pd_load_with(const pd_load *l, pd_mat3 rot, pd_vec3 f, pd_vec3 m)
{
  pd_acting_load now = {f, m, pd_mv(rot, l->point)};
  if (l->follow) {
    now.f = pd_mv(rot, f);
    now.m = pd_mv(rot, m);
  }
  return now;
}

#endif
