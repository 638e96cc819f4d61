/* SPDX-License-Identifier: MIT
 * One contact point from closest features to forces and tangent, normal and friction at the end of
 * the step: the kernel that kernels.cu compiles for devices and test_contact_kernel.cpp runs. */
#ifndef CONTACT_POINT_H
#define CONTACT_POINT_H

#include "contact/gap.h"
#include "contact/law/friction.h"
#include "contact/law/normal.h"
#include "geometry/distance.h"

/* a vertex of A over a triangle of B, about A's centre */
struct contact_point {
  pd_vec3 vertex, triangle[3], apart;
  int body[2];
  double
      h; /* length of the step: what the friction has been displaced by is h times the velocity */
  pd_friction_history history;
  /* written */
  int feature;
  pd_gap gap;
  pd_normal_force normal;
  pd_friction_result friction;
  double force[12], k[12][12];
};

/* derivative of the relative velocity of the point, held on both bodies */
PD_KERNEL pd_grad velocity_gradient(const pd_gap *gap, const pd_velocity *a, const pd_velocity *b)
{
  pd_grad g = pd_g_zero();
  pd_g_add_block(&g, 0, a->dv, pd_m_identity());
  pd_g_add_block(&g, 3, -1.0, pd_m_mul(pd_skew(gap->pa), a->dw));
  pd_g_add_block(&g, 6, -b->dv, pd_m_identity());
  pd_g_add_block(&g, 9, 1.0, pd_m_mul(pd_skew(gap->pb), b->dw));
  return g;
}

/* Coulomb friction on the normal force N n; row, along: J^T n, derivative of the gap's rate */
PD_KERNEL void add_friction(contact_point *c, const pd_law *law, const pd_velocity *a,
                            const pd_velocity *b, const double *row, const double *along)
{
  pd_friction_kinematics s;
  pd_grad dr = pd_g_zero(), df = dr;
  double force[12], dbound[12];
  const pd_grad dv = velocity_gradient(&c->gap, a, b);
  s.v = pd_gap_velocity(&c->gap, a, b);
  s.y = pd_axpy(c->history.gt, c->h, s.v);
  pd_sample_normal(&s, pd_scale(c->normal.n, c->gap.n));
  c->friction = pd_friction_eval(&law->t, &s, &c->history, PD_TANGENT);
  pd_gap_jt(&c->gap, c->friction.f, force);
  for (int i = 0; i < 12; i++) {
    c->force[i] += force[i];
    dbound[i] = c->normal.dn_dg * row[i] + c->normal.dn_dgd * along[i];
  }
  pd_gap_add_normal_gradient(&c->gap, c->normal.n, &dr);
  pd_g_rank1(&dr, 1.0, c->gap.n, dbound);
  const pd_friction_slopes *by = &c->friction.by;
  pd_g_add_mul(&df, pd_m_add(pd_m_scale(c->h, by->y), by->v), &dv);
  pd_g_add_mul(&df, pd_m_mul(by->n, s.turn), &dr);
  pd_g_rank1(&df, 1.0, by->bound, dbound);
  pd_k_add_rows(c->k, -1.0, &df);
  pd_k_add_moment_rows(c->k + 3, pd_neg(c->gap.pa), &df);
  pd_k_add_rows(c->k + 6, 1.0, &df);
  pd_k_add_moment_rows(c->k + 9, c->gap.pb, &df);
}

/* velocity: of all bodies. Tangent: less the derivative of the forces. */
PD_KERNEL void evaluate_point(contact_point *c, const pd_velocity *velocity, const pd_law *law)
{
  double d2, row[12], along[12];
  const pd_velocity *a = velocity + c->body[0], *b = velocity + c->body[1];
  c->feature = pd_point_triangle(c->vertex, c->triangle[0], c->triangle[1], c->triangle[2], &d2);
  c->gap = pd_gap_solve(1, &c->vertex, 3, c->triangle, c->apart);
  const pd_vec3 w = pd_gap_velocity(&c->gap, a, b);
  c->normal = pd_law_damped(law, pd_law_eval(law, c->gap.d), c->gap.d, pd_dot(c->gap.n, w), 1.0);
  pd_gap_jt(&c->gap, c->gap.n, row);
  for (int i = 0; i < 12; i++) c->force[i] = c->normal.n * row[i];
  pd_k_clear(c->k, 12);
  pd_gap_add_hessian(&c->gap, -c->normal.n, c->k);
  pd_k_rank1(c->k, -c->normal.dn_dg, row, row);
  pd_gap_rate_gradient(&c->gap, a, b, w, along);
  pd_k_rank1(c->k, -c->normal.dn_dgd, row, along);
  add_friction(c, law, a, b, row, along);
}

#endif
