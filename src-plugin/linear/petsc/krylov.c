/* SPDX-License-Identifier: MIT
 * Several processes share a system: GMRES preconditioned by an additive Schwarz method, an LU of
 * every process's own part with that of its neighbours some bodies deep. What hangs together within
 * such a part is solved exactly by that; the iterations are about what crosses it. */
#include "linear/petsc/impl.h"

/* iterations before MUMPS is the better choice; how many bodies deep the parts overlap: 53
 * iterations without, 18 with one, 12 with two, in a settled heap of 1,024 cubes, to 1e-11 */
enum { MOST = 50, OVERLAP = 2 };

pd_status pd_krylov_clear(pd_krylov *k)
{
  PD_TRY(KSPDestroy(&k->ksp));
  k->prepared = 0;
  return pd_lu_clear(&k->lu);
}

/* ---- LU of a part, as a preconditioner of PETSc ---- */

static PetscErrorCode set_up_part(PC pc)
{
  pd_krylov *k;
  Mat part;
  PetscCall(PCShellGetContext(pc, &k));
  PetscCall(PCGetOperators(pc, NULL, &part));
  PetscCall(MatGetLocalSize(part, &k->rows, NULL));
  if (!k->rows) return 0;
  if (!k->lu.own && !k->lu.ksp) k->failed = pd_lu_analyse(&k->lu, part);
  if (!k->failed) k->failed = pd_lu_factor(&k->lu, part);
  return 0;
}

static PetscErrorCode apply_part(PC pc, Vec b, Vec x)
{
  pd_krylov *k;
  PetscCall(PCShellGetContext(pc, &k));
  if (!k->rows || k->failed) return VecCopy(b, x);
  k->failed = pd_lu_solve(&k->lu, b, x);
  return 0;
}

static pd_status be_part(pd_krylov *k, PC pc)
{
  PD_TRY(PCSetType(pc, PCSHELL));
  PD_TRY(PCShellSetContext(pc, k));
  PD_TRY(PCShellSetSetUp(pc, set_up_part));
  PD_TRY(PCShellSetApply(pc, apply_part));
  return PD_OK;
}

/* the solver of this process's part, once PCSetUp has found out what belongs to it */
static pd_status prepare_part(pd_krylov *k, PC pc)
{
  KSP *part;
  PC inner;
  PetscInt n;
  if (k->prepared) return PD_OK;
  k->prepared = 1;
  PD_TRY(PCASMGetSubKSP(pc, &n, NULL, &part));
  PD_TRY(KSPSetType(part[0], KSPPREONLY));
  PD_TRY(KSPGetPC(part[0], &inner));
  return be_part(k, inner);
}

/* ---- all of it ---- */

static pd_status create_ksp(pd_krylov *k, Mat a, PC *pc)
{
  PD_TRY(KSPCreate(PetscObjectComm((PetscObject)a), &k->ksp));
  PD_TRY(KSPSetType(k->ksp, KSPGMRES));
  PD_TRY(KSPGMRESSetRestart(k->ksp, MOST));
  PD_TRY(KSPSetPCSide(k->ksp, PC_RIGHT));
  PD_TRY(KSPGetPC(k->ksp, pc));
  return PD_OK;
}

pd_status pd_krylov_create(pd_krylov *k, Mat a, pd_lu *whole)
{
  PC pc = NULL;
  pd_status status = pd_krylov_clear(k);
  if (!status) status = create_ksp(k, a, &pc);
  if (status) return status;
  if (whole) {
    k->prepared = 1;
    k->lu = *whole;
    whole->own = NULL;
    return be_part(k, pc);
  }
  PD_TRY(PCSetType(pc, PCASM));
  PD_TRY(PCASMSetOverlap(pc, OVERLAP));
  return PD_OK;
}

pd_status pd_krylov_factor(pd_krylov *k, Mat a)
{
  PC pc = NULL;
  k->failed = PD_OK;
  PD_TRY(KSPSetOperators(k->ksp, a, a));
  PD_TRY(KSPSetUp(k->ksp));
  PD_TRY(KSPGetPC(k->ksp, &pc));
  const pd_status status = prepare_part(k, pc);
  if (status) return status;
  PD_TRY(KSPSetUpOnBlocks(k->ksp));
  return k->failed;
}

pd_status pd_krylov_solve(pd_krylov *k, Vec b, Vec x, double accuracy)
{
  KSPConvergedReason why;
  PD_TRY(KSPSetTolerances(k->ksp, accuracy, PETSC_DEFAULT, PETSC_DEFAULT, MOST));
  PD_TRY(KSPSolve(k->ksp, b, x));
  PD_TRY(KSPGetConvergedReason(k->ksp, &why));
  return why < 0 ? PD_ESINGULAR : k->failed;
}
