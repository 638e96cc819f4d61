/* SPDX-License-Identifier: MIT */
#include "geometry/bvh.h"

#include <string.h>

#include "base/memory.h"

#define LEAF 4

typedef struct builder {
  const pd_box *box;
  pd_bvh *tree;
} builder;

/* Nodes of a tree over n items; halves differ by one, so this is also the number of calls. */
static int count_nodes(int n)
{
  return n <= LEAF ? 1 : 1 + count_nodes(n / 2) + count_nodes(n - n / 2);
}

/* Total order of the items by twice their centre along the axis; ties go by number, so that the
 * tree does not depend on how the selection shuffles. */
static int comes_before(const builder *b, int axis, int i, int j)
{
  const double p = pd_component(b->box[i].lo, axis) + pd_component(b->box[i].hi, axis);
  const double q = pd_component(b->box[j].lo, axis) + pd_component(b->box[j].hi, axis);
  return p < q || (p == q && i < j);
}

static void swap(int *item, int i, int j)
{
  const int x = item[i];
  item[i] = item[j];
  item[j] = x;
}

/* Hoare's partition about the median of three; returns a border with lo <= border < hi. */
static int partition(const builder *b, int axis, int *item, int lo, int hi)
{
  const int mid = lo + (hi - lo) / 2;
  if (comes_before(b, axis, item[mid], item[lo])) swap(item, mid, lo);
  if (comes_before(b, axis, item[hi], item[mid])) swap(item, hi, mid);
  if (comes_before(b, axis, item[mid], item[lo])) swap(item, mid, lo);
  const int pivot = item[mid];
  int i = lo - 1, j = hi + 1;
  for (;;) {
    do i++;
    while (comes_before(b, axis, item[i], pivot));
    do j--;
    while (comes_before(b, axis, pivot, item[j]));
    if (i >= j) return j;
    swap(item, i, j);
  }
}

/* Moves the k lowest of n items to the front (Hoare's selection, O(n) on average). */
static void select_lowest(const builder *b, int axis, int *item, int n, int k)
{
  int lo = 0, hi = n - 1;
  while (lo < hi) {
    const int border = partition(b, axis, item, lo, hi);
    if (k <= border)
      hi = border;
    else
      lo = border + 1;
  }
}

static pd_box join_all(const builder *b, const int *item, int n)
{
  pd_box all = b->box[item[0]];
  for (int i = 1; i < n; i++) all = pd_box_join(all, b->box[item[i]]);
  return all;
}

static pd_oriented_box plain_fit(pd_box box)
{
  const pd_oriented_box o = {pd_scale(0.5, pd_add(box.lo, box.hi)),
                             pd_scale(0.5, pd_sub(box.hi, box.lo)), pd_m_identity()};
  return o;
}

/* Builds the node over item[first .. first+n) and all below it, depth first as the layout wants. */
static void build_node(builder *b, int first, int n)
{
  pd_bvh_node *node = b->tree->node + b->tree->nnodes++;
  int *item = b->tree->item + first;
  node->box = join_all(b, item, n);
  b->tree->fit[node - b->tree->node] = plain_fit(node->box);
  node->first = first;
  node->count = n <= LEAF ? n : 0;
  if (node->count) return;
  select_lowest(b, pd_longest_axis(pd_sub(node->box.hi, node->box.lo)), item, n, n / 2);
  build_node(b, first, n / 2);
  node->first = b->tree->nnodes;
  build_node(b, first + n / 2, n - n / 2);
}

pd_status pd_bvh_build(int n, const pd_box *box, pd_bvh *tree)
{
  memset(tree, 0, sizeof *tree);
  if (n <= 0) return PD_OK;
  tree->node = pd_alloc_array((size_t)count_nodes(n), sizeof *tree->node);
  tree->fit = pd_alloc_array((size_t)count_nodes(n), sizeof *tree->fit);
  tree->item = pd_alloc_array((size_t)n, sizeof *tree->item);
  if (!tree->node || !tree->fit || !tree->item) {
    pd_bvh_free(tree);
    return PD_ENOMEM;
  }
  tree->nitems = n;
  for (int i = 0; i < n; i++) tree->item[i] = i;
  builder b = {box, tree};
  build_node(&b, 0, n);
  return PD_OK;
}

pd_status pd_bvh_build_over(int nt, const pd_vec3 *v, const int (*t)[3], pd_bvh *tree)
{
  pd_box *box = pd_alloc_array((size_t)nt, sizeof *box);
  if (!box) return PD_ENOMEM;
  for (int i = 0; i < nt; i++) {
    const pd_vec3 corner[3] = {v[t[i][0]], v[t[i][1]], v[t[i][2]]};
    box[i] = pd_triangle_box(corner);
  }
  const pd_status status = pd_bvh_build(nt, box, tree);
  pd_free(box);
  return status;
}

/* Items of the leaves that are reached by way of boxes of interest. */
static int query(const pd_bvh *tree, int (*interests)(const void *of, pd_box box), const void *of,
                 int *out)
{
  int stack[64], depth = 0, found = 0;
  if (tree->nnodes > 0) stack[depth++] = 0;
  while (depth > 0) {
    const int i = stack[--depth];
    const pd_bvh_node *node = tree->node + i;
    if (!interests(of, node->box)) continue;
    for (int k = 0; k < node->count; k++) out[found++] = tree->item[node->first + k];
    if (node->count) continue;
    /* at most one node waits per level, and 2^31 items make 30 levels */
    stack[depth++] = node->first;
    stack[depth++] = i + 1;
  }
  return found;
}

static int overlaps(const void *of, pd_box box) { return pd_box_overlap(box, *(const pd_box *)of); }

int pd_bvh_query(const pd_bvh *tree, pd_box region, int *out)
{
  return query(tree, overlaps, &region, out);
}

typedef struct half_space {
  pd_vec3 n;
  double height;
} half_space;

static int reaches_below(const void *of, pd_box box)
{
  const half_space *h = (const half_space *)of;
  const pd_vec3 n = h->n;
  return !(fmin(n.x * box.lo.x, n.x * box.hi.x) + fmin(n.y * box.lo.y, n.y * box.hi.y) +
               fmin(n.z * box.lo.z, n.z * box.hi.z) >=
           h->height);
}

int pd_bvh_query_below(const pd_bvh *tree, pd_vec3 n, double height, int *out)
{
  const half_space below = {n, height};
  return query(tree, reaches_below, &below, out);
}

void pd_bvh_free(pd_bvh *tree)
{
  pd_free(tree->node);
  pd_free(tree->fit);
  pd_free(tree->item);
  memset(tree, 0, sizeof *tree);
}
