/* SPDX-License-Identifier: MIT
 * Islands: bodies that hang together by pairs with forces now, in the energy-momentum scheme also
 * at the start of the substep, where its forces go on. Bodies that the step does not move do not
 * connect. Each has its own line search and its own end of Newton's iteration. */
#ifndef PD_ISLANDS_H
#define PD_ISLANDS_H

#include <stddef.h>

#include "base/numbers.h"
#include "base/status.h"

/* Sums over an island, or over all islands of all processes. All of them doubles: processes add
 * them as an array. */
typedef struct pd_island_sums {
  double residual2; /* squared residuals, moments divided by the bounding radius: force^2 */
  double merit2;    /* the same in units of acceleration, for the line search */
  double scale2;    /* squared contact forces and external loads */
  double floor2;    /* rounding of inertia and contacts, force^2 */
  double slope;     /* virtual work of the residual along the direction of the iteration */
  double at_work;   /* of all islands: residual2 of those that iterate */
  double nbodies;
  double nlocal; /* bodies that a local step moves */
} pd_island_sums;

/* what a body adds to them */
typedef struct pd_body_sums {
  double residual2, merit2, scale2, floor2, slope;
} pd_body_sums;

/* largest figures of an island; all of them doubles */
typedef struct pd_island_maxima {
  double severity; /* of the statuses of the last evaluation: pd_severity */
  double turn;     /* of a body in the direction: angle */
  double way;      /* of a point of a body in it, over the radius; 0: there was none yet */
  double age;      /* iterations, those of a part of its bodies by that part */
  double peak2;    /* squared residual of a body: force^2 */
} pd_island_maxima;

/* and smallest ones; all of them doubles */
typedef struct pd_island_minima {
  double limit;   /* fraction of the direction that the step limiter allows, 0..1 */
  double nmerits; /* iterations whose merit is known, up to 2 */
} pd_island_minima;

/* of its bodies that touch anything: mass and momenta at the start and the end of the substep;
 * bound > 0: one touches a support that accelerates or turns, or that another fix moves, so that
 * there is no common frame. All of them doubles */
typedef struct pd_island_motion {
  double mass, momentum_start[3], momentum_end[3], bound;
} pd_island_motion;

/* how many doubles these are */
enum {
  PD_NSUMS = sizeof(pd_island_sums) / sizeof(double),
  PD_NMAXIMA = sizeof(pd_island_maxima) / sizeof(double),
  PD_NMINIMA = sizeof(pd_island_minima) / sizeof(double),
  PD_NMOTION = sizeof(pd_island_motion) / sizeof(double)
};

/* how an island's line search stands */
typedef enum pd_search { PD_FOUND, PD_TRYING, PD_SETTLING } pd_search;

typedef struct pd_island {
  pd_island_sums sum;
  pd_island_maxima max;
  pd_island_minima min;
  pd_island_motion motion;
  double factor;            /* of the direction, in the present trial */
  double merit, slope;      /* at the start of the line search */
  double best, best_factor; /* smallest merit of the trials */
  double past[2];           /* merits of the last iterations, the last one first */
  double before; /* residual before the last step, force; 0: the matrix at hand is not of all its
                    bodies */
  int active;    /* its bodies have unknowns */
  int local;     /* but only some of them */
  pd_search search;
  double label; /* the least row of its bodies, while processes agree on islands */
  int shared;   /* which of the islands that several processes have a part in, -1 if it is not */
} pd_island;

typedef struct pd_islands {
  int n;
  int *parent; /* n, union-find: a body of the same island, itself for the one that stands for it */
  pd_island *of;    /* n: by the body that stands for the island */
  int *root, nroot; /* n: these bodies, when they were listed last */
  size_t cap;
  /* of several processes: */
  int nshared;          /* islands that more than one has a part in */
  double *message;      /* figures of the shared islands, under way between processes */
  int *body_of_label;   /* by global row: first body here of the island with that label, -1: none */
  double *label_shared; /* by global row: 1 if the island with that label is shared, else 0 */
  size_t cap_message, cap_label;
} pd_islands;

PD_BEGIN_DECLS

void pd_islands_free(pd_islands *s);

/* n bodies, every one an island. Errors: PD_ENOMEM. */
pd_status pd_islands_reset(pd_islands *s, int n);

/* Room for messages of n figures, and for m global rows. Errors: PD_ENOMEM. */
pd_status pd_islands_reserve_messages(pd_islands *s, int n, int m);

/* the body that stands for the island of body i */
int pd_island_find(pd_islands *s, int i);

/* the island of body i */
pd_island *pd_island_of(pd_islands *s, int i);

/* the k-th island of the list */
pd_island *pd_island_nth(const pd_islands *s, int k);

/* Lists the islands; every body then points to the one that stands for it. */
void pd_islands_list(pd_islands *s);

/* Makes one island of those of bodies i and j; returns whether they were two. Its sums are to be
 * found anew. */
int pd_island_join(pd_islands *s, int i, int j);

/* the worst status of the last evaluation of the island's bodies and pairs */
pd_status pd_island_status(const pd_island *island);
void pd_island_note_status(pd_island *island, pd_status status);

PD_END_DECLS

#endif
