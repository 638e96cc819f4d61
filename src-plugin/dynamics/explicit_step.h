/* SPDX-License-Identifier: MIT
 * How long explicit steps may be for contacts. Contacts that part and Coulomb's limit bound what
 * comes of longer ones, so that nothing but the answer tells: a body that should stick creeps, or
 * shakes, or slides. */
#ifndef PD_EXPLICIT_STEP_H
#define PD_EXPLICIT_STEP_H

#include "dynamics/system.h"

/* what of a body is held: translation along axes of space by bits 0 to 2, and */
enum { PD_HELD_TURNING = 8, PD_HELD = 15 };

/* A contact in one direction: a spring and a dashpot between two bodies. */
typedef struct pd_contact_spring {
  int body[2];            /* the second one is -1 for a wall */
  double row[2][6];       /* rate of its length by velocity and angular velocity of each, in units
                             of 1 over the root of mass or moment of inertia, which is about the
                             principal axes; 0 for what is held */
  double spring, dashpot; /* force/length, force/velocity */
} pd_contact_spring;

/* Those of a system, and the motion that the fastest of their oscillations has. Zero it first. */
typedef struct pd_contact_springs {
  pd_contact_spring *of; /* n of them */
  int n, cap;
  double *mode, *image; /* 6 of each body; image is room for the next one */
  int nbody;
  size_t cap_body;
} pd_contact_springs;

PD_BEGIN_DECLS

/* Those of all contacts of the bodies as they stand, at the start of a step: along the normal by
 * the law's derivatives, and where there is friction, across it as if they stuck. Bodies and walls
 * are brought to rest. held: nbody; list: room. Errors: PD_ETOUCH, PD_ENAN, PD_ENOMEM. */
pd_status pd_system_springs(pd_system *sys, const int *held, pd_contact_list *list,
                            pd_contact_springs *springs);

/* A length from which on explicit steps are unstable for these contacts, or dashpots turn an
 * approach around within one, if one of length h is; INFINITY if none is known. It may be a little
 * too long, but not too short: of more contacts, or bodies that are less held, it is shorter.
 * *body: which moves most then. Velocities are those of half a step before. */
double pd_unstable_from(pd_contact_springs *springs, double h, int *body);

/* How long a step of length h is for the contacts of the last evaluation, each by itself and
 * without rotation: unstable from 1 on, in most cases long before. 0 without contacts. */
double pd_system_step_ratio(const pd_system *sys, double h);

void pd_contact_springs_free(pd_contact_springs *springs);

PD_END_DECLS

#endif
