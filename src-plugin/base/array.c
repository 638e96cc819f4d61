/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

pd_status pd_array_resize(void *at, int n, size_t size)
{
  void *items;
  if (n < 0 || (size > 0 && (size_t)n > SIZE_MAX / size)) return PD_ENOMEM;
  memcpy(&items, at, sizeof items); /* whatever the items' type */
  items = pd_realloc(items, (size_t)n * size);
  if (!items) return PD_ENOMEM;
  memcpy(at, &items, sizeof items);
  return PD_OK;
}

pd_status pd_array_grow(void *at, int *cap, int n, size_t size, int first)
{
  int room = *cap == 0 ? first : *cap > INT_MAX / 2 ? INT_MAX : 2 * *cap;
  if (room < n) room = n;
  const pd_status status = pd_array_resize(at, room, size);
  if (!status) *cap = room;
  return status;
}
