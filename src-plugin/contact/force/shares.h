/* SPDX-License-Identifier: MIT
 * What the contacts of a vertex in a corner have of a term that corrects them, such as that of the
 * edge between two faces, which both count (doc/theory.md, 8). */
#ifndef PD_SHARES_H
#define PD_SHARES_H

#include "contact/force/sample.h"

/* normals of n contacts; dnormal: their derivatives, NULL: none are wanted */
typedef struct pd_share_directions {
  int n;
  const pd_vec3 *normal;
  const pd_grad *dnormal;
} pd_share_directions;

PD_BEGIN_DECLS

/* Adds the resultant of one term, of weight w, and its damping to those of the contacts. In the
 * cone of their normals it is put together of them; what is beside the cone goes with these parts.
 */
void pd_share_out(const pd_share_directions *to, const pd_sample_sum *one, double w,
                  pd_sample_sum *contact);

PD_END_DECLS

#endif
