/* SPDX-License-Identifier: MIT
 * Union-find of bodies, and what every island knows of itself. */
#include "solve/islands.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

void pd_islands_free(pd_islands *s)
{
  pd_free(s->parent);
  pd_free(s->of);
  pd_free(s->root);
  pd_free(s->message);
  pd_free(s->body_of_label);
  pd_free(s->label_shared);
  memset(s, 0, sizeof *s);
}

pd_status pd_islands_reset(pd_islands *s, int n)
{
  static const pd_island fresh = {.active = 1, .shared = -1};
  const pd_array arrays[] = {PD_ARRAY(s->parent), PD_ARRAY(s->of), PD_ARRAY(s->root)};
  const pd_status status = pd_arrays_reserve(arrays, 3, &s->cap, (size_t)n);
  if (status) return status;
  s->n = n;
  s->nshared = 0;
  for (int i = 0; i < n; i++) {
    s->parent[i] = i;
    s->of[i] = fresh;
  }
  pd_islands_list(s);
  return PD_OK;
}

pd_status pd_islands_reserve_messages(pd_islands *s, int n, int m)
{
  const pd_array message = PD_ARRAY(s->message);
  const pd_array labels[] = {PD_ARRAY(s->body_of_label), PD_ARRAY(s->label_shared)};
  const pd_status status = pd_arrays_reserve(&message, 1, &s->cap_message, (size_t)n);
  return status ? status : pd_arrays_reserve(labels, 2, &s->cap_label, (size_t)m);
}

int pd_island_find(pd_islands *s, int i)
{
  while (s->parent[i] != i) {
    s->parent[i] = s->parent[s->parent[i]];
    i = s->parent[i];
  }
  return i;
}

pd_island *pd_island_of(pd_islands *s, int i) { return &s->of[pd_island_find(s, i)]; }

pd_island *pd_island_nth(const pd_islands *s, int k) { return &s->of[s->root[k]]; }

void pd_islands_list(pd_islands *s)
{
  s->nroot = 0;
  for (int i = 0; i < s->n; i++) {
    s->parent[i] = pd_island_find(s, i);
    if (s->parent[i] == i) s->root[s->nroot++] = i;
  }
}

int pd_island_join(pd_islands *s, int i, int j)
{
  const int a = pd_island_find(s, i), b = pd_island_find(s, j);
  if (a == b) return 0;
  const int top = a < b ? a : b, low = a < b ? b : a;
  pd_island *to = &s->of[top];
  const pd_island *from = &s->of[low];
  s->parent[low] = top;
  to->max.age = fmax(to->max.age, from->max.age);
  to->max.way = fmax(to->max.way, from->max.way);
  to->min.nmerits = 0.0;
  to->before = 0.0;
  to->local |= from->local;
  if (from->shared >= 0) to->shared = from->shared;
  return 1;
}

pd_status pd_island_status(const pd_island *island)
{
  return pd_status_of_severity((int)island->max.severity);
}

void pd_island_note_status(pd_island *island, pd_status status)
{
  island->max.severity = fmax(island->max.severity, pd_severity(status));
}
