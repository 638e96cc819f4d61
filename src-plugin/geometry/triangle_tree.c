/* SPDX-License-Identifier: MIT */
#include "geometry/triangle_tree.h"

#include <string.h>

#include "base/memory.h"

#define LEAF 8
/* more than rounding does to a projection of differences, in units of the largest coordinate */
#define MARGIN (64.0 * DBL_EPSILON)

typedef struct builder {
  const pd_mesh *mesh;
  int *apex;    /* of each triangle: which of its vertices has most triangles */
  pd_vec3 *key; /* of each triangle: by which it goes to one child or the other */
  pd_triangle_tree *tree;
} builder;

static pd_vec3 corner(const builder *b, const pd_triangle_node *node, int i)
{
  return b->mesh->v[b->mesh->t[b->tree->item[node->first + i / 3]][i % 3]];
}

static pd_box box_around(const builder *b, const pd_triangle_node *node)
{
  pd_box box = {corner(b, node, 0), corner(b, node, 0)};
  for (int i = 1; i < 3 * node->count; i++) {
    box.lo = pd_min(box.lo, corner(b, node, i));
    box.hi = pd_max(box.hi, corner(b, node, i));
  }
  return pd_box_inflate(box, 0.5 * b->tree->margin);
}

/* ---- boxes in axes of their own ---- */

static pd_vec3 axis(const pd_oriented_box *b, int k) { return pd_v_load(b->axes.m[k]); }

/* any unit vector at right angles to a */
static pd_vec3 normal_to(pd_vec3 a)
{
  const pd_vec3 x = pd_v(1.0, 0.0, 0.0), y = pd_v(0.0, 1.0, 0.0);
  return pd_unit(pd_cross(a, fabs(a.x) < 0.5 * pd_norm(a) ? x : y));
}

/* from the point c to the corner farthest from it, or farthest from the line through it along e */
static pd_vec3 to_farthest(const builder *b, const pd_triangle_node *node, pd_vec3 c, pd_vec3 e)
{
  pd_vec3 far = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < 3 * node->count; i++) {
    pd_vec3 d = pd_sub(corner(b, node, i), c);
    d = pd_axpy(d, -pd_dot(d, e), e);
    if (pd_norm2(d) > pd_norm2(far)) far = d;
  }
  return far;
}

/* first axis: to the corner farthest from the middle; second: to that farthest from the first */
static pd_mat3 choose_axes(const builder *b, const pd_triangle_node *node, pd_vec3 middle)
{
  pd_mat3 axes;
  pd_vec3 e = pd_unit(to_farthest(b, node, middle, pd_v(0.0, 0.0, 0.0)));
  if (pd_norm2(e) == 0.0) e.x = 1.0;
  pd_vec3 f = pd_unit(to_farthest(b, node, middle, e));
  f = pd_unit(pd_axpy(f, -pd_dot(f, e), e));
  if (pd_norm2(f) == 0.0) f = normal_to(e);
  pd_v_store(axes.m[0], e);
  pd_v_store(axes.m[1], f);
  pd_v_store(axes.m[2], pd_cross(e, f));
  return axes;
}

static pd_oriented_box oriented_around(const builder *b, const pd_triangle_node *node)
{
  const pd_vec3 lo = node->box.lo, hi = node->box.hi;
  const pd_vec3 most = pd_max(pd_max(hi, pd_neg(hi)), pd_max(lo, pd_neg(lo)));
  const double margin = MARGIN * (most.x + most.y + most.z) + 0.5 * b->tree->margin;
  pd_oriented_box o = {.centre = pd_axpy(lo, 0.5, pd_sub(hi, lo)), .half = pd_v(0.0, 0.0, 0.0)};
  o.axes = choose_axes(b, node, o.centre);
  for (int i = 0; i < 3 * node->count; i++) {
    const pd_vec3 c = pd_mv(o.axes, pd_sub(corner(b, node, i), o.centre));
    o.half = pd_max(o.half, pd_max(c, pd_neg(c)));
  }
  o.half = pd_add(o.half, pd_v(margin, margin, margin));
  return o;
}

static double half_width(const pd_oriented_box *b, pd_vec3 d)
{
  const pd_vec3 c = pd_mv(b->axes, d);
  return fabs(c.x) * b->half.x + fabs(c.y) * b->half.y + fabs(c.z) * b->half.z;
}

/* whether there is a gap between them along d, which may have any length up to 1 */
static int parts(const pd_oriented_box *a, const pd_oriented_box *b, pd_vec3 d)
{
  return fabs(pd_dot(pd_sub(b->centre, a->centre), d)) > half_width(a, d) + half_width(b, d);
}

static int oriented_overlap(const pd_oriented_box *a, const pd_oriented_box *b)
{
  for (int k = 0; k < 3; k++)
    if (parts(a, b, axis(a, k)) || parts(a, b, axis(b, k))) return 0;
  for (int k = 0; k < 9; k++)
    if (parts(a, b, pd_cross(axis(a, k / 3), axis(b, k % 3)))) return 0;
  return 1;
}

/* ---- directions about an apex ---- */

static double angle_between(pd_vec3 a, pd_vec3 b)
{
  return 2.0 * asin(fmin(1.0, 0.5 * pd_norm(pd_sub(a, b))));
}

/* unit vectors from its apex to the two other corners of a triangle */
static void directions(const builder *b, int triangle, pd_vec3 *d)
{
  const int *t = b->mesh->t[triangle], apex = b->apex[triangle];
  const int k = t[0] == apex ? 0 : t[1] == apex ? 1 : 2;
  for (int i = 0; i < 2; i++)
    d[i] = pd_unit(pd_sub(b->mesh->v[t[(k + 1 + i) % 3]], b->mesh->v[apex]));
}

/* angle of a direction from the mean one; pi where one of them is lost, all cancelling or so short
 * that it cannot be told */
static double angle_from(pd_vec3 towards, pd_vec3 d)
{
  return pd_norm2(towards) > 0.5 && pd_norm2(d) > 0.5 ? angle_between(towards, d) : PD_PI;
}

/* The arc between two directions is in a cap that has both, if it is less than half the sphere. */
static void set_cap(const builder *b, pd_triangle_node *node)
{
  const int *item = b->tree->item + node->first;
  pd_vec3 d[2], sum = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < node->count; i++) {
    directions(b, item[i], d);
    sum = pd_add(sum, pd_add(d[0], d[1]));
  }
  node->towards = pd_unit(sum);
  node->spread = MARGIN;
  for (int i = 0; i < node->count; i++) {
    directions(b, item[i], d);
    for (int k = 0; k < 2; k++)
      node->spread = fmax(node->spread, angle_from(node->towards, d[k]) + MARGIN);
  }
  if (node->spread > 0.49 * PD_PI) node->spread = PD_PI;
}

int pd_nodes_may_meet(const pd_triangle_node *a, const pd_triangle_node *b)
{
  if (!pd_box_overlap(a->box, b->box)) return 0;
  if (a->apex >= 0 && a->apex == b->apex)
    return angle_between(a->towards, b->towards) <= a->spread + b->spread;
  return oriented_overlap(&a->oriented, &b->oriented);
}

/* ---- the tree ---- */

static int common_apex(const builder *b, const pd_triangle_node *node)
{
  const int *item = b->tree->item + node->first;
  for (int i = 1; i < node->count; i++)
    if (b->apex[item[i]] != b->apex[item[0]]) return -1;
  return b->apex[item[0]];
}

/* triangles about one vertex go by their directions, others by their vertices */
static pd_box set_keys(const builder *b, const pd_triangle_node *node)
{
  const int *item = b->tree->item + node->first;
  pd_box all = {pd_v(DBL_MAX, DBL_MAX, DBL_MAX), pd_v(-DBL_MAX, -DBL_MAX, -DBL_MAX)};
  for (int i = 0; i < node->count; i++) {
    pd_vec3 d[2], *key = b->key + item[i];
    *key = b->mesh->v[b->apex[item[i]]];
    if (node->apex >= 0) {
      directions(b, item[i], d);
      *key = pd_unit(pd_add(d[0], d[1]));
    }
    const pd_box point = {*key, *key};
    all = pd_box_join(all, point);
  }
  return all;
}

/* Puts items on the lower side of the middle of all keys to the front; returns how many. Where all
 * keys are the same it is half of them. */
static int part_items(const builder *b, const pd_triangle_node *node)
{
  int *item = b->tree->item + node->first, n = 0;
  const pd_box all = set_keys(b, node);
  const int k = pd_longest_axis(pd_sub(all.hi, all.lo));
  const double lo = pd_component(all.lo, k), hi = pd_component(all.hi, k),
               middle = lo + 0.5 * (hi - lo);
  if (!(lo < hi)) return node->count / 2;
  for (int i = 0; i < node->count; i++) {
    const int x = item[i];
    if (pd_component(b->key[x], k) > fmin(middle, nextafter(hi, lo))) continue;
    item[i] = item[n];
    item[n++] = x;
  }
  return n;
}

/* Builds the node over item[first .. first+count) and all below it; returns its number. */
static int build_node(builder *b, int first, int count)
{
  const int number = b->tree->nnodes++;
  pd_triangle_node *node = b->tree->node + number;
  memset(node, 0, sizeof *node);
  node->first = first;
  node->count = count;
  node->box = box_around(b, node);
  node->oriented = oriented_around(b, node);
  node->apex = common_apex(b, node);
  if (node->apex >= 0) set_cap(b, node);
  node->is_leaf = count <= LEAF;
  if (node->is_leaf) return number;
  const int low = part_items(b, node);
  node->child[0] = build_node(b, first, low);
  node->child[1] = build_node(b, first + low, count - low);
  return number;
}

/* of vertices with as many triangles the lowest */
static void choose_apexes(const pd_mesh *mesh, int *valence, int *apex)
{
  memset(valence, 0, (size_t)mesh->nv * sizeof *valence);
  for (int i = 0; i < 3 * mesh->nt; i++) valence[mesh->t[i / 3][i % 3]]++;
  for (int i = 0; i < mesh->nt; i++) {
    const int *t = mesh->t[i];
    apex[i] = t[0];
    for (int k = 1; k < 3; k++) {
      const int more = valence[t[k]] - valence[apex[i]];
      if (more > 0 || (more == 0 && t[k] < apex[i])) apex[i] = t[k];
    }
  }
}

pd_status pd_triangle_tree_build(const pd_mesh *mesh, double margin, pd_triangle_tree *tree)
{
  const size_t n = (size_t)mesh->nt;
  memset(tree, 0, sizeof *tree);
  tree->margin = margin;
  if (n == 0) return PD_OK;
  int *valence = pd_alloc_array((size_t)mesh->nv, sizeof *valence);
  builder b = {mesh, pd_alloc_array(n, sizeof *b.apex), pd_alloc_array(n, sizeof *b.key), tree};
  tree->node = pd_alloc_array(2 * n - 1, sizeof *tree->node);
  tree->item = pd_alloc_array(n, sizeof *tree->item);
  const pd_status status =
      valence && b.apex && b.key && tree->node && tree->item ? PD_OK : PD_ENOMEM;
  if (!status) {
    for (int i = 0; i < mesh->nt; i++) tree->item[i] = i;
    choose_apexes(mesh, valence, b.apex);
    build_node(&b, 0, mesh->nt);
  }
  pd_free(valence);
  pd_free(b.apex);
  pd_free(b.key);
  if (status) pd_triangle_tree_free(tree);
  return status;
}

void pd_triangle_tree_free(pd_triangle_tree *tree)
{
  pd_free(tree->node);
  pd_free(tree->item);
  memset(tree, 0, sizeof *tree);
}
