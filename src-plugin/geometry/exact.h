/* SPDX-License-Identifier: MIT
 * Signs of determinants that no rounding has made. */
#ifndef PD_EXACT_H
#define PD_EXACT_H

#include "base/vec3.h"

PD_BEGIN_DECLS

/* Sign of det (u, v, w) = u . (v x w): 1, 0 or -1. Exact, as long as products of three components
 * neither overflow nor have digits below the smallest normal number. */
int pd_exact_sign(pd_vec3 u, pd_vec3 v, pd_vec3 w);

PD_END_DECLS

#endif
