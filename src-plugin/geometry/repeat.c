/* SPDX-License-Identifier: MIT */
#include "geometry/repeat.h"

#include "base/array.h"
#include "geometry/mesh_internal.h"

/* of the period, from its lower boundary */
static double part_at(const pd_period *p, pd_vec3 x) { return pd_dot(p->normal, x) - p->low; }

/* how far off a boundary what is on it may be, over the period */
static double allowed(const pd_mesh *mesh, const pd_period *p)
{
  return p->weld * pd_mesh_diagonal(mesh) * pd_norm(p->normal);
}

int pd_mesh_spans(const pd_mesh *mesh, const pd_period *period)
{
  if (mesh->nv == 0) return 0;
  const double off = allowed(mesh, period);
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < mesh->nv; i++) {
    const double at = part_at(period, mesh->v[i]);
    least = fmin(least, at);
    most = fmax(most, at);
  }
  return fabs(least) <= off && fabs(most - 1.0) <= off;
}

/* ---- triangles in the boundaries ---- */

/* whether a triangle lies in the boundary at this part of the period */
static int is_in(const pd_mesh *mesh, const pd_period *p, double off, int triangle, double part)
{
  for (int k = 0; k < 3; k++)
    if (fabs(part_at(p, mesh->v[mesh->t[triangle][k]]) - part) > off) return 0;
  return 1;
}

/* their area, and its moments */
typedef struct face {
  double area;   /* length^2 */
  pd_vec3 first; /* times place, length^3 */
} face;

static face face_in(const pd_mesh *mesh, const pd_period *p, double off, double part)
{
  face sum = {0.0, {0.0, 0.0, 0.0}};
  for (int i = 0; i < mesh->nt; i++) {
    if (!is_in(mesh, p, off, i, part)) continue;
    const pd_vec3 a = mesh->v[mesh->t[i][0]], b = mesh->v[mesh->t[i][1]],
                  c = mesh->v[mesh->t[i][2]];
    const double area = 0.5 * pd_norm(pd_cross(pd_sub(b, a), pd_sub(c, a)));
    sum.area += area;
    sum.first = pd_axpy(sum.first, area / 3.0, pd_add(a, pd_add(b, c)));
  }
  return sum;
}

/* however they are made of triangles */
static int has_like_ends(const pd_mesh *mesh, const pd_period *p)
{
  const double off = allowed(mesh, p), near = p->weld * pd_mesh_diagonal(mesh);
  const face low = face_in(mesh, p, off, 0.0), high = face_in(mesh, p, off, 1.0);
  const pd_vec3 moved = pd_axpy(low.first, low.area, p->step);
  return low.area > 0.0 && fabs(high.area - low.area) <= p->weld * low.area &&
         pd_norm(pd_sub(high.first, moved)) <= near * low.area;
}

void pd_mesh_open_ends(pd_mesh *mesh, const pd_period *period)
{
  if (!has_like_ends(mesh, period)) return;
  const double off = allowed(mesh, period);
  const int nt = mesh->nt;
  mesh->nt = 0;
  for (int i = 0; i < nt; i++) {
    if (is_in(mesh, period, off, i, 0.0) || is_in(mesh, period, off, i, 1.0)) continue;
    for (int k = 0; k < 3; k++) mesh->t[mesh->nt][k] = mesh->t[i][k];
    mesh->nt++;
  }
}

/* ---- copies ---- */

/* of the first nv vertices and nt triangles, for which there is room, but for those in a boundary,
 * if any: off >= 0 */
static void add_copy(pd_mesh *mesh, int nv, int nt, const pd_period *p, double by, double off)
{
  const double but = by > 0.0 ? 0.0 : 1.0;
  for (int i = 0; i < nt; i++) {
    if (off >= 0.0 && is_in(mesh, p, off, i, but)) continue;
    for (int k = 0; k < 3; k++) mesh->t[mesh->nt][k] = mesh->t[i][k] + mesh->nv;
    mesh->nt++;
  }
  for (int i = 0; i < nv; i++) mesh->v[mesh->nv + i] = pd_axpy(mesh->v[i], by, p->step);
  mesh->nv += nv;
}

pd_status pd_mesh_repeat(pd_mesh *mesh, const pd_period *period)
{
  const int nv = mesh->nv, nt = mesh->nt;
  if (nv > PD_MESH_MAX / 3 || nt > PD_MESH_MAX / 3) return PD_ENOMEM;
  const double off = has_like_ends(mesh, period) ? allowed(mesh, period) : -1.0;
  if (PD_ARRAY_FIT(mesh->v, 3 * nv) || PD_ARRAY_FIT(mesh->t, 3 * nt)) return PD_ENOMEM;
  add_copy(mesh, nv, nt, period, 1.0, off);
  add_copy(mesh, nv, nt, period, -1.0, off);
  return PD_OK;
}
