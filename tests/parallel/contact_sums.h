/* SPDX-License-Identifier: MIT
 * Contact points put together: residual and diagonal block of a body, the two blocks of a pair of
 * bodies. Every sum is gathered by whom it belongs to, in the order of the points, so that it has
 * the same digits however many bodies and pairs are summed at a time. */
#ifndef CONTACT_SUMS_H
#define CONTACT_SUMS_H

#include "contact_point.h"

/* Points by body and by pair. Those of body i: at[at_body[i]] to at[at_body[i + 1] - 1], twice the
 * number of the point and 1 where the body is its B. Those of pair p: pair[p] to pair[p + 1] - 1.
 */
struct contact_graph {
  int bodies, pairs;
  const int *at_body, *at, *pair;
};

/* 6 numbers and 36 of every body; 72 of every pair: rows of A by B, rows of B by A */
struct contact_sums {
  double *force, *diagonal, *coupling;
};

PD_KERNEL void add_block(double *out, const double (*k)[12], int row, int col)
{
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) out[6 * i + j] += k[row + i][col + j];
}

PD_KERNEL void sum_body(int i, const contact_graph *graph, const contact_point *points,
                        const contact_sums *sums)
{
  double force[6] = {0.0}, block[36] = {0.0};
  for (int k = graph->at_body[i]; k < graph->at_body[i + 1]; k++) {
    const contact_point *c = points + graph->at[k] / 2;
    const int side = 6 * (graph->at[k] % 2);
    for (int m = 0; m < 6; m++) force[m] += c->force[side + m];
    add_block(block, c->k, side, side);
  }
  for (int m = 0; m < 6; m++) sums->force[6 * i + m] = force[m];
  for (int m = 0; m < 36; m++) sums->diagonal[36 * i + m] = block[m];
}

PD_KERNEL void sum_pair(int p, const contact_graph *graph, const contact_point *points,
                        const contact_sums *sums)
{
  double block[72] = {0.0};
  for (int k = graph->pair[p]; k < graph->pair[p + 1]; k++) {
    add_block(block, points[k].k, 0, 6);
    add_block(block + 36, points[k].k, 6, 0);
  }
  for (int m = 0; m < 72; m++) sums->coupling[72 * p + m] = block[m];
}

#endif
