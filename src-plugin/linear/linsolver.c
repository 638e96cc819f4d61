/* SPDX-License-Identifier: MIT
 * Front end of the linear solver: checks, row scaling, refinement, acceptance, cost. */
#include "linear/linsolver.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "linear/linsolver_impl.h"
#include "linear/petsc_module.h"

/* what a direct solution may leave as residual, and how far refinement may still move it */
static const double accept_residual = 1e-6, accept_step = 0.1;

/* what an iterative method is asked for at once, relative to what is to be solved: the step of
 * refinement squares it */
static const double iterate_to = 1e-7;

/* "auto" takes the dense solver up to this many bodies */
enum { AUTO_LAPACK_BODIES = 8 };

/* Blocks that have been kept from earlier matrices are worth their place as long as there are not
 * more of all than this many times those of the present one. */
static const double most_kept = 1.5;

/* OpenBLAS wakes its threads for fronts far too small to gain from them, and spins; where the host
 * uses that library it is held to one thread during our calls. Absent otherwise. */
extern void openblas_set_num_threads(int) __attribute__((weak));
extern int openblas_get_num_threads(void) __attribute__((weak));

static int blas_quiet(void)
{
  if (!openblas_set_num_threads || !openblas_get_num_threads) return 1;
  int threads = openblas_get_num_threads();
  if (threads > 1) openblas_set_num_threads(1);
  return threads;
}

static void blas_restore(int threads)
{
  if (threads > 1) openblas_set_num_threads(threads);
}

/* ---- creation ---- */

static pd_status find_backend(const char *name, const pd_linops **ops)
{
  *ops = NULL;
  if (!strcmp(name, "petsc")) return pd_petsc_load(ops);
  if (strcmp(name, "lapack") != 0) return PD_EUSER;
  *ops = &pd_lapack_ops;
  return PD_OK;
}

static void close_backend(pd_linsolver *s)
{
  pd_gather_free(s);
  if (s->ops) s->ops->destroy(s);
  s->ops = NULL;
  s->data = NULL;
}

static pd_status open_backend(pd_linsolver *s, const char *name)
{
  if (s->ops && !strcmp(name, s->ops->name)) return PD_OK;
  const pd_linops *ops;
  pd_status status = pd_linsolver_agree(s, find_backend(name, &ops));
  if (status) return status;
  close_backend(s);
  s->ops = ops;
  s->direct = 1;
  s->loose = 0;
  /* there is one where all ranks agree on PD_OK, unseen by the analyser:
   * NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
  status = pd_linsolver_agree(s, ops->create(s));
  if (status) close_backend(s);
  return status;
}

pd_status pd_linsolver_create(const char *backend, MPI_Comm comm, pd_linsolver **solver)
{
  *solver = NULL;
  pd_linsolver *s = pd_linsolver_alloc(1, sizeof *s);
  if (!s) return PD_ENOMEM;
  s->automatic = !strcmp(backend, "auto");
  s->prune = 1;
  s->comm = comm;
  MPI_Comm_rank(comm, &s->rank);
  MPI_Comm_size(comm, &s->size);
  pd_status status = s->automatic ? PD_OK : open_backend(s, backend);
  if (status)
    pd_linsolver_destroy(s);
  else
    *solver = s;
  return status;
}

static void free_pattern(pd_linsolver *s)
{
  pd_kept_free(s);
  free(s->rowptr);
  free(s->col);
  free(s->scale);
  s->rowptr = s->col = NULL;
  s->scale = s->b = s->r = s->dx = NULL;
  s->has_pattern = s->ready = s->passed = 0;
}

void pd_linsolver_destroy(pd_linsolver *s)
{
  if (!s) return;
  close_backend(s);
  free_pattern(s);
  free(s);
}

void pd_linsolver_finalize(void) { pd_petsc_module_finalize(); }

pd_linsolver_fault pd_linsolver_fault_get(void) { return pd_petsc_fault(); }

const char *pd_linsolver_name(const pd_linsolver *s) { return s->ops ? s->ops->name : "auto"; }

pd_linsolver_cost pd_linsolver_cost_get(const pd_linsolver *s)
{
  pd_linsolver_cost cost = s->cost;
  pd_gather_add_cost(s, &cost);
  return cost;
}

void pd_linsolver_use_loops(pd_linsolver *s, pd_loops loops) { s->loops = loops; }

/* ---- pattern ---- */

static int row_is_valid(const int *col, int n, int diagonal, int nglobal)
{
  int has_diagonal = 0;
  for (int k = 0; k < n; k++) {
    if (col[k] < 0 || col[k] >= nglobal || (k && col[k] <= col[k - 1])) return 0;
    has_diagonal |= col[k] == diagonal;
  }
  return has_diagonal;
}

static pd_status check_pattern(const int *rowptr, const int *col, int nlocal, int first,
                               int nglobal)
{
  if (nlocal && rowptr[0] != 0) return PD_ERANGE;
  for (int i = 0; i < nlocal; i++) {
    if (rowptr[i + 1] <= rowptr[i]) return PD_ERANGE;
    if (!row_is_valid(col + rowptr[i], rowptr[i + 1] - rowptr[i], first + i, nglobal))
      return PD_ERANGE;
  }
  return PD_OK;
}

/* number of the first owned block row; an error if the rows of all ranks do not add up */
static pd_status number_rows(const pd_linsolver *s, int nlocal, long nglobal, int *first)
{
  long mine = nlocal, before = 0, all = nlocal;
  if (s->size > 1) {
    MPI_Exscan(&mine, &before, 1, MPI_LONG, MPI_SUM, s->comm);
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, s->comm);
  }
  if (s->rank == 0) before = 0;
  *first = (int)before;
  return all == nglobal && nlocal >= 0 && nglobal <= INT_MAX / PD_BS ? PD_OK : PD_ERANGE;
}

static pd_status copy_pattern(pd_linsolver *s, const int *rowptr, const int *col)
{
  size_t n = (size_t)s->nlocal, nnz = n ? (size_t)rowptr[n] : 0;
  s->rowptr = pd_linsolver_alloc(n + 1, sizeof *s->rowptr);
  s->col = pd_linsolver_alloc(nnz, sizeof *s->col);
  s->scale = pd_linsolver_alloc(4 * PD_BS * n, sizeof *s->scale);
  if (!s->rowptr || !s->col || !s->scale) return PD_ENOMEM;
  s->b = s->scale + PD_BS * n;
  s->r = s->b + PD_BS * n;
  s->dx = s->r + PD_BS * n;
  if (n) memcpy(s->rowptr, rowptr, (n + 1) * sizeof *rowptr);
  if (nnz) memcpy(s->col, col, nnz * sizeof *col);
  return pd_kept_create(s);
}

static const char *choose_backend(const pd_linsolver *s)
{
  if (!s->automatic) return s->ops->name;
  return s->nglobal <= AUTO_LAPACK_BODIES ? "lapack" : "petsc";
}

/* The kept blocks to a solver of the whole system on every rank. Where its factors turn out not to
 * be small, though they should be, *small is 0. */
static pd_status replicate_pattern(pd_linsolver *s, pd_sharing how, int *small)
{
  pd_status status = pd_linsolver_agree(s, pd_gather_set_pattern(s));
  *small = status || how == PD_REPLICATED || pd_gather_has_small_factors(s);
  if (!*small) pd_gather_free(s);
  return status;
}

/* the kept blocks to whoever is going to solve */
static pd_status pass_pattern(pd_linsolver *s)
{
  const pd_sharing how = s->size > 1 ? s->ops->sharing(s) : PD_SHARED;
  pd_status status = PD_OK;
  s->replicated = 0;
  if (how != PD_SHARED) status = replicate_pattern(s, how, &s->replicated);
  if (!s->replicated) status = pd_linsolver_agree(s, s->ops->set_pattern(s));
  s->passed = !status;
  return status;
}

static pd_status install_pattern(pd_linsolver *s, const int *rowptr, const int *col)
{
  pd_status status = pd_linsolver_agree(s, copy_pattern(s, rowptr, col));
  if (!status) status = open_backend(s, choose_backend(s));
  if (status || !s->nglobal) return status;
  if (s->ops->prune && s->prune) return PD_OK; /* the first matrix will tell */
  pd_keep_all(s);
  return pass_pattern(s);
}

pd_status pd_linsolver_set_pattern(pd_linsolver *s, int nlocal, long nglobal, const int *rowptr,
                                   const int *col)
{
  double start = MPI_Wtime();
  free_pattern(s);
  pd_status status = number_rows(s, nlocal, nglobal, &s->first);
  if (!status) status = check_pattern(rowptr, col, nlocal, s->first, (int)nglobal);
  status = pd_linsolver_agree(s, status);
  if (!status) {
    s->nlocal = nlocal;
    s->nglobal = (int)nglobal;
    status = install_pattern(s, rowptr, col);
  }
  if (status) free_pattern(s);
  s->has_pattern = !status;
  s->cost.patterns++;
  s->cost.pattern_time += MPI_Wtime() - start;
  return status;
}

void pd_linsolver_release(pd_linsolver *s)
{
  if (!s->has_pattern || !s->passed || !s->ops->release) return;
  pd_gather_free(s);
  s->ops->release(s);
  s->passed = s->ready = 0;
}

/* ---- factorisation ---- */

/* largest magnitude in one scalar row of a block; NaN and infinity survive in the sum */
static double row_max(const double *row, double *sum)
{
  double top = 0;
  for (int c = 0; c < PD_BS; c++) {
    double a = fabs(row[c]);
    *sum += a * 0;
    if (a > top) top = a;
  }
  return top;
}

/* Row equilibration of one block row from its live blocks. A power of two changes no digit of the
 * matrix; subnormal rows count as zero because their reciprocal overflows. A row that is zero or
 * not finite gets the scale 0. */
static void scale_row(pd_linsolver *s, int i, const double *values)
{
  double top[PD_BS] = {0}, poison = 0;
  for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
    for (int r = 0; r < PD_BS && s->kept.nonzero[k]; r++)
      top[r] = fmax(top[r], row_max(pd_block(s, values, k) + PD_BS * r, &poison));
  for (int r = 0; r < PD_BS; r++) {
    const int good = poison == 0 && top[r] >= DBL_MIN;
    s->scale[PD_BS * i + r] = good ? scalbn(1, -ilogb(top[r])) : 0;
  }
}

/* a matrix on its way in */
typedef struct input {
  pd_linsolver *s;
  const double *values;
} input;

static void look_at_rows(void *arg, int begin, int end, int thread)
{
  const input *in = arg;
  (void)thread;
  for (int i = begin; i < end; i++) {
    pd_find_live(in->s, i, in->values);
    scale_row(in->s, i, in->values);
  }
}

static int rows_are_good(const pd_linsolver *s)
{
  int good = 1;
  for (int i = 0; i < PD_BS * s->nlocal; i++) good &= s->scale[i] > 0;
  return good;
}

/* Scales the rows. The kept blocks follow the matrix: more where one is missing, a new choice where
 * there have come to be too many. */
static pd_status prepare(pd_linsolver *s, const double *values)
{
  enum { BAD, LIVE, MISSING, KEPT, N };
  long sum[N] = {0};
  input in = {s, values};
  pd_loop(&s->loops, s->nlocal, PD_ROWS, look_at_rows, &in);
  if (s->ops->prune && s->prune) sum[LIVE] = pd_count_live(s, &sum[MISSING]);
  sum[KEPT] = s->kept.blocks;
  sum[BAD] = !rows_are_good(s);
  if (s->size > 1) MPI_Allreduce(MPI_IN_PLACE, sum, N, MPI_LONG, MPI_SUM, s->comm);
  if (sum[BAD]) return PD_ESINGULAR;
  const int many = (double)(sum[KEPT] + sum[MISSING]) > most_kept * (double)sum[LIVE];
  if (!sum[LIVE]) return PD_OK;
  if (sum[MISSING] || many)
    pd_keep_live(s, !many);
  else if (s->passed)
    return PD_OK;
  const pd_status status = pass_pattern(s);
  if (status) pd_keep_none(s);
  return status;
}

static pd_status factor(pd_linsolver *s, const double *values)
{
  if (!s->has_pattern) return PD_EUSER;
  if (!s->nglobal) return PD_OK;
  pd_status status = prepare(s, values);
  if (status) return status;
  return pd_linsolver_agree(s, s->replicated ? pd_gather_factor(s, values)
                                             : s->ops->factor(s, values));
}

pd_status pd_linsolver_factor(pd_linsolver *s, const double *values, const int *place)
{
  double start = MPI_Wtime();
  int threads = blas_quiet();
  s->place = place;
  pd_status status = factor(s, values);
  s->place = NULL;
  blas_restore(threads);
  s->ready = !status;
  s->cost.factorisations++;
  s->cost.factor_time += MPI_Wtime() - start;
  return status;
}

/* ---- solution ---- */

static double square(int n, const double *a)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  return sum;
}

/* how good a solution is; both are NaN or infinite if x is not finite */
typedef struct quality {
  double residual; /* over the right-hand side, in the 2-norm of the scaled rows */
  double step;     /* the last step of refinement over the solution, 2-norm; 0 without one */
} quality;

/* sqrt(a / b) where 0 / 0 is 0; a NaN stays one */
static double ratio_of(double a, double b) { return a > 0 ? sqrt(a / b) : a; }

/* judges x, reached by the step dx (NULL: none); every rank gets the same answer */
static pd_status check_convergence(pd_linsolver *s, const double *x, const double *dx, quality *q)
{
  int n = PD_BS * s->nlocal;
  const pd_status status = pd_linsolver_agree(s, s->ops->residual(s, s->b, x, s->r));
  double mine[4] = {square(n, s->r), square(n, s->b), dx ? square(n, dx) : 0, square(n, x)}, all[4];
  memcpy(all, mine, sizeof all);
  if (s->size > 1) MPI_Allreduce(mine, all, 4, MPI_DOUBLE, MPI_SUM, s->comm);
  double poison = all[3] * 0;
  q->residual = ratio_of(all[0], all[1]) + poison;
  q->step = ratio_of(all[2], all[3]) + poison;
  return status;
}

/* solves for the right-hand side b; every rank gets the same answer */
static pd_status solve_for(pd_linsolver *s, const double *b, double *x, double accuracy)
{
  return pd_linsolver_agree(s, s->ops->solve(s, b, x, fmax(iterate_to, accuracy)));
}

/* one step of iterative refinement of x, undone if it makes matters worse */
static pd_status refine(pd_linsolver *s, double *x, double accuracy, quality *q)
{
  int n = PD_BS * s->nlocal;
  double before = q->residual;
  pd_status status = solve_for(s, s->r, s->dx, 0.5 * accuracy / before);
  if (status) return status;
  for (int i = 0; i < n; i++) x[i] += s->dx[i];
  status = check_convergence(s, x, s->dx, q);
  s->cost.refinements++;
  if (q->residual <= before) return status;
  for (int i = 0; i < n; i++) x[i] -= s->dx[i];
  q->residual = before;
  return status;
}

/* Rounding leaves a small residual even in a singular system, but refinement gives it away: it
 * repeats the null vector, a step as long as the solution itself, where a step should be about
 * condition x 1e-16 of it. An iterative method has its own test of convergence. */
static int acceptable(const pd_linsolver *s, double accuracy, quality q)
{
  if (!s->direct) return isfinite(q.residual);
  return q.residual <= fmax(accept_residual, 2 * accuracy) && q.step <= accept_step;
}

static pd_status attempt(pd_linsolver *s, double *x, double wanted)
{
  quality q;
  const double accuracy = s->loose ? wanted : 0;
  const double enough = fmax(s->ops->refine_above, 2 * accuracy);
  pd_status status = solve_for(s, s->b, x, accuracy);
  if (!status) status = check_convergence(s, x, NULL, &q);
  if (!status && s->direct && q.residual > enough && isfinite(q.residual))
    status = refine(s, x, accuracy, &q);
  if (status) return status;
  return acceptable(s, accuracy, q) ? PD_OK : PD_ESINGULAR;
}

static pd_status solve(pd_linsolver *s, const double *rhs, double *x, double accuracy)
{
  if (!s->has_pattern) return PD_EUSER;
  if (!s->nglobal) return PD_OK;
  if (!s->ready) return PD_ESINGULAR;
  if (s->replicated) return pd_linsolver_agree(s, pd_gather_solve(s, rhs, x, accuracy));
  for (int i = 0; i < PD_BS * s->nlocal; i++) s->b[i] = s->scale[i] * rhs[i];
  pd_status status = attempt(s, x, accuracy);
  if (status != PD_ESINGULAR || !s->ops->harden) return status;
  status = pd_linsolver_agree(s, s->ops->harden(s));
  return status ? PD_ESINGULAR : attempt(s, x, accuracy);
}

pd_status pd_linsolver_solve(pd_linsolver *s, const double *rhs, double *x, double accuracy)
{
  double start = MPI_Wtime();
  int threads = blas_quiet();
  pd_status status = solve(s, rhs, x, accuracy);
  blas_restore(threads);
  s->cost.solves++;
  s->cost.solve_time += MPI_Wtime() - start;
  return status;
}
