/* SPDX-License-Identifier: MIT
 * Compatible forces: of all contact forces f >= 0 with given resultants, those that stiff elastic
 * bodies would have. Two solvers of the same problem, eq. (36), and one with friction.
 * Equation numbers: Olsen & Kamrin (2018), as in network.h. */
#ifndef PD_CD_COMPATIBLE_H
#define PD_CD_COMPATIBLE_H

#include "contact_dynamics/apgd.h"

typedef struct pd_cd_compatible_options {
  double p;            /* exponent of the strain energy, > 1: Hooke 2, Hertz 5/2 */
  double ratio;        /* friction: tangential stiffness over the normal one, > 0; see coulomb.h */
  const double *slide; /* friction: per contact two, unit direction along the tangents of
                          pd_cd_tangents in which b slides over a for long, by displacements beyond
                          all elastic ones, or 0 0; NULL: none slides */
  double tol;          /* for the KKT residual, against the largest load of a body */
  int maxit;           /* Newton iterations, or updates of the multipliers */
  int maxit_inner;     /* conjugate gradients, ten times as many with friction, or APGD iterations,
                          in each */
} pd_cd_compatible_options;

/* why a solver ended without converging */
typedef enum pd_cd_ending {
  PD_CD_STEPS_SPENT,  /* maxit was reached */
  PD_CD_ALL_BUT_FREE, /* what is left drives motions that the contacts hardly resist */
  PD_CD_ROUNDING,     /* no step makes progress any more */
  PD_CD_NO_DESCENT    /* friction: no step, however short, lowers the residual */
} pd_cd_ending;

typedef struct pd_cd_compatible_report {
  int iterations, inner; /* and the sum of the inner ones */
  int slipping;          /* contacts on the cone, of this process */
  int converged;
  pd_cd_ending ending; /* if it is not converged */
  double objective;    /* sum of w*(f), with the relative stiffnesses: per kappa^(1/(p-1)); with
                          friction that of the tangential springs too */
  double equilibrium;  /* largest |B^T f - F~|, moments over the length of the levers */
  double constitutive; /* largest |f - k (-B u)_+^(p-1)|; small equilibrium alone proves nothing */
  double kkt;          /* the larger of the two, against the largest load of a body */
} pd_cd_compatible_report;

PD_BEGIN_DECLS

pd_cd_compatible_options pd_cd_compatible_defaults(double p);

/* Compatible forces with B^T f = load, eq. (36), on the closed contacts of the network; the load is
 * F~ of eq. (37), or the resultants of any admissible forces. By Newton's method in the
 * displacements: the minimum of sum w((-B u)_+) + load.u, eq. (32) with its load -F~, is that of
 * (36), and the forces follow from u. u (six): on entry where to start, zero if nothing is known;
 * on return the displacements, times kappa^(1/(p-1)), ghosts too. Rows of B may be as dependent as
 * they like. A load that no forces f >= 0 can bear leaves converged = 0. So may any load if p < 2,
 * for the stiffness is then infinite where contacts open. Errors: PD_ENOMEM, PD_ENAN, PD_ERANGE
 * (options). */
pd_status pd_cd_compatible_newton(const pd_cd_network *net, const pd_cd_compatible_options *opt,
                                  const double *load, pd_cd_pool *pool, double *f, double *u,
                                  pd_cd_compatible_report *report);

/* The same by the paper's augmented Lagrangian of (36), whose multipliers are the displacements,
 * with accelerated projected gradients for its subproblems. It starts from f and u. Its residual
 * cannot fall much below 1e-12 times the forces over the largest load: the rounding of first-order
 * steps. */
pd_status pd_cd_compatible_lagrange(const pd_cd_network *net, const pd_cd_compatible_options *opt,
                                    const double *load, pd_cd_pool *pool, double *f, double *u,
                                    pd_cd_compatible_report *report);

/* Forces of stiff elastic contacts with Coulomb friction, of which the paper leaves the question
 * open (section 9): B^T f = load with f by the law of coulomb.h from displacements u, coefficients
 * of friction and stiffnesses from the contacts. That is where loads that grow in proportion from
 * nothing lead, whatever the exponent; another history of loading leads elsewhere.
 * f: three per contact, normal and tangents of pd_cd_tangents. u: on entry where to start, zero if
 * nothing is known.
 * There may be several solutions, or none, for the law is not that of an energy: starts elsewhere
 * tell. A load that the contacts do not bear leaves converged = 0. Errors: as above. */
pd_status pd_cd_compatible_friction(const pd_cd_network *net, const pd_cd_compatible_options *opt,
                                    const double *load, pd_cd_pool *pool, double *f, double *u,
                                    pd_cd_compatible_report *report);

PD_END_DECLS

#endif
