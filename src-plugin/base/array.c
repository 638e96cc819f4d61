/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

pd_status pd_array_resize(void *at, size_t n, size_t size)
{
  void *items;
  if (size > 0 && n > SIZE_MAX / size) return PD_ENOMEM;
  memcpy(&items, at, sizeof items); /* whatever the items' type */
  items = pd_realloc(items, n * size);
  if (!items) return PD_ENOMEM;
  memcpy(at, &items, sizeof items);
  return PD_OK;
}

pd_status pd_array_grow(void *at, int *cap, int n, size_t size, int first)
{
  int room = *cap == 0 ? first : *cap > INT_MAX / 2 ? INT_MAX : 2 * *cap;
  if (room < n) room = n;
  const pd_status status = pd_array_resize(at, (size_t)room, size);
  if (!status) *cap = room;
  return status;
}

pd_status pd_arrays_reserve(const pd_array *arrays, int narray, size_t *cap, size_t n)
{
  if (n <= *cap) return PD_OK;
  if (n > SIZE_MAX / 2) return PD_ENOMEM;
  const size_t room = n + n / 16 + 8;
  for (int i = 0; i < narray; i++) {
    const pd_status status = pd_array_resize(arrays[i].at, room, arrays[i].size);
    if (status) return status;
  }
  *cap = room;
  return PD_OK;
}
