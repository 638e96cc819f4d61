/* SPDX-License-Identifier: MIT
 * Diagonal blocks of the bodies, which precondition the linear systems of the compatible forces. */
#include "contact_dynamics/compatible_internal.h"

int pd_cd_blocks_take(pd_cd_blocks *b, const pd_cd_truss *t, pd_cd_pool *pool)
{
  b->block = pd_cd_take(pool, 36 * (size_t)t->net->nowned);
  for (int j = 0; j < 6; j++) b->col[j] = pd_cd_take(pool, 6 * (size_t)t->net->nbody);
  return !pool->failed;
}

static void add_column(const pd_cd_operator *op, int width, const double *h, int j, double *col)
{
  for (size_t i = 0; i < 6 * (size_t)op->net->nbody; i++) col[i] = 0.0;
  for (int i = 0; i < op->n; i++) {
    const pd_cd_row *r = &op->row[i];
    for (int c = 0; c < width; c++) {
      if (r->a >= 0) col[6 * (size_t)r->a + c] += h[i] * r->ja[j] * r->ja[c];
      if (r->b >= 0) col[6 * (size_t)r->b + c] += h[i] * r->jb[j] * r->jb[c];
    }
  }
  pd_reverse(op->net->communication, col);
}

/* Cholesky factor in the lower triangle of a block of width n, in place, with the pivots inverted.
 * A pivot lost to rounding belongs to a motion that no contact resists: it is cut off. */
static void factor(int n, double *a)
{
  for (int j = 0; j < n; j++) {
    const double before = a[7 * j];
    double d = before;
    for (int k = 0; k < j; k++) d -= a[6 * j + k] * a[6 * j + k];
    a[7 * j] = d > 1e-14 * before ? 1.0 / sqrt(d) : 0.0;
    for (int i = j + 1; i < n; i++) {
      double s = a[6 * i + j];
      for (int k = 0; k < j; k++) s -= a[6 * i + k] * a[6 * j + k];
      a[6 * i + j] = s * a[7 * j];
    }
  }
}

static void solve_block(int n, const double *a, double *z)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) z[i] -= a[6 * i + k] * z[k];
    z[i] *= a[7 * i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) z[i] -= a[6 * k + i] * z[k];
    z[i] *= a[7 * i];
  }
}

/* replaces a factor by the inverse of its block, whose products do not wait for one another */
static void invert(int n, double *a)
{
  double columns[36] = {0.0};
  for (int j = 0; j < n; j++) {
    columns[7 * j] = 1.0;
    solve_block(n, a, columns + 6 * j);
  }
  for (int i = 0; i < 36; i++) a[i] = columns[i];
}

static inline void apply_block(int n, const double *a, const double *r, double *z)
{
  for (int i = 0; i < n; i++) {
    double s = 0.0;
    for (int k = 0; k < n; k++) s += a[6 * i + k] * r[k];
    z[i] = s;
  }
}

void pd_cd_blocks_make(pd_cd_blocks *b, const pd_cd_truss *t, const double *h, double shift)
{
  for (int j = 0; j < t->width; j++) add_column(&t->op, t->width, h, j, b->col[j]);
  for (int i = 0; i < t->net->nowned; i++) {
    double *a = b->block + 36 * (size_t)i;
    for (int j = 0; j < t->width; j++)
      for (int c = 0; c < t->width; c++)
        a[6 * c + j] = b->col[j][6 * (size_t)i + c] + (c == j ? shift : 0.0);
    factor(t->width, a);
    invert(t->width, a);
  }
}

void pd_cd_blocks_apply(const pd_cd_blocks *b, const pd_cd_truss *t, const double *r, double *z)
{
  const size_t n = (size_t)t->net->nowned;
  for (size_t i = 0; i < n; i++)
    if (t->width == 3)
      apply_block(3, b->block + 36 * i, r + 6 * i, z + 6 * i);
    else
      apply_block(6, b->block + 36 * i, r + 6 * i, z + 6 * i);
}
