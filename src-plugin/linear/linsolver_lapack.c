/* SPDX-License-Identifier: MIT
 * Dense LU with partial pivoting, O(n^3): the reference for the other backends. Always replicated,
 * so that one rank owns all rows here. */
#include <stdlib.h>
#include <string.h>

#include "linear/linsolver_impl.h"

extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
extern void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a,
                    const int *lda, const int *ipiv, double *b, const int *ldb, int *info,
                    size_t trans_length);

typedef struct lapack_data {
  double *values; /* [36 nnz] blocks, row-scaled */
  double *lu;     /* [(6n)^2] column-major factors */
  int *pivot;     /* [6n] */
} lapack_data;

static void free_arrays(lapack_data *d)
{
  free(d->values);
  free(d->lu);
  free(d->pivot);
  *d = (lapack_data){0};
}

static void lapack_destroy(pd_linsolver *s)
{
  if (s->data) free_arrays(s->data);
  free(s->data);
}

static pd_status lapack_create(pd_linsolver *s)
{
  s->data = pd_linsolver_alloc(1, sizeof(lapack_data));
  return s->data ? PD_OK : PD_ENOMEM;
}

static pd_sharing lapack_sharing(pd_linsolver *s)
{
  (void)s;
  return PD_REPLICATED;
}

static pd_status lapack_set_pattern(pd_linsolver *s)
{
  lapack_data *d = s->data;
  size_t n = (size_t)PD_BS * (size_t)s->nglobal, nnz = (size_t)s->rowptr[s->nlocal];
  free_arrays(d);
  d->values = pd_linsolver_alloc(PD_BS2 * nnz, sizeof *d->values);
  d->lu = pd_linsolver_alloc(n * n, sizeof *d->lu);
  d->pivot = pd_linsolver_alloc(n, sizeof *d->pivot);
  s->cost.analyses++;
  return d->values && d->lu && d->pivot ? PD_OK : PD_ENOMEM;
}

static void scale_values(const pd_linsolver *s, const double *values, double *scaled)
{
  for (int i = 0; i < s->nlocal; i++)
    for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
      for (int e = 0; e < PD_BS2; e++)
        scaled[PD_BS2 * (size_t)k + e] =
            s->kept.nonzero[k] ? s->scale[PD_BS * i + e / PD_BS] * pd_block(s, values, k)[e] : 0;
}

/* block (i, j) of the column-major dense matrix */
static void put_block(double *a, size_t n, int i, int j, const double *block)
{
  double *corner = a + n * PD_BS * (size_t)j + PD_BS * (size_t)i;
  for (int r = 0; r < PD_BS; r++)
    for (int c = 0; c < PD_BS; c++) corner[n * (size_t)c + (size_t)r] = block[PD_BS * r + c];
}

static pd_status lapack_factor(pd_linsolver *s, const double *values)
{
  lapack_data *d = s->data;
  int n = PD_BS * s->nglobal, info;
  scale_values(s, values, d->values);
  memset(d->lu, 0, (size_t)n * (size_t)n * sizeof *d->lu);
  for (int i = 0; i < s->nlocal; i++)
    for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
      put_block(d->lu, (size_t)n, i, s->col[k], d->values + PD_BS2 * (size_t)k);
  dgetrf_(&n, &n, d->lu, &n, d->pivot, &info);
  return info ? PD_ESINGULAR : PD_OK;
}

static pd_status lapack_solve(pd_linsolver *s, const double *b, double *x, double accuracy)
{
  (void)accuracy;
  lapack_data *d = s->data;
  int n = PD_BS * s->nglobal, one = 1, info;
  memcpy(x, b, (size_t)n * sizeof *x);
  dgetrs_("N", &n, &one, d->lu, &n, d->pivot, x, &n, &info, 1);
  return PD_OK;
}

/* r -= block * x */
static void subtract_product(const double *block, const double *x, double *r)
{
  for (int i = 0; i < PD_BS; i++)
    for (int j = 0; j < PD_BS; j++) r[i] -= block[PD_BS * i + j] * x[j];
}

static pd_status lapack_residual(pd_linsolver *s, const double *b, const double *x, double *r)
{
  lapack_data *d = s->data;
  for (int i = 0; i < s->nlocal; i++) {
    for (int c = 0; c < PD_BS; c++) r[PD_BS * i + c] = b[PD_BS * i + c];
    for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
      subtract_product(d->values + PD_BS2 * (size_t)k, x + PD_BS * (size_t)s->col[k],
                       r + PD_BS * i);
  }
  return PD_OK;
}

const pd_linops pd_lapack_ops = {
    .name = "lapack",
    .refine_above = 0, /* always: this is the reference */
    .create = lapack_create,
    .sharing = lapack_sharing,
    .has_small_factors = NULL,
    .set_pattern = lapack_set_pattern,
    .factor = lapack_factor,
    .solve = lapack_solve,
    .residual = lapack_residual,
    .harden = NULL,
    .destroy = lapack_destroy,
};
