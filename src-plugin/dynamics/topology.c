/* SPDX-License-Identifier: MIT
 * Who is there and who may touch whom: storage of a system. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "dynamics/system_internal.h"

pd_status pd_system_create(pd_system *sys)
{
  memset(sys, 0, sizeof *sys);
  sys->scheme.kind = PD_NEWMARK;
  sys->scheme.beta = 0.3;
  sys->scheme.gamma = 0.5;
  pd_scheme_set_step(&sys->scheme, 1.0); /* bodies may be placed before the first step */
  const pd_status status = pd_workspace_create(&sys->work);
  if (status) pd_system_free(sys);
  return status;
}

void pd_system_free(pd_system *sys)
{
  pd_assembly *a = &sys->assembly;
  void *owned[] = {sys->body,
                   sys->wall,
                   sys->pair,
                   sys->ends,
                   sys->order,
                   sys->load,
                   sys->loss_at_start,
                   sys->change_at_start,
                   sys->carry_load,
                   sys->carry_load_at_start,
                   sys->pattern.rowptr,
                   sys->pattern.col,
                   sys->contacts.state,
                   sys->contacts.near,
                   sys->contacts.active,
                   sys->contacts.active_pair,
                   sys->trial.to_evaluate,
                   sys->trial.path_bound,
                   sys->trial.path,
                   sys->trial.at,
                   sys->trial.far,
                   sys->trial.stationarity,
                   sys->trial.last_placement,
                   a->force,
                   a->loss,
                   a->by_wall,
                   a->of_wall,
                   a->wall_by_way,
                   a->wall_forces,
                   a->values,
                   a->place,
                   a->nonzero,
                   a->residual_dirty,
                   a->tangent_current,
                   a->row_is_identity};
  for (size_t i = 0; i < sys->contacts.cap_near; i++) pd_near_free(&sys->contacts.near[i]);
  for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++) pd_free(owned[i]);
  pd_friction_records_free(&sys->friction.at_start);
  pd_friction_records_free(&sys->friction.at_end);
  pd_workspace_free(sys->work);
  memset(sys, 0, sizeof *sys);
}

/* ---- room ---- */

static pd_status grow_bodies(pd_system *sys, int n)
{
  pd_assembly *a = &sys->assembly;
  pd_limiter_work *limiter = &sys->work->limiter;
  const pd_array arrays[] = {PD_ARRAY(sys->body),
                             PD_ARRAY(sys->order),
                             {&sys->loss_at_start, 12 * sizeof(double)},
                             {&sys->change_at_start, 6 * sizeof(double)},
                             PD_ARRAY(sys->trial.to_evaluate),
                             PD_ARRAY(sys->trial.path_bound),
                             PD_ARRAY(sys->trial.path),
                             PD_ARRAY(sys->trial.at),
                             PD_ARRAY(sys->trial.far),
                             PD_ARRAY(sys->trial.stationarity),
                             PD_ARRAY(sys->trial.last_placement),
                             {&a->force, 6 * sizeof(double)},
                             {&a->loss, 12 * sizeof(double)},
                             PD_ARRAY(a->residual_dirty),
                             PD_ARRAY(a->tangent_current),
                             PD_ARRAY(a->row_is_identity),
                             PD_ARRAY(limiter->goes),
                             PD_ARRAY(limiter->reach),
                             PD_ARRAY(sys->work->choice.contact),
                             PD_ARRAY(sys->work->choice.support)};
  /* a rank without bodies has arrays too: no call need ask before it clears or copies them */
  return pd_arrays_reserve(arrays, sizeof arrays / sizeof arrays[0], &sys->capacity.body,
                           n > 0 ? (size_t)n : 1);
}

static pd_status grow_pairs(pd_system *sys, int n)
{
  pd_workspace *w = sys->work;
  const pd_array arrays[] = {PD_ARRAY(sys->pair),
                             PD_ARRAY(sys->ends),
                             PD_ARRAY(sys->contacts.active),
                             PD_ARRAY(sys->contacts.active_pair),
                             PD_ARRAY(w->evaluation.todo),
                             PD_ARRAY(w->evaluation.to_evaluate),
                             PD_ARRAY(w->limiter.near),
                             PD_ARRAY(w->limiter.near_pair),
                             PD_ARRAY(w->limiter.fraction),
                             PD_ARRAY(w->choice.a),
                             PD_ARRAY(w->choice.at_rest),
                             PD_ARRAY(w->choice.rates)};
  return pd_arrays_reserve(arrays, sizeof arrays / sizeof arrays[0], &sys->capacity.pair,
                           (size_t)n);
}

pd_status pd_system_resize(pd_system *sys, int nbody, int nwall)
{
  const pd_array walls = PD_ARRAY(sys->wall);
  pd_status status = grow_bodies(sys, nbody);
  if (!status) status = pd_arrays_reserve(&walls, 1, &sys->capacity.wall, (size_t)nwall);
  if (status) return status;
  memset(sys->trial.far, 0, (size_t)nbody);
  memset(sys->trial.stationarity, PD_MOVING, (size_t)nbody);
  memset(sys->trial.last_placement, 0, (size_t)nbody * sizeof *sys->trial.last_placement);
  sys->nbody = nbody;
  sys->nwall = nwall;
  sys->npair = sys->nload = sys->carries = 0;
  pd_contact_states_forget(sys);
  sys->friction.at_start.n = sys->friction.at_end.n = 0;
  return PD_OK;
}

static void reset_pair(pd_contact_pair *pair)
{
  pair->em = pd_em_viscous(pair->law->zeta);
  pair->lost = pair->separation = pair->path_bound = 0.0;
  pair->pulls = 0;
}

pd_status pd_system_add_pair(pd_system *sys, pd_contact_pair pair)
{
  const pd_nearest nothing_yet = {0, 0, {0.0, 0.0, 0.0}};
  const pd_status status = grow_pairs(sys, sys->npair + 1);
  if (status) return status;
  for (int i = 0; i < 4; i++) pair.slot[i] = -1;
  pair.old = sys->friction.at_start.n;
  pair.contact = -1;
  pair.kept = pair.nold = pair.nkept = pair.room = 0;
  pair.reusable = PD_NOT_REUSABLE;
  pair.nearest = nothing_yet;
  reset_pair(&pair);
  sys->contacts.active[sys->npair] = 0;
  sys->ends[sys->npair][0] = pair.a;
  sys->ends[sys->npair][1] = pair.wall ? pair.a : pair.b;
  sys->pair[sys->npair++] = pair;
  return PD_OK;
}

pd_status pd_system_set_loads(pd_system *sys, int n, const pd_load *load)
{
  const pd_array loads = PD_ARRAY(sys->load);
  const pd_status status = pd_arrays_reserve(&loads, 1, &sys->capacity.load, (size_t)n);
  if (status) return status;
  if (n > 0) memcpy(sys->load, load, (size_t)n * sizeof(pd_load));
  sys->nload = n;
  return PD_OK;
}

/* ---- binding ---- */

/* a wall is a body whose motion is prescribed and whose centre is the origin of its frame */
static void bind_wall(pd_wall *w)
{
  const pd_pose zero = {0};
  w->pose = zero;
  w->pose.mass = w->mass > 0.0 ? w->mass : INFINITY;
  w->pose.rot = pd_m_identity();
  w->pose.velocity = pd_at_rest();
  w->pose.before = pd_twist_of(&w->pose.velocity);
  w->pose.increment = pd_no_increment();
  w->n = w->normal;
  w->u_now = w->alpha_now = pd_v(0.0, 0.0, 0.0);
  w->pose.shape = w->kind == PD_SURFACE ? w->shape : NULL;
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
  memset(w->owed, 0, sizeof w->owed);
  memset(w->loss0, 0, sizeof w->loss0);
  pd_system_set_wall_pose(sys, i, 0.0);
}

static void reset_body(pd_body *b)
{
  b->pose.increment = pd_no_increment();
  b->pose.momentum_reference = pd_v(0.0, 0.0, 0.0);
  b->pose.momentum_slope = 0.0;
  b->scheme_a = 0.5;
  b->rest = (pd_em_rest){.mean_is_old = 1};
  b->u = b->alpha = b->prescribed_u = b->prescribed_alpha = b->load_force = b->load_moment =
      pd_v(0.0, 0.0, 0.0);
  b->carry = b->carry_velocity = b->carried = pd_v(0.0, 0.0, 0.0);
  memset(b->reaction, 0, sizeof b->reaction);
  memset(b->reaction_at_start, 0, sizeof b->reaction_at_start);
}

/* Nothing but the start of a step from where they still stand is known of a pair's sides. */
static void forget_start(pd_system *sys, pd_contact_pair *pair)
{
  if (pair->reusable == PD_REUSABLE_AT_START) return;
  pair->reusable = PD_NOT_REUSABLE;
  if (pair->contact < 0) return;
  pd_contact_state *state = &sys->contacts.state[pair->contact];
  state->at_start.active = state->at_end.active = 0;
}

void pd_system_reset(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) reset_body(&sys->body[i]);
  for (int i = 0; i < sys->nwall; i++) reset_wall(sys, i);
  for (int i = 0; i < sys->npair; i++) {
    reset_pair(&sys->pair[i]);
    forget_start(sys, &sys->pair[i]);
  }
  sys->nload = 0;
  memset(sys->loss_at_start, 0, (size_t)sys->nbody * 12 * sizeof(double));
  memset(sys->change_at_start, 0, (size_t)sys->nbody * 6 * sizeof(double));
  if (sys->carries)
    memset(sys->carry_load_at_start, 0, (size_t)sys->nbody * PD_NCARRY * sizeof(double));
}

void pd_system_forget_reusable(pd_system *sys)
{
  for (int i = 0; i < sys->npair; i++) sys->pair[i].reusable = PD_NOT_REUSABLE;
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
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    b->pose.shape = b->shape;
    b->pose.rot = pd_m_identity();
    sys->trial.at[i] = b->start.x;
    sys->trial.path[i] = 0.0;
    b->pose.mass = pd_body_mass_felt(b);
  }
  for (int i = 0; i < sys->nwall; i++) bind_wall(&sys->wall[i]);
  const pd_status status = pd_system_bind_free_walls(sys);
  if (status) return status;
  for (int i = 0; i < sys->npair; i++) {
    sys->pair[i].contact = -1;
    sys->pair[i].reusable = PD_NOT_REUSABLE;
    sys->contacts.active[i] = 0;
  }
  pd_contact_states_forget(sys);
  pd_system_reset(sys);
  return sort_bodies(sys);
}
