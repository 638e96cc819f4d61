/* SPDX-License-Identifier: MIT
 * Second level of the contact search: the features of two bodies in their common region. */
#include "base/memory.h"
#include "contact/pair_internal.h"

/* below this many triangles a plain loop beats the tree */
enum { TREE_MIN = 48 };

static int grow(int **p, int *cap, int n)
{
  if (n <= *cap) return 1;
  int *q = (int *)pd_realloc(*p, (size_t)n * sizeof(int));
  if (!q) return 0;
  *p = q;
  *cap = n;
  return 1;
}

/* a list of features with their boxes */
static int grow_boxed(int **p, pd_box **box, int *cap, int n)
{
  if (n <= *cap) return 1;
  pd_box *b = (pd_box *)pd_realloc(*box, (size_t)n * sizeof(pd_box));
  if (!b) return 0;
  *box = b;
  return grow(p, cap, n);
}

static pd_status reserve_vertices(pd_side *s, int nv)
{
  if (nv <= s->cap_v) return PD_OK;
  int cap = s->cap_v;
  pd_vec3 *x = (pd_vec3 *)pd_realloc(s->x, (size_t)nv * sizeof(pd_vec3));
  if (!x) return PD_ENOMEM;
  s->x = x;
  long *stamp = (long *)pd_realloc(s->stamp, (size_t)nv * sizeof(long));
  if (!stamp) return PD_ENOMEM;
  s->stamp = stamp;
  if (!grow(&s->v, &cap, nv)) return PD_ENOMEM;
  for (int i = s->cap_v; i < nv; i++) s->stamp[i] = 0;
  s->cap_v = nv;
  return PD_OK;
}

static pd_status reserve(pd_pair_work *work, int side, const pd_shape *shape)
{
  pd_side *s = &work->side[side];
  const pd_status status = reserve_vertices(s, shape->nv);
  if (status) return status;
  if (!grow_boxed(&s->t, &s->tbox, &s->cap_t, shape->nt) ||
      !grow_boxed(&s->e, &s->ebox, &s->cap_e, shape->ne) ||
      !grow(&work->item, &work->cap_item, shape->nt))
    return PD_ENOMEM;
  return PD_OK;
}

pd_status pd_pair_reserve(pd_pair_work *work, const pd_shape *a, const pd_shape *b)
{
  const pd_status status = reserve(work, 0, a);
  return status ? status : reserve(work, 1, b);
}

static int inside(pd_box box, pd_vec3 p)
{
  return p.x >= box.lo.x && p.x <= box.hi.x && p.y >= box.lo.y && p.y <= box.hi.y &&
         p.z >= box.lo.z && p.z <= box.hi.z;
}

/* region (about A's centre) as seen from a shape's own frame: the box around the rotated box */
static pd_box to_shape_frame(pd_box region, pd_vec3 origin, pd_mat3 rot)
{
  const pd_vec3 mid = pd_sub(pd_scale(0.5, pd_add(region.lo, region.hi)), origin);
  const pd_vec3 half = pd_scale(0.5, pd_sub(region.hi, region.lo)), c = pd_mtv(rot, mid);
  double h[3];
  for (int i = 0; i < 3; i++)
    h[i] = fabs(rot.m[0][i]) * half.x + fabs(rot.m[1][i]) * half.y + fabs(rot.m[2][i]) * half.z;
  pd_box box;
  box.lo = pd_sub(c, pd_v(h[0], h[1], h[2]));
  box.hi = pd_add(c, pd_v(h[0], h[1], h[2]));
  return box;
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

static void collect(pd_side *s, const pd_pose *p, pd_vec3 r0, pd_vec3 ru, pd_box region,
                    pd_pair_work *work)
{
  const pd_shape *shape = p->shape;
  const int tree = shape->nt > TREE_MIN;
  const pd_vec3 origin = pd_add(r0, ru);
  const int n = tree
                    ? pd_bvh_query(&shape->tree, to_shape_frame(region, origin, p->rot), work->item)
                    : shape->nt;
  s->nv = s->nt = s->ne = 0;
  for (int i = 0; i < n; i++) {
    const int tri = tree ? work->item[i] : i, *t = shape->t[tri];
    const pd_vec3 x0 = pd_side_position(s, p, r0, ru, t[0], work->stamp);
    const pd_vec3 x1 = pd_side_position(s, p, r0, ru, t[1], work->stamp);
    const pd_vec3 x2 = pd_side_position(s, p, r0, ru, t[2], work->stamp);
    pd_box box;
    box.lo = pd_min(x0, pd_min(x1, x2));
    box.hi = pd_max(x0, pd_max(x1, x2));
    if (!pd_box_overlap(box, region)) continue;
    s->tbox[s->nt] = box;
    s->t[s->nt++] = tri;
    add_owned(s, shape, tri, region);
  }
}

pd_status pd_pair_candidates(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru, double cut,
                             pd_pair_work *work, int *any)
{
  const pd_vec3 r = pd_add(r0, ru), zero = pd_v(0.0, 0.0, 0.0);
  pd_box region;
  region.lo = pd_max(a->box.lo, pd_add(b->box.lo, r));
  region.hi = pd_min(a->box.hi, pd_add(b->box.hi, r));
  region = pd_box_inflate(region, cut);
  *any = region.lo.x <= region.hi.x && region.lo.y <= region.hi.y && region.lo.z <= region.hi.z;
  if (!*any) return PD_OK;
  const pd_status status = pd_pair_reserve(work, a->shape, b->shape);
  if (status) return status;
  work->stamp++;
  collect(&work->side[0], a, zero, zero, region, work);
  if (work->side[0].nt == 0) {
    *any = 0;
    return PD_OK;
  }
  collect(&work->side[1], b, r0, ru, region, work);
  *any = work->side[1].nt > 0;
  return PD_OK;
}

pd_status pd_pair_work_create(pd_pair_work **work)
{
  const pd_pair_work zero = {0};
  *work = (pd_pair_work *)pd_malloc(sizeof(pd_pair_work));
  if (!*work) return PD_ENOMEM;
  **work = zero;
  return PD_OK;
}

void pd_pair_nothing(pd_pair_work *work) { work->ndeferred = 0; }

void pd_pair_work_free(pd_pair_work *work)
{
  if (!work) return;
  for (int i = 0; i < 2; i++) {
    pd_side *s = &work->side[i];
    pd_free(s->v);
    pd_free(s->t);
    pd_free(s->e);
    pd_free(s->tbox);
    pd_free(s->ebox);
    pd_free(s->x);
    pd_free(s->stamp);
  }
  pd_free(work->list);
  pd_free(work->sweep);
  pd_free(work->deferred);
  pd_free(work->item);
  pd_free(work);
}
