/* SPDX-License-Identifier: MIT
 * Shared by the system_*.c files. */
#ifndef PD_SYSTEM_INTERNAL_H
#define PD_SYSTEM_INTERNAL_H

#include "pair_internal.h"
#include "system.h"

/* links that a thread takes at a time, and bodies */
enum { PD_LINK_CHUNK = 8, PD_BODY_CHUNK = 32 };

/* links that are evaluated before what they give is put together, in their order */
enum { PD_BATCH = 2048 };

/* a link evaluated anew */
typedef struct pd_renewal {
  pd_status status;     /* of the evaluation of its contact: there are no records */
  int changes;          /* the residuals of its bodies */
  int thread, first, n; /* its records, in the memory of the worker */
  double k[12][12];     /* its tangent by (u, alpha) */
} pd_renewal;

/* its list of near features, or NULL */
static inline pd_near *pd_link_near(const pd_system *sys, const pd_link *l)
{
  return l->near < 0 ? NULL : &sys->near[l->near];
}

/* Gives a link a list of near features. Errors: PD_ENOMEM. */
pd_status pd_link_add_near(pd_system *sys, pd_link *l);

/* of a link's sides; a wall and a body that the step does not move are as heavy as can be */
static inline double pd_reduced_mass(const pd_system *sys, const pd_link *l)
{
  const pd_body *a = &sys->body[l->a], *b = l->wall ? NULL : &sys->body[l->b];
  return 1.0 / ((a->mobile ? 1.0 / a->in.mass : 0.0) + (b && b->mobile ? 1.0 / b->in.mass : 0.0));
}

/* box of n > 0 points */
pd_box pd_box_of(const pd_vec3 *v, int n);

pd_status pd_system_create_workers(pd_system *sys, int n);
void pd_system_free_workers(pd_system *sys);

/* Makes the energy-momentum force of a link out of what the pair functions give for the end of the
 * step, which the worker has evaluated last. Errors: PD_ENOMEM. */
pd_status pd_em_link(const pd_system *sys, pd_link *l, int tangent, pd_worker *me,
                     pd_pair_result *r);

#endif
