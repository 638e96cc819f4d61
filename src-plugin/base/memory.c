/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const pd_allocator libc_allocator = {malloc, realloc, free};
static pd_allocator current = {malloc, realloc, free};

void pd_set_allocator(const pd_allocator *allocator)
{
  current = allocator ? *allocator : libc_allocator;
}

void *pd_malloc(size_t size) { return current.allocate(size ? size : 1); }

void *pd_realloc(void *block, size_t size) { return current.reallocate(block, size ? size : 1); }

void pd_free(void *block)
{
  if (block) current.release(block);
}

void *pd_alloc_array(size_t n, size_t size)
{
  if (size > 0 && n > SIZE_MAX / size) return NULL;
  return pd_malloc(n * size);
}

/* the pointer is copied: whatever it points to, its own type is not known here */
static pd_status grow_one(const pd_growing *array, size_t n)
{
  void *block;
  memcpy(&block, array->at, sizeof block);
  if (n > SIZE_MAX / array->size) return PD_ENOMEM;
  block = pd_realloc(block, n * array->size);
  if (!block) return PD_ENOMEM;
  memcpy(array->at, &block, sizeof block);
  return PD_OK;
}

pd_status pd_grow(const pd_growing *arrays, int narray, size_t *capacity, size_t n)
{
  if (n <= *capacity) return PD_OK;
  const size_t want = n + n / 4 + 8;
  for (int i = 0; i < narray; i++) {
    const pd_status status = grow_one(&arrays[i], want);
    if (status) return status;
  }
  *capacity = want;
  return PD_OK;
}
