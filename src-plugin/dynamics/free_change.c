/* SPDX-License-Identifier: MIT */
#include "dynamics/free_change.h"

/* The matter of a body that turns goes round: no point of its surface is accelerated more by that.
 * Where it moves as prescribed about another point, it is the matter at x. */
static double turning_of_body(const pd_body *b, pd_vec3 x)
{
  const pd_vec3 w = b->start.w;
  if (b->mobile) return pd_norm2(w) * b->shape->radius;
  if (!b->prescribed) return 0.0;
  return pd_norm(pd_cross(w, pd_add(b->start.v, pd_cross(w, pd_sub(x, b->start.x)))));
}

static double turning_of_wall(const pd_wall *w, pd_vec3 x)
{
  return pd_norm(pd_cross(pd_wall_spin(w), pd_wall_velocity_at(w, x)));
}

static double driven(const pd_body *b) { return b->mobile ? pd_body_driven(b) : 0.0; }

double pd_change_without_contact(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
  const pd_vec3 at = a->start.x;
  if (pair->wall)
    return driven(a) + 2.0 * fmax(turning_of_body(a, at), turning_of_wall(&sys->wall[pair->b], at));
  return fmax(driven(a), driven(b)) +
         2.0 * fmax(turning_of_body(a, b->start.x), turning_of_body(b, at));
}
