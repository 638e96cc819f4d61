/* SPDX-License-Identifier: MIT
 * Triangles of a surface that count for nothing: without area, or there twice. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/mesh_internal.h"

/* a triangle with less than this area over the square of its longest edge has no usable normal */
#define DEGENERATE 1e-12

double pd_triangle_slenderness(const pd_mesh *mesh, int i)
{
  const int *t = mesh->t[i];
  const pd_vec3 a = pd_sub(mesh->v[t[1]], mesh->v[t[0]]);
  const pd_vec3 b = pd_sub(mesh->v[t[2]], mesh->v[t[1]]);
  const pd_vec3 c = pd_sub(mesh->v[t[0]], mesh->v[t[2]]);
  return 0.5 * pd_norm(pd_cross(a, b)) / fmax(pd_norm2(a), fmax(pd_norm2(b), pd_norm2(c)));
}

int pd_triangle_is_thin(const pd_mesh *mesh, int i)
{
  return pd_triangle_slenderness(mesh, i) < DEGENERATE;
}

void pd_mesh_drop_unused(pd_mesh *mesh, int *map)
{
  int n = 0;
  for (int i = 0; i < mesh->nv; i++) map[i] = -1;
  for (int i = 0; i < 3 * mesh->nt; i++) map[mesh->t[i / 3][i % 3]] = 0;
  for (int i = 0; i < mesh->nv; i++) {
    if (map[i] < 0) continue;
    map[i] = n;
    mesh->v[n++] = mesh->v[i];
  }
  mesh->nv = n;
  for (int i = 0; i < 3 * mesh->nt; i++) mesh->t[i / 3][i % 3] = map[mesh->t[i / 3][i % 3]];
}

/* the vertices of a triangle, rising, and which one it is */
typedef struct corners {
  int v[3], tri;
} corners;

static int by_corners(const void *p, const void *q)
{
  const corners *a = (const corners *)p, *b = (const corners *)q;
  for (int k = 0; k < 3; k++)
    if (a->v[k] != b->v[k]) return a->v[k] < b->v[k] ? -1 : 1;
  return (a->tri > b->tri) - (a->tri < b->tri);
}

static void put_in_order(int *a, int *b)
{
  const int low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
  *a = low;
  *b = high;
}

static corners corners_of(const pd_mesh *mesh, int i)
{
  const int *t = mesh->t[i];
  corners c = {{t[0], t[1], t[2]}, i};
  put_in_order(&c.v[0], &c.v[1]);
  put_in_order(&c.v[1], &c.v[2]);
  put_in_order(&c.v[0], &c.v[1]);
  return c;
}

static int mark_thin(const pd_mesh *mesh, char *out)
{
  int n = 0;
  for (int i = 0; i < mesh->nt; i++) {
    out[i] = (char)pd_triangle_is_thin(mesh, i);
    n += out[i];
  }
  return n;
}

/* Marks triangles with the vertices of an earlier one, whichever way round. Errors: PD_ENOMEM. */
static pd_status mark_repeated(const pd_mesh *mesh, char *out, int *n)
{
  corners *c = pd_alloc_array((size_t)mesh->nt, sizeof *c);
  if (!c) return PD_ENOMEM;
  for (int i = 0; i < mesh->nt; i++) c[i] = corners_of(mesh, i);
  qsort(c, (size_t)mesh->nt, sizeof *c, by_corners);
  for (int i = 1; i < mesh->nt; i++) {
    if (memcmp(c[i].v, c[i - 1].v, sizeof c[i].v) != 0) continue;
    *n += !out[c[i].tri];
    out[c[i].tri] = 1;
  }
  pd_free(c);
  return PD_OK;
}

static void leave_out(pd_mesh *mesh, int *source, const char *out)
{
  int n = 0;
  for (int i = 0; i < mesh->nt; i++) {
    if (out[i]) continue;
    source[n] = source[i];
    if (n < i) memcpy(mesh->t[n], mesh->t[i], sizeof mesh->t[n]);
    n++;
  }
  mesh->nt = n;
}

pd_status pd_mesh_clean(pd_mesh *mesh, int *source, pd_mesh_report *report)
{
  char *out = pd_alloc_array((size_t)mesh->nt, sizeof *out);
  int *map = pd_alloc_array((size_t)mesh->nv, sizeof *map);
  pd_status status = out && map ? PD_OK : PD_ENOMEM;
  if (!status) report->dropped += mark_thin(mesh, out);
  if (!status) status = mark_repeated(mesh, out, &report->repeated);
  if (!status) {
    leave_out(mesh, source, out);
    pd_mesh_drop_unused(mesh, map);
  }
  pd_free(out);
  pd_free(map);
  return status;
}
