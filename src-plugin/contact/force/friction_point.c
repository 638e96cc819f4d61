/* SPDX-License-Identifier: MIT
 * Friction points of vertices and of edge pairs. */
#include "contact/force/friction_point.h"

/* The point goes by s along the normal. */
static void take_normal(const pd_evaluation *pair, double s, pd_friction_normal normal,
                        pd_friction_point *x)
{
  x->n = normal.n;
  if (pair->rounds == 0.0) return;
  x->pa = pd_axpy(x->pa, s, normal.n);
  if (!pair->tangent) return;
  x->dn = normal.dn ? *normal.dn : pd_g_zero();
  pd_g_axpy(&x->dx, s, &x->dn);
}

pd_friction_normal pd_sample_direction(const pd_evaluation *pair, const pd_sample_sum *sum,
                                       pd_grad *dn)
{
  pd_friction_normal normal = {pd_v(0.0, 0.0, 0.0), NULL};
  if (pair->rounds == 0.0 || !pd_sample_bears(sum)) return normal;
  pd_friction_kinematics s;
  pd_sample_normal(&s, sum->resultant);
  normal.n = s.n;
  if (!pair->tangent) return normal;
  pd_g_mul(dn, s.turn, &sum->dresultant);
  normal.dn = dn;
  return normal;
}

static pd_friction_point point_of_vertex(const pd_evaluation *pair, int on_b, pd_vec3 at,
                                         pd_friction_normal normal)
{
  const double way = on_b ? pair->round[1] : -pair->round[0];
  pd_friction_point x;
  x.on = on_b ? PD_ON_B : PD_ON_A;
  x.pa = at;
  if (pair->tangent) {
    const pd_vec3 lever = on_b ? pd_sub(at, pair->r) : at;
    x.dx = pd_g_zero();
    pd_g_add_block(&x.dx, on_b ? 6 : 0, 1.0, pd_m_identity());
    pd_g_add_block(&x.dx, on_b ? 9 : 3, -1.0, pd_skew(lever));
  }
  take_normal(pair, way, normal, &x);
  return x;
}

pd_friction_point pd_edge_friction_point(const pd_evaluation *pair, int ea, int eb, const pd_gap *g,
                                         pd_friction_normal normal)
{
  pd_friction_point x;
  x.sample[0] = ea;
  x.sample[1] = eb;
  x.on = PD_ON_NEITHER;
  x.pa = pd_axpy(g->pa, -0.5 * g->d, g->n);
  if (pair->tangent) {
    x.dx = pd_g_zero();
    pd_g_add_block(&x.dx, 0, 0.5, pd_m_identity());
    pd_g_add_block(&x.dx, 3, -0.5, pd_skew(g->pa));
    pd_g_add_block(&x.dx, 6, 0.5, pd_m_identity());
    pd_g_add_block(&x.dx, 9, -0.5, pd_skew(g->pb));
    pd_gap_add_drift(g, 0.5, &x.dx, &x.dx);
  }
  take_normal(pair, 0.5 * (pair->round[1] - pair->round[0]), normal, &x);
  return x;
}

/* Planes have no radius, whatever stands in for their shape. */
static int is_ball(const pd_evaluation *pair, int side)
{
  const pd_shape *shape = (side ? pair->b : pair->a)->shape;
  return shape && shape->nv == 1 && pair->round[side] > 0.0;
}

static pd_friction_point point_of_balls(const pd_evaluation *pair, pd_friction_normal normal)
{
  const pd_vec3 a = pd_pose_lever(pair->a, 0), b = pd_add(pair->r, pd_pose_lever(pair->b, 0));
  const pd_gap g = pd_gap_solve(1, &a, 1, &b, pair->r);
  return pd_edge_friction_point(pair, 0, 0, &g, normal);
}

pd_friction_point pd_vertex_friction_point(const pd_evaluation *pair, int vertex, int on_b,
                                           pd_vec3 at, pd_friction_normal normal)
{
  const int ball_a = is_ball(pair, 0), ball_b = is_ball(pair, 1);
  pd_friction_point x;
  if (ball_a && ball_b)
    x = point_of_balls(pair, normal);
  else if (ball_b && !on_b)
    x = point_of_vertex(pair, 1, pd_add(pair->r, pd_pose_lever(pair->b, 0)), normal);
  else if (ball_a && on_b)
    x = point_of_vertex(pair, 0, pd_pose_lever(pair->a, 0), normal);
  else
    x = point_of_vertex(pair, on_b, at, normal);
  x.sample[0] = vertex;
  x.sample[1] = on_b ? -2 : -1;
  return x;
}
