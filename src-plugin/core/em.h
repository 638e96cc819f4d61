/* SPDX-License-Identifier: MIT
 * Energy-momentum contact force of a pair: a discrete gradient of the contact potential V over the
 * step, always along true contact normals (doc/theory.md).
 *
 * Generalised displacements of the step: dq = (u_A, alpha_A, u_B, alpha_B). P_s, s = 0, 1: force of V
 * at the start and at the end of the step, moments with the mean lever of the two, so that P_s . dq is
 * the work along the straight paths of the material points (Q - I) s_0 = alpha x (s_0 + s_1) / 2. With
 *   N = V_0 - V_1 - (P_0 + P_1) . dq / 2,  D = (P_1 - P_0) . dq,  R = dq . M dq,
 *   lambda = N / (D^2 + kappa^2 R^2 + e^2),
 *   P = (P_0 + P_1) / 2 + lambda [D (P_1 - P_0) + kappa^2 R M dq]
 * the work of P is V_0 - V_1. For kappa -> 0, P = (1 - theta) P_0 + theta P_1, theta = 1/2 + lambda D.
 * M: metric of relative motion at the contact; kappa acts where the two forces do not differ. */
#ifndef PD_EM_H
#define PD_EM_H

#include "gap.h"
#include "rotation.h"

/* elastic forces of a pair at one configuration */
typedef struct pd_em_state {
  int active;
  double energy;
  pd_vec3 f;      /* force on A */
  pd_mat3 ta, tb; /* sums of (force on the body) (lever)^T over the points of A and of B */
  pd_vec3 spot;   /* where it acts, lever about A's centre, times weight */
  double weight;
} pd_em_state;

/* what the step adds to it at the end; forces P_1 and true torques */
typedef struct pd_em_end {
  double energy;
  double p[12];      /* mean levers */
  double truth[12];  /* true levers: -dV_1 by (u, spin) */
  double k[12][12];  /* -dP_1 by (u, spin) */
} pd_em_end;

/* motion of the pair over the step */
typedef struct pd_em_motion {
  double dq[12];
  pd_mat3 qa, qb;     /* rotations of the step */
  pd_mat3 inva, invb; /* inverses of Xi */
  int mobile[2];
  pd_vec3 arm;        /* xhat_A - xhat_B, only used if both are mobile */
  double ka, kb;      /* darm = ka du_A - kb du_B */
  pd_vec3 ra, rb;     /* levers of the contact for the metric */
  double radius2;
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

PD_KERNEL double pd_dot12(const double *a, const double *b)
{
  double s = 0.0;
  for (int i = 0; i < 12; i++) s += a[i] * b[i];
  return s;
}

/* P_0 of one body: force f, tensor t at the start, rotation q of the step; its derivative by spin */
PD_KERNEL pd_vec3 pd_em_old_torque(pd_mat3 t, pd_mat3 q, pd_mat3 *d)
{
  const pd_mat3 b = pd_m_mul(t, pd_m_transpose(q)); /* sum f (Q p)^T */
  const double trace = b.m[0][0] + b.m[1][1] + b.m[2][2];
  *d = pd_m_scale(0.5, pd_m_add(pd_m_transpose(b), pd_m_scale(-trace, pd_m_identity())));
  return pd_scale(0.5, pd_add(pd_axial(t), pd_axial(b)));
}

/* P_0 and -dP_0 */
PD_KERNEL void pd_em_old(const pd_em_state *s, const pd_em_motion *m, double *p, double (*k)[12])
{
  pd_mat3 da, db;
  for (int i = 0; i < 144; i++) k[i / 12][i % 12] = 0.0;
  pd_v_store(p, s->f);
  pd_v_store(p + 3, pd_em_old_torque(s->ta, m->qa, &da));
  pd_v_store(p + 6, pd_neg(s->f));
  pd_v_store(p + 9, pd_em_old_torque(s->tb, m->qb, &db));
  pd_k_add_block(k, 3, 3, -1.0, da);
  pd_k_add_block(k, 9, 9, -1.0, db);
}

/* Takes half of what the pair would do to the angular momentum off either moment: two free bodies. */
PD_KERNEL void pd_em_balance(const pd_em_motion *m, double *p, double (*k)[12])
{
  if (!m->mobile[0] || !m->mobile[1]) return;
  const pd_vec3 f = pd_v_load(p), cross = pd_cross(m->arm, f);
  const pd_vec3 off = pd_add(pd_add(pd_v_load(p + 3), pd_v_load(p + 9)), cross);
  pd_v_store(p + 3, pd_axpy(pd_v_load(p + 3), -0.5, off));
  pd_v_store(p + 9, pd_axpy(pd_v_load(p + 9), -0.5, off));
  if (!k) return;
  double d[3][12]; /* -d off */
  const pd_mat3 arm = pd_skew(m->arm), sf = pd_skew(f);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) {
      d[i][j] = k[3 + i][j] + k[9 + i][j];
      for (int l = 0; l < 3; l++) d[i][j] += arm.m[i][l] * k[l][j];
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      d[i][j] += m->ka * sf.m[i][j];
      d[i][6 + j] -= m->kb * sf.m[i][j];
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) {
      k[3 + i][j] -= 0.5 * d[i][j];
      k[9 + i][j] -= 0.5 * d[i][j];
    }
}

/* y = M x, the metric of the relative motion of the two bodies at the contact */
PD_KERNEL void pd_em_metric(const pd_em_motion *m, const double *x, double *y)
{
  const pd_vec3 wa = pd_v_load(x + 3), wb = pd_v_load(x + 9);
  const pd_vec3 v = pd_sub(pd_add(pd_v_load(x), pd_cross(wa, m->ra)),
                           pd_add(pd_v_load(x + 6), pd_cross(wb, m->rb)));
  const pd_vec3 w = pd_scale(m->radius2, pd_sub(wa, wb));
  pd_v_store(y, v);
  pd_v_store(y + 3, pd_add(pd_cross(m->ra, v), w));
  pd_v_store(y + 6, pd_neg(v));
  pd_v_store(y + 9, pd_neg(pd_add(pd_cross(m->rb, v), w)));
}

/* -M by (u, spin) */
PD_KERNEL void pd_em_metric_gradient(const pd_em_motion *m, double (*k)[12])
{
  for (int j = 0; j < 12; j++) {
    const pd_mat3 *inv = j < 6 ? &m->inva : &m->invb;
    double x[12] = {0.0}, y[12];
    if (j % 6 < 3)
      x[j] = 1.0;
    else
      for (int i = 0; i < 3; i++) x[j / 6 * 6 + 3 + i] = inv->m[i][j % 6 - 3];
    pd_em_metric(m, x, y);
    for (int i = 0; i < 12; i++) k[i][j] = -y[i];
  }
}

/* row (by dq) X^-1: by (u, spin) */
PD_KERNEL void pd_em_by_spin(const pd_em_motion *m, const double *row, double *out)
{
  for (int i = 0; i < 12; i++) out[i] = row[i];
  pd_v_store(out + 3, pd_mtv(m->inva, pd_v_load(row + 3)));
  pd_v_store(out + 9, pd_mtv(m->invb, pd_v_load(row + 9)));
}

/* what the discrete gradient divides by, and its pieces */
typedef struct pd_em_scales {
  double kappa; /* stiffness */
  double eps;   /* energy */
} pd_em_scales;

/* s0: state at the start (not active: nothing was there), e: at the end. tangent != 0: derivatives. */
PD_KERNEL void pd_em_force(const pd_em_state *s0, pd_em_end *e, const pd_em_motion *m,
                           pd_em_scales sc, int tangent, pd_em_result *out)
{
  double p0[12] = {0.0}, k0[12][12], km[12][12], diff[12], mdq[12], w[12];
  for (int i = 0; i < 144; i++) k0[i / 12][i % 12] = 0.0;
  if (s0->active) pd_em_old(s0, m, p0, k0);
  pd_em_balance(m, p0, k0);
  pd_em_balance(m, e->p, tangent ? e->k : NULL);
  for (int i = 0; i < 12; i++) diff[i] = e->p[i] - p0[i];
  pd_em_metric(m, m->dq, mdq);
  if (tangent) pd_em_metric_gradient(m, km);
  pd_em_balance(m, mdq, tangent ? km : NULL);
  const double v0 = s0->active ? s0->energy : 0.0;
  const double n = v0 - e->energy - 0.5 * (pd_dot12(p0, m->dq) + pd_dot12(e->p, m->dq));
  const double d = pd_dot12(diff, m->dq), r = pd_dot12(m->dq, mdq), k2 = sc.kappa * sc.kappa;
  const double s = d * d + k2 * r * r + sc.eps * sc.eps, lambda = n / s;
  for (int i = 0; i < 12; i++) w[i] = d * diff[i] + k2 * r * mdq[i];
  for (int i = 0; i < 12; i++) out->p[i] = 0.5 * (p0[i] + e->p[i]) + lambda * w[i];
  out->theta = 0.5 + lambda * d;
  if (!tangent) return;
  /* rows of derivatives by (u, spin); k0 and e->k are -dP */
  double half[12], row[12], dn[12], dd[12], dr[12], dl[12];
  for (int i = 0; i < 12; i++) half[i] = 0.5 * (p0[i] + e->p[i]);
  pd_em_by_spin(m, half, row);
  for (int j = 0; j < 12; j++) {
    dn[j] = e->truth[j] - row[j];
    for (int i = 0; i < 12; i++) dn[j] += 0.5 * m->dq[i] * (k0[i][j] + e->k[i][j]);
  }
  pd_em_by_spin(m, diff, dd);
  for (int j = 0; j < 12; j++)
    for (int i = 0; i < 12; i++) dd[j] += m->dq[i] * (k0[i][j] - e->k[i][j]);
  pd_em_by_spin(m, mdq, dr);
  for (int j = 0; j < 12; j++) {
    for (int i = 0; i < 12; i++) dr[j] -= m->dq[i] * km[i][j];
    dl[j] = (dn[j] - 2.0 * lambda * (d * dd[j] + k2 * r * dr[j])) / s;
    out->dtheta[j] = d * dl[j] + lambda * dd[j];
  }
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      out->k[i][j] = 0.5 * (k0[i][j] + e->k[i][j]) - w[i] * dl[j] -
                     lambda * (diff[i] * dd[j] + d * (k0[i][j] - e->k[i][j]) + k2 * (mdq[i] * dr[j] - r * km[i][j]));
}

#endif
