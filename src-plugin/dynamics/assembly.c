/* SPDX-License-Identifier: MIT
 * Residual and tangent of a step: eqs. (60)-(63) of the 2021 paper, moments left as moments. */
#include <string.h>

#include "dynamics/system_internal.h"

/* bodies from begin to end - 1 are one thread's: what it does to them is done in the order of the
 * pairs, however many threads there are */
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
  sys->nonzero[slot] = 1;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) out[6 * i + j] += k[row + i][col + j];
}

/* a pair's tangent by alpha into the rows of the moved bodies of a part */
static void assemble(const pd_system *sys, const part *p, const pd_contact_pair *pair,
                     double (*k)[12])
{
  if (sys->moved[pair->a] && is_in(p, pair->a)) {
    add_block(sys, pair->slot[0], k, 0, 0);
    add_block(sys, pair->slot[1], k, 0, 6);
  }
  if (pair->wall || !sys->moved[pair->b] || !is_in(p, pair->b)) return;
  add_block(sys, pair->slot[2], k, 6, 0);
  add_block(sys, pair->slot[3], k, 6, 6);
}

static void load_wall(pd_wall *w, const pd_pair_response *r)
{
  for (int i = 0; i < 6; i++) {
    w->load[i] += r->force[6 + i];
    for (int k = 0; k < PD_NLOSS; k++) w->loss[k][i] += r->loss[k][6 + i];
  }
  w->energy += r->energy + r->spring;
}

/* virial of a pair of bodies: (x_A - x_B) f_A */
static void add_virial(const pd_system *sys, const pd_contact_pair *pair, const double *f,
                       double *virial)
{
  const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
  const pd_vec3 d = pd_sub(pd_sub(a->o.x, b->o.x), pd_sub(b->u, a->u));
  const double w[6] = {d.x * f[0], d.y * f[1], d.z * f[2], d.x * f[1], d.x * f[2], d.y * f[2]};
  for (int i = 0; i < 6; i++) virial[i] += pair->share * w[i];
}

static void add_totals(pd_totals *t, const pd_contact_pair *pair, const pd_pair_response *r)
{
  t->energy += pair->share * r->energy;
  t->spring += pair->share * r->spring;
  t->scale2 += pair->share * r->scale2;
  t->ncontact += pair->share * r->ncontact;
  t->mingap = fmin(t->mingap, r->mingap);
}

/* force (6) and losses (12) of one of the bodies; at: 0 for A, 6 for B */
static void add_forces(pd_system *sys, int body, double sign, const pd_pair_response *r, int at)
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

/* ---- pairs ---- */

/* n records of the pair just evaluated go to its place in sys->kept */
static pd_status keep_records(pd_system *sys, pd_contact_pair *pair,
                              const pd_friction_record *fresh, int n)
{
  pair->nkept = n;
  if (n > pair->room) {
    pair->kept = sys->kept.n;
    pair->room = n;
    for (int k = 0; k < n; k++) {
      const pd_status status = pd_friction_append(&sys->kept, fresh[k]);
      if (status) return status;
    }
  } else if (n > 0) {
    memcpy(sys->kept.r + pair->kept, fresh, (size_t)n * sizeof *fresh);
  }
  return PD_OK;
}

typedef struct updating {
  pd_system *sys;
  const int *pair;  /* of this batch */
  const int *found; /* those of it that change something */
  int nfound;
  int tangent;
  double em;
} updating;

static void update_range(void *arg, int begin, int end, int thread)
{
  const updating *job = (const updating *)arg;
  pd_worker *worker = &job->sys->worker[thread];
  for (int i = begin; i < end; i++) {
    pd_pair_update *out = &job->sys->batch[i];
    pd_contact_pair *pair = &job->sys->pair[job->pair[i]];
    const int first = worker->fresh.n;
    out->status = pd_contact_pair_update(job->sys, pair, job->tangent, job->em, worker, out);
    if (out->status) worker->fresh.n = first;
    out->thread = thread;
    out->first = first;
    out->n = worker->fresh.n - first;
    job->sys->flag[job->pair[i]] = out->changes != 0;
  }
}

/* Tangents of a batch into the rows of the part, and which of its bodies have been hit. */
static void assemble_part(void *arg, int begin, int end, int thread)
{
  const updating *job = (const updating *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int k = begin; k < end; k++) {
    const part p = part_of(sys, k);
    for (int m = 0; m < job->nfound; m++) {
      pd_pair_update *r = &sys->batch[job->found[m]];
      const pd_contact_pair *pair = &sys->pair[job->pair[job->found[m]]];
      if (is_in(&p, pair->a)) sys->residual_dirty[pair->a] = 1;
      if (!pair->wall && is_in(&p, pair->b)) sys->residual_dirty[pair->b] = 1;
      if (r->assemble) assemble(sys, &p, pair, r->k);
    }
  }
}

/* Keeps what a pair has found, in lists that all pairs share. A contact gets a list of near
 * features. *news: the list of pairs that act is another one. Errors: PD_ENOMEM. */
static pd_status store_update(pd_system *sys, int i, const pd_pair_update *r, int *news)
{
  const int acted = sys->active[i];
  pd_contact_pair *pair = &sys->pair[i];
  const pd_contact_state *state = pair->contact < 0 ? &r->made : &sys->contact[pair->contact];
  const int plane = pair->wall && sys->wall[pair->b].kind == PD_PLANE;
  sys->active[i] = state->response.active || state->response.status;
  *news |= sys->active[i] != acted;
  if (state->response.status == PD_ENOMEM) return PD_ENOMEM;
  if (sys->active[i] && pair->contact < 0 && pd_contact_pair_add_state(sys, pair, state))
    return PD_ENOMEM;
  if (sys->active[i] && !plane && sys->contact[pair->contact].near < 0 &&
      pd_contact_pair_add_near(sys, pair))
    return PD_ENOMEM;
  return r->status ? PD_OK
                   : keep_records(sys, pair, sys->worker[r->thread].fresh.r + r->first, r->n);
}

/* which pairs of moved bodies have forces or may have come to have some, into sys->flag */
static void find_pairs_of_moved(void *arg, int begin, int end, int thread)
{
  pd_system *sys = (pd_system *)arg;
  (void)thread;
  for (int i = begin; i < end; i++) {
    const int *ends = sys->ends[i];
    sys->flag[i] = (sys->moved[ends[0]] || sys->moved[ends[1]]) &&
                   (sys->active[i] || !pd_contact_pair_known_open(sys, &sys->pair[i]));
  }
}

/* These into sys->todo; returns how many. */
static int list_pairs_of_moved(pd_system *sys)
{
  int n = 0;
  pd_loop(&sys->loops, sys->npair, 8 * PD_PAIR_CHUNK, find_pairs_of_moved, sys);
  for (int i = 0; i < sys->npair; i++)
    if (sys->flag[i]) sys->todo[n++] = i;
  return n;
}

static void list_active(pd_system *sys)
{
  sys->nactive = 0;
  for (int i = 0; i < sys->npair; i++)
    if (sys->active[i]) sys->active_pair[sys->nactive++] = i;
}

/* Renews the pairs of moved bodies, and finds whose residual changes. */
static pd_status update_pairs(pd_system *sys, int tangent, double em)
{
  const int n = list_pairs_of_moved(sys);
  int news = 0;
  for (int at = 0; at < n; at += PD_BATCH) {
    const int many = n - at < PD_BATCH ? n - at : PD_BATCH;
    updating job = {sys, sys->todo + at, sys->found, 0, tangent, em};
    for (int t = 0; t < sys->nworker; t++) sys->worker[t].fresh.n = 0;
    pd_loop(&sys->loops, many, PD_PAIR_CHUNK, update_range, &job);
    for (int i = 0; i < many; i++)
      if (sys->flag[job.pair[i]]) sys->found[job.nfound++] = i;
    pd_loop(&sys->loops, sys->nworker, 1, assemble_part, &job);
    for (int m = 0; m < job.nfound; m++) {
      const int i = sys->found[m];
      const pd_status status = store_update(sys, job.pair[i], &sys->batch[i], &news);
      if (status) return status;
    }
  }
  if (news) list_active(sys);
  return PD_OK;
}

/* the forces of all pairs on the bodies of a part that have been hit */
static void add_pairs(pd_system *sys, const part *p, double sign)
{
  for (int k = 0; k < sys->nactive; k++) {
    const int *ends = sys->ends[sys->active_pair[k]];
    const int a = is_in(p, ends[0]) && sys->residual_dirty[ends[0]];
    const int b = ends[1] != ends[0] && is_in(p, ends[1]) && sys->residual_dirty[ends[1]];
    if (!a && !b) continue;
    const pd_pair_response *response = pd_response_of(sys, sys->active_pair[k]);
    if (!response->active) continue;
    if (a) add_forces(sys, ends[0], sign, response, 0);
    if (b) add_forces(sys, ends[1], sign, response, 6);
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
  for (int k = 0; k < sys->nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->active_pair[k]];
    const pd_pair_response *response = pd_response_of(sys, sys->active_pair[k]);
    if (!response->active) continue;
    if (pair->wall && sys->body[pair->a].owned) load_wall(&sys->wall[pair->b], response);
    add_totals(totals, pair, response);
    if (!pair->wall) add_virial(sys, pair, response->force, totals->virial);
  }
}

/* ---- bodies ---- */

int pd_system_diagonal(const pd_system *sys, const pd_body *b)
{
  int s = sys->rowptr[b->row - sys->first];
  while (sys->col[s] != b->row) s++;
  sys->nonzero[s] = 1;
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
static pd_increment lasted(pd_vec3 v, pd_vec3 w, double h)
{
  pd_increment t;
  t.u = pd_scale(h, v);
  t.alpha = pd_scale(h, w);
  t.dq = pd_rodrigues(t.alpha);
  t.inv = pd_xi_inverse(t.alpha);
  return t;
}

static void set_start_velocity(pd_body *b, double elapsed, double hprev)
{
  pd_velocity m = pd_at_rest();
  m.v = b->o.v;
  m.w = b->o.w;
  b->k.velocity = b->pose.velocity = m;
  if (b->mobile) {
    b->pose.before.v = pd_axpy(b->o.v, -hprev, b->o.acc);
    b->pose.before.w = pd_axpy(b->o.w, -hprev, b->o.wdot);
  }
  if (elapsed > 0.0) b->pose.increment = lasted(m.v, m.w, elapsed);
}

static void set_wall_poses(pd_system *sys, pd_when when)
{
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *w = &sys->wall[i];
    pd_system_set_wall_pose(sys, i, when == PD_AT_START ? 0.0 : 1.0);
    if (w->moves && when == PD_AT_START && sys->elapsed > 0.0)
      w->pose.increment = lasted(w->v, w->w, sys->elapsed);
  }
}

void pd_system_clear_row(pd_system *sys, long row)
{
  const int *p = sys->rowptr + (row - sys->first);
  for (int s = p[0]; s < p[1]; s++) {
    if (!sys->nonzero[s]) continue;
    memset(sys->values + 36 * (size_t)s, 0, 36 * sizeof(double));
    sys->nonzero[s] = 0;
  }
}

typedef struct evaluation {
  pd_system *sys;
  pd_when when;
  int tangent;
  double sign;
} evaluation;

/* Bodies that have been moved at their present increments, their rows empty. */
static void set_poses(void *arg, int begin, int end, int thread)
{
  const evaluation *job = (const evaluation *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int i = begin; i < end; i++) {
    const pd_body *b = &sys->body[i];
    sys->residual_dirty[i] = sys->moved[i];
    if (!sys->moved[i]) continue;
    pd_system_set_pose(sys, i, b->u, b->alpha);
    sys->path_bound[i] = pd_body_path_bound(b);
    if (job->when == PD_AT_START) set_start_velocity(&sys->body[i], sys->elapsed, sys->hprev);
    if (!job->tangent || !b->owned || b->row < 0) continue;
    pd_system_clear_row(sys, b->row);
    sys->row_is_identity[i] = 0;
  }
}

/* Residual of a body that has been hit, without contact. One that has been moved is placed
 * already. */
static void begin_residual(const evaluation *job, int i)
{
  pd_system *sys = job->sys;
  pd_body *b = &sys->body[i];
  memset(sys->force + 6 * i, 0, 6 * sizeof(double));
  memset(sys->loss + 12 * i, 0, 12 * sizeof(double));
  b->fload = b->mload = pd_v(0.0, 0.0, 0.0);
  if (job->when == PD_AT_TRIAL && b->owned && b->mobile)
    add_inertia(sys, b, i, job->tangent && sys->moved[i]);
}

static void sum_part(void *arg, int begin, int end, int thread)
{
  const evaluation *job = (const evaluation *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int k = begin; k < end; k++) {
    const part p = part_of(sys, k);
    for (int i = p.begin; i < p.end; i++)
      if (sys->residual_dirty[i]) begin_residual(job, i);
    for (int i = 0; i < sys->nload; i++) {
      const int at = sys->load[i].body;
      if (is_in(&p, at) && sys->residual_dirty[at])
        add_load(sys, &sys->load[i], job->when, job->tangent && sys->moved[at], job->sign);
    }
    add_pairs(sys, &p, job->sign);
    for (int i = p.begin; i < p.end; i++) {
      if (sys->residual_dirty[i]) sys->tangent_current[i] = job->tangent && sys->moved[i];
      sys->moved[i] = 0;
    }
  }
}

static pd_status evaluate(pd_system *sys, pd_when when, int tangent)
{
  const double sign = when == PD_AT_START ? 1.0 : -1.0;
  evaluation job = {sys, when, tangent, sign};
  pd_loop(&sys->loops, sys->nbody, PD_BODY_CHUNK, set_poses, &job);
  const pd_status status = update_pairs(sys, tangent, em_mode(sys, sign));
  pd_loop(&sys->loops, sys->nworker, 1, sum_part, &job);
  return status;
}

pd_status pd_system_eval_moved(pd_system *sys, int tangent)
{
  return evaluate(sys, PD_AT_TRIAL, tangent);
}

pd_status pd_system_eval(pd_system *sys, pd_when when, int tangent, pd_totals *totals)
{
  set_wall_poses(sys, when);
  memset(sys->moved, 1, (size_t)sys->nbody);
  pd_status status = evaluate(sys, when, tangent);
  pd_system_sum(sys, totals);
  for (int k = 0; k < sys->nactive && !status; k++)
    status = pd_response_of(sys, sys->active_pair[k])->status;
  return status;
}

void pd_system_accept_friction(pd_system *sys)
{
  const pd_friction_records list = sys->old;
  sys->old = sys->kept;
  sys->kept = list;
  sys->kept.n = 0;
  for (int i = 0; i < sys->npair; i++) {
    sys->pair[i].old = sys->pair[i].kept;
    sys->pair[i].nold = sys->pair[i].nkept;
    sys->pair[i].kept = sys->pair[i].nkept = sys->pair[i].room = 0;
  }
}

void pd_system_accept_forces(pd_system *sys)
{
  for (int i = 0; i < sys->nstate; i++) sys->contact[i].em0 = sys->contact[i].em1;
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
  set_wall_poses(sys, PD_AT_START);
  for (int i = 0; i < sys->nbody; i++) {
    pd_system_set_pose(sys, i, zero, zero);
    set_start_velocity(&sys->body[i], sys->elapsed, sys->hprev);
  }
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    list->n = 0;
    const pd_status status =
        pd_contact_pair_eval(sys, pair, 0, NULL, 0.0, sys->worker[0].work, &r, list);
    if (status) return status;
    for (int k = 0; k < list->n; k++) visit(ctx, pair, &list->c[k]);
  }
  return PD_OK;
}
