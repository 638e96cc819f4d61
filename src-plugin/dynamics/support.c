/* SPDX-License-Identifier: MIT
 * Who rests on what: on what stands, on what moves as it is told, or on such as it alone. A body at
 * rest has a = 1, which damps all of its motion. That is right where it rests on what does not move
 * by itself. Bodies that rest on each other alone, as blocks on a spring or a swing, in flight, or
 * tied to each other, are at rest as seen from each other and no more: their common motion would be
 * damped in proportion to the step. */
#include "dynamics/system_internal.h"

/* is moved; all its contacts rest; and it is supported, or is what supports */
enum { GOES, RESTS, STANDS };

static int support(char *footing)
{
  if (*footing != RESTS) return 0;
  *footing = STANDS;
  return 1;
}

static int spread(const pd_system *sys, char *footing, int i)
{
  const int *ends = sys->ends[i];
  if (!sys->work->choice.at_rest[i]) return 0;
  if (footing[ends[0]] == STANDS) return support(&footing[ends[1]]);
  return footing[ends[1]] == STANDS && support(&footing[ends[0]]);
}

/* pairs forwards and backwards, by turns, as a heap may be numbered from either end */
static void spread_all(const pd_system *sys, char *footing)
{
  int more = 1;
  while (more) {
    more = 0;
    for (int i = 0; i < sys->npair; i++) more |= spread(sys, footing, i);
    for (int i = sys->npair - 1; more && i >= 0; i--) spread(sys, footing, i);
  }
}

/* ---- by what stands ---- */

static char footing_of(const pd_body *b)
{
  if (b->supported || isinf(pd_body_mass_felt(b))) return STANDS;
  return b->rests ? RESTS : GOES;
}

static void find_footings(const pd_system *sys, char *footing)
{
  for (int i = 0; i < sys->nbody; i++) footing[i] = footing_of(&sys->body[i]);
  for (int i = 0; i < sys->npair; i++)
    if (sys->work->choice.at_rest[i] && sys->pair[i].wall) support(&footing[sys->ends[i][0]]);
}

/* Whether this supports the body, which it did not know. A ghost's owner knows of it, too. */
static int note_support(pd_body *b, int stands)
{
  const int known = b->supported;
  b->supported = b->rests && stands;
  return b->supported && !known && (b->owned || b->wall);
}

/* A wall with a degree of freedom rests on the bodies of other processes, too. */
static void share_walls_footing(const pd_system *sys, const pd_communication *c, char *footing)
{
  for (int i = sys->nbody - sys->nfree; i < sys->nbody; i++) {
    double stands = footing[i] == STANDS;
    pd_global_max(c, &stands, 1);
    if (stands > 0.0) footing[i] = STANDS;
  }
}

int pd_em_spread_support(pd_system *sys, const pd_communication *c)
{
  char *footing = sys->work->choice.footing;
  int changed = 0;
  find_footings(sys, footing);
  spread_all(sys, footing);
  share_walls_footing(sys, c, footing);
  for (int i = 0; i < sys->nbody; i++) changed |= note_support(&sys->body[i], footing[i] == STANDS);
  return changed;
}

/* ---- by what moves as it is told ---- */

static char told_footing_of(const pd_body *b)
{
  if (b->prescribed || b->told) return STANDS;
  return b->mobile && !b->wall && b->rests ? RESTS : GOES;
}

static void find_told_footings(const pd_system *sys, char *footing)
{
  for (int i = 0; i < sys->nbody; i++) footing[i] = told_footing_of(&sys->body[i]);
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    if (sys->work->choice.at_rest[i] && pair->wall && sys->wall[pair->b].moves)
      support(&footing[pair->a]);
  }
}

static int note_told(pd_body *b, int stands)
{
  if (b->prescribed || b->told || !stands) return 0;
  b->told = 1;
  return b->owned;
}

int pd_em_spread_told(pd_system *sys)
{
  char *footing = sys->work->choice.footing;
  int changed = 0;
  find_told_footings(sys, footing);
  spread_all(sys, footing);
  for (int i = 0; i < sys->nbody; i++) changed |= note_told(&sys->body[i], footing[i] == STANDS);
  return changed;
}

/* ---- by each other alone ---- */

/* Bodies that have come to float go on as at rest until they have stopped to tremble against each
 * other. */
static int let_float(pd_body *b)
{
  b->floats = b->mobile && b->rests && !b->supported;
  if (!b->floats) return 0;
  b->rests = b->rests_by_friction = 0;
  b->scheme_a = b->wall || b->rested <= -PD_FLOATS_AFTER ? 0.5 : 1.0;
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
    if (!sys->work->choice.at_rest[i] || !(a->floats || b->floats)) continue;
    sys->pair[i].beta = fmin(1.0, 2.0 * fmax(a->scheme_a, b->scheme_a) - 1.0);
  }
}
