/* SPDX-License-Identifier: MIT
 * Shared by the system_*.c files. */
#ifndef PD_SYSTEM_INTERNAL_H
#define PD_SYSTEM_INTERNAL_H

#include "contact/pair_internal.h"
#include "dynamics/system.h"

/* links that a thread takes at a time, and bodies */
enum { PD_LINK_CHUNK = 8, PD_BODY_CHUNK = 32 };

/* links that are evaluated before what they give is put together, in their order */
enum { PD_BATCH = 2048 };

/* gap to which an increment may at most bring a contact that was open, over gbar */
#define PD_ENTER 0.95

/* a link evaluated anew */
typedef struct pd_renewal {
  pd_status status;     /* of the evaluation of its contact: there are no records */
  int changes;          /* the residuals of its bodies */
  int assemble;         /* k is set */
  int thread, first, n; /* its records, in the memory of the worker */
  double k[12][12];     /* its tangent by (u, alpha) */
  pd_touch made;        /* what it found, if the link has had no contact before */
} pd_renewal;

/* its list of near features, or NULL */
static inline pd_near *pd_link_near(const pd_system *sys, const pd_link *l)
{
  const int near = l->touch < 0 ? -1 : sys->touch[l->touch].near;
  return near < 0 ? NULL : &sys->near[near];
}

/* its contact at the start of the step, not active if there was none */
static inline const pd_em_state *pd_link_before(const pd_system *sys, const pd_link *l)
{
  static const pd_em_state none = {0};
  return l->touch < 0 ? &none : &sys->touch[l->touch].em0;
}

/* what the last evaluation of a link with a contact gave */
static inline const pd_action *pd_action_of(const pd_system *sys, int link)
{
  return &sys->touch[sys->link[link].touch].act;
}

/* Keeps what is known of the contact of a link that has none so far. Errors: PD_ENOMEM. */
pd_status pd_link_add_touch(pd_system *sys, pd_link *l, const pd_touch *touch);

/* Gives a link with a contact a list of near features. Errors: PD_ENOMEM. */
pd_status pd_link_add_near(pd_system *sys, const pd_link *l);

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

/* Rows of k with their spin columns from col on turned into columns of alpha, into out. */
void pd_by_alpha(double (*out)[12], double (*k)[12], int rows, int col, const pd_mat3 *xi);

/* The diagonal block of a body's row, which is live from now on. */
int pd_system_diagonal(const pd_system *sys, const pd_body *b);

/* Zeros into the row's blocks. */
void pd_system_clear_row(pd_system *sys, long row);

/* Contact of one link; its records, if fresh is not NULL, are appended to fresh. em: see
 * pd_pair_eval. Errors: PD_ENAN, PD_ENOMEM. */
pd_status pd_link_eval(const pd_system *sys, const pd_link *l, int tangent, pd_slip_list *fresh,
                       double em, pd_pair_work *work, pd_pair_result *r, pd_contact_list *list);

/* Whether the link is known to be open: its bodies, which have gone no further than sys->way, cannot
 * have closed what lay between them. */
int pd_link_known_open(const pd_system *sys, const pd_link *l);

/* Evaluates one link anew: forces and state into its contact or, if it has none, into out->made; its
 * tangent into out->k. Nothing but the link is changed. Errors: PD_ENAN, PD_ENOMEM. */
pd_status pd_link_renew(const pd_system *sys, pd_link *l, int tangent, double em, pd_worker *me,
                        pd_renewal *out);

/* Makes the energy-momentum force of a link out of what the pair functions give for the end of the
 * step, which the worker has evaluated last. Errors: PD_ENOMEM. */
pd_status pd_em_link(const pd_system *sys, pd_link *l, int tangent, pd_worker *me,
                     pd_pair_result *r);

#endif
