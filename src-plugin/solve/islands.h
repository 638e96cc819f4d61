/* SPDX-License-Identifier: MIT
 * Islands: bodies that hang together by pairs with forces, now or at the start of the substep.
 * Bodies that the step does not move do not connect. Each has its own line search and its own end
 * of Newton's iteration. */
#ifndef PD_ISLANDS_H
#define PD_ISLANDS_H

#include "base/status.h"

/* sums over an island and over all processes */
enum {
  PD_RESIDUAL2, /* moments divided by the bounding radius */
  PD_MERIT2,    /* in units of acceleration, for the line search */
  PD_SCALE2,    /* contact forces and external loads */
  PD_FLOOR2,    /* rounding of the inertia terms */
  PD_SLOPE,     /* virtual work of the residual along the direction of the iteration */
  PD_AT_WORK,   /* of all islands: PD_RESIDUAL2 of those that iterate */
  PD_NBODIES,
  PD_NLOCAL, /* bodies that a local step moves */
  PD_NSUM
};

/* and maxima */
enum {
  PD_BAD,  /* status of the evaluation, the worst of its pairs */
  PD_TURN, /* in the direction */
  PD_HELD, /* minus the factor of the direction that the step limiter allows */
  PD_AGE,  /* iterations, those of a part of its bodies by that part */
  PD_PEAK, /* squared residual of a body */
  PD_NEW,  /* minus the number of iterations whose merit is known */
  PD_NTOP
};

enum { PD_PAST = 6 }; /* iterations whose merit is kept */

/* how an island's line search stands */
typedef enum pd_search { PD_FOUND, PD_TRYING, PD_SETTLING } pd_search;

typedef struct pd_island {
  double sum[PD_NSUM], top[PD_NTOP];
  double factor;            /* of the direction, in the present trial */
  double merit, slope;      /* at the start of the line search */
  double best, best_factor; /* smallest merit of the trials */
  double past[PD_PAST];     /* merits of the last iterations, the last one first */
  int active;               /* its bodies have unknowns */
  int local;                /* but only some of them */
  pd_search search;
  double label; /* the least row of its bodies, while processes agree on islands */
  int shared;   /* which of the islands that several processes have a part in, -1 if it is not */
} pd_island;

typedef struct pd_islands {
  int n, cap;
  int *parent;   /* union-find: a body of the same island, itself for the one that stands for it */
  pd_island *of; /* by the body that stands for the island */
  int *root, nroot; /* these bodies, when they were listed last */
  double *share;    /* buffer of the sums of shared islands */
  int nshared, cap_share;
  double *mark; /* by global row */
  int cap_mark;
} pd_islands;

PD_BEGIN_DECLS

void pd_islands_free(pd_islands *s);

/* n bodies, every one an island. Errors: PD_ENOMEM. */
pd_status pd_islands_reset(pd_islands *s, int n);

/* Room for n sums of shared islands and m global rows. Errors: PD_ENOMEM. */
pd_status pd_islands_share(pd_islands *s, int n, int m);

/* the body that stands for the island of body i */
int pd_island_find(pd_islands *s, int i);

/* Lists the islands; every body then points to the one that stands for it. */
void pd_islands_list(pd_islands *s);

/* Makes one island of those of bodies i and j; returns whether they were two. Its sums are to be
 * found anew. */
int pd_island_join(pd_islands *s, int i, int j);

PD_END_DECLS

#endif
