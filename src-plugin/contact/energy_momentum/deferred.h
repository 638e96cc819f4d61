/* SPDX-License-Identifier: MIT
 * Samples whose friction waits for the weights of the forces at both ends of the step. */
#ifndef PD_DEFERRED_H
#define PD_DEFERRED_H

#include "contact/force/friction_point.h"

typedef struct pd_deferred_friction {
  pd_friction_point point;
  pd_vec3 resultant, damping;   /* of the sample's normal forces, on A; damping's part of it */
  pd_grad dresultant, ddamping; /* only for the tangent */
} pd_deferred_friction;

/* those of the pair evaluated last; zero it before first use */
typedef struct pd_deferred_list {
  int n, cap;
  pd_deferred_friction *item;
} pd_deferred_list;

#endif
