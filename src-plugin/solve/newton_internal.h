/* SPDX-License-Identifier: MIT
 * Shared by the files of solve: the solver of substeps and its parts. */
#ifndef PD_NEWTON_INTERNAL_H
#define PD_NEWTON_INTERNAL_H

#include <float.h>

#include "solve/islands.h"
#include "solve/newton.h"

/* Arrays of the solver: nothing in them outlives the substep. Entries of ghosts are there, too. */
typedef struct pd_newton_work {
  pd_islands islands;
  double *direction;   /* 6 nbody: change of (u, alpha) that the iteration or the predictor wants */
  double *increments;  /* 6 nbody: (u, alpha) from which the direction leads */
  double *fraction;    /* nbody: of the direction, as far as the step limiter lets the body go */
  double *rhs;         /* 6 nlocal: right-hand side of the linear system, by block rows */
  double *solution;    /* 6 nlocal: its solution */
  double *by_wall;     /* nfree times 6 nbody: solutions for the columns of the free walls */
  double *wall_system; /* nfree times (nfree + 1): equations of their ways */
  double *residual2;   /* nbody: squared residual, force^2; of local steps and inelastic impacts */
  pd_body_sums *weight; /* nbody: what the body gives to the sums of its island */
  char *in_local_step;  /* nbody: a local step moves it, or its island has none */
  char *in_next_ring;   /* nbody: it or a neighbour is in the local step */
  double *gbar;         /* nbody, length: largest activation distance of its pairs */
  double *drive_speed2; /* 2 nbody: of what drives it: largest squared speed past those that it
                           hangs together with, at the start and at the end */
  double *partners;     /* nbody, energy: of those that it touches, at its speed */
  char *touches;        /* nbody: how it is known to touch: energy_risk.c */
  double *exchange;     /* 6 nbody: figures under way from owners to ghosts */
  char *meets;          /* npair: its sides are of two islands and may meet on their ways */
  char *on_way;         /* npair: its sides may have met on their straight ways */
  char *asked; /* npair: the predictor's way of a side has changed since the step limiter saw it */
  int *place;  /* of every block of the pattern in the linear system: as pd_linear has it */
  size_t cap_body, cap_pair, cap_block, cap_border, cap_wall;
} pd_newton_work;

struct pd_substep_solver {
  /* the substep under way */
  pd_system *sys;
  const pd_services *services;
  const pd_communication *processes; /* of services */
  const pd_newton_options *opt;
  pd_substep *out;
  pd_island_sums total; /* over all islands of all processes */
  int out_of_memory;    /* an evaluation here has run out of memory */
  int simplified;       /* the direction is by the matrix of the one before */
  pd_newton_work work;
};

/* Room for the bodies and pairs of a system. Errors: PD_ENOMEM. */
pd_status pd_newton_reserve(pd_newton_work *work, const pd_system *sys);

PD_KERNEL int pd_uses(const pd_substep_solver *solver, pd_heuristic heuristic)
{
  return !(solver->opt->off & (unsigned)heuristic);
}

/* The largest of the names (pd_body_name) that processes give, the same on all; 0 is no name. */
static inline long pd_agree_name(const pd_communication *c, long here)
{
  double most = here != 0 ? (double)here : -DBL_MAX;
  pd_global_max(c, &most, 1);
  return most > -DBL_MAX ? (long)most : 0;
}

PD_KERNEL int pd_moves(const pd_body *b) { return b->owned && b->mobile; }

/* squared residual f of a body, its moments divided by the bounding radius */
PD_KERNEL double pd_body_residual2(const pd_body *b, const double *f)
{
  const double r = b->shape->radius;
  return pd_norm2(pd_v_load(f)) + pd_norm2(pd_v_load(f + 3)) / (r * r);
}

/* whether the motion of a wall or a body is prescribed, as far as is known here */
PD_KERNEL int pd_anything_is_prescribed(const pd_system *sys)
{
  int any = 0;
  for (int i = 0; i < sys->nwall; i++) any |= sys->wall[i].moves;
  for (int i = 0; i < sys->nbody; i++) any |= sys->body[i].prescribed;
  return any;
}

/* a pair's body that the step moves */
PD_KERNEL int pd_mover(const pd_system *sys, const pd_contact_pair *pair)
{
  return sys->body[pair->a].mobile || pair->wall ? pair->a : pair->b;
}

/* whether the body has unknowns in this iteration */
PD_KERNEL int pd_is_free(pd_substep_solver *solver, int i)
{
  const pd_island *island = pd_island_of(&solver->work.islands, i);
  return island->active && (!island->local || solver->work.in_local_step[i]);
}

/* ---- choice.c ---- */

/* Parameters of the energy-momentum scheme for this substep; ghosts have those of their owners, and
 * their forces: the choice for a pair must be the same on both processes. */
void pd_choose(pd_substep_solver *solver);

/* ---- substep_length.c ---- */

/* whether the length of the step depends on what impacts and ways ask for */
int pd_is_rated(const pd_substep_solver *solver);

/* Whether the step is too long for an impact that is to be resolved, or for the ways of bodies past
 * each other. Sets how long it may be, as the next two do. */
int pd_is_too_long(const pd_substep_solver *solver);

/* Whether bodies with friction turn no further than their slip allows: solved: as the substep has
 * it; else with their spin at its start. Errors: PD_ETURN. */
pd_status pd_check_turns(pd_substep_solver *solver, int solved);

/* Whether no contact pulls where the substep may be shorter: between its ends features have come
 * that neither of them knows. Errors: PD_EPULL. */
pd_status pd_check_pushes(pd_substep_solver *solver);

/* ---- shared_islands.c ---- */

/* Makes islands of the pairs with forces; whether any have joined. */
int pd_islands_join_active(pd_substep_solver *solver);

/* All processes see the same islands, after some have joined some. Errors: PD_ENOMEM. */
pd_status pd_islands_agree(pd_substep_solver *solver);

/* Maxima and minima over the processes of the parts of shared islands; sums; their motions; the
 * numbers of their bodies of local steps. */
void pd_islands_reduce_extremes(pd_substep_solver *solver);
void pd_islands_reduce_sums(pd_substep_solver *solver);
void pd_islands_reduce_motion(pd_substep_solver *solver);
void pd_islands_reduce_local(pd_substep_solver *solver);

/* ---- island_sums.c ---- */

/* Sums of all islands, and over all of them, from the last evaluation. */
void pd_islands_sum_up(pd_substep_solver *solver);

/* What an island's residual is judged by: its own forces or its share of those of all; for all of
 * them together the latter makes half of what is allowed. */
double pd_island_scale(const pd_substep_solver *solver, const pd_island *island);

/* Whether an island's residual is small enough. */
int pd_island_converged(const pd_substep_solver *solver, const pd_island *island);

/* whether that of all of them is */
int pd_all_converged(const pd_substep_solver *solver);

/* ---- trial.c ---- */

/* Evaluates moved bodies and their pairs; all of them at first. A lack of memory is noted in
 * out_of_memory. */
void pd_newton_evaluate(pd_substep_solver *solver, int all, int tangent);

/* ---- iterate.c ---- */

/* Newton's iteration from the first guess, at which all bodies stand. sure: that is likely to be
 * the solution. Errors: those of pd_substep_solve. */
pd_status pd_newton_iterate(pd_substep_solver *solver, int sure);

/* ---- line_search.c ---- */

/* Halves the steps of islands until they are good; else keeps the one of the smallest residual.
 * Errors: PD_ENOMEM. */
pd_status pd_newton_line_search(pd_substep_solver *solver);

/* Notes the increments, as those from which directions lead. */
void pd_save_increments(pd_substep_solver *solver);

/* Moves one body by the factor t of its direction. */
void pd_apply_direction(pd_substep_solver *solver, int i, double t);

/* ---- direction.c ---- */

/* Finds where the active islands are to go: directions, and factors of islands. Errors: PD_ENOMEM,
 * PD_ESINGULAR. */
pd_status pd_newton_direction(pd_substep_solver *solver);

/* ---- border.c ---- */

/* Goes on from the solution of the bodies alone to that with the ways of the free walls, which it
 * puts into the direction. Errors: PD_ENOMEM, PD_ESINGULAR. */
pd_status pd_solve_border(pd_substep_solver *solver, const pd_linear *bodies);

/* ---- local_step.c ---- */

/* Largest residuals of the islands, and those of all bodies, ghosts included. */
void pd_find_peaks(pd_substep_solver *solver);

/* whether a body's residual is near the largest one of its island */
int pd_is_hot(pd_substep_solver *solver, int i);

/* whether the last iteration has taken little off an island's merit */
int pd_is_slow(const pd_island *island);

/* Chooses the islands whose next step is local, and the bodies that it moves. */
void pd_choose_local_steps(pd_substep_solver *solver);

/* ---- inelastic.c ---- */

/* Gives impacts that keep an island from converging the force of their end. */
void pd_make_inelastic(pd_substep_solver *solver);

/* ---- predict.c ---- */

/* Places the bodies, which stand at the start, at the first guess. *sure: it is likely to solve the
 * step, on all processes. Errors: PD_ENOMEM, PD_EWALL. */
pd_status pd_predict(pd_substep_solver *solver, int *sure);

/* whether an acceleration holds more than the external loads, by a fraction of them: the body is in
 * contact */
int pd_body_touches(const pd_body *b, pd_vec3 acc, double fraction);

/* ---- passage.c ---- */

/* Whether the bodies' straight ways from the start of the substep to its end are free; they are at
 * the end, before and after. Errors: PD_EPASSAGE (out->worst is one whose way is not), PD_ENOMEM.
 */
pd_status pd_check_passage(pd_substep_solver *solver);

/* ---- energy_in_contact.c ---- */

/* whether a pair has forces at the start or at the end of the substep */
int pd_has_forces(const pd_system *sys, const pd_contact_pair *pair);

/* The velocity from which that of body i is seen. */
typedef pd_vec3 (*pd_seen_from)(pd_substep_solver *solver, int i);

/* Finds work.partners. */
void pd_find_energy_of_partners(pd_substep_solver *solver, pd_seen_from seen_from);

/* The kinetic energy at the start that contacts can turn into anything else, of the owned bodies.
 */
double pd_energy_in_contact(pd_substep_solver *solver);

/* ---- energy_risk.c ---- */

/* Energy at risk by the motion at the start and at the end of a substep, without the potential; and
 * that of bodies in flight, which is at risk by their rotation alone, at the start. */
typedef struct pd_risk {
  double start, end, flight;
} pd_risk;

/* That of the owned bodies in the solved substep, schemes newmark and euler. */
pd_risk pd_energy_at_risk(pd_substep_solver *solver);

/* whether no contact or load acts on a mobile body at the start and the end: what it does to the
 * energy is between no other one and itself */
int pd_is_in_flight(const pd_substep_solver *solver, int i);

/* After that: whether a pair of the body has forces at the start or the end. */
int pd_is_in_contact(const pd_substep_solver *solver, int i);

/* ---- energy_balance.c ---- */

/* Energy balance of the solved step into out, and what the guard allows it to be wrong by. */
void pd_energy_balance(pd_substep_solver *solver, const pd_energy *now);

#endif
