/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>

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
