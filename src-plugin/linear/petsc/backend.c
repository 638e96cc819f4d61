/* SPDX-License-Identifier: MIT
 * Backend by PETSc: BAIJ matrices of block size 6 from the kept blocks. One process solves by an LU
 * (lu.c), or, where that fills up, by GMRES with an incomplete one. Several processes each
 * solve a small system whole, and a larger one whose LU is small; others they share, by GMRES with
 * an LU of every process's own part (krylov.c). MUMPS takes over where GMRES does not
 * converge. Options with the prefix `polyhedra_` replace all of this. */
#include <stdlib.h>

#include "linear/petsc/impl.h"
#include "linear/petsc_module.h"

/* Several ranks solve up to this many bodies redundantly: nothing is gained by sharing less
 * (measured). Where the complete LU is small, as in a fall, it is the quicker up to more: the
 * blocks change so often there that two ranks, which share 564 bodies, take a sixth of their time
 * for new lists of what is whose. Option -polyhedra_replicate_below N: N for both; 0 distributes
 * always. */
enum { REPLICATE_BELOW = 256, REPLICATE_SMALL_BELOW = 1024 };

/* Factorisations by MUMPS before GMRES is tried again: one, as the matrix that was too much for it
 * is mostly alone (heaps of 1,024 to 16,384 cubes: one in 200), and twice as many each time that it
 * fails at once, up to this. */
enum { PATIENCE = 16 };

typedef struct petsc_data {
  unsigned session;    /* of PETSc in which the handles below were made */
  Mat a;               /* row-scaled matrix */
  Mat inside, outside; /* its parts with own columns and with those of others, not owned here */
  Vec b, x;            /* without arrays of their own: the caller's are placed in them */
  pd_lu lu;            /* of a, where it is exact or of the user's choice */
  pd_krylov krylov;    /* in all other cases */
  int iterative;       /* these cases */
  int patience;        /* factorisations for which MUMPS has to do it instead, */
  int last_patience;   /* and how many there were at first when that began last; 0: GMRES has done
                          well since then */
} petsc_data;

/* whether GMRES is at work */
static int iterates(const petsc_data *d) { return d->iterative && !d->patience; }

/* ---- pattern ---- */

static pd_status free_handles(petsc_data *d)
{
  pd_status status = pd_lu_clear(&d->lu);
  if (!status) status = pd_krylov_clear(&d->krylov);
  if (status) return status;
  PD_TRY(MatDestroy(&d->a));
  PD_TRY(VecDestroy(&d->b));
  PD_TRY(VecDestroy(&d->x));
  return PD_OK;
}

/* zeros where the kept blocks are */
static pd_status create_matrix(const pd_linsolver *s, petsc_data *d)
{
  const PetscInt local = PD_BS * s->nlocal, global = PD_BS * s->nglobal;
  PD_TRY(MatCreate(s->comm, &d->a));
  PD_TRY(MatSetSizes(d->a, local, local, global, global));
  PD_TRY(MatSetBlockSize(d->a, PD_BS));
  PD_TRY(MatSetType(d->a, s->size > 1 ? MATMPIBAIJ : MATSEQBAIJ));
  if (s->size > 1) {
    PD_TRY(MatMPIBAIJSetPreallocationCSR(d->a, PD_BS, s->kept.rowptr, s->kept.col, NULL));
    PD_TRY(MatSetOption(d->a, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
    PD_TRY(MatMPIBAIJGetSeqBAIJ(d->a, &d->inside, &d->outside, NULL));
  } else {
    PD_TRY(MatSeqBAIJSetPreallocationCSR(d->a, PD_BS, s->kept.rowptr, s->kept.col, NULL));
    d->inside = d->a;
    d->outside = NULL;
  }
  PD_TRY(MatSetOption(d->a, MAT_NEW_NONZERO_LOCATION_ERR, PETSC_TRUE));
  return PD_OK;
}

static pd_status create_vectors(const pd_linsolver *s, petsc_data *d)
{
  PetscInt n = PD_BS * s->nlocal, all = PD_BS * s->nglobal;
  for (int k = 0; k < 2; k++) {
    Vec *v = k ? &d->x : &d->b;
    if (s->size > 1)
      PD_TRY(VecCreateMPIWithArray(s->comm, PD_BS, n, all, NULL, v));
    else
      PD_TRY(VecCreateSeqWithArray(s->comm, PD_BS, n, NULL, v));
  }
  return PD_OK;
}

/* An LU where one process can have one that is exact, else GMRES; what options say comes first. */
static pd_status choose_method(const pd_linsolver *s, petsc_data *d)
{
  d->lu.chosen = pd_petsc_chosen();
  d->lu.robust = 0;
  d->patience = d->last_patience = 0;
  d->iterative = s->size > 1 && !d->lu.chosen;
  if (d->iterative) return pd_krylov_create(&d->krylov, d->a, NULL);
  const pd_status status = pd_lu_analyse(&d->lu, d->a);
  d->iterative = d->lu.own && !d->lu.exact;
  if (status || !d->iterative) return status;
  return pd_krylov_create(&d->krylov, d->a, &d->lu);
}

static pd_status build_pattern(pd_linsolver *s, petsc_data *d)
{
  pd_status status = create_matrix(s, d);
  if (!status) status = create_vectors(s, d);
  d->lu.cost = d->krylov.lu.cost = &s->cost;
  return status ? status : choose_method(s, d);
}

static pd_status petsc_set_pattern(pd_linsolver *s)
{
  petsc_data *d = s->data;
  pd_status status = pd_petsc_enter(d->session);
  if (status) return status;
  status = free_handles(d);
  if (!status) status = build_pattern(s, d);
  return pd_petsc_leave(status);
}

static void petsc_release(pd_linsolver *s)
{
  petsc_data *d = s->data;
  if (!pd_petsc_enter(d->session)) pd_petsc_leave(free_handles(d));
}

/* ---- values ---- */

/* one block, its rows scaled, in PETSc's order: by columns; returns where the next one begins */
static PetscScalar *put_block(PetscScalar *out, const double *in, const double *scale)
{
  for (int c = 0; c < PD_BS; c++)
    for (int r = 0; r < PD_BS; r++) *out++ = scale[r] * in[PD_BS * r + c];
  return out;
}

/* values on their way into the two parts of the matrix */
typedef struct filling {
  const pd_linsolver *s;
  const double *values;
  PetscScalar *inside, *outside;
} filling;

/* Both parts hold their blocks row by row with ascending columns, as the kept blocks are. */
static void fill_row(const filling *f, int i)
{
  static const double zero[PD_BS2];
  const pd_linsolver *s = f->s;
  const pd_kept *p = &s->kept;
  PetscScalar *inside = f->inside + PD_BS2 * (size_t)p->inside[i];
  PetscScalar *outside = f->outside + PD_BS2 * (size_t)(p->rowptr[i] - p->inside[i]);
  for (int k = p->rowptr[i]; k < p->rowptr[i + 1]; k++) {
    const int from = p->from[k];
    const double *in = p->nonzero[from] ? pd_block(s, f->values, from) : zero;
    const double *scale = s->scale + PD_BS * i;
    if (p->col[k] >= s->first && p->col[k] < s->first + s->nlocal)
      inside = put_block(inside, in, scale);
    else
      outside = put_block(outside, in, scale);
  }
}

static void fill_rows(void *arg, int begin, int end, int thread)
{
  (void)thread;
  for (int i = begin; i < end; i++) fill_row(arg, i);
}

static pd_status fill_matrix(const pd_linsolver *s, const petsc_data *d, const double *values)
{
  filling f = {s, values, NULL, NULL};
  PD_TRY(MatSeqBAIJGetArray(d->inside, &f.inside));
  if (d->outside) PD_TRY(MatSeqBAIJGetArray(d->outside, &f.outside));
  pd_loop(&s->loops, s->nlocal, PD_ROWS, fill_rows, &f);
  if (d->outside) PD_TRY(MatSeqBAIJRestoreArray(d->outside, &f.outside));
  PD_TRY(MatSeqBAIJRestoreArray(d->inside, &f.inside));
  /* tells PETSc that the values are others */
  PD_TRY(MatAssemblyBegin(d->a, MAT_FINAL_ASSEMBLY));
  PD_TRY(MatAssemblyEnd(d->a, MAT_FINAL_ASSEMBLY));
  return PD_OK;
}

/* ---- factorisation ---- */

/* MUMPS instead of GMRES, for some time */
static pd_status give_in(petsc_data *d)
{
  const int twice = 2 * d->last_patience;
  d->patience = d->last_patience = twice == 0 ? 1 : twice < PATIENCE ? twice : PATIENCE;
  d->lu.robust = 1;
  d->lu.cost->fallbacks++;
  pd_status status = pd_lu_analyse(&d->lu, d->a);
  return status ? status : pd_lu_factor(&d->lu, d->a);
}

static pd_status factor_iterative(pd_linsolver *s, petsc_data *d)
{
  if (!d->patience)
    d->last_patience = 0; /* the last matrix was not too much for GMRES */
  else if (--d->patience)
    return pd_lu_factor(&d->lu, d->a);
  pd_status status = pd_lu_clear(&d->lu); /* MUMPS has a multiple of what else there is */
  if (!status) status = pd_krylov_factor(&d->krylov, d->a);
  status = pd_linsolver_agree(s, status);
  return status == PD_ESINGULAR ? give_in(d) : status;
}

static pd_status factor(pd_linsolver *s, petsc_data *d, const double *values)
{
  pd_status status = fill_matrix(s, d, values);
  if (!status) status = d->iterative ? factor_iterative(s, d) : pd_lu_factor(&d->lu, d->a);
  s->direct = iterates(d) || d->lu.exact;
  s->loose = iterates(d);
  return status;
}

static pd_status petsc_factor(pd_linsolver *s, const double *values)
{
  petsc_data *d = s->data;
  pd_status status = pd_petsc_enter(d->session);
  return status ? status : pd_petsc_leave(factor(s, d, values));
}

static pd_status petsc_harden(pd_linsolver *s)
{
  petsc_data *d = s->data;
  pd_status status = pd_petsc_enter(d->session);
  if (status) return status;
  s->loose = 0;
  return pd_petsc_leave(iterates(d) ? give_in(d) : pd_lu_harden(&d->lu, d->a));
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

static pd_status solve(petsc_data *d, const double *b, double *x, double accuracy)
{
  PD_TRY(place(d, b, x));
  const pd_status status = iterates(d) ? pd_krylov_solve(&d->krylov, d->b, d->x, accuracy)
                                       : pd_lu_solve(&d->lu, d->b, d->x);
  PD_TRY(unplace(d));
  return status;
}

static pd_status petsc_solve(pd_linsolver *s, const double *b, double *x, double accuracy)
{
  petsc_data *d = s->data;
  pd_status status = pd_petsc_enter(d->session);
  return status ? status : pd_petsc_leave(solve(d, b, x, accuracy));
}

/* r = b - A x */
static pd_status petsc_residual(pd_linsolver *s, const double *b, const double *x, double *r)
{
  petsc_data *d = s->data;
  pd_status status = pd_petsc_enter(d->session);
  if (status) return status;
  PetscErrorCode code = place(d, x, r);
  if (!code) code = MatMult(d->a, d->b, d->x);
  unplace(d);
  for (int i = 0; i < PD_BS * s->nlocal; i++) r[i] = b[i] - r[i];
  return pd_petsc_leave(code ? pd_petsc_status(code) : PD_OK);
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
  return pd_petsc_begin(s->comm, &d->session);
}

static pd_sharing petsc_sharing(pd_linsolver *s)
{
  const petsc_data *d = s->data;
  PetscInt below = REPLICATE_BELOW;
  PetscBool given = PETSC_FALSE;
  if (pd_petsc_enter(d->session)) return PD_SHARED; /* set_pattern will say why */
  PetscOptionsGetInt(NULL, "polyhedra_", "-replicate_below", &below, &given);
  pd_petsc_leave(PD_OK);
  if (s->nglobal < below) return PD_REPLICATED;
  return !given && s->nglobal < REPLICATE_SMALL_BELOW ? PD_REPLICATED_IF_SMALL : PD_SHARED;
}

static int petsc_has_small_factors(pd_linsolver *s)
{
  const petsc_data *d = s->data;
  return d->lu.own && d->lu.exact;
}

static void petsc_destroy(pd_linsolver *s)
{
  petsc_data *d = s->data;
  if (!d) return;
  petsc_release(s);
  free(d);
}

static const pd_linops petsc_ops = {
    .name = "petsc",
    .prune = 1,
    .refine_above = 1e-11, /* what a direct solver leaves on a tame system: more is worth a step */
    .create = petsc_create,
    .sharing = petsc_sharing,
    .has_small_factors = petsc_has_small_factors,
    .set_pattern = petsc_set_pattern,
    .release = petsc_release,
    .factor = petsc_factor,
    .solve = petsc_solve,
    .residual = petsc_residual,
    .harden = petsc_harden,
    .destroy = petsc_destroy,
};

__attribute__((visibility("default"))) extern const pd_petsc_module pd_petsc_table;

const pd_petsc_module pd_petsc_table = {
    .solver_size = sizeof(pd_linsolver),
    .ops_size = sizeof(pd_linops),
    .ops = &petsc_ops,
    .finalize = pd_petsc_finalize,
};
