/* SPDX-License-Identifier: MIT
 * Work arrays that live from one solution to the next: a stack of arrays of doubles, so that
 * repeated solutions of one size ask for no memory. */
#ifndef PD_CD_POOL_H
#define PD_CD_POOL_H

#include "base/status.h"

enum { PD_CD_ARRAYS = 64 };

typedef struct pd_cd_pool {
  double *array[PD_CD_ARRAYS];
  size_t room[PD_CD_ARRAYS];
  int used;
  int failed; /* a request since the last opening could not be met */
} pd_cd_pool;

PD_BEGIN_DECLS

/* an empty pool: all zero */
void pd_cd_pool_create(pd_cd_pool *pool);
void pd_cd_pool_free(pd_cd_pool *pool);

/* n doubles of unknown content, valid until the pool is closed at an earlier mark. On failure
 * pool->failed is set and NULL returned: a series of requests may be checked at its end. */
double *pd_cd_take(pd_cd_pool *pool, size_t n);

/* opens a series of requests: returns the mark that gives them back */
PD_KERNEL int pd_cd_pool_open(pd_cd_pool *pool)
{
  pool->failed = 0;
  return pool->used;
}

PD_KERNEL void pd_cd_pool_close(pd_cd_pool *pool, int mark) { pool->used = mark; }

PD_END_DECLS

#endif
