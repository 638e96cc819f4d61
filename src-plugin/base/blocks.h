/* SPDX-License-Identifier: MIT
 * Small dense blocks of a pair's 12 generalised coordinates q = (u_A, spin_A, u_B, spin_B):
 * rows of 12, derivatives of vectors (3 x 12), tangents (12 x 12). */
#ifndef PD_BLOCKS_H
#define PD_BLOCKS_H

#include "base/vec3.h"

/* what the pointer points to is reached by no other one, so that loops over it are vectorised */
#ifdef __cplusplus
#define PD_RESTRICT __restrict__
#else
#define PD_RESTRICT restrict
#endif

PD_KERNEL double pd_dot12(const double *a, const double *b)
{
  double s = 0.0;
  for (int i = 0; i < 12; i++) s += a[i] * b[i];
  return s;
}

/* ---- 3 x 12: derivative of a vector by q ---- */

typedef struct pd_grad {
  double m[3][12];
} pd_grad;

PD_KERNEL pd_grad pd_g_zero(void)
{
  pd_grad g;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) g.m[i][j] = 0.0;
  return g;
}

/* g += s M at column block col (0, 3, 6 or 9) */
PD_KERNEL void pd_g_add_block(pd_grad *g, int col, double s, pd_mat3 m)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) g->m[i][col + j] += s * m.m[i][j];
}

/* g += s a row^T */
PD_KERNEL void pd_g_rank1(pd_grad *PD_RESTRICT g, double s, pd_vec3 a,
                          const double *PD_RESTRICT row)
{
  const double c[3] = {s * a.x, s * a.y, s * a.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) g->m[i][j] += c[i] * row[j];
}

/* g = a row^T + s h */
PD_KERNEL void pd_g_product(pd_grad *PD_RESTRICT g, pd_vec3 a, const double *PD_RESTRICT row,
                            double s, const pd_grad *PD_RESTRICT h)
{
  const double c[3] = {a.x, a.y, a.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) g->m[i][j] = c[i] * row[j] + s * h->m[i][j];
}

/* g = M h */
PD_KERNEL void pd_g_mul(pd_grad *PD_RESTRICT g, pd_mat3 m, const pd_grad *PD_RESTRICT h)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++)
      g->m[i][j] = m.m[i][0] * h->m[0][j] + m.m[i][1] * h->m[1][j] + m.m[i][2] * h->m[2][j];
}

/* g += M h */
PD_KERNEL void pd_g_add_mul(pd_grad *PD_RESTRICT g, pd_mat3 m, const pd_grad *PD_RESTRICT h)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++)
      g->m[i][j] += m.m[i][0] * h->m[0][j] + m.m[i][1] * h->m[1][j] + m.m[i][2] * h->m[2][j];
}

/* row = a^T g */
PD_KERNEL void pd_g_row(const pd_grad *PD_RESTRICT g, pd_vec3 a, double *PD_RESTRICT row)
{
  for (int j = 0; j < 12; j++) row[j] = a.x * g->m[0][j] + a.y * g->m[1][j] + a.z * g->m[2][j];
}

/* g *= s */
PD_KERNEL void pd_g_scale(pd_grad *g, double s)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) g->m[i][j] *= s;
}

/* g += s h */
PD_KERNEL void pd_g_axpy(pd_grad *PD_RESTRICT g, double s, const pd_grad *PD_RESTRICT h)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) g->m[i][j] += s * h->m[i][j];
}

/* ---- 12 x 12 ---- */

PD_KERNEL void pd_k_clear(double (*k)[12], int rows)
{
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < 12; j++) k[i][j] = 0.0;
}

/* k += s g, of three rows k */
PD_KERNEL void pd_k_add_rows(double (*PD_RESTRICT k)[12], double s, const pd_grad *PD_RESTRICT g)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) k[i][j] += s * g->m[i][j];
}

/* k += skew(a) g, of three rows k */
PD_KERNEL void pd_k_add_moment_rows(double (*PD_RESTRICT k)[12], pd_vec3 a,
                                    const pd_grad *PD_RESTRICT g)
{
  for (int j = 0; j < 12; j++) {
    k[0][j] += a.y * g->m[2][j] - a.z * g->m[1][j];
    k[1][j] += a.z * g->m[0][j] - a.x * g->m[2][j];
    k[2][j] += a.x * g->m[1][j] - a.y * g->m[0][j];
  }
}

/* k += s M at the block (row, col) */
PD_KERNEL void pd_k_add_block(double (*k)[12], int row, int col, double s, pd_mat3 m)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) k[row + i][col + j] += s * m.m[i][j];
}

/* k += s a b^T */
PD_KERNEL void pd_k_rank1(double (*PD_RESTRICT k)[12], double s, const double *PD_RESTRICT a,
                          const double *PD_RESTRICT b)
{
  for (int i = 0; i < 12; i++) {
    const double sa = s * a[i];
    for (int j = 0; j < 12; j++) k[i][j] += sa * b[j];
  }
}

/* k += M g, of three rows k */
PD_KERNEL void pd_k_add_mul_rows(double (*PD_RESTRICT k)[12], pd_mat3 m,
                                 const pd_grad *PD_RESTRICT g)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++)
      k[i][j] += m.m[i][0] * g->m[0][j] + m.m[i][1] * g->m[1][j] + m.m[i][2] * g->m[2][j];
}

/* k += a row^T, of three rows k */
PD_KERNEL void pd_k_add_rows_rank1(double (*PD_RESTRICT k)[12], pd_vec3 a,
                                   const double *PD_RESTRICT row)
{
  for (int j = 0; j < 12; j++) {
    k[0][j] += a.x * row[j];
    k[1][j] += a.y * row[j];
    k[2][j] += a.z * row[j];
  }
}

/* k += s (x e^T + e x^T), e zero but for three entries from at on */
PD_KERNEL void pd_k_rank2(double (*k)[12], double s, const double *x, int at, pd_vec3 e)
{
  const double v[3] = {s * e.x, s * e.y, s * e.z};
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 3; j++) {
      k[i][at + j] += x[i] * v[j];
      k[at + j][i] += x[i] * v[j];
    }
}

#endif
