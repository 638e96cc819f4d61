/* SPDX-License-Identifier: MIT */
#include "geometry/thickness.h"

#include <stdlib.h>

#include "base/memory.h"
#include "geometry/distance.h"

/* part of the surface that may be thinner */
#define THINNER 0.1

typedef struct ray {
  pd_vec3 p, d;
  double length; /* to where it first leaves the body, so far */
} ray;

/* what a triangle has behind it */
typedef struct sight {
  double depth, area;
} sight;

/* whether the ray gets into a box before its end */
static int enters(const ray *r, pd_box box)
{
  const double p[3] = {r->p.x, r->p.y, r->p.z}, d[3] = {r->d.x, r->d.y, r->d.z};
  const double lo[3] = {box.lo.x, box.lo.y, box.lo.z}, hi[3] = {box.hi.x, box.hi.y, box.hi.z};
  double from = 0.0, to = r->length;
  for (int k = 0; k < 3; k++) {
    if (d[k] == 0.0) {
      if (p[k] < lo[k] || p[k] > hi[k]) return 0;
      continue;
    }
    const double a = (lo[k] - p[k]) / d[k], b = (hi[k] - p[k]) / d[k];
    from = fmax(from, fmin(a, b));
    to = fmin(to, fmax(a, b));
  }
  return from <= to;
}

static void cross_leaf(const pd_shape *s, const pd_bvh_node *leaf, ray *r)
{
  for (int k = 0; k < leaf->count; k++) {
    const int *t = s->t[s->tree.item[leaf->first + k]];
    const double l = pd_ray_length(r->p, r->d, s->v[t[0]], s->v[t[1]], s->v[t[2]]);
    if (l > 0.0) r->length = fmin(r->length, l);
  }
}

static void cross(const pd_shape *s, ray *r)
{
  int stack[64], depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const int i = stack[--depth];
    const pd_bvh_node *node = &s->tree.node[i];
    if (!enters(r, pd_box_inflate(node->box, PD_RAY_BORDER * s->lever))) continue;
    if (node->count > 0) {
      cross_leaf(s, node, r);
      continue;
    }
    stack[depth++] = node->first;
    stack[depth++] = i + 1;
  }
}

/* middle of a triangle, and near the middles of its sides: across one of them a face may go on */
static const double place[4][3] = {
    {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, {0.49, 0.49, 0.02}, {0.02, 0.49, 0.49}, {0.49, 0.02, 0.49}};

static sight look(const pd_shape *s, int t)
{
  const pd_vec3 a = s->v[s->t[t][0]], b = s->v[s->t[t][1]], c = s->v[s->t[t][2]];
  sight seen = {0.0, 0.5 * pd_norm(pd_cross(pd_sub(b, a), pd_sub(c, a)))};
  for (int k = 0; k < 4; k++) {
    const double *w = place[k];
    const pd_vec3 p = pd_axpy(pd_axpy(pd_scale(w[0], a), w[1], b), w[2], c);
    ray r = {p, pd_neg(s->tn[t]), 2.0 * s->lever};
    cross(s, &r);
    seen.depth = fmax(seen.depth, r.length);
  }
  return seen;
}

static int compare(const void *a, const void *b)
{
  const double x = ((const sight *)a)->depth, y = ((const sight *)b)->depth;
  return (x > y) - (x < y);
}

pd_status pd_shape_thickness(const pd_shape *shape, double *thickness)
{
  sight *seen = (sight *)pd_alloc_array((size_t)shape->nt, sizeof *seen);
  if (!seen) return PD_ENOMEM;
  double left = 0.0;
  for (int t = 0; t < shape->nt; t++) {
    seen[t] = look(shape, t);
    left += THINNER * seen[t].area;
  }
  qsort(seen, (size_t)shape->nt, sizeof *seen, compare);
  int i = 0;
  while (i < shape->nt - 1 && (left -= seen[i].area) >= 0.0) i++;
  *thickness = seen[i].depth;
  pd_free(seen);
  return PD_OK;
}
