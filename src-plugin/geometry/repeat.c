/* SPDX-License-Identifier: MIT */
#include "geometry/repeat.h"

#include "base/array.h"
#include "geometry/bvh.h"
#include "geometry/mesh_internal.h"

static double diagonal(const pd_mesh *mesh)
{
  pd_box box = {mesh->v[0], mesh->v[0]};
  for (int i = 1; i < mesh->nv; i++) box = pd_box_join(box, (pd_box){mesh->v[i], mesh->v[i]});
  return pd_norm(pd_sub(box.hi, box.lo));
}

int pd_mesh_spans(const pd_mesh *mesh, const pd_period *period, double weld)
{
  if (mesh->nv == 0) return 0;
  const double allowed = weld * diagonal(mesh) * pd_norm(period->normal);
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < mesh->nv; i++) {
    const double at = pd_dot(period->normal, mesh->v[i]) - period->low;
    least = fmin(least, at);
    most = fmax(most, at);
  }
  return fabs(least) <= allowed && fabs(most - 1.0) <= allowed;
}

/* of the first nv vertices and nt triangles; there is room for it */
static void add_copy(pd_mesh *mesh, int nv, int nt, pd_vec3 shift)
{
  for (int i = 0; i < nt; i++)
    for (int k = 0; k < 3; k++) mesh->t[mesh->nt + i][k] = mesh->t[i][k] + mesh->nv;
  for (int i = 0; i < nv; i++) mesh->v[mesh->nv + i] = pd_add(mesh->v[i], shift);
  mesh->nv += nv;
  mesh->nt += nt;
}

pd_status pd_mesh_repeat(pd_mesh *mesh, pd_vec3 step)
{
  const int nv = mesh->nv, nt = mesh->nt;
  if (nv > PD_MESH_MAX / 3 || nt > PD_MESH_MAX / 3) return PD_ENOMEM;
  if (PD_ARRAY_FIT(mesh->v, 3 * nv) || PD_ARRAY_FIT(mesh->t, 3 * nt)) return PD_ENOMEM;
  add_copy(mesh, nv, nt, step);
  add_copy(mesh, nv, nt, pd_neg(step));
  return PD_OK;
}
