/* SPDX-License-Identifier: MIT
 * Rotations: unit quaternions hold the state, Rodrigues vectors are the unknowns of a step.
 * Equation numbers: Gay Neto & Wriggers, Discrete element model for general polyhedra (2021). */
#ifndef PD_ROTATION_H
#define PD_ROTATION_H

#include "base/vec3.h"

/* unit quaternion w + (x, y, z), the order LAMMPS uses */
typedef struct pd_quat {
  double w, x, y, z;
} pd_quat;

PD_KERNEL pd_quat pd_q(double w, double x, double y, double z)
{
  pd_quat q;
  q.w = w;
  q.x = x;
  q.y = y;
  q.z = z;
  return q;
}

PD_KERNEL pd_quat pd_q_normalize(pd_quat q)
{
  const double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return pd_q(s * q.w, s * q.x, s * q.y, s * q.z);
}

/* composition: rotate by b, then by a */
PD_KERNEL pd_quat pd_q_mul(pd_quat a, pd_quat b)
{
  return pd_q(
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

PD_KERNEL pd_quat pd_q_conj(pd_quat q) { return pd_q(q.w, -q.x, -q.y, -q.z); }

/* rotation matrix of a unit quaternion */
PD_KERNEL pd_mat3 pd_q_matrix(pd_quat q)
{
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  pd_mat3 r;
  r.m[0][0] = 1.0 - 2.0 * (yy + zz);
  r.m[0][1] = 2.0 * (xy - wz);
  r.m[0][2] = 2.0 * (xz + wy);
  r.m[1][0] = 2.0 * (xy + wz);
  r.m[1][1] = 1.0 - 2.0 * (xx + zz);
  r.m[1][2] = 2.0 * (yz - wx);
  r.m[2][0] = 2.0 * (xz - wy);
  r.m[2][1] = 2.0 * (yz + wx);
  r.m[2][2] = 1.0 - 2.0 * (xx + yy);
  return r;
}

/* unit quaternion of a rotation matrix; picks the largest component, so never divides by a small
 * one */
PD_KERNEL pd_quat pd_q_from_matrix(pd_mat3 r)
{
  const double t[4] = {
      1.0 + r.m[0][0] + r.m[1][1] + r.m[2][2], 1.0 + r.m[0][0] - r.m[1][1] - r.m[2][2],
      1.0 - r.m[0][0] + r.m[1][1] - r.m[2][2], 1.0 - r.m[0][0] - r.m[1][1] + r.m[2][2]};
  int k = 0;
  for (int i = 1; i < 4; i++)
    if (t[i] > t[k]) k = i;
  const double a = r.m[2][1] - r.m[1][2], b = r.m[0][2] - r.m[2][0], c = r.m[1][0] - r.m[0][1];
  const double d = r.m[0][1] + r.m[1][0], e = r.m[0][2] + r.m[2][0], f = r.m[1][2] + r.m[2][1];
  pd_quat q;
  if (k == 0)
    q = pd_q(t[0], a, b, c);
  else if (k == 1)
    q = pd_q(a, t[1], d, e);
  else if (k == 2)
    q = pd_q(b, d, t[2], f);
  else
    q = pd_q(c, e, f, t[3]);
  return pd_q_normalize(q);
}

/* rotation tensor of the Rodrigues vector alpha, |alpha| = 2 tan(theta/2): eq. (6), where the
 * square of the skew tensor is alpha alpha^T - |alpha|^2 I */
PD_KERNEL pd_mat3 pd_rodrigues(pd_vec3 alpha)
{
  const double s = 4.0 / (4.0 + pd_norm2(alpha)), x = alpha.x, y = alpha.y, z = alpha.z;
  const pd_vec3 half = pd_scale(0.5 * s, alpha), all = pd_scale(s, alpha);
  const double xy = half.x * y, yz = half.y * z, zx = half.z * x;
  const double xx = half.x * x, yy = half.y * y, zz = half.z * z;
  const pd_mat3 q = {{{1.0 - (yy + zz), xy - all.z, zx + all.y},
                      {xy + all.z, 1.0 - (zz + xx), yz - all.x},
                      {zx - all.y, yz + all.x, 1.0 - (xx + yy)}}};
  return q;
}

/* quaternion of the Rodrigues vector alpha */
PD_KERNEL pd_quat pd_rodrigues_quat(pd_vec3 alpha)
{
  return pd_q_normalize(pd_q(1.0, 0.5 * alpha.x, 0.5 * alpha.y, 0.5 * alpha.z));
}

/* operator Xi, eq. (9): the spin (world frame) of a change d of alpha is Xi d; omega = Xi alpha',
 * eq. (8) */
PD_KERNEL pd_mat3 pd_xi(pd_vec3 alpha)
{
  const double s = 4.0 / (4.0 + pd_norm2(alpha));
  return pd_m_scale(s, pd_m_add(pd_m_identity(), pd_m_scale(0.5, pd_skew(alpha))));
}

/* inverse of Xi, change of alpha by a spin: I - skew(alpha)/2 + alpha alpha^T/4 */
PD_KERNEL pd_mat3 pd_xi_inverse(pd_vec3 alpha)
{
  const pd_vec3 h = pd_scale(0.5, alpha);
  const double xy = h.x * h.y, yz = h.y * h.z, zx = h.z * h.x;
  const pd_mat3 inv = {{{1.0 + h.x * h.x, xy + h.z, zx - h.y},
                        {xy - h.z, 1.0 + h.y * h.y, yz + h.x},
                        {zx + h.y, yz - h.x, 1.0 + h.z * h.z}}};
  return inv;
}

/* Rodrigues vector of half the rotation of alpha, and its derivative by alpha */
PD_KERNEL pd_vec3 pd_half_rotation(pd_vec3 alpha)
{
  return pd_scale(1.0 / (1.0 + sqrt(1.0 + 0.25 * pd_norm2(alpha))), alpha);
}

PD_KERNEL pd_mat3 pd_half_rotation_slope(pd_vec3 alpha)
{
  const double s = sqrt(1.0 + 0.25 * pd_norm2(alpha)), c = 1.0 / (1.0 + s);
  return pd_m_add(pd_m_scale(c, pd_m_identity()),
                  pd_m_scale(-0.25 * c * c / s, pd_outer(alpha, alpha)));
}

/* Rodrigues vector of the rotation without twist that takes the unit vector a to b, and its
 * derivative by b */
PD_KERNEL pd_vec3 pd_swing(pd_vec3 a, pd_vec3 b)
{
  return pd_scale(2.0 / (1.0 + pd_dot(a, b)), pd_cross(a, b));
}

PD_KERNEL pd_mat3 pd_swing_slope(pd_vec3 a, pd_vec3 b)
{
  const double c = 1.0 / (1.0 + pd_dot(a, b));
  return pd_m_add(pd_m_scale(2.0 * c, pd_skew(a)), pd_m_scale(-c, pd_outer(pd_swing(a, b), a)));
}

/* No point turns by more between two rotations than this times its distance from the axis: twice
 * the sine of half the angle, |R - S|_F / sqrt 2. */
PD_KERNEL double pd_turn_between(const pd_mat3 *r, const pd_mat3 *s)
{
  double turn2 = 0.0;
  for (int i = 0; i < 9; i++) {
    const double d = r->m[i / 3][i % 3] - s->m[i / 3][i % 3];
    turn2 += d * d;
  }
  return sqrt(0.5 * turn2);
}

/* R diag(d) R^T: the inertia tensor in the world frame from its principal values, eq. (15) */
PD_KERNEL pd_mat3 pd_rotate_diag(pd_mat3 r, pd_vec3 d)
{
  pd_mat3 s = r;
  for (int i = 0; i < 3; i++) {
    s.m[i][0] *= d.x;
    s.m[i][1] *= d.y;
    s.m[i][2] *= d.z;
  }
  return pd_m_mul(s, pd_m_transpose(r));
}

#endif
