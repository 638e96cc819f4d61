/* SPDX-License-Identifier: MIT
 * A system of rigid bodies in contact: residual and tangent of one implicit step, assembly into 6x6
 * blocks, how far a step may go, energies.
 * Equation numbers: Gay Neto & Wriggers, Discrete element model for general polyhedra (2021). */
#ifndef PD_SYSTEM_H
#define PD_SYSTEM_H

#include "integrator.h"
#include "pair.h"

/* one body, owned by this process or a ghost of another's */
typedef struct pd_body {
  const pd_shape *shape;
  pd_inertia in;
  pd_state o;         /* at the start of the step */
  pd_vec3 fext, text; /* external force and torque, held over the step */
  long tag;
  long row; /* global block row of its unknowns, -1 if the step does not move it */
  int owned, mobile;
  pd_vec3 u, alpha; /* unknowns of the step */
  pd_kinematics k;
  pd_place place;
  size_t lever; /* its first lever in the pool */
} pd_body;

typedef enum pd_wall_kind { PD_PLANE, PD_SURFACE } pd_wall_kind;

/* a rigid boundary */
typedef struct pd_wall {
  pd_wall_kind kind;
  pd_vec3 point, normal; /* plane */
  pd_shape *shape;       /* surface, vertices in the world */
  pd_place place;
  double load[6]; /* force on the wall and its moment about the origin, of the last evaluation */
  double energy;  /* contact potential of the owned bodies with it, of the last evaluation */
} pd_wall;

/* two things that may touch */
typedef struct pd_link {
  int a, b; /* bodies; b is a wall if wall != 0. Between bodies tag a < tag b */
  int wall;
  const pd_law *law;
  double share; /* of the link's energy that this process counts: 1 or 1/2 */
  int slot[4];  /* blocks (a,a), (a,b), (b,a), (b,b) in values, -1 if not assembled here */
} pd_link;

/* sums over this process; reduce over all of them where there are several */
typedef struct pd_totals {
  double energy; /* contact potential */
  double scale2; /* squared contact forces */
  double power;  /* dissipated by damping */
  double mingap; /* DBL_MAX if no contact */
  double ncontact;
  double virial[6]; /* sum of r_AB f_A between bodies: xx yy zz xy xz yz */
} pd_totals;

typedef struct pd_system {
  int nbody, nlink, nwall;
  int cap_body, cap_link, cap_wall;
  pd_body *body; /* owned ones first */
  pd_link *link;
  pd_wall *wall;
  size_t nlever, cap_lever;
  pd_vec3 *lever;
  pd_vec3 *lever_end; /* the same at the end of a step under examination */
  pd_contact_set set;
  pd_scheme scheme;
  pd_pair_work *work;
  double *force; /* 6 nbody: residual of the last evaluation, by body */
  double *step;  /* 6 nbody: direction of the present step, by body */
  double *six;   /* 6 nbody: exchange buffer */
  double *save;  /* 6 nbody: increments at the start of a line search */
  double *fac;   /* nbody */
  int nlocal;    /* owned block rows */
  long nglobal;
  int *rowptr, *col, cap_row, cap_col; /* pattern: block CSR of the owned rows, global columns */
  double *values, *rhs;
  size_t cap_values;
} pd_system;

/* where the velocities of an evaluation come from: the scheme at (u, alpha), or the state itself */
typedef enum pd_when { PD_AT_TRIAL, PD_AT_START } pd_when;

PD_BEGIN_DECLS

pd_status pd_system_create(pd_system *sys);
void pd_system_free(pd_system *sys);

/* Makes room for the given numbers; contents of bodies, links and walls are then set by the caller,
 * followed by pd_system_bind. Errors: PD_ENOMEM. */
pd_status pd_system_resize(pd_system *sys, int nbody, int nwall);
pd_status pd_system_add_link(pd_system *sys, pd_link link);

/* Gives every body its levers. To be called when bodies or their shapes have changed. */
pd_status pd_system_bind(pd_system *sys);

/* Matrix pattern of the present links. Rows of all bodies must be numbered: owned mobile ones
 * consecutively in body order from first, ghosts by their owners. Errors: PD_ENOMEM. */
pd_status pd_system_pattern(pd_system *sys, long first, long nglobal);

/* Called once per contact point. */
typedef void (*pd_contact_visitor)(void *ctx, const pd_link *link, const pd_contact *contact);

/* Visits every contact point of the links at the bodies' present state, velocities as in
 * PD_AT_START. Errors: PD_ENAN, PD_ENOMEM. */
pd_status pd_system_contacts(pd_system *sys, pd_contact_list *list, pd_contact_visitor visit,
                             void *ctx);

/* Puts body i at (u, alpha). */
void pd_system_place(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha);

/* Evaluates contact at the bodies' present (u, alpha) and, PD_AT_TRIAL, the residual
 * (eq. 62, moments as moments) of every owned body into sys->force; with tangent != 0 the matrix
 * into sys->values. PD_AT_START: sys->force holds the contact forces on the owned bodies. Errors:
 * PD_ENAN (bodies touch), PD_ENOMEM. */
pd_status pd_system_eval(pd_system *sys, pd_when when, int tangent, pd_totals *totals);

/* Accelerations of the owned bodies from the contact forces of the last evaluation PD_AT_START and
 * the external loads: for the first step, and after a change from outside. */
void pd_system_accelerate(pd_system *sys);

/* How far along its direction sys->step every owned body may go, into sys->fac (0..1), so that no
 * bodies pass through each other: a link within its gbar comes no closer than the fraction eta < 1
 * of its present distance, an open one stops barely inside gbar. Returns the smallest factor.
 * The bodies must be placed at their present (u, alpha). */
double pd_system_filter(pd_system *sys, double eta, pd_status *status);

/* First link whose bodies overlap at the start of the step, -1 if none; *depth how far. */
int pd_system_overlap(pd_system *sys, double *depth, pd_status *status);

/* kinetic energy of the owned bodies that the step moves, at the start or, trial != 0, at the end
 */
double pd_system_kinetic(const pd_system *sys, int trial);

PD_END_DECLS

#endif
