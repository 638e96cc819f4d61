/* SPDX-License-Identifier: MIT
 * Energy-momentum scheme for a system: the choice of (a, beta) for bodies and pairs, and of a step
 * that resolves impacts. */
#include "dynamics/impact.h"
#include "dynamics/slide.h"

static double weight_per_mass(const pd_body *b)
{
  return b->mobile ? pd_norm(pd_body_falls(b)) : 0.0;
}

/* speed of a body as seen from another one, or if there is none from the wall, its spin included */
static double speed_against(const pd_body *a, const pd_body *b, const pd_wall *wall)
{
  pd_vec3 v = pd_body_velocity_now(a), w = pd_body_spin_now(a);
  if (b) {
    const pd_vec3 spin = pd_body_spin_now(b);
    v = pd_sub(v, pd_add(pd_body_velocity_now(b), pd_cross(spin, pd_sub(a->start.x, b->start.x))));
    w = pd_sub(w, spin);
  } else {
    v = pd_sub(v, pd_wall_velocity_at(wall, a->start.x));
    w = pd_sub(w, pd_wall_spin(wall));
  }
  return pd_norm(v) + pd_norm(w) * a->shape->radius;
}

/* speed of the smaller body as seen from the other one; of two equal ones the larger of both */
static double relative_speed(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
  if (pair->wall) return speed_against(a, NULL, &sys->wall[pair->b]);
  const double ra = a->shape->radius, rb = b->shape->radius;
  if (b->wall || ra < rb) return speed_against(a, b, NULL);
  return ra > rb ? speed_against(b, a, NULL)
                 : fmax(speed_against(a, b, NULL), speed_against(b, a, NULL));
}

/* the normal motion of a pair that touches: its fastest, and what is slow; velocities */
typedef struct normal_pace {
  double fast; /* normal speeds now, one step ago, and their change */
  double slow; /* what loads make in a step */
} normal_pace;

static normal_pace normal_pace_of(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_em_state *s = pd_contact_pair_at_start(sys, pair);
  const double w = sqrt(fmax(s->stiff, 0.0) / pd_reduced_mass(sys, pair)), h0 = sys->hprev;
  double g = weight_per_mass(&sys->body[pair->a]);
  if (!pair->wall) g = fmax(g, weight_per_mass(&sys->body[pair->b]));
  g += fabs(pd_acceleration_by_moments(sys, pair));
  normal_pace pace = {fmax(s->vn, s->vp), PD_REST_SPEED * g * sys->scheme.h};
  if (h0 > 0.0) pace.fast = fmax(pace.fast, s->dv / fmax(PD_REST_PHASE, fmin(1.0, h0 * w)));
  return pace;
}

/* what a pair does */
enum {
  NOT_PERSISTING, /* it is open, or in an impact */
  AT_REST,
  GLIDING /* its contacts persist, but it moves on freely: no loss along the motion */
};

/* speed along the surface that friction holds, at the points of contact; 0 without friction */
static double tangential_speed(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_em_state *s = pd_contact_pair_at_start(sys, pair);
  const double force = pd_em_state_weight(s);
  if (pair->law->t.mu_s <= 0.0 || !(force > 0.0)) return 0.0;
  return sqrt(fmax(s->speed2 - s->normal2, 0.0) / force);
}

/* Whether friction does not hold it: all of its contacts slipped in the last substep, and it is too
 * fast for friction to stop it in the next one. */
static int slides_on(const pd_system *sys, const pd_contact_pair *pair, double slow)
{
  const pd_friction_record *old = sys->friction.at_start.r + pair->old;
  int held = 0;
  if (!(pair->law->t.mu_s > 0.0) || pair->nold == 0) return 0;
  for (int i = 0; i < pair->nold; i++) held += !old[i].history.slipping;
  return held == 0 && tangential_speed(sys, pair) > pair->law->t.mu_d * slow;
}

/* A pair is at rest if its normal speeds are as small as gravity makes in a step, and so is all
 * motion of one body against the other. One that swings, rocks, rolls or slides on quiet contacts
 * glides if friction does not hold it, where it goes far faster than the points of contact or these
 * slip: it is moved without loss, however slow, and only its normal motion is damped, as at rest.
 */
static int kind_of_motion(const pd_system *sys, const pd_contact_pair *pair, normal_pace pace,
                          int quiet)
{
  if (!quiet) return NOT_PERSISTING;
  const double speed = relative_speed(sys, pair), along = tangential_speed(sys, pair);
  const int slow = speed <= pace.slow;
  const int free = speed > PD_FREE_MOTION * pace.fast && speed > PD_ROLLING * along;
  if (free && (slow || pair->law->t.mu_s <= 0.0)) return GLIDING;
  if (slow && slides_on(sys, pair, pace.slow)) return GLIDING;
  return slow ? AT_REST : NOT_PERSISTING;
}

/* what a pair does at the start of the step */
typedef struct pair_motion {
  int touches;
  int quiet;        /* it touches, its normal speeds no larger than gravity makes in a step */
  normal_pace pace; /* if it touches */
  int kind;         /* NOT_PERSISTING if it does not touch */
  int has_impact;   /* impact is set: the one it is in, or may be heading for within the step */
  pd_impact impact; /* if has_impact */
} pair_motion;

/* Whether a pair asks what comes within the step. In an impact with restitution it has enough to do
 * with that. */
static int looks_ahead(const pd_contact_pair *pair, const pair_motion *now)
{
  if (!now->touches) return 1;
  return now->kind != AT_REST && (now->quiet || pd_law_perfectly_inelastic(pair->law));
}

/* ahead: open pairs look for what they may be heading for */
static pair_motion motion_of(const pd_system *sys, pd_contact_pair *pair, pd_pair_work *work,
                             int ahead)
{
  pair_motion now = {0};
  pd_impact next;
  now.touches = pd_contact_pair_at_start(sys, pair)->active;
  now.kind = NOT_PERSISTING;
  if (now.touches) {
    now.pace = normal_pace_of(sys, pair);
    now.quiet = now.pace.fast <= now.pace.slow;
    now.kind = kind_of_motion(sys, pair, now.pace, now.quiet);
    now.has_impact = pd_impact_now(sys, pair, &now.impact);
    now.impact.quiet = now.quiet;
  }
  if (ahead && looks_ahead(pair, &now) && pd_impact_ahead(sys, pair, now.touches, work, &next) &&
      (!now.has_impact || now.quiet || pd_impact_is_harder(&next, &now.impact))) {
    now.impact = next;
    now.impact.quiet = now.quiet && next.quiet;
    now.has_impact = 1;
    now.kind = NOT_PERSISTING;
  }
  return now;
}

/* what is asked for: rates of pairs or not, with so many substeps for an impact, 0: any number, and
 * no substep longer than this */
typedef struct choosing {
  pd_system *sys;
  int rated;
  double per, longest;
} choosing;

/* whether an impact of the pair loses energy that the scheme has to take */
static int loses(const choosing *job, const pd_contact_pair *pair, int touches)
{
  return !pd_law_lossless(pair->law) && (touches || pd_impact_counts(job->sys, pair, job->longest));
}

/* chooses for a pair that rests or glides; returns a */
static double choose_persisting(const pd_system *sys, pd_contact_pair *pair, const pair_motion *now)
{
  pair->em.beta = now->kind == AT_REST;
  if (pair->law->has_e && now->has_impact) pd_impact_damp_rest(pair, &now->impact, sys->scheme.h);
  return 0.5;
}

/* Longest step that takes an impact in no fewer than per steps. The spring of friction swings with
 * the whole body, too. */
static double resolving(const pd_system *sys, const pd_contact_pair *pair, const pd_impact *impact,
                        double per)
{
  const pd_law *law = pair->law;
  const pd_em_state *s = pd_contact_pair_at_start(sys, pair);
  const double k = fmax(s->active ? s->stiff : 0.0, impact->n * pd_law_stiffness(law));
  const double w2 = fmax(k / impact->m, PD_TURNING * impact->n * law->t.eps_t / impact->mred);
  return PD_PI / (per * sqrt(w2));
}

/* the same, or one that ends where the impact begins */
static double resolving_or_approaching(const pd_system *sys, const pd_contact_pair *pair,
                                       const pd_impact *impact, double per)
{
  const double step = resolving(sys, pair, impact, per);
  if (impact->x >= 0.0) return step;
  const double way = -impact->x,
               end = sqrt(impact->v * impact->v + 2.0 * fmax(-impact->g, 0.0) * way);
  return fmax(step, PD_RESOLVE_APPROACH * 2.0 * way / (end - impact->v));
}

/* chooses for one pair; returns a */
static double choose_pair(const choosing *job, pd_contact_pair *pair, const pair_motion *now)
{
  const pd_system *sys = job->sys;
  pd_impact impact = now->impact;
  double longest = job->longest;
  pair->em = pd_em_viscous(pair->law->has_e ? 0.0 : pair->law->zeta);
  pair->em.slide = pd_slide_of(sys, pair);
  if (now->kind != NOT_PERSISTING) return choose_persisting(sys, pair, now);
  if (!now->has_impact || !loses(job, pair, now->touches)) return 0.5;
  if (now->touches && pair->em.slide > 0.0 && impact.x > 0.0)
    impact.borne = pair->em.slide * pd_slide_borne(sys, pair, impact.x);
  if (job->per > 0.0) /* the approach may take longer */
    longest = fmax(sys->scheme.h, fmin(longest, resolving(sys, pair, &impact, job->per)));
  return pd_impact_choose(sys, pair, longest, &impact);
}

/* rate at which the bodies of a pair go past each other, over the size of the smaller one */
static double rate_of_way(const pd_system *sys, const pd_contact_pair *pair)
{
  return relative_speed(sys, pair) / pd_contact_pair_radius(sys, pair);
}

static pd_rates rates_of(const pd_system *sys, const pd_contact_pair *pair, const pair_motion *now,
                         double per)
{
  pd_rates rates = {0.0, 0.0};
  if (now->kind == AT_REST || !now->has_impact) return rates;
  if (per > 0.0) rates.impact = 1.0 / resolving_or_approaching(sys, pair, &now->impact, per);
  rates.way = rate_of_way(sys, pair);
  return rates;
}

static void choose_pairs(void *arg, int begin, int end, int thread)
{
  const choosing *job = (const choosing *)arg;
  pd_system *sys = job->sys;
  pd_choice_work *w = &sys->work->choice;
  for (int i = begin; i < end; i++) {
    pd_contact_pair *pair = &sys->pair[i];
    const int ahead = job->rated || loses(job, pair, 0);
    const pair_motion now = motion_of(sys, pair, sys->work->worker[thread].work, ahead);
    w->a[i] = choose_pair(job, pair, &now);
    w->at_rest[i] = now.kind == AT_REST;
    if (job->rated) w->rates[i] = rates_of(sys, pair, &now, job->per);
  }
}

/* how the contacts of a body are, the least of them: friction holds those that rest, or nothing
 * does */
enum { FREE, HELD, RESTS, MOVES };

static char contact_of(const pd_system *sys, int i)
{
  if (!sys->work->choice.at_rest[i]) return MOVES;
  return sys->pair[i].law->t.mu_s > 0.0 ? HELD : RESTS;
}

/* Whether a body goes on as it is: loads and contacts are in balance. */
static int is_steady(const pd_body *b)
{
  const double change = pd_norm(b->start.acc) + pd_norm(b->start.wdot) * b->shape->radius;
  return change <= PD_STEADY * weight_per_mass(b);
}

static void settle(pd_body *b, int contact)
{
  b->rest.by_friction = contact == HELD;
  b->rest.rests = contact == HELD || contact == RESTS;
  if (b->rest.rests) b->scheme_a = 1.0;
}

void pd_em_choose(pd_system *sys, int rated, double per, double longest)
{
  choosing job = {sys, rated, per, fmax(longest, sys->scheme.h)};
  pd_choice_work *w = &sys->work->choice;
  for (int i = 0; i < sys->nbody; i++) {
    sys->body[i].scheme_a = 0.5;
    sys->body[i].rest.on_prescribed = sys->body[i].rest.supported = sys->body[i].rest.floats = 0;
    w->contact[i] = FREE;
  }
  pd_loop(&sys->loops, sys->npair, PD_PAIR_CHUNK, choose_pairs, &job);
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    const int touches = pd_contact_pair_at_start(sys, pair)->active;
    for (int k = 0; k < (pair->wall ? 1 : 2); k++) {
      const int side = sys->ends[i][k];
      sys->body[side].scheme_a = fmax(sys->body[side].scheme_a, w->a[i]);
      const char contact = touches ? contact_of(sys, i) : FREE;
      if (contact > w->contact[side]) w->contact[side] = contact;
    }
  }
  for (int i = 0; i < sys->nbody - sys->nfree; i++) settle(&sys->body[i], w->contact[i]);
}

void pd_em_choose_walls(pd_system *sys, const pd_communication *c)
{
  for (int i = sys->nbody - sys->nfree; i < sys->nbody; i++) {
    double most[2] = {sys->body[i].scheme_a, sys->work->choice.contact[i]};
    pd_global_max(c, most, 2);
    sys->body[i].scheme_a = most[0];
    settle(&sys->body[i], (int)most[1]);
  }
}

/* whether friction holds the bodies of a pair to each other while they are not in balance */
static int go_together(const pd_system *sys, int i)
{
  const pd_contact_pair *pair = &sys->pair[i];
  if (pair->wall) return 0;
  const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
  if (a->rest.floats && b->rest.floats) return sys->work->choice.at_rest[i];
  if (contact_of(sys, i) != HELD) return 0;
  return a->mobile && b->mobile && !(is_steady(a) && is_steady(b));
}

static int join(pd_body *a, pd_body *b)
{
  const double of_a = a->rest.by_friction ? 0.0 : a->scheme_a,
               of_b = b->rest.by_friction ? 0.0 : b->scheme_a;
  const double least = a->rest.floats || b->rest.floats ? 0.5 : 0.5 + 0.5 * PD_PERSISTENT_A;
  const double most = fmax(least, fmax(of_a, of_b));
  if ((a->rest.by_friction && b->rest.by_friction) || (of_a == most && of_b == most)) return 0;
  a->rest.by_friction = b->rest.by_friction = a->rest.rests = b->rest.rests = 0;
  a->scheme_a = b->scheme_a = most;
  return 1;
}

/* A wall with a degree of freedom goes with the bodies of other processes, too. */
static void share_walls_rest(pd_system *sys, const pd_communication *c)
{
  for (int i = sys->nbody - sys->nfree; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    double most[2] = {b->rest.by_friction ? 0.0 : b->scheme_a, !b->rest.by_friction};
    pd_global_max(c, most, 2);
    if (!(most[1] > 0.0)) continue;
    b->rest.by_friction = b->rest.rests = 0;
    b->scheme_a = most[0];
  }
}

int pd_em_join_rest(pd_system *sys, const pd_communication *c)
{
  int changed = 0;
  for (int i = 0; i < sys->npair; i++)
    if (go_together(sys, i))
      changed |= join(&sys->body[sys->pair[i].a], &sys->body[sys->pair[i].b]);
  share_walls_rest(sys, c);
  return changed;
}

pd_rates pd_em_rates(const pd_system *sys)
{
  const pd_rates *of = sys->work->choice.rates;
  pd_rates most = {0.0, 0.0};
  for (int i = 0; i < sys->npair; i++) {
    most.impact = fmax(most.impact, of[i].impact);
    most.way = fmax(most.way, of[i].way);
  }
  return most;
}

pd_rate_sums pd_em_sum_rates(const pd_system *sys, double fastest)
{
  pd_rate_sums sum = {0.0, 0.0};
  for (int i = 0; i < sys->npair; i++) {
    const double x = sys->work->choice.rates[i].way / fastest;
    sum.squares += sys->pair[i].share * floor(PD_RATE_DIGITS * x * x);
    sum.cubes += sys->pair[i].share * floor(PD_RATE_DIGITS * x * x * x);
  }
  return sum;
}
