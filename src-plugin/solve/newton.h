/* SPDX-License-Identifier: MIT
 * One implicit substep: predictor, Newton iterations with line search and step limiter, the
 * acceptance of the result. Free of MPI and of any solver library: both come in through
 * pd_services. */
#ifndef PD_NEWTON_H
#define PD_NEWTON_H

#include "base/communication.h"
#include "dynamics/system.h"

/* The linear system of an iteration: owned rows, blocks of the pattern of pd_system. Each is at its
 * place among the values, one without a place (-1) is zero. */
typedef struct pd_linear {
  const double *values, *rhs;
  const int *place;
  double accuracy; /* residual over right-hand side that is good enough; 0: as good as can be */
  int again;       /* values are those of the call before */
} pd_linear;

/* services of the surroundings */
typedef struct pd_services {
  pd_communication communication;
  void *ctx; /* of the linear solver */
  /* x: 6 doubles per owned block row. The status is the same on every process. Errors:
   * PD_ENOMEM, PD_ESINGULAR */
  pd_status (*solve)(void *ctx, const pd_linear *a, double *x);
} pd_services;

/* What speeds up or saves Newton's iteration, but is no part of what it solves. Each can be
 * switched off, so that its worth can be measured. 4 and 8 belonged to heuristics that are gone:
 * results of benches name the others by their numbers. */
typedef enum pd_heuristic {
  PD_LOCAL_STEPS = 1,       /* iterations that move only bodies with large residuals */
  PD_INELASTIC_IMPACTS = 2, /* scheme em: impacts that do not converge lose their restitution */
  PD_PREDICTION = 16,       /* first guess from velocities; without: the start of the substep */
  PD_JOIN_MEETING = 32, /* islands that may meet on their ways go together; without: a factor for
                           each, which may let bodies pass through each other */
  PD_LAST_GUESS = 64,   /* no tangent is made where the iteration is likely to end */
  PD_LAST_MATRIX = 128  /* last steps with the matrix of the one before */
} pd_heuristic;

typedef struct pd_newton_options {
  double tol;   /* residual against the contact forces and weights */
  int maxit;    /* iterations before the step is given up */
  int lsmax;    /* halvings of the line search */
  int filter;   /* 0: no step limiter (for tests of the checks) */
  double eta;   /* fraction of a gap that one increment must leave */
  double guard; /* energy error allowed per substep, over the energy at risk: the kinetic energy of
                   bodies in contact (that of rotation for others), the contact potential and what
                   the loads do over one activation distance. 3e-5 keeps an undamped drop within
                   3e-4 m g h over ten bounces; the whole error is in proportion to it. 0: no
                   guard */
  double resolve; /* energy-momentum scheme: substeps that an impact takes at least; 0: as many as
                     it happens to */
  double path;    /* energy-momentum scheme: mean way of bodies that touch past each other in a
                     substep, over their size; 0: no matter; negative: left to pd_control_options */
  double least;   /* length of a substep that is not cut for path */
  double longest; /* energy-momentum scheme: length of a substep that nothing cuts, which tells
                     impacts that substeps resolve from others; 0: that of each */
  unsigned off;   /* set of pd_heuristic: those that are not used */
} pd_newton_options;

enum { PD_HISTORY = 64 };

/* what a substep did; the same on every process */
typedef struct pd_substep {
  int iterations, evaluations, limited;
  double growth; /* of the next substep, as far as the iterations allow it */
  double effort; /* iterations of the slowest island, those of a part of its bodies by that part */
  double residual, scale;     /* last residual and what it was compared with */
  double history[PD_HISTORY]; /* relative residual at every iteration */
  long worst; /* name (pd_body_name) of the body with the largest residual; after PD_EPASSAGE of one
                 whose way is not free; 0: none */
  double worst_residual;
  double energy, spring, mingap,
      ncontact;                /* contact potential, energy of the springs of friction */
  double kinetic;              /* at the end */
  double dissipated[PD_NLOSS]; /* by damping and by friction */
  double work;                 /* of external forces and loads */
  double wall_work;            /* of moving walls, and of what is prescribed to bodies */
  double cell_work;            /* of the cell that carries bodies */
  double numerical;            /* what the energy-momentum scheme takes by design */
  double error;                /* energy gained out of nothing */
  double rise;                 /* of kinetic energy, potential and springs, less what
                                  loads and walls have done; < 0 with any loss */
  double change;               /* of the error: by forces that have changed from outside */
  double noise;                /* of the error: rounding and what Newton's method left */
  double excess, allowed;      /* what the energy guard compares */
  double move;                 /* largest displacement of a body */
  long blocked, blocked_by; /* after PD_EWALL: name of a body in the way, and that of the body whose
                               motion is prescribed, 0 if it is a wall */
  double longest; /* after PD_EIMPACT and PD_ETURN: substep that resolves the impact or the turn,
                     and in which bodies go past each other by no more than path; after PD_EPULL:
                     half of the one that has failed */
} pd_substep;

/* energies at the start of a substep, carried from one to the next */
typedef struct pd_energy {
  double kinetic, potential, spring;
} pd_energy;

/* solves substeps; keeps its work arrays from one to the next */
typedef struct pd_substep_solver pd_substep_solver;

PD_BEGIN_DECLS

/* Errors: PD_ENOMEM. */
pd_status pd_substep_solver_create(pd_substep_solver **solver);
void pd_substep_solver_free(pd_substep_solver *solver); /* NULL is allowed */

pd_newton_options pd_newton_defaults(void);

/* Energies of the system at the start of a step, over all processes, and sums over this one. Its
 * dissipative forces become those of the start; assembly.force then holds the forces of contacts
 * and loads. Errors: PD_ETOUCH, PD_ENAN, PD_ENOMEM, the same on every process. */
pd_status pd_energy_now(pd_system *sys, const pd_services *services, pd_energy *now,
                        pd_totals *totals);

/* Solves one substep of length h, for which loads and walls are set, from the bodies' present
 * state. On PD_OK the increments (u, alpha) are those of the solution and the caller may accept
 * with pd_substep_commit; otherwise the states are unchanged but for the velocities at the start,
 * which the next substep refers anew to its forces. now: energies at the start. Errors:
 * PD_ENOMEM, PD_ENEWTON, PD_ESINGULAR, PD_ETOUCH, PD_ENAN, PD_EWALL (a wall or a prescribed body
 * moves too far), PD_EPASSAGE (the straight way of a body leads through another), PD_EENERGY (the
 * energy guard rejects), PD_EIMPACT (h does not resolve an impact, or bodies go past each other by
 * more than path), PD_ETURN (a body that rubs turns too far), PD_EPULL (a contact would pull). */
pd_status pd_substep_solve(pd_substep_solver *solver, pd_system *sys, const pd_services *services,
                           const pd_newton_options *opt, double h, const pd_energy *now,
                           pd_substep *out);

/* How long the next substep should be after one of length h that ended like this: halved after a
 * failure, longer after few iterations, shorter after many, and so that the energy guard will pass
 * it. To be bounded by the caller's longest one. */
double pd_substep_next(const pd_newton_options *opt, pd_status status, const pd_substep *s,
                       double h);

/* Advances the states of all bodies to the end of the solved substep. */
void pd_substep_commit(pd_system *sys);

PD_END_DECLS

#endif
