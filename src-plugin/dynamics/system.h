/* SPDX-License-Identifier: MIT
 * A system of rigid bodies in contact: residual and tangent of one implicit step, assembly into 6x6
 * blocks, how far a step may go, energies.
 * Equation numbers: Gay Neto & Wriggers, Discrete element model for general polyhedra (2021). */
#ifndef PD_SYSTEM_H
#define PD_SYSTEM_H

#include "base/communication.h"
#include "base/loops.h"
#include "dynamics/assembly.h"
#include "dynamics/body.h"
#include "dynamics/contact_pair.h"
#include "dynamics/load.h"
#include "dynamics/step_limiter.h"
#include "dynamics/wall.h"

/* scratch memory, threads' and of the functions that go through all bodies or pairs:
 * dynamics/workspace.h */
typedef struct pd_workspace pd_workspace;

/* where a body is */
typedef struct pd_placement {
  pd_vec3 x;
  pd_quat q;
} pd_placement;

/* Whether a body is stationary: it has no velocity, neither at the start of the substep nor on
 * trial, and no increments. PD_UNCHANGED: all bodies are evaluated, and this one is where it stood
 * before. */
typedef enum pd_stationarity { PD_MOVING, PD_STATIONARY, PD_UNCHANGED } pd_stationarity;

/* where the bodies have been put on trial */
typedef struct pd_trial {
  char *to_evaluate;  /* nbody: it and its pairs are to be evaluated, as it has moved, a law of its
                         has changed or rows are missing; cleared by the evaluation */
  double *path_bound; /* nbody, length: no point of the body has gone further in the substep; set by
                         the last evaluation */
  double *path; /* nbody, length: no point of the body has gone a longer way, from one place where
                   it was put to the next, since the system was bound */
  pd_vec3 *at;  /* nbody: where its centre was put last */
  char *stationarity; /* nbody, pd_stationarity: by the last evaluation */
  pd_placement
      *last_placement; /* nbody: where it stood last, in an evaluation in which it did not move */
  char *far; /* nbody: its residual is far from zero, and the tangents of its pairs are those from
                afar (PD_TANGENT_FROM_AFAR); set by who iterates, 0 at first */
} pd_trial;

/* how many of each there is room for */
typedef struct pd_capacity {
  size_t body, pair, wall, load, carried;
} pd_capacity;

/* doubles that pd_system_carry_loads finds of a body: a force and the parts of it that are lost */
enum { PD_NCARRY = 3 * (1 + PD_NLOSS) };

/* Lengths, masses and times in the caller's units; world axes unless said otherwise. */
typedef struct pd_system {
  /* Topology: made anew by the caller (pd_system_resize, _add_pair, _bind, _pattern), constant
   * while it steps. */
  int nbody, nwall, npair;
  int nfree; /* the last bodies are walls with a degree of freedom: the same on all processes, owned
                by one of them; by pd_system_bind */
  pd_body *body; /* owned ones first. Who they are is topology, where they are is state */
  pd_wall *wall; /* the same */
  pd_contact_pair *pair;
  int (*ends)[2]; /* npair: bodies of every pair, twice the same with a wall: loops over all pairs
                     read it */
  int *order, norder; /* owned bodies by tag: sums in this order do not depend on how bodies are
                         stored */
  pd_pattern pattern;
  pd_capacity capacity;
  /* Settings: by the caller, at any time between substeps. */
  pd_contact_set set;
  pd_scheme scheme; /* its step is set by pd_substep_solve */
  int carries;      /* bodies have a carry_velocity: by pd_system_set_carries */
  double elapsed;   /* PD_AT_START: time for which friction takes the present velocities to have
                       lasted; for explicit schemes, else 0 */
  int nload;
  pd_load *load;  /* on owned bodies; by pd_system_set_loads */
  pd_loops loops; /* by pd_system_use_loops */
  /* State: carried from substep to substep, beside what bodies, walls and pairs carry themselves.
   */
  pd_contact_states contacts;
  pd_friction_book friction;
  double *loss_at_start;   /* 12 nbody: as assembly.loss, at the start of the substep */
  double *change_at_start; /* 6 nbody: accelerations at the start of the substep, turning too, less
                              those of the forces there; by pd_system_note_change */
  double hprev;            /* length of the substep before, 0 if there was none */
  double *carry_load_at_start; /* PD_NCARRY nbody, if bodies are carried: pd_system_carry_loads at
                                  the start of the substep */
  /* The trial under way. */
  double carried;     /* part of the bodies' carry that is done; by pd_system_set_prescribed */
  double *carry_load; /* as carry_load_at_start, of the solved substep */
  pd_trial trial;
  pd_assembly assembly;
  pd_workspace *work;
} pd_system;

/* where the velocities of an evaluation come from: the scheme at (u, alpha), or the state itself */
typedef enum pd_when { PD_AT_TRIAL, PD_AT_START } pd_when;

PD_BEGIN_DECLS

/* Makes an empty system, with Newmark's scheme. Errors: PD_ENOMEM. */
pd_status pd_system_create(pd_system *sys);

/* Frees what it has; it may be created anew. */
void pd_system_free(pd_system *sys);

/* Loops over bodies and pairs run by the given service from now on. The results are the same to the
 * last bit on any number of threads. Errors: PD_ENOMEM, the loops are then what they were. */
pd_status pd_system_use_loops(pd_system *sys, pd_loops loops);

/* Makes room for the given numbers; contents of bodies, pairs and walls are then set by the caller,
 * followed by pd_system_bind. Errors: PD_ENOMEM. */
pd_status pd_system_resize(pd_system *sys, int nbody, int nwall);

/* Adds a pair after those that there are. Errors: PD_ENOMEM. */
pd_status pd_system_add_pair(pd_system *sys, pd_contact_pair pair);

/* To be called when bodies or their shapes have changed. Errors: PD_ENOMEM. */
pd_status pd_system_bind(pd_system *sys);

/* Makes a bound system ready for a step that does not go on from the last one: only bodies, pairs
 * and the memory of friction stay. Loads are forgotten. Moving walls have been put where they are
 * by the caller, who then gives the bodies their states. */
void pd_system_reset(pd_system *sys);

/* Takes over the loads of the owned bodies (copied). Errors: PD_ENOMEM. */
pd_status pd_system_set_loads(pd_system *sys, int n, const pd_load *load);

/* Owned bodies placed at the start of the substep feel their loads as they are there. */
void pd_system_set_start_loads(pd_system *sys);

/* Ghosts get the external forces and torques on their owners, loads among them. room: 6 nbody. */
void pd_system_forward_forces(pd_system *sys, const pd_communication *c, double *room);

/* The inverse of the mass that a unit force f with its torque about the centre feels at the start
 * of the substep; 0 if it moves nothing. Of other forces: times their square. */
double pd_body_inverse_mass(const pd_body *b, pd_vec3 f, pd_vec3 torque);

/* Which bodies have contact forces in the last evaluation. touches: nbody. */
void pd_system_find_touching(const pd_system *sys, char *touches);

/* Appends a record to the memory of the pair added last. Errors: PD_ENOMEM. */
pd_status pd_system_add_friction_record(pd_system *sys, pd_friction_record record);

/* Matrix pattern of the present pairs. Rows of all bodies must be numbered: owned mobile ones
 * consecutively from first, in any order, ghosts by their owners. Errors: PD_ENOMEM. */
pd_status pd_system_pattern(pd_system *sys, long first, long nglobal);

/* Called once per contact point. */
typedef void (*pd_contact_visitor)(void *ctx, const pd_contact_pair *pair,
                                   const pd_contact *contact);

/* Visits every contact point of the pairs at the bodies' present state, velocities as in
 * PD_AT_START. Errors: PD_ETOUCH, PD_ENAN, PD_ENOMEM. */
pd_status pd_system_contacts(pd_system *sys, pd_contact_list *list, pd_contact_visitor visit,
                             void *ctx);

/* Puts body i at (u, alpha). */
void pd_system_set_pose(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha);

/* Puts all bodies and walls where they are at the start of the substep, with the velocities that
 * they have there. */
void pd_system_set_start_poses(pd_system *sys);

/* Prescribes the motion of body i, which is not mobile, over the substep: increments, and
 * velocities at its end; those at its start are in its state. */
void pd_system_move_body(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha, pd_vec3 v1, pd_vec3 w1);

/* Prescribes the motion of wall i over the substep: increments, and velocities at its end. */
void pd_system_move_wall(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha, pd_vec3 v1, pd_vec3 w1);

/* Puts wall i where it is after the fraction t of the substep. */
void pd_system_set_wall_pose(pd_system *sys, int i, double t);

/* Whether bodies are carried, after the system has been bound; room for what that takes. Errors:
 * PD_ENOMEM, none is then. */
pd_status pd_system_set_carries(pd_system *sys, int carries);

/* Prescribes by which body i is carried over the substep, and how fast. */
void pd_system_carry_body(pd_system *sys, int i, pd_vec3 u, pd_vec3 velocity);

/* Walls, and what bodies are carried by, as they are after the fraction t of the substep; bodies
 * go there when they are placed. */
void pd_system_set_prescribed(pd_system *sys, double t);

/* Place of a wall's origin now. */
pd_vec3 pd_wall_at(const pd_wall *w);

/* Evaluates contact at the bodies' present (u, alpha) and, PD_AT_TRIAL, the residual
 * (eq. 62, moments as moments) of every owned body into assembly.force; with tangent != 0 the
 * matrix into assembly.values. PD_AT_START: assembly.force holds the forces of contacts and loads
 * (not external_force) on the owned bodies. Errors: PD_ETOUCH, PD_ENAN, PD_ENOMEM. */
pd_status pd_system_eval(pd_system *sys, pd_when when, int tangent, pd_totals *totals);

/* PD_AT_TRIAL again where something has changed: the pairs of bodies that are marked in
 * trial.to_evaluate, which is cleared. assembly.force is then what pd_system_eval gives; with
 * tangent != 0 the rows of the moved bodies are. What the pairs have to report is in
 * contacts.active_pair and contacts.state. Errors: PD_ENOMEM. */
pd_status pd_system_eval_moved(pd_system *sys, int tangent);

/* Laws have changed: what pairs whose sides stand have found does not hold any more. */
void pd_system_forget_reusable(pd_system *sys);

/* The number of body i among the walls with a degree of freedom, -1 if it is none. */
PD_KERNEL int pd_free_wall(const pd_system *sys, int i)
{
  const int first = sys->nbody - sys->nfree;
  return i < first ? -1 : i - first;
}

/* What a unit of its way does to (u, alpha) of such a wall. e: 6 numbers. */
void pd_free_wall_direction(const pd_body *b, double *e);

/* the part of a force and moment that acts along that way */
double pd_free_wall_force(const pd_body *b, const double *force);

/* Of assembly.by_wall or assembly.of_wall: the entries of body i for the wall f of these; 6
 * numbers, those of the next body follow. */
PD_KERNEL double *pd_border_entries(const pd_system *sys, double *border, int f, int i)
{
  return border + 6 * ((size_t)f * (size_t)sys->nbody + (size_t)i);
}

/* After an evaluation: forces and losses of these walls from the parts of all processes; the
 * residual is that along the way. */
void pd_system_join_walls(pd_system *sys, const pd_communication *c, pd_when when);

/* radius of the smaller body of a pair; a wall has none */
PD_KERNEL double pd_contact_pair_radius(const pd_system *sys, const pd_contact_pair *pair)
{
  const double a = sys->body[pair->a].shape->radius;
  if (pair->wall || sys->body[pair->b].wall) return a;
  return fmin(a, sys->body[pair->b].shape->radius);
}

/* what the last evaluation of a pair that has a contact state gave */
PD_KERNEL const pd_pair_response *pd_response_of(const pd_system *sys, int pair)
{
  return &sys->contacts.state[sys->pair[pair].contact].response;
}

/* The rows of body i hold the identity: it has no unknowns until it is evaluated with its tangent
 * again. */
void pd_system_set_identity_row(pd_system *sys, int i);

/* Forces on the walls, and the sums that pd_system_eval gives, from the pairs' last evaluations. */
void pd_system_sum(pd_system *sys, pd_totals *totals);

/* The same after an evaluation PD_AT_START of an implicit scheme: the springs of friction hold what
 * is remembered. What they would be in a step depends on its damping and on the limit of friction
 * there. */
void pd_system_sum_at_start(pd_system *sys, pd_totals *totals);

/* No point of the body has gone further in the substep. */
double pd_body_path_bound(const pd_body *b);

/* No point of one side of a pair has gone further past the other side in the substep; a wall that
 * moves is taken to stand. */
double pd_contact_pair_way(const pd_system *sys, const pd_contact_pair *pair);

/* Whether something moves its sides past each other in the substep, whatever they do themselves. */
int pd_contact_pair_is_driven(const pd_system *sys, const pd_contact_pair *pair);

/* What is known of the distance of a pair's sides now, from the start of the substep and from
 * earlier trials: a lower bound, 0 if nothing is. */
double pd_contact_pair_separation(const pd_system *sys, const pd_contact_pair *pair);

/* The distance of a pair's sides, or if that is more than cut, any lower bound of it that is. The
 * sides must be placed. */
double pd_system_distance(const pd_system *sys, pd_contact_pair *pair, double cut);

/* What is known of the pairs' distances holds for the end of the substep, at the bodies' present
 * (u, alpha), from now on. */
void pd_system_advance_bounds(pd_system *sys);

/* The last evaluation was that of the state from which the next substep starts: its dissipative
 * forces become those of the start. */
void pd_system_accept_forces(pd_system *sys);

/* The last evaluation ended a step: its friction records become those of the next one's start. */
void pd_system_accept_friction(pd_system *sys);

/* Chooses the parameters of the energy-momentum scheme for a step of length sys->scheme.h, for
 * bodies and pairs; bodies and walls must be placed at the start of the step. Those of ghosts are
 * then to be had from their owners. rated: also finds the rates of pairs (pd_em_rates), per:
 * substeps that an impact is to take from touch to touch, 0: as many as it happens to; longest:
 * time, length of a substep that nothing cuts, 0: that of this one. */
void pd_em_choose(pd_system *sys, int rated, double per, double longest);

/* The same for walls with a degree of freedom, by their pairs on all processes. */
void pd_em_choose_walls(pd_system *sys, const pd_communication *c);

/* Marks bodies that rest on walls, on bodies that are held or prescribed, or on such that are
 * marked. Returns whether any has been: until none is, on all processes, ghosts having what their
 * owners have. After pd_em_choose. */
int pd_em_spread_support(pd_system *sys, const pd_communication *c);

/* Bodies that rest but are not supported move together: they float, with a = 1/2 once they have
 * done so for some substeps. Returns whether there are any. After pd_em_spread_support. */
int pd_em_let_float(pd_system *sys);

/* Contacts of floating bodies at rest: the end's own force in the part of their a. After
 * pd_em_join_rest. */
void pd_em_mix_floating(pd_system *sys);

/* Bodies that friction holds to one that does not rest, as it slides, get the largest parameter a
 * of those that do not rest, from pair to pair: else equal velocities would be different ways, and
 * one would creep on the other. Returns whether any has changed: until none has, on all processes,
 * ghosts having what their owners have. */
int pd_em_join_rest(pd_system *sys, const pd_communication *c);

/* After a substep, which a body has ended: whether its velocity is a mean one of the substep, as it
 * is from the second in a row on that it rests on what moves as prescribed, and the mean
 * accelerations that say how far behind that of the instant it is. */
void pd_em_note_rest(const pd_system *sys, pd_body *b);

/* Marks bodies that rest on walls or bodies which move as prescribed, or on such that are
 * marked. Returns whether any has been: until none is, on all processes, ghosts having what their
 * owners have. After pd_em_choose. */
int pd_em_spread_prescribed(pd_system *sys);

/* What the mean velocities over this substep are beyond those of marked bodies that rest, if these
 * are mean ones over another length (doc/theory.md, 10.1). Those of bodies whose rest has ended
 * become those of the instant. After pd_em_choose. */
void pd_em_refer_velocities(pd_system *sys);

/* After the substep has been solved: what bodies got at its start as their rest ended is of what
 * has borne them, a wall, into pd_wall.owed, or an owned body that moves as prescribed, into
 * pd_body.reaction. Returns the work of that, energy. */
double pd_em_settle_owed(pd_system *sys);

/* Rates of what happens about contacts that are not at rest, the largest ones; 1/time. */
typedef struct pd_rates {
  double impact; /* inverse of the step that resolves an impact, or ends where it begins */
  double way;    /* of bodies that touch, or will, past each other, over the smaller one's size */
} pd_rates;

/* After pd_em_choose with rates. */
pd_rates pd_em_rates(const pd_system *sys);

/* Sums over pairs of powers of the rates of their ways, that of the fastest one of all processes
 * being 1. They are sums of whole numbers and halves, the same in any order. */
typedef struct pd_rate_sums {
  double squares, cubes;
} pd_rate_sums;

/* The same. fastest: the largest rate of all processes, > 0. */
pd_rate_sums pd_em_sum_rates(const pd_system *sys, double fastest);

/* State of a body that the step moves at the end of the substep. */
pd_state pd_body_end(const pd_system *sys, const pd_body *b);

/* the scheme as it is for one body */
pd_scheme pd_body_scheme(const pd_system *sys, const pd_body *b);

/* Accelerations of the owned bodies from the contact forces of the last evaluation PD_AT_START and
 * the external loads: for the first step, and after a change from outside. */
void pd_system_accelerate(pd_system *sys);

/* After the same evaluation: notes by how much the accelerations that the owned bodies start with
 * are beyond those, as something from outside has changed the forces. */
void pd_system_note_change(pd_system *sys);

/* How far every owned body may go along its direction so that no bodies pass through each other: a
 * pair within its gbar comes no closer than the fraction eta of its present distance, an open one
 * stops inside gbar, at the part of it that the request says (pd_step_request.entry). The bodies
 * must be placed at their present (u, alpha). Errors: PD_ENOMEM. */
pd_status pd_system_limit_step(pd_system *sys, const pd_step_request *request,
                               pd_step_limits *limits);

/* First pair whose bodies overlap at the start of the step, -1 if none. *depth: length, how far;
 * *status: PD_OK, PD_ENOMEM. */
int pd_system_overlap(pd_system *sys, double *depth, pd_status *status);

/* The same after an explicit step of length h: only of pairs that may have gone through each other
 * in it, of which no force tells. evaluated: the pairs were, where the step began; else all that
 * move are looked at. within: also whether they did so within the step, where their way is longer
 * than contact reaches: what is thin may be on the other side at its end. */
int pd_system_overlap_after(pd_system *sys, double h, int evaluated, int within, double *depth,
                            pd_status *status);

/* What the contacts of this process do to every body, each by the share that counts here: PD_NCARRY
 * of each body, into load. */
void pd_system_carry_loads(const pd_system *sys, double *load);

/* Adds a part of what contacts have done to the stress of the bodies over the substep that has been
 * solved, times their volume (energy): 6 of each body, xx yy zz xy xz yz, lever times force. The
 * forces are those that have acted, the levers from the centre of mass those of the potential at
 * the end, or if it has none, at the start. stress: 6 nbody. */
void pd_system_add_stress(const pd_system *sys, double part, double *stress);

/* What it takes to carry the bodies against these loads, and against the losses in them: 1 +
 * PD_NLOSS energies. */
void pd_system_carry_work(const pd_system *sys, const double *load, double *work);

/* kinetic energy of the owned bodies that the step moves, at the start */
double pd_system_kinetic(const pd_system *sys);

PD_END_DECLS

#endif
