/* SPDX-License-Identifier: MIT */
#include "contact_dynamics/unseen.h"

#include "contact/search/overlap.h"
#include "contact_dynamics/manifold_internal.h"

/* Whether two bodies are clear of each other with B moved away from A by reach: then they overlap
 * by less than that. */
static pd_status clear_beyond(const pd_pair_geometry *at, double reach, pd_pair_work *work,
                              int *clear)
{
  pd_pair_geometry moved = *at;
  const pd_vec3 r = pd_centre_to_centre(at);
  if (pd_norm2(r) > 0.0) moved.r0 = pd_axpy(at->r0, reach, pd_unit(r));
  return pd_pair_clear(&moved, work, 0.0, clear);
}

/* whether a contact point shows that the bodies overlap */
static pd_status look_for_points(const pd_pair_geometry *at, double reach, pd_pair_work *work,
                                 pd_cd_point_list *list, int *seen)
{
  list->n = 0;
  *seen = 0;
  const pd_status status = pd_cd_manifold(at, at, reach, work, list);
  for (int i = 0; i < list->n; i++) *seen = *seen || list->p[i].gap <= 0.0;
  return status;
}

static int are_convex(const pd_pair_geometry *at)
{
  return pd_cd_is_convex(at->a->shape) && pd_cd_is_convex(at->b->shape);
}

/* Convex bodies that overlap by less than reach have points that show it. */
static pd_status depth_of_convex(const pd_pair_geometry *at, double reach, pd_pair_work *work,
                                 pd_cd_point_list *list, double *depth)
{
  int seen = 0;
  const pd_status status = *depth > reach ? PD_OK : look_for_points(at, reach, work, list, &seen);
  *depth = seen ? 0.0 : pd_pair_hull_depth(at);
  return status;
}

pd_status pd_cd_unseen_depth(const pd_pair_geometry *at, double reach, pd_pair_work *work,
                             pd_cd_point_list *list, double *depth)
{
  int clear = 0;
  *depth = 0.0;
  pd_status status = PD_OK;
  if (at->b->shape->closed) status = clear_beyond(at, reach, work, &clear);
  if (status || clear) return status;
  status = pd_pair_penetration(at, work, reach, depth);
  if (status) return status;
  if (are_convex(at)) return depth_of_convex(at, reach, work, list, depth);
  if (*depth > reach) return pd_pair_penetration(at, work, *depth, depth);
  *depth = 0.0;
  return PD_OK;
}
