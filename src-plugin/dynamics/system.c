/* SPDX-License-Identifier: MIT
 * Storage, placing and pattern of a system of bodies. */
#include "dynamics/system_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

pd_box pd_box_of(const pd_vec3 *v, int n)
{
  pd_box b;
  b.lo = b.hi = v[0];
  for (int i = 1; i < n; i++) {
    b.lo = pd_min(b.lo, v[i]);
    b.hi = pd_max(b.hi, v[i]);
  }
  return b;
}

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
  const pd_status status = pd_system_create_workers(sys, 1);
  if (status) pd_system_free(sys);
  return status;
}

void pd_system_free(pd_system *sys)
{
  void *owned[] = {sys->body,
                   sys->pair,
                   sys->wall,
                   sys->lever,
                   sys->force,
                   sys->step,
                   sys->buffer,
                   sys->save,
                   sys->step_fraction,
                   sys->col,
                   sys->rowptr,
                   sys->values,
                   sys->rhs,
                   sys->loss,
                   sys->lever_end,
                   sys->loss0,
                   sys->order,
                   sys->load,
                   sys->moved,
                   sys->residual_dirty,
                   sys->tangent_current,
                   sys->row_is_identity,
                   sys->needs_end_levers,
                   sys->active,
                   sys->todo,
                   sys->figure,
                   sys->in_local_step,
                   sys->near,
                   sys->active_pair,
                   sys->contact,
                   sys->nonzero,
                   sys->flag,
                   sys->path_bound,
                   sys->ends};
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) pd_free(owned[i]);
  pd_friction_records_free(&sys->old);
  pd_islands_free(&sys->islands);
  pd_friction_records_free(&sys->kept);
  pd_system_free_workers(sys);
  memset(sys, 0, sizeof *sys);
}

static int grow_vectors(pd_system *sys, int nbody)
{
  double **v[] = {&sys->force,         &sys->step, &sys->buffer, &sys->save,
                  &sys->step_fraction, &sys->rhs,  &sys->loss,   &sys->loss0};
  const int want = nbody + nbody / 4 + 8;
  for (size_t i = 0; i < sizeof v / sizeof v[0]; i++) {
    const size_t n = (size_t)want * (v[i] == &sys->loss || v[i] == &sys->loss0 ? 12 : 6);
    double *p = (double *)pd_realloc(*v[i], n * sizeof(double));
    if (!p) return 0;
    *v[i] = p;
  }
  char **flags[] = {&sys->moved,           &sys->residual_dirty, &sys->tangent_current,
                    &sys->row_is_identity, &sys->in_local_step,  &sys->needs_end_levers};
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    char *p = (char *)pd_realloc(*flags[i], (size_t)want);
    if (!p) return 0;
    *flags[i] = p;
  }
  int *order = (int *)pd_realloc(sys->order, (size_t)want * sizeof(int));
  if (order) sys->order = order;
  double *way = (double *)pd_realloc(sys->path_bound, (size_t)want * sizeof(double));
  if (way) sys->path_bound = way;
  return order && way;
}

static void forget_contact_states(pd_system *sys) { sys->nactive = sys->nstate = sys->nnear = 0; }

pd_status pd_system_resize(pd_system *sys, int nbody, int nwall)
{
  if (nbody > sys->cap_body && !grow_vectors(sys, nbody)) return PD_ENOMEM;
  if (!grow((void **)&sys->body, &sys->cap_body, nbody, sizeof(pd_body)) ||
      !grow((void **)&sys->wall, &sys->cap_wall, nwall, sizeof(pd_wall)))
    return PD_ENOMEM;
  sys->nbody = nbody;
  sys->nwall = nwall;
  sys->npair = sys->nload = 0;
  forget_contact_states(sys);
  sys->old.n = sys->kept.n = 0;
  return PD_OK;
}

static void reset_pair(pd_contact_pair *pair)
{
  pair->beta = pair->lost = 0.0;
  pair->keep = 1.0;
  pair->zeta = pair->law->zeta;
  pair->separation = 0.0;
}

static int grow_pairs(pd_system *sys, int n)
{
  int cap[6];
  for (int i = 0; i < 6; i++) cap[i] = sys->cap_pair;
  return grow((void **)&sys->ends, &cap[0], n, sizeof *sys->ends) &&
         grow((void **)&sys->active, &cap[1], n, 1) &&
         grow((void **)&sys->active_pair, &cap[2], n, sizeof(int)) &&
         grow((void **)&sys->todo, &cap[3], n, sizeof(int)) &&
         grow((void **)&sys->figure, &cap[4], n, sizeof(double)) &&
         grow((void **)&sys->flag, &cap[5], n, 1) &&
         grow((void **)&sys->pair, &sys->cap_pair, n, sizeof(pd_contact_pair));
}

pd_status pd_system_add_pair(pd_system *sys, pd_contact_pair link)
{
  if (!grow_pairs(sys, sys->npair + 1)) return PD_ENOMEM;
  for (int i = 0; i < 4; i++) link.slot[i] = -1;
  link.old = sys->old.n;
  link.contact = -1;
  link.kept = link.nold = link.nkept = link.room = 0;
  reset_pair(&link);
  sys->active[sys->npair] = 0;
  sys->ends[sys->npair][0] = link.a;
  sys->ends[sys->npair][1] = link.wall ? link.a : link.b;
  sys->pair[sys->npair++] = link;
  return PD_OK;
}

pd_status pd_contact_pair_add_state(pd_system *sys, pd_contact_pair *pair,
                                    const pd_contact_state *touch)
{
  if (!grow((void **)&sys->contact, &sys->cap_state, sys->nstate + 1, sizeof(pd_contact_state)))
    return PD_ENOMEM;
  sys->contact[sys->nstate] = *touch;
  pair->contact = sys->nstate++;
  return PD_OK;
}

pd_status pd_contact_pair_add_near(pd_system *sys, const pd_contact_pair *pair)
{
  if (!grow((void **)&sys->near, &sys->cap_near, sys->nnear + 1, sizeof(pd_near))) return PD_ENOMEM;
  memset(&sys->near[sys->nnear], 0, sizeof(pd_near));
  sys->contact[pair->contact].near = sys->nnear++;
  return PD_OK;
}

pd_status pd_system_add_friction_record(pd_system *sys, pd_friction_record record)
{
  const pd_status status = pd_friction_append(&sys->old, record);
  if (!status) sys->pair[sys->npair - 1].nold++;
  return status;
}

pd_status pd_system_set_loads(pd_system *sys, int n, const pd_load *load)
{
  if (!grow((void **)&sys->load, &sys->cap_load, n, sizeof(pd_load))) return PD_ENOMEM;
  if (n > 0) memcpy(sys->load, load, (size_t)n * sizeof(pd_load));
  sys->nload = n;
  return PD_OK;
}

/* a wall is a body whose motion is prescribed and whose centre is the origin of its frame */
static void bind_wall(pd_system *sys, pd_wall *w)
{
  const pd_pose zero = {0};
  w->pose = zero;
  w->pose.mass = INFINITY;
  w->pose.rot = pd_m_identity();
  w->pose.velocity = w->pose.before = pd_at_rest();
  w->pose.increment = pd_no_increment();
  w->n = w->normal;
  w->u_now = w->alpha_now = pd_v(0.0, 0.0, 0.0);
  w->levers_current = 0;
  if (w->kind == PD_PLANE) return;
  w->pose.shape = w->shape;
  w->pose.s = w->moves ? sys->lever + w->lever : w->shape->v;
  w->pose.box = pd_box_of(w->shape->v, w->shape->nv);
}

/* what a wall knows of the substep before; where it stands is left to be found again */
static void reset_wall(pd_system *sys, int i)
{
  pd_wall *w = &sys->wall[i];
  w->u = w->alpha = w->v1 = w->w1 = pd_v(0.0, 0.0, 0.0);
  w->t = -1.0;
  w->energy = w->work = 0.0;
  memset(w->load, 0, sizeof w->load);
  memset(w->loss, 0, sizeof w->loss);
  memset(w->load0, 0, sizeof w->load0);
  memset(w->loss0, 0, sizeof w->loss0);
  pd_system_set_wall_pose(sys, i, 0.0);
}

static void reset_body(pd_body *b)
{
  b->pose.increment = pd_no_increment();
  b->pose.momentum_reference = pd_v(0.0, 0.0, 0.0);
  b->pose.momentum_slope = 0.0;
  b->a = 0.5;
  b->em = 0;
  b->u = b->alpha = b->fload = b->mload = pd_v(0.0, 0.0, 0.0);
}

void pd_system_reset(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) reset_body(&sys->body[i]);
  for (int i = 0; i < sys->nwall; i++) reset_wall(sys, i);
  for (int i = 0; i < sys->npair; i++) reset_pair(&sys->pair[i]);
  for (int i = 0; i < sys->nstate; i++) sys->contact[i].em0.active = sys->contact[i].em1.active = 0;
  sys->nload = 0;
  memset(sys->loss0, 0, (size_t)sys->nbody * 12 * sizeof(double));
}

static int by_tag(const void *p, const void *q)
{
  const pd_body *a = *(const pd_body *const *)p, *b = *(const pd_body *const *)q;
  return (a->tag > b->tag) - (a->tag < b->tag);
}

static int in_order(const pd_system *sys)
{
  for (int i = 1; i < sys->norder; i++)
    if (sys->body[sys->order[i - 1]].tag > sys->body[sys->order[i]].tag) return 0;
  return 1;
}

/* owned bodies by their tags */
static pd_status sort_bodies(pd_system *sys)
{
  sys->norder = 0;
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].owned) sys->order[sys->norder++] = i;
  if (in_order(sys)) return PD_OK;
  const pd_body **p = (const pd_body **)pd_alloc_array((size_t)sys->norder, sizeof *p);
  if (!p) return PD_ENOMEM;
  for (int i = 0; i < sys->norder; i++) p[i] = &sys->body[sys->order[i]];
  qsort(p, (size_t)sys->norder, sizeof *p, by_tag);
  for (int i = 0; i < sys->norder; i++) sys->order[i] = (int)(p[i] - sys->body);
  pd_free(p);
  return PD_OK;
}

pd_status pd_system_bind(pd_system *sys)
{
  size_t n = 0;
  for (int i = 0; i < sys->nbody; i++) {
    sys->body[i].lever = n;
    n += (size_t)sys->body[i].shape->nv;
  }
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *w = &sys->wall[i];
    w->lever = n;
    if (w->moves && w->kind == PD_SURFACE) n += (size_t)w->shape->nv;
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
    b->pose.shape = b->shape;
    b->pose.s = sys->lever + b->lever;
    b->pose.mass = b->mobile ? b->in.mass : INFINITY;
  }
  for (int i = 0; i < sys->nwall; i++) bind_wall(sys, &sys->wall[i]);
  for (int i = 0; i < sys->npair; i++) {
    sys->pair[i].contact = -1;
    sys->active[i] = 0;
  }
  forget_contact_states(sys);
  pd_system_reset(sys);
  return sort_bodies(sys);
}

pd_vec3 pd_wall_at(const pd_wall *w) { return pd_add(w->x, w->u_now); }

void pd_system_move_wall(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha, pd_vec3 v1, pd_vec3 w1)
{
  pd_wall *w = &sys->wall[i];
  w->u = u;
  w->alpha = alpha;
  w->v1 = v1;
  w->w1 = w1;
  w->t = -1.0;
}

/* the vertices of a surface, unless it has not turned since they were placed last */
static void turn_surface(pd_system *sys, pd_wall *w, pd_mat3 rot)
{
  const int same = memcmp(&rot, &w->pose.rot, sizeof rot) == 0;
  w->pose.rot = rot;
  if (same && w->levers_current) return;
  pd_vec3 *s = sys->lever + w->lever;
  for (int k = 0; k < w->shape->nv; k++) s[k] = pd_mv(rot, w->shape->v[k]);
  w->pose.box = pd_box_of(s, w->shape->nv);
  w->levers_current = 1;
}

void pd_system_set_wall_pose(pd_system *sys, int i, double t)
{
  pd_wall *w = &sys->wall[i];
  if (!w->moves || w->t == t) return;
  w->t = t;
  pd_increment *now = &w->pose.increment;
  w->u_now = now->u = pd_scale(t, w->u);
  w->alpha_now = now->alpha = pd_scale(t, w->alpha);
  now->dq = pd_rodrigues(now->alpha);
  now->inv = pd_xi_inverse(now->alpha);
  w->pose.velocity.v = t > 0.0 ? w->v1 : w->v;
  w->pose.velocity.w = t > 0.0 ? w->w1 : w->w;
  const pd_mat3 rot = pd_m_mul(now->dq, pd_q_matrix(w->q));
  w->n = pd_mv(rot, w->normal);
  if (w->kind == PD_SURFACE)
    turn_surface(sys, w, rot);
  else
    w->pose.rot = rot;
}

/* rotated levers and their box */
static void rotate_levers(pd_system *sys, pd_body *b)
{
  pd_vec3 *s = sys->lever + b->lever;
  b->pose.rot = b->k.rot;
  for (int i = 0; i < b->shape->nv; i++) s[i] = pd_mv(b->k.rot, b->shape->v[i]);
  b->pose.box = pd_box_of(s, b->shape->nv);
}

pd_scheme pd_body_scheme(const pd_system *sys, const pd_body *b)
{
  pd_scheme s = sys->scheme;
  s.a = b->a;
  return s;
}

/* xhat = x0 + u/2 - (a - 1/2) h (v0 + v1)/2: with it angular momentum is kept for any a */
static void set_momentum_reference(const pd_scheme *s, pd_body *b)
{
  const pd_vec3 mean = pd_scale(0.5, pd_add(b->o.v, b->k.velocity.v));
  b->pose.momentum_reference = pd_axpy(pd_scale(-0.5, b->u), -(s->a - 0.5) * s->h, mean);
  b->pose.momentum_slope = 0.25 / s->a;
}

void pd_system_set_pose(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha)
{
  pd_body *b = &sys->body[i];
  const pd_scheme s = pd_body_scheme(sys, b);
  b->u = u;
  b->alpha = alpha;
  b->k = pd_kinematics_at(&s, &b->o, u, alpha);
  if (!b->mobile) b->k.velocity = pd_at_rest();
  if (s.kind == PD_EM && b->mobile) set_momentum_reference(&s, b);
  b->pose.before = pd_at_rest();
  if (b->mobile) {
    b->pose.before.v = b->o.v;
    b->pose.before.w = b->o.w;
  }
  b->pose.velocity = b->k.velocity;
  b->pose.increment.u = u;
  b->pose.increment.alpha = alpha;
  b->pose.increment.dq = b->k.dq;
  b->pose.increment.inv = b->k.inv;
  rotate_levers(sys, b);
}

double pd_system_spring(const pd_system *sys)
{
  double sum = 0.0;
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    double gt2 = 0.0;
    for (int k = pair->old; k < pair->old + pair->nold; k++)
      gt2 += pd_norm2(sys->old.r[k].history.gt);
    sum += 0.5 * pair->share * pair->law->t.eps_t * gt2;
  }
  return sum;
}

double pd_system_kinetic(const pd_system *sys)
{
  double e = 0.0;
  for (int i = 0; i < sys->norder; i++) {
    const pd_body *b = &sys->body[sys->order[i]];
    if (!b->mobile) continue;
    e += pd_kinetic_translation(&b->in, b->o.v) + pd_kinetic_rotation(&b->in, b->o.q, b->o.w);
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
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    if (pair->wall) continue;
    const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
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
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    if (pair->wall) continue;
    const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
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
  for (int i = 0; i < sys->npair; i++) {
    pd_contact_pair *pair = &sys->pair[i];
    const pd_body *a = &sys->body[pair->a], *b = pair->wall ? NULL : &sys->body[pair->b];
    for (int k = 0; k < 4; k++) pair->slot[k] = -1;
    if (a->owned && a->row >= 0) {
      pair->slot[0] = find_slot(sys, a->row, first, a->row);
      if (b && b->row >= 0) pair->slot[1] = find_slot(sys, a->row, first, b->row);
    }
    if (b && b->owned && b->row >= 0) {
      pair->slot[3] = find_slot(sys, b->row, first, b->row);
      if (a->row >= 0) pair->slot[2] = find_slot(sys, b->row, first, a->row);
    }
  }
}

/* room for the blocks of the pattern, all zero */
static pd_status make_values(pd_system *sys)
{
  const size_t n = (size_t)sys->rowptr[sys->nlocal] + 1;
  if (n > sys->cap_values) {
    const size_t want = n + n / 4;
    double *p = (double *)pd_realloc(sys->values, want * 36 * sizeof(double));
    if (p) sys->values = p;
    char *live = (char *)pd_realloc(sys->nonzero, want);
    if (live) sys->nonzero = live;
    if (!p || !live) return PD_ENOMEM;
    sys->cap_values = want;
  }
  memset(sys->values, 0, n * 36 * sizeof(double));
  memset(sys->nonzero, 0, n);
  return PD_OK;
}

pd_status pd_system_pattern(pd_system *sys, long first, long nglobal)
{
  sys->nlocal = 0;
  sys->first = first;
  sys->nglobal = nglobal;
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].owned && sys->body[i].row >= 0) sys->nlocal++;
  if (!grow((void **)&sys->rowptr, &sys->cap_row, sys->nlocal + 1, sizeof(int))) return PD_ENOMEM;
  const int raw = count_columns(sys, first);
  if (!grow((void **)&sys->col, &sys->cap_col, raw, sizeof(int))) return PD_ENOMEM;
  if (!gather_columns(sys, first)) return PD_ENOMEM;
  memset(sys->tangent_current, 0, (size_t)sys->nbody);
  memset(sys->row_is_identity, 0, (size_t)sys->nbody);
  compress(sys);
  set_slots(sys, first);
  return make_values(sys);
}
