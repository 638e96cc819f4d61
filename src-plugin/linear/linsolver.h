/* SPDX-License-Identifier: MIT
 * The linear system of one Newton iteration, A x = b with 6x6 blocks, behind one interface.
 *
 * A block row holds the six equations of one body: three forces [N], then three moments [N m]; its
 * unknowns are three displacements [m] and three rotations [rad]. The solver itself is indifferent
 * to units: every scalar row is scaled by a power of two before anything else happens to it, so
 * rows of widely different size (m/h^2 against J/h^2, 1e-6 against 1e12) may be mixed at will.
 *
 * Order of calls: create, set_pattern, then factor and solve as often as the pattern stands.
 * All functions are collective over the communicator of the solver, unless stated otherwise, and
 * return the same status on every rank of it. Nothing is ever printed and nothing aborts. */
#ifndef PD_LINSOLVER_H
#define PD_LINSOLVER_H

#include <mpi.h>

#include "base/status.h"
#include "base/loops.h"

typedef struct pd_linsolver pd_linsolver;

/* What the solver has done since its creation, on this rank; wall time in seconds. */
typedef struct pd_linsolver_cost {
  long patterns;       /* calls of set_pattern */
  long analyses;       /* symbolic factorisations: when a block comes to life, or many have died;
                        * one more for a fallback, or when MUMPS asks for more workspace */
  long factorisations; /* calls of factor */
  long solves;         /* calls of solve */
  long refinements;    /* solves that took a step of iterative refinement */
  long fallbacks;      /* systems repeated by MUMPS */
  double pattern_time; /* s */
  double factor_time;  /* s; the first one after set_pattern includes the symbolic analysis */
  double solve_time;   /* s */
} pd_linsolver_cost;

/* Why the file of a backend could not be loaded; strings that stay. */
typedef struct pd_linsolver_fault {
  const char *file;
  const char *reason; /* in the words of the system, on this rank; empty where it could be loaded */
} pd_linsolver_fault;

PD_BEGIN_DECLS

/* Makes a solver on the ranks of comm, which must outlive it. The backends:
 *
 * "petsc": blocks of zeros take no part, whatever the pattern says. Sparse LU where its fill is
 * small, else GMRES with an incomplete LU; on several ranks GMRES with an LU of each rank's part,
 * or each solves a system of less than 256 bodies for itself, or of less than 1,024 whose LU is
 * small, which is quicker than sharing it; option -polyhedra_replicate_below N: of less than N
 * bodies. MUMPS where GMRES does not converge, or an LU needs more pivoting than within the blocks.
 * Any KSP and PC instead through the options database, prefix `polyhedra_`
 * (PETSC_OPTIONS="-polyhedra_ksp_type gmres ..."). PETSc is initialised on first use.
 *
 * "lapack": dense LU, gathered to and repeated on every rank: the reference, and the quickest for a
 * handful of bodies.
 *
 * "auto": the quickest of them for the size of the system, chosen by set_pattern.
 *
 * The backend by PETSc is a file of its own, which is loaded when a solver first wants it.
 *
 * Errors: PD_EUSER unknown backend, or PETSc cannot be initialised; PD_EMODULE its file cannot be
 * loaded; PD_ENOMEM. On error *solver is NULL. */
pd_status pd_linsolver_create(const char *backend, MPI_Comm comm, pd_linsolver **solver);

/* Not collective: the loops over block rows run by these from now on; a zero one: on this thread.
 * The results are the same bits. */
void pd_linsolver_use_loops(pd_linsolver *s, pd_loops loops);

/* Sets the sparsity in block CSR: nlocal owned block rows of nglobal, rowptr[nlocal + 1] with
 * rowptr[0] = 0, col[rowptr[nlocal]] global block columns, ascending within a row, the diagonal
 * among them. Blocks that are zero in all matrices cost little. Global block rows are numbered
 * contiguously per rank, in rank order; nlocal may be zero on some ranks and nglobal on all. The
 * arrays are copied. Call only when the pattern has changed: symbolic work is kept until the next
 * call.
 * Errors: PD_ERANGE if the above does not hold (nothing is kept then), PD_ENOMEM, PD_EUSER,
 * PD_EMODULE. */
pd_status pd_linsolver_set_pattern(pd_linsolver *s, int nlocal, long nglobal, const int *rowptr,
                                   const int *col);

/* Frees matrix and factors where they are large: the next factor makes them anew, and to solve
 * before that is an error. The pattern stays, and the results are the same bits. */
void pd_linsolver_release(pd_linsolver *s);

/* Factorises. values: blocks of 36, row-major inside the block; no symmetry is assumed.
 * place[rowptr[nlocal]]: which of them is that of an entry of col, -1 for a block that is zero;
 * diagonal blocks have a place. NULL: there is one for every entry, in their order. The arrays are
 * copied.
 * Errors: PD_ESINGULAR if a row is zero, a value is not finite or a pivot is zero; PD_ENOMEM;
 * PD_EUSER if no pattern is set or PETSc is finalised or refuses an option. */
pd_status pd_linsolver_factor(pd_linsolver *s, const double *values, const int *place);

/* Solves for one right-hand side; rhs and x are the owned parts, 6 * nlocal each, and may be the
 * same array. accuracy: the residual over the right-hand side, both in the 2-norm of the scaled
 * rows of all bodies, with which iterative methods may stop; 0: as good as a direct solver, some
 * 1e-11. Direct solvers take a step of iterative refinement where the residual asks for it.
 * Errors: PD_ESINGULAR if the last factorisation failed, if x is not finite, if the refinement
 * shows that the matrix is singular within rounding (condition above some 1e15), or if an iterative
 * method chosen by option does not converge; x is then undefined. PD_EUSER as above. */
pd_status pd_linsolver_solve(pd_linsolver *s, const double *rhs, double *x, double accuracy);

/* Not collective: the backend at work ("petsc", "lapack"), or "auto" before the first pattern. */
const char *pd_linsolver_name(const pd_linsolver *s);

/* Not collective: after PD_EMODULE, of the last attempt. */
pd_linsolver_fault pd_linsolver_fault_get(void);

/* Not collective. */
pd_linsolver_cost pd_linsolver_cost_get(const pd_linsolver *s);

/* Frees the solver; NULL is allowed. PETSc stays initialised for the next one. */
void pd_linsolver_destroy(pd_linsolver *s);

/* Finalises PETSc if this library has initialised it, collectively over the communicator of the
 * first solver; a later create may initialise it again. Optional: MPI_Finalize does it otherwise.
 * Solvers alive keep their memory but answer PD_EUSER; they may still be destroyed. */
void pd_linsolver_finalize(void);

PD_END_DECLS

#endif
