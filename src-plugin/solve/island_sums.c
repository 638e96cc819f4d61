/* SPDX-License-Identifier: MIT
 * What the bodies and pairs of islands add up to, and whether that is small enough. */
#include <string.h>

#include "solve/newton_internal.h"

static void weigh_body(const pd_substep_solver *solver, int i, pd_body_sums *sum)
{
  const pd_system *sys = solver->sys;
  const pd_body *b = &sys->body[i];
  const pd_scheme s = pd_body_scheme(sys, b);
  const double m = b->inertia.mass, r = b->shape->radius, *f = sys->assembly.force + 6 * i,
               *d = solver->work.direction + 6 * i;
  const double j = pd_inertia_mean(&b->inertia), eps = DBL_EPSILON;
  const double ft = pd_norm2(pd_v_load(f)), mt = pd_norm2(pd_v_load(f + 3));
  sum->residual2 = pd_body_residual2(b, f);
  sum->merit2 = ft / (m * m) + mt * (r / j) * (r / j);
  const pd_constraint *c = &b->constraint;
  const pd_vec3 force = pd_add(b->external_force, b->load_force),
                moment = pd_add(b->external_torque, b->load_moment);
  sum->scale2 = pd_norm2(pd_constraint_free(c, c->translation, force)) +
                pd_norm2(pd_constraint_free(c, c->rotation, moment)) / (r * r);
  const double stiff = pd_inertia_stiffness(&s, &b->inertia);
  const double round_f = eps * stiff * (pd_norm(b->u) + s.h * pd_norm(b->start.v));
  const double round_m =
      eps * stiff * (j / m) * (pd_norm(b->alpha) + s.h * pd_norm(b->start.w)) / r;
  sum->floor2 = PD_ROUNDING_MARGIN * (round_f * round_f + round_m * round_m);
  const pd_vec3 spin = pd_mv(pd_xi(b->alpha), pd_v_load(d + 3));
  sum->slope = pd_dot(pd_v_load(f), pd_v_load(d)) + pd_dot(pd_v_load(f + 3), spin);
}

static void weigh_range(void *arg, int begin, int end, int thread)
{
  const pd_substep_solver *solver = (const pd_substep_solver *)arg;
  (void)thread;
  for (int i = begin; i < end; i++)
    if (pd_moves(&solver->sys->body[i])) weigh_body(solver, i, &solver->work.weight[i]);
}

/* the bodies' parts, in an order that does not depend on how bodies are stored */
static void add_bodies(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  pd_loop(&sys->loops, sys->nbody, PD_WEIGH_CHUNK, weigh_range, solver);
  for (int k = 0; k < sys->norder; k++) {
    const int i = sys->order[k];
    if (!sys->body[i].mobile) continue;
    pd_island_sums *sum = &pd_island_of(&solver->work.islands, i)->sum;
    const pd_body_sums *part = &solver->work.weight[i];
    sum->residual2 += part->residual2;
    sum->merit2 += part->merit2;
    sum->scale2 += part->scale2;
    sum->floor2 += part->floor2;
    sum->slope += part->slope;
    sum->nbodies += 1.0;
  }
}

/* what the rounding of levers makes of the forces of a pair, squared */
static double pair_rounding2(const pd_system *sys, const pd_contact_pair *pair,
                             const pd_pair_response *response)
{
  const double round = DBL_EPSILON * response->stiff * pd_contact_pair_radius(sys, pair);
  return PD_ROUNDING_MARGIN * round * round;
}

static void add_pairs(pd_substep_solver *solver)
{
  const pd_system *sys = solver->sys;
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const pd_contact_pair *pair = &sys->pair[sys->contacts.active_pair[k]];
    const pd_pair_response *response = pd_response_of(sys, sys->contacts.active_pair[k]);
    pd_island *island = pd_island_of(&solver->work.islands, pd_mover(sys, pair));
    pd_island_note_status(island, response->status);
    if (!response->active) continue;
    island->sum.scale2 += pair->share * response->scale2;
    island->sum.floor2 += pair->share * pair_rounding2(sys, pair, response);
  }
}

/* sums are doubles alone: shared_islands.c asserts it */
static void add_sums(pd_island_sums *to, const pd_island_sums *from)
{
  double *t = (double *)to;
  const double *f = (const double *)from;
  for (int m = 0; m < (int)PD_NSUMS; m++) t[m] += f[m];
}

void pd_islands_sum_up(pd_substep_solver *solver)
{
  const pd_islands *s = &solver->work.islands;
  pd_island_sums *total = &solver->total;
  for (int k = 0; k < s->nroot; k++) {
    memset(&pd_island_nth(s, k)->sum, 0, sizeof(pd_island_sums));
    pd_island_nth(s, k)->max.severity = 0.0;
  }
  add_bodies(solver);
  add_pairs(solver);
  memset(total, 0, sizeof *total);
  for (int k = 0; k < s->nroot; k++) {
    pd_island *island = pd_island_nth(s, k);
    add_sums(total, &island->sum);
    if (island->active) total->at_work += island->sum.residual2;
    if (!(island->sum.residual2 <= DBL_MAX)) pd_island_note_status(island, PD_ENAN);
  }
  pd_global_sum(solver->processes, (double *)total, PD_NSUMS);
  pd_islands_reduce_sums(solver);
  pd_islands_reduce_extremes(solver);
}

double pd_island_scale(const pd_substep_solver *solver, const pd_island *island)
{
  const pd_island_sums *t = &solver->total;
  const double share = 0.5 * t->scale2 * island->sum.nbodies / fmax(1.0, t->nbodies);
  return sqrt(fmax(island->sum.scale2, share));
}

/* whether the last direction led nowhere: places have no digits for it */
static int is_lost_in_rounding(const pd_island *island)
{
  return island->max.way > 0.0 && island->max.way <= PD_LOST_WAY && !island->local;
}

/* Where edges are parallel, contacts that bear next to nothing change places: what is left of the
 * residual then jumps, however short the substep. */
static double times_tolerance(const pd_substep_solver *solver, const pd_island *island)
{
  if (is_lost_in_rounding(island)) return PD_LOST;
  return island->max.age >= solver->opt->maxit ? PD_STALLED : 1.0;
}

int pd_island_converged(const pd_substep_solver *solver, const pd_island *island)
{
  const double goal = times_tolerance(solver, island) * solver->opt->tol *
                      pd_island_scale(solver, island),
               enough = goal * goal;
  return island->max.severity == 0.0 && island->sum.residual2 <= fmax(enough, island->sum.floor2);
}

int pd_all_converged(const pd_substep_solver *solver)
{
  const pd_island_sums *t = &solver->total;
  const double tol = solver->opt->tol;
  return t->residual2 <= fmax(tol * tol * t->scale2, t->floor2);
}
