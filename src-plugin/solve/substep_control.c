/* SPDX-License-Identifier: MIT */
#include "solve/substep_control.h"

#include "base/numbers.h"

#include <math.h>

pd_newton_options pd_control_options(const pd_newton_options *given, int own_tol, double guard,
                                     pd_scheme_kind kind, int fixed)
{
  const pd_newton_options usual = pd_newton_defaults();
  pd_newton_options opt = *given;
  if (!own_tol) opt.tol = kind == PD_EM ? PD_EM_TOL : usual.tol;
  if (guard >= 0.0)
    opt.guard = guard;
  else if (fixed)
    opt.guard = 0.0;
  else
    opt.guard = kind == PD_EM ? PD_EM_GUARD : usual.guard;
  if (opt.path < 0.0) opt.path = fixed ? 0.0 : PD_EM_PATH;
  return opt;
}

static double shortest(const pd_substep_control *c)
{
  return c->limits.shortest > 0.0 ? c->limits.shortest : PD_SHORTEST_SUBSTEP * c->dt;
}

double pd_control_shortest_for_path(const pd_substep_control *c)
{
  const double halved = 2.0 * shortest(c); /* longer ones can always be halved */
  return fmax(halved, PD_SHORTEST_FOR_PATH * c->dt);
}

double pd_control_longest(const pd_substep_control *c)
{
  return c->limits.longest > 0.0 ? fmin(c->limits.longest, c->dt) : c->dt;
}

void pd_control_begin(pd_substep_control *c, double dt, pd_substep_limits limits)
{
  c->limits = limits;
  c->dt = c->remaining = dt;
  c->done = c->done_by_list = 0;
  c->squares = 0.0;
  if (c->step <= 0.0) c->step = pd_control_longest(c);
}

int pd_control_goes_on(const pd_substep_control *c)
{
  return c->remaining > PD_STEP_FILLED * c->dt;
}

double pd_control_length(const pd_substep_control *c)
{
  if (c->limits.fixed) return c->dt / c->limits.fixed;
  const double length = fmin(c->step, pd_control_longest(c));
  const double wanted = ceil(c->remaining / length * (1.0 - PD_SAME_LENGTH));
  const double most = floor(c->remaining / shortest(c) * (1.0 + PD_SAME_LENGTH));
  return c->remaining / fmax(fmin(wanted, most), 1.0);
}

double pd_control_fraction(const pd_substep_control *c, double h)
{
  return fmin(1.0, 1.0 - (c->remaining - h) / c->dt);
}

int pd_control_leaves_list(const pd_substep_control *c, double h)
{
  return c->moved > 0.0 && c->moved + PD_LIST_FASTER * c->speed * h > c->limits.reach;
}

void pd_control_new_list(pd_substep_control *c) { c->moved = 0.0; }

/* The next substep shall be the given part of h; 0 if that is not allowed, or not shorter. */
static int shorten(pd_substep_control *c, double h, double part)
{
  if (c->limits.fixed) return 0;
  c->step = fmax(part * h, shortest(c));
  return pd_control_length(c) < h * (1.0 - PD_SAME_LENGTH);
}

static int is_rejected(pd_status status)
{
  return status && status != PD_EIMPACT && status != PD_ETURN;
}

static void count(pd_substep_counts *n, pd_status status, const pd_substep *s)
{
  n->iterations += s->iterations;
  n->evaluations += s->evaluations;
  n->limited += s->limited;
  if (is_rejected(status)) n->rejected += 1.0;
  if (status == PD_EENERGY) n->rejected_by_guard += 1.0;
}

/* What made a substep fail is there in the next ones, too: easy ones between do not mean that it
 * would not fail again. Of those that fail in one go, each shorter than the one before, the first
 * counts, or none if that was the guard's: it finds its lengths by itself. */
static void note_failure(pd_substep_control *c, pd_status status, double h)
{
  if (is_rejected(status) && status != PD_EENERGY && !c->repeats) c->failed = h;
  c->repeats = is_rejected(status);
}

pd_verdict pd_control_judge(pd_substep_control *c, const pd_newton_options *opt, pd_status status,
                            const pd_substep *s, double h)
{
  count(&c->count, status, s);
  note_failure(c, status, h);
  if (status) return shorten(c, h, pd_substep_next(opt, status, s, h) / h) ? PD_REPEAT : PD_GIVE_UP;
  if (c->moved + s->move <= c->limits.reach) return PD_ACCEPT;
  if (c->moved != 0.0) return PD_RENEW_LIST;
  return shorten(c, h, PD_LIST_FILL * c->limits.reach / s->move) ? PD_REPEAT : PD_GIVE_UP;
}

/* The next one shall not leave a new list at this speed: it would be solved in vain. */
static void stay_in_list(pd_substep_control *c)
{
  if (c->limits.fixed || !(c->step * c->speed > c->limits.reach)) return;
  c->step = fmax(PD_LIST_FILL * c->limits.reach / c->speed, shortest(c));
  c->done_by_list++;
}

static void stay_below_failed(pd_substep_control *c)
{
  if (!(c->failed > 0.0)) return;
  c->step = fmin(c->step, fmax(PD_BELOW_FAILED * c->failed, shortest(c)));
  c->failed *= PD_FAILED_GROWTH;
  if (PD_BELOW_FAILED * c->failed > pd_control_longest(c)) c->failed = 0.0;
}

double pd_control_reach_for_step(const pd_substep_control *c)
{
  const int many = c->done >= PD_LIST_SUBSTEPS && 2 * c->done_by_list > c->done;
  return many ? c->speed * pd_control_longest(c) : 0.0;
}

void pd_control_accept(pd_substep_control *c, const pd_newton_options *opt, const pd_substep *s,
                       double h)
{
  c->count.accepted += 1.0;
  c->done++;
  c->squares += h * h;
  c->moved += s->move;
  c->speed = s->move / h;
  if (c->limits.fixed) { /* from the step's start: rounding does not add up */
    c->remaining = c->dt - c->done * h;
    return;
  }
  c->remaining -= h;
  /* h may have been shorter than wanted, to fill the step evenly: growth counts from what was
   * wanted */
  const double factor = pd_substep_next(opt, PD_OK, s, h) / h;
  c->step = fmin(factor * (factor < 1.0 ? h : fmax(c->step, h)), pd_control_longest(c));
  stay_below_failed(c);
  stay_in_list(c);
}
