/* SPDX-License-Identifier: MIT */
#include "geometry/queue.h"

#include <string.h>

#include "base/memory.h"

pd_status pd_queue_begin(int n, pd_queue *q)
{
  q->n = 0;
  q->heap = pd_alloc_array((size_t)n, sizeof *q->heap);
  q->place = pd_alloc_array((size_t)n, sizeof *q->place);
  q->key = pd_alloc_array((size_t)n, sizeof *q->key);
  if (!q->heap || !q->place || !q->key) return PD_ENOMEM;
  for (int i = 0; i < n; i++) q->place[i] = -1;
  return PD_OK;
}

static int comes_before(const pd_queue *q, int i, int j)
{
  return q->key[i] < q->key[j] || (q->key[i] == q->key[j] && i < j);
}

static void set(pd_queue *q, int place, int item)
{
  q->heap[place] = item;
  q->place[item] = place;
}

static int rise(pd_queue *q, int place, int item)
{
  while (place > 0 && comes_before(q, item, q->heap[(place - 1) / 2])) {
    set(q, place, q->heap[(place - 1) / 2]);
    place = (place - 1) / 2;
  }
  return place;
}

static int sink(pd_queue *q, int place, int item)
{
  for (int child; (child = 2 * place + 1) < q->n; place = child) {
    if (child + 1 < q->n && comes_before(q, q->heap[child + 1], q->heap[child])) child++;
    if (!comes_before(q, q->heap[child], item)) break;
    set(q, place, q->heap[child]);
  }
  return place;
}

void pd_queue_put(pd_queue *q, int item, double key)
{
  if (q->place[item] < 0) q->place[item] = q->n++;
  q->key[item] = key;
  set(q, sink(q, rise(q, q->place[item], item), item), item);
}

int pd_queue_take(pd_queue *q)
{
  if (q->n == 0) return -1;
  const int first = q->heap[0], last = q->heap[--q->n];
  q->place[first] = -1;
  if (q->n > 0) set(q, sink(q, 0, last), last);
  return first;
}

void pd_queue_free(pd_queue *q)
{
  pd_free(q->heap);
  pd_free(q->place);
  pd_free(q->key);
  memset(q, 0, sizeof *q);
}
