/* SPDX-License-Identifier: MIT */
#include "contact/search/parting.h"

#include "base/numbers.h"
#include "contact/search/candidates.h"

static pd_vec3 corner_along(const pd_oriented_box *o, pd_vec3 d)
{
  const pd_vec3 m = pd_mv(o->axes, d);
  const pd_vec3 corner =
      pd_v(copysign(o->half.x, m.x), copysign(o->half.y, m.y), copysign(o->half.z, m.z));
  return pd_add(o->centre, pd_mtv(o->axes, corner));
}

/* point of a shape, or of its box, that is farthest along d */
static pd_vec3 farthest(const pd_shape *s, pd_vec3 d)
{
  return pd_has_tree(s) ? corner_along(&s->tree.fit[0], d) : pd_shape_support(s, d);
}

/* the axis kept, or along the line of centres */
static pd_vec3 first_axis(const pd_pair_geometry *pair, pd_vec3 offset)
{
  if (pair->nearest && pd_norm2(pair->nearest->axis) > 0.0) return pair->nearest->axis;
  return pd_norm2(offset) > 0.0 ? pd_unit(offset) : pd_v(1.0, 0.0, 0.0);
}

/* Where the hulls overlap along n, the vector between the points that show it would have to point
 * the other way: n is mirrored so that it does (Chung and Wang, Quick collision detection of
 * polytopes in virtual environments, 1996). */
double pd_pair_parted(const pd_pair_geometry *pair)
{
  const pd_shape *a = pair->a->shape, *b = pair->b->shape;
  const pd_mat3 back = pd_m_transpose(pair->a->rot), turn = pd_m_mul(back, pair->b->rot);
  const pd_vec3 offset = pd_mv(back, pd_centre_to_centre(pair));
  pd_vec3 n = first_axis(pair, offset);
  double gap = 0.0;
  for (int i = 0; i < PD_PARTING_TURNS; i++) {
    const pd_vec3 p = farthest(a, n), q = farthest(b, pd_neg(pd_mtv(turn, n)));
    const pd_vec3 r = pd_sub(pd_add(offset, pd_mv(turn, q)), p);
    gap = pd_dot(n, r);
    if (gap > 0.0 || !(pd_norm2(r) > 0.0)) break;
    n = pd_unit(pd_axpy(n, -2.0 * gap / pd_norm2(r), r));
  }
  if (pair->nearest) pair->nearest->axis = n;
  return gap - pd_rounds(pair) - PD_NEAREST_ROUNDING * (a->radius + b->radius);
}
