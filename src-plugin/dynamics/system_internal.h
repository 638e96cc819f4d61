/* SPDX-License-Identifier: MIT
 * Shared by the files of dynamics. */
#ifndef PD_SYSTEM_INTERNAL_H
#define PD_SYSTEM_INTERNAL_H

#include "base/numbers.h"
#include "contact/search/near_list.h"
#include "dynamics/workspace.h"

/* Bodies from begin to end - 1 are one thread's: what it does to them is done in the order of the
 * pairs, however many threads there are. */
typedef struct pd_part {
  int begin, end;
} pd_part;

static inline pd_part pd_part_of(const pd_system *sys, int k)
{
  const long n = sys->nbody;
  const int parts = sys->work->nworker;
  const pd_part p = {(int)(n * k / parts), (int)(n * (k + 1) / parts)};
  return p;
}

static inline int pd_is_in(const pd_part *p, int body) { return p->begin <= body && body < p->end; }

/* its list of near features, or NULL */
static inline pd_near *pd_contact_pair_near(const pd_system *sys, const pd_contact_pair *pair)
{
  const int near = pair->contact < 0 ? -1 : sys->contacts.state[pair->contact].near;
  return near < 0 ? NULL : &sys->contacts.near[near];
}

/* its contact at the start of the step, not active if there was none */
static inline const pd_em_state *pd_contact_pair_at_start(const pd_system *sys,
                                                          const pd_contact_pair *pair)
{
  static const pd_em_state none = {0};
  return pair->contact < 0 ? &none : &sys->contacts.state[pair->contact].at_start;
}

/* Keeps what is known of the contact of a pair that has none so far. Errors: PD_ENOMEM. */
pd_status pd_contact_pair_add_state(pd_system *sys, pd_contact_pair *pair,
                                    const pd_contact_state *state);

/* Gives a pair with a contact a list of near features. Errors: PD_ENOMEM. */
pd_status pd_contact_pair_add_near(pd_system *sys, const pd_contact_pair *pair);

/* the wall that is the second side of a pair, whether a body stands for it or not; NULL if it is
 * none */
static inline pd_wall *pd_wall_of(const pd_system *sys, const pd_contact_pair *pair)
{
  const int w = pair->wall ? pair->b : sys->body[pair->b].wall - 1;
  return w < 0 ? NULL : &sys->wall[w];
}

/* normal of the plane that is the second side of a pair, NULL if it is none; one that a body stands
 * for does not turn */
static inline const pd_vec3 *pd_plane_of(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_wall *w = pd_wall_of(sys, pair);
  return w && w->kind == PD_PLANE ? &w->n : NULL;
}

/* a pair with its sides where they are on trial */
static inline pd_pair_geometry pd_contact_pair_geometry(const pd_system *sys,
                                                        const pd_contact_pair *pair)
{
  const pd_body *a = &sys->body[pair->a];
  if (pair->wall) {
    const pd_wall *w = &sys->wall[pair->b];
    const pd_pair_geometry at = {&a->pose,
                                 &w->pose,
                                 pd_sub(w->x, a->start.x),
                                 pd_sub(w->u_now, pd_body_displacement(a)),
                                 pd_plane_of(sys, pair),
                                 NULL};
    return at;
  }
  const pd_body *b = &sys->body[pair->b];
  const pd_pair_geometry at = {&a->pose,
                               &b->pose,
                               pd_sub(b->start.x, a->start.x),
                               pd_sub(pd_body_displacement(b), pd_body_displacement(a)),
                               pd_plane_of(sys, pair),
                               NULL};
  return at;
}

/* of a pair's sides; a wall is as heavy as can be */
static inline double pd_reduced_mass(const pd_system *sys, const pd_contact_pair *pair)
{
  return pd_reduced_mass_of(pd_body_mass_felt(&sys->body[pair->a]),
                            pair->wall ? INFINITY : pd_body_mass_felt(&sys->body[pair->b]));
}

/* No contacts are known. */
void pd_contact_states_forget(pd_system *sys);

/* Lists the pairs that are active. */
void pd_contact_states_list_active(pd_system *sys);

/* Velocities of a body as at the start of a step. elapsed, hprev: as in pd_system. */
void pd_body_set_start_velocity(pd_body *b, double elapsed, double hprev);

/* Increments of walls at the start: those of the time that explicit schemes take. */
void pd_system_set_elapsed(pd_system *sys);

/* Renews the pairs of moved bodies, and finds whose residual changes. mode: which forces.
 * Errors: PD_ENOMEM. */
pd_status pd_system_update_pairs(pd_system *sys, pd_when when, int tangent, pd_force_mode mode);

/* The residual of a constrained body, and its rows, with what is prescribed. */
void pd_system_constrain(pd_system *sys, int i, pd_when when, int tangent);

/* The same of a hinged body, and of one whose axes turn with it. stiffness: of force and moment
 * against displacement and rotation. */
void pd_system_hinge(pd_system *sys, int i, const double *stiffness, int tangent);
void pd_system_turning_axes(pd_system *sys, int i, const double *stiffness, int tangent);

/* The rows of a body: balance along the free axes, stiffness along the held ones, of translation
 * and of rotation. */
void pd_system_constrain_rows(pd_system *sys, int i, const pd_constraint *move,
                              const pd_constraint *turn, const double *stiffness);

/* Counts the walls with a degree of freedom, and makes room for them. Errors: PD_ENOMEM. */
pd_status pd_system_bind_free_walls(pd_system *sys);

/* What borders the matrix, of a body that has been moved, or of a wall, is forgotten. */
void pd_system_clear_border(pd_system *sys, int i);

/* Entries of body i, force and moment, in the column of a wall. */
double *pd_system_border_column(const pd_system *sys, int wall, int i);

/* The tangent by (u, alpha) of a pair of body a with the wall: the part that the rows of one of
 * them have. */
void pd_system_border_body(pd_system *sys, const pd_contact_pair *pair, double (*k)[12]);
void pd_system_border_wall(pd_system *sys, const pd_contact_pair *pair, double (*k)[12]);

/* Inertia's part in the tangent of the wall, the body i: of force by displacement, of moment by
 * rotation. */
void pd_system_border_inertia(pd_system *sys, int i, double by_u, const pd_mat3 *by_alpha);

/* What holds a body that the step does not move. */
void pd_system_find_reaction(pd_system *sys, int i, pd_when when);

/* A load's part of the residual, times sign, and of the tangent. */
void pd_system_add_load(pd_system *sys, const pd_load *l, pd_when when, int tangent, double sign);

/* Gives room in the matrix to the blocks that a pair of bodies has besides the diagonal ones; it
 * keeps it until the next pattern. Errors: PD_ENOMEM. */
pd_status pd_system_place_blocks(pd_system *sys, const pd_contact_pair *pair);

/* A block that has a place. */
double *pd_system_block(const pd_system *sys, int slot);

/* Adds the 6x6 part of k at (row, col) to a block of the matrix, if slot >= 0. */
void pd_system_add_block(const pd_system *sys, int slot, double (*k)[12], int row, int col);

/* Rows of k with their spin columns from col on turned into columns of alpha, into out. */
void pd_by_alpha(double (*out)[12], double (*k)[12], int rows, int col, const pd_mat3 *xi);

/* The diagonal block of a body's row, which counts as one that may hold something from now on. */
int pd_system_diagonal(const pd_system *sys, const pd_body *b);

/* Zeros into the row's blocks. */
void pd_system_clear_row(pd_system *sys, long row);

/* Contact of one pair; its records, if fresh is not NULL, are appended to fresh. wanted: mode,
 * tangent and contacts; the rest is the pair's. Errors: PD_ETOUCH, PD_ENAN,
 * PD_ENOMEM. */
pd_status pd_contact_pair_eval(const pd_system *sys, const pd_contact_pair *pair,
                               const pd_pair_request *wanted, pd_friction_records *fresh,
                               pd_pair_work *work, pd_pair_result *r);

/* Whether the pair is known to be open: its bodies, whose ways are those of the last evaluation,
 * cannot have closed what lay between them. */
int pd_contact_pair_known_open(const pd_system *sys, const pd_contact_pair *pair);

/* Evaluates one pair anew: forces and state into its contact or, if it has none, into out->made;
 * its tangent into out->k. Nothing but the pair is changed. Errors: PD_ETOUCH, PD_ENAN,
 * PD_ENOMEM. */
pd_status pd_contact_pair_update(const pd_system *sys, pd_contact_pair *pair, int with_tangent,
                                 pd_force_mode mode, pd_worker *worker, pd_pair_update *out);

/* Makes the energy-momentum force of a pair out of what the pair functions give for the end of the
 * step, which the worker has evaluated last. Errors: PD_ENOMEM. */
pd_status pd_em_contact_pair(const pd_system *sys, pd_contact_pair *pair, pd_tangent_kind tangent,
                             pd_worker *worker, pd_pair_result *r);

#endif
