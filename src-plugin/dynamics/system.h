/* SPDX-License-Identifier: MIT
 * A system of rigid bodies in contact: residual and tangent of one implicit step, assembly into 6x6
 * blocks, how far a step may go, energies.
 * Equation numbers: Gay Neto & Wriggers, Discrete element model for general polyhedra (2021). */
#ifndef PD_SYSTEM_H
#define PD_SYSTEM_H

#include "dynamics/integrator.h"
#include "solve/islands.h"
#include "base/loops.h"
#include "contact/pair.h"

/* one body, owned by this process or a ghost of another's */
typedef struct pd_body {
  const pd_shape *shape;
  pd_inertia in;
  pd_state o;           /* at the start of the step */
  pd_vec3 fext, text;   /* external force and torque, held over the step */
  pd_vec3 fload, mload; /* of the loads, at the last evaluation */
  long tag;
  long row; /* global block row of its unknowns, -1 if the step does not move it */
  int owned, mobile;
  double a;         /* of the energy-momentum scheme, for this step */
  int em;           /* how its contacts are in this step */
  pd_vec3 u, alpha; /* unknowns of the step */
  pd_kinematics k;
  pd_pose pose;
  size_t lever; /* its first lever in the pool */
} pd_body;

typedef enum pd_wall_kind { PD_PLANE, PD_SURFACE } pd_wall_kind;

/* A rigid boundary in a frame of its own, which moves as prescribed: over a substep by (u, alpha).
 */
typedef struct pd_wall {
  pd_wall_kind kind;
  pd_vec3 normal;   /* plane: in the wall's frame, whose origin lies in the plane */
  pd_shape *shape;  /* surface: vertices in the wall's frame */
  long key;         /* names the wall in the memory of friction, unique among walls */
  int moves;        /* 0: at rest where it is; what follows is then not looked at, but for x */
  pd_vec3 x;        /* origin of the frame at the start of the substep */
  pd_quat q;        /* frame to world */
  pd_vec3 v, w;     /* velocity of the origin, angular velocity, at the start */
  pd_vec3 u, alpha; /* increments over the whole substep */
  pd_vec3 v1, w1;   /* velocities at its end */
  /* set by pd_system_set_wall_pose */
  pd_vec3 u_now, alpha_now;
  double t;           /* fraction of the substep at which it stands */
  int levers_current; /* the levers of a moving surface are those of place.rot */
  pd_vec3 n;          /* plane: normal in the world */
  pd_pose pose;
  size_t lever;
  /* of the last evaluation */
  double load[6];           /* force on the wall and its moment about the frame's origin */
  double loss[PD_NLOSS][6]; /* parts of it */
  double load0[6], loss0[PD_NLOSS][6]; /* at the start of the substep */
  double energy;                       /* contact potential of the owned bodies with it */
  double work;                         /* done by the wall on the owned bodies in the substep */
} pd_wall;

/* A force and a moment on a body, held over the substep. */
typedef struct pd_load {
  int body;
  pd_vec3 f, m;   /* at the end of the substep */
  pd_vec3 f0, m0; /* at its start */
  pd_vec3 point;  /* where the force acts: lever about the centre of mass, principal frame */
  int follow;     /* f and m turn with the body: given in the principal frame */
  double work;    /* done in the substep */
} pd_load;

/* two things that may touch */
typedef struct pd_contact_pair {
  int a, b; /* bodies; b is a wall if wall != 0. Between bodies tag a < tag b */
  int wall;
  const pd_law *law;
  double share;          /* of the pair's energy that this process counts: 1 or 1/2 */
  int slot[4];           /* blocks (a,a), (a,b), (b,a), (b,b) in values, -1 if not assembled here */
  int old, nold;         /* its records in sys->old */
  int kept, nkept, room; /* those of its last evaluation in sys->kept, and how many fit there */
  int contact;           /* its contact in sys->contact, -1 if its sides have not touched */
  double separation; /* at the start of the substep its sides are at least so far apart; 0 if not
                        known */
  /* energy-momentum scheme */
  double beta; /* part of the end's own force */
  double zeta; /* damping ratio in this step */
  double keep; /* part of its energy that the contact gives back as it separates */
  double lost; /* energy that beta > 0 and keep < 1 take in the step */
} pd_contact_pair;

/* what a pair did when it was evaluated last */
typedef struct pd_pair_response {
  int active; /* it has forces; nothing else is set if not */
  pd_status status;
  double force[12], loss[PD_NLOSS][12];
  double energy, spring, scale2, mingap, ncontact;
} pd_pair_response;

/* What is known of the contact of a pair whose sides have touched since the pairs were made. Most
 * never do. */
typedef struct pd_contact_state {
  pd_pair_response response;
  pd_em_state em0, em1; /* contact potential at the start of the step and at the last evaluation */
  int near;             /* its list of near features in sys->near, -1 if it has none */
} pd_contact_state;

/* what a thread needs for itself */
typedef struct pd_worker {
  pd_pair_work *work;
  pd_friction_records fresh; /* records of the pairs that it evaluates */
  pd_vec3 *lever[2];         /* of the two sides of a pair on their way */
  int cap_lever[2];
  pd_status status;
  char apart[128]; /* what one thread writes is not in a line of the cache that another one reads */
} pd_worker;

/* sums over this process; reduce over all of them where there are several */
typedef struct pd_totals {
  double energy; /* contact potential */
  double spring; /* of friction */
  double scale2; /* squared contact forces */
  double mingap; /* DBL_MAX if no contact */
  double ncontact;
  double virial[6]; /* sum of r_AB f_A between bodies: xx yy zz xy xz yz */
} pd_totals;

typedef struct pd_system {
  int nbody, npair, nwall, nload;
  int cap_body, cap_pair, cap_wall, cap_load;
  pd_body *body; /* owned ones first */
  pd_load *load; /* on owned bodies */
  int *order,
      norder; /* owned bodies by tag: sums in this order do not depend on how bodies are stored */
  pd_contact_pair *pair;
  int (*ends)[2]; /* bodies of every pair, twice the same with a wall: loops over all pairs read it
                   */
  char *active;   /* of every pair: it has forces, or its last evaluation failed */
  int *active_pair, nactive; /* these pairs, in their order */
  pd_contact_state *contact;
  int nstate, cap_state;
  pd_wall *wall;
  /* flags of the bodies */
  pd_islands islands;
  char *moved;            /* moved since the last evaluation */
  char *residual_dirty;   /* has got another residual in the last evaluation */
  char *tangent_current;  /* its rows of the matrix are those of the present increments */
  char *row_is_identity;  /* its rows hold the identity: no unknowns */
  char *in_local_step;    /* a local step moves it */
  char *needs_end_levers; /* its levers at the end of the path under examination are known */
  size_t nlever, cap_lever;
  pd_vec3 *lever;
  pd_vec3 *lever_end; /* the same at the end of a step under examination */
  pd_friction_records old,
      kept;       /* memory of friction: at the start of the substep, of the last evaluation */
  double elapsed; /* PD_AT_START: time for which friction takes the present velocities to have
                     lasted; for explicit schemes, else 0 */
  double hprev;   /* length of the substep before, 0 if there was none */
  pd_contact_set set;
  pd_scheme scheme;
  pd_loops loops;    /* set by pd_system_use_loops */
  pd_worker *worker; /* one for each thread of them */
  int nworker;
  int *todo;      /* pairs that a loop is to go through; or of every pair, what a loop has found */
  double *figure; /* of every pair, what a loop has found */
  char *flag;     /* the same, 0 or 1 */
  struct pd_pair_update *batch; /* pairs under evaluation */
  int *found;                   /* those of the batch that change something */
  pd_near *near;                /* of pairs that have been in contact since the pairs were made */
  int nnear, cap_near;
  double *force;  /* 6 nbody: residual of the last evaluation, by body */
  double *loss;   /* 12 nbody: forces of damping and of friction at the last evaluation, by body */
  double *loss0;  /* 12 nbody: at the start of the substep */
  double *step;   /* 6 nbody: direction of the present step, by body */
  double *buffer; /* 6 nbody: exchange buffer */
  double *save;   /* 6 nbody: increments at the start of a line search */
  double *step_fraction; /* nbody */
  double *path_bound;    /* nbody: how far any point of a body has gone in the substep at the last
                            evaluation */
  int nlocal;            /* owned block rows */
  long first, nglobal;   /* first owned row, rows of all processes */
  int *rowptr, *col, cap_row, cap_col; /* pattern: block CSR of the owned rows, global columns */
  double *values, *rhs;
  char *nonzero; /* of every block: it may hold something, the others are zero */
  size_t cap_values;
} pd_system;

/* where the velocities of an evaluation come from: the scheme at (u, alpha), or the state itself */
typedef enum pd_when { PD_AT_TRIAL, PD_AT_START } pd_when;

PD_BEGIN_DECLS

pd_status pd_system_create(pd_system *sys);
void pd_system_free(pd_system *sys);

/* Loops over bodies and pairs run by the given service from now on. The results are the same to the
 * last bit on any number of threads. Errors: PD_ENOMEM, the loops are then what they were. */
pd_status pd_system_use_loops(pd_system *sys, pd_loops loops);

/* Makes room for the given numbers; contents of bodies, pairs and walls are then set by the caller,
 * followed by pd_system_bind. Errors: PD_ENOMEM. */
pd_status pd_system_resize(pd_system *sys, int nbody, int nwall);
pd_status pd_system_add_pair(pd_system *sys, pd_contact_pair link);

/* Gives every body its levers. To be called when bodies or their shapes have changed. */
pd_status pd_system_bind(pd_system *sys);

/* Makes a bound system ready for a step that does not go on from the last one: only bodies, pairs
 * and the memory of friction stay. Loads are forgotten. Moving walls have been put where they are
 * by the caller, who then gives the bodies their states. */
void pd_system_reset(pd_system *sys);

/* Takes over the loads of the owned bodies (copied). Errors: PD_ENOMEM. */
pd_status pd_system_set_loads(pd_system *sys, int n, const pd_load *load);

/* Appends a record to the memory of the pair added last. Errors: PD_ENOMEM. */
pd_status pd_system_add_friction_record(pd_system *sys, pd_friction_record record);

/* Matrix pattern of the present pairs. Rows of all bodies must be numbered: owned mobile ones
 * consecutively from first, in any order, ghosts by their owners. Errors: PD_ENOMEM. */
pd_status pd_system_pattern(pd_system *sys, long first, long nglobal);

/* Called once per contact point. */
typedef void (*pd_contact_visitor)(void *ctx, const pd_contact_pair *link,
                                   const pd_contact *contact);

/* Visits every contact point of the pairs at the bodies' present state, velocities as in
 * PD_AT_START. Errors: PD_ENAN, PD_ENOMEM. */
pd_status pd_system_contacts(pd_system *sys, pd_contact_list *list, pd_contact_visitor visit,
                             void *ctx);

/* Puts body i at (u, alpha). */
void pd_system_set_pose(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha);

/* Prescribes the motion of wall i over the substep: increments, and velocities at its end. */
void pd_system_move_wall(pd_system *sys, int i, pd_vec3 u, pd_vec3 alpha, pd_vec3 v1, pd_vec3 w1);

/* Puts wall i where it is after the fraction t of the substep. */
void pd_system_set_wall_pose(pd_system *sys, int i, double t);

/* Place of a wall's origin now. */
pd_vec3 pd_wall_at(const pd_wall *w);

/* Evaluates contact at the bodies' present (u, alpha) and, PD_AT_TRIAL, the residual
 * (eq. 62, moments as moments) of every owned body into sys->force; with tangent != 0 the matrix
 * into sys->values. PD_AT_START: sys->force holds the contact forces on the owned bodies. Errors:
 * PD_ENAN (bodies touch), PD_ENOMEM. */
pd_status pd_system_eval(pd_system *sys, pd_when when, int tangent, pd_totals *totals);

/* PD_AT_TRIAL again where something has changed: the pairs of bodies that are marked in sys->moved,
 * which is cleared. sys->force is then what pd_system_eval gives; with tangent != 0 the rows of the
 * moved bodies are. What the pairs have to report is in sys->active_pair and sys->contact. Errors:
 * PD_ENOMEM. */
pd_status pd_system_eval_moved(pd_system *sys, int tangent);

/* Forces on the walls, and the sums that pd_system_eval gives, from the pairs' last evaluations. */
void pd_system_sum(pd_system *sys, pd_totals *totals);

/* No point of the body has gone further in the substep. */
double pd_body_path_bound(const pd_body *b);

/* What is known of the distance of a pair's sides now: a lower bound, 0 if nothing is. */
double pd_contact_pair_separation(const pd_system *sys, const pd_contact_pair *pair);

/* The distance of a pair's sides, or if that is more than cut, any lower bound of it that is. The
 * sides must be placed. Errors: PD_ENOMEM. */
double pd_system_distance(const pd_system *sys, pd_contact_pair *pair, double cut,
                          pd_pair_work *work, pd_status *status);

/* What is known of the pairs' distances holds for the end of the substep, at the bodies' present
 * (u, alpha), from now on. */
void pd_system_advance_bounds(pd_system *sys);

/* The last evaluation was that of the state from which the next substep starts: its losing forces
 * become those of the start. */
void pd_system_accept_forces(pd_system *sys);

/* The last evaluation ended a step: its friction records become those of the next one's start. */
void pd_system_accept_friction(pd_system *sys);

/* Chooses the parameters of the energy-momentum scheme for a step of length sys->scheme.h, for
 * bodies and pairs; bodies and walls must be placed at the start of the step. Those of ghosts are
 * then to be had from their owners. */
void pd_em_choose(pd_system *sys);

/* Longest step in which every impact of the energy-momentum scheme, of contacts that are not at
 * rest, takes at least per steps from touch to touch, or which ends where the impact begins; for a
 * step of length sys->scheme.h, after pd_em_choose. DBL_MAX if there is none. */
double pd_em_longest(pd_system *sys, double per);

/* the scheme as it is for one body */
pd_scheme pd_body_scheme(const pd_system *sys, const pd_body *b);

/* Accelerations of the owned bodies from the contact forces of the last evaluation PD_AT_START and
 * the external loads: for the first step, and after a change from outside. */
void pd_system_accelerate(pd_system *sys);

/* How far along its direction sys->step every owned body may go, into sys->step_fraction (0..1), so
 * that no bodies pass through each other: a pair within its gbar comes no closer than the fraction
 * eta < 1 of its present distance, an open one stops barely inside gbar. Returns the smallest
 * factor. The bodies must be placed at their present (u, alpha). walls != 0: the moving walls go
 * their way from the start of the substep to its end meanwhile; 0: they stand at its end. *wall:
 * smallest factor of a pair with a wall that moves meanwhile; below 1 the substep is too long for
 * the wall. */
double pd_system_limit_step(pd_system *sys, double eta, int walls, double *wall, pd_status *status);

/* First pair whose bodies overlap at the start of the step, -1 if none; *depth how far. */
int pd_system_overlap(pd_system *sys, double *depth, pd_status *status);

/* energy in the springs of friction as they are remembered at the start of the step */
double pd_system_spring(const pd_system *sys);

/* kinetic energy of the owned bodies that the step moves, at the start */
double pd_system_kinetic(const pd_system *sys);

PD_END_DECLS

#endif
