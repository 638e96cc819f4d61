/* SPDX-License-Identifier: MIT */
#include "geometry/near_points.h"

#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/distance.h"

typedef struct near_search {
  const pd_mesh *other;
  pd_bvh tree; /* over its triangles */
  int *found;  /* room for all of them */
  double distance;
} near_search;

static int is_far(const near_search *s, pd_vec3 p)
{
  const pd_mesh *m = s->other;
  const pd_box at = {p, p};
  const int n = pd_bvh_query(&s->tree, pd_box_inflate(at, s->distance), s->found);
  for (int i = 0; i < n; i++) {
    const int *t = m->t[s->found[i]];
    double d2;
    pd_point_triangle(p, m->v[t[0]], m->v[t[1]], m->v[t[2]], &d2);
    if (d2 <= s->distance * s->distance) return 0;
  }
  return 1;
}

/* Every edge of a closed surface is a side of two triangles, upwards in one of them. */
static int find_far(const near_search *s, const pd_mesh *mesh, char *far)
{
  int n = 0, any = 0;
  for (int i = 0; i < mesh->nv; i++) any |= far[n++] = (char)is_far(s, mesh->v[i]);
  for (int i = 0; i < 3 * mesh->nt; i++) {
    const int a = mesh->t[i / 3][i % 3], b = mesh->t[i / 3][(i % 3 + 1) % 3];
    if (a > b) continue;
    any |= far[n++] = (char)is_far(s, pd_scale(0.5, pd_add(mesh->v[a], mesh->v[b])));
  }
  return any;
}

pd_status pd_mesh_far_points(const pd_mesh *mesh, const pd_mesh *other, double distance, char *far,
                             int *any)
{
  near_search s = {other, {0, 0, NULL, NULL, NULL}, NULL, distance};
  s.found = pd_alloc_array((size_t)other->nt, sizeof *s.found);
  const pd_status status =
      s.found ? pd_bvh_build_over(other->nt, other->v, (const int(*)[3])other->t, &s.tree)
              : PD_ENOMEM;
  *any = status ? 0 : find_far(&s, mesh, far);
  pd_bvh_free(&s.tree);
  pd_free(s.found);
  return status;
}
