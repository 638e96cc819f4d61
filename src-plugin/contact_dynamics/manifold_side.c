/* SPDX-License-Identifier: MIT */
#include "contact_dynamics/manifold_side.h"

#include "geometry/pseudonormal.h"

/* A point inside the body is on the side of the vertex, for what is between does not cross the
 * surface; the vertex itself may overlap it a little. */
static double find_facing(const pd_cd_before *b, int t)
{
  const pd_pose *body = b->side ? b->start->b : b->start->a;
  const pd_pose *surface = b->side ? b->start->a : b->start->b;
  const pd_vec3 r = pd_centre_to_centre(b->start);
  const pd_vec3 lever = pd_mv(body->rot, pd_inner_point(body->shape, b->v));
  const pd_vec3 p = pd_mtv(surface->rot, b->side ? pd_add(lever, r) : pd_sub(lever, r));
  return pd_surface_side(surface->shape, t, p);
}

double pd_cd_facing(pd_cd_before *b, int t)
{
  const int patch = (b->side ? b->start->a : b->start->b)->shape->patch[t];
  if (patch != b->patch) {
    b->patch = patch;
    b->facing = find_facing(b, t);
  }
  return b->facing;
}
