/* SPDX-License-Identifier: MIT
 * What is asked of the contact of a pair. */
#ifndef PD_REQUEST_H
#define PD_REQUEST_H

#include "contact/friction_memory.h"
#include "contact/law/normal.h"
#include "contact/pose.h"

/* Which sub-region pairs act.
 * CONTINUOUS: the signed sum over closed features, continuous everywhere (doc/theory.md, 7).
 * LITERAL: every sub-region pair whose local problem has a solution in range, as the 2021 paper
 * states, eq. (37).
 * HIERARCHY: that without vertex-edge pairs whose vertex is in contact with both faces of the edge,
 * and without vertex pairs of which one vertex is in contact with a face or an edge of the other:
 * the rules that the paper gives for its sixth example. */
typedef enum pd_contact_set { PD_SET_CONTINUOUS, PD_SET_LITERAL, PD_SET_HIERARCHY } pd_contact_set;

/* Which forces. */
typedef enum pd_force_mode {
  /* those of the law at the present poses and velocities: Newmark's scheme */
  PD_END_OF_STEP,
  /* the same at the end of a step of Euler's scheme: the dashpots of friction remember the
   * velocities of the step */
  PD_EULER_STATE,
  /* the same within a step of Euler's scheme, whose velocities are mean ones: friction takes the
   * way of the matter over the length of the step */
  PD_EULER_STEP,
  /* END_OF_STEP, and the state of the potential from which an energy-momentum step starts */
  PD_END_OF_STEP_WITH_STATE,
  /* those of the potential with mean levers, the losses apart (doc/theory.md, 10.1); damping by the
   * increment of the gap; friction waits for pd_em_friction */
  PD_ENERGY_MOMENTUM
} pd_force_mode;

/* near pairs of features of two bodies, kept from one search to the next (search/near_list.h) */
typedef struct pd_near pd_near;
typedef struct pd_contact_list pd_contact_list;

/* What the energy-momentum scheme asks for besides. All zero: nothing. */
typedef struct pd_em_request {
  const pd_mat3 *bearing_filter; /* directions of damping, ENERGY_MOMENTUM, or in which a pair
                                    bears, END_OF_STEP_WITH_STATE; NULL: all, or none */
  double smooth; /* END_OF_STEP_WITH_STATE: slower than this, what comes in a direction in which the
                    pair bears is no hit; velocity */
  double slide;  /* part in which forces act along the directions of damping, too */
  double stiffness_damping; /* > 0: damping is that much of the change of the elastic force over the
                               step, in place of the law's dashpots */
  double withheld; /* part of the elastic force that the scheme may take off a contact which
                      separates: dashpots leave it, or the rest would pull */
} pd_em_request;

typedef struct pd_pair_request {
  pd_pair_geometry at;
  const pd_law *law;
  pd_contact_set set; /* planes have one of their own */
  pd_force_mode mode;
  double h;                         /* length of the step, time; EULER_STEP and ENERGY_MOMENTUM */
  pd_em_request em;                 /* END_OF_STEP_WITH_STATE and ENERGY_MOMENTUM */
  pd_tangent_kind tangent;          /* of the result */
  const pd_friction_memory *memory; /* NULL: no friction; not looked at if the law has none */
  pd_near *near;                    /* of this pair of shapes, zero before first use; NULL: none.
                                       What is found is the same (continuous set only) */
  pd_contact_list *contacts;        /* rows are appended; NULL: none */
} pd_pair_request;

#endif
