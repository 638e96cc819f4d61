/* SPDX-License-Identifier: MIT
 * A force and a moment on a body, held over the substep. */
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

#endif
