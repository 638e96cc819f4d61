/* SPDX-License-Identifier: MIT
 * What the files of the PETSc backend share. Not for users. */
#ifndef PD_PETSC_IMPL_H
#define PD_PETSC_IMPL_H

#include <petscksp.h>

#include "linear/linsolver_impl.h"

#define PD_TRY(call)                                                                               \
  do {                                                                                             \
    PetscErrorCode code_ = (call);                                                                 \
    if (code_) return pd_petsc_status(code_);                                                      \
  } while (0)

pd_status pd_petsc_status(PetscErrorCode code);

/* Finalises PETSc if this backend has initialised it. */
void pd_petsc_finalize(void);

/* PETSc is up, on comm if it was not before; *count is the number of this session of it. */
pd_status pd_petsc_begin(MPI_Comm comm, unsigned *count);

/* Around every use of PETSc. Errors: PD_EUSER, handles made in that session are dead. Where PETSc
 * is the host's, its error handler is put back by leave, which returns its argument. */
pd_status pd_petsc_enter(unsigned count);
pd_status pd_petsc_leave(pd_status status);

/* whether options ask for a solver or a matrix of the user's choice */
int pd_petsc_chosen(void);

/* LU of a matrix: by PETSc's own LU of blocks where its fill is small, an incomplete one where it
 * is not; by MUMPS, or what the options ask for, where that is wanted or several processes share
 * the matrix. Collective over its communicator. */
typedef struct pd_lu {
  Mat own;       /* factors by PETSc; NULL: ksp is at work */
  KSP ksp;       /* NULL: to be made (with a new symbolic analysis) by the next factor */
  int exact;     /* a direct solver */
  int robust;    /* MUMPS is wanted */
  int workspace; /* MUMPS ICNTL(14) [%] */
  int chosen;    /* options are heeded */
  pd_linsolver_cost *cost;
} pd_lu;

/* Makes room for factors of a; the symbolic factorisation is done here or by the first factor. */
pd_status pd_lu_analyse(pd_lu *f, Mat a);

/* Errors: PD_ESINGULAR, also to MUMPS; PD_ENOMEM, PD_EUSER. */
pd_status pd_lu_factor(pd_lu *f, Mat a);

/* The same by MUMPS, where PETSc's own LU was at work; PD_EUSER if it was not. */
pd_status pd_lu_harden(pd_lu *f, Mat a);

/* Errors: PD_ESINGULAR if an iterative solver does not converge. */
pd_status pd_lu_solve(pd_lu *f, Vec b, Vec x);

/* Frees the factors; the settings stay. */
pd_status pd_lu_clear(pd_lu *f);

/* GMRES with an LU of every process's part of the matrix, which overlaps with its neighbours'; the
 * LU may be incomplete. */
typedef struct pd_krylov {
  KSP ksp;
  pd_lu lu;         /* of the part */
  PetscInt rows;    /* of it */
  int prepared;     /* PETSc knows of it */
  pd_status failed; /* the worst that its LU has met with */
} pd_krylov;

/* Makes room for factors of a; whole: those of all of a, analysed, which become k's, or NULL. All
 * of these are collective over the communicator of a. */
pd_status pd_krylov_create(pd_krylov *k, Mat a, pd_lu *whole);

/* Errors: those of pd_lu_factor, of this process alone. */
pd_status pd_krylov_factor(pd_krylov *k, Mat a);

/* To a residual of accuracy times that of b. Errors: PD_ESINGULAR if it does not converge. */
pd_status pd_krylov_solve(pd_krylov *k, Vec b, Vec x, double accuracy);

pd_status pd_krylov_clear(pd_krylov *k);

#endif
