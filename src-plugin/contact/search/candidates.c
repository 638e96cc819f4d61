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

static pd_status reserve_side(pd_candidates *c, int side, const pd_shape *shape)
{
  pd_side *s = &c->side[side];
  const pd_array triangles[] = {PD_ARRAY(s->t), PD_ARRAY(s->tbox)};
  const pd_array edges[] = {PD_ARRAY(s->e), PD_ARRAY(s->ebox)}, items = PD_ARRAY(c->item);
  const size_t nt = (size_t)shape->nt;
  pd_status status = reserve_vertices(s, shape->nv);
  if (!status) status = pd_arrays_reserve(triangles, 2, &s->cap_t, nt);
  if (!status) status = pd_arrays_reserve(edges, 2, &s->cap_e, (size_t)shape->ne);
  return status ? status : pd_arrays_reserve(&items, 1, &c->cap_item, nt);
}

pd_status pd_candidates_reserve(pd_candidates *c, const pd_shape *a, const pd_shape *b)
{
  const pd_status status = reserve_side(c, 0, a);
  return status ? status : reserve_side(c, 1, b);
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

/* the features of one side in the region; r0 + ru: from A's centre to its own */
static void collect(pd_candidates *c, int side, const pd_pose *p, pd_vec3 r0, pd_vec3 ru,
                    pd_box region)
{
  const pd_shape *shape = p->shape;
  pd_side *s = &c->side[side];
  const long stamp = c->stamp;
  const int tree = shape->nt > PD_TREE_MIN;
  const pd_vec3 origin = pd_add(r0, ru);
  const int n = tree ? pd_bvh_query(&shape->tree, to_shape_frame(region, origin, p->rot), c->item)
                     : shape->nt;
  s->nv = s->nt = s->ne = 0;
  for (int i = 0; i < n; i++) {
    const int tri = tree ? c->item[i] : i, *t = shape->t[tri];
    const pd_vec3 x0 = pd_side_position(s, p, r0, ru, t[0], stamp);
    const pd_vec3 x1 = pd_side_position(s, p, r0, ru, t[1], stamp);
    const pd_vec3 x2 = pd_side_position(s, p, r0, ru, t[2], stamp);
    pd_box box;
    box.lo = pd_min(x0, pd_min(x1, x2));
    box.hi = pd_max(x0, pd_max(x1, x2));
    if (!pd_box_overlap(box, region)) continue;
    s->tbox[s->nt] = box;
    s->t[s->nt++] = tri;
    add_owned(s, shape, tri, region);
  }
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

pd_status pd_find_candidates(const pd_pair_geometry *pair, double cut, pd_candidates *out, int *any)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_box region;
  *any = common_region(pair, cut, &region);
  if (!*any) return PD_OK;
  const pd_status status = pd_candidates_reserve(out, pair->a->shape, pair->b->shape);
  if (status) return status;
  out->stamp++;
  collect(out, 0, pair->a, zero, zero, region);
  if (out->side[0].nt == 0) {
    *any = 0;
    return PD_OK;
  }
  collect(out, 1, pair->b, pair->r0, pair->ru, region);
  *any = out->side[1].nt > 0;
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
  }
  pd_free(c->item);
}
