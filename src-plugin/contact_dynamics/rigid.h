/* SPDX-License-Identifier: MIT
 * One time step of rigid bodies in contact: semi-implicit Euler with the gap linearised, a linear
 * complementarity problem without friction, a cone complementarity problem with it.
 * Equation numbers: Olsen & Kamrin (2018), as in network.h. */
#ifndef PD_CD_RIGID_H
#define PD_CD_RIGID_H

#include "contact_dynamics/apgd.h"

typedef enum pd_cd_method { PD_CD_PGS, PD_CD_APGD } pd_cd_method;

typedef struct pd_cd_options {
  pd_cd_method method;
  double tol; /* complementarity residual over the largest speed: of a body, at which a contact
                 would close or its overlap be pressed out, or which the force of a contact makes of
                 its own point */
  int maxit;  /* sweeps or iterations; with friction of each solution between corrections */
  const int *order;  /* PGS: this process's contacts as they are visited; NULL: as stored */
  double rest_speed; /* contacts that close more slowly have no restitution */
  double touch;      /* gap at which those with restitution have formed: rounding does not tell
                        smaller ones from none */
  int corrections;   /* friction: updates of de Saxce's term; 0: associated sliding, dilating */
} pd_cd_options;

/* Data and solution of a step. Contacts with restitution follow Newton's law of impact once they
 * have formed (gap <= touch) and are not considered before, nor while they open faster than the
 * external forces undo; the others do not rebound, eq. (16). */
typedef struct pd_cd_step {
  double dt;
  const double *v0;   /* six: velocities at the start, owned bodies */
  const double *fext; /* six: external forces, owned bodies */
  double *v;          /* six: velocities at the end, ghosts too */
  double *f;          /* forces, one per contact; with friction three: normal and two tangents. On
                         entry where to start: zero, if no history is to lock them in */
  double *slack;      /* N f + p per contact, eq. (21): how far the contact stays from closing */
} pd_cd_step;

PD_BEGIN_DECLS

pd_cd_options pd_cd_defaults(void);

/* Solves 0 <= f perp N f + p >= 0, eq. (21). Velocities are unique, forces in general are not.
 * Errors: PD_ENOMEM, PD_ENAN, PD_ERANGE (dt). */
pd_status pd_cd_step_solve(const pd_cd_network *net, const pd_cd_options *opt, pd_cd_step *step,
                           pd_cd_pool *pool, pd_cd_report *report);

/* The same with Coulomb friction, by APGD on the cones. Errors: as above. */
pd_status pd_cd_step_solve_friction(const pd_cd_network *net, const pd_cd_options *opt,
                                    pd_cd_step *step, pd_cd_pool *pool, pd_cd_report *report);

/* load (six): F~ of eq. (37), from the velocities of a step: the resultants that its contact forces
 * must have
 */
void pd_cd_step_load(const pd_cd_network *net, const pd_cd_step *step, double *load);

PD_END_DECLS

#endif
