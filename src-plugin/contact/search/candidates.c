/* SPDX-License-Identifier: MIT
 * Second level of the contact search: the features of two bodies in their common region. */
#include "contact/search/candidates.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/numbers.h"

static pd_status reserve_vertices(pd_side *s, int n)
{
  const pd_array arrays[] = {PD_ARRAY(s->x), PD_ARRAY(s->stamp), PD_ARRAY(s->v)};
  const size_t before = s->cap_v;
  const pd_status status = pd_arrays_reserve(arrays, 3, &s->cap_v, (size_t)n);
  if (status) return status;
  for (size_t i = before; i < s->cap_v; i++) s->stamp[i] = 0;
  return PD_OK;
}

static pd_status reserve_nodes(pd_side *s, int n)
{
  const pd_array arrays[] = {PD_ARRAY(s->item), PD_ARRAY(s->seen)};
  const size_t before = s->cap_node;
  const pd_status status = pd_arrays_reserve(arrays, 2, &s->cap_node, (size_t)n);
  if (status) return status;
  for (size_t i = before; i < s->cap_node; i++) s->seen[i] = 0;
  return PD_OK;
}

static pd_status reserve_side(pd_side *s, const pd_shape *shape)
{
  const pd_array triangles[] = {PD_ARRAY(s->t), PD_ARRAY(s->tbox)};
  const pd_array edges[] = {PD_ARRAY(s->e), PD_ARRAY(s->ebox)};
  const int nodes = shape->tree.nnodes > shape->nt ? shape->tree.nnodes : shape->nt;
  pd_status status = reserve_vertices(s, shape->nv);
  if (!status) status = pd_arrays_reserve(triangles, 2, &s->cap_t, (size_t)shape->nt);
  if (!status) status = pd_arrays_reserve(edges, 2, &s->cap_e, (size_t)shape->ne);
  return status ? status : reserve_nodes(s, nodes);
}

pd_status pd_candidates_reserve(pd_candidates *c, const pd_shape *a, const pd_shape *b)
{
  const pd_status status = reserve_side(&c->side[0], a);
  return status ? status : reserve_side(&c->side[1], b);
}

static int inside(pd_box box, pd_vec3 p)
{
  return p.x >= box.lo.x && p.x <= box.hi.x && p.y >= box.lo.y && p.y <= box.hi.y &&
         p.z >= box.lo.z && p.z <= box.hi.z;
}

/* region (about A's centre) as seen from a shape's own frame */
static pd_box to_shape_frame(pd_box region, pd_vec3 origin, pd_mat3 rot)
{
  const pd_box about = {pd_sub(region.lo, origin), pd_sub(region.hi, origin)};
  return pd_box_turned(about, pd_m_transpose(rot));
}

static void add_owned(pd_side *s, const pd_shape *shape, int tri, pd_box region)
{
  for (int i = shape->first_vertex[tri]; i < shape->first_vertex[tri + 1]; i++) {
    const int v = shape->own_vertex[i];
    if (inside(region, s->x[v])) s->v[s->nv++] = v;
  }
  for (int i = shape->first_edge[tri]; i < shape->first_edge[tri + 1]; i++) {
    const int e = shape->own_edge[i];
    const pd_vec3 p = s->x[shape->e[e].v[0]], q = s->x[shape->e[e].v[1]];
    pd_box box;
    box.lo = pd_min(p, q);
    box.hi = pd_max(p, q);
    if (!pd_box_overlap(box, region)) continue;
    s->ebox[s->ne] = box;
    s->e[s->ne++] = e;
  }
}

/* where a side is: r0 + ru from A's centre to its own */
typedef struct standing {
  const pd_pose *pose;
  pd_vec3 r0, ru;
} standing;

/* Those of the first n triangles found, with their edges and vertices, that are in the region; of
 * all triangles without a tree. */
static void collect(pd_candidates *c, int side, const standing *at, pd_box region, int n)
{
  const pd_shape *shape = at->pose->shape;
  pd_side *s = &c->side[side];
  const long stamp = c->stamp;
  const int tree = pd_has_tree(shape), all = tree ? n : shape->nt;
  s->nv = s->nt = s->ne = 0;
  for (int i = 0; i < all; i++) {
    const int tri = tree ? s->item[i] : i, *t = shape->t[tri];
    const pd_vec3 x0 = pd_side_position(s, at->pose, at->r0, at->ru, t[0], stamp);
    const pd_vec3 x1 = pd_side_position(s, at->pose, at->r0, at->ru, t[1], stamp);
    const pd_vec3 x2 = pd_side_position(s, at->pose, at->r0, at->ru, t[2], stamp);
    pd_box box;
    box.lo = pd_min(x0, pd_min(x1, x2));
    box.hi = pd_max(x0, pd_max(x1, x2));
    if (!pd_box_overlap(box, region)) continue;
    s->tbox[s->nt] = box;
    s->t[s->nt++] = tri;
    add_owned(s, shape, tri, region);
  }
}

static void collect_region(pd_candidates *c, int side, const standing *at, pd_box region)
{
  const pd_pose *p = at->pose;
  const pd_box seen = to_shape_frame(region, pd_add(at->r0, at->ru), p->rot);
  const int n = pd_has_tree(p->shape) ? pd_bvh_query(&p->shape->tree, seen, c->side[side].item) : 0;
  collect(c, side, at, region, n);
}

/* where the boxes of the two sides, inflated by cut, overlap, about A's centre; 0 if nowhere */
static int common_region(const pd_pair_geometry *pair, double cut, pd_box *region)
{
  const pd_vec3 r = pd_centre_to_centre(pair);
  const pd_box a = pd_pose_box(pair->a), b = pd_pose_box(pair->b);
  region->lo = pd_max(a.lo, pd_add(b.lo, r));
  region->hi = pd_min(a.hi, pd_add(b.hi, r));
  *region = pd_box_inflate(*region, cut);
  return region->lo.x <= region->hi.x && region->lo.y <= region->hi.y &&
         region->lo.z <= region->hi.z;
}

/* room for a search in the common region; *any: 0 if there is none */
static pd_status begin(const pd_pair_geometry *pair, double cut, pd_candidates *out, pd_box *region,
                       int *any)
{
  *any = common_region(pair, cut, region);
  if (!*any) return PD_OK;
  out->stamp++;
  return pd_candidates_reserve(out, pair->a->shape, pair->b->shape);
}

pd_status pd_find_candidates(const pd_pair_geometry *pair, double cut, pd_candidates *out, int *any)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  const standing a = {pair->a, zero, zero}, b = {pair->b, pair->r0, pair->ru};
  pd_box region;
  const pd_status status = begin(pair, cut, out, &region, any);
  if (status || !*any) return status;
  collect_region(out, 0, &a, region);
  *any = out->side[0].nt > 0;
  if (!*any) return PD_OK;
  collect_region(out, 1, &b, region);
  *any = out->side[1].nt > 0;
  return PD_OK;
}

static pd_bvh_side tree_side(const pd_shape *shape, pd_side *s)
{
  const pd_bvh_side side = {&shape->tree, pd_has_tree(shape), s->seen, s->item, 0};
  return side;
}

/* what the trees say is near; n: how many triangles of each side */
static void descend(const pd_pair_geometry *pair, double cut, pd_candidates *out, int *n)
{
  const pd_pose *a = pair->a, *b = pair->b;
  pd_bvh_side ta = tree_side(a->shape, &out->side[0]), tb = tree_side(b->shape, &out->side[1]);
  const double doubt = PD_ROTATION_ROUNDING * (a->shape->radius + b->shape->radius);
  pd_bvh_near(&ta, &tb, pd_mtv(a->rot, pd_centre_to_centre(pair)),
              pd_m_mul(pd_m_transpose(a->rot), b->rot), cut + doubt);
  n[0] = ta.n;
  n[1] = tb.n;
}

pd_status pd_find_near_candidates(const pd_pair_geometry *pair, double cut, pd_candidates *out,
                                  int *any)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  const standing a = {pair->a, zero, zero}, b = {pair->b, pair->r0, pair->ru};
  pd_box region;
  int n[2] = {1, 1};
  const pd_status status = begin(pair, cut, out, &region, any);
  if (status || !*any) return status;
  if (pd_has_tree(pair->a->shape) || pd_has_tree(pair->b->shape)) descend(pair, cut, out, n);
  *any = n[0] > 0 && n[1] > 0;
  if (!*any) return PD_OK;
  collect(out, 0, &a, region, n[0]);
  collect(out, 1, &b, region, n[1]);
  *any = out->side[0].nt > 0 && out->side[1].nt > 0;
  return PD_OK;
}

/* those that the triangles found own, each once */
static void list_vertices(pd_side *s, const pd_shape *shape, int triangles)
{
  s->nv = 0;
  for (int i = 0; i < triangles; i++) {
    const int tri = s->item[i];
    for (int k = shape->first_vertex[tri]; k < shape->first_vertex[tri + 1]; k++)
      s->v[s->nv++] = shape->own_vertex[k];
  }
}

pd_status pd_find_low_vertices(const pd_pair_geometry *pair, double height, pd_candidates *out)
{
  const pd_shape *shape = pair->a->shape;
  pd_side *s = &out->side[0];
  const pd_status status = reserve_side(s, shape);
  if (status) return status;
  if (!pd_has_tree(shape)) {
    for (s->nv = 0; s->nv < shape->nv; s->nv++) s->v[s->nv] = s->nv;
    return PD_OK;
  }
  double hu;
  const double h0 = pd_plane_height(pair, &hu), doubt = PD_ROTATION_ROUNDING * shape->radius;
  const pd_vec3 up = pd_mtv(pair->a->rot, *pair->plane);
  list_vertices(
      s, shape,
      pd_bvh_query_below(&shape->tree, up, height + shape->round - (h0 + hu) + doubt, s->item));
  return PD_OK;
}

void pd_candidates_free(pd_candidates *c)
{
  for (int i = 0; i < 2; i++) {
    pd_side *s = &c->side[i];
    pd_free(s->v);
    pd_free(s->t);
    pd_free(s->e);
    pd_free(s->tbox);
    pd_free(s->ebox);
    pd_free(s->x);
    pd_free(s->stamp);
    pd_free(s->item);
    pd_free(s->seen);
  }
}
