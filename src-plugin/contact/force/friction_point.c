/* SPDX-License-Identifier: MIT
 * Friction points of vertices and of edge pairs. */
#include "contact/force/friction_point.h"

pd_friction_point pd_vertex_friction_point(const pd_evaluation *pair, int vertex, int on_b,
                                           pd_vec3 at)
{
  pd_friction_point x;
  x.sample[0] = vertex;
  x.sample[1] = on_b ? -2 : -1;
  x.pa = at;
  if (!pair->tangent) return x;
  const pd_vec3 lever = on_b ? pd_sub(at, pair->r) : at;
  x.dx = pd_g_zero();
  pd_g_add_block(&x.dx, on_b ? 6 : 0, 1.0, pd_m_identity());
  pd_g_add_block(&x.dx, on_b ? 9 : 3, -1.0, pd_skew(lever));
  return x;
}

pd_friction_point pd_edge_friction_point(const pd_evaluation *pair, int ea, int eb, const pd_gap *g)
{
  pd_friction_point x;
  x.sample[0] = ea;
  x.sample[1] = eb;
  x.pa = pd_axpy(g->pa, -0.5 * g->d, g->n);
  if (!pair->tangent) return x;
  x.dx = pd_g_zero();
  pd_g_add_block(&x.dx, 0, 0.5, pd_m_identity());
  pd_g_add_block(&x.dx, 3, -0.5, pd_skew(g->pa));
  pd_g_add_block(&x.dx, 6, 0.5, pd_m_identity());
  pd_g_add_block(&x.dx, 9, -0.5, pd_skew(g->pb));
  pd_gap_add_drift(g, 0.5, &x.dx, &x.dx);
  return x;
}
