/* SPDX-License-Identifier: MIT
 * Pairs of features of two bodies, by a descent of both trees that takes the more promising boxes
 * first and leaves out what cannot matter any more. Every pair of features comes with the triangles
 * that own them, so that none comes twice. All in the frame of A's shape. */
#ifndef PD_DESCENT_H
#define PD_DESCENT_H

#include "contact/pose.h"
#include "geometry/bvh_pair.h"

typedef struct pd_descent pd_descent;

/* centres of two boxes and half their sizes */
typedef struct pd_box_pair {
  pd_vec3 ma, mb, ha, hb;
} pd_box_pair;

struct pd_descent {
  const pd_shape *a, *b;
  pd_bvh_placement place; /* of B's shape */
  pd_vec3 axis;  /* unit vector from A to B that parts well what is near: that between the features
                    that set the limit is best. Set by pd_descent_look_along, with what follows */
  pd_vec3 back;  /* the same as B's shape has it */
  double offset; /* of B's shape along it */
  int at[2];     /* triangles of A and B whose features are looked at */
  double limit;  /* boxes whose bound is no less are left out; lowered by what is found */
  /* lower bounds for what is in a box of A and one of B: gap or more apart, or along or more as
   * seen along the axis; NULL: these themselves */
  double (*bound_by_gap)(const pd_descent *q, const pd_box_pair *boxes, double gap);
  double (*bound_along)(const pd_descent *q, const pd_box_pair *boxes, double along);
  /* vertex v of B (on_b) or A against triangle t of the other; edges e of A and f of B, sharp ones
   * alone: a flat or concave edge is no nearer than the faces beside it */
  void (*vertex)(pd_descent *q, int on_b, int v, int t);
  void (*edges)(pd_descent *q, const pd_edge *e, const pd_edge *f);
  void *of; /* whose descent it is */
};

PD_BEGIN_DECLS

/* Sets shapes, place and an axis to begin with from a pair. */
void pd_descent_begin(pd_descent *q, const pd_pair_geometry *pair);
void pd_descent_look_along(pd_descent *q, pd_vec3 axis);
void pd_descend(pd_descent *q);

/* The pairs of features that two triangles own, one of A and one of B. */
void pd_descent_visit(pd_descent *q, int s, int t);

PD_END_DECLS

#endif
