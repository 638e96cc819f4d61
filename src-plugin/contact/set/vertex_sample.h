/* SPDX-License-Identifier: MIT
 * A vertex of one body sampled against the surface of the other: the weights of the surface's
 * sub-features that are closest to it, summed up before their terms are evaluated, because most
 * cancel. */
#ifndef PD_VERTEX_SAMPLE_H
#define PD_VERTEX_SAMPLE_H

#include "contact/force/sample.h"
#include "contact/gap.h"
#include "contact/search/candidates.h"
#include "contact/search/near_list.h"

/* sub-features of a surface, by their number of vertices */
typedef enum pd_feature_kind { PD_VERTEX = 1, PD_EDGE, PD_FACE } pd_feature_kind;

typedef struct pd_feature_weight {
  pd_feature_kind kind;
  int id;
  double w; /* a whole number but for pairs of vertices */
  int met;  /* how often it was counted as what is closest on a face, or acts by itself */
} pd_feature_weight;

typedef struct pd_vertex_sample {
  const pd_evaluation *pair;
  int on_b; /* the vertex is B's, the surface A's */
  int vertex;
  double weight;          /* of the sample */
  pd_vec3 at;             /* the vertex, about A's centre */
  const pd_side *surface; /* candidates and positions of the other body */
  const pd_shape *shape;  /* of the other body */
  pd_sample_sum sum;
  int n; /* sub-features counted; what does not fit is evaluated at once as terms of its own */
  int overflow;
  pd_feature_weight count[PD_FEATURES_MAX];
} pd_vertex_sample;

PD_BEGIN_DECLS

void pd_vertex_sample_begin(pd_vertex_sample *s, const pd_evaluation *pair, int on_b, int vertex);

/* Evaluates what has been counted as one contact, with friction, into the result. Errors:
 * PD_ENOMEM, PD_ETOUCH, PD_ENAN. */
pd_status pd_vertex_sample_end(pd_vertex_sample *s);

/* What vertex id of a shape counts as a sample of the pair. */
double pd_vertex_weight(const pd_evaluation *pair, const pd_shape *shape, int id);

/* One term: the vertex against a sub-feature of the surface; its local problem alone. Errors:
 * PD_ETOUCH, PD_ENAN. */
pd_status pd_vertex_term_add(const pd_vertex_sample *s, pd_feature_weight f, pd_sample_sum *sum);
pd_gap pd_vertex_term_gap(const pd_vertex_sample *s, pd_feature_weight f);

/* Counts a sub-feature with the weight w that is closest on a face or acts by itself (met), or that
 * corrects what others count. Errors: PD_ENOMEM, PD_ETOUCH, PD_ENAN. */
pd_status pd_count_met(pd_vertex_sample *s, pd_feature_kind kind, int id);
pd_status pd_count_correction(pd_vertex_sample *s, pd_feature_kind kind, int id, double w);

/* whether vertex id of the surface is in reach of the sample */
int pd_reaches_vertex(const pd_vertex_sample *s, int id);

/* Counts what acts on the sample, each way as the set has it. Errors: PD_ENOMEM, PD_ETOUCH,
 * PD_ENAN. */
pd_status pd_count_surface(pd_vertex_sample *s);
pd_status pd_count_listed(pd_vertex_sample *s, const pd_near_item *item, int n);
pd_status pd_count_literal(pd_vertex_sample *s);

PD_END_DECLS

#endif
