/* SPDX-License-Identifier: MIT
 * Islands under way: those that hang together on several processes, and what their bodies and pairs
 * add up to. */
#include <string.h>

#include "solve/newton_internal.h"
#include "dynamics/system_internal.h"

/* ---- islands of several processes ---- */

void pd_islands_reduce_tops(const solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  if (s->nshared == 0) return;
  for (int i = 0; i < s->nshared * PD_NTOP; i++) s->share[i] = -DBL_MAX;
  for (int k = 0; k < s->nroot; k++) {
    const pd_island *o = pd_island_nth(s, k);
    if (o->shared >= 0) memcpy(s->share + PD_NTOP * o->shared, o->top, sizeof o->top);
  }
  pd_global_max(z->services, s->share, s->nshared * PD_NTOP);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    if (o->shared >= 0) memcpy(o->top, s->share + PD_NTOP * o->shared, sizeof o->top);
  }
}

static void reduce_sums(const solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  if (s->nshared == 0) return;
  memset(s->share, 0, (size_t)s->nshared * PD_NSUM * sizeof(double));
  for (int k = 0; k < s->nroot; k++) {
    const pd_island *o = pd_island_nth(s, k);
    if (o->shared >= 0) memcpy(s->share + PD_NSUM * o->shared, o->sum, sizeof o->sum);
  }
  pd_global_sum(z->services, s->share, s->nshared * PD_NSUM);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    if (o->shared >= 0) memcpy(o->sum, s->share + PD_NSUM * o->shared, sizeof o->sum);
  }
}

void pd_islands_reduce_local(const solve_state *z)
{
  pd_islands *s = &z->sys->islands;
  if (s->nshared == 0) return;
  memset(s->share, 0, (size_t)s->nshared * sizeof(double));
  for (int k = 0; k < s->nroot; k++) {
    const pd_island *o = pd_island_nth(s, k);
    if (o->shared >= 0) s->share[o->shared] = o->sum[PD_NLOCAL];
  }
  pd_global_sum(z->services, s->share, s->nshared);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    if (o->shared >= 0) o->sum[PD_NLOCAL] = s->share[o->shared];
  }
}

/* One round of telling the other processes the least row of every island; whether one was news. */
static int spread_labels(const solve_state *z)
{
  pd_system *sys = z->sys;
  int news = 0;
  for (int i = 0; i < sys->nbody; i++) sys->buffer[6 * i] = pd_island_of(z, i)->label;
  z->services->forward(z->services->ctx, sys->buffer);
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    pd_island *o = pd_island_of(z, i);
    if (b->owned || !b->mobile || !(sys->buffer[6 * i] < o->label)) continue;
    o->label = sys->buffer[6 * i];
    news = 1;
  }
  return pd_anywhere(z, news);
}

/* Parts that hang together elsewhere become one here; numbers those of which other processes have a
 * part. Errors: PD_ENOMEM. */
static pd_status number_shared(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  const int rows = (int)sys->nglobal;
  const pd_status status = pd_islands_share(s, 0, rows);
  if (pd_anywhere(z, status)) return PD_ENOMEM;
  for (int i = 0; i < rows; i++) s->mark[i] = -1.0;
  for (int i = 0; i < sys->nbody; i++) {
    if (!sys->body[i].mobile) continue;
    const int label = (int)pd_island_of(z, i)->label;
    if (s->mark[label] < 0.0)
      s->mark[label] = i;
    else if (pd_island_join(s, i, (int)s->mark[label]))
      pd_island_of(z, i)->label = label;
  }
  for (int i = 0; i < rows; i++) s->mark[i] = 0.0;
  for (int i = 0; i < sys->nbody; i++)
    if (!sys->body[i].owned && sys->body[i].mobile) s->mark[(int)pd_island_of(z, i)->label] = 1.0;
  pd_global_max(z->services, s->mark, rows);
  s->nshared = 0;
  for (int i = 0; i < rows; i++) s->mark[i] = s->mark[i] > 0.0 ? s->nshared++ : -1;
  for (int i = 0; i < sys->nbody; i++) {
    pd_island *o = pd_island_of(z, i);
    if (sys->body[i].mobile) o->shared = (int)s->mark[(int)o->label];
  }
  const int most = (int)PD_NSUM + (int)PD_NTOP;
  return pd_anywhere(z, pd_islands_share(s, most * s->nshared, rows)) ? PD_ENOMEM : PD_OK;
}

pd_status pd_islands_agree(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands_list(&sys->islands);
  if (!z->services->forward) return PD_OK;
  for (int i = 0; i < sys->nbody; i++) pd_island_of(z, i)->label = DBL_MAX;
  for (int i = 0; i < sys->nbody; i++) {
    pd_island *o = pd_island_of(z, i);
    if (sys->body[i].mobile) o->label = fmin(o->label, (double)sys->body[i].row);
  }
  while (spread_labels(z)) continue;
  const pd_status status = number_shared(z);
  pd_islands_list(&sys->islands);
  if (!status) pd_islands_reduce_tops(z);
  return status;
}

int pd_islands_join_active(const solve_state *z)
{
  pd_system *sys = z->sys;
  int joined = 0;
  for (int k = 0; k < sys->nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->active_pair[k]];
    if (pair->wall || !pd_response_of(sys, sys->active_pair[k])->active) continue;
    if (!sys->body[pair->a].mobile || !sys->body[pair->b].mobile) continue;
    joined |= pd_island_join(&sys->islands, pair->a, pair->b);
  }
  return joined;
}

/* ---- sums ---- */

/* what one body gives to the first sums of its island */
static void weigh_body(const pd_system *sys, int i, double *sum)
{
  const pd_body *b = &sys->body[i];
  const pd_scheme s = pd_body_scheme(sys, b);
  const double m = b->in.mass, r = b->shape->radius, *f = sys->force + 6 * i,
               *d = sys->step + 6 * i;
  const double j = (b->in.j.x + b->in.j.y + b->in.j.z) / 3.0, eps = DBL_EPSILON;
  const double ft = pd_norm2(pd_v_load(f)), mt = pd_norm2(pd_v_load(f + 3));
  sum[PD_RESIDUAL2] = ft + mt / (r * r);
  sum[PD_MERIT2] = ft / (m * m) + mt * (r / j) * (r / j);
  sum[PD_SCALE2] =
      pd_norm2(pd_add(b->fext, b->fload)) + pd_norm2(pd_add(b->text, b->mload)) / (r * r);
  const double stiff = pd_inertia_stiffness(&s, &b->in);
  const double round_f = eps * stiff * (pd_norm(b->u) + s.h * pd_norm(b->o.v));
  const double round_m = eps * stiff * (j / m) * (pd_norm(b->alpha) + s.h * pd_norm(b->o.w)) / r;
  sum[PD_FLOOR2] = 8.0 * (round_f * round_f + round_m * round_m);
  const pd_vec3 spin = pd_mv(b->k.xi, pd_v_load(d + 3));
  sum[PD_SLOPE] = pd_dot(pd_v_load(f), pd_v_load(d)) + pd_dot(pd_v_load(f + 3), spin);
}

/* bodies that are not worth a second thread */
enum { FEW = 1024 };

static void weigh_range(void *arg, int begin, int end, int thread)
{
  const pd_system *sys = (const pd_system *)arg;
  (void)thread;
  for (int i = begin; i < end; i++)
    if (pd_moves(&sys->body[i])) weigh_body(sys, i, sys->buffer + 6 * i);
}

/* the bodies' parts, in an order that does not depend on how bodies are stored */
static void add_bodies(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_loop(&sys->loops, sys->nbody, FEW, weigh_range, sys);
  for (int k = 0; k < sys->norder; k++) {
    const int i = sys->order[k];
    if (!sys->body[i].mobile) continue;
    double *sum = pd_island_of(z, i)->sum;
    for (int m = 0; m <= PD_SLOPE; m++) sum[m] += sys->buffer[6 * i + m];
    sum[PD_NBODIES] += 1.0;
  }
}

static void add_pairs(const solve_state *z)
{
  const pd_system *sys = z->sys;
  for (int k = 0; k < sys->nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->active_pair[k]];
    const pd_pair_response *response = pd_response_of(sys, sys->active_pair[k]);
    pd_island *o = pd_island_of(z, pd_mover(sys, pair));
    o->top[PD_BAD] = fmax(o->top[PD_BAD], response->status);
    if (response->active) o->sum[PD_SCALE2] += pair->share * response->scale2;
  }
}

void pd_islands_sum_up(solve_state *z)
{
  pd_system *sys = z->sys;
  pd_islands *s = &sys->islands;
  for (int k = 0; k < s->nroot; k++) {
    memset(pd_island_nth(s, k)->sum, 0, sizeof pd_island_nth(s, k)->sum);
    pd_island_nth(s, k)->top[PD_BAD] = 0.0;
  }
  add_bodies(z);
  add_pairs(z);
  memset(z->total, 0, sizeof z->total);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *o = pd_island_nth(s, k);
    for (int m = 0; m < PD_NSUM; m++) z->total[m] += o->sum[m];
    if (o->active) z->total[PD_AT_WORK] += o->sum[PD_RESIDUAL2];
    if (!(o->sum[PD_RESIDUAL2] <= DBL_MAX)) o->top[PD_BAD] = fmax(o->top[PD_BAD], PD_ENAN);
  }
  pd_global_sum(z->services, z->total, PD_NSUM);
  reduce_sums(z);
  pd_islands_reduce_tops(z);
}

double pd_island_scale(const solve_state *z, const pd_island *o)
{
  const double *t = z->total;
  const double share = 0.5 * t[PD_SCALE2] * o->sum[PD_NBODIES] / fmax(1.0, t[PD_NBODIES]);
  return sqrt(fmax(o->sum[PD_SCALE2], share));
}

int pd_island_converged(const solve_state *z, const pd_island *o)
{
  const double goal = z->opt->tol * pd_island_scale(z, o), enough = goal * goal;
  return o->top[PD_BAD] == 0.0 && o->sum[PD_RESIDUAL2] <= fmax(enough, o->sum[PD_FLOOR2]);
}

int pd_all_converged(const solve_state *z)
{
  const double *t = z->total;
  return t[PD_RESIDUAL2] <= fmax(z->opt->tol * z->opt->tol * t[PD_SCALE2], t[PD_FLOOR2]);
}
