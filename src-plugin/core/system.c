/* SPDX-License-Identifier: MIT
 * Storage, placing and pattern of a system of bodies. */
#include "system.h"

#include <stdlib.h>
#include <string.h>

#include "alloc.h"

static int grow(void **p, int *cap, int n, size_t size)
{
  if (n <= *cap) return 1;
  const int want = n + n / 4 + 8;
  void *q = pd_realloc(*p, (size_t)want * size);
  if (!q) return 0;
  *p = q;
  *cap = want;
  return 1;
}

pd_status pd_system_create(pd_system *sys)
{
  memset(sys, 0, sizeof *sys);
  sys->scheme.kind = PD_NEWMARK;
  sys->scheme.beta = 0.3;
  sys->scheme.gamma = 0.5;
  pd_scheme_set_step(&sys->scheme, 1.0); /* bodies may be placed before the first step */
  return pd_pair_work_create(&sys->work);
}

void pd_system_free(pd_system *sys)
{
  void *owned[] = {sys->body,   sys->link,   sys->wall, sys->lever,    sys->force,
                   sys->step,   sys->six,    sys->save, sys->fac,      sys->col,
                   sys->rowptr, sys->values, sys->rhs,  sys->lever_end};
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) pd_free(owned[i]);
  pd_pair_work_free(sys->work);
  memset(sys, 0, sizeof *sys);
}

static int grow_vectors(pd_system *sys, int nbody)
{
  double **v[] = {&sys->force, &sys->step, &sys->six, &sys->save, &sys->fac, &sys->rhs};
  const int want = nbody + nbody / 4 + 8;
  for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
    double *p = (double *)pd_realloc(*v[i], (size_t)want * 6 * sizeof(double));
    if (!p) return 0;
    *v[i] = p;
  }
  return 1;
}

pd_status pd_system_resize(pd_system *sys, int nbody, int nwall)
{
  if (nbody > sys->cap_body && !grow_vectors(sys, nbody)) return PD_ENOMEM;
  if (!grow((void **)&sys->body, &sys->cap_body, nbody, sizeof(pd_body)) ||
      !grow((void **)&sys->wall, &sys->cap_wall, nwall, sizeof(pd_wall)))
    return PD_ENOMEM;
  sys->nbody = nbody;
  sys->nwall = nwall;
  sys->nlink = 0;
  return PD_OK;
}

pd_status pd_system_add_link(pd_system *sys, pd_link link)
{
  if (!grow((void **)&sys->link, &sys->cap_link, sys->nlink + 1, sizeof(pd_link))) return PD_ENOMEM;
  for (int i = 0; i < 4; i++) link.slot[i] = -1;
  sys->link[sys->nlink++] = link;
  return PD_OK;
}

/* a wall surface is a body at rest whose centre is the world's origin */
static void bind_wall(pd_wall *w)
{
  const pd_place zero = {0};
  w->place = zero;
  w->place.mass = INFINITY;
  if (w->kind == PD_PLANE) return;
  w->place.shape = w->shape;
  w->place.s = w->shape->v;
  w->place.rot = pd_m_identity();
  w->place.box.lo = w->place.box.hi = w->shape->v[0];
  for (int i = 1; i < w->shape->nv; i++) {
    w->place.box.lo = pd_min(w->place.box.lo, w->shape->v[i]);
    w->place.box.hi = pd_max(w->place.box.hi, w->shape->v[i]);
  }
}

pd_status pd_system_bind(pd_system *sys)
{
  size_t n = 0;
  for (int i = 0; i < sys->nbody; i++) {
    sys->body[i].lever = n;
    n += (size_t)sys->body[i].shape->nv;
  }
  if (n > sys->cap_lever) {
    pd_vec3 *p = (pd_vec3 *)pd_realloc(sys->lever, (n + n / 4) * sizeof(pd_vec3));
    if (!p) return PD_ENOMEM;
    sys->lever = p;
    p = (pd_vec3 *)pd_realloc(sys->lever_end, (n + n / 4) * sizeof(pd_vec3));
    if (!p) return PD_ENOMEM;
    sys->lever_end = p;
    sys->cap_lever = n + n / 4;
  }
  sys->nlever = n;
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    b->place.shape = b->shape;
    b->place.s = sys->lever + b->lever;
    b->place.mass = b->mobile ? b->in.mass : INFINITY;
    b->u = b->alpha = pd_v(0.0, 0.0, 0.0);
  }
  for (int i = 0; i < sys->nwall; i++) bind_wall(&sys->wall[i]);
  return PD_OK;
}

/* rotated levers and their box */
static void place_levers(pd_system *sys, pd_body *b)
{
  pd_vec3 *s = sys->lever + b->lever;
  const pd_shape *shape = b->shape;
  b->place.rot = b->k.rot;
  s[0] = pd_mv(b->k.rot, shape->v[0]);
  pd_vec3 lo = s[0], hi = s[0];
  for (int i = 1; i < shape->nv; i++) {
    s[i] = pd_mv(b->k.rot, shape->v[i]);
    lo = pd_min(lo, s[i]);
    hi = pd_max(hi, s[i]);
  }
  b->place.box.lo = lo;
  b->place.box.hi = hi;
}

void pd_system_place(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha)
{
  pd_body *b = &sys->body[i];
  b->u = u;
  b->alpha = alpha;
  b->k = pd_kinematics_at(&sys->scheme, &b->o, u, alpha);
  if (!b->mobile) b->k.motion = pd_at_rest();
  b->place.motion = b->k.motion;
  place_levers(sys, b);
}

double pd_system_kinetic(const pd_system *sys, int trial)
{
  double e = 0.0;
  for (int i = 0; i < sys->nbody && sys->body[i].owned; i++) {
    const pd_body *b = &sys->body[i];
    if (!b->mobile) continue;
    pd_state o = b->o;
    if (trial) o = pd_scheme_advance(&sys->scheme, &b->o, b->u, b->alpha);
    e += pd_kinetic_translation(&b->in, o.v) + pd_kinetic_rotation(&b->in, o.q, o.w);
  }
  return e;
}

/* ---- pattern ---- */

static int by_value(const void *p, const void *q)
{
  const int a = *(const int *)p, b = *(const int *)q;
  return (a > b) - (a < b);
}

/* columns of every owned row, the diagonal first, with repetitions; returns 0 if out of memory */
static int gather_columns(pd_system *sys, long first)
{
  int *fill = (int *)pd_malloc((size_t)(sys->nlocal + 1) * sizeof(int));
  if (!fill) return 0;
  for (int i = 0; i < sys->nlocal; i++) {
    fill[i] = sys->rowptr[i];
    sys->col[fill[i]++] = (int)(first + i);
  }
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    if (l->wall) continue;
    const pd_body *a = &sys->body[l->a], *b = &sys->body[l->b];
    if (a->row < 0 || b->row < 0) continue;
    if (a->owned) sys->col[fill[a->row - first]++] = (int)b->row;
    if (b->owned) sys->col[fill[b->row - first]++] = (int)a->row;
  }
  pd_free(fill);
  return 1;
}

static int count_columns(pd_system *sys, long first)
{
  for (int i = 0; i <= sys->nlocal; i++) sys->rowptr[i] = i < sys->nlocal ? 1 : 0;
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    if (l->wall) continue;
    const pd_body *a = &sys->body[l->a], *b = &sys->body[l->b];
    if (a->row < 0 || b->row < 0) continue;
    if (a->owned) sys->rowptr[a->row - first]++;
    if (b->owned) sys->rowptr[b->row - first]++;
  }
  int sum = 0;
  for (int i = 0; i <= sys->nlocal; i++) {
    const int n = sys->rowptr[i];
    sys->rowptr[i] = sum;
    sum += n;
  }
  return sum;
}

/* sorts the columns of every row and drops repetitions */
static void compress(pd_system *sys)
{
  int out = 0;
  for (int i = 0; i < sys->nlocal; i++) {
    const int begin = sys->rowptr[i], end = sys->rowptr[i + 1];
    qsort(sys->col + begin, (size_t)(end - begin), sizeof(int), by_value);
    sys->rowptr[i] = out;
    for (int k = begin; k < end; k++)
      if (k == begin || sys->col[k] != sys->col[k - 1]) sys->col[out++] = sys->col[k];
  }
  sys->rowptr[sys->nlocal] = out;
}

static int find_slot(const pd_system *sys, long row, long first, long col)
{
  int lo = sys->rowptr[row - first], hi = sys->rowptr[row - first + 1] - 1;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (sys->col[mid] < col)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

static void set_slots(pd_system *sys, long first)
{
  for (int i = 0; i < sys->nlink; i++) {
    pd_link *l = &sys->link[i];
    const pd_body *a = &sys->body[l->a], *b = l->wall ? NULL : &sys->body[l->b];
    for (int k = 0; k < 4; k++) l->slot[k] = -1;
    if (a->owned && a->row >= 0) {
      l->slot[0] = find_slot(sys, a->row, first, a->row);
      if (b && b->row >= 0) l->slot[1] = find_slot(sys, a->row, first, b->row);
    }
    if (b && b->owned && b->row >= 0) {
      l->slot[3] = find_slot(sys, b->row, first, b->row);
      if (a->row >= 0) l->slot[2] = find_slot(sys, b->row, first, a->row);
    }
  }
}

pd_status pd_system_pattern(pd_system *sys, long first, long nglobal)
{
  sys->nlocal = 0;
  sys->nglobal = nglobal;
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].owned && sys->body[i].row >= 0) sys->nlocal++;
  if (!grow((void **)&sys->rowptr, &sys->cap_row, sys->nlocal + 1, sizeof(int))) return PD_ENOMEM;
  const int raw = count_columns(sys, first);
  if (!grow((void **)&sys->col, &sys->cap_col, raw, sizeof(int))) return PD_ENOMEM;
  if (!gather_columns(sys, first)) return PD_ENOMEM;
  compress(sys);
  set_slots(sys, first);
  const size_t n = (size_t)sys->rowptr[sys->nlocal] * 36 + 36;
  if (n > sys->cap_values) {
    double *p = (double *)pd_realloc(sys->values, (n + n / 4) * sizeof(double));
    if (!p) return PD_ENOMEM;
    sys->values = p;
    sys->cap_values = n + n / 4;
  }
  return PD_OK;
}
