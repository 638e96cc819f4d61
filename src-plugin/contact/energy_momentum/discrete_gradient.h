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
#ifndef PD_DISCRETE_GRADIENT_H
#define PD_DISCRETE_GRADIENT_H

#include "base/numbers.h"
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
  int mobile[2];      /* the angular momentum of the side is kept */
  double share[2];    /* of what is amiss of it, of either side; 1 together */
  pd_vec3 arm;        /* xhat_A - xhat_B, only used if both are mobile */
  double ka, kb;      /* darm = ka du_A - kb du_B */
} pd_em_motion;

/* P = w_0 P_0 + w_1 P_1, and dw_s by (u, spin), which are only there with a tangent */
typedef struct pd_em_weights {
  double w0, w1, dw0[12], dw1[12];
} pd_em_weights;

typedef struct pd_em_result {
  double p[12];
  pd_em_weights weights;
  double k[12][12]; /* -dP by (u, spin) */
} pd_em_result;

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
  const double trace = pd_m_trace(b);
  *d = pd_m_scale(0.5, pd_m_add(pd_m_transpose(b), pd_m_scale(-trace, pd_m_identity())));
  return pd_scale(0.5, pd_add(pd_axial(t), pd_axial(b)));
}

/* Takes what the pair would do to the angular momentum off the moments: two free bodies. */
PD_KERNEL void pd_em_balance(const pd_em_motion *motion, double *p, double (*k)[12])
{
  if (!motion->mobile[0] || !motion->mobile[1]) return;
  const pd_vec3 f = pd_v_load(p), cross = pd_cross(motion->arm, f);
  const pd_vec3 off = pd_add(pd_add(pd_v_load(p + 3), pd_v_load(p + 9)), cross);
  pd_v_store(p + 3, pd_axpy(pd_v_load(p + 3), -motion->share[0], off));
  pd_v_store(p + 9, pd_axpy(pd_v_load(p + 9), -motion->share[1], off));
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
      k[3 + i][j] -= motion->share[0] * d[i][j];
      k[9 + i][j] -= motion->share[1] * d[i][j];
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
  pd_k_clear(k, 6);
  pd_k_add_block(k, 0, 3, -1.0, da);
  pd_k_add_block(k, 3, 9, -1.0, db);
  if (!motion->mobile[0] || !motion->mobile[1]) return;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double off[4] = {motion->ka * sf.m[i][j], -da.m[i][j], -motion->kb * sf.m[i][j],
                             -db.m[i][j]};
      for (int n = 0; n < 4; n++) {
        k[i][3 * n + j] -= motion->share[0] * off[n];
        k[3 + i][3 * n + j] -= motion->share[1] * off[n];
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

typedef struct pd_em_choice {
  double kappa;  /* number */
  double length; /* c above: below it the discrete gradient is not resolved */
  double beta;   /* part of the end's own force */
} pd_em_choice;

/* the forces of both ends, what they do along the step, and the derivatives of that by (u, spin) */
typedef struct pd_em_ends {
  double p0[12], k0[6][12]; /* k0: the moments' rows of -dP_0 */
  double drop;              /* V_0 - V_1 */
  double work0, work1;      /* P_s . dq */
  double noise2;            /* square of a work below which the gradient is not resolved */
  double dwork0[12], dwork1[12], dnoise2[12];
} pd_em_ends;

/* derivatives of the works by (u, spin) */
PD_KERNEL void pd_em_differentiate(const pd_em_end *end, const pd_em_motion *motion, double length2,
                                   pd_em_ends *e)
{
  pd_em_by_spin(motion, e->p0, e->dwork0);
  pd_em_by_spin(motion, end->p, e->dwork1);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) e->dwork1[j] -= motion->dq[i] * end->k[i][j];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 12; j++) e->dwork0[j] -= motion->dq[i < 3 ? 3 + i : 6 + i] * e->k0[i][j];
  for (int j = 0; j < 12; j++) {
    e->dnoise2[j] = 0.0;
    for (int i = 0; i < 3; i++) e->dnoise2[j] -= 2.0 * length2 * end->p[i] * end->k[i][j];
  }
}

/* weights of the discrete gradient */
PD_KERNEL pd_em_weights pd_em_weigh(const pd_em_ends *e, const double *ddrop, double kappa,
                                    int tangent)
{
  pd_em_weights w;
  const double k2 = kappa * kappa, d = e->work1 - e->work0, r = e->work1 + e->work0;
  const double n = e->drop - 0.5 * r, s = d * d + k2 * r * r + e->noise2 + DBL_MIN;
  const double lambda = n / s;
  w.w0 = 0.5 + lambda * (k2 * r - d);
  w.w1 = 0.5 + lambda * (k2 * r + d);
  for (int j = 0; tangent && j < 12; j++) {
    const double dd = e->dwork1[j] - e->dwork0[j], dr = e->dwork1[j] + e->dwork0[j];
    const double ds = 2.0 * (d * dd + k2 * r * dr) + e->dnoise2[j];
    const double dlambda = (ddrop[j] - 0.5 * dr - lambda * ds) / s;
    w.dw0[j] = dlambda * (k2 * r - d) + lambda * (k2 * dr - dd);
    w.dw1[j] = dlambda * (k2 * r + d) + lambda * (k2 * dr + dd);
  }
  return w;
}

/* factor on a force of one end with which its work is V_0 - V_1; dwork: derivative of its work; dc:
 * that of the factor */
PD_KERNEL double pd_em_factor(const pd_em_ends *e, double work, const double *dwork,
                              const double *ddrop, int tangent, double *dc)
{
  const double s = work * work + e->noise2 + DBL_MIN, c = (e->drop * work + e->noise2) / s;
  for (int j = 0; tangent && j < 12; j++)
    dc[j] = (ddrop[j] * work + e->drop * dwork[j] + e->dnoise2[j] -
             c * (2.0 * work * dwork[j] + e->dnoise2[j])) /
            s;
  return c;
}

PD_KERNEL int pd_em_allowed(double c) { return c >= 0.0 && c <= PD_EM_MOST; }

/* A contact pushes: where the gradient asks for less than nothing of one end's force, which it may,
 * since the potential of a pair that turns is not convex, the force of one end alone is scaled, if
 * possible of the other one. Where no such force can do the work, energy comes before pushing. */
PD_KERNEL void pd_em_push(const pd_em_ends *e, const double *ddrop, int tangent, pd_em_weights *w)
{
  double dc[2][12];
  if (w->w0 >= 0.0 && w->w1 >= 0.0) return;
  const double c[2] = {pd_em_factor(e, e->work0, e->dwork0, ddrop, tangent, dc[0]),
                       pd_em_factor(e, e->work1, e->dwork1, ddrop, tangent, dc[1])};
  const int first = w->w0 < 0.0, end = pd_em_allowed(c[first]) ? first : !first;
  if (!pd_em_allowed(c[end])) return;
  w->w0 = end ? 0.0 : c[0];
  w->w1 = end ? c[1] : 0.0;
  for (int j = 0; tangent && j < 12; j++) {
    w->dw0[j] = end ? 0.0 : dc[0][j];
    w->dw1[j] = end ? dc[1][j] : 0.0;
  }
}

/* The part beta is the force of the end, which takes energy where the potential is convex. */
PD_KERNEL void pd_em_mix(double beta, int tangent, pd_em_weights *w)
{
  const double c = 1.0 - beta;
  w->w0 *= c;
  w->w1 = c * w->w1 + beta;
  for (int j = 0; tangent && j < 12; j++) {
    w->dw0[j] *= c;
    w->dw1[j] *= c;
  }
}

/* potential that the force has to turn into work, and its derivative by (u, spin) */
typedef struct pd_em_drop {
  double energy, by[12];
} pd_em_drop;

/* V_0 - V_1: all of it */
PD_KERNEL pd_em_drop pd_em_whole_drop(const pd_em_state *start, const pd_em_end *end)
{
  pd_em_drop drop;
  drop.energy = (start->active ? start->energy : 0.0) - end->energy;
  for (int i = 0; i < 12; i++) drop.by[i] = end->true_lever_force[i];
  return drop;
}

/* beta = 1: the force of the end alone, balanced; no discrete gradient is asked for. */
PD_KERNEL void pd_em_force_of_end(const pd_em_end *end, int tangent, pd_em_result *out)
{
  pd_em_weights *w = &out->weights;
  w->w0 = 0.0;
  w->w1 = 1.0;
  for (int i = 0; i < 12; i++) out->p[i] = end->p[i];
  for (int j = 0; tangent && j < 12; j++) w->dw0[j] = w->dw1[j] = 0.0;
  for (int i = 0; tangent && i < 12; i++)
    for (int j = 0; j < 12; j++) out->k[i][j] = end->k[i][j];
}

/* start: state at the start (not active: nothing was there), end: at the end, balanced here; drop:
 * the work of the force for beta = 0. tangent != 0: derivatives. */
PD_KERNEL void pd_em_force_of_drop(const pd_em_state *start, pd_em_end *end,
                                   const pd_em_motion *motion, pd_em_choice choice,
                                   const pd_em_drop *drop, int tangent, pd_em_result *out)
{
  const double length2 = choice.length * choice.length;
  pd_em_ends e;
  pd_em_balance(motion, end->p, tangent ? end->k : NULL);
  if (choice.beta >= 1.0) {
    pd_em_force_of_end(end, tangent, out);
    return;
  }
  if (start->active) {
    pd_em_old(start, motion, e.p0, e.k0);
  } else {
    pd_k_clear(e.k0, 6);
    for (int i = 0; i < 12; i++) e.p0[i] = 0.0;
  }
  e.drop = drop->energy;
  e.work0 = pd_dot12(e.p0, motion->dq);
  e.work1 = pd_dot12(end->p, motion->dq);
  e.noise2 = length2 * (pd_norm2(pd_v_load(e.p0)) + pd_norm2(pd_v_load(end->p)));
  if (tangent) pd_em_differentiate(end, motion, length2, &e);
  pd_em_weights *w = &out->weights;
  *w = pd_em_weigh(&e, drop->by, choice.kappa, tangent);
  pd_em_push(&e, drop->by, tangent, w);
  pd_em_mix(choice.beta, tangent, w);
  for (int i = 0; i < 12; i++) out->p[i] = w->w0 * e.p0[i] + w->w1 * end->p[i];
  if (!tangent) return;
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      out->k[i][j] = w->w1 * end->k[i][j] - end->p[i] * w->dw1[j] - e.p0[i] * w->dw0[j];
  for (int i = 0; i < 6 && start->active; i++)
    for (int j = 0; j < 12; j++) out->k[i < 3 ? 3 + i : 6 + i][j] += w->w0 * e.k0[i][j];
}

/* The same with the whole drop; for tests and device kernels. */
PD_KERNEL void pd_em_force(const pd_em_state *start, pd_em_end *end, const pd_em_motion *motion,
                           pd_em_choice choice, int tangent, pd_em_result *out)
{
  const pd_em_drop drop = pd_em_whole_drop(start, end);
  pd_em_force_of_drop(start, end, motion, choice, &drop, tangent, out);
}

#endif
