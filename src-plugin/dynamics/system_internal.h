/* SPDX-License-Identifier: MIT
 * Shared by the system_*.c files. */
#ifndef PD_SYSTEM_INTERNAL_H
#define PD_SYSTEM_INTERNAL_H

#include "contact/pair_internal.h"
#include "dynamics/system.h"

/* pairs that a thread takes at a time, and bodies */
enum { PD_PAIR_CHUNK = 8, PD_BODY_CHUNK = 32 };

/* pairs that are evaluated before what they give is put together, in their order */
enum { PD_BATCH = 2048 };

/* gap to which an increment may at most bring a contact that was open, over gbar */
#define PD_ENTRY_LIMIT 0.95

/* a pair evaluated anew */
typedef struct pd_pair_update {
  pd_status status;      /* of the evaluation of its contact: there are no records */
  int changes;           /* the residuals of its bodies */
  int assemble;          /* k is set */
  int thread, first, n;  /* its records, in the memory of the worker */
  double k[12][12];      /* its tangent by (u, alpha) */
  pd_contact_state made; /* what it found, if the pair has had no contact before */
} pd_pair_update;

/* its list of near features, or NULL */
static inline pd_near *pd_contact_pair_near(const pd_system *sys, const pd_contact_pair *pair)
{
  const int near = pair->contact < 0 ? -1 : sys->contact[pair->contact].near;
  return near < 0 ? NULL : &sys->near[near];
}

/* its contact at the start of the step, not active if there was none */
static inline const pd_em_state *pd_contact_pair_at_start(const pd_system *sys,
                                                          const pd_contact_pair *pair)
{
  static const pd_em_state none = {0};
  return pair->contact < 0 ? &none : &sys->contact[pair->contact].em0;
}

/* what the last evaluation of a pair with a contact gave */
static inline const pd_pair_response *pd_response_of(const pd_system *sys, int link)
{
  return &sys->contact[sys->pair[link].contact].response;
}

/* Keeps what is known of the contact of a pair that has none so far. Errors: PD_ENOMEM. */
pd_status pd_contact_pair_add_state(pd_system *sys, pd_contact_pair *pair,
                                    const pd_contact_state *touch);

/* Gives a pair with a contact a list of near features. Errors: PD_ENOMEM. */
pd_status pd_contact_pair_add_near(pd_system *sys, const pd_contact_pair *pair);

/* of a pair's sides; a wall and a body that the step does not move are as heavy as can be */
static inline double pd_reduced_mass(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_body *a = &sys->body[pair->a], *b = pair->wall ? NULL : &sys->body[pair->b];
  return 1.0 / ((a->mobile ? 1.0 / a->in.mass : 0.0) + (b && b->mobile ? 1.0 / b->in.mass : 0.0));
}

/* box of n > 0 points */
pd_box pd_box_of(const pd_vec3 *v, int n);

pd_status pd_system_create_workers(pd_system *sys, int n);
void pd_system_free_workers(pd_system *sys);

/* Rows of k with their spin columns from col on turned into columns of alpha, into out. */
void pd_by_alpha(double (*out)[12], double (*k)[12], int rows, int col, const pd_mat3 *xi);

/* The diagonal block of a body's row, which is live from now on. */
int pd_system_diagonal(const pd_system *sys, const pd_body *b);

/* Zeros into the row's blocks. */
void pd_system_clear_row(pd_system *sys, long row);

/* Contact of one pair; its records, if fresh is not NULL, are appended to fresh. em: see
 * pd_pair_eval. Errors: PD_ENAN, PD_ENOMEM. */
pd_status pd_contact_pair_eval(const pd_system *sys, const pd_contact_pair *pair, int tangent,
                               pd_friction_records *fresh, double em, pd_pair_work *work,
                               pd_pair_result *r, pd_contact_list *list);

/* Whether the pair is known to be open: its bodies, which have gone no further than
 * sys->path_bound, cannot have closed what lay between them. */
int pd_contact_pair_known_open(const pd_system *sys, const pd_contact_pair *pair);

/* Evaluates one pair anew: forces and state into its contact or, if it has none, into out->made;
 * its tangent into out->k. Nothing but the pair is changed. Errors: PD_ENAN, PD_ENOMEM. */
pd_status pd_contact_pair_update(const pd_system *sys, pd_contact_pair *pair, int tangent,
                                 double em, pd_worker *worker, pd_pair_update *out);

/* Makes the energy-momentum force of a pair out of what the pair functions give for the end of the
 * step, which the worker has evaluated last. Errors: PD_ENOMEM. */
pd_status pd_em_contact_pair(const pd_system *sys, pd_contact_pair *pair, int tangent,
                             pd_worker *worker, pd_pair_result *r);

#endif
