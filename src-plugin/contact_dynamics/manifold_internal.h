/* SPDX-License-Identifier: MIT
 * What finding and pruning of contact points have in common. */
#ifndef PD_CD_MANIFOLD_INTERNAL_H
#define PD_CD_MANIFOLD_INTERNAL_H

#include "geometry/shape.h"

/* Widths of the tests, relative: of a face's border against the bodies' size, so that vertices on
 * it count; the same normal. */
static const double PD_CD_BORDER = 1e-6, PD_CD_SAME = 1e-6;

/* sine by which a feature of the given size may lean towards a face it is to part from */
PD_KERNEL double pd_cd_lean(double reach, double size) { return fmin(0.5, reach / size); }

/* Whether an edge of a shape that ends in vertex v, if it does, leads away from there along n. */
PD_KERNEL int pd_cd_leads_away(const pd_shape *s, const pd_edge *e, int v, pd_vec3 n, double reach)
{
  if (e->v[0] != v && e->v[1] != v) return 1;
  const double h = pd_dot(n, pd_sub(s->v[e->v[0] == v ? e->v[1] : e->v[0]], s->v[v]));
  return h >= -pd_cd_lean(reach, e->length) * e->length;
}

/* height of the corner of triangle u that is not on the edge over the plane of triangle t */
PD_KERNEL double pd_cd_height_over(const pd_shape *s, const pd_edge *e, int t, int u)
{
  const int third = s->t[u][0] + s->t[u][1] + s->t[u][2] - e->v[0] - e->v[1];
  return pd_dot(s->tn[t], pd_sub(s->v[third], s->v[e->v[0]]));
}

PD_KERNEL int pd_cd_is_convex(const pd_shape *s)
{
  if (!s->closed) return 0;
  for (int i = 0; i < s->ne; i++)
    if (s->e[i].turn < -1e-6) return 0;
  return 1;
}

#endif
