/* SPDX-License-Identifier: MIT
 * Pose of a body, and of the two sides of a pair. */
#ifndef PD_POSE_H
#define PD_POSE_H

#include "contact/motion.h"
#include "geometry/shape.h"

/* a body in its present place, as the pair functions see it */
typedef struct pd_pose {
  const pd_shape *shape;
  pd_mat3 rot; /* rotation from the shape's frame to the world */
  double mass; /* INFINITY for a boundary or a body that is not moved */
  pd_velocity velocity;
  pd_increment increment;
  /* energy-momentum scheme: where the centre is taken for the balance of angular momentum, from
   * where it is, and its derivative by u */
  pd_vec3 momentum_reference;
  double momentum_slope;
  double scheme_a; /* scheme parameter a of the body; 0, of a wall: it takes that of the other side
                    */
  pd_twist before; /* at the start of the step that ended here */
} pd_pose;

/* Vertex v as a lever about the centre of mass, world axes. Shapes may have many vertices, few of
 * which are near others: they are turned where they are needed. */
PD_KERNEL pd_vec3 pd_pose_lever(const pd_pose *p, int v) { return pd_mv(p->rot, p->shape->v[v]); }

/* A box about all levers: that about the turned box of the shape. */
PD_KERNEL pd_box pd_pose_box(const pd_pose *p) { return pd_box_turned(p->shape->box, p->rot); }

/* Radius by which the surface is off its core; a plane has no shape. */
PD_KERNEL double pd_pose_round(const pd_pose *p) { return p->shape ? p->shape->round : 0.0; }

/* Triangles of A and B that own the nearest features found last, where a search for the nearest
 * ones begins, and normal of the plane that parted the sides last, in the frame of A's shape. Zero
 * before first use. */
typedef struct pd_nearest {
  int a, b;
  pd_vec3 axis;
} pd_nearest;

/* The two sides of a pair. r0 + ru: vector from A's centre to B's, in two parts (frozen and
 * incremental) so that the small part keeps its digits. plane: NULL, or the unit normal of the
 * plane through B's centre behind which all is solid; B then has no shape. nearest: what is kept of
 * this pair of shapes from one search to the next, or NULL. */
typedef struct pd_pair_geometry {
  const pd_pose *a, *b;
  pd_vec3 r0, ru;
  const pd_vec3 *plane;
  pd_nearest *nearest;
} pd_pair_geometry;

/* Radius of B of a pair: a plane has none, whatever stands in for its shape. */
PD_KERNEL double pd_round_of_b(const pd_pair_geometry *pair)
{
  return pair->plane ? 0.0 : pd_pose_round(pair->b);
}

/* What the radii of two rounded sides take off the distance of their cores. */
PD_KERNEL double pd_rounds(const pd_pair_geometry *pair)
{
  return pd_pose_round(pair->a) + pd_round_of_b(pair);
}

PD_KERNEL pd_vec3 pd_centre_to_centre(const pd_pair_geometry *pair)
{
  return pd_add(pair->r0, pair->ru);
}

/* m_A m_B / (m_A + m_B); as good as 0 where neither side can be moved: nothing is to be damped */
PD_KERNEL double pd_reduced_mass_of(double a, double b)
{
  if (isinf(a)) return isinf(b) ? DBL_MIN : b;
  return isinf(b) ? a : 1.0 / (1.0 / a + 1.0 / b);
}

/* height of A's centre over the plane, frozen and incremental part */
PD_KERNEL double pd_plane_height(const pd_pair_geometry *pair, double *hu)
{
  *hu = -pd_dot(*pair->plane, pair->ru);
  return -pd_dot(*pair->plane, pair->r0);
}

#endif
