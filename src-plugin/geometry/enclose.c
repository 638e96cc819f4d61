/* SPDX-License-Identifier: MIT */
#include "geometry/enclose.h"

#include "base/memory.h"
#include "geometry/bvh.h"
#include "geometry/crossing.h"
#include "geometry/distance.h"

/* whether a vertex of one mesh is inside the other, by its solid angle seen from there */
static int is_around(const pd_mesh *mesh, pd_vec3 p)
{
  double sum = 0.0;
  for (int i = 0; i < mesh->nt; i++) {
    const int *t = mesh->t[i];
    sum += pd_half_solid_angle(pd_sub(mesh->v[t[0]], p), pd_sub(mesh->v[t[1]], p),
                               pd_sub(mesh->v[t[2]], p));
  }
  return sum > PD_PI; /* 2 pi inside, 0 outside */
}

static void corners_of(const pd_mesh *mesh, int i, pd_vec3 *x)
{
  for (int k = 0; k < 3; k++) x[k] = mesh->v[mesh->t[i][k]];
}

/* how many triangles of the outer mesh cross the inner one */
static int find_crossing(const pd_mesh *outer, const pd_mesh *inner, const pd_bvh *tree, int *near,
                         char *crosses)
{
  int found = 0;
  for (int i = 0; i < outer->nt; i++) {
    pd_vec3 x[3], y[3];
    corners_of(outer, i, x);
    const int n = pd_bvh_query(tree, pd_triangle_box(x), near);
    crosses[i] = 0;
    for (int k = 0; k < n && !crosses[i]; k++) {
      corners_of(inner, near[k], y);
      crosses[i] = (char)pd_triangles_cross(x, y);
    }
    found += crosses[i];
  }
  return found;
}

pd_status pd_mesh_encloses(const pd_mesh *outer, const pd_mesh *inner, char *crosses, int *yes)
{
  pd_bvh tree = {0, 0, NULL, NULL, NULL};
  int *near = pd_alloc_array((size_t)inner->nt, sizeof *near);
  const pd_status status =
      near ? pd_bvh_build_over(inner->nt, inner->v, (const int(*)[3])inner->t, &tree) : PD_ENOMEM;
  *yes = !status && !find_crossing(outer, inner, &tree, near, crosses) &&
         is_around(outer, inner->v[0]);
  pd_bvh_free(&tree);
  pd_free(near);
  return status;
}
