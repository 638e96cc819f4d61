/* SPDX-License-Identifier: MIT
 * Contact of one pair of bodies: candidates, contact set, energy, forces, tangent, distance. */
#ifndef PD_PAIR_H
#define PD_PAIR_H

#include "contact/energy_momentum/discrete_gradient.h"
#include "contact/law/friction.h"
#include "contact/gap.h"
#include "contact/law/normal.h"
#include "geometry/shape.h"

/* Which sub-region pairs act.
 * CONTINUOUS: the signed sum over closed features, continuous everywhere (doc/theory.md).
 * LITERAL: every sub-region pair whose local problem has a solution in range, as the 2021 paper
 * states.
 * HIERARCHY: that without vertex-edge pairs whose vertex is in contact with both faces of the edge,
 * and without vertex pairs of which one vertex is in contact with a face or an edge of the other:
 * the rules that the paper gives for its sixth example. */
typedef enum pd_contact_set { PD_SET_CONTINUOUS, PD_SET_LITERAL, PD_SET_HIERARCHY } pd_contact_set;

/* how a body has moved since the start of the substep; friction asks for it */
typedef struct pd_increment {
  pd_vec3 u, alpha; /* increments */
  pd_mat3 dq;       /* rotation of alpha */
  pd_mat3 inv;      /* inverse of Xi(alpha): change of alpha by a spin */
} pd_increment;

/* a body in its present place, as the pair functions see it */
typedef struct pd_pose {
  const pd_shape *shape;
  const pd_vec3 *s; /* nv vertices as levers about the centre of mass, world axes */
  pd_mat3 rot;      /* rotation from the shape's frame to the world */
  pd_box box;       /* of the levers */
  double mass;      /* INFINITY for a boundary or a body that is not moved */
  pd_velocity velocity;
  pd_increment increment;
  /* energy-momentum scheme: where the centre is taken for the balance of angular momentum, from
   * where it is, and its derivative by u */
  pd_vec3 momentum_reference;
  double momentum_slope;
  pd_velocity before; /* velocities at the start of the step that ended here */
} pd_pose;

/* A friction contact and what it remembers. sample: (vertex of A, -1), (vertex of B, -2) or (edge
 * of A, edge of B). */
typedef struct pd_friction_record {
  int sample[2];
  pd_friction_history history;
} pd_friction_record;

/* growable list of records; zero it before first use */
typedef struct pd_friction_records {
  int n, cap;
  pd_friction_record *r;
} pd_friction_records;

/* memory of a pair: records at the start of the substep; those of the present state are appended to
 * fresh, to be kept if the substep is accepted */
typedef struct pd_friction_memory {
  const pd_friction_record *old;
  int nold;
  pd_friction_records *fresh;
} pd_friction_memory;

/* parts of a pair's forces that take energy */
enum { PD_DAMPING, PD_FRICTION, PD_NLOSS };

/* what a pair does; generalised forces in the order (f_A, torque_A, f_B, torque_B) */
typedef struct pd_pair_result {
  double energy; /* contact potential */
  double spring; /* energy of the tangential springs */
  double force[12];
  double loss[PD_NLOSS][12]; /* parts of force */
  double scale2;             /* sum of squared contact forces, sets the scale of the residual */
  double power;  /* dissipated by damping, energy/time; every term's is >= 0, and so is the literal
                    set's, but terms of negative weight give back: see doc/theory.md */
  double mingap; /* smallest gap below gbar, DBL_MAX if none */
  int ncontact;  /* samples with at least one active term */
  /* energy-momentum scheme only: force and k are then those of the potential with mean levers, and
   * losses stand apart, with their tangent */
  double true_lever_force[12]; /* forces of the potential with true levers */
  pd_em_state state;           /* of the potential now */
  /* only if asked for */
  double k[12][12]; /* -d force/d(u_A, spin_A, u_B, spin_B) */
  double kloss[12][12];
} pd_pair_result;

typedef enum pd_contact_kind { PD_VF, PD_VE, PD_VV, PD_EE } pd_contact_kind;

/* one contact point: the resultant of all terms of one sample */
typedef struct pd_contact {
  pd_contact_kind kind;        /* of the term with the largest force */
  int on_b;                    /* the sampled vertex belongs to B (V-x kinds) */
  int sample[2];               /* vertex: (vertex, -1); edge pair: (edge of A, edge of B) */
  pd_vec3 point;               /* lever about A's centre, midway between the two bodies */
  pd_vec3 normal;              /* unit vector of the resultant on A */
  double gap;                  /* smallest gap among the terms */
  double force;                /* magnitude of the normal resultant, damping included */
  pd_vec3 friction;            /* on A */
  pd_friction_history history; /* state of the friction contact; zero if there is none */
} pd_contact;

/* growable list of contacts; zero it before first use */
typedef struct pd_contact_list {
  int n, cap;
  pd_contact *c;
} pd_contact_list;

typedef struct pd_pair_work pd_pair_work;

/* near pairs of features of two bodies, kept from one search to the next */
typedef struct pd_near pd_near;

PD_BEGIN_DECLS

/* Scratch memory of the pair functions: one per thread. Grows on demand, then stays. */
pd_status pd_pair_work_create(pd_pair_work **work);
void pd_pair_work_free(pd_pair_work *work);
void pd_contact_list_free(pd_contact_list *list);
void pd_friction_records_free(pd_friction_records *list);
pd_status pd_friction_append(pd_friction_records *list, pd_friction_record record);

/* From now on pd_pair_eval (continuous set) and pd_pair_sweep search with the help of near, which
 * belongs to one pair of shapes and is zeroed before first use; NULL: without help. What they find
 * is the same. */
void pd_pair_keep(pd_pair_work *work, pd_near *near);

/* no motion since the start of the substep */
pd_increment pd_no_increment(void);

/* Evaluates the contact of A with B.
 * r0 + ru: vector from A's centre to B's, in two parts (frozen and incremental) so that the small
 * part keeps its digits; tangent != 0 asks for result->k; memory: NULL for no friction, and it is
 * not looked at if the law has none; em: length of the step for the energy-momentum scheme, which
 * takes damping and friction by increments and mean levers, 0 for others, < 0 for others if
 * result->state is wanted; contacts may be NULL, else rows are appended. Errors: PD_ENOMEM, PD_ENAN
 * (a distance of zero or not finite: the bodies touch). Bodies that have passed through each other
 * go unnoticed: keep them apart by pd_pair_distance. */
pd_status pd_pair_eval(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru,
                       const pd_law *law, pd_contact_set set, int tangent,
                       const pd_friction_memory *memory, double em, pd_pair_work *work,
                       pd_pair_result *result, pd_contact_list *contacts);

/* Distance of the two surfaces, or cut if it is larger. Errors: PD_ENOMEM. */
pd_status pd_pair_distance(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru, double cut,
                           pd_pair_work *work, double *distance);

/* How the gaps of A and B change while they go from their places to the levers end_a and end_b, B's
 * centre then being r0 + ru_end from A's: for every pair of features nearer than cut, the distance
 * now and the distance at the end from each other along the present normal are kept in work.
 * *distance: the smallest distance now, or cut. Errors: PD_ENOMEM. */
pd_status pd_pair_sweep(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru,
                        const pd_vec3 *end_a, const pd_vec3 *end_b, pd_vec3 ru_end, double cut,
                        pd_pair_work *work, double *distance);

/* The same for the vertices of A over a plane of unit normal n, h its centre's height now (in two
 * parts, as in pd_plane_eval); at the end the levers are end, the normal n_end and the height
 * h_end. *distance: the smallest height now. */
pd_status pd_plane_sweep(const pd_pose *a, double h0, double hu, pd_vec3 n, const pd_vec3 *end,
                         double h_end, pd_vec3 n_end, pd_pair_work *work, double *distance);

/* Fraction of the way of the last sweep that is safe: the planes that part the features now keep
 * them further apart than keep. bend: how far the paths may leave their chords, in all. */
double pd_pair_sweep_limit(const pd_pair_work *work, double keep, double bend);

/* Contact of A with an infinite plane of unit normal n; the half-space behind it is solid.
 * h0 + hu: height of A's centre over the plane, in two parts (frozen and incremental).
 * plane: its mass, motion and turn; r: from A's centre to the point that these and the B part of
 * result refer to. Errors: PD_ENOMEM, PD_ENAN (A touches the plane or is beyond it). */
pd_status pd_plane_eval(const pd_pose *a, double h0, double hu, pd_vec3 n, const pd_pose *plane,
                        pd_vec3 r, const pd_law *law, int tangent, const pd_friction_memory *memory,
                        double em, pd_pair_work *work, pd_pair_result *result,
                        pd_contact_list *contacts);

/* Friction of the pair evaluated last with em > 0, which has to wait for theta: the forces at the
 * end take part in the step with theta, those of the start with 1 - theta. dtheta: by (u, spin),
 * only read with tangent. Into result: loss, kloss, spring; into memory->fresh: the records. r:
 * from A's centre to B's. Errors: PD_ENOMEM. */
pd_status pd_em_friction(const pd_pose *a, const pd_pose *b, pd_vec3 r, const pd_law *law, double h,
                         int tangent, const pd_friction_memory *memory, double theta,
                         const double *dtheta, pd_pair_work *work, pd_pair_result *result);

/* Forgets the friction put off: for a pair that is not evaluated because it is far apart. */
void pd_pair_nothing(pd_pair_work *work);

/* Signed distance of A from the plane: the smallest over its vertices. */
double pd_plane_distance(const pd_pose *a, double h0, double hu, pd_vec3 n);

/* Whether the two surfaces cross or one body lies inside the other: for the check of initial
 * states. *depth: how far the deepest vertex or crossing edge lies inside; where none does (aligned
 * bodies, one within the other), the shortest way along a face normal that parts their hulls; 0 if
 * they do not overlap. Errors: PD_ENOMEM. */
pd_status pd_pair_overlap(const pd_pose *a, const pd_pose *b, pd_vec3 r, pd_pair_work *work,
                          int *overlap, double *depth);

PD_END_DECLS

#endif
