/* SPDX-License-Identifier: MIT
 * Shared by the pair_*.c files: candidates and samples. */
#ifndef PD_PAIR_INTERNAL_H
#define PD_PAIR_INTERNAL_H

#include "contact/pair.h"

/* features of one body that can matter in a region of space */
typedef struct pd_side {
  int nv, nt, ne;
  int *v, *t, *e;      /* vertices, triangles, edges */
  pd_box *tbox, *ebox; /* boxes of the triangles and edges in the lists */
  pd_vec3 *x;          /* positions about A's centre, valid for vertices with stamp == current */
  long *stamp;
  int cap_v, cap_t, cap_e;
} pd_side;

/* separation of two features along their present normal, now and at the end of a path */
typedef struct pd_gap_change {
  double now, end;
} pd_gap_change;

/* where a sample's friction acts, in space; both bodies are looked at there */
typedef struct pd_friction_point {
  int sample[2]; /* key of its memory */
  pd_vec3 pa;    /* lever about A's centre */
  pd_grad dx;    /* derivative of the point's place in space; only for the tangent */
} pd_friction_point;

/* a sample whose friction is put off: resultant of its normal forces, and derivative */
typedef struct pd_deferred_friction {
  pd_friction_point point;
  pd_vec3 r;
  pd_grad dr;
} pd_deferred_friction;

/* what is near what: a vertex of one body and a feature of the other, or two edges */
enum { PD_NEAR_TRIANGLE, PD_NEAR_EDGE, PD_NEAR_VERTEX, PD_NEAR_EDGES };

typedef struct pd_near_item {
  unsigned kind : 2, p : 15, q : 15; /* p: vertex, q: of the other body; edges of A and B */
  float d;                           /* no nearer when the list was made */
} pd_near_item;

enum { PD_NEAR_MAX = 160 };

/* Near pairs of features of two bodies: vertices of A, of B, edge pairs. All zero: none are known.
 */
struct pd_near {
  double cut; /* every pair nearer than this when the list was made is in it; 0: there is no list */
  pd_vec3 at; /* where one body then was as the other sees it */
  pd_mat3 rot;
  int wait;       /* searches to be made without a list */
  int n, from[3]; /* items; first of A's vertices, of B's, of the edge pairs */
  pd_near_item item[PD_NEAR_MAX];
};

/* what a search has found: nothing; pairs in work's list; features in work's sides */
typedef enum pd_found { PD_APART, PD_LISTED, PD_SIDES } pd_found;

struct pd_pair_work {
  pd_near *near;
  pd_near_item *list; /* pairs found, in the order of pd_near */
  int nitem, cap_list, from[3];
  pd_deferred_friction *deferred;
  int ndeferred, cap_deferred;
  pd_gap_change *sweep;
  int nsweep, cap_sweep;
  pd_side side[2];
  long stamp;
  int *item, cap_item;
  char apart[128]; /* from what another thread writes */
};

/* a tangential spring at the rim of compact bodies feels this times their inverse reduced mass */
#define PD_TURNING 4.0

/* squared distance of a point from a box, 0 inside: a lower bound for whatever is in the box */
PD_KERNEL double pd_point_box2(pd_vec3 p, pd_box b)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  return pd_norm2(pd_add(pd_max(pd_sub(b.lo, p), zero), pd_max(pd_sub(p, b.hi), zero)));
}

/* the same for two boxes */
PD_KERNEL double pd_box_box2(pd_box a, pd_box b)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  return pd_norm2(pd_add(pd_max(pd_sub(b.lo, a.hi), zero), pd_max(pd_sub(a.lo, b.hi), zero)));
}

/* a closest feature: simplex of n vertices */
typedef struct pd_feature {
  int n; /* 1 vertex, 2 edge, 3 face */
  int v[3];
} pd_feature;

/* one signed term of the contact set: features of A and of B */
typedef struct pd_term {
  pd_feature a, b;
  double w;
} pd_term;

/* Fills both sides of work with the features inside the common region, inflated by cut.
 * Returns PD_OK with *any = 0 if the boxes are apart. */
pd_status pd_pair_candidates(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru, double cut,
                             pd_pair_work *work, int *any);

/* The same by the list of near pairs that work has been given, if there is one: *found says whether
 * work's list then holds the pairs, with the positions of their vertices, or work's sides the
 * features. Errors: PD_ENOMEM. */
pd_status pd_pair_search(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru, double cut,
                         pd_pair_work *work, pd_found *found);

/* room for the features of two shapes */
pd_status pd_pair_reserve(pd_pair_work *work, const pd_shape *a, const pd_shape *b);

/* Position of vertex v about A's centre, computed once for a stamp. */
PD_KERNEL pd_vec3 pd_side_position(pd_side *s, const pd_pose *p, pd_vec3 r0, pd_vec3 ru, int v,
                                   long stamp)
{
  if (s->stamp[v] != stamp) {
    s->stamp[v] = stamp;
    s->x[v] = pd_add(pd_add(r0, p->s[v]), ru);
  }
  return s->x[v];
}

/* one sample of the contact set under evaluation */
typedef struct pd_sample_sum {
  double energy;    /* sum of w phi */
  double force[12]; /* sum of w N J^T n */
  double elastic[12];
  /* energy-momentum scheme: with mean levers, of the potential and of damping */
  double mean[12], damp[12];
  pd_mat3 ta, tb; /* of the potential, as in pd_em_state */
  double vn, vp, dv, stiff;
  pd_vec3 resultant; /* sum of w N n, on A */
  pd_grad dr;        /* its derivative, if friction and tangent are wanted */
  pd_vec3 friction;  /* force on A */
  pd_friction_history history;
  pd_vec3 point; /* weighted by |w| f_n */
  double weight, power, best, mingap;
  pd_contact_kind kind;
  int active;
  double dpower[12]; /* energy-momentum scheme: derivative of power */
} pd_sample_sum;

/* what the terms of a pair need to know */
typedef struct pd_pair_state {
  const pd_pose *a, *b;
  pd_vec3 r; /* r0 + ru */
  const pd_law *law;
  double mred;
  int tangent;
  const pd_friction_memory *memory; /* NULL: no friction */
  double em;                        /* step of the energy-momentum scheme, or 0 */
  int state;                        /* result->state is wanted */
  pd_pair_work *work;
} pd_pair_state;

/* tangents of a sample: of all its normal forces, or with em of the potential and of damping */
typedef struct pd_tangent {
  double (*k)[12], (*kloss)[12];
} pd_tangent;

/* Adds the contribution of one term with vertex levers given; k may be NULL. */
pd_status pd_term_eval(const pd_pair_state *p, int na, const pd_vec3 *a, int nb, const pd_vec3 *b,
                       double w, pd_sample_sum *sum, const pd_tangent *k);

/* The same after the gap is solved, for the energy-momentum scheme; returns the normal force. */
pd_normal_force pd_em_term(const pd_pair_state *p, const pd_gap *g, pd_law_value v, double w,
                           pd_sample_sum *sum, const pd_tangent *k);

/* Damping of a sample with terms of either sign, in the energy-momentum scheme: it fades with what
 * it takes, sum->power, over half of what one of the terms, the contact itself, takes: power, and
 * its derivative dpower. So it never gives energy. k: tangents of the sample alone, may be NULL. */
void pd_em_fade_damping(pd_sample_sum *sum, double power, const double *dpower,
                        const pd_tangent *k);

/* derivative of the unit normal by the generalised coordinates, added to out with a factor */
void pd_add_normal_gradient(const pd_gap *g, double s, pd_grad *out);

/* derivatives of the convective coordinates by the generalised ones */
void pd_point_drift_slopes(const pd_gap *g, double (*c)[12]);

/* How the closest points wander along their features with the generalised coordinates: s times the
 * derivatives of their paths, added to those of the points of A and of B. */
void pd_add_point_drift(const pd_gap *g, double s, pd_grad *on_a, pd_grad *on_b);

/* (I - Q^T) p without the cancellation for small turns */
pd_vec3 pd_rotation_displacement(const pd_increment *t, pd_vec3 p);

/* Spot of a vertex at the lever p about A's centre: vertex of A, or of B if on_b. */
pd_friction_point pd_vertex_friction_point(const pd_pair_state *p, int vertex, int on_b,
                                           pd_vec3 at);

/* Spot of an edge pair: midway between the closest points of the features in g. */
pd_friction_point pd_edge_friction_point(const pd_pair_state *p, int ea, int eb, const pd_gap *g);

/* Friction of a sample whose normal forces are summed up, into sum and result; nothing without
 * memory or normal force. Errors: PD_ENOMEM. */
pd_status pd_sample_friction(const pd_pair_state *p, const pd_friction_point *x, pd_sample_sum *sum,
                             pd_pair_result *result);

/* Adds a finished sample to the result and, if list is not NULL, appends its row. */
pd_status pd_sample_finish(const pd_sample_sum *sum, int on_b, int s0, int s1, int em,
                           pd_pair_result *result, pd_contact_list *list);

void pd_sample_clear(pd_sample_sum *sum);
/* Zeroes a result; the tangents only if they are wanted. */
void pd_result_clear(pd_pair_result *result, int tangent);

#endif
