/* SPDX-License-Identifier: MIT
 * Near list of a pair, and the search that uses it. */
#ifndef PD_NEAR_LIST_H
#define PD_NEAR_LIST_H

#include "base/numbers.h"
#include "contact/search/candidates.h"

/* what is near what: a vertex of one body and a feature of the other, or two edges */
enum { PD_NEAR_TRIANGLE, PD_NEAR_EDGE, PD_NEAR_VERTEX, PD_NEAR_EDGES };

/* bits of the number of a feature, and levels of the distances in a list */
enum { PD_NEAR_BITS = 26, PD_NEAR_LEVELS = 1 << (32 - PD_NEAR_BITS) };

typedef struct pd_near_item {
  unsigned p : PD_NEAR_BITS; /* vertex; edge of A */
  unsigned level : 32 - PD_NEAR_BITS;
  unsigned q : PD_NEAR_BITS; /* feature of the other body; edge of B */
  unsigned kind : 2;
} pd_near_item;

/* Near pairs of features of two bodies: vertices of A, of B, edge pairs. All zero: none are known.
 * All distances are gaps, less the radii of rounded bodies. */
typedef struct pd_near {
  double cut; /* every pair nearer than this when the list was made is in it; 0: there is no list */
  double unit; /* length of a level: a pair was no nearer than so many of them */
  pd_vec3 at;  /* where one body then was as the other sees it */
  pd_mat3 rot;
  int uses;        /* searches that it has served */
  double room;     /* what it was made for, over the distance asked for; 0: it is the first one */
  int wait;        /* searches to be made without a list */
  int n, first[3]; /* items; first of A's vertices, of B's, of the edge pairs */
  size_t cap;
  pd_near_item *item;
} pd_near;

/* those that may be near at the present poses, in the same order; zero it before first use */
typedef struct pd_near_pairs {
  pd_near_item *item;
  int n, cap, first[3];
} pd_near_pairs;

/* boxes about runs of candidates of one kind */
typedef struct pd_runs {
  pd_box *box;
  int cap;
} pd_runs;

/* those of one body */
typedef struct pd_side_runs {
  pd_runs t, e, v;
} pd_side_runs;

/* memory of a search and what it has found last; zero it before first use */
typedef struct pd_feature_search {
  pd_candidates candidates;
  pd_side_runs runs[2];
  pd_near_pairs near_pairs;
} pd_feature_search;

/* what a search has found: nothing; near pairs; candidates of both sides */
typedef enum pd_found { PD_APART, PD_LISTED, PD_SIDES } pd_found;

PD_BEGIN_DECLS

/* What may be nearer than cut, a gap: *found says whether the search's near pairs then hold it,
 * with the positions of their vertices among the candidates, or the candidates. near: the pair's
 * list, or NULL. Errors: PD_ENOMEM. */
pd_status pd_pair_search(const pd_pair_geometry *pair, double cut, pd_near *near,
                         pd_feature_search *search, pd_found *found);

void pd_near_free(pd_near *near);
void pd_feature_search_free(pd_feature_search *search);

PD_END_DECLS

#endif
