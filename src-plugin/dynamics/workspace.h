/* SPDX-License-Identifier: MIT
 * Scratch memory of a system: nothing in it outlives the call that wrote it, but for the choice of
 * the energy-momentum scheme. Every part belongs to the file named with it. */
#ifndef PD_WORKSPACE_H
#define PD_WORKSPACE_H

#include "dynamics/system.h"

/* a pair evaluated anew */
typedef struct pd_pair_update {
  pd_status status;      /* of the evaluation of its contact: there are no records */
  int changes;           /* the residuals of its bodies */
  int assemble;          /* k is set */
  int thread, first, n;  /* its records, in the memory of the worker */
  double k[12][12];      /* its tangent by (u, alpha) */
  pd_contact_state made; /* what it found, if the pair has had no contact before */
} pd_pair_update;

/* what a thread needs for itself */
typedef struct pd_worker {
  pd_pair_work *work;
  pd_friction_records fresh; /* records of the pairs that it evaluates in a batch */
  pd_status status;          /* of what it has done in a loop */
  char apart[128]; /* what one thread writes is not in a line of the cache that another one reads */
} pd_worker;

/* evaluate.c: pairs of moved bodies */
typedef struct pd_evaluation_work {
  char *todo;         /* npair: NOTHING, KEEP or EVALUATE, an enum of that file */
  int *to_evaluate;   /* npair: those to be evaluated, in their order */
  pd_pair_update *of; /* PD_EVALUATION_BATCH: of the pairs under evaluation */
  char *changes;      /* PD_EVALUATION_BATCH: those that change a residual, */
  int *changing;      /* PD_EVALUATION_BATCH: and their list */
} pd_evaluation_work;

/* step_limiter.c */
typedef struct pd_limiter_work {
  char *goes;       /* nbody: its direction is not zero */
  double *reach;    /* nbody, length: how far from its start any point of the body can get */
  char *near;       /* npair: its sides may come close, */
  int *near_pair;   /* npair: and the list of them */
  double *fraction; /* npair: how far these may go */
} pd_limiter_work;

/* energy_momentum_choice.c and support.c: from pd_em_choose to the end of the choice (pd_em_rates)
 */
typedef struct pd_choice_work {
  double *a;       /* npair: scheme parameter that the pair asks for */
  char *at_rest;   /* npair: it touches and is at rest */
  pd_rates *rates; /* npair: of those that are not at rest */
  char *contact;   /* nbody: how its contacts are, an enum of that file */
  char *support;   /* nbody: whether it rests and is supported, an enum of support.c */
} pd_choice_work;

struct pd_workspace {
  pd_worker *worker; /* one for each thread of the loops */
  int nworker;
  pd_evaluation_work evaluation;
  pd_limiter_work limiter;
  pd_choice_work choice;
};

pd_status pd_workspace_create(pd_workspace **work);
void pd_workspace_free(pd_workspace *work);

/* Workers for at least n threads; they are added, never taken away. Errors: PD_ENOMEM. */
pd_status pd_workspace_add_workers(pd_workspace *work, int n);

/* No worker has failed; the status of those that have since then. */
void pd_workers_clear(pd_workspace *work);
pd_status pd_workers_status(const pd_workspace *work);

#endif
