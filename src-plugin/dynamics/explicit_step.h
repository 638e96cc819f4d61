/* SPDX-License-Identifier: MIT
 * How long explicit steps may be for friction. Coulomb's limit bounds what comes of longer ones, so
 * that nothing but the answer tells: a body that should stick creeps, or slides. */
#ifndef PD_EXPLICIT_STEP_H
#define PD_EXPLICIT_STEP_H

#include "dynamics/system.h"

/* Springs and dashpots of the friction of one body's contacts, its partners held: quadratic forms
 * in its velocity and angular velocity, each times the root of mass or moment of inertia, about its
 * principal axes. */
typedef struct pd_sticking {
  double spring[6][6];  /* 1/time^2 */
  double dashpot[6][6]; /* 1/time */
} pd_sticking;

PD_BEGIN_DECLS

/* Those of all contacts of the bodies as they stand, at the start of a step. of: nbody; list: room.
 * Errors: PD_ENAN, PD_ENOMEM. */
pd_status pd_system_sticking(pd_system *sys, pd_contact_list *list, pd_sticking *of);

/* Translation of the body along the axes of these bits is held. */
void pd_sticking_hold(pd_sticking *body, int axes);

/* A length from which on explicit steps of the body are unstable where all its contacts stick and
 * its partners are held, if one of length h is; INFINITY if none is known: partners that move as
 * well make it shorter. Velocities are those of half a step before. */
double pd_unstable_from(const pd_sticking *body, double h);

PD_END_DECLS

#endif
