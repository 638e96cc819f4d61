/* SPDX-License-Identifier: MIT */
#include "geometry/triangle_pairs.h"

#include "geometry/triangle_tree.h"

typedef struct pair_search {
  const pd_mesh *mesh;
  pd_triangle_test test;
  const void *ctx;
  pd_triangle_tree tree;
  pd_triangle_pairs *found;
} pair_search;

static void corners(const pd_mesh *mesh, int i, pd_vec3 *p)
{
  for (int k = 0; k < 3; k++) p[k] = mesh->v[mesh->t[i][k]];
}

static void count_pair(pair_search *s, int i, int j)
{
  const int low = i < j ? i : j, high = i < j ? j : i;
  pd_triangle_pairs *found = s->found;
  pd_vec3 p[3], q[3];
  corners(s->mesh, low, p);
  corners(s->mesh, high, q);
  const pd_box near = pd_box_inflate(pd_triangle_box(p), s->tree.margin);
  if (!pd_box_overlap(near, pd_triangle_box(q)) || !s->test(s->ctx, p, q)) return;
  const int *first = found->first;
  if (found->pairs++ == 0 || low < first[0] || (low == first[0] && high < first[1])) {
    found->first[0] = low;
    found->first[1] = high;
  }
}

static void count_in_leaf(pair_search *s, const pd_triangle_node *a)
{
  const int *item = s->tree.item + a->first;
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < i; j++) count_pair(s, item[i], item[j]);
}

static void count_in_leaves(pair_search *s, const pd_triangle_node *a, const pd_triangle_node *b)
{
  for (int i = 0; i < a->count; i++)
    for (int j = 0; j < b->count; j++)
      count_pair(s, s->tree.item[a->first + i], s->tree.item[b->first + j]);
}

/* pairs of a triangle below one node and one below another */
static void count_between(pair_search *s, const pd_triangle_node *a, const pd_triangle_node *b)
{
  if (!pd_nodes_may_meet(a, b)) return;
  if (a->is_leaf && b->is_leaf) {
    count_in_leaves(s, a, b);
    return;
  }
  const int split_a = b->is_leaf || (!a->is_leaf && a->count >= b->count);
  const pd_triangle_node *split = split_a ? a : b, *other = split_a ? b : a;
  count_between(s, s->tree.node + split->child[0], other);
  count_between(s, s->tree.node + split->child[1], other);
}

pd_status pd_mesh_find_pairs(const pd_mesh *mesh, double margin, pd_triangle_test test,
                             const void *ctx, pd_triangle_pairs *found)
{
  const pd_triangle_pairs none = {0, {-1, -1}};
  *found = none;
  pair_search s = {.mesh = mesh, .test = test, .ctx = ctx, .found = found};
  const pd_status status = pd_triangle_tree_build(mesh, margin, &s.tree);
  if (status) return status;
  /* every pair is together in one leaf, or is parted at one node */
  for (int i = 0; i < s.tree.nnodes; i++) {
    const pd_triangle_node *node = s.tree.node + i;
    if (node->is_leaf)
      count_in_leaf(&s, node);
    else
      count_between(&s, s.tree.node + node->child[0], s.tree.node + node->child[1]);
  }
  pd_triangle_tree_free(&s.tree);
  return PD_OK;
}
