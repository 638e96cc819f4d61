/* SPDX-License-Identifier: MIT
 * The one place where the core gets memory; a host or a test can put its own allocator there. */
#ifndef PD_ALLOC_H
#define PD_ALLOC_H

#include "base/status.h"

/* the signatures and rules are those of malloc, realloc and free */
typedef struct pd_allocator {
  void *(*allocate)(size_t size);
  void *(*reallocate)(void *block, size_t size);
  void (*release)(void *block);
} pd_allocator;

PD_BEGIN_DECLS

/* Routes all memory of the core through the given functions; NULL restores those of the C library.
 * Not thread-safe: call it while the core owns no memory, before other threads use it. */
void pd_set_allocator(const pd_allocator *allocator);

/* As malloc, realloc, free, but a size of 0 counts as 1: NULL always means out of memory. */
void *pd_malloc(size_t size);
void *pd_realloc(void *block, size_t size);
void pd_free(void *block);

/* Uninitialised room for n items of the given size; NULL if there is none or n * size overflows. */
void *pd_alloc_array(size_t n, size_t size);

PD_END_DECLS

#endif
