/* SPDX-License-Identifier: MIT
 * What the matter at a friction point does over a step of the energy-momentum scheme, as the law of
 * friction is given it (doc/theory.md, 10.1 and 12). */
#ifndef PD_EM_FRICTION_WAY_H
#define PD_EM_FRICTION_WAY_H

#include "contact/force/friction_kinematics.h"

/* A side of a friction point. Where the sample has been in touch at the start, its matter is that
 * midway between the points of the start and of the end: bodies that roll have no way there, to
 * second order in what they turn by, while the matter of either end has, always the same way. */
typedef struct pd_em_friction_side {
  pd_friction_side at; /* core: of the matter */
  pd_vec3 before;      /* lever at the start of the core's point in which the bodies touch then, or
                        * would: of the matter of the end */
  pd_vec3 from;        /* that matter's lever at the end */
  int met;             /* the sample was in touch at the start */
} pd_em_friction_side;

/* How the law of friction sees the way of the matter of one body, all way - start v0, and what its
 * derivative needs: all Q^T, and where the point of the start moves with the unknowns start
 * skew(w0) Q^T more, of the turn Q of the step. */
typedef struct pd_em_side_way {
  const pd_pose *body;
  double sign; /* of the side in the slip */
  double a;    /* where in the step the scheme takes its velocity */
  double all, start;
  pd_mat3 back[2]; /* of a sample that begins, and of one that was met; only with a tangent */
} pd_em_side_way;

/* what the friction points of a pair have in common */
typedef struct pd_em_friction_way {
  const pd_evaluation *pair;
  pd_em_side_way side[2];
  double ahead; /* time by which the way of the law is ahead of the true one */
  pd_friction_turn turn;
} pd_em_friction_way;

PD_BEGIN_DECLS

pd_em_friction_way pd_em_friction_way_of(const pd_evaluation *pair);

/* Both sides of a point. old: normal at the start, zero if there was no contact. */
void pd_em_friction_sides(const pd_evaluation *pair, const pd_friction_point *point, pd_vec3 old,
                          pd_em_friction_side *side);

/* The way that the law of friction is given, y, and its rate y / h; gt: tangential gap of the
 * start. Returns the velocity at the end. */
pd_vec3 pd_em_take_way(const pd_em_friction_way *way, const pd_em_friction_side *side, pd_vec3 gt,
                       pd_friction_kinematics *s);

/* derivative of y before it is turned */
void pd_em_way_gradient(const pd_em_friction_way *way, const pd_friction_point *point,
                        const pd_em_friction_side *side, pd_grad *g);

/* Mean lever of a side's force: that of the matter at the start and at the end. */
pd_vec3 pd_em_friction_lever(const pd_pose *body, const pd_em_friction_side *side);

/* Tangent of the moment of a constant force f on A, by that lever, into its rows k. */
void pd_em_add_friction_lever_rows(const pd_pose *body, const pd_friction_point *point,
                                   const pd_em_friction_side *side, int of, pd_vec3 f,
                                   double (*k)[12]);

PD_END_DECLS

#endif
