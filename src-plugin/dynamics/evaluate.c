/* SPDX-License-Identifier: MIT
 * Evaluation of the pairs of moved bodies, in batches: what each gives is put together in the order
 * of the pairs, whatever the threads. */
#include <string.h>

#include "dynamics/system_internal.h"

/* a pair's tangent by alpha into the rows of the moved bodies of a part */
static void assemble(pd_system *sys, const pd_part *p, const pd_contact_pair *pair, double (*k)[12])
{
  const int free_wall = !pair->wall && sys->body[pair->b].wall;
  if (sys->trial.to_evaluate[pair->a] && pd_is_in(p, pair->a)) {
    pd_system_add_block(sys, pair->slot[0], k, 0, 0);
    pd_system_add_block(sys, pair->slot[1], k, 0, 6);
    if (free_wall) pd_system_border_body(sys, pair, k);
  }
  if (pair->wall || !sys->trial.to_evaluate[pair->b] || !pd_is_in(p, pair->b)) return;
  if (free_wall) pd_system_border_wall(sys, pair, k);
  pd_system_add_block(sys, pair->slot[2], k, 6, 0);
  pd_system_add_block(sys, pair->slot[3], k, 6, 6);
}

/* n records of the pair just evaluated go to its place in sys->friction.at_end */
static pd_status keep_records(pd_system *sys, pd_contact_pair *pair,
                              const pd_friction_record *fresh, int n)
{
  pair->nkept = n;
  if (n > pair->room) {
    pair->kept = sys->friction.at_end.n;
    pair->room = n;
    for (int k = 0; k < n; k++) {
      const pd_status status = pd_friction_append(&sys->friction.at_end, fresh[k]);
      if (status) return status;
    }
  } else if (n > 0) {
    memcpy(sys->friction.at_end.r + pair->kept, fresh, (size_t)n * sizeof *fresh);
  }
  return PD_OK;
}

typedef struct updating {
  pd_system *sys;
  const int *pair; /* of this batch */
  int nchanging;
  pd_when when;
  int tangent;
  pd_force_mode mode;
} updating;

/* how a pair stands that has just been evaluated */
static pd_reuse reuse_of(const pd_system *sys, const pd_contact_pair *pair, pd_when when)
{
  const int still =
      pair->wall ? !sys->wall[pair->b].moves : sys->trial.stationarity[pair->b] != PD_MOVING;
  if (sys->trial.stationarity[pair->a] == PD_MOVING || !still) return PD_NOT_REUSABLE;
  return when == PD_AT_START ? PD_REUSABLE_AT_START : PD_REUSABLE_AT_TRIAL;
}

static void update_range(void *arg, int begin, int end, int thread)
{
  const updating *job = (const updating *)arg;
  pd_worker *worker = &job->sys->work->worker[thread];
  for (int i = begin; i < end; i++) {
    pd_pair_update *out = &job->sys->work->evaluation.of[i];
    pd_contact_pair *pair = &job->sys->pair[job->pair[i]];
    const int first = worker->fresh.n;
    out->status = pd_contact_pair_update(job->sys, pair, job->tangent, job->mode, worker, out);
    pair->reusable = (char)reuse_of(job->sys, pair, job->when);
    if (out->status) worker->fresh.n = first, pair->reusable = PD_NOT_REUSABLE;
    out->thread = thread;
    out->first = first;
    out->n = worker->fresh.n - first;
    job->sys->work->evaluation.changes[i] = out->changes != 0;
  }
}

/* Room in the matrix for the pairs of a batch: given out here, as threads must not. */
static pd_status place_blocks(const updating *job)
{
  const pd_evaluation_work *w = &job->sys->work->evaluation;
  pd_status status = PD_OK;
  for (int m = 0; m < job->nchanging && !status; m++)
    if (w->of[w->changing[m]].assemble)
      status = pd_system_place_blocks(job->sys, &job->sys->pair[job->pair[w->changing[m]]]);
  return status;
}

/* Tangents of a batch into the rows of the part, and which residuals of its bodies are dirty. */
static void assemble_part(void *arg, int begin, int end, int thread)
{
  const updating *job = (const updating *)arg;
  pd_system *sys = job->sys;
  const pd_evaluation_work *w = &sys->work->evaluation;
  (void)thread;
  for (int k = begin; k < end; k++) {
    const pd_part p = pd_part_of(sys, k);
    for (int m = 0; m < job->nchanging; m++) {
      pd_pair_update *r = &w->of[w->changing[m]];
      const pd_contact_pair *pair = &sys->pair[job->pair[w->changing[m]]];
      if (pd_is_in(&p, pair->a)) sys->assembly.residual_dirty[pair->a] = 1;
      if (!pair->wall && pd_is_in(&p, pair->b)) sys->assembly.residual_dirty[pair->b] = 1;
      if (r->assemble) assemble(sys, &p, pair, r->k);
    }
  }
}

/* Keeps what a pair has found, in lists that all pairs share. A contact gets a list of near
 * features. *news: the list of pairs that act is another one. Errors: PD_ENOMEM. */
static pd_status store_update(pd_system *sys, int i, const pd_pair_update *r, int *news)
{
  const int acted = sys->contacts.active[i];
  pd_contact_pair *pair = &sys->pair[i];
  const pd_contact_state *state =
      pair->contact < 0 ? &r->made : &sys->contacts.state[pair->contact];
  const int plane = pd_plane_of(sys, pair) != NULL;
  const int acts = state->response.active || state->response.status;
  *news |= acts != acted;
  if (state->response.status == PD_ENOMEM) return PD_ENOMEM;
  if (acts && pair->contact < 0 && pd_contact_pair_add_state(sys, pair, state)) return PD_ENOMEM;
  sys->contacts.active[i] = (char)acts; /* a pair that is active has a state */
  if (acts && !plane && sys->contacts.state[pair->contact].near < 0 &&
      pd_contact_pair_add_near(sys, pair))
    return PD_ENOMEM;
  return r->status ? PD_OK
                   : keep_records(sys, pair, sys->work->worker[r->thread].fresh.r + r->first, r->n);
}

/* what is to be done with a pair */
enum { NOTHING, KEEP, EVALUATE };

typedef struct scanning {
  pd_system *sys;
  pd_reuse enough; /* to keep what a pair has found */
} scanning;

/* Whether the sides of a pair are where they were when it was evaluated last, and as still. */
static int stays(const scanning *job, const pd_contact_pair *pair)
{
  const pd_system *sys = job->sys;
  if (pair->reusable < (char)job->enough || sys->trial.stationarity[pair->a] != PD_UNCHANGED)
    return 0;
  return pair->wall ? !sys->wall[pair->b].moves : sys->trial.stationarity[pair->b] == PD_UNCHANGED;
}

/* which pairs of moved bodies have forces or may have come to have some */
static void find_pairs_of_moved(void *arg, int begin, int end, int thread)
{
  const scanning *job = (const scanning *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int i = begin; i < end; i++) {
    const int *ends = sys->ends[i];
    const int affected =
        (sys->trial.to_evaluate[ends[0]] || sys->trial.to_evaluate[ends[1]]) &&
        (sys->contacts.active[i] || !pd_contact_pair_known_open(sys, &sys->pair[i]));
    sys->work->evaluation.todo[i] = !affected                   ? NOTHING
                                    : stays(job, &sys->pair[i]) ? KEEP
                                                                : EVALUATE;
  }
}

/* A pair whose sides stay has the forces, the state and the memory of friction that it had. */
static pd_status keep(pd_system *sys, pd_contact_pair *pair)
{
  pair->lost = 0.0;
  pair->pulls = 0;
  if (pair->contact >= 0)
    sys->contacts.state[pair->contact].at_end = sys->contacts.state[pair->contact].at_start;
  return keep_records(sys, pair, sys->friction.at_start.r + pair->old, pair->nold);
}

/* Lists those that are to be evaluated; *n: how many. Errors: PD_ENOMEM. */
static pd_status list_pairs_of_moved(pd_system *sys, pd_when when, int *n)
{
  pd_evaluation_work *w = &sys->work->evaluation;
  scanning job = {sys, when == PD_AT_START ? PD_REUSABLE_AT_START : PD_REUSABLE_AT_TRIAL};
  pd_status status = PD_OK;
  *n = 0;
  pd_loop(&sys->loops, sys->npair, PD_SCAN_CHUNK, find_pairs_of_moved, &job);
  for (int i = 0; i < sys->npair; i++) {
    if (w->todo[i] == EVALUATE) w->to_evaluate[(*n)++] = i;
    if (w->todo[i] == KEEP) status = pd_worse(status, keep(sys, &sys->pair[i]));
  }
  return status;
}

/* Renews the pairs of moved bodies, and finds whose residual changes. */
pd_status pd_system_update_pairs(pd_system *sys, pd_when when, int tangent, pd_force_mode mode)
{
  pd_evaluation_work *w = &sys->work->evaluation;
  int n, news = 0;
  const pd_status kept = list_pairs_of_moved(sys, when, &n);
  if (kept) return kept;
  for (int at = 0; at < n; at += PD_EVALUATION_BATCH) {
    const int many = n - at < PD_EVALUATION_BATCH ? n - at : PD_EVALUATION_BATCH;
    updating job = {sys, w->to_evaluate + at, 0, when, tangent, mode};
    for (int t = 0; t < sys->work->nworker; t++) sys->work->worker[t].fresh.n = 0;
    pd_loop(&sys->loops, many, PD_PAIR_CHUNK, update_range, &job);
    for (int i = 0; i < many; i++)
      if (w->changes[i]) w->changing[job.nchanging++] = i;
    pd_status status = place_blocks(&job);
    if (status) return status;
    pd_loop(&sys->loops, sys->work->nworker, 1, assemble_part, &job);
    for (int m = 0; m < job.nchanging; m++) {
      const int i = w->changing[m];
      status = store_update(sys, job.pair[i], &w->of[i], &news);
      if (status) return status;
    }
  }
  if (news) pd_contact_states_list_active(sys);
  return PD_OK;
}

pd_status pd_system_contacts(pd_system *sys, pd_contact_list *list, pd_contact_visitor visit,
                             void *ctx)
{
  pd_pair_request wanted = {0};
  pd_pair_result r;
  wanted.mode = sys->scheme.kind == PD_NEWMARK ? PD_END_OF_STEP : PD_EULER_STATE;
  wanted.contacts = list;
  pd_system_set_start_poses(sys);
  pd_system_set_elapsed(sys);
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    list->n = 0;
    const pd_status status =
        pd_contact_pair_eval(sys, pair, &wanted, NULL, sys->work->worker[0].work, &r);
    if (status) return status;
    for (int k = 0; k < list->n; k++) visit(ctx, pair, &list->c[k]);
  }
  return PD_OK;
}
