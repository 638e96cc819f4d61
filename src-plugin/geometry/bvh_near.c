/* SPDX-License-Identifier: MIT
 * Two trees descended together: which items of each are near the other. */
#include <stdlib.h>

#include "geometry/bvh_pair.h"

static int is_end(const pd_bvh_side *s, int i) { return !s->descend || s->tree->node[i].count; }

/* notes a leaf, or that there is something near a side that is not descended */
static void note(pd_bvh_side *s, int i)
{
  if (!s->descend)
    s->n = 1;
  else if (!s->seen[i])
    s->seen[i] = 1, s->out[s->n++] = i;
}

static int in_order(const void *p, const void *q)
{
  const int a = *(const int *)p, b = *(const int *)q;
  return (a > b) - (a < b);
}

/* Leaves into their items. Written from the last, because a leaf has at least one item. */
static void list_items(pd_bvh_side *s)
{
  int all = 0;
  if (!s->descend) return;
  qsort(s->out, (size_t)s->n, sizeof *s->out, in_order);
  for (int i = 0; i < s->n; i++) all += s->tree->node[s->out[i]].count;
  int at = all;
  for (int i = s->n - 1; i >= 0; i--) {
    const int leaf = s->out[i];
    const pd_bvh_node *node = &s->tree->node[leaf];
    s->seen[leaf] = 0;
    for (int k = node->count - 1; k >= 0; k--) s->out[--at] = s->tree->item[node->first + k];
  }
  s->n = all;
}

void pd_bvh_near(pd_bvh_side *a, pd_bvh_side *b, pd_vec3 r, pd_mat3 rot, double distance)
{
  const pd_bvh_placement p = pd_bvh_place(r, rot);
  const double distance2 = distance * distance;
  pd_bvh_nodes stack[PD_BVH_WAITING] = {{0, 0}};
  int depth = a->tree->nnodes > 0 && b->tree->nnodes > 0;
  a->n = b->n = 0;
  while (depth > 0) {
    const pd_bvh_nodes at = stack[--depth];
    const pd_bvh_node *u = &a->tree->node[at.a], *v = &b->tree->node[at.b];
    if (pd_fit_gap2(&p, &a->tree->fit[at.a], &b->tree->fit[at.b]) >= distance2) continue;
    const int a_ends = is_end(a, at.a), b_ends = is_end(b, at.b);
    if (a_ends && b_ends) {
      note(a, at.a), note(b, at.b);
      continue;
    }
    const int first = pd_bvh_opens_a(u->box, a_ends, v->box, b_ends);
    const pd_bvh_nodes left = {first ? at.a + 1 : at.a, first ? at.b : at.b + 1};
    const pd_bvh_nodes right = {first ? u->first : at.a, first ? at.b : v->first};
    stack[depth++] = right;
    stack[depth++] = left;
  }
  list_items(a);
  list_items(b);
}
