/* SPDX-License-Identifier: MIT
 * LU of a matrix of 6x6 blocks, by PETSc as long as the fill is small (loose bodies, piles). Beyond
 * that an incomplete one is the quicker, as a preconditioner. PETSc's LU pivots inside blocks only;
 * where it fails, the same matrix goes to MUMPS. */
#include "linear/petsc/impl.h"

/* Blocks per row of L + U up to which the complete LU is worth its while. Measured: heaps of 1,024
 * cubes have 19 and take 13 ms (MUMPS as well; 10 by GMRES), 4,096 have 26 and take 142 ms (MUMPS
 * 90, GMRES 40). */
static const double most_fill = 12;

/* of the incomplete LU: iterations to 1e-4 are 9, 6 and 5 with 1, 2 and 3 (4,096 cubes). A pile of
 * 1,005 tetrapods that falls apart takes 0.90 of the time with 1 that it takes with 2. */
enum { LEVELS = 1 };

/* MUMPS: percent of workspace beyond the estimate, at first and at most. Delayed pivots need it. */
enum { WORKSPACE = 50, WORKSPACE_MAX = 3200 };

pd_status pd_lu_clear(pd_lu *f)
{
  PD_TRY(MatDestroy(&f->own));
  PD_TRY(KSPDestroy(&f->ksp));
  return PD_OK;
}

static MPI_Comm comm_of(Mat a) { return PetscObjectComm((PetscObject)a); }

/* ---- PETSc's own ---- */

/* approximate minimum degree eliminates what hangs together little first, which serves an
 * incomplete LU as well; it belongs to another library, so there is a second choice */
static PetscErrorCode order(Mat a, IS *row, IS *column)
{
  if (!MatGetOrdering(a, MATORDERINGAMD, row, column)) return 0;
  return MatGetOrdering(a, MATORDERINGQMD, row, column);
}

static PetscErrorCode symbolic(Mat factors, Mat a, int complete)
{
  IS row = NULL, column = NULL;
  MatFactorInfo how;
  PetscErrorCode code = order(a, &row, &column);
  if (!code) code = MatFactorInfoInitialize(&how);
  how.fill = 5;
  how.levels = LEVELS;
  if (!code && complete) code = MatLUFactorSymbolic(factors, a, row, column, &how);
  if (!code && !complete) code = MatILUFactorSymbolic(factors, a, row, column, &how);
  ISDestroy(&row);
  ISDestroy(&column);
  return code;
}

/* the symbolic factorisation by PETSc */
static pd_status analyse_own(pd_lu *f, Mat a, int complete)
{
  PD_TRY(MatGetFactor(a, MATSOLVERPETSC, complete ? MAT_FACTOR_LU : MAT_FACTOR_ILU, &f->own));
  PD_TRY(symbolic(f->own, a, complete));
  f->exact = complete;
  return PD_OK;
}

/* whether the complete factors fit */
static pd_status is_small(Mat own, int *small)
{
  MatInfo info;
  PetscInt n;
  PD_TRY(MatGetInfo(own, MAT_LOCAL, &info));
  PD_TRY(MatGetSize(own, &n, NULL));
  *small = info.nz_used <= most_fill * PD_BS * (double)n;
  return PD_OK;
}

static pd_status factor_own(pd_lu *f, Mat a)
{
  MatFactorInfo how;
  MatFactorError error;
  PD_TRY(MatFactorInfoInitialize(&how));
  PD_TRY(MatFactorClearError(f->own)); /* of the last matrix, which would be taken for this one's */
  PD_TRY(MatLUFactorNumeric(f->own, a, &how));
  PD_TRY(MatFactorGetError(f->own, &error));
  return error ? PD_ESINGULAR : PD_OK;
}

/* ---- others, by KSP ---- */

/* MUMPS as these systems want it; options of the user, read later, come first */
static pd_status tune_mumps(const pd_lu *f, PC pc)
{
  Mat factors;
  PD_TRY(PCFactorSetUpMatSolverType(pc));
  PD_TRY(PCFactorGetMatrix(pc, &factors));
  /* no permutation by value: the analysis outlives the values */
  PD_TRY(MatMumpsSetIcntl(factors, 6, 0));
  PD_TRY(MatMumpsSetIcntl(factors, 8, 0)); /* no scaling of its own: rows are scaled already */
  PD_TRY(MatMumpsSetIcntl(factors, 14, f->workspace));
  return PD_OK;
}

/* what KSP is made of: MUMPS, unless the options database says otherwise */
static pd_status configure(const pd_lu *f, PC pc)
{
  PD_TRY(KSPSetType(f->ksp, KSPPREONLY));
  PD_TRY(PCSetType(pc, PCLU));
  PD_TRY(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  if (f->chosen) PD_TRY(KSPSetFromOptions(f->ksp));
  return PD_OK;
}

static pd_status create_ksp(pd_lu *f, Mat a)
{
  PC pc;
  PetscBool lu, exact, mumps = PETSC_FALSE;
  MatSolverType solver = NULL;
  PD_TRY(KSPDestroy(&f->ksp));
  PD_TRY(KSPCreate(comm_of(a), &f->ksp));
  if (f->chosen) PD_TRY(KSPSetOptionsPrefix(f->ksp, "polyhedra_"));
  PD_TRY(KSPSetOperators(f->ksp, a, a));
  PD_TRY(KSPGetPC(f->ksp, &pc));
  pd_status status = configure(f, pc);
  if (status) return status;
  PD_TRY(PetscObjectTypeCompare((PetscObject)f->ksp, KSPPREONLY, &exact));
  PD_TRY(PetscObjectTypeCompare((PetscObject)pc, PCLU, &lu));
  f->exact = exact && lu;
  f->cost->analyses++;
  if (lu) PD_TRY(PCFactorGetMatSolverType(pc, &solver));
  PD_TRY(PetscStrcmp(solver, MATSOLVERMUMPS, &mumps));
  return mumps ? tune_mumps(f, pc) : PD_OK;
}

/* Numerical factorisation; the first one of a KSP includes the symbolic one. */
static pd_status set_up(pd_lu *f, Mat a, PCFailedReason *why)
{
  PC pc;
  pd_status status = f->ksp ? PD_OK : create_ksp(f, a);
  if (status) return status;
  PD_TRY(KSPSetOperators(f->ksp, a, a));
  PD_TRY(KSPSetUp(f->ksp));
  PD_TRY(KSPGetPC(f->ksp, &pc));
  PD_TRY(PCGetFailedReason(pc, why));
  return *why ? PD_ESINGULAR : PD_OK;
}

/* set_up, again with twice the workspace while MUMPS asks for more. A KSP that has failed is thrown
 * away: PETSc's MUMPS interface refuses to factorise anew after an error. */
static pd_status factor_ksp(pd_lu *f, Mat a)
{
  for (;;) {
    PCFailedReason why = PC_NOERROR;
    pd_status status = pd_worst_of_ranks(comm_of(a), set_up(f, a, &why));
    if (!status) return PD_OK;
    KSPDestroy(&f->ksp);
    int more = why == PC_FACTOR_OUTMEMORY && f->workspace < WORKSPACE_MAX;
    if (!pd_worst_of_ranks(comm_of(a), more ? PD_ENOMEM : PD_OK)) return status;
    f->workspace *= 2;
  }
}

/* ---- both ---- */

pd_status pd_lu_analyse(pd_lu *f, Mat a)
{
  int size, small = 0;
  pd_status status = pd_lu_clear(f);
  if (status) return status;
  MPI_Comm_size(comm_of(a), &size);
  f->workspace = WORKSPACE;
  if (size > 1 || f->chosen || f->robust) return PD_OK;
  f->cost->analyses++;
  status = analyse_own(f, a, 1);
  if (!status) status = is_small(f->own, &small);
  if (status || small) return status;
  PD_TRY(MatDestroy(&f->own));
  return analyse_own(f, a, 0);
}

pd_status pd_lu_harden(pd_lu *f, Mat a)
{
  if (!f->own || !f->exact) return PD_EUSER;
  Mat kept = f->own;
  f->own = NULL;
  f->cost->fallbacks++;
  pd_status status = factor_ksp(f, a);
  if (status) {
    f->own = kept; /* singular to both: no reason to stay with the slower one */
    f->exact = 1;
  } else
    PD_TRY(MatDestroy(&kept));
  return status;
}

pd_status pd_lu_factor(pd_lu *f, Mat a)
{
  if (!f->own) return factor_ksp(f, a);
  pd_status status = factor_own(f, a);
  return status == PD_ESINGULAR && f->exact ? pd_lu_harden(f, a) : status;
}

pd_status pd_lu_solve(pd_lu *f, Vec b, Vec x)
{
  KSPConvergedReason why;
  if (f->own) {
    PD_TRY(MatSolve(f->own, b, x));
    return PD_OK;
  }
  PD_TRY(KSPSolve(f->ksp, b, x));
  PD_TRY(KSPGetConvergedReason(f->ksp, &why));
  return why < 0 ? PD_ESINGULAR : PD_OK;
}
