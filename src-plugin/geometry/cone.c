/* SPDX-License-Identifier: MIT */
#include "geometry/cone.h"

#include "base/numbers.h"

/* vertices of a circle, or its centre; returns how many */
static int add_circle(const pd_cone *c, double radius, double z, pd_vec3 *v)
{
  if (!(radius > 0.0)) {
    v[0] = pd_v(0.0, 0.0, z);
    return 1;
  }
  for (int i = 0; i < c->facets; i++) {
    const double a = 2.0 * PD_PI * i / c->facets;
    v[i] = pd_v(radius * cos(a), radius * sin(a), z);
  }
  return c->facets;
}

static void add_triangle(int i, int j, int k, int (*t)[3], int *nt)
{
  t[*nt][0] = i;
  t[*nt][1] = j;
  t[*nt][2] = k;
  ++*nt;
}

/* triangles from a vertex in the middle of a circle whose vertices begin at first */
static void add_cap(const pd_cone *c, int first, int middle, int (*t)[3], int *nt)
{
  for (int i = 0; i < c->facets; i++)
    add_triangle(middle, first + i, first + (i + 1) % c->facets, t, nt);
}

/* between circles of nlow and nhigh vertices, one of which may be the tip */
static void add_side(const pd_cone *c, int nlow, int nhigh, int (*t)[3], int *nt)
{
  for (int i = 0; i < c->facets; i++) {
    const int next = (i + 1) % c->facets;
    const int low[2] = {nlow > 1 ? i : 0, nlow > 1 ? next : 0};
    const int high[2] = {nlow + (nhigh > 1 ? i : 0), nlow + (nhigh > 1 ? next : 0)};
    if (nlow > 1) add_triangle(low[0], low[1], high[1], t, nt);
    if (nhigh > 1) add_triangle(low[0], high[1], high[0], t, nt);
  }
}

static int is_sound(const pd_cone *c)
{
  return c->facets >= PD_FEWEST_FACETS && c->facets <= PD_MOST_FACETS && c->low_radius >= 0.0 &&
         c->high_radius >= 0.0 && c->low_radius + c->high_radius > 0.0 && c->high > c->low;
}

pd_status pd_make_cone(const pd_cone *cone, pd_mesh *mesh)
{
  pd_vec3 v[2 * PD_MOST_FACETS + 2];
  int t[4 * PD_MOST_FACETS][3], nt = 0;
  if (!is_sound(cone)) return PD_ERANGE;
  const int nlow = add_circle(cone, cone->low_radius, cone->low, v);
  int nv = nlow + add_circle(cone, cone->high_radius, cone->high, v + nlow);
  add_side(cone, nlow, nv - nlow, t, &nt);
  if (cone->low_cap && nlow > 1) {
    add_cap(cone, 0, nv, t, &nt);
    v[nv++] = pd_v(0.0, 0.0, cone->low);
  }
  if (cone->high_cap && cone->high_radius > 0.0) {
    add_cap(cone, nlow, nv, t, &nt);
    v[nv++] = pd_v(0.0, 0.0, cone->high);
  }
  return pd_mesh_create(nv, v, nt, (const int(*)[3])t, mesh);
}

void pd_mesh_transform(pd_mesh *mesh, pd_mat3 map, pd_vec3 shift)
{
  for (int i = 0; i < mesh->nv; i++) mesh->v[i] = pd_add(pd_mv(map, mesh->v[i]), shift);
}
