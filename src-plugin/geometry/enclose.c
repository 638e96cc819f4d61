/* SPDX-License-Identifier: MIT */
#include "geometry/enclose.h"

#include <string.h>

#include "base/memory.h"
#include "geometry/crossing.h"

/* whether a vertex of one mesh is inside the other, by its solid angle seen from there */
static int is_around(const pd_mesh *mesh, pd_vec3 p)
{
  double sum = 0.0;
  for (int i = 0; i < mesh->nt; i++) {
    const int *t = mesh->t[i];
    const pd_vec3 x = pd_sub(mesh->v[t[0]], p), y = pd_sub(mesh->v[t[1]], p),
                  z = pd_sub(mesh->v[t[2]], p);
    const double l = pd_norm(x), m = pd_norm(y), n = pd_norm(z);
    sum += atan2(pd_dot(x, pd_cross(y, z)),
                 l * m * n + pd_dot(x, y) * n + pd_dot(y, z) * l + pd_dot(z, x) * m);
  }
  return sum > PD_PI; /* 2 pi inside, 0 outside */
}

/* both as one, of which no triangle shares a vertex with one of the other */
static pd_status join(const pd_mesh *a, const pd_mesh *b, pd_mesh *both)
{
  const size_t nv = (size_t)a->nv + (size_t)b->nv, nt = (size_t)a->nt + (size_t)b->nt;
  both->nv = (int)nv;
  both->nt = (int)nt;
  both->v = pd_alloc_array(nv, sizeof *both->v);
  both->t = pd_alloc_array(nt, sizeof *both->t);
  if (!both->v || !both->t) return PD_ENOMEM;
  memcpy(both->v, a->v, (size_t)a->nv * sizeof *a->v);
  memcpy(both->v + a->nv, b->v, (size_t)b->nv * sizeof *b->v);
  memcpy(both->t, a->t, (size_t)a->nt * sizeof *a->t);
  for (int i = 0; i < b->nt; i++)
    for (int k = 0; k < 3; k++) both->t[a->nt + i][k] = b->t[i][k] + a->nv;
  return PD_OK;
}

pd_status pd_mesh_encloses(const pd_mesh *outer, const pd_mesh *inner, int crossings, int *yes)
{
  pd_mesh both = {0, 0, NULL, NULL};
  pd_crossings found;
  *yes = 0;
  pd_status status = join(outer, inner, &both);
  if (!status) status = pd_mesh_crossings(&both, &found);
  if (!status) *yes = found.pairs == crossings && is_around(outer, inner->v[0]);
  pd_mesh_free(&both);
  return status;
}
