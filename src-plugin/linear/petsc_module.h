/* SPDX-License-Identifier: MIT
 * The backend by PETSc as a shared module of its own (linear/petsc): the hundred libraries that
 * PETSc may bring along are loaded when it has something to solve, not when the host starts. */
#ifndef PD_PETSC_MODULE_H
#define PD_PETSC_MODULE_H

#include "linear/linsolver_impl.h"

#define PD_PETSC_FILE "polyhedrapetsc.so"

/* what the module exports, by this name */
#define PD_PETSC_TABLE "pd_petsc_table"
typedef struct pd_petsc_module {
  size_t solver_size, ops_size; /* bytes of what both sides see: the module is of the same build */
  const pd_linops *ops;
  void (*finalize)(void); /* PETSc, if the module has initialised it */
} pd_petsc_module;

/* Not collective: the backend, from the file beside the program or shared library that this
 * function is in. Errors: PD_EMODULE, *ops is NULL and the fault tells why. */
pd_status pd_petsc_load(const pd_linops **ops);

/* Not collective: of the last load. */
pd_linsolver_fault pd_petsc_fault(void);

/* Finalises PETSc if the module is there and has initialised it. */
void pd_petsc_module_finalize(void);

#endif
