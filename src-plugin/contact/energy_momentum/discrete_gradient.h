/* SPDX-License-Identifier: MIT
 * Energy-momentum contact force of a pair: a discrete gradient of the contact potential V over the
 * step, always along true contact normals (doc/theory.md).
 *
 * Generalised displacements of the step: dq = (u_A, alpha_A, u_B, alpha_B). P_s, s = 0, 1: force of
 * V at the start and at the end of the step, moments with the mean lever of the two, so that P_s .
 * dq is the work along the straight paths of the material points (Q - I) s_0 = alpha x (s_0 + s_1)
 * / 2. With N = V_0 - V_1 - (P_0 + P_1) . dq / 2,  D = (P_1 - P_0) . dq,  R = (P_0 + P_1) . dq,
 *   lambda = N / (D^2 + kappa^2 R^2 + c^2 (|f_0|^2 + |f_1|^2)),
 *   P = (P_0 + P_1) / 2 + lambda [D (P_1 - P_0) + kappa^2 R (P_0 + P_1)]
 * the work of P is V_0 - V_1, but for displacements as small as the length c, where N is nothing
 * but rounding and P = (P_0 + P_1) / 2. P is a combination of P_0 and P_1, so there is no force
 * across the contact normals; for kappa -> 0 it is (1 - theta) P_0 + theta P_1, theta = 1/2 +
 * lambda D. kappa acts where the two forces do the same work. */
#ifndef PD_EM_H
#define PD_EM_H

#include "base/blocks.h"
#include "base/rotation.h"
#include "contact/potential_state.h"

/* what the step adds to it at the end; forces P_1 and true torques */
typedef struct pd_em_end {
  double energy;
  double p[12];                /* mean levers */
  double true_lever_force[12]; /* true levers: -dV_1 by (u, spin) */
  double k[12][12];            /* -dP_1 by (u, spin) */
} pd_em_end;

/* motion of the pair over the step */
typedef struct pd_em_motion {
  double dq[12];
  pd_mat3 qa, qb;     /* rotations of the step */
  pd_mat3 inva, invb; /* inverses of Xi */
  int mobile[2];
  pd_vec3 arm;   /* xhat_A - xhat_B, only used if both are mobile */
  double ka, kb; /* darm = ka du_A - kb du_B */
} pd_em_motion;

typedef struct pd_em_result {
  double p[12];
  double theta;
  double k[12][12];  /* -dP by (u, spin) */
  double dtheta[12]; /* by (u, spin) */
} pd_em_result;

PD_KERNEL pd_mat3 pd_mean_lever(pd_mat3 q) { return pd_m_scale(0.5, pd_m_add(pd_m_identity(), q)); }

/* sum of p x f from T = sum f p^T */
PD_KERNEL pd_vec3 pd_axial(pd_mat3 t)
{
  return pd_v(t.m[2][1] - t.m[1][2], t.m[0][2] - t.m[2][0], t.m[1][0] - t.m[0][1]);
}

/* P_0 of one body: force f, tensor t at the start, rotation q of the step; its derivative by spin
 */
PD_KERNEL pd_vec3 pd_em_old_torque(pd_mat3 t, pd_mat3 q, pd_mat3 *d)
{
  const pd_mat3 b = pd_m_mul(t, pd_m_transpose(q)); /* sum f (Q p)^T */
  const double trace = b.m[0][0] + b.m[1][1] + b.m[2][2];
  *d = pd_m_scale(0.5, pd_m_add(pd_m_transpose(b), pd_m_scale(-trace, pd_m_identity())));
  return pd_scale(0.5, pd_add(pd_axial(t), pd_axial(b)));
}

/* Takes half of what the pair would do to the angular momentum off either moment: two free bodies.
 */
PD_KERNEL void pd_em_balance(const pd_em_motion *motion, double *p, double (*k)[12])
{
  if (!motion->mobile[0] || !motion->mobile[1]) return;
  const pd_vec3 f = pd_v_load(p), cross = pd_cross(motion->arm, f);
  const pd_vec3 off = pd_add(pd_add(pd_v_load(p + 3), pd_v_load(p + 9)), cross);
  pd_v_store(p + 3, pd_axpy(pd_v_load(p + 3), -0.5, off));
  pd_v_store(p + 9, pd_axpy(pd_v_load(p + 9), -0.5, off));
  if (!k) return;
  const double arm[3] = {motion->arm.x, motion->arm.y, motion->arm.z};
  const pd_mat3 sf = pd_skew(f);
  double d[3][12]; /* -d off */
  for (int i = 0; i < 3; i++) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 12; j++)
      d[i][j] = k[3 + i][j] + k[9 + i][j] + arm[i1] * k[i2][j] - arm[i2] * k[i1][j];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      d[i][j] += motion->ka * sf.m[i][j];
      d[i][6 + j] -= motion->kb * sf.m[i][j];
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) {
      k[3 + i][j] -= 0.5 * d[i][j];
      k[9 + i][j] -= 0.5 * d[i][j];
    }
}

/* P_0 and the moments' rows of -dP_0, balanced; the force does not change */
PD_KERNEL void pd_em_old(const pd_em_state *start, const pd_em_motion *motion, double *p,
                         double (*k)[12])
{
  pd_mat3 da, db;
  const pd_mat3 sf = pd_skew(start->f);
  pd_v_store(p, start->f);
  pd_v_store(p + 3, pd_em_old_torque(start->ta, motion->qa, &da));
  pd_v_store(p + 6, pd_neg(start->f));
  pd_v_store(p + 9, pd_em_old_torque(start->tb, motion->qb, &db));
  pd_em_balance(motion, p, NULL);
  for (int i = 0; i < 72; i++) k[i / 12][i % 12] = 0.0;
  pd_k_add_block(k, 0, 3, -1.0, da);
  pd_k_add_block(k, 3, 9, -1.0, db);
  if (!motion->mobile[0] || !motion->mobile[1]) return;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double half[4] = {0.5 * motion->ka * sf.m[i][j], -0.5 * da.m[i][j],
                              -0.5 * motion->kb * sf.m[i][j], -0.5 * db.m[i][j]};
      for (int n = 0; n < 4; n++) {
        k[i][3 * n + j] -= half[n];
        k[3 + i][3 * n + j] -= half[n];
      }
    }
}

/* row (by dq) X^-1: by (u, spin) */
PD_KERNEL void pd_em_by_spin(const pd_em_motion *motion, const double *row, double *out)
{
  for (int i = 0; i < 12; i++) out[i] = row[i];
  pd_v_store(out + 3, pd_mtv(motion->inva, pd_v_load(row + 3)));
  pd_v_store(out + 9, pd_mtv(motion->invb, pd_v_load(row + 9)));
}

/* below these the discrete gradient is not resolved */
typedef struct pd_em_scales {
  double kappa;  /* number */
  double length; /* c above */
} pd_em_scales;

/* start: state at the start (not active: nothing was there), end: at the end, balanced here.
 * tangent != 0: derivatives.
 */
PD_KERNEL void pd_em_force(const pd_em_state *start, pd_em_end *end, const pd_em_motion *motion,
                           pd_em_scales scales, int tangent, pd_em_result *out)
{
  double p0[12] = {0.0}, diff[12], both[12], k0[6][12];
  if (start->active) pd_em_old(start, motion, p0, k0);
  pd_em_balance(motion, end->p, tangent ? end->k : NULL);
  for (int i = 0; i < 12; i++) {
    diff[i] = end->p[i] - p0[i];
    both[i] = end->p[i] + p0[i];
  }
  const double v0 = start->active ? start->energy : 0.0, k2 = scales.kappa * scales.kappa;
  const double d = pd_dot12(diff, motion->dq), r = pd_dot12(both, motion->dq),
               n = v0 - end->energy - 0.5 * r;
  const pd_vec3 f0 = pd_v_load(p0), f1 = pd_v_load(end->p);
  const double c2 = scales.length * scales.length, noise2 = c2 * (pd_norm2(f0) + pd_norm2(f1));
  const double s = d * d + k2 * r * r + noise2 + DBL_MIN, lambda = n / s;
  const double cd = lambda * d, cb = 0.5 + lambda * k2 * r;
  for (int i = 0; i < 12; i++) out->p[i] = cb * both[i] + cd * diff[i];
  out->theta = 0.5 + cd;
  if (!tangent) return;
  double w0[12] = {0.0}, w1[12] = {0.0}, dd[12], dr[12], dl[12], go[12];
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) w1[j] += motion->dq[i] * end->k[i][j];
  for (int i = 0; i < 6 && start->active; i++)
    for (int j = 0; j < 12; j++) w0[j] += motion->dq[i < 3 ? 3 + i : 6 + i] * k0[i][j];
  pd_em_by_spin(motion, diff, dd);
  pd_em_by_spin(motion, both, dr);
  for (int j = 0; j < 12; j++) {
    dd[j] -= w1[j] - w0[j];
    dr[j] -= w1[j] + w0[j];
    const double dn = end->true_lever_force[j] - 0.5 * dr[j];
    const double df =
        -end->p[0] * end->k[0][j] - end->p[1] * end->k[1][j] - end->p[2] * end->k[2][j];
    dl[j] = (dn - 2.0 * lambda * (d * dd[j] + k2 * r * dr[j] + c2 * df)) / s;
    out->dtheta[j] = d * dl[j] + lambda * dd[j];
    go[j] = k2 * (r * dl[j] + lambda * dr[j]);
  }
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      out->k[i][j] = (cb + cd) * end->k[i][j] - diff[i] * out->dtheta[j] - both[i] * go[j];
  for (int i = 0; i < 6 && start->active; i++)
    for (int j = 0; j < 12; j++) out->k[i < 3 ? 3 + i : 6 + i][j] += (cb - cd) * k0[i][j];
}

#endif
