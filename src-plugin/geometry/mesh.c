/* SPDX-License-Identifier: MIT */
#include "geometry/mesh.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "geometry/mesh_internal.h"

/* Vertices finite, indices in range. */
static pd_status check_arrays(int nv, const pd_vec3 *v, int nt, const int (*t)[3])
{
  for (int i = 0; i < nv; i++)
    if (!isfinite(v[i].x) || !isfinite(v[i].y) || !isfinite(v[i].z)) return PD_ENAN;
  for (int i = 0; i < nt; i++)
    for (int k = 0; k < 3; k++)
      if (t[i][k] < 0 || t[i][k] >= nv) return PD_EINDEX;
  return PD_OK;
}

pd_status pd_mesh_create(int nv, const pd_vec3 *v, int nt, const int (*t)[3], pd_mesh *mesh)
{
  memset(mesh, 0, sizeof *mesh);
  if (nv < 0 || nt < 0 || nt > PD_MESH_MAX) return PD_ERANGE;
  const pd_status status = check_arrays(nv, v, nt, t);
  if (status) return status;
  mesh->v = pd_alloc_array((size_t)nv, sizeof *mesh->v);
  mesh->t = pd_alloc_array((size_t)nt, sizeof *mesh->t);
  if (!mesh->v || !mesh->t) {
    pd_mesh_free(mesh);
    return PD_ENOMEM;
  }
  if (nv > 0) memcpy(mesh->v, v, (size_t)nv * sizeof *v);
  if (nt > 0) memcpy(mesh->t, t, (size_t)nt * sizeof *t);
  mesh->nv = nv;
  mesh->nt = nt;
  return PD_OK;
}

void pd_mesh_free(pd_mesh *mesh)
{
  pd_free(mesh->v);
  pd_free(mesh->t);
  memset(mesh, 0, sizeof *mesh);
}

/* room at first, of vertices and of triangles */
enum { FIRST = 64 };

pd_status pd_builder_vertex(pd_mesh_builder *b, pd_vec3 v)
{
  pd_mesh *m = &b->mesh;
  if (m->nv >= PD_MESH_MAX || PD_ARRAY_RESERVE(m->v, b->vroom, m->nv + 1, FIRST)) return PD_ENOMEM;
  m->v[m->nv++] = v;
  return PD_OK;
}

pd_status pd_builder_triangle(pd_mesh_builder *b, int i, int j, int k)
{
  pd_mesh *m = &b->mesh;
  if (m->nt >= PD_MESH_MAX || PD_ARRAY_RESERVE(m->t, b->troom, m->nt + 1, FIRST)) return PD_ENOMEM;
  int *t = m->t[m->nt++];
  t[0] = i;
  t[1] = j;
  t[2] = k;
  return PD_OK;
}

void pd_mesh_bounds(const pd_mesh *mesh, pd_vec3 *lo, pd_vec3 *hi)
{
  *lo = *hi = mesh->nv > 0 ? mesh->v[0] : pd_v(0.0, 0.0, 0.0);
  for (int i = 1; i < mesh->nv; i++) {
    *lo = pd_min(*lo, mesh->v[i]);
    *hi = pd_max(*hi, mesh->v[i]);
  }
}

double pd_mesh_diagonal(const pd_mesh *mesh)
{
  pd_vec3 lo, hi;
  pd_mesh_bounds(mesh, &lo, &hi);
  return pd_norm(pd_sub(hi, lo));
}

double pd_mesh_volume(const pd_mesh *mesh, double *size)
{
  pd_vec3 lo, hi;
  double volume = 0.0;
  *size = 0.0;
  /* sum of the tetrahedra a . (b x c) / 6 that the triangles make with the middle of the box */
  pd_mesh_bounds(mesh, &lo, &hi);
  const pd_vec3 o = pd_axpy(lo, 0.5, pd_sub(hi, lo));
  for (int i = 0; i < mesh->nt; i++) {
    const int *t = mesh->t[i];
    const pd_vec3 a = pd_sub(mesh->v[t[0]], o), b = pd_sub(mesh->v[t[1]], o);
    const pd_vec3 n = pd_cross(b, pd_sub(mesh->v[t[2]], o));
    volume += pd_dot(a, n) / 6.0;
    *size += pd_norm(a) * pd_norm(n) / 6.0;
  }
  return volume;
}

/* Stable counting sort of n half edges by the key lo (which = 0) or hi (which = 1), keys below
 * nkeys; first has room for nkeys + 1. */
static void sort_by(const pd_half_edge *from, pd_half_edge *to, int n, int which, int *first,
                    int nkeys)
{
  memset(first, 0, ((size_t)nkeys + 1) * sizeof *first);
  for (int i = 0; i < n; i++) first[(which ? from[i].hi : from[i].lo) + 1]++;
  for (int i = 0; i < nkeys; i++) first[i + 1] += first[i];
  for (int i = 0; i < n; i++) to[first[which ? from[i].hi : from[i].lo]++] = from[i];
}

pd_status pd_half_edges(const pd_mesh *mesh, pd_half_edge **half)
{
  const int n = 3 * mesh->nt;
  pd_half_edge *a = pd_alloc_array((size_t)n, sizeof *a);
  pd_half_edge *b = pd_alloc_array((size_t)n, sizeof *b);
  int *first = pd_alloc_array((size_t)mesh->nv + 1, sizeof *first);
  const int ok = a && b && first;
  if (ok) {
    for (int i = 0; i < n; i++) {
      const int p = mesh->t[i / 3][i % 3], q = mesh->t[i / 3][(i + 1) % 3];
      a[i].lo = p < q ? p : q;
      a[i].hi = p < q ? q : p;
      a[i].tri = i / 3;
      a[i].side = i % 3;
    }
    /* least significant key first: ties keep the order of the triangles */
    sort_by(a, b, n, 1, first, mesh->nv);
    sort_by(b, a, n, 0, first, mesh->nv);
    *half = a;
  } else {
    pd_free(a);
  }
  pd_free(b);
  pd_free(first);
  return ok ? PD_OK : PD_ENOMEM;
}

int pd_half_edge_run(const pd_half_edge *half, int n, int i)
{
  int end = i + 1;
  while (end < n && half[end].lo == half[i].lo && half[end].hi == half[i].hi) end++;
  return end;
}
