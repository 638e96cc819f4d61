/* SPDX-License-Identifier: MIT
 * Boxes that lie flat on the triangles of a node: on a smooth surface those of small nodes are
 * thin, whichever way the surface faces, so that distances are known well before single triangles
 * are looked at. */
#include "geometry/bvh_pair.h"

typedef const int triangle_corners[3];

/* the triangles of a node */
typedef struct patch {
  const pd_vec3 *v;
  triangle_corners *t;
  const int *item;
  int n;
} patch;

/* where the items of a node end in the list of all, whose beginning is that of its first leaf */
static int first_item(const pd_bvh *tree, int i)
{
  while (!tree->node[i].count) i++;
  return tree->node[i].first;
}

static int end_item(const pd_bvh *tree, int i)
{
  while (!tree->node[i].count) i = tree->node[i].first;
  return tree->node[i].first + tree->node[i].count;
}

/* sum of the normals, each as long as twice the area */
static pd_vec3 facing(const patch *p)
{
  pd_vec3 sum = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < p->n; i++) {
    const int *t = p->t[p->item[i]];
    const pd_vec3 a = p->v[t[0]];
    sum = pd_add(sum, pd_cross(pd_sub(p->v[t[1]], a), pd_sub(p->v[t[2]], a)));
  }
  return sum;
}

/* the longest edge across a direction */
static pd_vec3 longest_across(const patch *p, pd_vec3 n)
{
  pd_vec3 longest = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < 3; k++) {
      const int *t = p->t[p->item[i]];
      const pd_vec3 e = pd_sub(p->v[t[(k + 1) % 3]], p->v[t[k]]);
      const pd_vec3 across = pd_axpy(e, -pd_dot(n, e), n);
      if (pd_norm2(across) > pd_norm2(longest)) longest = across;
    }
  return longest;
}

static pd_oriented_box box_along(const patch *p, pd_mat3 axes)
{
  pd_vec3 lo = pd_v(DBL_MAX, DBL_MAX, DBL_MAX), hi = pd_neg(lo);
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < 3; k++) {
      const pd_vec3 x = pd_mv(axes, p->v[p->t[p->item[i]][k]]);
      lo = pd_min(lo, x);
      hi = pd_max(hi, x);
    }
  const pd_oriented_box o = {pd_mtv(axes, pd_scale(0.5, pd_add(lo, hi))),
                             pd_scale(0.5, pd_sub(hi, lo)), axes};
  return o;
}

static double surface_of(const pd_oriented_box *o)
{
  const pd_vec3 h = o->half;
  return h.x * h.y + h.y * h.z + h.z * h.x;
}

static void fit_node(pd_bvh *tree, int i, const patch *p)
{
  const pd_vec3 sum = facing(p);
  if (!(pd_norm2(sum) > 0.0)) return;
  const pd_vec3 n = pd_unit(sum), along = longest_across(p, n);
  if (!(pd_norm2(along) > 0.0)) return;
  const pd_vec3 x = pd_unit(along), y = pd_cross(n, x);
  const pd_mat3 axes = {{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {n.x, n.y, n.z}}};
  const pd_oriented_box o = box_along(p, axes);
  if (surface_of(&o) < surface_of(&tree->fit[i])) tree->fit[i] = o;
}

void pd_bvh_fit(pd_bvh *tree, const pd_vec3 *v, const int (*t)[3])
{
  for (int i = 0; i < tree->nnodes; i++) {
    const int first = first_item(tree, i), end = end_item(tree, i);
    const patch p = {v, t, tree->item + first, end - first};
    fit_node(tree, i, &p);
  }
}
