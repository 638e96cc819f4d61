/* SPDX-License-Identifier: MIT */
#include "geometry/pseudonormal.h"

#include "geometry/distance.h"

/* Squared distances that differ by less, relative, are of one place where triangles meet. */
static const double TIE = 1e-9;

/* where a patch is nearest to p, so far */
typedef struct view {
  const pd_shape *s;
  int patch;
  pd_vec3 p;
  double nearest; /* squared distance */
  double height;  /* of p over the triangles that meet there, each by its angle */
} view;

pd_vec3 pd_vertex_normal(const pd_shape *s, int v)
{
  pd_vec3 sum = pd_v(0.0, 0.0, 0.0);
  for (int t = 0; t < s->nt; t++)
    for (int k = 0; k < 3; k++)
      if (s->t[t][k] == v) sum = pd_axpy(sum, pd_corner_angle(s, t, k), s->tn[t]);
  return sum;
}

pd_vec3 pd_inner_point(const pd_shape *s, int v)
{
  const pd_vec3 p = s->v[v], d = pd_neg(pd_unit(pd_vertex_normal(s, v)));
  double length = DBL_MAX;
  for (int t = 0; t < s->nt; t++) {
    const int *c = s->t[t];
    if (c[0] == v || c[1] == v || c[2] == v) continue;
    const double l = pd_ray_length(p, d, s->v[c[0]], s->v[c[1]], s->v[c[2]]);
    if (l > 0.0 && l < length) length = l;
  }
  return length < DBL_MAX ? pd_axpy(p, 0.5 * length, d) : p;
}

static double weight_of(const pd_shape *s, int t, int feature)
{
  if (feature == PD_TRI_FACE) return 2.0 * PD_PI;
  return feature < PD_TRI_EDGE ? pd_corner_angle(s, t, feature) : PD_PI;
}

static void look_at(view *w, int t)
{
  const pd_shape *s = w->s;
  const pd_vec3 a = s->v[s->t[t][0]], b = s->v[s->t[t][1]], c = s->v[s->t[t][2]];
  double d2;
  const int feature = pd_point_triangle(w->p, a, b, c, &d2);
  if (d2 > (1.0 + TIE) * w->nearest) return;
  if (d2 < (1.0 - TIE) * w->nearest) w->height = 0.0;
  w->nearest = fmin(w->nearest, d2);
  w->height += weight_of(s, t, feature) * pd_dot(s->tn[t], pd_sub(w->p, a));
}

static void look_at_leaf(view *w, const pd_bvh_node *leaf)
{
  for (int k = 0; k < leaf->count; k++) {
    const int t = w->s->tree.item[leaf->first + k];
    if (w->s->patch[t] == w->patch) look_at(w, t);
  }
}

static double box_distance2(pd_box box, pd_vec3 p)
{
  const pd_vec3 out = pd_max(pd_sub(box.lo, p), pd_sub(p, box.hi));
  return pd_norm2(pd_max(out, pd_v(0.0, 0.0, 0.0)));
}

/* squared distance of a triangle, from which the search begins */
static double distance2(const pd_shape *s, int t, pd_vec3 p)
{
  double d2;
  pd_point_triangle(p, s->v[s->t[t][0]], s->v[s->t[t][1]], s->v[s->t[t][2]], &d2);
  return d2;
}

double pd_surface_side(const pd_shape *s, int t, pd_vec3 p)
{
  view w = {s, s->patch[t], p, distance2(s, t, p), 0.0};
  int stack[64], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const int i = stack[--depth];
    const pd_bvh_node *node = &s->tree.node[i];
    if (box_distance2(node->box, p) > (1.0 + TIE) * w.nearest) continue;
    if (node->count > 0) {
      look_at_leaf(&w, node);
      continue;
    }
    stack[depth++] = node->first;
    stack[depth++] = i + 1;
  }
  return w.height < 0.0 ? -1.0 : 1.0;
}
