/* SPDX-License-Identifier: MIT
 * What the front end of the linear solver shares with its backends. Not for users. */
#ifndef PD_LINSOLVER_IMPL_H
#define PD_LINSOLVER_IMPL_H

#include "linear/linsolver.h"

enum { PD_BS = 6, PD_BS2 = 36 }; /* block size and entries of a block */

enum { PD_ROWS = 256 }; /* block rows that a thread takes at a time */

typedef struct pd_gather pd_gather;

/* Blocks that a backend sees, in block CSR of the owned rows, global columns. */
typedef struct pd_kept {
  int *rowptr, *col;    /* [nlocal + 1], [blocks] */
  int *from;            /* [blocks] which of the caller's blocks this is */
  int *inside;          /* [nlocal + 1] blocks in earlier rows that have their column here, too */
  char *held, *nonzero; /* [the caller's blocks] it is among them; it is not zero in this matrix */
  long blocks;          /* 0: none yet */
} pd_kept;

/* How several processes solve a system: each a part of it; each all of it; or all of it where its
 * complete factors are small, a part where they are not. */
typedef enum pd_sharing { PD_SHARED, PD_REPLICATED, PD_REPLICATED_IF_SMALL } pd_sharing;

/* A backend works on the row-scaled system (D A) x = D b with the blocks of s->kept: the front end
 * has filled s->scale before factor is called and hands over scaled right-hand sides. Statuses are
 * the same on all ranks. The caller's block k is at pd_block(s, values, k) if it is not zero. */
typedef struct pd_linops {
  const char *name;
  int prune;                                /* blocks that stay zero are kept from it */
  double refine_above;                      /* residual / right-hand side from which to refine */
  pd_status (*create)(pd_linsolver *);      /* fills s->data */
  pd_sharing (*sharing)(pd_linsolver *);    /* on several ranks */
  int (*has_small_factors)(pd_linsolver *); /* of the pattern set last; NULL: never asked */
  pd_status (*set_pattern)(pd_linsolver *);
  void (*release)(pd_linsolver *); /* of what set_pattern has made; NULL: that is little */
  pd_status (*factor)(pd_linsolver *, const double *values); /* the caller's, not scaled yet */
  /* accuracy: the residual over b that an iterative method has to reach */
  pd_status (*solve)(pd_linsolver *, const double *b, double *x, double accuracy);
  pd_status (*residual)(pd_linsolver *, const double *b, const double *x, double *r);
  /* repeats the last factorisation by a more robust method; NULL or PD_EUSER: there is none */
  pd_status (*harden)(pd_linsolver *);
  void (*destroy)(pd_linsolver *); /* frees s->data; also after a failed create */
} pd_linops;

struct pd_linsolver {
  const pd_linops *ops; /* NULL until "auto" has chosen */
  int automatic;        /* choose anew at each pattern */
  int direct;           /* solve is exact up to rounding: refine it, judge it by its residual */
  int loose;            /* solve stops at the accuracy that it is given */
  int prune;            /* kept blocks follow the matrices; else they are all */
  int ready;            /* factor has succeeded since the last pattern */
  int passed;           /* the kept blocks are with who is going to solve */
  int has_pattern;
  MPI_Comm comm;
  int rank, size;
  int nlocal, nglobal, first; /* owned block rows, all block rows, global number of the first own */
  int *rowptr, *col;          /* block CSR of the owned rows, global columns */
  pd_kept kept;
  const int *place;   /* while factor is at work: that of each of the caller's blocks, or NULL */
  double *scale;      /* [6 nlocal] power of two near 1 / max |row| */
  double *b, *r, *dx; /* [6 nlocal] scaled right-hand side, residual, correction */
  pd_loops loops;
  pd_linsolver_cost cost;
  void *data;        /* of the backend */
  pd_gather *gather; /* the whole system on this rank; made when first needed */
  int replicated;    /* the present pattern is solved there, not by the backend above */
};

extern const pd_linops pd_lapack_ops; /* PETSc's: linear/petsc_module.h */

/* The most severe of the statuses of all ranks of a communicator, and of those of the solver. */
pd_status pd_worst_of_ranks(MPI_Comm comm, pd_status mine);
pd_status pd_linsolver_agree(const pd_linsolver *s, pd_status mine);

/* Room for any choice of the pattern's blocks; keeps none. Errors: PD_ENOMEM. */
pd_status pd_kept_create(pd_linsolver *s);
void pd_kept_free(pd_linsolver *s);

/* Keeps all blocks of the pattern, or none. */
void pd_keep_all(pd_linsolver *s);
void pd_keep_none(pd_linsolver *s);

static inline const double *pd_block(const pd_linsolver *s, const double *values, int k)
{
  return values + PD_BS2 * (size_t)(s->place ? s->place[k] : k);
}

/* Notes which blocks of row i are to be read: the diagonal one, and those that have a place; of
 * these, where blocks are pruned, the ones that are not zero. */
void pd_find_live(pd_linsolver *s, int i, const double *values);

/* How many blocks are live, and in *missing how many of them are not kept. */
long pd_count_live(const pd_linsolver *s, long *missing);

/* Keeps the live blocks, and with grow those kept before. */
void pd_keep_live(pd_linsolver *s, int grow);

/* The whole system on every rank: a solver of the same backend on MPI_COMM_SELF, fed with the kept
 * blocks by Allgatherv. Small systems are solved faster so than by sharing the work. set_pattern
 * makes s->gather if need be; the others want it; free accepts NULL. */
pd_status pd_gather_set_pattern(pd_linsolver *s);
int pd_gather_has_small_factors(const pd_linsolver *s); /* the same on all ranks */
pd_status pd_gather_factor(pd_linsolver *s, const double *values);
pd_status pd_gather_solve(pd_linsolver *s, const double *rhs, double *x, double accuracy);
void pd_gather_add_cost(const pd_linsolver *s, pd_linsolver_cost *cost);
void pd_gather_free(pd_linsolver *s);

/* malloc that also accepts 0 items: NULL means out of memory and nothing else. */
void *pd_linsolver_alloc(size_t items, size_t size);

#endif
