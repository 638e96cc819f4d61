/* SPDX-License-Identifier: MIT
 * Replication: gathers a distributed system to every rank, where a solver on MPI_COMM_SELF takes
 * it, and hands each rank its part of the solution.
 *
 * PETSc's PCREDUNDANT gathers as well, and gives the same bits on 1, 2 and 3 ranks for an LU of 6x6
 * blocks. This file stays because every backend needs it (LAPACK's reference, too), and because the
 * gathered solver is a whole pd_linsolver: choice of the method, refinement and fallbacks are then
 * the ones of a single process, so that a system gets the same solution on any number of ranks. */
#include <stdlib.h>
#include <string.h>

#include "linear/linsolver_impl.h"

struct pd_gather {
  pd_linsolver *whole;               /* the solver of the gathered system */
  MPI_Datatype row_type, block_type; /* 6 and 36 doubles, so that counts stay in blocks */
  int *rows, *row_first;             /* [size] block rows of each rank and where they begin */
  int *nnz, *nnz_first;              /* [size] the same for the blocks */
  double *values;                    /* [36 * blocks] of all ranks */
  double *vector;                    /* [6 nglobal] right-hand side, then solution */
};

/* ---- life ---- */

void pd_gather_free(pd_linsolver *s)
{
  pd_gather *g = s->gather;
  if (!g) return;
  pd_gather_add_cost(s, &s->cost);
  pd_linsolver_destroy(g->whole);
  MPI_Type_free(&g->row_type);
  MPI_Type_free(&g->block_type);
  free(g->rows);
  free(g->values);
  free(g->vector);
  free(g);
  s->gather = NULL;
}

static pd_status create(pd_linsolver *s)
{
  pd_gather *g = pd_linsolver_alloc(1, sizeof *g);
  if (!g) return PD_ENOMEM;
  MPI_Type_contiguous(PD_BS, MPI_DOUBLE, &g->row_type);
  MPI_Type_contiguous(PD_BS2, MPI_DOUBLE, &g->block_type);
  MPI_Type_commit(&g->row_type);
  MPI_Type_commit(&g->block_type);
  s->gather = g;
  g->rows = pd_linsolver_alloc(4 * (size_t)s->size, sizeof *g->rows);
  if (!g->rows) return PD_ENOMEM;
  g->row_first = g->rows + s->size;
  g->nnz = g->rows + 2 * s->size;
  g->nnz_first = g->rows + 3 * s->size;
  pd_status status = pd_linsolver_create(s->ops->name, MPI_COMM_SELF, &g->whole);
  if (!status) g->whole->prune = 0; /* that has been done */
  return status;
}

/* ---- pattern ---- */

/* pd_linsolver_agree has made sure on all ranks that everything is allocated, unseen by the
 * analyser:
 * NOLINTBEGIN(clang-analyzer-core.NullDereference,clang-analyzer-core.NonNullParamChecker) */

/* gathers in place: each rank has filled its own part */
static void gather(const pd_linsolver *s, void *data, const int *count, const int *first,
                   MPI_Datatype type)
{
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, count, first, type, s->comm);
}

/* how many rows and blocks each rank has and where they begin; returns the number of all blocks */
static int gather_counts(const pd_linsolver *s)
{
  pd_gather *g = s->gather;
  g->rows[s->rank] = s->nlocal;
  g->nnz[s->rank] = (int)s->kept.blocks;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, g->rows, 1, MPI_INT, s->comm);
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, g->nnz, 1, MPI_INT, s->comm);
  for (int k = 1; k < s->size; k++) {
    g->row_first[k] = g->row_first[k - 1] + g->rows[k - 1];
    g->nnz_first[k] = g->nnz_first[k - 1] + g->nnz[k - 1];
  }
  return g->nnz_first[s->size - 1] + g->nnz[s->size - 1];
}

/* the global block CSR into rowptr[nglobal + 1], zero at first, and col */
static void gather_pattern(const pd_linsolver *s, int *rowptr, int *col)
{
  pd_gather *g = s->gather;
  int *length = rowptr + 1; /* of each row, summed up below */
  for (int i = 0; i < s->nlocal; i++)
    length[s->first + i] = s->kept.rowptr[i + 1] - s->kept.rowptr[i];
  gather(s, length, g->rows, g->row_first, MPI_INT);
  for (int i = 0; i < s->nglobal; i++) rowptr[i + 1] += rowptr[i];
  memcpy(col + g->nnz_first[s->rank], s->kept.col, (size_t)g->nnz[s->rank] * sizeof *col);
  gather(s, col, g->nnz, g->nnz_first, MPI_INT);
}

/* NOLINTEND(clang-analyzer-core.NullDereference,clang-analyzer-core.NonNullParamChecker) */

static pd_status allocate(pd_linsolver *s, size_t blocks)
{
  pd_gather *g = s->gather;
  free(g->values);
  free(g->vector);
  g->values = pd_linsolver_alloc(PD_BS2 * blocks, sizeof *g->values);
  g->vector = pd_linsolver_alloc(PD_BS * (size_t)s->nglobal, sizeof *g->vector);
  return g->values && g->vector ? PD_OK : PD_ENOMEM;
}

static pd_status install(pd_linsolver *s, int *rowptr, int *col, size_t blocks)
{
  pd_status status = rowptr && col ? allocate(s, blocks) : PD_ENOMEM;
  status = pd_linsolver_agree(s, status);
  if (status) return status;
  gather_pattern(s, rowptr, col);
  return pd_linsolver_set_pattern(s->gather->whole, s->nglobal, s->nglobal, rowptr, col);
}

pd_status pd_gather_set_pattern(pd_linsolver *s)
{
  pd_status status = pd_linsolver_agree(s, s->gather ? PD_OK : create(s));
  if (status) {
    pd_gather_free(s);
    return status;
  }
  size_t blocks = (size_t)gather_counts(s);
  int *rowptr = pd_linsolver_alloc((size_t)s->nglobal + 1, sizeof *rowptr);
  int *col = pd_linsolver_alloc(blocks, sizeof *col);
  status = install(s, rowptr, col, blocks);
  free(rowptr);
  free(col);
  return status;
}

int pd_gather_has_small_factors(const pd_linsolver *s)
{
  pd_linsolver *whole = s->gather->whole;
  return whole->ops->has_small_factors && whole->ops->has_small_factors(whole);
}

/* ---- values and vectors ---- */

pd_status pd_gather_factor(pd_linsolver *s, const double *values)
{
  pd_gather *g = s->gather;
  double *own = g->values + PD_BS2 * (size_t)g->nnz_first[s->rank];
  const size_t bytes = PD_BS2 * sizeof *values;
  for (long k = 0; k < s->kept.blocks; k++) {
    const int from = s->kept.from[k];
    if (s->kept.nonzero[from])
      memcpy(own + PD_BS2 * k, pd_block(s, values, from), bytes);
    else
      memset(own + PD_BS2 * k, 0, bytes);
  }
  gather(s, g->values, g->nnz, g->nnz_first, g->block_type);
  return pd_linsolver_factor(g->whole, g->values, NULL);
}

pd_status pd_gather_solve(pd_linsolver *s, const double *rhs, double *x, double accuracy)
{
  pd_gather *g = s->gather;
  double *own = g->vector + PD_BS * (size_t)s->first;
  size_t bytes = (size_t)PD_BS * (size_t)s->nlocal * sizeof *own;
  if (bytes) memcpy(own, rhs, bytes);
  gather(s, g->vector, g->rows, g->row_first, g->row_type);
  pd_status status = pd_linsolver_solve(g->whole, g->vector, g->vector, accuracy);
  if (bytes) memcpy(x, own, bytes);
  return status;
}

/* what only the solver of the gathered system knows */
void pd_gather_add_cost(const pd_linsolver *s, pd_linsolver_cost *cost)
{
  if (!s->gather || !s->gather->whole) return;
  pd_linsolver_cost inner = pd_linsolver_cost_get(s->gather->whole);
  cost->analyses += inner.analyses;
  cost->refinements += inner.refinements;
  cost->fallbacks += inner.fallbacks;
}
