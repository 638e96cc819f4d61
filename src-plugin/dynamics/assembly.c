/* SPDX-License-Identifier: MIT
 * Residual and tangent of a step: eqs. (60)-(63) of the 2021 paper, moments left as moments. */
#include <string.h>

#include "dynamics/system_internal.h"

/* bodies from begin to end - 1 are one thread's: what it does to them is done in the order of the
 * links, however many threads there are */
typedef struct part {
  int begin, end;
} part;

static part part_of(const pd_system *sys, int k)
{
  const long n = sys->nbody;
  const part p = {(int)(n * k / sys->nworker), (int)(n * (k + 1) / sys->nworker)};
  return p;
}

static int is_in(const part *p, int body) { return p->begin <= body && body < p->end; }

/* adds the 6x6 part of k at (row, col) to a block of the matrix */
static void add_block(const pd_system *sys, int slot, double (*k)[12], int row, int col)
{
  double *out = sys->values + 36 * (size_t)slot;
  if (slot < 0) return;
  sys->live[slot] = 1;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) out[6 * i + j] += k[row + i][col + j];
}

/* a link's tangent by alpha into the rows of the stirred bodies of a part */
static void assemble(const pd_system *sys, const part *p, const pd_link *l, double (*k)[12])
{
  if (sys->stir[l->a] && is_in(p, l->a)) {
    add_block(sys, l->slot[0], k, 0, 0);
    add_block(sys, l->slot[1], k, 0, 6);
  }
  if (l->wall || !sys->stir[l->b] || !is_in(p, l->b)) return;
  add_block(sys, l->slot[2], k, 6, 0);
  add_block(sys, l->slot[3], k, 6, 6);
}

static void load_wall(pd_wall *w, const pd_action *r)
{
  for (int i = 0; i < 6; i++) {
    w->load[i] += r->force[6 + i];
    for (int k = 0; k < PD_NLOSS; k++) w->loss[k][i] += r->loss[k][6 + i];
  }
  w->energy += r->energy + r->spring;
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

/* ---- links ---- */

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

typedef struct renewing {
  pd_system *sys;
  const int *link; /* of this batch */
  const int *found; /* those of it that change something */
  int nfound;
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
    const int first = me->fresh.n;
    out->status = pd_link_renew(job->sys, l, job->tangent, job->em, me, out);
    if (out->status) me->fresh.n = first;
    out->thread = thread;
    out->first = first;
    out->n = me->fresh.n - first;
    job->sys->flag[job->link[i]] = out->changes != 0;
  }
}

/* Tangents of a batch into the rows of the part, and which of its bodies have been hit. */
static void assemble_part(void *arg, int begin, int end, int thread)
{
  const renewing *job = (const renewing *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int k = begin; k < end; k++) {
    const part p = part_of(sys, k);
    for (int m = 0; m < job->nfound; m++) {
      pd_renewal *r = &sys->batch[job->found[m]];
      const pd_link *l = &sys->link[job->link[job->found[m]]];
      if (is_in(&p, l->a)) sys->hit[l->a] = 1;
      if (!l->wall && is_in(&p, l->b)) sys->hit[l->b] = 1;
      if (r->assemble) assemble(sys, &p, l, r->k);
    }
  }
}

/* Keeps what a link has found, in lists that all links share. A contact gets a list of near
 * features. *news: the list of links that act is another one. Errors: PD_ENOMEM. */
static pd_status take_over(pd_system *sys, int i, const pd_renewal *r, int *news)
{
  const int acted = sys->acts[i];
  pd_link *l = &sys->link[i];
  const pd_touch *t = l->touch < 0 ? &r->made : &sys->touch[l->touch];
  const int plane = l->wall && sys->wall[l->b].kind == PD_PLANE;
  sys->acts[i] = t->act.acts || t->act.status;
  *news |= sys->acts[i] != acted;
  if (t->act.status == PD_ENOMEM) return PD_ENOMEM;
  if (sys->acts[i] && l->touch < 0 && pd_link_add_touch(sys, l, t)) return PD_ENOMEM;
  if (sys->acts[i] && !plane && sys->touch[l->touch].near < 0 && pd_link_add_near(sys, l))
    return PD_ENOMEM;
  return r->status ? PD_OK : keep_records(sys, l, sys->worker[r->thread].fresh.r + r->first, r->n);
}

/* which links of stirred bodies have forces or may have come to have some, into sys->flag */
static void find_stirred(void *arg, int begin, int end, int thread)
{
  pd_system *sys = (pd_system *)arg;
  (void)thread;
  for (int i = begin; i < end; i++) {
    const int *ends = sys->ends[i];
    sys->flag[i] = (sys->stir[ends[0]] || sys->stir[ends[1]]) &&
                   (sys->acts[i] || !pd_link_known_open(sys, &sys->link[i]));
  }
}

/* These into sys->todo; returns how many. */
static int list_stirred(pd_system *sys)
{
  int n = 0;
  pd_loop(&sys->loops, sys->nlink, 8 * PD_LINK_CHUNK, find_stirred, sys);
  for (int i = 0; i < sys->nlink; i++)
    if (sys->flag[i]) sys->todo[n++] = i;
  return n;
}

static void list_acting(pd_system *sys)
{
  sys->nacting = 0;
  for (int i = 0; i < sys->nlink; i++)
    if (sys->acts[i]) sys->acting[sys->nacting++] = i;
}

/* Renews the links of stirred bodies, and finds whose residual changes. */
static pd_status renew_links(pd_system *sys, int tangent, double em)
{
  const int n = list_stirred(sys);
  int news = 0;
  for (int at = 0; at < n; at += PD_BATCH) {
    const int many = n - at < PD_BATCH ? n - at : PD_BATCH;
    renewing job = {sys, sys->todo + at, sys->found, 0, tangent, em};
    for (int t = 0; t < sys->nworker; t++) sys->worker[t].fresh.n = 0;
    pd_loop(&sys->loops, many, PD_LINK_CHUNK, renew_range, &job);
    for (int i = 0; i < many; i++)
      if (sys->flag[job.link[i]]) sys->found[job.nfound++] = i;
    pd_loop(&sys->loops, sys->nworker, 1, assemble_part, &job);
    for (int m = 0; m < job.nfound; m++) {
      const int i = sys->found[m];
      const pd_status status = take_over(sys, job.link[i], &sys->batch[i], &news);
      if (status) return status;
    }
  }
  if (news) list_acting(sys);
  return PD_OK;
}

/* the forces of all links on the bodies of a part that have been hit */
static void add_links(pd_system *sys, const part *p, double sign)
{
  for (int k = 0; k < sys->nacting; k++) {
    const int *ends = sys->ends[sys->acting[k]];
    const int a = is_in(p, ends[0]) && sys->hit[ends[0]];
    const int b = ends[1] != ends[0] && is_in(p, ends[1]) && sys->hit[ends[1]];
    if (!a && !b) continue;
    const pd_action *act = pd_action_of(sys, sys->acting[k]);
    if (!act->acts) continue;
    if (a) add_forces(sys, ends[0], sign, act, 0);
    if (b) add_forces(sys, ends[1], sign, act, 6);
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
  for (int k = 0; k < sys->nacting; k++) {
    const pd_link *l = &sys->link[sys->acting[k]];
    const pd_action *act = pd_action_of(sys, sys->acting[k]);
    if (!act->acts) continue;
    if (l->wall && sys->body[l->a].owned) load_wall(&sys->wall[l->b], act);
    add_totals(totals, l, act);
    if (!l->wall) add_virial(sys, l, act->force, totals->virial);
  }
}

/* ---- bodies ---- */

int pd_system_diagonal(const pd_system *sys, const pd_body *b)
{
  int s = sys->rowptr[b->row - sys->first];
  while (sys->col[s] != b->row) s++;
  sys->live[s] = 1;
  return s;
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
  double *k = sys->values + 36 * (size_t)pd_system_diagonal(sys, b);
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
  pd_by_alpha(k, k, 6, 0, &b->k.xi);
  add_block(sys, pd_system_diagonal(sys, b), k, 0, 0);
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

void pd_system_clear_row(pd_system *sys, long row)
{
  const int *p = sys->rowptr + (row - sys->first);
  for (int s = p[0]; s < p[1]; s++) {
    if (!sys->live[s]) continue;
    memset(sys->values + 36 * (size_t)s, 0, 36 * sizeof(double));
    sys->live[s] = 0;
  }
}

typedef struct evaluation {
  pd_system *sys;
  pd_when when;
  int tangent;
  double sign;
} evaluation;

/* Bodies that have been stirred at their present increments, their rows empty. */
static void place_range(void *arg, int begin, int end, int thread)
{
  const evaluation *job = (const evaluation *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int i = begin; i < end; i++) {
    const pd_body *b = &sys->body[i];
    sys->hit[i] = sys->stir[i];
    if (!sys->stir[i]) continue;
    pd_system_place(sys, i, b->u, b->alpha);
    sys->way[i] = pd_body_way(b);
    if (job->when == PD_AT_START) start_motion(&sys->body[i], sys->elapsed, sys->hprev);
    if (!job->tangent || !b->owned || b->row < 0) continue;
    pd_system_clear_row(sys, b->row);
    sys->solid[i] = 0;
  }
}

/* Residual of a body that has been hit, without contact. One that has been stirred is placed
 * already. */
static void begin_residual(const evaluation *job, int i)
{
  pd_system *sys = job->sys;
  pd_body *b = &sys->body[i];
  memset(sys->force + 6 * i, 0, 6 * sizeof(double));
  memset(sys->loss + 12 * i, 0, 12 * sizeof(double));
  b->fload = b->mload = pd_v(0.0, 0.0, 0.0);
  if (job->when == PD_AT_TRIAL && b->owned && b->mobile)
    add_inertia(sys, b, i, job->tangent && sys->stir[i]);
}

static void sum_part(void *arg, int begin, int end, int thread)
{
  const evaluation *job = (const evaluation *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int k = begin; k < end; k++) {
    const part p = part_of(sys, k);
    for (int i = p.begin; i < p.end; i++)
      if (sys->hit[i]) begin_residual(job, i);
    for (int i = 0; i < sys->nload; i++) {
      const int at = sys->load[i].body;
      if (is_in(&p, at) && sys->hit[at])
        add_load(sys, &sys->load[i], job->when, job->tangent && sys->stir[at], job->sign);
    }
    add_links(sys, &p, job->sign);
    for (int i = p.begin; i < p.end; i++) {
      if (sys->hit[i]) sys->keen[i] = job->tangent && sys->stir[i];
      sys->stir[i] = 0;
    }
  }
}

static pd_status evaluate(pd_system *sys, pd_when when, int tangent)
{
  const double sign = when == PD_AT_START ? 1.0 : -1.0;
  evaluation job = {sys, when, tangent, sign};
  pd_loop(&sys->loops, sys->nbody, PD_BODY_CHUNK, place_range, &job);
  const pd_status status = renew_links(sys, tangent, em_mode(sys, sign));
  pd_loop(&sys->loops, sys->nworker, 1, sum_part, &job);
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
  for (int k = 0; k < sys->nacting && !status; k++)
    status = pd_action_of(sys, sys->acting[k])->status;
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
  for (int i = 0; i < sys->ntouch; i++) sys->touch[i].em0 = sys->touch[i].em1;
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
    const pd_status status = pd_link_eval(sys, l, 0, NULL, 0.0, sys->worker[0].work, &r, list);
    if (status) return status;
    for (int k = 0; k < list->n; k++) visit(ctx, l, &list->c[k]);
  }
  return PD_OK;
}
