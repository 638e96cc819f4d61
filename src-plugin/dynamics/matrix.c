/* SPDX-License-Identifier: MIT
 * Blocks and rows of the tangent. */
#include <string.h>

#include "dynamics/system_internal.h"

double *pd_system_block(const pd_system *sys, int slot)
{
  return sys->assembly.values + 36 * (size_t)sys->assembly.place[slot];
}

/* adds the 6x6 part of k at (row, col) to a block of the matrix */
void pd_system_add_block(const pd_system *sys, int slot, double (*k)[12], int row, int col)
{
  if (slot < 0) return;
  double *out = pd_system_block(sys, slot);
  sys->assembly.nonzero[slot] = 1;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) out[6 * i + j] += k[row + i][col + j];
}

int pd_system_diagonal(const pd_system *sys, const pd_body *b)
{
  int s = sys->pattern.rowptr[b->row - sys->pattern.first];
  while (sys->pattern.col[s] != b->row) s++;
  sys->assembly.nonzero[s] = 1;
  return s;
}

void pd_system_clear_row(pd_system *sys, long row)
{
  const int *p = sys->pattern.rowptr + (row - sys->pattern.first);
  for (int s = p[0]; s < p[1]; s++) {
    if (!sys->assembly.nonzero[s]) continue;
    memset(pd_system_block(sys, s), 0, 36 * sizeof(double));
    sys->assembly.nonzero[s] = 0;
  }
}

void pd_system_set_identity_row(pd_system *sys, int i)
{
  const pd_body *b = &sys->body[i];
  if (sys->assembly.row_is_identity[i]) return;
  pd_system_clear_row(sys, b->row);
  double *k = pd_system_block(sys, pd_system_diagonal(sys, b));
  for (int m = 0; m < 6; m++) k[7 * m] = 1.0;
  sys->assembly.row_is_identity[i] = 1;
  sys->assembly.tangent_current[i] = 0;
}
