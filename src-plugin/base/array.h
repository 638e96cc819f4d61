/* SPDX-License-Identifier: MIT
 * One growable array: a pointer to items and their capacity, both of which stay with the owner. */
#ifndef PD_ARRAY_H
#define PD_ARRAY_H

#include "base/status.h"

/* Makes room for n items in the array at the lvalue items, of capacity cap. It grows to the first
 * capacity, then by twice, so that n items appended one by one are copied a constant number of
 * times each. What was in it stays. Errors: PD_ENOMEM; the array is then as it was. */
#define PD_ARRAY_RESERVE(items, cap, n, first)                                                     \
  ((n) <= (cap) ? PD_OK : pd_array_grow(&(items), &(cap), (n), sizeof *(items), (first)))

/* The same with room for exactly n items where there was less, for arrays whose length is known. */
#define PD_ARRAY_FIT(items, n) pd_array_resize(&(items), (n), sizeof *(items))

PD_BEGIN_DECLS

/* at: address of the pointer to the items; size: of an item, bytes; first: the first capacity */
pd_status pd_array_grow(void *at, int *cap, int n, size_t size, int first);
pd_status pd_array_resize(void *at, int n, size_t size);

PD_END_DECLS

#endif
