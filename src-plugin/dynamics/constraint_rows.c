/* SPDX-License-Identifier: MIT
 * Rows of the matrix of a body some components of whose motion are held. */
#include "dynamics/system_internal.h"

/* three rows of a block, from the first one on, without their held part */
static void free_rows(double *block, int first, const pd_constraint *c, int set)
{
  double *row = block + 6 * first;
  for (int m = 0; m < 6; m++) {
    const pd_vec3 v = pd_constraint_free(c, set, pd_v(row[m], row[6 + m], row[12 + m]));
    row[m] = v.x;
    row[6 + m] = v.y;
    row[12 + m] = v.z;
  }
}

/* the held directions times a stiffness into a 3x3 part of the diagonal block */
static void add_held(double *block, int first, const pd_constraint *c, int set, double stiffness)
{
  for (int m = 0; m < 3; m++) {
    const pd_vec3 unit = pd_v(m == 0, m == 1, m == 2);
    const pd_vec3 v = pd_scale(stiffness, pd_constraint_held(c, set, unit));
    const double column[3] = {v.x, v.y, v.z};
    for (int n = 0; n < 3; n++) block[6 * (first + n) + first + m] += column[n];
  }
}

/* as free_rows, of what borders the matrix */
static void free_columns(pd_system *sys, int i, const pd_constraint *move,
                         const pd_constraint *turn)
{
  for (int f = 0; f < sys->nfree; f++) {
    double *column = pd_system_border_column(sys, f, i);
    pd_v_store(column, pd_constraint_free(move, move->translation, pd_v_load(column)));
    pd_v_store(column + 3, pd_constraint_free(turn, turn->rotation, pd_v_load(column + 3)));
  }
}

void pd_system_constrain_rows(pd_system *sys, int i, const pd_constraint *move,
                              const pd_constraint *turn, const double *stiffness)
{
  const pd_body *b = &sys->body[i];
  const int *p = sys->pattern.rowptr + (b->row - sys->pattern.first);
  for (int s = p[0]; s < p[1]; s++) {
    if (!sys->assembly.nonzero[s]) continue;
    double *block = pd_system_block(sys, s);
    if (move->translation) free_rows(block, 0, move, move->translation);
    if (turn->rotation) free_rows(block, 3, turn, turn->rotation);
  }
  free_columns(sys, i, move, turn);
  double *diagonal = pd_system_block(sys, pd_system_diagonal(sys, b));
  add_held(diagonal, 0, move, move->translation, stiffness[0]);
  add_held(diagonal, 3, turn, turn->rotation, stiffness[1]);
}
