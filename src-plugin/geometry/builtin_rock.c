/* SPDX-License-Identifier: MIT
 * Random convex rocks. */
#include "base/random.h"
#include "geometry/builtin_internal.h"
#include "geometry/hull.h"

#include <math.h>

/* moves and stretches the coordinates x[0], x[3], ... to reach from -extent/2 to extent/2 */
static void stretch(int n, double *x, double extent)
{
  double low = x[0], high = x[0];
  for (int i = 1; i < n; i++) {
    low = fmin(low, x[3 * i]);
    high = fmax(high, x[3 * i]);
  }
  for (int i = 0; i < n; i++) x[3 * i] = extent * ((x[3 * i] - low) / (high - low) - 0.5);
}

pd_status pd_make_rock(const double *value, pd_mesh *mesh)
{
  const int n = (int)value[3];
  pd_random row = {(uint64_t)value[4]};
  double x[3 * PD_MOST_VERTICES];
  pd_vec3 v[PD_MOST_VERTICES];
  if (!(value[0] > 0.0 && value[1] > 0.0 && value[2] > 0.0)) return PD_ERANGE;
  if (!(n >= 4 && n <= PD_MOST_VERTICES && value[4] >= 1.0)) return PD_ERANGE;
  for (int i = 0; i < n; i++) pd_v_store(x + 3 * i, pd_draw_direction(&row));
  for (int k = 0; k < 3; k++) stretch(n, x + k, value[k]);
  for (int i = 0; i < n; i++) v[i] = pd_v_load(x + 3 * i);
  return pd_hull(n, v, mesh);
}
