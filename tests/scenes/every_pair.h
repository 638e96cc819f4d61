/* SPDX-License-Identifier: MIT
 * Pairs of triangles of which something holds, by looking at all of them. */
#ifndef EVERY_PAIR_H
#define EVERY_PAIR_H

#include "geometry/triangle_pairs.h"

/* What pd_mesh_find_pairs should find. */
static inline pd_triangle_pairs every_pair(const pd_mesh *mesh, pd_triangle_test test,
                                           const void *ctx)
{
  pd_triangle_pairs found = {0, {-1, -1}};
  for (int i = 0; i < mesh->nt; i++)
    for (int j = i + 1; j < mesh->nt; j++) {
      pd_vec3 p[3], q[3];
      for (int k = 0; k < 3; k++) {
        p[k] = mesh->v[mesh->t[i][k]];
        q[k] = mesh->v[mesh->t[j][k]];
      }
      if (!test(ctx, p, q)) continue;
      if (found.pairs == 0) found.first[0] = i;
      if (found.pairs == 0) found.first[1] = j;
      found.pairs++;
    }
  return found;
}

#endif
