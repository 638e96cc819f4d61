/* SPDX-License-Identifier: MIT
 * One contact point from closest features to force, tangent and friction: the kernel that
 * kernels.cu compiles for devices and test_contact_kernel.cpp runs on the host's backends. */
#ifndef CONTACT_POINT_H
#define CONTACT_POINT_H

#include "contact/gap.h"
#include "contact/law/friction.h"
#include "contact/law/normal.h"
#include "geometry/distance.h"

/* a vertex of A over a triangle of B, about A's centre */
struct contact_point {
  pd_vec3 vertex, triangle[3], apart;
  pd_velocity a, b;
  pd_friction_history history;
  /* written */
  int feature;
  pd_gap gap;
  pd_normal_force normal;
  pd_friction_result friction;
  double force[12], k[12][12];
};

PD_KERNEL void evaluate_point(contact_point *c, const pd_law *law)
{
  double d2, row[12], along[12];
  pd_friction_kinematics velocity = {};
  c->feature = pd_point_triangle(c->vertex, c->triangle[0], c->triangle[1], c->triangle[2], &d2);
  c->gap = pd_gap_solve(1, &c->vertex, 3, c->triangle, c->apart);
  const pd_vec3 w = pd_gap_velocity(&c->gap, &c->a, &c->b);
  c->normal = pd_law_damped(law, pd_law_eval(law, c->gap.d), c->gap.d, pd_dot(c->gap.n, w), 1.0);
  pd_gap_jt(&c->gap, c->gap.n, row);
  for (int i = 0; i < 12; i++) c->force[i] = c->normal.n * row[i];
  pd_gap_add_hessian(&c->gap, -c->normal.n, c->k);
  pd_k_rank1(c->k, -c->normal.dn_dg, row, row);
  pd_gap_rate_gradient(&c->gap, &c->a, &c->b, w, along);
  pd_k_rank1(c->k, -c->normal.dn_dgd, row, along);
  pd_sample_normal(&velocity, pd_scale(c->normal.n, c->gap.n));
  c->friction = pd_friction_eval(&law->t, &velocity, &c->history, PD_TANGENT);
}

#endif
