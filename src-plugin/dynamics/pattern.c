/* SPDX-License-Identifier: MIT
 * Pattern of the matrix: which blocks the pairs fill. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "dynamics/system_internal.h"

static int by_value(const void *p, const void *q)
{
  const int a = *(const int *)p, b = *(const int *)q;
  return (a > b) - (a < b);
}

/* columns of every owned row, the diagonal first, with repetitions; returns 0 if out of memory */
static int gather_columns(pd_system *sys, long first)
{
  int *fill = (int *)pd_malloc((size_t)(sys->pattern.nlocal + 1) * sizeof(int));
  if (!fill) return 0;
  for (int i = 0; i < sys->pattern.nlocal; i++) {
    fill[i] = sys->pattern.rowptr[i];
    sys->pattern.col[fill[i]++] = (int)(first + i);
  }
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    if (pd_wall_of(sys, pair)) continue;
    const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
    if (a->row < 0 || b->row < 0) continue;
    if (a->owned) sys->pattern.col[fill[a->row - first]++] = (int)b->row;
    if (b->owned) sys->pattern.col[fill[b->row - first]++] = (int)a->row;
  }
  pd_free(fill);
  return 1;
}

static int count_columns(pd_system *sys, long first)
{
  for (int i = 0; i <= sys->pattern.nlocal; i++)
    sys->pattern.rowptr[i] = i < sys->pattern.nlocal ? 1 : 0;
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    if (pd_wall_of(sys, pair)) continue;
    const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
    if (a->row < 0 || b->row < 0) continue;
    if (a->owned) sys->pattern.rowptr[a->row - first]++;
    if (b->owned) sys->pattern.rowptr[b->row - first]++;
  }
  int sum = 0;
  for (int i = 0; i <= sys->pattern.nlocal; i++) {
    const int n = sys->pattern.rowptr[i];
    sys->pattern.rowptr[i] = sum;
    sum += n;
  }
  return sum;
}

/* sorts the columns of every row and drops repetitions */
static void compress(pd_system *sys)
{
  int out = 0;
  for (int i = 0; i < sys->pattern.nlocal; i++) {
    const int begin = sys->pattern.rowptr[i], end = sys->pattern.rowptr[i + 1];
    qsort(sys->pattern.col + begin, (size_t)(end - begin), sizeof(int), by_value);
    sys->pattern.rowptr[i] = out;
    for (int k = begin; k < end; k++)
      if (k == begin || sys->pattern.col[k] != sys->pattern.col[k - 1])
        sys->pattern.col[out++] = sys->pattern.col[k];
  }
  sys->pattern.rowptr[sys->pattern.nlocal] = out;
}

static int find_slot(const pd_system *sys, long row, long first, long col)
{
  int lo = sys->pattern.rowptr[row - first], hi = sys->pattern.rowptr[row - first + 1] - 1;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (sys->pattern.col[mid] < col)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static void set_slots(pd_system *sys, long first)
{
  for (int i = 0; i < sys->npair; i++) {
    pd_contact_pair *pair = &sys->pair[i];
    const pd_body *a = &sys->body[pair->a], *b = pd_wall_of(sys, pair) ? NULL : &sys->body[pair->b];
    for (int k = 0; k < 4; k++) pair->slot[k] = -1;
    if (a->owned && a->row >= 0) {
      pair->slot[0] = find_slot(sys, a->row, first, a->row);
      if (b && b->row >= 0) pair->slot[1] = find_slot(sys, a->row, first, b->row);
    }
    if (b && b->owned && b->row >= 0) {
      pair->slot[3] = find_slot(sys, b->row, first, b->row);
      if (a->row >= 0) pair->slot[2] = find_slot(sys, b->row, first, a->row);
    }
  }
}

/* room for a block, which is zero */
static pd_status place_block(pd_assembly *a, int slot)
{
  const pd_array values = {&a->values, 36 * sizeof(double)};
  if (slot < 0 || a->place[slot] >= 0) return PD_OK;
  const pd_status status = pd_arrays_reserve(&values, 1, &a->cap_values, (size_t)a->nplace + 1);
  if (status) return status;
  memset(a->values + 36 * (size_t)a->nplace, 0, 36 * sizeof(double));
  a->place[slot] = a->nplace++;
  return PD_OK;
}

pd_status pd_system_place_blocks(pd_system *sys, const pd_contact_pair *pair)
{
  pd_status status = PD_OK;
  for (int k = 1; k < 3 && !status; k++) status = place_block(&sys->assembly, pair->slot[k]);
  return status;
}

/* no block but those of the diagonal has room */
static pd_status make_places(pd_system *sys)
{
  pd_assembly *a = &sys->assembly;
  const pd_array blocks[] = {PD_ARRAY(a->place), PD_ARRAY(a->nonzero)};
  const size_t n = (size_t)sys->pattern.rowptr[sys->pattern.nlocal] + 1;
  pd_status status = pd_arrays_reserve(blocks, 2, &a->cap_pattern, n);
  if (status) return status;
  memset(a->place, -1, n * sizeof *a->place);
  memset(a->nonzero, 0, n);
  a->nplace = 0;
  for (int i = 0; i < sys->pattern.nlocal && !status; i++) {
    const long row = sys->pattern.first + i;
    status = place_block(a, find_slot(sys, row, sys->pattern.first, row));
  }
  return status;
}

pd_status pd_system_pattern(pd_system *sys, long first, long nglobal)
{
  pd_pattern *pattern = &sys->pattern;
  const pd_array rows = PD_ARRAY(pattern->rowptr), columns = PD_ARRAY(pattern->col);
  pattern->nlocal = 0;
  pattern->first = first;
  pattern->nglobal = nglobal;
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].owned && sys->body[i].row >= 0) pattern->nlocal++;
  pd_status status = pd_arrays_reserve(&rows, 1, &pattern->cap_row, (size_t)pattern->nlocal + 1);
  if (status) return status;
  const int raw = count_columns(sys, first);
  status = pd_arrays_reserve(&columns, 1, &pattern->cap_col, (size_t)raw);
  if (status) return status;
  if (!gather_columns(sys, first)) return PD_ENOMEM;
  memset(sys->assembly.tangent_current, 0, (size_t)sys->nbody);
  memset(sys->assembly.row_is_identity, 0, (size_t)sys->nbody);
  compress(sys);
  set_slots(sys, first);
  return make_places(sys);
}
