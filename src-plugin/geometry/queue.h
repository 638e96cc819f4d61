/* SPDX-License-Identifier: MIT
 * Numbered items, the one with the least key first: a binary heap. */
#ifndef PD_QUEUE_H
#define PD_QUEUE_H

#include "base/status.h"

typedef struct pd_queue {
  int n;       /* items in the heap */
  int *heap;   /* items */
  int *place;  /* of an item in the heap, -1: it is not in it */
  double *key; /* of an item */
} pd_queue;

PD_BEGIN_DECLS

/* An empty queue for items 0 to n - 1. Errors: PD_ENOMEM. */
pd_status pd_queue_begin(int n, pd_queue *q);

/* Puts an item in, or elsewhere. Of equal keys the lower number comes first. */
void pd_queue_put(pd_queue *q, int item, double key);

/* Takes the first item out; -1: there is none. */
int pd_queue_take(pd_queue *q);

void pd_queue_free(pd_queue *q);

PD_END_DECLS

#endif
