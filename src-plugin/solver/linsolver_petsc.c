/* SPDX-License-Identifier: MIT
 * Sparse LU by PETSc: BAIJ matrices of block size 6, KSP with prefix `polyhedra_`.
 *
 * On one rank PETSc's own block LU wins as long as the fill is small (loose bodies, few contacts);
 * in dense contact MUMPS does, because it works on fronts with BLAS 3. Which of the two is decided
 * per pattern from the fill of the nested-dissection ordering. The block LU pivots inside blocks
 * only; where it fails, the same matrix goes to MUMPS. Several ranks each solve a small system
 * whole, and share a large one through MUMPS. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <petscksp.h>
#include <stdlib.h>

#include "linsolver_impl.h"

/* Blocks per row of L + U from which MUMPS is the quicker (measured, see bench_linsolver). */
static const double fill_for_mumps = 14;

/* Several ranks solve up to this many bodies redundantly: MUMPS gains nothing by sharing less
 * (measured). Option -polyhedra_replicate_below; 0 distributes always. */
enum { REPLICATE_BELOW = 600 };

/* MUMPS: percent of workspace beyond the estimate, at first and at most. Delayed pivots need it. */
enum { WORKSPACE = 50, WORKSPACE_MAX = 3200 };

typedef struct petsc_data {
  unsigned session;  /* of PETSc in which the handles below were made */
  Mat a;             /* row-scaled matrix */
  KSP ksp;           /* NULL: to be made (with a new symbolic analysis) by the next factor */
  Vec b, x;          /* without arrays of their own: the caller's are placed in them */
  PetscInt *col;     /* global block columns */
  PetscScalar *row;  /* one block row, as MatSetValuesBlocked wants it */
  int loose;         /* the fill is small enough for PETSc's own LU */
  int pivoting;      /* MUMPS instead of PETSc's own LU */
  int workspace;     /* MUMPS ICNTL(14) [%] */
} petsc_data;

#define TRY(call)                                                                                  \
  do {                                                                                             \
    PetscErrorCode code_ = (call);                                                                 \
    if (code_) return status_of(code_);                                                            \
  } while (0)

static pd_status status_of(PetscErrorCode code)
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

/* ---- PETSc as a whole ---- */

static struct {
  unsigned count;  /* sessions begun by us or found; handles of an earlier one are dead */
  int ours;        /* we have initialised PETSc and have to finalise it */
  MPI_Comm world;  /* our duplicate of the first solver's communicator: outlives the host's */
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

/* A host that unloads plugins must not unmap what MPI_Finalize is going to call: neither the
 * callback below nor those of PETSc. */
static void stay_loaded(void)
{
  Dl_info self;
  static const char anchor;
  if (dladdr(&anchor, &self) && self.dli_fname)
    (void)dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* MPI_Finalize first deletes the attributes of MPI_COMM_SELF, while MPI still works: the last
 * moment at which PETSc can be finalised, and the host need not know of it */
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
  stay_loaded();
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_mpi_finalize, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
  MPI_Comm_free_keyval(&key);
}

/* PETSc on our communicator, without the host's command line and without signal handlers */
static pd_status begin_session(MPI_Comm comm)
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

/* Around every use of PETSc. Where PETSc is the host's, its error handler is put back after. */
static pd_status enter(const petsc_data *d)
{
  if (!petsc_is_up() || d->session != session.count) return PD_EUSER;
  if (!session.ours) PetscPushErrorHandler(return_code, NULL);
  return PD_OK;
}

static pd_status leave(pd_status status)
{
  if (!session.ours) PetscPopErrorHandler();
  return status;
}

/* ---- pattern ---- */

static pd_status free_handles(petsc_data *d)
{
  free(d->col);
  free(d->row);
  d->col = NULL;
  d->row = NULL;
  TRY(KSPDestroy(&d->ksp));
  TRY(MatDestroy(&d->a));
  TRY(VecDestroy(&d->b));
  TRY(VecDestroy(&d->x));
  return PD_OK;
}

/* blocks per row inside and outside the owned diagonal part */
static void count_blocks(const pd_linsolver *s, PetscInt *inside, PetscInt *outside)
{
  for (int i = 0; i < s->nlocal; i++)
    for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
      if (s->col[k] >= s->first && s->col[k] < s->first + s->nlocal)
        inside[i]++;
      else
        outside[i]++;
}

static pd_status preallocate(const pd_linsolver *s, Mat a)
{
  PetscInt *inside = pd_linsolver_alloc(2 * (size_t)s->nlocal, sizeof *inside);
  if (!inside) return PD_ENOMEM;
  count_blocks(s, inside, inside + s->nlocal);
  PetscErrorCode code = MatXAIJSetPreallocation(a, PD_BS, inside, inside + s->nlocal, NULL, NULL);
  free(inside);
  TRY(code);
  return PD_OK;
}

static pd_status create_matrix(const pd_linsolver *s, Mat *a)
{
  PetscInt local = PD_BS * s->nlocal, global = PD_BS * s->nglobal;
  TRY(MatCreate(s->comm, a));
  TRY(MatSetSizes(*a, local, local, global, global));
  TRY(MatSetBlockSize(*a, PD_BS));
  TRY(MatSetType(*a, MATBAIJ));
  TRY(MatSetOptionsPrefix(*a, "polyhedra_"));
  TRY(MatSetFromOptions(*a));
  return preallocate(s, *a);
}

/* Block row i into the matrix, values of the caller (NULL: zeros) times the row scaling.
 * PETSc wants the whole row row-major, not block after block. */
static PetscErrorCode put_row(const pd_linsolver *s, const petsc_data *d, int i,
                              const double *values)
{
  PetscInt n = s->rowptr[i + 1] - s->rowptr[i], row = s->first + i;
  const double *scale = s->scale + PD_BS * i;
  for (PetscInt k = 0; k < n; k++)
    for (int r = 0; r < PD_BS; r++)
      for (int c = 0; c < PD_BS; c++)
        d->row[PD_BS * (n * r + k) + c] =
            values ? scale[r] * values[PD_BS2 * k + PD_BS * r + c] : 0;
  return MatSetValuesBlocked(d->a, 1, &row, n, d->col + s->rowptr[i], d->row, INSERT_VALUES);
}

static pd_status fill_matrix(const pd_linsolver *s, const petsc_data *d, const double *values)
{
  for (int i = 0; i < s->nlocal; i++)
    TRY(put_row(s, d, i, values ? values + PD_BS2 * (size_t)s->rowptr[i] : NULL));
  TRY(MatAssemblyBegin(d->a, MAT_FINAL_ASSEMBLY));
  TRY(MatAssemblyEnd(d->a, MAT_FINAL_ASSEMBLY));
  return PD_OK;
}

static pd_status create_vectors(const pd_linsolver *s, petsc_data *d)
{
  PetscInt n = PD_BS * s->nlocal, all = PD_BS * s->nglobal;
  for (int k = 0; k < 2; k++) {
    Vec *v = k ? &d->x : &d->b;
    if (s->size > 1)
      TRY(VecCreateMPIWithArray(s->comm, PD_BS, n, all, NULL, v));
    else
      TRY(VecCreateSeqWithArray(s->comm, PD_BS, n, NULL, v));
  }
  return PD_OK;
}

static pd_status copy_columns(const pd_linsolver *s, petsc_data *d)
{
  int nnz = s->rowptr[s->nlocal], longest = 0;
  for (int i = 0; i < s->nlocal; i++)
    if (s->rowptr[i + 1] - s->rowptr[i] > longest) longest = s->rowptr[i + 1] - s->rowptr[i];
  d->col = pd_linsolver_alloc((size_t)nnz, sizeof *d->col);
  d->row = pd_linsolver_alloc(PD_BS2 * (size_t)longest, sizeof *d->row);
  if (!d->col || !d->row) return PD_ENOMEM;
  for (int k = 0; k < nnz; k++) d->col[k] = s->col[k];
  return PD_OK;
}

/* Is the fill of PETSc's own LU small? Asks its symbolic factorisation, a few per cent of the
 * numerical one. */
static pd_status probe_fill(const pd_linsolver *s, petsc_data *d)
{
  Mat f = NULL;
  IS row = NULL, column = NULL;
  MatFactorInfo how;
  MatInfo info = {0};
  PetscErrorCode code = MatGetFactor(d->a, MATSOLVERPETSC, MAT_FACTOR_LU, &f);
  if (!code) code = MatGetOrdering(d->a, MATORDERINGND, &row, &column);
  if (!code) code = MatFactorInfoInitialize(&how);
  how.fill = 5;
  if (!code) code = MatLUFactorSymbolic(f, d->a, row, column, &how);
  if (!code) code = MatGetInfo(f, MAT_LOCAL, &info);
  d->loose = !code && info.nz_used < fill_for_mumps * PD_BS2 * s->nglobal;
  ISDestroy(&row);
  ISDestroy(&column);
  MatDestroy(&f);
  return PD_OK;
}

static pd_status build_pattern(pd_linsolver *s, petsc_data *d)
{
  pd_status status = copy_columns(s, d);
  if (!status) status = create_matrix(s, &d->a);
  if (!status) status = fill_matrix(s, d, NULL);
  if (status) return status;
  /* from here on values only change: no communication in assembly, no new entries */
  TRY(MatSetOption(d->a, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  TRY(MatSetOption(d->a, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  status = create_vectors(s, d);
  if (!status && s->size == 1) status = probe_fill(s, d);
  d->pivoting = !d->loose;
  d->workspace = WORKSPACE;
  return status;
}

static pd_status petsc_set_pattern(pd_linsolver *s)
{
  petsc_data *d = s->data;
  pd_status status = enter(d);
  if (status) return status;
  status = free_handles(d);
  d->loose = 0;
  if (!status) status = build_pattern(s, d);
  return leave(status);
}

/* ---- factorisation ---- */

/* MUMPS as these systems want it; options of the user, read later, come first */
static pd_status tune_mumps(const petsc_data *d, PC pc)
{
  Mat f;
  TRY(PCFactorSetUpMatSolverType(pc));
  TRY(PCFactorGetMatrix(pc, &f));
  TRY(MatMumpsSetIcntl(f, 6, 0)); /* no permutation by value: the analysis outlives the values */
  TRY(MatMumpsSetIcntl(f, 8, 0)); /* no scaling of its own: rows are scaled already */
  TRY(MatMumpsSetIcntl(f, 14, d->workspace));
  return PD_OK;
}

/* What KSP is made of: PREONLY and LU, unless the options database says otherwise. The ordering is
 * left to PETSc (nested dissection for its own LU, MUMPS's own for MUMPS): one set here would
 * outlive a change of the package by option, and PETSc aborts on the mismatch. */
static pd_status configure(petsc_data *d, PC pc)
{
  TRY(KSPSetType(d->ksp, KSPPREONLY));
  TRY(PCSetType(pc, PCLU));
  TRY(PCFactorSetMatSolverType(pc, d->pivoting ? MATSOLVERMUMPS : MATSOLVERPETSC));
  TRY(KSPSetFromOptions(d->ksp));
  return PD_OK;
}

static pd_status create_ksp(pd_linsolver *s, petsc_data *d)
{
  PC pc;
  PetscBool lu, exact;
  MatSolverType solver = NULL;
  TRY(KSPDestroy(&d->ksp));
  TRY(KSPCreate(s->comm, &d->ksp));
  TRY(KSPSetOptionsPrefix(d->ksp, "polyhedra_"));
  TRY(KSPSetOperators(d->ksp, d->a, d->a));
  TRY(KSPGetPC(d->ksp, &pc));
  pd_status status = configure(d, pc);
  if (status) return status;
  TRY(PetscObjectTypeCompare((PetscObject)d->ksp, KSPPREONLY, &exact));
  TRY(PetscObjectTypeCompare((PetscObject)pc, PCLU, &lu));
  s->direct = exact && lu;
  s->cost.analyses++;
  if (lu) TRY(PCFactorGetMatSolverType(pc, &solver));
  PetscBool mumps = PETSC_FALSE;
  TRY(PetscStrcmp(solver, MATSOLVERMUMPS, &mumps));
  return mumps ? tune_mumps(d, pc) : PD_OK;
}

/* Numerical factorisation; the first one of a KSP includes the symbolic one. */
static pd_status set_up(pd_linsolver *s, petsc_data *d, PCFailedReason *why)
{
  PC pc;
  pd_status status = d->ksp ? PD_OK : create_ksp(s, d);
  if (status) return status;
  TRY(KSPSetOperators(d->ksp, d->a, d->a));
  TRY(KSPSetUp(d->ksp));
  TRY(KSPGetPC(d->ksp, &pc));
  TRY(PCGetFailedReason(pc, why));
  return *why ? PD_ESINGULAR : PD_OK;
}

/* set_up, again with twice the workspace while MUMPS asks for more. A KSP that has failed is thrown
 * away: PETSc's MUMPS interface refuses to factorise anew after an error. */
static pd_status set_up_with_room(pd_linsolver *s, petsc_data *d)
{
  for (;;) {
    PCFailedReason why = PC_NOERROR;
    pd_status status = pd_linsolver_agree(s, set_up(s, d, &why));
    if (!status) return PD_OK;
    KSPDestroy(&d->ksp);
    int more = why == PC_FACTOR_OUTMEMORY && d->workspace < WORKSPACE_MAX;
    if (!pd_linsolver_agree(s, more ? PD_ENOMEM : PD_OK)) return status;
    d->workspace *= 2;
  }
}

/* the matrix again, by MUMPS, where PETSc's own LU was at work */
static pd_status pivot(pd_linsolver *s, petsc_data *d)
{
  if (d->pivoting) return PD_EUSER;
  d->pivoting = 1;
  KSPDestroy(&d->ksp);
  s->cost.fallbacks++;
  pd_status status = set_up_with_room(s, d);
  if (status) d->pivoting = 0; /* singular to both: no reason to stay with the slower one */
  return status;
}

static pd_status factor(pd_linsolver *s, petsc_data *d, const double *values)
{
  pd_status status = fill_matrix(s, d, values);
  if (status) return status;
  status = set_up_with_room(s, d);
  if (status == PD_ESINGULAR && !d->pivoting) status = pivot(s, d);
  return status;
}

static pd_status petsc_factor(pd_linsolver *s, const double *values)
{
  petsc_data *d = s->data;
  pd_status status = enter(d);
  return status ? status : leave(factor(s, d, values));
}

static pd_status petsc_harden(pd_linsolver *s)
{
  petsc_data *d = s->data;
  pd_status status = enter(d);
  return status ? status : leave(pivot(s, d));
}

/* ---- solution ---- */

static PetscErrorCode place(petsc_data *d, const double *b, double *x)
{
  PetscErrorCode code = VecPlaceArray(d->b, b);
  return code ? code : VecPlaceArray(d->x, x);
}

static PetscErrorCode unplace(petsc_data *d)
{
  PetscErrorCode code = VecResetArray(d->b);
  return code ? code : VecResetArray(d->x);
}

static pd_status petsc_solve(pd_linsolver *s, const double *b, double *x)
{
  petsc_data *d = s->data;
  KSPConvergedReason why = KSP_CONVERGED_ITERATING;
  pd_status status = enter(d);
  if (status) return status;
  PetscErrorCode code = place(d, b, x);
  if (!code) code = KSPSolve(d->ksp, d->b, d->x);
  if (!code) code = KSPGetConvergedReason(d->ksp, &why);
  unplace(d);
  if (code) return leave(status_of(code));
  return leave(why < 0 ? PD_ESINGULAR : PD_OK);
}

/* r = b - A x */
static pd_status petsc_residual(pd_linsolver *s, const double *b, const double *x, double *r)
{
  petsc_data *d = s->data;
  pd_status status = enter(d);
  if (status) return status;
  PetscErrorCode code = place(d, x, r);
  if (!code) code = MatMult(d->a, d->b, d->x);
  unplace(d);
  for (int i = 0; i < PD_BS * s->nlocal; i++) r[i] = b[i] - r[i];
  return leave(code ? status_of(code) : PD_OK);
}

/* ---- life ---- */

static pd_status petsc_create(pd_linsolver *s)
{
  petsc_data *d = pd_linsolver_alloc(1, sizeof *d);
  if (pd_linsolver_agree(s, d ? PD_OK : PD_ENOMEM)) {
    free(d);
    return PD_ENOMEM;
  }
  s->data = d;
  pd_status status = begin_session(s->comm);
  d->session = session.count;
  return status;
}

static int petsc_replicate(pd_linsolver *s)
{
  PetscInt limit = REPLICATE_BELOW;
  if (enter(s->data)) return 0; /* set_pattern will say why */
  PetscOptionsGetInt(NULL, "polyhedra_", "-replicate_below", &limit, NULL);
  leave(PD_OK);
  return s->nglobal < limit;
}

static void petsc_destroy(pd_linsolver *s)
{
  petsc_data *d = s->data;
  if (!d) return;
  if (!enter(d)) leave(free_handles(d));
  free(d->col); /* NULL by now, unless PETSc is gone */
  free(d->row);
  free(d);
}

const pd_linops pd_petsc_ops = {
    .name = "petsc",
    .refine_above = 1e-11, /* what a direct solver leaves on a tame system: more is worth a step */
    .create = petsc_create,
    .replicate = petsc_replicate,
    .set_pattern = petsc_set_pattern,
    .factor = petsc_factor,
    .solve = petsc_solve,
    .residual = petsc_residual,
    .harden = petsc_harden,
    .destroy = petsc_destroy,
};
