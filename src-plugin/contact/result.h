/* SPDX-License-Identifier: MIT
 * What the contact of a pair answers: forces, tangent, energies, contact points. */
#ifndef PD_RESULT_H
#define PD_RESULT_H

#include "contact/law/friction.h"
#include "contact/potential_state.h"

/* parts of a pair's forces that take energy */
enum { PD_DAMPING, PD_FRICTION, PD_NLOSS };

/* What the energy-momentum scheme makes its forces of. Generalised forces as below. */
typedef struct pd_em_response {
  double true_lever_force[12]; /* forces of the potential with true levers */
  double taken, dtaken[12];    /* power of the samples whose damping takes energy, its derivative */
  double drop, ddrop[12];      /* of the potential by normal motion; of pairs that slide */
  double along[12]; /* elastic forces times the ways along which the pair does not bear */
} pd_em_response;

/* Generalised forces in the order (f_A, torque_A, f_B, torque_B), moments about the centres. */
typedef struct pd_pair_result {
  double energy; /* contact potential */
  double spring; /* energy of the tangential springs */
  double force[12];
  double loss[PD_NLOSS][12]; /* parts of force */
  pd_mat3 friction_ta; /* sum of (friction on A) (lever about its centre)^T, where that acts */
  double scale2;       /* sum of squared contact forces, sets the scale of the residual */
  double power;  /* dissipated by damping, energy/time; every term's is >= 0, and so is the literal
                    set's, but terms of negative weight give back: see doc/theory.md, 7.4. Before
                    the limit that the energy-momentum scheme sets to it */
  double mingap; /* smallest gap below gbar, DBL_MAX if none */
  int ncontact;  /* samples with at least one active term; in corners the contacts of a sample */
  pd_em_response em; /* PD_ENERGY_MOMENTUM: force and k are then those of the potential with mean
                        levers, and losses stand apart, with their tangent */
  pd_em_state state; /* of the potential now: in every mode active, energy, f, ta, tb, force_fabric
                        and stiff; velocities and hit in those with a state */
  /* only if asked for */
  double k[12][12]; /* -d force/d(u_A, spin_A, u_B, spin_B) */
  double kloss[12][12];
} pd_pair_result;

typedef enum pd_contact_kind { PD_VF, PD_VE, PD_VV, PD_EE } pd_contact_kind;

/* one contact point: the resultant of all terms of one sample, or of those that face one way */
typedef struct pd_contact {
  pd_contact_kind kind;        /* of the term with the largest force */
  int on_b;                    /* the sampled vertex belongs to B (V-x kinds) */
  int sample[2];               /* vertex: (vertex, -1); edge pair: (edge of A, edge of B) */
  pd_vec3 point;               /* lever about A's centre, midway between the two bodies */
  pd_vec3 normal;              /* unit vector of the resultant on A */
  double gap;                  /* smallest gap among the terms */
  double force;                /* magnitude of the normal resultant, damping included */
  pd_vec3 friction;            /* on A */
  pd_vec3 grip;                /* where it acts: lever about A's centre; point without friction */
  pd_friction_history history; /* state of the friction contact; zero if there is none */
} pd_contact;

/* growable list of contacts; zero it before first use */
typedef struct pd_contact_list {
  int n, cap;
  pd_contact *c;
} pd_contact_list;

PD_BEGIN_DECLS

/* Zeroes a result; the tangents only if they are wanted. */
void pd_result_clear(pd_pair_result *result, int tangent);

/* Errors: PD_ENOMEM. */
pd_status pd_contact_append(pd_contact_list *list, const pd_contact *contact);
void pd_contact_list_free(pd_contact_list *list);

PD_END_DECLS

#endif
