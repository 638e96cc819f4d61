/* SPDX-License-Identifier: MIT
 * Arrays that grow: pointers to items and a capacity, both of which stay with the owner. What is in
 * them stays, too. They never shrink.
 *   PD_ARRAY_RESERVE   one list of unknown length that gets its items one by one
 *   pd_arrays_reserve  arrays of one length that is known beforehand: they share a capacity
 *   PD_ARRAY_FIT       one array of a length that will hardly change: no more than that */
#ifndef PD_ARRAY_H
#define PD_ARRAY_H

#include "base/status.h"

/* Makes room for n items in the array at the lvalue items, of capacity cap (int). It grows to the
 * first capacity, then by twice, so that n items appended one by one are copied a constant number
 * of times each. Errors: PD_ENOMEM; the array is then as it was. */
#define PD_ARRAY_RESERVE(items, cap, n, first)                                                     \
  ((n) <= (cap) ? PD_OK : pd_array_grow(&(items), &(cap), (n), sizeof *(items), (first)))

/* Makes room for exactly n items in the array at the lvalue items, which has room for less. Errors:
 * PD_ENOMEM; the array is then as it was. */
#define PD_ARRAY_FIT(items, n) pd_array_resize(&(items), (size_t)(n), sizeof *(items))

/* One of several arrays of the same length. at: address of the pointer to its first item; size:
 * bytes of an item, or of the several values that there are of each. */
typedef struct pd_array {
  void *at;
  size_t size;
} pd_array;

/* the array at an lvalue, as initialiser */
#define PD_ARRAY(items)                                                                            \
  {                                                                                                \
    &(items), sizeof *(items)                                                                      \
  }

PD_BEGIN_DECLS

/* Makes room for n items in each of the arrays, which so far have room for *cap. They grow to a
 * sixteenth more than is asked for: they are most of the memory, and their length changes little at
 * a time. Errors: PD_ENOMEM; *cap is then what it was, and the arrays are at least as large. */
pd_status pd_arrays_reserve(const pd_array *arrays, int narray, size_t *cap, size_t n);

/* For the macros. at: address of the pointer to the items; size: of an item, bytes. */
pd_status pd_array_grow(void *at, int *cap, int n, size_t size, int first);
pd_status pd_array_resize(void *at, size_t n, size_t size);

PD_END_DECLS

#endif
