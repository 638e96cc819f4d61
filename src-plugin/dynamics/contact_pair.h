/* SPDX-License-Identifier: MIT
 * Two things that may touch, and what is known of their contact. */
#ifndef PD_CONTACT_PAIR_H
#define PD_CONTACT_PAIR_H

#include "contact/pair.h"

/* Whether the last evaluation of a pair, at a trial or at the start of a step, may be used again:
 * its sides stood, and as long as they stay it is not evaluated again. At the start nothing but the
 * state itself counts, so that a run from a restart file finds the same. */
typedef enum pd_reuse { PD_NOT_REUSABLE, PD_REUSABLE_AT_TRIAL, PD_REUSABLE_AT_START } pd_reuse;

/* How the energy-momentum scheme takes the contact of a pair over a step (doc/theory.md, 10.1). */
typedef struct pd_em_parameters {
  double beta;              /* weight of the force of the end alone; 1: that of implicit Euler */
  double zeta;              /* damping ratio */
  double stiffness_damping; /* of an impact without restitution: what damping is of the change of
                               its elastic force */
  double impact_viscosity;  /* of an impact's dashpots along the surface, force/velocity */
  double slide; /* part in which it slides: forces act in the directions in which it bears */
  double energy_returned; /* part of its energy that the contact gives back as it separates */
  double return_ramp;     /* part that it has to give off in the step before it returns no more than
                             that */
} pd_em_parameters;

/* Those of a contact that only its dashpots take energy from. */
static inline pd_em_parameters pd_em_viscous(double zeta)
{
  const pd_em_parameters em = {0.0, zeta, 0.0, 0.0, 0.0, 1.0, PD_SLACK};
  return em;
}

/* What a contact that separates gives back, at the least, of its energy: the share of the impact,
 * and all of it as far as the force of the end acts alone. */
static inline double pd_em_least_share(const pd_em_parameters *em)
{
  return 1.0 - (1.0 - em->beta) * (1.0 - em->energy_returned);
}

typedef struct pd_contact_pair {
  /* who they are: set by the caller of pd_system_add_pair */
  int a, b; /* bodies; b is a wall if wall != 0. Between bodies tag a < tag b */
  int wall;
  const pd_law *law;
  double share; /* of the pair's energy that this process counts: 1 or 1/2 */
  int slot[4]; /* blocks (a,a), (a,b), (b,a), (b,b) of the pattern, -1 if not assembled here; set by
                  pd_system_pattern */
  /* carried from substep to substep */
  int old, nold;         /* its records in friction.at_start */
  int kept, nkept, room; /* those of its last evaluation in friction.at_end; how many fit there */
  int contact;           /* its state in contacts.state, -1 if its sides have not touched */
  char reusable;         /* pd_reuse: its last evaluation */
  char pulls; /* at the last evaluation the force of an energy-momentum step is more than the double
                 of either end's, as one of them draws its sides together (pd_em_push) */
  pd_nearest nearest;  /* where a search for its distance begins */
  double separation;   /* at the start of the substep its sides are at least so far apart; 0 if not
                          known */
  double path_bound;   /* and now, once the paths of both since the system was bound (pd_trial.path)
                          are taken off it */
  pd_em_parameters em; /* for this step: set by pd_em_choose, beta by inelastic impacts too */
  double lost; /* energy that em.beta > 0 and em.energy_returned < 1 take, at the last evaluation */
} pd_contact_pair;

/* what a pair did when it was evaluated last; units of force, moment, energy, force/length, length
 */
typedef struct pd_pair_response {
  int active; /* it has forces; nothing else is set if not */
  pd_status status;
  double force[12], loss[PD_NLOSS][12];
  pd_mat3 friction_ta;
  double energy, spring, scale2, stiff, mingap, ncontact;
} pd_pair_response;

/* What is known of the contact of a pair whose sides have touched since the pairs were made. Most
 * never do. */
typedef struct pd_contact_state {
  pd_pair_response response;
  pd_em_state at_start,
      at_end; /* contact potential at the start of the step and at the last evaluation */
  int near;   /* its list of near features in contacts.near, -1 if it has none */
} pd_contact_state;

/* The contacts of all pairs: written by evaluations, forgotten when pairs are made anew. */
typedef struct pd_contact_states {
  pd_contact_state *state; /* n of them, by pd_contact_pair.contact */
  int n;
  pd_near *near; /* nnear of them, of pairs that have been in contact since the pairs were made */
  int nnear;
  char *active;     /* of every pair: it has forces, or its last evaluation failed */
  int *active_pair; /* these pairs, nactive of them, in their order */
  int nactive;
  size_t cap_state, cap_near;
} pd_contact_states;

/* memory of friction: at the start of the substep, and of the last evaluation, which becomes it
 * when the substep is accepted. Both by pair */
typedef struct pd_friction_book {
  pd_friction_records at_start, at_end;
} pd_friction_book;

#endif
