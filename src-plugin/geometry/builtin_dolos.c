/* SPDX-License-Identifier: MIT
 * Dolosse of octagonal section: two flukes, crossed, at the ends of a shank. */
#include "geometry/builtin_internal.h"

#include <math.h>

enum { JOINT = 36, TRIANGLES = 2 * 2 * JOINT - 4 }; /* vertices of a joint; of both */

/* A joint: a fluke along y, and the shank that leaves it along x. Both have the same octagon as
 * section, so that their lines meet in pairs. */
typedef struct dolos {
  double half, flat, tip, reach,
      offset; /* half of w, of its octagon's side, of t, of s; of the joints */
  pd_vec3 v[2 * JOINT];
  int t[TRIANGLES][3], nt;
} dolos;

/* Vertices of a joint. Corners 0 to 7 of a fluke's section, counted from x to z, where it leaves
 * the cube in which it meets the shank (upper 0 or 1: low or high end along y), and at its tip. */
static int root(int joint, int upper, int corner) { return JOINT * joint + 8 * upper + corner % 8; }

static int tip(int joint, int upper, int corner) { return root(joint, upper, corner) + 16; }

/* where an edge of the shank's upper or lower face (z) ends on the face of the fluke */
static int edge(int joint, int y, int z) { return JOINT * joint + 32 + 2 * z + y; }

/* A corner of the shank's section, where it leaves a joint, counted from y to z. */
static int shank(int joint, int corner)
{
  const int all[8] = {root(joint, 1, 0), edge(joint, 1, 1), edge(joint, 0, 1), root(joint, 0, 0),
                      root(joint, 0, 7), edge(joint, 0, 0), edge(joint, 1, 0), root(joint, 1, 7)};
  return all[corner % 8];
}

/* The second joint is the first one turned: (x, y, z) goes to (-x, z, y). */
static void put(dolos *d, int joint, int vertex, double x, double y, double z)
{
  d->v[vertex] = joint ? pd_v(d->offset - x, z, y) : pd_v(x - d->offset, y, z);
}

static void place(dolos *d, int joint)
{
  static const int near[8] = {1, 0, 0, -1, -1, 0, 0, 1}; /* 0: x is that of the octagon's side */
  for (int upper = 0; upper < 2; upper++)
    for (int k = 0; k < 8; k++) {
      const double x = near[k] ? near[k] * d->half : (k == 1 || k == 6 ? d->flat : -d->flat);
      const double z = (k < 4 ? 1.0 : -1.0) * (near[k] ? d->flat : d->half);
      const double sign = upper ? 1.0 : -1.0, narrow = d->tip / d->half;
      put(d, joint, root(joint, upper, k), x, sign * d->half, z);
      put(d, joint, tip(joint, upper, k), narrow * x, sign * d->reach, narrow * z);
    }
  for (int y = 0; y < 2; y++)
    for (int z = 0; z < 2; z++)
      put(d, joint, edge(joint, y, z), d->flat, y ? d->flat : -d->flat, z ? d->half : -d->half);
}

/* triangles from the first vertex of a polygon */
static void add(dolos *d, int n, const int *polygon)
{
  for (int k = 2; k < n; k++, d->nt++) {
    d->t[d->nt][0] = polygon[0];
    d->t[d->nt][1] = polygon[k - 1];
    d->t[d->nt][2] = polygon[k];
  }
}

/* both arms of a fluke with their ends */
static void add_arms(dolos *d, int j)
{
  int low[8], high[8];
  for (int k = 0; k < 8; k++) {
    const int lower[4] = {tip(j, 0, k), root(j, 0, k), root(j, 0, k + 1), tip(j, 0, k + 1)};
    const int upper[4] = {root(j, 1, k), tip(j, 1, k), tip(j, 1, k + 1), root(j, 1, k + 1)};
    add(d, 4, lower);
    add(d, 4, upper);
    low[k] = tip(j, 0, k);
    high[k] = tip(j, 1, 7 - k);
  }
  add(d, 8, low);
  add(d, 8, high);
}

/* What is seen of the fluke between its arms: three whole sides, what the shank leaves of four. */
static void add_middle(dolos *d, int j)
{
  for (int k = 2; k < 5; k++) {
    const int side[4] = {root(j, 0, k), root(j, 1, k), root(j, 1, k + 1), root(j, 0, k + 1)};
    add(d, 4, side);
  }
  const int top[6] = {root(j, 0, 2), root(j, 0, 1), edge(j, 0, 1),
                      edge(j, 1, 1), root(j, 1, 1), root(j, 1, 2)};
  const int bottom[6] = {root(j, 0, 5), root(j, 1, 5), root(j, 1, 6),
                         edge(j, 1, 0), edge(j, 0, 0), root(j, 0, 6)};
  const int slope[4][3] = {{root(j, 1, 0), root(j, 1, 1), edge(j, 1, 1)},
                           {root(j, 0, 0), edge(j, 0, 1), root(j, 0, 1)},
                           {edge(j, 1, 0), root(j, 1, 6), root(j, 1, 7)},
                           {root(j, 0, 6), edge(j, 0, 0), root(j, 0, 7)}};
  add(d, 6, top);
  add(d, 6, bottom);
  for (int k = 0; k < 4; k++) add(d, 3, slope[k]);
}

pd_status pd_make_dolos_octagonal(const double *value, pd_mesh *mesh)
{
  const double s = value[0], w = value[1], t = value[2];
  dolos d = {.half = 0.5 * w, .tip = 0.5 * t, .reach = 0.5 * s, .offset = 0.5 * (s - w)};
  if (!(t > 0.0 && w >= t && s > 2.0 * w)) return PD_ERANGE;
  d.flat = d.half * (sqrt(2.0) - 1.0);
  for (int joint = 0; joint < 2; joint++) {
    place(&d, joint);
    add_arms(&d, joint);
    add_middle(&d, joint);
  }
  for (int k = 0; k < 8; k++) { /* the second joint counts its corners the other way round */
    const int side[4] = {shank(0, k), shank(0, k + 1), shank(1, 8 - k), shank(1, 9 - k)};
    add(&d, 4, side);
  }
  return pd_mesh_create(2 * JOINT, d.v, d.nt, (const int(*)[3])d.t, mesh);
}
