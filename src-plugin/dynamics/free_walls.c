/* SPDX-License-Identifier: MIT
 * Walls with a degree of freedom: the last bodies of a system, with the way along or about their
 * axis as their only unknown. Their contacts are with bodies of all processes, each of which knows
 * its own; sums over them make the residual. So their rows and columns do not stand in the matrix,
 * but border it: the derivatives of the bodies' residuals by the way, and of the wall's residual by
 * what the bodies do. */
#include <string.h>

#include "base/array.h"
#include "dynamics/system_internal.h"

/* what join_walls sums of a wall: its force and moment, and the losses in them */
enum { NFORCES = 6 * (1 + PD_NLOSS) };

void pd_free_wall_direction(const pd_body *b, double *e)
{
  const pd_vec3 axis = pd_constraint_axis(&b->constraint, 2), zero = pd_v(0.0, 0.0, 0.0);
  pd_v_store(e, b->constraint.hinged ? zero : axis);
  pd_v_store(e + 3, b->constraint.hinged ? axis : zero);
}

double pd_free_wall_force(const pd_body *b, const double *force)
{
  double e[6], along = 0.0;
  pd_free_wall_direction(b, e);
  for (int m = 0; m < 6; m++) along += e[m] * force[m];
  return along;
}

pd_status pd_system_bind_free_walls(pd_system *sys)
{
  pd_assembly *a = &sys->assembly;
  const pd_array border[] = {PD_ARRAY(a->by_wall), PD_ARRAY(a->of_wall)};
  const pd_array sums[] = {PD_ARRAY(a->wall_by_way), {&a->wall_forces, NFORCES * sizeof(double)}};
  sys->nfree = 0;
  while (sys->nfree < sys->nbody && sys->body[sys->nbody - 1 - sys->nfree].wall) sys->nfree++;
  const size_t n = (size_t)sys->nfree, entries = 6 * n * (size_t)sys->nbody;
  if (n == 0) return PD_OK;
  pd_status status = pd_arrays_reserve(border, 2, &a->cap_border, entries);
  if (!status) status = pd_arrays_reserve(sums, 2, &a->cap_free, n);
  if (status) return status;
  memset(a->by_wall, 0, entries * sizeof(double));
  memset(a->of_wall, 0, entries * sizeof(double));
  memset(a->wall_by_way, 0, n * sizeof(double));
  return PD_OK;
}

/* ---- tangent ---- */

double *pd_system_border_column(const pd_system *sys, int wall, int i)
{
  return pd_border_entries(sys, sys->assembly.by_wall, wall, i);
}

void pd_system_clear_border(pd_system *sys, int i)
{
  pd_assembly *a = &sys->assembly;
  const int own = pd_free_wall(sys, i);
  for (int f = 0; f < sys->nfree; f++)
    memset(pd_border_entries(sys, a->by_wall, f, i), 0, 6 * sizeof(double));
  if (own < 0) return;
  memset(pd_border_entries(sys, a->of_wall, own, 0), 0, 6 * (size_t)sys->nbody * sizeof(double));
  a->wall_by_way[own] = 0.0;
}

void pd_system_border_body(pd_system *sys, const pd_contact_pair *pair, double (*k)[12])
{
  double e[6],
      *out = pd_border_entries(sys, sys->assembly.by_wall, pd_free_wall(sys, pair->b), pair->a);
  pd_free_wall_direction(&sys->body[pair->b], e);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) out[i] += k[i][6 + j] * e[j];
}

void pd_system_border_wall(pd_system *sys, const pd_contact_pair *pair, double (*k)[12])
{
  const int f = pd_free_wall(sys, pair->b);
  double e[6], *out = pd_border_entries(sys, sys->assembly.of_wall, f, pair->a);
  pd_free_wall_direction(&sys->body[pair->b], e);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      out[j] += e[i] * k[6 + i][j];
      sys->assembly.wall_by_way[f] += e[i] * k[6 + i][6 + j] * e[j];
    }
}

void pd_system_border_inertia(pd_system *sys, int i, double by_u, const pd_mat3 *by_alpha)
{
  double e[6];
  pd_free_wall_direction(&sys->body[i], e);
  const pd_vec3 u = pd_v_load(e), alpha = pd_v_load(e + 3);
  sys->assembly.wall_by_way[pd_free_wall(sys, i)] +=
      by_u * pd_norm2(u) + pd_dot(alpha, pd_mv(*by_alpha, alpha));
}

/* ---- residual ---- */

/* what does not act along the way is held, and has no part in the residual */
static void keep_along_way(const pd_body *b, double *force)
{
  const double along = pd_free_wall_force(b, force);
  double e[6];
  pd_free_wall_direction(b, e);
  for (int m = 0; m < 6; m++) force[m] = along * e[m];
}

void pd_system_join_walls(pd_system *sys, const pd_communication *c, pd_when when)
{
  pd_assembly *a = &sys->assembly;
  const int first = sys->nbody - sys->nfree, nloss = NFORCES - 6;
  const size_t force_size = 6 * sizeof(double), loss_size = (size_t)nloss * sizeof(double);
  if (sys->nfree == 0) return;
  for (int f = 0; f < sys->nfree; f++) {
    double *forces = a->wall_forces + NFORCES * f;
    memcpy(forces, a->force + 6 * (first + f), force_size);
    memcpy(forces + 6, a->loss + nloss * (first + f), loss_size);
  }
  pd_global_sum(c, a->wall_forces, NFORCES * sys->nfree);
  for (int f = 0; f < sys->nfree; f++) {
    const double *forces = a->wall_forces + NFORCES * f;
    memcpy(a->force + 6 * (first + f), forces, force_size);
    memcpy(a->loss + nloss * (first + f), forces + 6, loss_size);
    if (when == PD_AT_TRIAL) keep_along_way(&sys->body[first + f], a->force + 6 * (first + f));
  }
}
