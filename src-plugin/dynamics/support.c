/* SPDX-License-Identifier: MIT
 * Who rests on what: on what does not move by itself, on what moves as prescribed, or on such as it
 * alone. A body at
 * rest has a = 1, which damps all of its motion. That is right where it rests on what does not move
 * by itself. Bodies that rest on each other alone, as blocks on a spring or a swing, in flight, or
 * tied to each other, are at rest as seen from each other and no more: their common motion would be
 * damped in proportion to the step. */
#include "dynamics/system_internal.h"

/* is moved; all its contacts rest; and it is supported, or is what supports */
enum { MOVING, RESTING, SUPPORTED };

static int become_supported(char *state)
{
  if (*state != RESTING) return 0;
  *state = SUPPORTED;
  return 1;
}

static int spread(pd_system *sys, int i)
{
  char *support = sys->work->choice.support;
  const int *ends = sys->ends[i];
  if (!sys->work->choice.at_rest[i]) return 0;
  if (support[ends[0]] == SUPPORTED) return become_supported(&support[ends[1]]);
  return support[ends[1]] == SUPPORTED && become_supported(&support[ends[0]]);
}

/* Until no pair spreads any more, forwards and backwards by turns, as a heap may be numbered from
 * either end. Returns all that they have returned. */
static int spread_all(pd_system *sys, int (*by_pair)(pd_system *, int))
{
  int all = 0, more = 1;
  while (more) {
    more = 0;
    for (int i = 0; i < sys->npair; i++) more |= by_pair(sys, i);
    for (int i = sys->npair - 1; more && i >= 0; i--) more |= by_pair(sys, i);
    all |= more;
  }
  return all;
}

/* ---- by what does not move by itself ---- */

static char support_of(const pd_body *b)
{
  if (b->rest.supported || isinf(pd_body_mass_felt(b))) return SUPPORTED;
  return b->rest.rests ? RESTING : MOVING;
}

static void find_supports(const pd_system *sys, char *support)
{
  for (int i = 0; i < sys->nbody; i++) support[i] = support_of(&sys->body[i]);
  for (int i = 0; i < sys->npair; i++)
    if (sys->work->choice.at_rest[i] && sys->pair[i].wall)
      become_supported(&support[sys->ends[i][0]]);
}

/* Whether this supports the body, which it did not know. A ghost's owner knows of it, too. */
static int note_support(pd_body *b, int is_supported)
{
  const int known = b->rest.supported;
  b->rest.supported = b->rest.rests && is_supported;
  return b->rest.supported && !known && (b->owned || b->wall);
}

/* A wall with a degree of freedom rests on the bodies of other processes, too. */
static void share_walls_support(const pd_system *sys, const pd_communication *c, char *support)
{
  for (int i = sys->nbody - sys->nfree; i < sys->nbody; i++) {
    double supported = support[i] == SUPPORTED;
    pd_global_max(c, &supported, 1);
    if (supported > 0.0) support[i] = SUPPORTED;
  }
}

int pd_em_spread_support(pd_system *sys, const pd_communication *c)
{
  char *support = sys->work->choice.support;
  int changed = 0;
  find_supports(sys, support);
  spread_all(sys, spread);
  share_walls_support(sys, c, support);
  for (int i = 0; i < sys->nbody; i++)
    changed |= note_support(&sys->body[i], support[i] == SUPPORTED);
  return changed;
}

/* ---- by what moves as prescribed ---- */

/* what something that moves as prescribed, or rests on such, is borne by; 0: neither */
static long bearer_of(const pd_body *b) { return b->prescribed ? -b->tag : b->rest.on_prescribed; }

/* A body that rests is borne from now on, of several by that of the smallest number, whichever way
 * its pairs are ordered. Returns whether that is news to the others. */
static int bear(pd_body *b, long by)
{
  if (by == 0 || b->prescribed || (b->rest.on_prescribed && b->rest.on_prescribed <= by)) return 0;
  if (!b->mobile || b->wall || !b->rest.rests) return 0;
  b->rest.on_prescribed = by;
  return b->owned ? 2 : 1;
}

/* 1: a body has been borne, 2: an owned one */
static int bear_pair(pd_system *sys, int i)
{
  pd_body *a = &sys->body[sys->ends[i][0]], *b = &sys->body[sys->ends[i][1]];
  const pd_contact_pair *pair = &sys->pair[i];
  if (!sys->work->choice.at_rest[i]) return 0;
  if (pair->wall) return sys->wall[pair->b].moves ? bear(a, pd_wall_code(&sys->wall[pair->b])) : 0;
  return bear(a, bearer_of(b)) | bear(b, bearer_of(a));
}

int pd_em_spread_prescribed(pd_system *sys) { return (spread_all(sys, bear_pair) & 2) != 0; }

/* ---- by each other alone ---- */

/* Bodies that have come to float go on as at rest until they have stopped to tremble against each
 * other. */
static int let_float(pd_body *b)
{
  b->rest.floats = b->mobile && b->rest.rests && !b->rest.supported;
  if (!b->rest.floats) return 0;
  b->rest.rests = b->rest.by_friction = 0;
  b->scheme_a = b->wall || b->rest.rested <= -PD_FLOATS_AFTER ? 0.5 : 1.0;
  return 1;
}

int pd_em_let_float(pd_system *sys)
{
  int any = 0;
  for (int i = 0; i < sys->nbody; i++) any |= let_float(&sys->body[i]);
  return any;
}

void pd_em_mix_floating(pd_system *sys)
{
  for (int i = 0; i < sys->npair; i++) {
    const pd_body *a = &sys->body[sys->ends[i][0]], *b = &sys->body[sys->ends[i][1]];
    if (!sys->work->choice.at_rest[i] || !(a->rest.floats || b->rest.floats)) continue;
    sys->pair[i].em.beta = fmin(1.0, 2.0 * fmax(a->scheme_a, b->scheme_a) - 1.0);
  }
}
