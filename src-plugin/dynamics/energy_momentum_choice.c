/* SPDX-License-Identifier: MIT
 * Energy-momentum scheme for a system: the choice of (a, beta) for bodies and links, and of a step
 * that resolves impacts. */
#include "dynamics/impact.h"

/* a contact as slow as gravity makes it within a step is at rest */
static const double REST = 1.0;

static double weight_per_mass(const pd_body *b)
{
  return b->mobile ? pd_norm(pd_add(b->fext, b->fload)) / b->in.mass : 0.0;
}

/* speed of A as seen from B, its spin included */
static double drift(const pd_system *sys, const pd_link *l)
{
  const pd_body *a = &sys->body[l->a], *b = l->wall ? NULL : &sys->body[l->b];
  const pd_wall *wall = l->wall && sys->wall[l->b].moves ? &sys->wall[l->b] : NULL;
  pd_vec3 v = a->o.v, w = a->o.w;
  if (b) {
    v = pd_sub(v, pd_add(b->o.v, pd_cross(b->o.w, pd_sub(a->o.x, b->o.x))));
    w = pd_sub(w, b->o.w);
  } else if (wall) {
    v = pd_sub(v, pd_add(wall->v, pd_cross(wall->w, pd_sub(a->o.x, wall->x))));
    w = pd_sub(w, wall->w);
  }
  return pd_norm(v) + pd_norm(w) * a->shape->radius;
}

/* Whether a link that touches now is at rest: its normal speeds are as small as gravity makes in a
 * step, and so is all motion of one body against the other. One that swings, rocks or slides on
 * quiet contacts is moved without loss. */
static int at_rest(const pd_system *sys, const pd_link *l)
{
  const pd_em_state *s = pd_link_before(sys, l);
  const double w = sqrt(fmax(s->stiff, 0.0) / pd_reduced_mass(sys, l)), h0 = sys->hprev;
  double g = weight_per_mass(&sys->body[l->a]);
  if (!l->wall) g = fmax(g, weight_per_mass(&sys->body[l->b]));
  double fast = fmax(drift(sys, l), fmax(s->vn, s->vp));
  if (h0 > 0.0) fast = fmax(fast, s->dv / fmax(1e-3, fmin(1.0, h0 * w)));
  return fast <= REST * g * sys->scheme.h;
}

/* Chooses for one link; *rests: it is at rest. Returns a. */
static double choose_link(const pd_system *sys, pd_link *l, pd_pair_work *work, int *rests)
{
  const pd_law *law = l->law;
  const int active = pd_link_before(sys, l)->active;
  pd_impact o;
  l->beta = 0.0;
  l->keep = 1.0;
  l->zeta = law->has_e ? 0.0 : law->zeta;
  *rests = active && at_rest(sys, l);
  if (*rests) {
    l->beta = 1.0;
    if (law->has_e && pd_impact_now(sys, l, &o))
      l->zeta = fmax(law->zeta,
                     (law->e <= PD_DEAD ? 1.0 : 0.125 * (1.0 - law->e)) * pd_impact_creeping(&o));
    return 0.5;
  }
  if (pd_law_lossless(law)) return 0.5;
  if (active) return pd_impact_now(sys, l, &o) ? pd_impact_choose(sys, l, &o) : 0.5;
  if (!pd_impact_counts(sys, l)) return 0.5;
  return pd_impact_ahead(sys, l, work, &o) ? pd_impact_choose(sys, l, &o) : 0.5;
}

static void choose_links(void *arg, int begin, int end, int thread)
{
  pd_system *sys = (pd_system *)arg;
  for (int i = begin; i < end; i++)
    sys->figure[i] = choose_link(sys, &sys->link[i], sys->worker[thread].work, &sys->todo[i]);
}

void pd_em_choose(pd_system *sys)
{
  enum { FREE, RESTS, MOVES };
  for (int i = 0; i < sys->nbody; i++) {
    sys->body[i].a = 0.5;
    sys->body[i].em = FREE;
  }
  pd_loop(&sys->loops, sys->nlink, PD_LINK_CHUNK, choose_links, sys);
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    pd_body *const side[2] = {&sys->body[l->a], l->wall ? NULL : &sys->body[l->b]};
    for (int k = 0; k < 2; k++) {
      if (!side[k]) continue;
      side[k]->a = fmax(side[k]->a, sys->figure[i]);
      if (pd_link_before(sys, l)->active)
        side[k]->em = sys->todo[i] && side[k]->em != MOVES ? RESTS : MOVES;
    }
  }
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].em == RESTS) sys->body[i].a = 1.0;
}

/* Longest step that takes the impact of a link in no fewer than per steps, or ends where it begins.
 * The spring of friction swings with the whole body, too. */
static double link_longest(const pd_system *sys, const pd_link *l, pd_pair_work *work, double per)
{
  const pd_law *law = l->law;
  const pd_em_state *s = pd_link_before(sys, l);
  pd_impact o;
  if (s->active && at_rest(sys, l)) return DBL_MAX;
  if (!(s->active ? pd_impact_now(sys, l, &o) : pd_impact_ahead(sys, l, work, &o)))
    return DBL_MAX;
  const double k = fmax(s->active ? s->stiff : 0.0, o.n * pd_law_stiffness(law));
  const double w2 = fmax(k / o.m, PD_TURNING * o.n * law->t.eps_t / o.mred);
  const double step = 3.14159265358979 / (per * sqrt(w2));
  if (o.x >= 0.0) return step;
  const double way = -o.x, end = sqrt(o.v * o.v + 2.0 * fmax(-o.g, 0.0) * way);
  return fmax(step, 0.9 * 2.0 * way / (end - o.v));
}

typedef struct longest {
  pd_system *sys;
  double per;
} longest;

static void find_longest(void *arg, int begin, int end, int thread)
{
  const longest *job = (const longest *)arg;
  pd_system *sys = job->sys;
  for (int i = begin; i < end; i++)
    sys->figure[i] = link_longest(sys, &sys->link[i], sys->worker[thread].work, job->per);
}

double pd_em_longest(pd_system *sys, double per)
{
  double h = DBL_MAX;
  longest job = {sys, per};
  pd_loop(&sys->loops, sys->nlink, PD_LINK_CHUNK, find_longest, &job);
  for (int i = 0; i < sys->nlink; i++) h = fmin(h, sys->figure[i]);
  return h;
}
