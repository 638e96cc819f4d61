/* SPDX-License-Identifier: MIT
 * Work arrays of the contact dynamics. */
#include "contact_dynamics/pool.h"

#include "base/memory.h"

void pd_cd_pool_create(pd_cd_pool *pool)
{
  const pd_cd_pool empty = {{NULL}, {0}, 0, 0};
  *pool = empty;
}

void pd_cd_pool_free(pd_cd_pool *pool)
{
  for (int i = 0; i < PD_CD_ARRAYS; i++) pd_free(pool->array[i]);
  pd_cd_pool_create(pool);
}

/* the contents are not kept, so nothing is copied */
static int enlarge(pd_cd_pool *pool, int i, size_t n)
{
  const size_t room = n + n / 4;
  pd_free(pool->array[i]);
  pool->array[i] = (double *)pd_alloc_array(room, sizeof(double));
  pool->room[i] = pool->array[i] ? room : 0;
  return pool->array[i] != NULL;
}

double *pd_cd_take(pd_cd_pool *pool, size_t n)
{
  const int i = pool->used;
  if (i == PD_CD_ARRAYS || ((!pool->array[i] || pool->room[i] < n) && !enlarge(pool, i, n))) {
    pool->failed = 1;
    return NULL;
  }
  pool->used++;
  return pool->array[i];
}
