/* SPDX-License-Identifier: MIT
 * Antifer blocks: tapered cubes with a groove in each side. */
#include "geometry/builtin_internal.h"
#include "geometry/polygon.h"

#include <math.h>

enum { ARC = 4, SIDE = ARC + 2, SECTION = 4 * SIDE }; /* corners: sides of a groove and one more */

/* Horizontal section, counterclockwise: the square of the edge scale, with a polygon inscribed in a
 * half circle of the radius groove times that edge cut out of the middle of each side. */
static void section(double groove, double scale, double z, pd_vec3 *v)
{
  for (int k = 0; k < 4; k++) {
    const double c = cos(0.5 * PD_PI * k), s = sin(0.5 * PD_PI * k);
    for (int i = 0; i < SIDE; i++) {
      const double a = PD_PI * (i - 1) / ARC; /* along the groove */
      const double x = i ? 0.5 - groove * sin(a) : 0.5, y = i ? -groove * cos(a) : -0.5;
      v[SIDE * k + i] = pd_v(scale * (c * x - s * y), scale * (s * x + c * y), z);
    }
  }
}

pd_status pd_make_antifer(const double *value, pd_mesh *mesh)
{
  const double half = 0.5 * value[0], base = value[1], top = value[2], groove = value[3] / base;
  pd_vec3 v[2 * SECTION];
  int t[4 * SECTION - 4][3];
  double off;
  /* grooves of neighbouring sides must not meet */
  if (!(half > 0.0 && base > 0.0 && top > 0.0 && groove > 0.0 && groove < sqrt(0.125)))
    return PD_ERANGE;
  section(groove, base, -half, v);
  section(groove, top, half, v + SECTION);
  int nt = SECTION - 2;
  const pd_status status = pd_polygon_triangulate(SECTION, v, t, &off);
  if (status) return status;
  for (int i = 0; i < SECTION - 2; i++, nt++) {
    for (int k = 0; k < 3; k++) t[nt][k] = t[i][k] + SECTION;
    const int first = t[i][0];
    t[i][0] = t[i][1];
    t[i][1] = first;
  }
  for (int i = 0; i < SECTION; i++) {
    const int next = (i + 1) % SECTION,
              side[2][3] = {{i, next, SECTION + next}, {i, SECTION + next, SECTION + i}};
    for (int j = 0; j < 2; j++, nt++)
      for (int k = 0; k < 3; k++) t[nt][k] = side[j][k];
  }
  return pd_mesh_create(2 * SECTION, v, nt, (const int(*)[3])t, mesh);
}
