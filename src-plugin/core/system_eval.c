/* SPDX-License-Identifier: MIT
 * Residual and tangent of a step: eqs. (60)-(63) of the 2021 paper, moments left as moments. */
#include <string.h>

#include "system_internal.h"

static double *block(const pd_system *sys, int slot) { return sys->values + 36 * (size_t)slot; }

/* rows of k with their spin columns from col on turned into columns of alpha, into out */
static void by_alpha(double (*out)[12], double (*k)[12], int rows, int col, const pd_mat3 *xi)
{
  for (int i = 0; i < rows; i++) {
    const double s[3] = {k[i][col + 3], k[i][col + 4], k[i][col + 5]};
    for (int j = 0; j < 3; j++) {
      out[i][col + j] = k[i][col + j];
      out[i][col + 3 + j] = s[0] * xi->m[0][j] + s[1] * xi->m[1][j] + s[2] * xi->m[2][j];
    }
  }
}

/* adds the 6x6 part of k at (row, col) */
static void add_block(double *out, double (*k)[12], int row, int col)
{
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) out[6 * i + j] += k[row + i][col + j];
}

/* a link's tangent by alpha into the rows of the stirred bodies */
static void assemble(const pd_system *sys, const pd_link *l, double (*k)[12])
{
  if (sys->stir[l->a]) {
    if (l->slot[0] >= 0) add_block(block(sys, l->slot[0]), k, 0, 0);
    if (l->slot[1] >= 0) add_block(block(sys, l->slot[1]), k, 0, 6);
  }
  if (l->wall || !sys->stir[l->b]) return;
  if (l->slot[2] >= 0) add_block(block(sys, l->slot[2]), k, 6, 0);
  if (l->slot[3] >= 0) add_block(block(sys, l->slot[3]), k, 6, 6);
}

static void load_wall(pd_wall *w, const pd_action *r)
{
  for (int i = 0; i < 6; i++) {
    w->load[i] += r->force[6 + i];
    for (int k = 0; k < PD_NLOSS; k++) w->loss[k][i] += r->loss[k][6 + i];
  }
  w->energy += r->energy + r->spring;
}

/* a link out of reach: its tangent is read only where a contact has just opened */
static pd_status clear_far(const pd_system *sys, const pd_link *l, pd_pair_result *r, int tangent)
{
  pd_result_clear(r, tangent && sys->scheme.kind == PD_EM && l->em0.active);
  return PD_OK;
}

static pd_status eval_wall(const pd_system *sys, const pd_link *l, const pd_law *law, int tangent,
                           const pd_memory *memory, double em, pd_pair_work *work,
                           pd_pair_result *r, pd_contact_list *list)
{
  const pd_body *a = &sys->body[l->a];
  const pd_wall *w = &sys->wall[l->b];
  const int k = tangent && l->slot[0] >= 0;
  const pd_vec3 r0 = pd_sub(w->x, a->o.x), ru = pd_sub(w->u_now, a->u);
  pd_status status;
  if (w->kind == PD_PLANE) {
    const double h0 = -pd_dot(w->n, r0), hu = -pd_dot(w->n, ru);
    if (h0 + hu > a->shape->radius + law->gbar) return clear_far(sys, l, r, tangent);
    status = pd_plane_eval(&a->place, h0, hu, w->n, &w->place, pd_add(r0, ru), law, k, memory, em,
                           work, r, list);
  } else {
    status =
        pd_pair_eval(&a->place, &w->place, r0, ru, law, sys->set, k, memory, em, work, r, list);
  }
  return status;
}

static pd_status eval_bodies(const pd_system *sys, const pd_link *l, const pd_law *law, int tangent,
                             const pd_memory *memory, double em, pd_pair_work *work,
                             pd_pair_result *r, pd_contact_list *list)
{
  const pd_body *a = &sys->body[l->a], *b = &sys->body[l->b];
  const pd_vec3 r0 = pd_sub(b->o.x, a->o.x), ru = pd_sub(b->u, a->u), c = pd_add(r0, ru);
  const double reach = a->shape->radius + b->shape->radius + law->gbar;
  if (pd_norm2(c) > reach * reach) return clear_far(sys, l, r, tangent);
  return pd_pair_eval(&a->place, &b->place, r0, ru, law, sys->set, tangent, memory, em, work, r,
                      list);
}

/* Its records, if fresh is not NULL, are appended to fresh. */
static pd_status eval_link(const pd_system *sys, const pd_link *l, int tangent, pd_slip_list *fresh,
                           double em, pd_pair_work *work, pd_pair_result *r, pd_contact_list *list)
{
  const pd_memory memory = {sys->old.r + l->old, l->nold, fresh};
  const pd_law *law = l->law;
  pd_law damped;
  pd_pair_nothing(work);
  if (em > 0.0 && l->zeta != l->law->zeta) {
    damped = *l->law;
    damped.zeta = l->zeta;
    law = &damped;
  }
  pd_pair_keep(work, pd_link_near(sys, l));
  const pd_status status = l->wall ? eval_wall(sys, l, law, tangent, &memory, em, work, r, list)
                                   : eval_bodies(sys, l, law, tangent, &memory, em, work, r, list);
  pd_pair_keep(work, NULL);
  return status;
}

/* virial of a pair of bodies: (x_A - x_B) f_A */
static void add_virial(const pd_system *sys, const pd_link *l, const double *f, double *virial)
{
  const pd_body *a = &sys->body[l->a], *b = &sys->body[l->b];
  const pd_vec3 d = pd_sub(pd_sub(a->o.x, b->o.x), pd_sub(b->u, a->u));
  const double w[6] = {d.x * f[0], d.y * f[1], d.z * f[2], d.x * f[1], d.x * f[2], d.y * f[2]};
  for (int i = 0; i < 6; i++) virial[i] += l->share * w[i];
}

static void add_totals(pd_totals *t, const pd_link *l, const pd_action *r)
{
  t->energy += l->share * r->energy;
  t->spring += l->share * r->spring;
  t->scale2 += l->share * r->scale2;
  t->ncontact += l->share * r->ncontact;
  t->mingap = fmin(t->mingap, r->mingap);
}

/* force (6) and losses (12) of one of the bodies; at: 0 for A, 6 for B */
static void add_forces(pd_system *sys, int body, double sign, const pd_action *r, int at)
{
  double *f = sys->force + 6 * body, *loss = sys->loss + 12 * body;
  for (int m = 0; m < 6; m++) {
    f[m] += sign * r->force[at + m];
    for (int k = 0; k < PD_NLOSS; k++) loss[6 * k + m] += r->loss[k][at + m];
  }
}

/* what the pair functions are to do: see pd_pair_eval */
static double em_mode(const pd_system *sys, double sign)
{
  if (sys->scheme.kind != PD_EM) return 0.0;
  return sign < 0.0 ? sys->scheme.h : -1.0;
}

/* ---- which links have to be evaluated ---- */

double pd_body_way(const pd_body *b)
{
  return b->mobile ? pd_norm(b->u) + pd_norm(b->alpha) * b->shape->radius : 0.0;
}

/* what rounding may do to a bound */
static double doubt_of(const pd_body *a) { return 1e-9 * a->shape->radius; }

static double way_of(const pd_system *sys, const pd_link *l)
{
  return pd_body_way(&sys->body[l->a]) + (l->wall ? 0.0 : pd_body_way(&sys->body[l->b]));
}

/* planes are simple, and what moves by itself is not looked at */
static int is_bounded(const pd_system *sys, const pd_link *l)
{
  return !l->wall || (sys->wall[l->b].kind == PD_SURFACE && !sys->wall[l->b].moves);
}

double pd_link_clear(const pd_system *sys, const pd_link *l)
{
  if (!is_bounded(sys, l)) return 0.0;
  return fmax(0.0, l->clear - way_of(sys, l) - doubt_of(&sys->body[l->a]));
}

void pd_system_advance_bounds(pd_system *sys)
{
  for (int i = 0; i < sys->nlink; i++) sys->link[i].clear = pd_link_clear(sys, &sys->link[i]);
}

double pd_system_distance(const pd_system *sys, pd_link *l, double cut, pd_pair_work *work,
                          pd_status *status)
{
  const pd_body *a = &sys->body[l->a], *b = l->wall ? NULL : &sys->body[l->b];
  const pd_wall *w = l->wall ? &sys->wall[l->b] : NULL;
  const double way = way_of(sys, l) + doubt_of(a);
  *status = PD_OK;
  if (w && w->kind == PD_PLANE) {
    const pd_vec3 r0 = pd_sub(w->x, a->o.x), ru = pd_sub(w->u_now, a->u);
    return pd_plane_distance(&a->place, -pd_dot(w->n, r0), -pd_dot(w->n, ru), w->n);
  }
  const pd_vec3 r0 = pd_sub(b ? b->o.x : w->x, a->o.x), ru = pd_sub(b ? b->u : w->u_now, a->u);
  double d = pd_norm(pd_add(r0, ru)) - a->shape->radius - (b ? b->shape->radius : 0.0);
  if (!b || d < cut)
    *status = pd_pair_distance(&a->place, b ? &b->place : &w->place, r0, ru, cut, work, &d);
  if (is_bounded(sys, l)) l->clear = fmax(l->clear, d - way);
  return d;
}

/* whether the link is sure to be open; where that is likely but not known, it is found out with
 * some room for the evaluations to come */
static int is_open(const pd_system *sys, pd_link *l, const pd_action *last, pd_pair_work *work,
                   pd_status *status)
{
  const double way = way_of(sys, l) + doubt_of(&sys->body[l->a]), gbar = l->law->gbar;
  *status = PD_OK;
  if (!is_bounded(sys, l)) return 0;
  if (l->clear > gbar + way) return 1;
  if (last->acts || l->nold > 0) return 0;
  const double room = fmin(8.0 * way + 2.0 * gbar, sys->body[l->a].shape->radius);
  return pd_system_distance(sys, l, gbar + room, work, status) > gbar;
}

/* ---- links ---- */

static void record_action(const pd_pair_result *r, pd_action *out)
{
  memcpy(out->force, r->force, sizeof out->force);
  memcpy(out->loss, r->loss, sizeof out->loss);
  out->energy = r->energy;
  out->spring = r->spring;
  out->scale2 = r->scale2;
  out->mingap = r->mingap;
  out->ncontact = r->ncontact;
}

/* n records of the link just evaluated go to its place in sys->kept */
static pd_status keep_records(pd_system *sys, pd_link *l, const pd_slip_record *fresh, int n)
{
  l->nkept = n;
  if (n > l->room) {
    l->kept = sys->kept.n;
    l->room = n;
    for (int k = 0; k < n; k++) {
      const pd_status status = pd_slip_append(&sys->kept, fresh[k]);
      if (status) return status;
    }
  } else if (n > 0) {
    memcpy(sys->kept.r + l->kept, fresh, (size_t)n * sizeof *fresh);
  }
  return PD_OK;
}

/* a link's tangent by alpha */
static void keep_tangent(const pd_system *sys, const pd_link *l, pd_pair_result *r, double (*k)[12])
{
  const int rows = l->wall ? 6 : 12;
  by_alpha(k, r->k, rows, 0, &sys->body[l->a].k.xi);
  if (!l->wall) by_alpha(k, r->k, rows, 6, &sys->body[l->b].k.xi);
}

/* One link into its action and its tangent into k. Nothing but the link is changed. */
static pd_status renew_link(const pd_system *sys, pd_link *l, pd_action *act, int tangent,
                            double em, pd_worker *me, double (*k)[12])
{
  pd_pair_result r;
  pd_status status;
  if (is_open(sys, l, act, me->work, &status))
    clear_far(sys, l, &r, tangent), pd_pair_nothing(me->work);
  else if (!status)
    status = eval_link(sys, l, tangent, &me->fresh, em, me->work, &r, NULL);
  act->status = status;
  act->acts = 0;
  l->lost = 0.0;
  if (status) return status;
  l->em1 = r.state;
  act->acts = r.ncontact > 0 || (em > 0.0 && l->em0.active);
  if (em > 0.0 && act->acts) act->status = pd_em_link(sys, l, tangent, me, &r);
  if (act->acts) record_action(&r, act);
  if (act->acts && tangent) keep_tangent(sys, l, &r, k);
  return PD_OK;
}

typedef struct renewing {
  pd_system *sys;
  const int *link; /* of this batch */
  int tangent;
  double em;
} renewing;

static void renew_range(void *arg, int begin, int end, int thread)
{
  const renewing *job = (const renewing *)arg;
  pd_worker *me = &job->sys->worker[thread];
  for (int i = begin; i < end; i++) {
    pd_renewal *out = &job->sys->batch[i];
    pd_link *l = &job->sys->link[job->link[i]];
    pd_action *act = &job->sys->action[job->link[i]];
    const int acted = act->acts, first = me->fresh.n;
    out->status = renew_link(job->sys, l, act, job->tangent, job->em, me, out->k);
    if (out->status) me->fresh.n = first;
    out->changes = acted || act->acts;
    out->thread = thread;
    out->first = first;
    out->n = me->fresh.n - first;
  }
}

/* puts together what a link has given: this goes in the order of the links */
static pd_status take_over(pd_system *sys, int i, const pd_renewal *r, int tangent)
{
  pd_link *l = &sys->link[i];
  const pd_action *act = &sys->action[i];
  if (act->status == PD_ENOMEM) return PD_ENOMEM;
  if (act->acts && tangent) assemble(sys, l, (double(*)[12])r->k);
  if (r->changes) sys->hit[l->a] = 1;
  if (r->changes && !l->wall) sys->hit[l->b] = 1;
  return r->status ? PD_OK : keep_records(sys, l, sys->worker[r->thread].fresh.r + r->first, r->n);
}

/* Links of stirred bodies into sys->todo; those in contact get lists of near features, here because
 * threads must not. Returns how many, -1 if out of memory. */
static int find_stirred(pd_system *sys)
{
  int n = 0;
  for (int i = 0; i < sys->nlink; i++) {
    const int *ends = sys->ends[i];
    if (!sys->stir[ends[0]] && !sys->stir[ends[1]]) continue;
    pd_link *l = &sys->link[i];
    sys->todo[n++] = i;
    const int plane = l->wall && sys->wall[l->b].kind == PD_PLANE;
    if (l->near < 0 && sys->action[i].acts && !plane && pd_link_add_near(sys, l)) return -1;
  }
  return n;
}

/* Renews the links of stirred bodies, and finds whose residual changes. */
static pd_status renew_links(pd_system *sys, int tangent, double em)
{
  const int n = find_stirred(sys);
  if (n < 0) return PD_ENOMEM;
  for (int at = 0; at < n; at += PD_BATCH) {
    const int many = n - at < PD_BATCH ? n - at : PD_BATCH;
    renewing job = {sys, sys->todo + at, tangent, em};
    for (int t = 0; t < sys->nworker; t++) sys->worker[t].fresh.n = 0;
    pd_loop(&sys->loops, many, PD_LINK_CHUNK, renew_range, &job);
    for (int i = 0; i < many; i++) {
      const pd_status status = take_over(sys, sys->todo[at + i], &sys->batch[i], tangent);
      if (status) return status;
    }
  }
  return PD_OK;
}

static void add_links(pd_system *sys, double sign)
{
  for (int i = 0; i < sys->nlink; i++) {
    const int *ends = sys->ends[i];
    if (!sys->hit[ends[0]] && !sys->hit[ends[1]]) continue;
    const pd_action *act = &sys->action[i];
    if (!act->acts) continue;
    if (sys->hit[ends[0]]) add_forces(sys, ends[0], sign, act, 0);
    if (ends[1] != ends[0] && sys->hit[ends[1]]) add_forces(sys, ends[1], sign, act, 6);
  }
}

void pd_system_sum(pd_system *sys, pd_totals *totals)
{
  const pd_totals zero = {0.0, 0.0, 0.0, DBL_MAX, 0.0, {0.0}};
  *totals = zero;
  for (int i = 0; i < sys->nwall; i++) {
    memset(sys->wall[i].load, 0, sizeof sys->wall[i].load);
    memset(sys->wall[i].loss, 0, sizeof sys->wall[i].loss);
    sys->wall[i].energy = 0.0;
  }
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    const pd_action *act = &sys->action[i];
    if (!act->acts) continue;
    if (l->wall && sys->body[l->a].owned) load_wall(&sys->wall[l->b], act);
    add_totals(totals, l, act);
    if (!l->wall) add_virial(sys, l, act->force, totals->virial);
  }
}

/* ---- bodies ---- */

static double *diagonal(const pd_system *sys, const pd_body *b)
{
  int s = sys->rowptr[b->row - sys->first];
  while (sys->col[s] != b->row) s++;
  return block(sys, s);
}

/* inertia and external loads, eqs. (19), (24); the tangent goes to the diagonal block of the row */
static void add_inertia(pd_system *sys, const pd_body *b, int i, int tangent)
{
  double *f = sys->force + 6 * i;
  pd_mat3 d;
  const pd_scheme s = pd_body_scheme(sys, b);
  const pd_vec3 ft = pd_inertia_force(&s, &b->o, &b->in, b->u);
  const pd_vec3 mt = pd_inertia_moment(&s, &b->o, &b->in, b->alpha, &b->k, tangent ? &d : NULL);
  pd_v_store(f, pd_sub(ft, b->fext));
  pd_v_store(f + 3, pd_sub(mt, b->text));
  if (!tangent) return;
  double *k = diagonal(sys, b);
  const double m = pd_inertia_stiffness(&s, &b->in);
  for (int p = 0; p < 3; p++) {
    k[7 * p] += m;
    for (int q = 0; q < 3; q++) k[6 * (3 + p) + 3 + q] += d.m[p][q];
  }
}

/* force and moment of a load now */
static void load_now(const pd_load *l, const pd_body *b, pd_when when, pd_vec3 *f, pd_vec3 *m)
{
  *f = when == PD_AT_START ? l->f0 : l->f;
  *m = when == PD_AT_START ? l->m0 : l->m;
  if (l->follow) {
    *f = pd_mv(b->k.rot, *f);
    *m = pd_mv(b->k.rot, *m);
  }
  *m = pd_add(*m, pd_cross(pd_mv(b->k.rot, l->point), *f));
}

/* The loads' part of residual and tangent. A spin of the body turns the lever of a force that keeps
 * its direction; one that follows the body turns whole. */
static void add_load(pd_system *sys, const pd_load *l, pd_when when, int tangent, double sign)
{
  pd_body *b = &sys->body[l->body];
  double *r = sys->force + 6 * l->body, k[12][12] = {{0.0}};
  pd_vec3 f, m;
  load_now(l, b, when, &f, &m);
  b->fload = pd_add(b->fload, f);
  b->mload = pd_add(b->mload, m);
  for (int i = 0; i < 3; i++) {
    r[i] += sign * (i == 0 ? f.x : i == 1 ? f.y : f.z);
    r[3 + i] += sign * (i == 0 ? m.x : i == 1 ? m.y : m.z);
  }
  if (!tangent || b->row < 0) return;
  const pd_mat3 lever = pd_skew(pd_mv(b->k.rot, l->point));
  if (l->follow) {
    pd_k_add_block(k, 0, 3, 1.0, pd_skew(f));
    pd_k_add_block(k, 3, 3, 1.0, pd_skew(m));
  } else {
    pd_k_add_block(k, 3, 3, -1.0, pd_m_mul(pd_skew(f), lever));
  }
  by_alpha(k, k, 6, 0, &b->k.xi);
  add_block(diagonal(sys, b), k, 0, 0);
}

/* increments that the present velocities have made in the time h */
static pd_turn lasted(pd_vec3 v, pd_vec3 w, double h)
{
  pd_turn t;
  t.u = pd_scale(h, v);
  t.alpha = pd_scale(h, w);
  t.dq = pd_rodrigues(t.alpha);
  t.inv = pd_xi_inverse(t.alpha);
  return t;
}

static void start_motion(pd_body *b, double elapsed, double hprev)
{
  pd_motion m = pd_at_rest();
  m.v = b->o.v;
  m.w = b->o.w;
  b->k.motion = b->place.motion = m;
  if (b->mobile) {
    b->place.before.v = pd_axpy(b->o.v, -hprev, b->o.acc);
    b->place.before.w = pd_axpy(b->o.w, -hprev, b->o.wdot);
  }
  if (elapsed > 0.0) b->place.turn = lasted(m.v, m.w, elapsed);
}

static void place_all_walls(pd_system *sys, pd_when when)
{
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *w = &sys->wall[i];
    pd_system_place_wall(sys, i, when == PD_AT_START ? 0.0 : 1.0);
    if (w->moves && when == PD_AT_START && sys->elapsed > 0.0)
      w->place.turn = lasted(w->v, w->w, sys->elapsed);
  }
}

/* empties the rows of the stirred bodies */
static void clear_rows(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    if (!sys->stir[i] || !b->owned || b->row < 0) continue;
    const int *p = sys->rowptr + (b->row - sys->first);
    memset(block(sys, p[0]), 0, (size_t)(p[1] - p[0]) * 36 * sizeof(double));
    sys->solid[i] = 0;
  }
}

/* Residuals without contact of the bodies that have been hit. Those that have been stirred are
 * placed already. */
static void begin_residuals(pd_system *sys, pd_when when, int tangent, double sign)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (!sys->hit[i]) continue;
    memset(sys->force + 6 * i, 0, 6 * sizeof(double));
    memset(sys->loss + 12 * i, 0, 12 * sizeof(double));
    b->fload = b->mload = pd_v(0.0, 0.0, 0.0);
    if (when == PD_AT_TRIAL && b->owned && b->mobile)
      add_inertia(sys, b, i, tangent && sys->stir[i]);
  }
  for (int i = 0; i < sys->nload; i++) {
    const int at = sys->load[i].body;
    if (sys->hit[at]) add_load(sys, &sys->load[i], when, tangent && sys->stir[at], sign);
  }
}

typedef struct placing {
  pd_system *sys;
  pd_when when;
} placing;

/* bodies that have been stirred, at their present increments */
static void place_range(void *arg, int begin, int end, int thread)
{
  const placing *job = (const placing *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int i = begin; i < end; i++) {
    sys->hit[i] = sys->stir[i];
    if (!sys->stir[i]) continue;
    pd_system_place(sys, i, sys->body[i].u, sys->body[i].alpha);
    if (job->when == PD_AT_START) start_motion(&sys->body[i], sys->elapsed, sys->hprev);
  }
}

static pd_status evaluate(pd_system *sys, pd_when when, int tangent)
{
  const double sign = when == PD_AT_START ? 1.0 : -1.0, em = em_mode(sys, sign);
  placing job = {sys, when};
  pd_loop(&sys->loops, sys->nbody, PD_BODY_CHUNK, place_range, &job);
  if (tangent) clear_rows(sys);
  const pd_status status = renew_links(sys, tangent, em);
  begin_residuals(sys, when, tangent, sign);
  add_links(sys, sign);
  for (int i = 0; i < sys->nbody; i++) {
    if (sys->hit[i]) sys->keen[i] = tangent && sys->stir[i];
    sys->stir[i] = 0;
  }
  return status;
}

pd_status pd_system_eval_stirred(pd_system *sys, int tangent)
{
  return evaluate(sys, PD_AT_TRIAL, tangent);
}

pd_status pd_system_eval(pd_system *sys, pd_when when, int tangent, pd_totals *totals)
{
  place_all_walls(sys, when);
  memset(sys->stir, 1, (size_t)sys->nbody);
  pd_status status = evaluate(sys, when, tangent);
  pd_system_sum(sys, totals);
  for (int i = 0; i < sys->nlink && !status; i++) status = sys->action[i].status;
  return status;
}

void pd_system_accept_memory(pd_system *sys)
{
  const pd_slip_list list = sys->old;
  sys->old = sys->kept;
  sys->kept = list;
  sys->kept.n = 0;
  for (int i = 0; i < sys->nlink; i++) {
    sys->link[i].old = sys->link[i].kept;
    sys->link[i].nold = sys->link[i].nkept;
    sys->link[i].kept = sys->link[i].nkept = sys->link[i].room = 0;
  }
}

void pd_system_accept_forces(pd_system *sys)
{
  for (int i = 0; i < sys->nlink; i++) sys->link[i].em0 = sys->link[i].em1;
  memcpy(sys->loss0, sys->loss, (size_t)sys->nbody * 12 * sizeof(double));
  for (int i = 0; i < sys->nwall; i++) {
    memcpy(sys->wall[i].load0, sys->wall[i].load, sizeof sys->wall[i].load);
    memcpy(sys->wall[i].loss0, sys->wall[i].loss, sizeof sys->wall[i].loss);
  }
}

void pd_system_accelerate(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (!b->owned || !b->mobile) continue;
    const double *f = sys->force + 6 * i;
    const pd_vec3 force = pd_add(pd_v_load(f), b->fext), torque = pd_add(pd_v_load(f + 3), b->text);
    b->o.acc = pd_scale(1.0 / b->in.mass, force);
    b->o.wdot = pd_inertia_spin_up(&b->o, &b->in, torque);
  }
}

pd_status pd_system_contacts(pd_system *sys, pd_contact_list *list, pd_contact_visitor visit,
                             void *ctx)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_pair_result r;
  place_all_walls(sys, PD_AT_START);
  for (int i = 0; i < sys->nbody; i++) {
    pd_system_place(sys, i, zero, zero);
    start_motion(&sys->body[i], sys->elapsed, sys->hprev);
  }
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    list->n = 0;
    const pd_status status = eval_link(sys, l, 0, NULL, 0.0, sys->worker[0].work, &r, list);
    if (status) return status;
    for (int k = 0; k < list->n; k++) visit(ctx, l, &list->c[k]);
  }
  return PD_OK;
}
