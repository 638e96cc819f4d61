/* SPDX-License-Identifier: MIT
 * PETSc as a whole: its start on our communicator, its end before MPI's, errors as codes. */
#include <stdlib.h>
#include <string.h>

#include "linear/petsc/impl.h"

pd_status pd_petsc_status(PetscErrorCode code)
{
  switch (code) {
  case PETSC_ERR_MEM:
    return PD_ENOMEM;
  case PETSC_ERR_MAT_LU_ZRPVT:
  case PETSC_ERR_FP:
  case PETSC_ERR_NOT_CONVERGED:
    return PD_ESINGULAR;
  default:
    return PD_EUSER;
  }
}

static struct {
  unsigned count; /* sessions begun by us or found; handles of an earlier one are dead */
  int ours;       /* we have initialised PETSc and have to finalise it */
  MPI_Comm world; /* our duplicate of the first solver's communicator: outlives the host's */
} session;

static int petsc_is_up(void)
{
  PetscBool up = PETSC_FALSE;
  PetscInitialized(&up);
  return up;
}

/* errors come back as codes: nothing printed, nothing aborted */
static PetscErrorCode return_code(MPI_Comm comm, int line, const char *function, const char *file,
                                  PetscErrorCode code, PetscErrorType type, const char *message,
                                  void *context)
{
  (void)comm, (void)line, (void)function, (void)file, (void)type, (void)message, (void)context;
  return code;
}

void pd_petsc_finalize(void)
{
  if (!session.ours) return;
  session.ours = 0;
  session.count++;
  if (petsc_is_up()) PetscFinalize();
  PETSC_COMM_WORLD = MPI_COMM_NULL; /* where PETSc expects it before another initialisation */
  MPI_Comm_free(&session.world);
}

/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF, while MPI still works: the last
 * moment at which PETSc can be finalised, and the host need not know of it.
 * The module stays loaded until then (linear/petsc_module.c). */
static int at_mpi_finalize(MPI_Comm comm, int key, void *value, void *extra)
{
  (void)comm, (void)key, (void)value, (void)extra;
  pd_petsc_finalize();
  return MPI_SUCCESS;
}

static void watch_mpi_finalize(void)
{
  static int watching;
  int key;
  if (watching) return;
  watching = 1;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_mpi_finalize, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
}

/* PETSc on our communicator, without the host's command line and without signal handlers */
static pd_status begin(MPI_Comm comm)
{
  if (petsc_is_up()) {
    if (!session.count) session.count = 1; /* the host's own PETSc */
    return PD_OK;
  }
  MPI_Comm_dup(comm, &session.world);
  PETSC_COMM_WORLD = session.world;
  PetscErrorCode code = PetscOptionsSetValue(NULL, "-no_signal_handler", "true");
  if (!code) code = PetscInitialize(NULL, NULL, NULL, NULL);
  if (code) {
    PETSC_COMM_WORLD = MPI_COMM_NULL;
    MPI_Comm_free(&session.world);
    return PD_EUSER;
  }
  PetscPushErrorHandler(return_code, NULL);
  watch_mpi_finalize();
  session.ours = 1;
  session.count++;
  return PD_OK;
}

pd_status pd_petsc_begin(MPI_Comm comm, unsigned *count)
{
  const pd_status status = begin(comm);
  *count = session.count;
  return status;
}

pd_status pd_petsc_enter(unsigned count)
{
  if (!petsc_is_up() || count != session.count) return PD_EUSER;
  if (!session.ours) PetscPushErrorHandler(return_code, NULL);
  return PD_OK;
}

pd_status pd_petsc_leave(pd_status status)
{
  if (!session.ours) PetscPopErrorHandler();
  return status;
}

int pd_petsc_chosen(void)
{
  static const char *const parts[] = {"-polyhedra_ksp_", "-polyhedra_pc_", "-polyhedra_mat_"};
  char *all = NULL;
  int found = 0;
  if (PetscOptionsGetAll(NULL, &all)) return 0;
  for (int i = 0; i < 3; i++) found |= strstr(all, parts[i]) != NULL;
  PetscFree(all);
  return found;
}
