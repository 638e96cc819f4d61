/* SPDX-License-Identifier: MIT
 * Contact of one pair, as other rooms use it. */
#ifndef PD_PAIR_H
#define PD_PAIR_H

#include "contact/energy_momentum/discrete_gradient.h" /* forces of an energy-momentum step */
#include "contact/energy_momentum/friction.h"          /* and their friction */
#include "contact/evaluate.h"                          /* forces and tangent of a pair */
#include "contact/gap.h"                               /* local contact problem */
#include "contact/law/friction.h"                      /* laws */
#include "contact/law/normal.h"
#include "contact/search/overlap.h" /* whether bodies overlap */
#include "contact/search/sweep.h"   /* how far they may go */

#endif
