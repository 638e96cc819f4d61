/* SPDX-License-Identifier: MIT
 * The local contact problem of two simplices (vertex, edge or face each), every degeneration by one
 * formula, with its first and second derivatives for rigid bodies.
 * Equation numbers: Gay Neto & Wriggers, Discrete element model for general polyhedra (2021).
 *
 * With the free convective coordinates c (s = 0, 1 or 2 of them), g(c) = g0 + sum_j c_j t_j and
 * F = |g|^2 / 2: solve F_c = 0 (eqs. 30, 33, 66-70); d = |g|, n = g/d (eq. 31), d_q = J^T n with
 * J = g_q at fixed c, and Hess F = F_qq - F_qc F_cc^-1 F_cq, with the operator D of eq. (47).
 * Generalised coordinates q of a pair: (u_A, theta_A, u_B, theta_B), translation and spin.
 *
 * With the dual vectors D_j of the t_j (D_i . t_j = delta_ij, in their span), the unit vectors m
 * that complete n and the t_j to space, and F_qc = J^T t_j + d e_j, e_j = t_j x n in the spin of
 * the body that carries coordinate j, the terms in the span of n and t_j cancel exactly, and what
 * is left has no differences of large numbers, neither for small d nor for nearly parallel edges:
 * Hess d = sum_m J^T m m^T J / d + (n . J_q) - sum_j (J^T D_j e_j^T + e_j D_j^T J)
 *          - d sum_ij (D_i . D_j) e_i e_j^T */
#ifndef PD_GAP_H
#define PD_GAP_H

#include "base/blocks.h"
#include "contact/motion.h"
#include "geometry/distance.h"

typedef struct pd_gap {
  int s;           /* number of convective coordinates */
  int on_b[2];     /* 1 if coordinate j moves the point of B, 0 if it moves A's */
  pd_vec3 t[2];    /* dg/dc_j */
  pd_vec3 dual[2]; /* D_j: F_cc^-1 = D^T D */
  pd_vec3 pa, pb;  /* contact points as levers about the centres of A and B, world axes */
  pd_vec3 n;       /* unit normal from B to A */
  double d;        /* distance of the sub-features, of the cores of rounded sides, > 0 */
  double gap;      /* distance less the radii of rounded sides: what the law acts on */
} pd_gap;

/* dual vectors of the tangents */
PD_KERNEL void pd_gap_invert(pd_gap *gap)
{
  if (gap->s == 1) gap->dual[0] = pd_scale(1.0 / pd_norm2(gap->t[0]), gap->t[0]);
  if (gap->s < 2) return;
  const pd_vec3 c = pd_cross(gap->t[0], gap->t[1]);
  const double inv = 1.0 / pd_norm2(c);
  gap->dual[0] = pd_scale(inv, pd_cross(gap->t[1], c));
  gap->dual[1] = pd_scale(inv, pd_cross(c, gap->t[0]));
}

/* two unit vectors that complete n to a right-handed frame; exact for axis-parallel n */
PD_KERNEL void pd_frame(pd_vec3 n, pd_vec3 *t1, pd_vec3 *t2)
{
  const double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
  pd_vec3 e = pd_v(0.0, 0.0, 1.0);
  if (ax <= ay && ax <= az)
    e = pd_v(1.0, 0.0, 0.0);
  else if (ay <= az)
    e = pd_v(0.0, 1.0, 0.0);
  *t1 = pd_unit(pd_cross(n, e));
  *t2 = pd_cross(n, *t1);
}

/* Solves the local problem of simplices a and b of na and nb vertices, na + nb <= 4.
 * a, b: positions about A's centre; r: vector from A's centre to B's. */
PD_KERNEL pd_gap pd_gap_solve(int na, const pd_vec3 *a, int nb, const pd_vec3 *b, pd_vec3 r)
{
  pd_gap gap;
  gap.s = 0;
  for (int j = 1; j < na; j++, gap.s++) {
    gap.on_b[gap.s] = 0;
    gap.t[gap.s] = pd_sub(a[j], a[0]);
  }
  for (int j = 1; j < nb; j++, gap.s++) {
    gap.on_b[gap.s] = 1;
    gap.t[gap.s] = pd_sub(b[0], b[j]);
  }
  pd_gap_invert(&gap);
  gap.pa = a[0];
  gap.pb = b[0];
  pd_vec3 g = pd_sub(a[0], b[0]);
  /* the second pass is one step of iterative refinement, for slender triangles */
  for (int pass = 0; pass < (gap.s ? 2 : 1); pass++) {
    const pd_vec3 from = g;
    for (int j = 0; j < gap.s; j++) {
      const double c = -pd_dot(gap.dual[j], from); /* F_c = 0: eqs. (66), (69), (70) */
      g = pd_axpy(g, c, gap.t[j]);
      if (gap.on_b[j])
        gap.pb = pd_axpy(gap.pb, -c, gap.t[j]);
      else
        gap.pa = pd_axpy(gap.pa, c, gap.t[j]);
    }
  }
  gap.pb = pd_sub(gap.pb, r);
  gap.d = pd_norm(g); /* eq. (31) */
  gap.n = pd_scale(1.0 / gap.d, g);
  gap.gap = gap.d;
  return gap;
}

/* The local problem of two edges, by their closest sub-features f as pd_segment_segment has them:
 * an end, or the interior PD_INSIDE. */
PD_KERNEL pd_gap pd_gap_of_edges(const pd_vec3 *a, int fa, const pd_vec3 *b, int fb, pd_vec3 r)
{
  return pd_gap_solve(fa == PD_INSIDE ? 2 : 1, fa == 1 ? &a[1] : a, fb == PD_INSIDE ? 2 : 1,
                      fb == 1 ? &b[1] : b, r);
}

/* The same of the closest sub-features. */
PD_KERNEL pd_gap pd_gap_of_closest(const pd_vec3 *a, const pd_vec3 *b, pd_vec3 r)
{
  int fa, fb;
  pd_segment_segment(a[0], a[1], b[0], b[1], &fa, &fb);
  return pd_gap_of_edges(a, fa, b, fb, r);
}

/* The local problem of a point and a triangle, by the closest sub-feature k as pd_point_triangle
 * has it; n from the triangle to the point. */
PD_KERNEL pd_gap pd_gap_of_triangle(pd_vec3 p, const pd_vec3 *x, int k)
{
  pd_vec3 b[3] = {x[0], x[1], x[2]};
  int n = 3;
  if (k < PD_TRI_FACE) {
    n = k >= PD_TRI_EDGE ? 2 : 1;
    b[0] = x[k % PD_TRI_EDGE];
    b[1] = x[(k + 1) % 3];
  }
  return pd_gap_solve(1, &p, n, b, pd_v(0.0, 0.0, 0.0));
}

/* J^T x with J = dg/dq at fixed coordinates: J = [I, -skew(pa), -I, skew(pb)] */
PD_KERNEL void pd_gap_jt(const pd_gap *gap, pd_vec3 x, double *out)
{
  pd_v_store(out, x);
  pd_v_store(out + 3, pd_cross(gap->pa, x));
  pd_v_store(out + 6, pd_neg(x));
  pd_v_store(out + 9, pd_cross(x, gap->pb));
}

/* e_j: its three entries stand in the spin of the body that carries coordinate j, from *at on */
PD_KERNEL pd_vec3 pd_gap_carrier(const pd_gap *gap, int j, int *at)
{
  *at = gap->on_b[j] ? 9 : 3;
  return pd_cross(gap->t[j], gap->n);
}

/* m: unit vectors normal to n and all t_j; returns their number, 2 - s */
PD_KERNEL int pd_gap_complement(const pd_gap *gap, pd_vec3 *m)
{
  if (gap->s == 0) pd_frame(gap->n, &m[0], &m[1]);
  if (gap->s == 1) m[0] = pd_unit(pd_cross(gap->n, gap->t[0]));
  return 2 - gap->s;
}

/* k += s Hess d. The rows are force and torque and the columns translation and spin, so that the
 * geometric part n . J_q is not symmetric. */
PD_KERNEL void pd_gap_add_hessian(const pd_gap *gap, double s, double (*k)[12])
{
  double x[12];
  pd_vec3 m[2], e[2];
  int at[2];
  const int nm = pd_gap_complement(gap, m);
  for (int i = 0; i < nm; i++) {
    pd_gap_jt(gap, m[i], x);
    pd_k_rank1(k, s / gap->d, x, x);
  }
  const pd_mat3 n = pd_skew(gap->n);
  pd_k_add_block(k, 3, 3, s, pd_m_mul(n, pd_skew(gap->pa)));
  pd_k_add_block(k, 9, 9, -s, pd_m_mul(n, pd_skew(gap->pb)));
  for (int j = 0; j < gap->s; j++) e[j] = pd_gap_carrier(gap, j, &at[j]);
  for (int j = 0; j < gap->s; j++) {
    pd_gap_jt(gap, gap->dual[j], x);
    pd_k_rank2(k, -s, x, at[j], e[j]);
    for (int i = 0; i < gap->s; i++)
      pd_k_add_block(k, at[i], at[j], -s * gap->d * pd_dot(gap->dual[i], gap->dual[j]),
                     pd_outer(e[i], e[j]));
  }
}

/* out += s dn/dq of the unit normal: dn = sum_m m (J^T m)^T / d - sum_j D_j e_j^T */
PD_KERNEL void pd_gap_add_normal_gradient(const pd_gap *gap, double s, pd_grad *out)
{
  double x[12];
  pd_vec3 m[2];
  const int nm = pd_gap_complement(gap, m);
  for (int i = 0; i < nm; i++) {
    pd_gap_jt(gap, m[i], x);
    pd_g_rank1(out, s / gap->d, m[i], x);
  }
  for (int j = 0; j < gap->s; j++) {
    int at;
    const pd_vec3 e = pd_gap_carrier(gap, j, &at);
    pd_g_add_block(out, at, -s, pd_outer(gap->dual[j], e));
  }
}

/* Derivatives of the convective coordinates, eq. (47):
 * dc_j/dq = -D_j . sum_i D_i (J^T t_i + d e_i)^T */
PD_KERNEL void pd_gap_drift_slopes(const pd_gap *gap, double (*c)[12])
{
  double slope[2][12];
  for (int i = 0; i < gap->s; i++) {
    int at;
    const pd_vec3 e = pd_gap_carrier(gap, i, &at);
    pd_gap_jt(gap, gap->t[i], slope[i]);
    slope[i][at] += gap->d * e.x;
    slope[i][at + 1] += gap->d * e.y;
    slope[i][at + 2] += gap->d * e.z;
  }
  for (int j = 0; j < gap->s; j++) {
    const double to = -pd_dot(gap->dual[j], gap->dual[0]);
    for (int m = 0; m < 12; m++) c[j][m] = to * slope[0][m];
    if (gap->s < 2) continue;
    const double too = -pd_dot(gap->dual[j], gap->dual[1]);
    for (int m = 0; m < 12; m++) c[j][m] += too * slope[1][m];
  }
}

/* Contact point drift: how the closest points move along their features with q; s times the
 * derivatives of their paths, added to those of the points of A and of B. A's point goes along t_j,
 * B's against it. */
PD_KERNEL void pd_gap_add_drift(const pd_gap *gap, double s, pd_grad *on_a, pd_grad *on_b)
{
  double c[2][12];
  pd_gap_drift_slopes(gap, c);
  for (int j = 0; j < gap->s; j++)
    pd_g_rank1(gap->on_b[j] ? on_b : on_a, gap->on_b[j] ? -s : s, gap->t[j], c[j]);
}

/* relative velocity of the contact points, A against B, of bodies that move so */
PD_KERNEL pd_vec3 pd_gap_velocity_of(const pd_gap *gap, pd_twist a, pd_twist b)
{
  return pd_sub(pd_add(a.v, pd_cross(a.w, gap->pa)), pd_add(b.v, pd_cross(b.w, gap->pb)));
}

PD_KERNEL pd_vec3 pd_gap_velocity(const pd_gap *gap, const pd_velocity *a, const pd_velocity *b)
{
  return pd_gap_velocity_of(gap, pd_twist_of(a), pd_twist_of(b));
}

/* row = d(gdot)/dq of the gap rate gdot = n . w (eq. 41), w the relative velocity */
PD_KERNEL void pd_gap_rate_gradient(const pd_gap *gap, const pd_velocity *a, const pd_velocity *b,
                                    pd_vec3 w, double *row)
{
  const pd_vec3 na = pd_cross(gap->n, a->w), nb = pd_cross(gap->n, b->w);
  const pd_vec3 la = pd_cross(gap->pa, gap->n), lb = pd_cross(gap->pb, gap->n);
  pd_vec3 m[2], tang = pd_v(0.0, 0.0, 0.0), y = tang;
  const int nm = pd_gap_complement(gap, m);
  for (int i = 0; i < nm; i++) tang = pd_axpy(tang, pd_dot(m[i], w) / gap->d, m[i]);
  /* y: how the moving contact points change the velocities */
  for (int j = 0; j < gap->s; j++)
    y = pd_axpy(y, pd_dot(gap->on_b[j] ? nb : na, gap->t[j]), gap->dual[j]);
  pd_gap_jt(gap, pd_sub(tang, y), row);
  const pd_vec3 ra = pd_add(pd_mtv(a->dw, la), pd_cross(gap->pa, na));
  const pd_vec3 rb = pd_add(pd_mtv(b->dw, lb), pd_cross(gap->pb, nb));
  const pd_vec3 add[4] = {pd_scale(a->dv, gap->n), ra, pd_scale(-b->dv, gap->n), pd_neg(rb)};
  for (int i = 0; i < 4; i++) {
    row[3 * i] += add[i].x;
    row[3 * i + 1] += add[i].y;
    row[3 * i + 2] += add[i].z;
  }
  for (int j = 0; j < gap->s; j++) {
    int at;
    const pd_vec3 e = pd_gap_carrier(gap, j, &at);
    const double c = pd_dot(gap->dual[j], pd_axpy(w, gap->d, y));
    row[at] -= c * e.x;
    row[at + 1] -= c * e.y;
    row[at + 2] -= c * e.z;
  }
}

#endif
