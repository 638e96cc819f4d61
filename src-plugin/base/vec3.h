/* SPDX-License-Identifier: MIT
 * Vectors and 3x3 matrices by value. */
#ifndef PD_VEC3_H
#define PD_VEC3_H

#include "base/status.h"

#define PD_PI 3.14159265358979323846 /* half turn, rad */

typedef struct pd_vec3 {
  double x, y, z;
} pd_vec3;

/* row-major: m[row][column] */
typedef struct pd_mat3 {
  double m[3][3];
} pd_mat3;

PD_KERNEL pd_vec3 pd_v(double x, double y, double z)
{
  pd_vec3 a;
  a.x = x;
  a.y = y;
  a.z = z;
  return a;
}

PD_KERNEL pd_vec3 pd_v_load(const double *p) { return pd_v(p[0], p[1], p[2]); }

PD_KERNEL void pd_v_store(double *p, pd_vec3 a)
{
  p[0] = a.x;
  p[1] = a.y;
  p[2] = a.z;
}

PD_KERNEL pd_vec3 pd_add(pd_vec3 a, pd_vec3 b) { return pd_v(a.x + b.x, a.y + b.y, a.z + b.z); }
PD_KERNEL pd_vec3 pd_sub(pd_vec3 a, pd_vec3 b) { return pd_v(a.x - b.x, a.y - b.y, a.z - b.z); }
PD_KERNEL pd_vec3 pd_neg(pd_vec3 a) { return pd_v(-a.x, -a.y, -a.z); }
PD_KERNEL pd_vec3 pd_scale(double s, pd_vec3 a) { return pd_v(s * a.x, s * a.y, s * a.z); }

/* a + s b */
PD_KERNEL pd_vec3 pd_axpy(pd_vec3 a, double s, pd_vec3 b)
{
  return pd_v(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

PD_KERNEL double pd_dot(pd_vec3 a, pd_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

PD_KERNEL pd_vec3 pd_cross(pd_vec3 a, pd_vec3 b)
{
  return pd_v(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

PD_KERNEL double pd_norm2(pd_vec3 a) { return pd_dot(a, a); }
PD_KERNEL double pd_norm(pd_vec3 a) { return sqrt(pd_norm2(a)); }

/* unit vector; zero stays zero */
PD_KERNEL pd_vec3 pd_unit(pd_vec3 a)
{
  const double n = pd_norm(a);
  return n > 0.0 ? pd_scale(1.0 / n, a) : a;
}

/* component of an axis, 0 to 2, and the axis of the largest one, the first of equal ones */
PD_KERNEL double pd_component(pd_vec3 a, int axis)
{
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

PD_KERNEL int pd_longest_axis(pd_vec3 a)
{
  return a.x >= a.y && a.x >= a.z ? 0 : a.y >= a.z ? 1 : 2;
}

/* componentwise; plain comparisons, since fmin is a library call with rules for NaN */
PD_KERNEL pd_vec3 pd_min(pd_vec3 a, pd_vec3 b)
{
  return pd_v(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

PD_KERNEL pd_vec3 pd_max(pd_vec3 a, pd_vec3 b)
{
  return pd_v(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

PD_KERNEL pd_mat3 pd_m_zero(void)
{
  pd_mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = 0.0;
  return c;
}

PD_KERNEL pd_mat3 pd_m_diag(pd_vec3 d)
{
  pd_mat3 c = pd_m_zero();
  c.m[0][0] = d.x;
  c.m[1][1] = d.y;
  c.m[2][2] = d.z;
  return c;
}

PD_KERNEL pd_mat3 pd_m_identity(void) { return pd_m_diag(pd_v(1.0, 1.0, 1.0)); }

PD_KERNEL double pd_m_trace(pd_mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

/* skew(a) b = a x b */
PD_KERNEL pd_mat3 pd_skew(pd_vec3 a)
{
  pd_mat3 c = pd_m_zero();
  c.m[0][1] = -a.z;
  c.m[0][2] = a.y;
  c.m[1][0] = a.z;
  c.m[1][2] = -a.x;
  c.m[2][0] = -a.y;
  c.m[2][1] = a.x;
  return c;
}

/* a b^T */
PD_KERNEL pd_mat3 pd_outer(pd_vec3 a, pd_vec3 b)
{
  const double p[3] = {a.x, a.y, a.z}, q[3] = {b.x, b.y, b.z};
  pd_mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = p[i] * q[j];
  return c;
}

PD_KERNEL pd_mat3 pd_m_add(pd_mat3 a, pd_mat3 b)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a.m[i][j] += b.m[i][j];
  return a;
}

PD_KERNEL pd_mat3 pd_m_scale(double s, pd_mat3 a)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a.m[i][j] *= s;
  return a;
}

/* absolute values: what a matrix makes of half a box is no larger than what they make of it */
PD_KERNEL pd_mat3 pd_m_abs(pd_mat3 a)
{
  for (int i = 0; i < 9; i++) a.m[i / 3][i % 3] = fabs(a.m[i / 3][i % 3]);
  return a;
}

PD_KERNEL pd_mat3 pd_m_transpose(pd_mat3 a)
{
  pd_mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = a.m[j][i];
  return c;
}

PD_KERNEL pd_mat3 pd_m_mul(pd_mat3 a, pd_mat3 b)
{
  pd_mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
  return c;
}

/* A skew(b) */
PD_KERNEL pd_mat3 pd_m_mul_skew(pd_mat3 a, pd_vec3 b)
{
  for (int i = 0; i < 3; i++) pd_v_store(a.m[i], pd_cross(pd_v_load(a.m[i]), b));
  return a;
}

/* skew(a) B */
PD_KERNEL pd_mat3 pd_skew_mul(pd_vec3 a, pd_mat3 b)
{
  pd_mat3 c;
  for (int j = 0; j < 3; j++) {
    c.m[0][j] = a.y * b.m[2][j] - a.z * b.m[1][j];
    c.m[1][j] = a.z * b.m[0][j] - a.x * b.m[2][j];
    c.m[2][j] = a.x * b.m[1][j] - a.y * b.m[0][j];
  }
  return c;
}

/* an order of places: by z, then y, then x */
PD_KERNEL int pd_lies_before(pd_vec3 a, pd_vec3 b)
{
  if (a.z != b.z) return a.z < b.z;
  return a.y != b.y ? a.y < b.y : a.x < b.x;
}

/* A b */
PD_KERNEL pd_vec3 pd_mv(pd_mat3 a, pd_vec3 b)
{
  return pd_v(a.m[0][0] * b.x + a.m[0][1] * b.y + a.m[0][2] * b.z,
              a.m[1][0] * b.x + a.m[1][1] * b.y + a.m[1][2] * b.z,
              a.m[2][0] * b.x + a.m[2][1] * b.y + a.m[2][2] * b.z);
}

/* A^T b */
PD_KERNEL pd_vec3 pd_mtv(pd_mat3 a, pd_vec3 b)
{
  return pd_v(a.m[0][0] * b.x + a.m[1][0] * b.y + a.m[2][0] * b.z,
              a.m[0][1] * b.x + a.m[1][1] * b.y + a.m[2][1] * b.z,
              a.m[0][2] * b.x + a.m[1][2] * b.y + a.m[2][2] * b.z);
}

#endif
