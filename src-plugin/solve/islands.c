/* SPDX-License-Identifier: MIT */
#include "solve/islands.h"

#include <string.h>

#include "base/memory.h"

void pd_islands_free(pd_islands *s)
{
  pd_free(s->parent);
  pd_free(s->of);
  pd_free(s->root);
  pd_free(s->share);
  pd_free(s->mark);
  memset(s, 0, sizeof *s);
}

static pd_status reserve(pd_islands *s, int n)
{
  if (n <= s->cap) return PD_OK;
  const size_t want = (size_t)n + (size_t)n / 4 + 8;
  int *up = (int *)pd_realloc(s->parent, want * sizeof *up);
  if (up) s->parent = up;
  pd_island *of = (pd_island *)pd_realloc(s->of, want * sizeof *of);
  if (of) s->of = of;
  int *root = (int *)pd_realloc(s->root, want * sizeof *root);
  if (root) s->root = root;
  if (!up || !of || !root) return PD_ENOMEM;
  s->cap = (int)want;
  return PD_OK;
}

pd_status pd_islands_reset(pd_islands *s, int n)
{
  static const pd_island fresh = {.active = 1, .shared = -1};
  const pd_status status = reserve(s, n);
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

static int grow(double **p, int *cap, int n)
{
  if (n <= *cap) return 1;
  const int want = n + n / 4 + 8;
  double *q = (double *)pd_realloc(*p, (size_t)want * sizeof *q);
  if (!q) return 0;
  *p = q;
  *cap = want;
  return 1;
}

pd_status pd_islands_share(pd_islands *s, int n, int m)
{
  return grow(&s->share, &s->cap_share, n) && grow(&s->mark, &s->cap_mark, m) ? PD_OK : PD_ENOMEM;
}

int pd_island_find(pd_islands *s, int i)
{
  while (s->parent[i] != i) {
    s->parent[i] = s->parent[s->parent[i]];
    i = s->parent[i];
  }
  return i;
}

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
  to->top[PD_AGE] = to->top[PD_AGE] > from->top[PD_AGE] ? to->top[PD_AGE] : from->top[PD_AGE];
  to->top[PD_NEW] = 0.0;
  if (from->shared >= 0) to->shared = from->shared;
  return 1;
}
